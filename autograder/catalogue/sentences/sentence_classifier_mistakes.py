"""What goes wrong in `SentenceClassifier`."""

from autograder.catalogue.common_mistakes import in_double_precision, no_super, other_names, overwrites
from autograder.catalogue.edits import inherited, mistake
from autograder.catalogue.sentences.masked_mean_mistakes import MISTAKES as OF_THE_MEAN
from course_lib.model.classifier import masked_mean

WHO_HEARS = "Who looks at a padding token: the attention, the mean, or both?"
NAMES = "Which parts, of which widths, does the docstring name?"
ORDER = "What tells the encoder which word comes first?"

ONES = "torch.ones_like(tokens)"
ANY_MASK = f"{ONES} if mask is None else mask"
EMBEDDED = "x = self.embedding(tokens)"
POSITIONS = "        if add_positions:\n            x = self.positions(x)  # [B, T, D]\n"
ENCODED = "self.encoder(x"
ENCODER_MASK = "self.encoder(x, mask.unsqueeze(1))"
MEAN = "self.output_net(masked_mean(x, mask))"

OF_THE_MASK = (
    mistake("mask not used", {ANY_MASK: ONES}).because(
        "The mask has no effect: padding is read, and averaged, like words.", WHO_HEARS
    ),
    mistake("encoder sees the padding", {ENCODER_MASK: "self.encoder(x)"}).because(
        "Your mean leaves the padding out, but the words have listened to it already: the encoder needs the mask too.",
        WHO_HEARS,
    ),
    mistake("padding in the mean", {MEAN: "self.output_net(x.mean(dim=1))"}).because(
        "The encoder does not attend to padding, but your mean counts what it made of it.", WHO_HEARS
    ),
    mistake("padding counted in the mean", {MEAN: "self.output_net((x * mask.unsqueeze(-1)).mean(dim=1))"}).because(
        "You set the padding to 0 and divide by T all the same.", "By how much does x.mean(dim=1) divide?"
    ),
    mistake("mask inverted", {ANY_MASK: f"{ONES} if mask is None else (mask == 0)"}).because(
        "Your classifier reads the padding and nothing else.", "Is 1 a real token, or padding?"
    ),
    mistake("a mask without an axis for the queries", {"mask.unsqueeze(1))": "mask)"}).because(
        "A mask with two axes is read as [queries, keys]; yours is [B, T].", "How can it become [B, 1, T]?"
    ),
    mistake("a mask for the queries", {"mask.unsqueeze(1))": "mask.unsqueeze(2))"}).because(
        "Your mask [B, T, 1] hides whole rows of the attention: it says who may ask, not who may be heard.",
        "Which axis of the attention [B, h, queries, keys] must the T of the mask be?",
    ),
    mistake("a mask is expected always", {ANY_MASK: "mask"}).because(
        "Without a mask your model breaks off: mask is None then.", "What is `mask` when nobody gives one?"
    ),
    mistake("0 is padding, whatever the mask says", {ANY_MASK: "(tokens != 0)"}).because(
        "You make a mask of your own from token 0, and leave the caller's unused.",
        "Who decides what is padding: the model, or the one who calls it?",
    ),
    mistake(
        "0 is padding without a mask",
        {ANY_MASK: "(tokens != 0) if mask is None else mask"},
        "Without a mask you take token 0 for padding; then every token is real.",
        "What does the docstring say of mask=None?",
        shown_by="without a mask, some token does not count",
    ),
    mistake("booleans only", {"mask.unsqueeze(1))": "(~(~mask)).unsqueeze(1))"}),
)

OF_THE_ORDER = (
    mistake("no positions", {POSITIONS: ""}).because("No positions are added: the model reads a bag of words.", ORDER),
    mistake("add_positions not used", {"if add_positions:": "if True:"}).because(
        "Positions are added whatever `add_positions` says.", "Where in forward do you use add_positions?"
    ),
    mistake("positions twice", {"x = self.positions(x)  # [B, T, D]": "x = x + self.positions(x)"}).because(
        "`positions(x)` is x with its positions already; you add x once more.",
        "What does LearnedPositions return: the positions, or the sum?",
    ),
    mistake(
        "positions along the batch", {"self.positions(x)  #": "self.positions(x.transpose(0, 1)).transpose(0, 1)  #"}
    ).because(
        "You count positions along the batch: all words of a sentence get the same one.",
        "Which axis of [B, T, D] is T?",
    ),
    mistake(
        "embedded words scaled once more", {EMBEDDED: f"{EMBEDDED} * self.embedding.table.shape[1] ** 0.5"}
    ).because(
        "TokenEmbedding has multiplied by √model_dim already; you do it again.", "What does your TokenEmbedding return?"
    ),
    mistake("looked up in the bare table", {EMBEDDED: "x = self.embedding.table[tokens]"}).because(
        "You look up the bare rows of the table: the factor √model_dim is missing.",
        "What does TokenEmbedding do besides looking up?",
    ),
    mistake("add_positions inverted", {"if add_positions": "if not add_positions"}).because(
        "You add positions when they are not wanted, and none when they are.", ORDER
    ),
    mistake(
        "positions after the encoder",
        {POSITIONS: "", MEAN: MEAN.replace("(x,", "(self.positions(x) if add_positions else x,")},
    ).because("You add positions to what the encoder gives: while the words attend, they have no order.", ORDER),
)

OF_THE_READING = (
    mistake("the first token read", {MEAN: "self.output_net(x[:, 0])"}).because(
        "You classify the first word; here it is the mean of all real ones.", "Which vector is classified?"
    ),
    mistake("the last place read", {MEAN: "self.output_net(x[:, -1])"}).because(
        "You classify the last place of the batch, which is padding in a short sentence.", "Which vector is classified?"
    ),
    mistake("encoder not used", {ENCODER_MASK: "x"}).because(
        "You average the embedded words: the encoder is built and never called.", "Who calls self.encoder?"
    ),
    mistake("sum instead of the mean", {MEAN: "self.output_net((x * mask.unsqueeze(-1)).sum(dim=1))"}).because(
        "You add the words up: a long sentence is a loud one.", "What divides a sum by its length?"
    ),
    mistake("averaged over the batch", {MEAN: "self.output_net(x.mean(dim=0))"}).because(
        "You average over axis 0, the sentences, and get one vector a place. With as many sentences as words nobody "
        "would see it from the shape.",
        "Which axis of [B, T, D] are the words?",
    ),
    mistake("logits of every word", {MEAN: "self.output_net(x)"}).because(
        "You return logits of every word, [B, T, C]; a sentence has one row of them.", "Where do the words become one?"
    ),
    mistake("probabilities", {MEAN: f"{MEAN}.softmax(dim=-1)"}).because(
        "You return probabilities; F.cross_entropy takes the softmax itself, of logits.",
        "What does F.cross_entropy expect?",
    ),
    mistake("log-probabilities", {MEAN: f"{MEAN}.log_softmax(dim=-1)"}).because(
        "You return log-probabilities; logits are asked for.", "What does F.cross_entropy expect?"
    ),
    inherited(masked_mean, OF_THE_MEAN, "divided by nothing", called="padding alone divides by 0").because(
        "A sentence of padding alone gives NaN: its mean is 0 / 0.", "By how many do you divide where nothing is real?"
    ),
    mistake(
        "the mean before the encoder", {ENCODER_MASK: "self.encoder(masked_mean(x, mask).unsqueeze(1).expand_as(x))"}
    ).because(
        "You take the mean first: then all places hold the same vector, and there is nobody to attend to.",
        "What is left of a sentence's order after a mean?",
    ),
)

OF_PARAMETERS = (
    mistake("feed-forward too narrow", {"4 * model_dim": "model_dim"}).because(
        "Your feed-forward is as wide as the model; it is 4 · model_dim.", NAMES
    ),
    mistake("feed-forward as in stage 6", {"4 * model_dim": "2 * model_dim"}).because(
        "Your feed-forward is 2 · model_dim wide, as the predictor's; here it is 4 · model_dim.", NAMES
    ),
    other_names({"self.output_net": "self.classifier"}, times=2),
    mistake(
        "torch's own embedding",
        {"TokenEmbedding(vocab_size, model_dim)": "nn.Embedding(vocab_size, model_dim, padding_idx=0)"},
    ).because("You take torch's Embedding; here it is your TokenEmbedding of stage 9, with its factor.", NAMES),
    mistake("always two classes", {"(model_dim, num_classes)": "(model_dim, 2)"}).because(
        "Your model has two classes, whatever num_classes says.", NAMES
    ),
    mistake("one layer, whatever was asked for", {"            num_layers, input": "            1, input"}).because(
        "num_layers does not reach the encoder.", NAMES
    ),
    mistake("one head, whatever was asked for", {"num_heads=num_heads": "num_heads=1"}).because(
        "num_heads does not reach the encoder.", NAMES
    ),
    mistake("dropout not handed on", {"dropout=dropout": "dropout=0.0"}).because(
        "`dropout` does not reach the encoder: nothing drops.", NAMES
    ),
    mistake("dropout always", {"dropout=dropout": "dropout=0.1"}),
    no_super("parts"),
    mistake("cut from the graph", {MEAN: MEAN.replace("masked_mean(x", "masked_mean(x.detach()")}).because(
        "Your encoder is cut off from the loss: only the last layer can learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    mistake(
        "two layers at the end",
        {
            "nn.Linear(model_dim, num_classes)": "nn.Sequential(nn.Linear(model_dim, model_dim), nn.ReLU(), "
            "nn.Linear(model_dim, num_classes))"
        },
    ).because("Your output_net has two layers; it is one Linear.", NAMES),
    mistake("no bias at the end", {"(model_dim, num_classes)": "(model_dim, num_classes, bias=False)"}).because(
        "Your output_net has no bias; it is a Linear as it comes.", NAMES
    ),
    mistake("a position too many", {"LearnedPositions(max_len,": "LearnedPositions(max_len + 1,"}).because(
        "Your table of positions has a row too many.", NAMES
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
    ),
)

MISTAKES = OF_THE_MASK + OF_THE_ORDER + OF_THE_READING + OF_PARAMETERS + BESIDES
