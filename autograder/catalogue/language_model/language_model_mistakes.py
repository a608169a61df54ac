"""What goes wrong in `LanguageModel`."""

from autograder.catalogue.common_mistakes import drops_in_training, in_double_precision, no_super, other_names
from autograder.catalogue.edits import mistake
from autograder.catalogue.language_model.language_model_start_mistakes import INIT, START_MISTAKES

TIED = "self.output.weight = self.embedding.weight"
BLOCKS = "DecoderOnlyBlock(model_dim, num_heads, num_kv_heads, hidden_dim, base, eps) for _ in range(num_layers)"
EMBEDDED, OUT = "x = self.embedding(tokens)", "self.output(self.norm(x)), new_caches"
LOOP = "for block, cache in zip(self.blocks, caches, strict=True):"
CALLED, NEW = "x, cache = block(x, cache)", "new_caches.append(cache)"
OUTPUT = "nn.Linear(model_dim, vocab_size, bias=False)"

ONE = "How many parameters does list(model.parameters()) count for the embedding and the output?"
OWN = "Which keys does block 2 find in the cache that it is given?"
ORDER = "Through which modules does a token go, and in which order?"
STACK = "How many different parameters do two blocks have, and how many does yours have?"

MISTAKES = (
    *START_MISTAKES,
    *(
        mistake(
            f"token {pad} as padding",
            {"nn.Embedding(vocab_size, model_dim)": f"nn.Embedding(vocab_size, model_dim, padding_idx={pad})"},
        ).because(
            f"Where token {pad} is looked up, its row gets no gradient, as with `padding_idx`: here every token is an "
            "ordinary one, so let every row learn.",
            "Which rows of the table does an optimiser change?",
        )
        for pad in (0, 1)
    ),
    mistake("not tied", {TIED: "pass"}).because(
        "embedding and output have a weight each; tied means one parameter under two names.", ONE
    ),
    mistake(
        "tied by copying",
        {
            TIED: "pass",
            INIT: f"{INIT}\n        if tied:\n            self.output.weight = "
            f"nn.Parameter(self.embedding.weight.detach().clone())",
        },
    ).because(
        "You copy the embedding's numbers into the output: they are equal only until the first step of training. Give "
        "both the same parameter.",
        ONE,
    ),
    mistake("always tied", {"if tied:": "if True:"}).because(
        "With tied=False the output has its own weight.", "Where do you use `tied`?"
    ),
    mistake(
        "the output detached from the table",
        {OUT: "nn.functional.linear(self.norm(x), self.output.weight.detach()), new_caches"},
    ).because(
        "The output's use of the table is detached from the graph: the gradient of the tied weight lacks a part.",
        "How many paths lead from the loss to the embedding's weight?",
    ),
    mistake(
        "one cache for all blocks",
        {"in zip(self.blocks, caches, strict=True)": "in ((block, caches[0]) for block in self.blocks)"},
    ).because("Every block gets the first block's cache; each has its own.", OWN),
    mistake(
        "the last block's cache for all blocks",
        {"in zip(self.blocks, caches, strict=True)": "in ((block, caches[-1]) for block in self.blocks)"},
    ).because("Every block gets the last block's cache; each has its own.", OWN),
    mistake("cache passed from block to block", {LOOP: "cache = caches[0]\n        for block in self.blocks:"}).because(
        "You pass a block the cache that the previous block returned; each has its own, caches[i].", OWN
    ),
    mistake("cache not passed on", {CALLED: "x, cache = block(x)"}).because(
        "Every step starts from nothing. Pass each block its cache, and return the new ones.", OWN
    ),
    mistake("only the last cache returned", {NEW: "new_caches = [cache]"}).because(
        "You return one cache; return one for each block.", "How many caches does the next step need?"
    ),
    mistake("caches in reverse", {NEW: "new_caches.insert(0, cache)"}).because(
        "You return the caches in reverse order: cache i belongs to block i.", OWN
    ),
    mistake(
        "caches kept in the model",
        {
            "caches = [None] * len(self.blocks) if caches is None "
            "else caches": 'caches = self.__dict__.get("held", [None] * len(self.blocks)) '
            "if caches "
            "is None "
            "else caches",
            OUT: "self.__dict__.update(held=new_caches) or self.output(self.norm(x)), new_caches",
        },
    ).because(
        "The model remembers its caches: a new text continues the old one. Keep them only in what you return.",
        "What should two calls of model(tokens) return?",
    ),
    mistake("no last norm", {"self.output(self.norm(x))": "self.output(x)"}).because(
        "The last norm is never applied: it comes after the last block and before the output.", ORDER
    ),
    mistake(
        "norm first", {EMBEDDED: "x = self.norm(self.embedding(tokens))", "self.output(self.norm(x))": "self.output(x)"}
    ).because("You apply the norm before the blocks; it comes after the last one.", ORDER),
    mistake("a norm after each block", {NEW: f"x = self.norm(x)\n            {NEW}"}).because(
        "You apply the last norm after every block; apply it once, at the end.", ORDER
    ),
    mistake(
        "a norm after each block, and none at the end",
        {NEW: f"x = self.norm(x)\n            {NEW}", "self.output(self.norm(x))": "self.output(x)"},
    ).because("You apply the last norm after every block; apply it once, at the end.", ORDER),
    mistake(
        "log_softmax at the end", {"self.output(self.norm(x))": "self.output(self.norm(x)).log_softmax(dim=-1)"}
    ).because(
        "You return log-probabilities; return logits, because the loss applies its own softmax.",
        "What does cross_entropy do with its first argument?",
    ),
    mistake(
        "logits over a root",
        {"self.output(self.norm(x))": "self.output(self.norm(x)) / x.shape[-1] ** 0.5"},
    ).because("You divide the logits by √D, as attention divides its scores by √d; leave them unscaled.", ORDER),
    mistake(
        "blocks in reverse",
        {
            "in zip(self.blocks, caches, strict=True)": "in zip(reversed(self.blocks), reversed(caches), strict=True)",
            NEW: "new_caches.insert(0, cache)",
        },
    ).because("You go through the blocks from the last to the first.", ORDER),
    mistake(
        "only the first block",
        {"            new_caches.append(cache)\n": "            new_caches.append(cache)\n            break\n"},
    ).because("Only the first block is used.", ORDER),
    mistake(
        "every block gets the embedding",
        {CALLED: "added, cache = block(self.embedding(tokens), cache)\n            x = added"},
    ).because("Each block gets the embedding again; it should get the output of the block before it.", ORDER),
    mistake("another residual", {CALLED: "added, cache = block(x, cache)\n            x = x + added"}).because(
        "You add x around the block, which already has its own residuals.",
        "What does a block return when its sub-layers return 0?",
    ),
    mistake("embedding scaled", {EMBEDDED: f"{EMBEDDED} * self.embedding.embedding_dim**0.5"}).because(
        "You multiply the embedding by √D, as the Transformer of 2017 does; here it is used unscaled.", ORDER
    ),
    mistake(
        "positions added",
        {EMBEDDED: f"{EMBEDDED} + torch.sin(torch.arange(tokens.shape[1], device=tokens.device).unsqueeze(-1) * 0.5)"},
    ).because(
        "You add positions to the embedding; here they enter by the rotation in each attention.",
        "Where does RoPE bring the positions in?",
    ),
    mistake("softmax at the end", {"self.output(self.norm(x))": "self.output(self.norm(x)).softmax(dim=-1)"}).because(
        "You return probabilities; return logits, because the loss applies its own softmax.",
        "What does cross_entropy do with its first argument?",
    ),
    mistake("only the last position", {"self.output(self.norm(x))": "self.output(self.norm(x[:, -1:]))"}).because(
        "You return the logits of the last position only; training needs those of all positions.",
        "How many predictions does a text of T tokens train at once?",
    ),
    mistake("forward returns the caches too", {"return self.step(tokens)[0]": "return self.step(tokens)"}).because(
        "forward returns (logits, caches); it should return only the logits.", "What does the docstring say of forward?"
    ),
    mistake(
        "step returns only logits", {OUT: "self.output(self.norm(x))", "self.step(tokens)[0]": "self.step(tokens)"}
    ).because("step returns only the logits; it should return the caches too.", "What does the docstring say of step?"),
    mistake(
        "one block for all layers",
        {
            f"nn.ModuleList(\n            {BLOCKS}\n        )": f"nn.ModuleList([{BLOCKS.split(' for ')[0]}] * "
            f"num_layers)"
        },
    ).because("All layers are the same block: make a new one for every layer.", STACK),
    mistake("another default for tied", {"tied: bool = True": "tied: bool = False"}).because(
        "Your default for tied is False; make it True.", "What does the signature say about tied?"
    ),
    *(
        mistake(f"another default for {name}", {default: f"{name}: float = {other}"}).because(
            f"Your default {name} has another value; make it {right}.", f"What does the signature say about {name}?"
        )
        for name, default, other, right in (
            ("base", "base: float = 10000.0", "500000.0", "10,000"),
            ("eps", "eps: float = 1e-5", "1e-6", "1e-5"),
        )
    ),
    mistake("only a number as base", {"hidden_dim, base, eps) for": "hidden_dim, float(base), eps) for"}).because(
        "Your code takes only a number as base. A tensor [d/2], which gives each pair its own base, should work too: "
        "pass it on unchanged.",
        "What may base be, and what does your line do with a tensor [d/2]?",
    ),
    mistake("a plain list", {"nn.ModuleList(": "list("}).because(
        "A plain list hides its modules: their parameters are neither trained nor saved. Use nn.ModuleList.",
        "What does list(model.parameters()) hold?",
    ),
    mistake("output with a bias", {OUTPUT: "nn.Linear(model_dim, vocab_size)"}).because(
        "Your output has a bias; it should have none.", "Which parameters does the docstring list?"
    ),
    mistake("base not passed on", {"hidden_dim, base, eps) for": "hidden_dim, eps=eps) for"}).because(
        "base never reaches the blocks.", "Where do you use `base`?"
    ),
    mistake("eps not passed on", {"hidden_dim, base, eps) for": "hidden_dim, base) for"}).because(
        "eps never reaches the blocks.", "Where do you use `eps`?"
    ),
    mistake("eps of the last norm", {"self.norm = RMSNorm(model_dim, eps)": "self.norm = RMSNorm(model_dim)"}).because(
        "eps never reaches the last norm.", "Where do you use `eps`?"
    ),
    mistake(
        "num_kv_heads not passed on",
        {"num_kv_heads, hidden_dim, base, eps) for": "num_heads, hidden_dim, base, eps) for"},
    ).because("num_kv_heads never reaches the blocks.", "How many heads of keys does your k_proj have?"),
    mistake(
        "hidden width of 4 · D",
        {"num_kv_heads, hidden_dim, base, eps) for": "num_kv_heads, 4 * model_dim, base, eps) for"},
    ).because("Your feed-forward is 4 · model_dim wide; use hidden_dim.", "Where do you use `hidden_dim`?"),
    other_names({"self.norm = ": "self.ln_f = ", "self.norm(x)": "self.ln_f(x)"}),
    no_super(),
    mistake(
        "caches overwritten",
        {
            NEW: "new_caches.append(cache)\n            if caches[0] is not None:\n"
            "                caches[len(new_caches) - 1] = cache"
        },
        shown_by="the argument caches is changed by the call",
    ).because(
        "The result is right, but you write into the list of caches: a second way to continue the same text starts "
        "from something else.",
        "Which of your lines writes into `caches` itself?",
    ),
    in_double_precision("logits", {"self.output(self.norm(x))": "self.output(self.norm(x)).double()"}),
    mistake(
        "forward returns the last position", {"return self.step(tokens)[0]": "return self.step(tokens)[0][:, -1]"}
    ).because(
        "Your forward returns the logits of the last position only; training needs those of all positions.",
        "How many predictions does a text of T tokens train at once?",
    ),
    mistake("last norm twice", {OUT: "self.output(self.norm(self.norm(x))), new_caches"}).because(
        "You apply the final norm twice; apply it once.", ORDER
    ),
    mistake(
        "the first block without its cache", {CALLED: "x, cache = block(x, cache if new_caches else None)"}
    ).because("Your first block never gets its cache, so in each step it has forgotten the earlier tokens.", OWN),
    mistake("the last block left out", {LOOP: "for block, cache in zip(self.blocks[:-1], caches):"}).because(
        "You leave out the last block; all of them run, in order.", ORDER
    ),
    drops_in_training(
        {EMBEDDED: "x = nn.functional.dropout(self.embedding(tokens), 0.1, self.training)"}, "dropout in training"
    ),
)
