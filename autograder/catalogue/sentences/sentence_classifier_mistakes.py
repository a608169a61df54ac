"""What goes wrong in the masks, the order and the reading of `SentenceClassifier`."""

from autograder.catalogue.edits import inherited, mistake
from autograder.catalogue.sentences.masked_mean_mistakes import MISTAKES as OF_THE_MEAN
from course_lib.model.classifier import masked_mean

WHO_HEARS = "Which parts use a padding token: the attention, the mean, or both?"
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
        "You ignore the mask, so padding is read and averaged like words; use it in both places.", WHO_HEARS
    ),
    mistake("encoder sees the padding", {ENCODER_MASK: "self.encoder(x)"}).because(
        "You use the mask only for the mean, but the words have already attended to the padding; pass it to "
        "the encoder too.",
        WHO_HEARS,
    ),
    mistake("padding in the mean", {MEAN: "self.output_net(x.mean(dim=1))"}).because(
        "You use the mask only in the encoder; leave the padding out of the mean too.", WHO_HEARS
    ),
    mistake("padding counted in the mean", {MEAN: "self.output_net((x * mask.unsqueeze(-1)).mean(dim=1))"}).because(
        "You set the padding to 0 but divide by T; divide by the number of real tokens.",
        "By how much does x.mean(dim=1) divide?",
    ),
    mistake("mask inverted", {ANY_MASK: f"{ONES} if mask is None else (mask == 0)"}).because(
        "Your classifier reads only the padding; 1 means a real token.", "Is 1 a real token, or padding?"
    ),
    mistake("a mask without an axis for the queries", {"mask.unsqueeze(1))": "mask)"}).because(
        "You pass the mask [B, T] unchanged, and it is read as [queries, keys]; add an axis for the queries.",
        "How can it become [B, 1, T]?",
    ),
    mistake("a mask for the queries", {"mask.unsqueeze(1))": "mask.unsqueeze(2))"}).because(
        "Your mask [B, T, 1] hides queries; make it [B, 1, T], to hide keys.",
        "Which axis of the attention [B, h, queries, keys] must the T of the mask be?",
    ),
    mistake("a mask is expected always", {ANY_MASK: "mask"}).because(
        "Your model fails without a mask, because mask is None; use a mask of ones.",
        "What is `mask` if no mask is passed?",
    ),
    mistake("0 is padding, whatever the mask says", {ANY_MASK: "(tokens != 0)"}).because(
        "You compute your own mask from token 0; use the caller's.",
        "Who decides what is padding: the model, or the one who calls it?",
    ),
    mistake("0 is padding without a mask", {ANY_MASK: "(tokens != 0) if mask is None else mask"}).because(
        "Without a mask you treat token 0 as padding; treat every token as real.",
        "What does the docstring say about mask=None?",
    ),
    *(
        mistake(name, {ANY_MASK: edited}).because(
            f"{when} you treat token 0 as padding; only the mask says what is padding.",
            "Who decides what is padding: the model, or the one who calls it?",
        )
        for name, edited, when in (
            (
                "0 is padding, with a mask too",
                "(tokens != 0) if mask is None else (mask != 0) & (tokens != 0)",
                "Always",
            ),
            (
                "0 is padding beside a mask",
                f"{ONES} if mask is None else (mask != 0) & (tokens != 0)",
                "If there is a mask,",
            ),
        )
    ),
    *(
        mistake(f"mask inverted in the {where}", edits).because(
            f"In the {where} you use the mask the other way round; 1 means a real token there too.",
            "Is 1 a real token, or padding?",
        )
        for where, edits in (
            ("encoder", {ENCODER_MASK: "self.encoder(x, (mask == 0).unsqueeze(1))"}),
            ("mean", {MEAN: MEAN.replace("mask)", "mask == 0)")}),
        )
    ),
    mistake(
        "padding set to 0 before the encoder", {ENCODER_MASK: "self.encoder(x * (mask != 0).unsqueeze(-1))"}
    ).because(
        "You set the padding to 0 before the encoder, but the words still attend to it; pass the mask to the encoder.",
        WHO_HEARS,
    ),
    mistake(
        "a causal mask too", {"mask.unsqueeze(1))": "mask.unsqueeze(1).expand(-1, x.shape[1], -1).tril())"}
    ).because(
        "Your words attend only to earlier ones, as in a decoder; every word may attend to all real ones.",
        "Which words may the first word attend to?",
    ),
    mistake("booleans only", {"mask.unsqueeze(1))": "(~(~mask)).unsqueeze(1))"}).because(
        "Your mask works only if it is boolean. Accept 0 and 1, too.", "What are ~1 and -True?"
    ),
    mistake(
        "booleans only in the mean",
        {
            ONES: "torch.ones_like(tokens, dtype=torch.bool)",
            MEAN: "self.output_net(x.masked_fill(~mask.unsqueeze(-1), 0.0).sum(dim=1)"
            " / mask.sum(dim=1, keepdim=True).clamp(min=1))",
        },
    ).because("Your mask works only if it is boolean. Accept 0 and 1, too.", "What are ~1 and -True?"),
)

OF_THE_ORDER = (
    mistake("no positions", {POSITIONS: ""}).because(
        "No positions are added where they should be, so your model reads a bag of words; add them.", ORDER
    ),
    mistake("add_positions not used", {"if add_positions:": "if True:"}).because(
        "You always add positions; use `add_positions`.", "Where in forward do you use add_positions?"
    ),
    mistake(
        "positions from 1", {"self.positions(x)  #": "self.positions(nn.functional.pad(x, (0, 0, 1, 0)))[:, 1:]  #"}
    ).because("You count positions from 1; the first word is at position 0.", "Which row does the first word get?"),
    mistake("positions twice", {"x = self.positions(x)  # [B, T, D]": "x = x + self.positions(x)"}).because(
        "You add x to `positions(x)`, which already contains it; add it only once.",
        "What does LearnedPositions return: the positions, or the sum?",
    ),
    mistake(
        "positions along the batch", {"self.positions(x)  #": "self.positions(x.transpose(0, 1)).transpose(0, 1)  #"}
    ).because(
        "You count positions along the batch, so all words of a sentence get the same one; count them along "
        "the tokens.",
        "Which axis of [B, T, D] is T?",
    ),
    mistake("embedded words scaled again", {EMBEDDED: f"{EMBEDDED} * self.embedding.table.shape[1] ** 0.5"}).because(
        "You multiply by √model_dim again; TokenEmbedding already does.", "What does your TokenEmbedding return?"
    ),
    mistake("looked up in the bare table", {EMBEDDED: "x = self.embedding.table[tokens]"}).because(
        "You look up the rows of the table directly, without the factor √model_dim; call the embedding.",
        "What does TokenEmbedding do besides looking up?",
    ),
    mistake("add_positions inverted", {"if add_positions": "if not add_positions"}).because(
        "You invert add_positions; add positions if it is True.", ORDER
    ),
    mistake(
        "positions after the encoder",
        {POSITIONS: "", MEAN: MEAN.replace("(x,", "(self.positions(x) if add_positions else x,")},
    ).because("You add positions after the encoder, so the words attend without an order; add them before.", ORDER),
)

OF_THE_READING = (
    mistake(
        "the last real token",
        {MEAN: MEAN.replace("masked_mean(x, mask)", "x[range(len(x)), (mask != 0).sum(dim=1).clamp(min=1) - 1]")},
    ).because("You classify the last real token; classify the mean of all real ones.", "Who is classified?"),
    mistake(
        "a ReLU before the output", {MEAN: MEAN.replace("masked_mean(x, mask)", "masked_mean(x, mask).relu()")}
    ).because(
        "You apply a ReLU to the mean; pass it to output_net unchanged.", "What comes between the mean and output_net?"
    ),
    mistake(
        "a tanh before the output", {MEAN: MEAN.replace("masked_mean(x, mask)", "masked_mean(x, mask).tanh()")}
    ).because(
        "You apply a tanh to the mean, as BERT's pooler does; pass it to output_net unchanged.",
        "What comes between the mean and output_net?",
    ),
    mistake(
        "a norm before the output",
        {MEAN: MEAN.replace("masked_mean(x, mask)", "nn.functional.layer_norm(masked_mean(x, mask), x.shape[-1:])")},
    ).because(
        "You normalise the mean; pass it to output_net unchanged.", "What comes between the mean and output_net?"
    ),
    mistake("the largest read", {MEAN: "self.output_net(x.amax(dim=1))"}).because(
        "You classify the largest of each feature, padding included. Classify the mean of the real tokens.",
        "Which vector is classified?",
    ),
    *(
        mistake(
            f"the largest of the real tokens, {low}",
            {MEAN: f"self.output_net(x.masked_fill((mask == 0).unsqueeze(-1), {low}).amax(dim=1))"},
        ).because(
            "You classify the largest value of each feature. Classify the mean of the real tokens.",
            "Which vector is classified?",
        )
        for low in ("-1e9", "-torch.inf")
    ),
    mistake("the first token read", {MEAN: "self.output_net(x[:, 0])"}).because(
        "You classify the first word; classify the mean of all real ones.", "Which vector is classified?"
    ),
    mistake("the last place read", {MEAN: "self.output_net(x[:, -1])"}).because(
        "You classify the last position, which is padding in a short sentence; classify the mean of the real tokens.",
        "Which vector is classified?",
    ),
    mistake("one more residual", {ENCODER_MASK: f"x + {ENCODER_MASK}"}).because(
        "You add the encoder's input to its output again; the blocks already do that. Average only the output.",
        "Where in the encoder are the residuals?",
    ),
    mistake(
        "the embedded words added to the mean", {MEAN: "self.output_net(masked_mean(x + self.embedding(tokens), mask))"}
    ).because(
        "You add the embedded words to the encoder's output; average only the output.",
        "Where in the encoder are the residuals?",
    ),
    mistake("encoded twice", {ENCODER_MASK: f"{ENCODER_MASK}\n        x = {ENCODER_MASK}"}).because(
        "You call the encoder twice; call it once.", "How many blocks does your model have?"
    ),
    inherited(masked_mean, OF_THE_MEAN, "the root of the count", called="divided by the root of the count").because(
        "You divide the sum by the root of the number of real tokens; divide by the number.",
        "What divides a sum by its length?",
    ),
    mistake("encoder not used", {ENCODER_MASK: "x"}).because(
        "You average the embedded words without calling the encoder; call it first.", "Who calls self.encoder?"
    ),
    mistake("sum instead of the mean", {MEAN: "self.output_net((x * mask.unsqueeze(-1)).sum(dim=1))"}).because(
        "You add the words up; take their mean.", "What divides a sum by its length?"
    ),
    mistake("averaged over the batch", {MEAN: "self.output_net(x.mean(dim=0))"}).because(
        "You average over axis 0, the sentences; average over the words. (With as many sentences as words the "
        "shape would not show it.)",
        "Which axis of [B, T, D] are the words?",
    ),
    mistake("logits of every word", {MEAN: "self.output_net(x)"}).because(
        "You return logits for every word, [B, T, C]; return one row per sentence.",
        "Where are the words combined into one vector?",
    ),
    mistake("probabilities", {MEAN: f"{MEAN}.softmax(dim=-1)"}).because(
        "You return probabilities; return logits.",
        "What does F.cross_entropy expect?",
    ),
    mistake("log-probabilities", {MEAN: f"{MEAN}.log_softmax(dim=-1)"}).because(
        "You return log-probabilities; return logits.", "What does F.cross_entropy expect?"
    ),
    inherited(masked_mean, OF_THE_MEAN, "divided by nothing", called="padding alone divides by 0").because(
        "Your mean of a sentence that is all padding is 0 / 0, which is NaN; return a finite result.",
        "By what do you divide if there are no real tokens?",
    ),
    *(
        mistake(name, edits).because(
            "You take the mean before the encoder, so no word can attend to another one; take it after.",
            "What is left of a sentence's order after a mean?",
        )
        for name, edits in (
            (
                "the mean before the encoder",
                {
                    ENCODER_MASK: "self.encoder(masked_mean(x, mask).unsqueeze(1))",
                    MEAN: "self.output_net(x.squeeze(1))",
                },
            ),
            (
                "the mean before the encoder, for every word",
                {ENCODER_MASK: "self.encoder(masked_mean(x, mask).unsqueeze(1).expand_as(x))"},
            ),
        )
    ),
)

MISTAKES = OF_THE_MASK + OF_THE_ORDER + OF_THE_READING
