"""What goes wrong in `TransformerPredictor` between its four parts: positions, means and masks."""

from autograder.catalogue.edits import mistake
from autograder.catalogue.training.predictor_mistakes import ADDED, ENCODED, IF_POSITIONS, MAPS, OUTPUT

BEFORE = f"        {IF_POSITIONS}\n{ADDED}        x = {ENCODED}"  # in forward
AGAIN = f"        x = {ENCODED}\n        {IF_POSITIONS}\n            x = self.positional_encoding(x)"
ONE_EACH = "How many different predictions does one sequence get?"

AN_AXIS_MORE = "mask if mask is None or mask.dim() > 2 else mask.unsqueeze(1)"


def an_axis_more(call):
    """A call that takes a mask [T, T] for one of [B, T]."""
    return {call: call.replace("mask)", f"{AN_AXIS_MORE})")}


OF_PARTS = (
    *(
        mistake(f"an axis more for a mask [T, T]{where}", edits).because(
            f"You add an axis to a mask with two axes{where}, as if it were [B, T]. Pass it on unchanged: [T, T] is "
            "the same mask for all samples.",
            "Which axes does a mask with two axes have, and which of them counts the queries?",
        )
        for where, edits in (
            ("", an_axis_more(ENCODED) | an_axis_more(MAPS)),
            (" in forward", an_axis_more(ENCODED)),
            (" in the maps", an_axis_more(MAPS)),
        )
    ),
    *(
        mistake(f"dropout {where}", edits).because(
            f"You apply dropout {where}; apply it only inside the encoder and the output network.",
            "Which of your modules get `dropout`?",
        )
        for where, edits in (
            ("after the positions", {f"x = {ENCODED}": f"x = self.output_net[3](x)\n        x = {ENCODED}"}),
            ("before the output network", {OUTPUT: "self.output_net(self.output_net[3](x))"}),
        )
    ),
    mistake("positions after the encoder", {BEFORE: AGAIN}).because(
        "You add the positions to the encoder's output; add them to its input, or it cannot tell first from last.",
        "What does the encoder know about the order of its tokens?",
    ),
    mistake("positions before and after the encoder", {BEFORE: f"        {IF_POSITIONS}\n{ADDED}{AGAIN}"}).because(
        "You add the positions before the encoder and again after it; add them only before.",
        "How often does forward add positions?",
    ),
    *(
        mistake(name, {OUTPUT: averaged}).because(
            "You average over the tokens, so all of them get the same prediction; predict for each token from its own "
            "vector.",
            ONE_EACH,
        )
        for name, averaged in (
            ("the mean of the tokens for all", "self.output_net(x.mean(dim=1, keepdim=True).expand_as(x))"),
            ("the mean of the predictions for all", f"{OUTPUT} * 0 + {OUTPUT}.mean(dim=1, keepdim=True)"),
        )
    ),
    mistake("the mean of the tokens, with an axis", {OUTPUT: "self.output_net(x.mean(dim=1, keepdim=True))"}).because(
        "You average over the tokens; return one prediction per token.", "What is the shape of the output?"
    ),
    *(
        mistake(f"the {which} token for all", {OUTPUT: f"self.output_net(x[:, {place}].expand_as(x))"}).because(
            f"You predict from the {which} token for all of them; predict for each token from its own vector.", ONE_EACH
        )
        for which, place in (("first", ":1"), ("last", "-1:"))
    ),
)
