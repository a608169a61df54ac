"""What goes wrong in `TranslationModel` with the source's mask, the halves `encode` and `decode`, and the length."""

from autograder.catalogue.edits import mistake
from autograder.catalogue.translation.translation_model_dropout_mistakes import READ, SAID

ENCODED, DECODED = "self.encoder(x, keys)", "self.decoder(y, memory, memory_mask=keys)"
WEIGHT = "self.tgt_embedding.table.T"
LOGITS = f"y @ {WEIGHT} + self.output_bias"
KEYS, JOINED = "src_mask.unsqueeze(1)", "self.decode(self.encode(src, src_mask), tgt, src_mask)"
ROWS, DROP = "self.src_positions.table.num_embeddings", "x = self.dropout("
WHO = "Which parts must know where the source is padding: the encoder, the decoder, or both?"
LENGTH = "What should happen if the table of positions has too few rows?"
JOINS = "What do `encode` and `decode` return, and what is left for `forward`?"
PRIVATE = {
    "def encode(": "def _encode(",
    "def decode(": "def _decode(",
    JOINED: "self._decode(self._encode(src, src_mask), tgt, src_mask)",
}


def beside(halves):
    """The edits that leave forward right, and give other halves to those who call them."""
    return PRIVATE | {"    def forward(": f"{halves}\n\n    def forward("}


def cut(tokens, positions):
    """Tokens that are too long, cut off."""
    return f"{tokens}[:, : self.{positions}.table.num_embeddings]"


OF_THE_MASK = (
    mistake("mask dropped", {KEYS: "None"}, times=2).because(
        "Your model reads the source's padding like words; use src_mask.", WHO
    ),
    mistake("padding heard by the decoder", {DECODED: "self.decoder(y, memory)"}).because(
        "Your decoder attends to the padding in the memory; hide it with src_mask.", WHO
    ),
    mistake("padding heard by the encoder", {ENCODED: "self.encoder(x)"}).because(
        "In your encoder words attend to padding, which reaches the memory; hide it with src_mask.", WHO
    ),
    mistake("mask not handed to encode", {JOINED: JOINED.replace("(src, src_mask)", "(src)")}).because(
        "Your forward encodes without the mask; pass it on.", JOINS
    ),
    mistake("mask not handed to decode", {JOINED: JOINED.replace("tgt, src_mask", "tgt")}).because(
        "Your forward decodes without the mask; pass it on.", JOINS
    ),
    *(
        mistake(name, {KEYS: keys}, times=2).because(
            "You hide the real tokens and show the padding; True means a real token.",
            "At which positions is src_mask True?",
        )
        for name, keys in (
            ("mask inverted", "(src_mask == 0).unsqueeze(1)"),
            ("mask inverted bit by bit", "~src_mask.unsqueeze(1)"),
        )
    ),
    mistake("mask without an axis for the queries", {KEYS: "src_mask"}, times=2).because(
        "You pass the mask on as [B, S], which attention takes for [T, S]; make it [B, 1, S].",
        "Which axes does the mask of an attention have?",
    ),
    mistake(
        "mask of the encoder's queries",
        {f"{KEYS}  # [B, 1, S]\n        x =": "src_mask.unsqueeze(2)\n        x ="},
    ).because(
        "Your encoder's mask is [B, S, 1], which hides queries instead of keys; make it [B, 1, S].",
        "Which axis of the weights [B, h, T, S] counts the keys?",
    ),
    mistake("memory's mask given as the target's", {DECODED: "self.decoder(y, memory, keys)"}).because(
        "You pass the source's mask as the target's; pass it as `memory_mask`, the decoder's fourth argument.",
        "In which order does the decoder take its masks?",
    ),
    mistake("the first sample's mask for all", {KEYS: "src_mask[:1].unsqueeze(1)"}, times=2).because(
        "You use the first sample's mask for all samples. Give each sample its own.", WHO
    ),
    mistake(
        "a mask of integers hides nothing",
        {KEYS: "(src_mask if src_mask.dtype == torch.bool else torch.ones_like(src_mask)).unsqueeze(1)"},
        times=2,
    ).because("Your mask hides padding only if it is boolean. Accept 0 and 1, too.", WHO),
    *(
        mistake(
            f"mask inverted for the {part}",
            {f"{KEYS}  # [B, 1, S]\n        {name} =": f"(src_mask == 0).unsqueeze(1)\n        {name} ="},
        ).because(
            f"Your {part} sees only the source's padding; True means a real token.",
            "At which positions is src_mask True?",
        )
        for part, name in (("encoder", "x"), ("decoder", "y"))
    ),
    mistake("no mask not allowed", {f"None if src_mask is None else {KEYS}": KEYS}, times=2).because(
        "Without src_mask your code stops with an error; None means that every token is real.", WHO
    ),
    mistake("decoder asks the embedded source", {ENCODED: "x"}).because(
        "Your memory is the embedded source; use the encoder.", JOINS
    ),
)

OF_THE_HALVES = (
    mistake("no encode and decode", PRIVATE).because(
        "Your forward does everything itself; split it into `encode` and `decode`, which `beam_search` calls "
        "separately.",
        JOINS,
    ),
    mistake(
        "encode without the mask",
        beside(
            "    def encode(self, src, src_mask=None):\n        return self._encode(src)\n\n"
            "    def decode(self, memory, tgt, src_mask=None):\n        return self._decode(memory, tgt, src_mask)"
        ),
    ).because("Your encode ignores its mask; use it, as forward does.", JOINS),
    mistake(
        "memory of the last encode",
        {
            f"return {ENCODED}": f"self.memory = {ENCODED}\n        return self.memory",
            DECODED: "self.decoder(y, self.memory, memory_mask=keys)",
        },
    ).because("Your decode uses the memory that the last encode left; use the one that it's given.", JOINS),
    mistake(
        "mask of the last encode",
        {DROP: f"self.keys = keys\n        {DROP}", "y = self.dropout(": "keys = self.keys\n        y = self.dropout("},
    ).because("Your decode uses the mask that the last encode left; use the one that it's given.", JOINS),
    mistake(
        "mask of the last encode where none is given",
        {
            DROP: f"self.keys = keys\n        {DROP}",
            "y = self.dropout(": "keys = self.keys if keys is None else keys\n        y = self.dropout(",
        },
    ).because(
        "If your decode gets no mask it uses that of the last encode; None means that every token is real.", JOINS
    ),
    mistake("decode stops before the output", {LOGITS: "y", JOINED: f"{JOINED} @ {WEIGHT} + self.output_bias"}).because(
        "Your decode returns vectors; return logits.", JOINS
    ),
    mistake(
        "encode stops before the encoder",
        {
            ENCODED: "x",
            f"return {JOINED}": "keys = None if src_mask is None else src_mask.unsqueeze(1)\n"
            "        return self.decode(self.encoder(self.encode(src), keys), tgt, src_mask)",
        },
    ).because("Your encode returns the embedded source; return the memory.", JOINS),
)

OF_THE_LENGTH = (
    mistake(
        "too long is cut off",
        {
            READ: READ.replace("(src)", f"({cut('src', 'src_positions')})"),
            SAID: SAID.replace("(tgt)", f"({cut('tgt', 'tgt_positions')})"),
        },
    ).because("You let a sequence through that is too long; raise a ValueError.", LENGTH),
    mistake("another error for what is too long", {DROP: f"assert src.shape[1] <= {ROWS}\n        {DROP}"}).because(
        "You use `assert`; raise a ValueError that names both lengths.", LENGTH
    ),
    mistake(
        "lengths not named",
        {
            JOINED: "self._refused(src, tgt) or " + JOINED,
            "    def encode(": "    def _refused(self, *both):\n"
            "        if max(tokens.shape[1] for tokens in both) > self.src_positions.table.num_embeddings:\n"
            '            raise ValueError("too long")\n\n    def encode(',
        },
        shown_by="the message of ValueError does not mention 29, 23",
    ).because("Your error does not give the two lengths; name both.", LENGTH),
    mistake(
        "max_len is refused",
        {
            DROP: f"if src.shape[1] >= {ROWS}:\n"
            f'            raise ValueError(f"{{src.shape[1]}} tokens, {{{ROWS}}} at most")\n        {DROP}'
        },
    ).because("You refuse a sentence of exactly max_len tokens; accept it.", "Is max_len itself too long?"),
    mistake("target too long is cut off", {SAID: SAID.replace("(tgt)", f"({cut('tgt', 'tgt_positions')})")}).because(
        "You let a target through that is too long; raise a ValueError.", LENGTH
    ),
)
