"""What goes wrong in `TranslationModel` with dropout."""

from autograder.catalogue.edits import mistake

READ, SAID = "self.src_positions(self.src_embedding(src))", "self.tgt_positions(self.tgt_embedding(tgt))"
DROPS = "To which sums does the paper apply dropout (section 5.4)?"
NO_DROPOUT = '{"dropout": 0.0}'

OF_THE_DROPOUT = (
    mistake("no dropout on the target", {f"self.dropout({SAID})": SAID}).because(
        "You apply no dropout after the target's positions; apply it.", DROPS
    ),
    mistake("no dropout on source and target", {f"self.dropout({READ})": READ, f"self.dropout({SAID})": SAID}).because(
        "You apply no dropout after the positions, neither of the source nor of the target. Apply it to both sums.",
        DROPS,
    ),
    mistake("no dropout on the source", {f"self.dropout({READ})": READ}).because(
        "You apply no dropout after the source's positions; apply it.", DROPS
    ),
    mistake(
        "dropout before the positions",
        {f"self.dropout({READ})": READ.replace("self.src_embedding(src)", "self.dropout(self.src_embedding(src))")},
    ).because("You apply dropout before the positions are added; apply it after.", DROPS),
    mistake(
        "dropout before both positions",
        {
            f"self.dropout({READ})": READ.replace("self.src_embedding(src)", "self.dropout(self.src_embedding(src))"),
            f"self.dropout({SAID})": SAID.replace("self.tgt_embedding(tgt)", "self.dropout(self.tgt_embedding(tgt))"),
        },
    ).because("You apply dropout before the positions are added; apply it after.", DROPS),
    mistake("no dropout in the blocks", {", dropout=dropout)": ")"}).because(
        "You do not pass dropout to your blocks.", "Which arguments do the blocks get?"
    ),
    *(
        mistake(
            f"no dropout in the {stack.lower()}",
            {f"{stack}(num_layers, **block_args": f"{stack}(num_layers, **block_args | {NO_DROPOUT}"},
        ).because(f"You do not pass dropout to your {stack.lower()}.", "Which arguments do the blocks get?")
        for stack in ("Encoder", "Decoder")
    ),
    mistake("always a tenth", {"nn.Dropout(dropout)": "nn.Dropout(0.1)"}).because(
        "You always drop a tenth; use `dropout`.", "Where do you use `dropout`?"
    ),
    mistake(
        "dropout in eval mode",
        {"y = self.dropout(": "y = F.dropout(", SAID: f"{SAID}, self.dropout.p"},
        shown_by="dropout still acts in eval mode",
    ).because(
        "You apply `F.dropout` in eval mode too; pass `training=self.training`.",
        "Which argument of F.dropout is about training?",
    ),
    mistake("another default of dropout", {"dropout: float = 0.0": "dropout: float = 0.1"}).because(
        "Your dropout is 0.1 if the caller gives none; make it 0.0.", "What is the default of `dropout`?"
    ),
    mistake("dropout on the output as well", {"return y @": "y = self.dropout(y)\n        return y @"}).because(
        "You apply dropout before the output; leave that to the blocks.", DROPS
    ),
)
