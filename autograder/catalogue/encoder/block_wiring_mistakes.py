"""Encoder blocks wired differently: what each part reads, what is added to what, where dropout acts."""

from collections.abc import Mapping

from autograder.catalogue.edits import KnownMistake, mistake
from autograder.catalogue.encoder.encoder_block_mistakes import ATTENTION, FEED_FORWARD, FORMULA, WHEN

FIRST, SECOND = f"x + self.dropout({ATTENTION})", f"x + self.dropout({FEED_FORWARD})"


def dropped_twice(layer: str, before: str) -> tuple[tuple[str, dict[str, str], str], ...]:
    """Dropout of what a sub-layer returns, and again: of that, or (`before`) of what it reads."""
    what = "attention" if "attn" in layer else "feed-forward"
    twice = f"You apply dropout twice to the output of the {what}; apply it once."
    too = f"You apply dropout to the input of the {what} too; apply it only to the output."
    if what == "feed-forward":
        twice = too = "You apply dropout twice around the feed-forward; apply it once, to the output."
    return (
        (f"dropout twice after the {what}", {f"self.dropout({layer})": f"self.dropout(self.dropout({layer}))"}, twice),
        (f"dropout before and after the {what}", {f"self.dropout({layer})": f"self.dropout({before})"}, too),
    )


def dropped_before(layers: Mapping[str, str]) -> tuple[KnownMistake, ...]:
    """Dropout of what these sub-layers read, instead of what they return; an item is (sub-layer, what it reads)."""

    def edit(layer: str, read: str) -> dict[str, str]:
        return {f"self.dropout({layer})": layer.replace(f"({read}", f"(self.dropout({read})", 1)}

    both = {find: made for item in layers.items() for find, made in edit(*item).items()}
    table = [
        (f"dropout before the {'attention' if 'attn' in layer else 'feed-forward'}", edit(layer, read))
        for layer, read in layers.items()
    ]
    says = "You apply dropout to the input of {}; apply it to the output."
    return (
        *(
            mistake(name, edits).because(says.format(name.removeprefix("dropout before ")), WHEN)
            for name, edits in table
        ),
        *(
            mistake(name, edits).because(says, WHEN)
            for layer, read in layers.items()
            for name, edits, says in dropped_twice(layer, edit(layer, read)[f"self.dropout({layer})"])
        ),
        mistake("dropout before both sub-layers", both).because(says.format("both sub-layers"), WHEN),
    )


OF_POST_NORM = (
    mistake(
        "feed-forward of the attention's output",
        {FIRST: f"x + (attended := self.dropout({ATTENTION}))", FEED_FORWARD: "self.linear_net(attended)"},
    ).because("Your feed-forward gets the output of the attention; give it the output of norm1.", FORMULA),
    mistake(
        "feed-forward of the sum", {f"({FIRST})": f"(total := {FIRST})", FEED_FORWARD: "self.linear_net(total)"}
    ).because("Your feed-forward gets the sum before norm1; give it the output of norm1.", FORMULA),
    mistake(
        "second residual from the sum", {f"({FIRST})": f"(total := {FIRST})", SECOND: SECOND.replace("x +", "total +")}
    ).because("Around the feed-forward you add the sum before norm1; add the output of norm1.", FORMULA),
    mistake(
        "second residual from the attention",
        {FIRST: f"x + (attended := self.dropout({ATTENTION}))", SECOND: SECOND.replace("x +", "attended +")},
    ).because("Around the feed-forward you add the output of the attention; add the output of norm1.", FORMULA),
    mistake(
        "first residual added again", {"x = self.norm1(": "y, x = x, self.norm1(", SECOND: f"y + {SECOND}"}
    ).because("Around the feed-forward you add the block's input as well; add only the output of norm1.", FORMULA),
    mistake("second norm of the feed-forward's input", {FEED_FORWARD: "self.linear_net(self.norm2(x))"}).because(
        "You apply norm2 to the feed-forward's input as well as to the sum; apply it only to the sum.", FORMULA
    ),
    *dropped_before({ATTENTION: "x", FEED_FORWARD: "x"}),
)
