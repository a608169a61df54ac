"""What goes wrong in `greedy_decode`."""

from autograder.catalogue.common_mistakes import of_other_dtypes, switches
from autograder.catalogue.edits import mistake

START = "(src.shape[0], 1), bos"
ASKED, NEXT = "model(src, tokens, src_mask=src_mask)[", "argmax(dim=-1)"
FREEZE, STOP = ".masked_fill(finished, eos)", "not finished.all()"
FOUND = "following == eos"
EVAL, RESTORED = "module.training = False", "module.training = training"
MODES = "{m: m.training for m in model.modules()}"
FIRST_TOKEN = "What did the decoder's input start with in training?"
STEPS = "How many times does your loop call the model?"

MISTAKES = (
    mistake("starts from eos", {START: "(src.shape[0], 1), eos"}).because(
        "Your first token is eos, which the model has never seen there; start with bos, as in training.",
        FIRST_TOKEN,
    ),
    mistake("starts from padding", {START: "(src.shape[0], 1), 0"}).because(
        "Your first token is 0 (a forgotten `zeros`?); start with bos, as in training.", FIRST_TOKEN
    ),
    mistake("starts from a fixed token", {START: "(src.shape[0], 1), 1"}).because(
        "Your first token is always 1; start with bos.", "Where do you use `bos`?"
    ),
    mistake("bos kept", {"return tokens[:, 1:]": "return tokens"}).because(
        "Your result starts with bos; return only the tokens that the model wrote.",
        "Which columns of your tokens come from the model?",
    ),
    mistake("bos counted in max_len", {"tokens.shape[1] <= max_len": "tokens.shape[1] < max_len"}).because(
        "You stop one token early; bos does not count towards max_len.", STEPS
    ),
    mistake("one token too many", {"tokens.shape[1] <= max_len": "tokens.shape[1] <= max_len + 1"}).because(
        "max_len + 1 tokens come back.", STEPS
    ),
    mistake("one token and no more", {f"finished = {FOUND}": f"finished = {FOUND}; break"}).because(
        "Your loop ends after its first round (`break` or `return` inside it?), with one token for each row. Go on "
        "until all rows have ended, or max_len tokens have been made.",
        STEPS,
    ),
    mistake("a fixed end token", {FOUND: "following == 2"}).because(
        "You end a row at token 2, whatever `eos` says. Compare with `eos`.", "Where do you use `eos`?"
    ),
    mistake("goes on after eos", {FREEZE: "", "finished = following == eos": "finished |= following == eos"}).because(
        "Your rows keep writing after their eos until all have ended; fill them with eos.",
        "Which rows may still choose their next token?",
    ),
    mistake("eos never looked at", {FREEZE: "", f" and {STOP}": ""}).because(
        "You always take max_len tokens from the model; stop each row at its eos.",
        "What should a row contain after its eos?",
    ),
    mistake("stops only when all end together", {FREEZE: ""}).because(
        "You stop only if all rows write eos in the same step; remember which rows ended earlier.",
        "How can you remember that a row ended three steps ago?",
    ),
    mistake("stops with the first row to end", {STOP: "not finished.any()"}).because(
        "You stop at the first eos of any row, which ends the others in mid-sentence; stop when all have ended.",
        "When may the loop end: when one row has written eos, or when all have?",
    ),
    mistake("the first row decides", {STOP: "not finished[0]"}).because(
        "You only test whether row 0 has ended; test every row.",
        "What if another row takes longer than row 0?",
    ),
    *(
        mistake(
            f"filled with {what} after eos",
            {FREEZE: f".masked_fill(finished, {fill})", "finished = following == eos": "finished |= following == eos"},
        ).because(
            f"You fill a row with {token} after its eos; fill it with eos.",
            "What do you put into the rows that have ended?",
        )
        for what, token, fill in (("zeros", "0", "0"), ("bos", "bos", "bos"), ("−1", "−1", "-1"))
    ),
    mistake("last column cut off", {"return tokens[:, 1:]": "return tokens[:, 1:-1]"}).because(
        "You cut off the last column of the result. Keep it: it holds the last token of the longest row.",
        "Which token does the longest row of your result end with?",
    ),
    mistake(
        "eos cut off",
        {"return tokens[:, 1:]": "return tokens[:, 1:-1] if (tokens[:, -1] == eos).all() else tokens[:, 1:]"},
    ).because(
        "Your result lacks the eos that ends the longest row; keep it.",
        "Which token does the longest row of your result end with?",
    ),
    mistake("only the last token fed back", {ASKED: "model(src, tokens[:, -1:], src_mask=src_mask)["}).because(
        "You feed the model only the last token, so it forgets the earlier ones; feed it all of them.",
        "What does the decoder attend to, at its third token?",
    ),
    mistake("always the first token", {"[:, -1]": "[:, 0]"}).because(
        "You choose every token as if it were the first: you read the logits at position 0, or feed the model "
        "only bos. Use the last position.",
        "Of the logits [B, t, V], which position predicts the next token, and what is t?",
    ),
    mistake("source mask dropped", {ASKED: "model(src, tokens, src_mask=None)["}).because(
        "You do not pass src_mask to the model, so it reads the source's padding.",
        "With which arguments do you call the model?",
    ),
    mistake("sampled", {f"logits.{NEXT}": "torch.multinomial(logits.softmax(-1), 1)[:, 0]"}).because(
        "You sample the next token; greedy decoding always takes the most likely one.",
        "Do two calls of your function return the same?",
    ),
    mistake("the least likely token", {NEXT: "argmin(dim=-1)"}).because(
        "You choose the least likely token. Choose the most likely one: argmax.",
        "Which logit belongs to the most likely token?",
    ),
    mistake("for one sentence only", {FREEZE: "", STOP: "not finished"}).because(
        "Your `if token == eos` only works for one sentence; handle each row of the batch.",
        "How can each row of a batch end at a time of its own?",
    ),
    *(
        mistake(f"argmax over the {axis}", edits).because(
            f"Your argmax runs over the {axis}, so its result is not a token; take it over the vocabulary.",
            "Which axis of the logits [B, t, V] is the vocabulary?",
        )
        for axis, edits in (
            ("batch", {NEXT: "argmax(dim=0)"}),
            ("places", {")[:, -1]": ")", f"logits.{NEXT}": "logits.argmax(dim=1)[:, -1]"}),
        )
    ),
    mistake("always max_len columns", {f" and {STOP}": ""}).because(
        "You always return max_len columns, even if all rows end earlier; return no more than the longest row needs.",
        "How long is the longest row of your result, its eos included?",
    ),
    mistake("one column after all have ended", {STOP: "not (tokens[:, 1:-1] == eos).any(dim=1).all()"}).because(
        "You test whether all rows have ended before you count the new tokens, so a column of eos too many is written. "
        "Count them first, then test.",
        "How long is the longest row of your result, its eos included?",
    ),
    mistake("never in eval mode", {EVAL: "pass"}).because(
        "You call the model in whatever mode it has, and in training mode dropout changes its output; switch "
        "to eval mode.",
        "What does dropout do to the most likely token?",
    ),
    mistake("gradients left on", {"torch.no_grad()": "torch.enable_grad()"}).because(
        "You keep the graph of every step, so memory grows with each token; use torch.no_grad().",
        "What does `with torch.no_grad():` save?",
    ),
    switches(
        "mode of model",
        "mode not given back",
        {RESTORED: "pass"},
        "You do not restore the model's mode; put every part back into its own.",
    ),
    *(
        mistake(
            f"model.{attribute} of a plain function",
            {f"{MODES} if isinstance(model, nn.Module) else {{}}": f"(model.{attribute}, {MODES})[1]"},
        ).because(
            "You use `.eval()`, `.training` or the like on a plain function, which has no mode; do so only "
            "for modules.",
            "What does `isinstance(model, nn.Module)` tell you?",
        )
        for attribute in ("eval", "training", "modules")
    ),
    *of_other_dtypes("tokens", "return tokens[:, 1:]"),
    mistake(
        "source mask inverted", {ASKED: "model(src, tokens, src_mask=None if src_mask is None else ~src_mask)["}
    ).because(
        "You pass the inverse of src_mask, so the model reads only the padding; pass src_mask itself.",
        "Is True a real token, or padding?",
    ),
    mistake(
        "fed with the source",
        {"return tokens[:, 1:]": "return model(src, src[:, :max_len], src_mask=src_mask).argmax(-1)"},
    ).because(
        "You feed the source to the decoder and take all its outputs at once; feed it its own tokens, one "
        "more each time.",
        "What does the decoder know before it has written anything?",
    ),
    mistake("argmax over the batch, its first tokens", {NEXT: "argmax(dim=0)[: len(src)]"}).because(
        "Your argmax runs over the batch. Run it over the vocabulary, the last axis.",
        "What is the shape of the logits that you take the argmax of?",
    ),
    mistake("the last token replaced by eos", {"return tokens": "tokens[:, -1] = eos\n    return tokens"}).because(
        "You overwrite the last token with eos even in rows that have not ended. Keep it: a row of max_len tokens need "
        "not contain eos.",
        "What is the last token of a row that never ends?",
    ),
    mistake("bos counts as eos", {FOUND: "(tokens == eos).any(dim=1)"}).because(
        "You look for eos in the column of bos too, so if both are the same token, nothing is written. Look only at "
        "the tokens that the model wrote.",
        "Which tokens can end a row?",
    ),
    mistake(
        "bos never chosen", {"logits.argmax": "logits.index_fill(-1, torch.tensor(bos), -torch.inf).argmax"}
    ).because(
        "You never choose bos, even if it is the most likely token. Choose the most likely token.",
        "Which of the logits does greedy decoding follow?",
    ),
    mistake("the tokens by the name tgt", {ASKED: "model(src, tgt=tokens, src_mask=src_mask)["}).because(
        "You pass the tokens by the name `tgt`, which another model may not have. Pass them by position.",
        "How does the docstring call the model?",
    ),
    mistake("the second most likely token", {"argmax(dim=-1)": "topk(2, dim=-1).indices[:, 1]"}).because(
        "You choose the second most likely token. Choose the most likely one: argmax.",
        "Which of the logits does greedy decoding follow?",
    ),
)
