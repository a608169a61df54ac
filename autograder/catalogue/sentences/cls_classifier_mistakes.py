"""What goes wrong in `ClsClassifier`. Rows about the parts that it shares stand in `sentence_classifier_mistakes`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.sentences.sentence_classifier_mistakes import MISTAKES as OF_SENTENCES
from autograder.catalogue.sentences.sentence_classifier_promises_mistakes import PARAMETERS_AND_PROMISES

WHERE = "At which position of [B, 1 + T, D] is cls?"
ORDER = "What comes first: the positions, or cls?"
LONG = "How long is the sentence now, and how long is the mask?"

PLUS_CLS = "x = torch.cat([self.cls.expand(len(x), -1, -1), x], dim=1)  # [B, 1 + T, D]"
JOINED = "torch.cat([self.cls.expand(len(x), -1, -1), x], dim=1)"
POSITIONS = "        if add_positions:\n            x = self.positions(x)  # [B, T, D]\n        " + PLUS_CLS
LONGER = "nn.functional.pad(mask, (1, 0), value=1)"
READ = "self.output_net(self.encoder(x, mask)[:, 0])"
CLS = "self.cls = nn.Parameter(torch.randn(1, 1, model_dim))"
READ_LINE = f"return {READ}"

MISTAKES = (
    mistake(
        "a position for cls",
        {POSITIONS: f"        {PLUS_CLS}\n        if add_positions:\n            x = self.positions(x)"},
    ).because("You add the positions after prepending cls, so cls gets position 0; add them before.", ORDER),
    mistake("the last read", {"mask)[:, 0]": "mask)[:, -1]"}).because(
        "You classify the last position, a word or padding; classify the first, cls.", WHERE
    ),
    mistake("the first word read", {"mask)[:, 0]": "mask)[:, 1]"}).because(
        "You classify the first word; classify cls, which belongs in front of it.", WHERE
    ),
    mistake("the mean read", {"self.encoder(x, mask)[:, 0]": "self.encoder(x, mask).mean(dim=1)"}).because(
        "You classify the mean of all positions; classify cls.", "Which vector is classified?"
    ),
    mistake(
        "the mean of the real ones read",
        {
            "        " + READ_LINE: "        real = torch.ones(x.shape[:2], device=x.device) if mask is None else "
            "mask.squeeze(1)\n        return self.output_net(masked_mean(self.encoder(x, mask), real))"
        },
    ).because(
        "You classify the mean of all real tokens. Classify only cls, the encoder's first token.", "Who is classified?"
    ),
    mistake(
        "the mean of the words read",
        {
            "        " + READ_LINE: "        real = torch.ones(x.shape[:2], device=x.device) if mask is None else "
            "mask.squeeze(1)\n        return self.output_net(masked_mean(self.encoder(x, mask)[:, 1:], real[:, 1:]))"
        },
    ).because(
        "You classify the mean of the words. Classify only cls, the encoder's first token.", "Who is classified?"
    ),
    mistake("the parent's forward", {PLUS_CLS: "return super().forward(tokens, mask, add_positions)"}).because(
        "You use the forward of SentenceClassifier, which never reads cls; prepend cls, and classify its output.",
        "Who uses self.cls?",
    ),
    mistake("a tanh before the output", {"self.encoder(x, mask)[:, 0]": "self.encoder(x, mask)[:, 0].tanh()"}).because(
        "You apply a tanh to what cls has collected, as BERT's pooler does; pass it to output_net unchanged.",
        "What comes between the encoder and output_net?",
    ),
    mistake("cls itself read", {"self.encoder(x, mask)[:, 0]": "x[:, 0]"}).because(
        "You classify cls from before the encoder, when it has not seen a word; classify its output.",
        "When does cls see the words?",
    ),
    mistake(
        "no cls",
        {PLUS_CLS: "pass", f"            mask = {LONGER}.unsqueeze(1)": "            mask = mask.unsqueeze(1)"},
    ).because("You classify the first word; prepend `cls`.", "Who uses self.cls?"),
    mistake("cls added to the words", {JOINED: "x + self.cls", LONGER: "mask"}).because(
        "You add cls to every word; prepend it as a separate token.", "How long is the sentence in that case?"
    ),
    mistake(
        "mask not used", {"if mask is not None:": "if mask is not None:\n            mask = torch.ones_like(mask)"}
    ).because(
        "You ignore the mask, so cls attends to the padding; pass it to the encoder.",
        "Which tokens attend to a padding token?",
    ),
    *(
        mistake(name, edits).because("Your mask is still T long; prepend an entry for cls.", LONG)
        for name, edits in (
            ("mask not longer", {LONGER: "mask"}),
            (
                "no mask longer",
                {
                    "        if mask is not None:\n            mask": "        mask = torch.ones_like(tokens) "
                    "if mask is None else mask\n        mask",
                    LONGER: "mask",
                },
            ),
        )
    ),
    mistake("mask longer at the end", {"(1, 0), value=1": "(0, 1), value=1"}).because(
        "You extend the mask at its end, so every entry is off by one; prepend the new entry.", LONG
    ),
    mistake("cls hidden", {"value=1": "value=0"}).because(
        "Your mask hides cls; show it, because it is never padding.", "Is cls a real token, or padding?"
    ),
    mistake(
        "cls hidden, with a mask or without",
        {
            "        if mask is not None:\n": "        mask = torch.ones_like(tokens) if mask is None else mask\n"
            "        if mask is not None:\n",
            "value=1": "value=0",
        },
    ).because("Your mask hides cls; show it, because it is never padding.", "Is cls a real token, or padding?"),
    mistake("padding alone hides cls", {LONGER: f"({LONGER} * mask.any(dim=1, keepdim=True))"}).because(
        "If all words are padding you hide cls too; always show it.", "Which token is left in a sentence of padding?"
    ),
    mistake("mask inverted", {LONGER: "nn.functional.pad((mask == 0).to(mask.dtype), (1, 0), value=1)"}).because(
        "Your cls attends only to the padding; 1 means a real token.", "Is 1 a real token, or padding?"
    ),
    same_as(
        OF_SENTENCES, "a mask is expected always", {"        if mask is not None:\n            mask": "        mask"}
    ),
    *(
        same_as(
            OF_SENTENCES,
            name,
            {
                "        if mask is not None:\n            mask": f"        mask = {edited}\n"
                "        if mask is not None:\n            mask"
            },
        )
        for name, edited in (
            ("0 is padding, with a mask too", "(tokens != 0) if mask is None else (mask != 0) & (tokens != 0)"),
            ("0 is padding beside a mask", "None if mask is None else (mask != 0) & (tokens != 0)"),
        )
    ),
    same_as(
        OF_SENTENCES,
        "0 is padding without a mask",
        {
            "        if mask is not None:\n            mask": "        mask = (tokens != 0) if mask is None else mask\n"
            "        mask"
        },
    ),
    mistake("booleans only", {LONGER: "torch.cat([torch.ones_like(mask[:, :1]), ~(~mask)], dim=1)"}).because(
        "Your mask works only if it is boolean. Accept 0 and 1, too.", "What are ~1 and -True?"
    ),
    same_as(OF_SENTENCES, "no positions", {POSITIONS: f"        {PLUS_CLS}"}),
    same_as(OF_SENTENCES, "add_positions not used", {POSITIONS: f"        x = self.positions(x)\n        {PLUS_CLS}"}),
    mistake(
        "a cls for the whole batch",
        {"nn.Parameter(torch.randn(1, 1, model_dim))": "nn.Parameter(torch.randn(model_dim))"},
        shown_by="ParameterMismatch: parameters differ from the contract; other shape: cls",
    ).because("Your cls has another shape; make it [1, 1, model_dim].", "What shape does the docstring give?"),
    mistake(
        "cls not learned",
        {"nn.Parameter(torch.randn(1, 1, model_dim))": "torch.ones(1, 1, model_dim)"},
        shown_by="ParameterMismatch: parameters differ from the contract; missing: cls",
    ).because(
        "Your cls is a plain tensor, neither trained nor saved; make it an nn.Parameter.",
        "What makes a tensor a parameter?",
    ),
    mistake("cls as a buffer", {CLS: 'self.register_buffer("cls", torch.randn(1, 1, model_dim))'}).because(
        "Your cls is a buffer, which is saved but never trained; make it an nn.Parameter.",
        "What makes a tensor a parameter?",
    ),
    other_names({"self.cls": "self.cls_token"}, times=2),
    same_as(OF_SENTENCES, "probabilities", {READ: f"{READ}.softmax(dim=-1)"}),
    mistake(
        "cls cut from the graph",
        {JOINED: JOINED.replace("self.cls.", "self.cls.detach().")},
        shown_by="no gradient reaches cls",
    ).because(
        "Your cls gets no gradient, so it never learns; keep it in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    mistake(
        "a position for cls, and a row more for it",
        {
            POSITIONS: f"        {PLUS_CLS}\n        if add_positions:\n            x = self.positions(x)",
            "num_layers, max_len, dropout)": "num_layers, max_len + 1, dropout)",
        },
    ).because(
        "You add a row to the positions for cls, and add them after prepending it; cls has no position, so add the "
        "positions before.",
        ORDER,
    ),
    same_as(
        PARAMETERS_AND_PROMISES,
        "a dropout of 0.1 by default",
        {"dropout: float = 0.0": "dropout: float = 0.1"},
        times=2,
    ),
    mistake("dropout not passed on", {"num_layers, max_len, dropout)": "num_layers, max_len)"}).because(
        "You do not pass `dropout` to the parts.", "Which arguments do you pass to super().__init__?"
    ),
    in_double_precision("logits", {READ: f"{READ}.double()"}),
    mistake(
        "cls kept from the first call",
        {JOINED: JOINED.replace("self.cls", "self.__dict__.setdefault('kept', self.cls + x[:1, :1] * 0.1)")},
    ).because(
        "You keep the cls of the first call and use it in later calls. Use the parameter in each call.",
        "What does your module store in forward?",
    ),
    mistake(
        "cls at the end, the first read", {JOINED: "torch.cat([x, self.cls.expand(len(x), -1, -1)], dim=1)"}
    ).because("You append cls but classify the first position, a word; prepend it.", WHERE),
    mistake("cls scaled", {JOINED: JOINED.replace("self.cls", "(self.cls * self.cls.shape[-1] ** 0.5)")}).because(
        "You multiply cls by √model_dim; leave it unscaled.", "Is cls looked up in a table?"
    ),
    mistake("the largest read", {"self.encoder(x, mask)[:, 0]": "self.encoder(x, mask).amax(dim=1)"}).because(
        "You classify the largest of each feature over all tokens. Classify only cls, the encoder's first token.",
        "Who is classified?",
    ),
)
