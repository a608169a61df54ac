"""What goes wrong with the embeddings of `Seq2SeqTransformer`: which tokens are learned, and what dropout acts on."""

from autograder.catalogue.decoder.seq2seq_mistakes import READ, RECALL
from autograder.catalogue.edits import mistake

SUM = "To which sum does section 5.4 of the paper apply dropout?"
PADDED = {name: f"Embedding({name}_vocab, model_dim" for name in ("src", "tgt")}

OF_EMBEDDINGS = (
    *(
        mistake(
            f"padding_idx in the {name}", {PADDED[short]: f"{PADDED[short]}, padding_idx=0" for short in shorts}
        ).because(
            f"You declare a token of the {of} to be padding, which is then never learned; leave out padding_idx, "
            "because only `src_mask` says what is padding.",
            "What does `padding_idx` of nn.Embedding do to the gradient of that token?",
        )
        for name, of, shorts in (
            ("source and in the target", "source and one of the target", ("src", "tgt")),
            ("source", "source", ("src",)),
            ("target", "target", ("tgt",)),
        )
    ),
    *(
        mistake(name, {f"self.dropout({sum}": f"({sum}" for sum in sums}).because(
            f"You apply dropout in the blocks but not to the sum of embeddings and positions{which}; apply it "
            "there too.",
            "Where does section 5.4 of the paper apply dropout, besides the sub-layers?",
        )
        for name, sums, which in (
            ("embeddings not dropped", (READ, RECALL), ""),
            ("source not dropped", (READ,), " of the source"),
            ("target not dropped", (RECALL,), " of the target"),
        )
    ),
    mistake(
        "embeddings dropped twice",
        {f"self.dropout({sum})": f"self.dropout(self.dropout({sum}))" for sum in (READ, RECALL)},
    ).because("You apply dropout twice to the sum of embeddings and positions; apply it once.", SUM),
    mistake(
        "dropped before the positions",
        {"self.dropout(self.positional_encoding(": "self.positional_encoding(self.dropout("},
        times=2,
    ).because("You apply dropout to the embeddings and add the positions afterwards; apply it to their sum.", SUM),
    *(
        mistake(
            f"{name} dropped before the positions",
            {f"self.dropout({embedded}": embedded.replace("encoding(", "encoding(self.dropout(")},
        ).because(
            f"You apply dropout to the embeddings of the {name} and add the positions afterwards; apply it to their "
            "sum.",
            SUM,
        )
        for name, embedded in (("source", READ), ("target", RECALL))
    ),
)
