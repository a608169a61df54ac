"""What goes wrong in `greedy_decode`."""

from autograder.catalogue.common_mistakes import of_other_dtypes, switches
from autograder.catalogue.edits import mistake

START = "(src.shape[0], 1), bos"
ASKED, NEXT = "model(src, tokens, src_mask=src_mask)[", "argmax(dim=-1)"
FREEZE, STOP = ".masked_fill(finished, eos)", "not finished.all()"
EVAL, RESTORED = "module.training = False", "module.training = training"
MODES = "{m: m.training for m in model.modules()}"
FIRST_TOKEN = "What did the decoder's input begin with in training?"
STEPS = "How many times does your loop ask the model?"

MISTAKES = (
    mistake("starts from eos", {START: "(src.shape[0], 1), eos"}).because(
        "Your first token is eos; in training every sentence began with bos, so the model has never seen this.",
        FIRST_TOKEN,
    ),
    mistake("starts from padding", {START: "(src.shape[0], 1), 0"}).because(
        "Your first token is 0 (a forgotten `zeros`?); in training every sentence began with bos.", FIRST_TOKEN
    ),
    mistake("starts from a fixed token", {START: "(src.shape[0], 1), 1"}).because(
        "Your first token is 1, whatever `bos` says.", "Where do you use `bos`?"
    ),
    mistake("bos kept", {"return tokens[:, 1:]": "return tokens"}).because(
        "The result begins with bos; asked for is only what the model said.",
        "Which columns of your tokens come from the model?",
    ),
    mistake("bos counted in max_len", {"tokens.shape[1] <= max_len": "tokens.shape[1] < max_len"}).because(
        "You stop one token early: bos is not among the max_len tokens.", STEPS
    ),
    mistake("one token too many", {"tokens.shape[1] <= max_len": "tokens.shape[1] <= max_len + 1"}).because(
        "max_len + 1 tokens come back.", STEPS
    ),
    mistake("goes on after eos", {FREEZE: "", "finished = following == eos": "finished |= following == eos"}).because(
        "A row that has said eos goes on talking until the others have ended too.",
        "Which rows may still choose their next token?",
    ),
    mistake("eos never looked at", {FREEZE: "", f" and {STOP}": ""}).because(
        "You always take max_len tokens as the model says them; nothing happens at eos.",
        "What should a row hold after its eos?",
    ),
    mistake("stops only when all end together", {FREEZE: ""}).because(
        "You stop when all rows say eos in the same step; rows that said it earlier have gone on talking.",
        "How can you remember that a row ended three steps ago?",
    ),
    mistake("stops with the first row to end", {STOP: "not finished.any()"}).because(
        "The first eos of any row ends all of them in mid-sentence.",
        "When may the loop end: when one row has said eos, or when all have?",
    ),
    mistake("the first row decides", {STOP: "not finished[0]"}).because(
        "Only row 0 is asked whether it has ended: written for a batch of one.",
        "What if another row takes longer than row 0?",
    ),
    mistake(
        "filled with zeros after eos",
        {FREEZE: ".masked_fill(finished, 0)", "finished = following == eos": "finished |= following == eos"},
        "After its eos a row is filled with 0; the contract is eos to the end.",
        "What does `masked_fill` put into the rows that have ended?",
    ),
    mistake(
        "eos cut off",
        {"return tokens[:, 1:]": "return tokens[:, 1:-1] if (tokens[:, -1] == eos).all() else tokens[:, 1:]"},
        "The eos that ends the longest row is missing: you stop before you append it.",
        "In your loop, which comes first: appending the token, or testing whether all have ended?",
    ),
    mistake("only the last token fed back", {ASKED: "model(src, tokens[:, -1:], src_mask=src_mask)["}).because(
        "The model gets only the last token, and so forgets what it said before.",
        "What does the decoder attend to, at its third token?",
    ),
    mistake("always the first token", {"[:, -1]": "[:, 0]"}).because(
        "Every token is chosen as if it were the first: you read the logits at place 0, or feed the model bos alone.",
        "Of the logits [B, t, V], which place speaks about the token that comes next, and what is t?",
    ),
    mistake("source mask dropped", {ASKED: "model(src, tokens, src_mask=None)["}).because(
        "src_mask does not reach the model: it reads the padding of the source.",
        "With which arguments do you call the model?",
    ),
    mistake("sampled", {f"logits.{NEXT}": "torch.multinomial(logits.softmax(-1), 1)[:, 0]"}).because(
        "You draw the next token at random; greedy means the likeliest one, always.",
        "Do two calls of your function give the same?",
    ),
    mistake("the least likely token", {NEXT: "argmin(dim=-1)"}),
    mistake("for one sentence only", {FREEZE: "", STOP: "not finished"}).because(
        "With one sentence it works; with several, `if token == eos` asks one yes or no of a whole batch.",
        "How can each row of a batch end at a time of its own?",
    ),
    *(
        mistake(f"argmax over the {axis}", edits).because(
            f"Your argmax runs over the {axis}: what it gives is no token.",
            "Which axis of the logits [B, t, V] is the vocabulary?",
        )
        for axis, edits in (
            ("batch", {NEXT: "argmax(dim=0)"}),
            ("places", {")[:, -1]": ")", f"logits.{NEXT}": "logits.argmax(dim=1)[:, -1]"}),
        )
    ),
    mistake("always max_len columns", {f" and {STOP}": ""}).because(
        "You ask the model max_len times, also when all rows have ended: the last columns hold nothing but eos.",
        "How long is the longest row of your result, its eos included?",
    ),
    mistake("never in eval mode", {EVAL: "pass"}).because(
        "The model is asked in the mode in which it came; in training mode it drops at random what it should say.",
        "What does dropout do to the likeliest token?",
    ),
    mistake("gradients left on", {"torch.no_grad()": "torch.enable_grad()"}).because(
        "Every step keeps its graph, which nobody needs: memory grows with each token.",
        "What does `with torch.no_grad():` save?",
    ),
    switches(
        "mode of model",
        "mode not given back",
        {RESTORED: "pass"},
        "The model doesn't come back in the mode in which you got it. Put every part back into its own mode.",
    ),
    *(
        mistake(
            f"model.{attribute} of a plain function",
            {f"{MODES} if isinstance(model, nn.Module) else {{}}": f"(model.{attribute}, {MODES})[1]"},
        ).because(
            "A plain function has no mode: `.eval()` and `.training` are of modules alone.",
            "What does `isinstance(model, nn.Module)` tell you?",
        )
        for attribute in ("eval", "training")
    ),
    *of_other_dtypes("tokens", "return tokens[:, 1:]"),
    mistake(
        "source mask inverted", {ASKED: "model(src, tokens, src_mask=None if src_mask is None else ~src_mask)["}
    ).because(
        "The model gets the inverse of src_mask: it reads the padding and nothing else.",
        "Is True a real token, or padding?",
    ),
    mistake(
        "fed with the source",
        {"return tokens[:, 1:]": "return model(src, src[:, :max_len], src_mask=src_mask).argmax(-1)"},
    ).because(
        "The decoder gets the source tokens and speaks once for all places: nothing of its own is fed back.",
        "What does the decoder know when nothing has been said yet?",
    ),
    mistake("argmax over the batch, its first tokens", {NEXT: "argmax(dim=0)[: len(src)]"}),
)
