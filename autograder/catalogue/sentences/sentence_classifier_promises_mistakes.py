"""What goes wrong in the parameters, the gradients and the promises of `SentenceClassifier`."""

from autograder.catalogue.common_mistakes import in_double_precision, no_super, other_names, overwrites
from autograder.catalogue.edits import mistake
from autograder.catalogue.sentences.sentence_classifier_mistakes import ANY_MASK, ENCODED, MEAN, ONES

NAMES = "Which parts, of which widths, does the docstring name?"

OF_PARAMETERS = (
    mistake("feed-forward too narrow", {"4 * model_dim": "model_dim"}).because(
        "Your feed-forward is as wide as the model; make it 4 · model_dim wide.", NAMES
    ),
    mistake("feed-forward as in stage 6", {"4 * model_dim": "2 * model_dim"}).because(
        "Your feed-forward is narrower than it must be; make it 4 · model_dim wide.", NAMES
    ),
    other_names({"self.output_net": "self.classifier"}, times=2),
    mistake(
        "torch's own embedding",
        {"TokenEmbedding(vocab_size, model_dim)": "nn.Embedding(vocab_size, model_dim, padding_idx=0)"},
    ).because("You use torch's Embedding; use your TokenEmbedding of stage 9, with its factor.", NAMES),
    mistake("always two classes", {"(model_dim, num_classes)": "(model_dim, 2)"}).because(
        "Your model always has two classes; use num_classes.", NAMES
    ),
    mistake("one layer, whatever was asked for", {"            num_layers, input": "            1, input"}).because(
        "You do not pass num_layers to the encoder.", NAMES
    ),
    mistake("one head, whatever was asked for", {"num_heads=num_heads": "num_heads=1"}).because(
        "You do not pass num_heads to the encoder.", NAMES
    ),
    mistake(
        "heads and layers exchanged",
        {
            "            num_layers, input": "            num_heads, input",
            "num_heads=num_heads": "num_heads=num_layers",
        },
    ).because("You swap num_heads and num_layers when you make the encoder.", NAMES),
    mistake(
        "dropout on the embedded words alone",
        {
            "dropout=dropout\n        )\n": "dropout=0.0\n        )\n        self.drop = nn.Dropout(dropout)\n",
            ENCODED: "self.encoder(self.drop(x)",
        },
    ).because("You apply dropout to the embedded words only; pass `dropout` to the encoder.", NAMES),
    mistake("a dropout of 0.1 by default", {"dropout: float = 0.0": "dropout: float = 0.1"}).because(
        "Your dropout is 0.1 if none is given; make it 0.", "Which default does the signature of the page have?"
    ),
    mistake("dropout not passed on", {"dropout=dropout": "dropout=0.0"}).because(
        "You do not pass `dropout` to the encoder.", NAMES
    ),
    mistake("dropout always", {"dropout=dropout": "dropout=0.1"}).because(
        "You use a dropout of 0.1 regardless of `dropout`. Pass `dropout` on.",
        "Through which arguments does the encoder get its dropout?",
    ),
    no_super("parts"),
    mistake("cut from the graph", {MEAN: MEAN.replace("masked_mean(x", "masked_mean(x.detach()")}).because(
        "Your encoder is detached from the loss, so only the last layer can learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    mistake(
        "two layers at the end",
        {
            "nn.Linear(model_dim, num_classes)": "nn.Sequential(nn.Linear(model_dim, model_dim), nn.ReLU(), "
            "nn.Linear(model_dim, num_classes))"
        },
    ).because("Your output_net has two layers; use one Linear.", NAMES),
    mistake("no bias at the end", {"(model_dim, num_classes)": "(model_dim, num_classes, bias=False)"}).because(
        "Your output_net has no bias; use a plain Linear, which has one.", NAMES
    ),
    mistake("a position too many", {"LearnedPositions(max_len,": "LearnedPositions(max_len + 1,"}).because(
        "Your table of positions does not have max_len rows; it needs one for each position, and no more.", NAMES
    ),
)

BESIDES = (
    overwrites(
        "mask",
        {
            "mask.unsqueeze(1))": "mask.logical_not_().logical_not().unsqueeze(1))",
            "(x, mask))": "(x, mask.logical_not()))",
        },
        "it is inverted at the next call.",
    ),
    in_double_precision("logits", {MEAN: f"{MEAN}.double()"}),
    mistake(
        "the first mask kept",
        {
            ANY_MASK: f"getattr(self, 'kept', {ONES}) if mask is None else mask\n"
            "        self.kept = torch.ones_like(mask).triu()"
        },
    ).because(
        "Without a mask you use one from an earlier call. Without a mask every token is real.",
        "What does your module store in forward?",
    ),
)

PARAMETERS_AND_PROMISES = OF_PARAMETERS + BESIDES
