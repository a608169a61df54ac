"""What goes wrong in the parameters, the gradients and the promises of `AttentiveDecoder`."""

from autograder.catalogue.common_mistakes import (
    CUT,
    NAMES,
    drops_in_training,
    in_double_precision,
    no_super,
    other_names,
    overwrites,
)
from autograder.catalogue.edits import mistake
from autograder.catalogue.origins.attentive_decoder_mistakes import ASK, CELL, GUESS, RESULT, START

OF_PARAMETERS = (
    mistake("attention as wide as the memory", {"hidden_dim=model_dim": "hidden_dim=memory_dim"}).because(
        "The hidden width of your attention is memory_dim; make it model_dim.", NAMES
    ),
    mistake(
        "start without a bias", {"nn.Linear(memory_dim, model_dim)": "nn.Linear(memory_dim, model_dim, bias=False)"}
    ).because("Your `start` has no bias; use a plain Linear, which has one.", NAMES),
    mistake(
        "an LSTM cell",
        {"nn.GRUCell(": "nn.LSTMCell(", CELL: CELL.replace(", state)", ", (state, torch.zeros_like(state)))[0]")},
    ).because("Your cell is an nn.LSTMCell; use an nn.GRUCell.", NAMES),
    other_names({"self.output": "self.out_proj"}, times=2),
    no_super(),
    mistake(
        "padding in the embedding", {"nn.Embedding(vocab_size, model_dim)": "nn.Embedding(vocab_size + 1, model_dim)"}
    ).because("Your table has one row too many; make it vocab_size rows.", NAMES),
)

BESIDES = (
    mistake(
        "state cut from the graph",
        {CELL: CELL.replace(", state)", ", state.detach())")},
        shown_by=(
            "a part of the gradient is missing on its way to attention.key_proj.weight, attention.query_proj.weight,"
            " attention.score.weight, cell.bias_hh and 7 more"
        ),
    ).because("You detach the state between the steps, so no gradient flows back through time.", CUT),
    *(
        mistake(
            f"token {pad} as padding",
            {"nn.Embedding(vocab_size, model_dim)": f"nn.Embedding(vocab_size, model_dim, padding_idx={pad})"},
            shown_by="a part of the gradient is missing on its way to embedding.weight",
        ).because(
            "A part of your embedding's gradient is missing, as with `padding_idx`, which leaves out a row: here every "
            "token is an ordinary one, so let every row learn.",
            "Which rows of the table does an optimiser change?",
        )
        for pad in (0, 1)
    ),
    mistake(
        "context cut from the graph",
        {ASK: f"{ASK}\n            context = context.detach()"},
        shown_by="no gradient reaches attention.key_proj.weight, attention.query_proj.weight, attention.score.weight",
    ).because("You detach the context, so the attention cannot learn where to look.", CUT),
    mistake(
        "memory cut from the graph",
        {"        seen = ": "        memory = memory.detach()\n        seen = "},
        shown_by="a part of the gradient is missing on its way to memory",
    ).because("You detach the memory, so the encoder cannot learn.", CUT),
    overwrites(
        "memory",
        {"total = (seen.unsqueeze(-1) * memory)": "total = memory.mul_(seen.unsqueeze(-1))"},
        "the caller then finds zeros in the padding.",
        "memory changed in place",
    ),
    in_double_precision("logits", {"torch.stack(logits, dim=1)": "torch.stack(logits, dim=1).double()"}),
    drops_in_training(
        {GUESS: "self.output(nn.functional.dropout(torch.cat([state, context], dim=-1), 0.1, self.training))"},
        "dropout in training",
    ),
    mistake(
        "state kept between calls",
        {
            "logits, attention = [], []": 'kept, logits, attention = getattr(self, "kept", ()), [], []\n'
            "        state = kept if len(kept) == len(state) else state",
            RESULT: f"self.kept = state\n        {RESULT}",
        },
    ).because("You start a call from the last state of an earlier call. Start each call from the memory.", START),
)

PARAMETERS_AND_PROMISES = OF_PARAMETERS + BESIDES
