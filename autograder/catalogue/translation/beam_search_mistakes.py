"""What goes wrong in `beam_search`."""

from autograder.catalogue.decoder.greedy_decode_mistakes import MISTAKES as OF_GREEDY
from autograder.catalogue.edits import mistake, same_as

START, SUMS = "(1, 1), bos", "torch.zeros(1, device=src.device)"
MODES = "{m: m.training for m in model.modules()}"
EVAL, RESTORED = "module.training = False", "module.training = training"
MASK = "None if src_mask is None else src_mask.expand(rows, -1)"
ASKED = "model(src.expand(rows, -1), tokens, src_mask=mask)"
CANDIDATES = "sums[:, None] + logits.log_softmax(dim=-1)"
BEST = "candidates.flatten().topk(min(beam_size, candidates.numel()))"
ENDED = "(token == eos) | (n == max_len)"
PENALTY = "((5 + n) / 6) ** alpha"
SET_ASIDE = "found += zip(tokens[ended, 1:].tolist(), scores.tolist(), strict=True)"
GO_ON = "tokens, sums = tokens[~ended], sums[~ended]"
STOP, SORTED = "if ended.all():", "sorted(found, key=lambda pair: -pair[1])[:beam_size]"
STRIPPED = "made[:-1] if made[-1] == eos else made"
LIKELY = "Which numbers may be added to get the logarithm of a product of probabilities?"
ROUND = "Two beginnings, a beam of two: how many candidates has a round, and after which of the two do the best come?"
OVER = "When can no better sentence come any more?"
LENGTH = "Write down the score of a sentence of three words and eos. What is n?"
FIRST = "What did the decoder's input begin with in training?"
STEPS = "How many times does your loop ask the model?"

OF_THE_ROUND = (
    mistake("greedy whatever beam_size", {"topk(min(beam_size, ": "topk(min(1, "}).because(
        "You keep one beginning, whatever `beam_size` says: this is greedy decoding.", ROUND
    ),
    mistake("logits added", {CANDIDATES: "sums[:, None] + logits"}).because(
        "You add up logits: they have no common zero, and a step with large logits decides everything.", LIKELY
    ),
    mistake("probabilities added", {CANDIDATES: "sums[:, None] + logits.softmax(dim=-1)"}).because(
        "You add up probabilities; they are to be multiplied, so add their logarithms.", LIKELY
    ),
    mistake(
        "log-probability of the last token alone", {CANDIDATES: "logits.log_softmax(dim=-1) + 0 * sums[:, None]"}
    ).because("You forget what was before: the sums of the round before are not added.", LIKELY),
    mistake(
        "each row its own best",
        {
            BEST: f"{BEST} if n == 1 else candidates.max(dim=1)\n"
            "                places = places + (n > 1) * torch.arange(rows)[: len(places)] * logits.shape[-1]"
        },
    ).because(
        "After the first round each beginning goes on by itself, greedily; all candidates of a round compete.", ROUND
    ),
    mistake(
        "the rows' tokens not exchanged", {"tokens[row], token": "tokens[torch.arange(len(row)) % rows], token"}
    ).because(
        "The new token is appended to another beginning than the one that it came from.",
        "From which row does candidate k of the flat list come?",
    ),
    mistake(
        "row and token exchanged",
        {"places // logits.shape[-1], places % logits.shape[-1]": "places % rows, places // rows"},
        "In the flat list the tokens of row 0 come first, all V of them: the row is k // V, the token k % V.",
        "From which row does candidate k of the flat list come?",
    ),
    mistake(
        "as many equal rows from the start",
        {START: "(beam_size, 1), bos", SUMS: "torch.zeros(beam_size, device=src.device)"},
        "You begin with beam_size equal rows: so are their candidates, and the beam holds one sentence many times.",
        "How many different beginnings are there before the first round?",
    ),
    mistake("more than there are", {"topk(min(beam_size, candidates.numel()))": "topk(beam_size)"}).because(
        "In the first round there are only V candidates; topk cannot give more.",
        "How many candidates has the first round?",
    ),
    mistake("an ended one keeps its place", {BEST: BEST.replace("beam_size,", "beam_size - len(found),")}).because(
        "With each sentence that ends your beam gets narrower; those that end are set aside, and the next round keeps "
        "beam_size again.",
        ROUND,
    ),
    mistake(
        "filled up where one has ended",
        {
            BEST: BEST.replace("beam_size,", "2 * beam_size,"),
            ENDED: f"({ENDED}) & ((torch.arange(len(token)) < beam_size) | (n == max_len))",
            GO_ON: "left = ~(ended | (token == eos))\n"
            "                tokens, sums = tokens[left][:beam_size], sums[left][:beam_size]",
        },
    ).because("You fill the beam up with beginnings that were not among the beam_size best of their round.", ROUND),
    mistake("goes on after eos", {GO_ON: "ended[:] = n == max_len"}).because(
        "A sentence that has ended goes on: its continuations take the places of others.", ROUND
    ),
    mistake("only the last token shown", {ASKED: "model(src.expand(rows, -1), tokens[:, -1:], src_mask=mask)"}).because(
        "The model gets the last token alone, and forgets what it said before.",
        "What does the decoder attend to at its third token?",
    ),
    mistake("always the first place", {"[:, -1]  # [R, V]": "[:, 0]  # [R, V]"}).because(
        "You read the logits at place 0: every token is chosen as if it were the first.",
        "Which place speaks about the token that comes next?",
    ),
    same_as(OF_GREEDY, "starts from eos", {START: "(1, 1), eos"}),
    mistake("2 is the end", {"token == eos": "token == 2", STRIPPED: STRIPPED.replace("eos", "2")}).because(
        "You take 2 for the end, whatever `eos` says.", "Where do you use `eos`?"
    ),
    mistake(
        "one softmax over all rows", {CANDIDATES: "sums[:, None] + logits.flatten().log_softmax(0).view_as(logits)"}
    ).because(
        "Your softmax goes over all rows together: each row is a sentence with probabilities of its own.", LIKELY
    ),
    mistake("starts from 1", {START: "(1, 1), 1"}).because(
        "You begin with 1, whatever `bos` says.", "Where do you use `bos`?"
    ),
)

OF_THE_END = (
    mistake("stops with the first end", {STOP: "if ended.any():"}).because(
        "You stop as soon as one sentence has ended: a better one may still be on its way.", OVER
    ),
    mistake("stops when beam_size have ended", {STOP: "if len(found) >= beam_size or ended.all():"}).because(
        "You stop when beam_size sentences have ended: a better one may still be on its way.", OVER
    ),
    mistake("stops when the best has ended", {STOP: "if ended[0] or ended.all():"}).because(
        "You stop when the best of a round ends; later scores are divided by more, and other sums may be better.", OVER
    ),
    mistake("unfinished ones dropped", {ENDED: "token == eos", STOP: "if not len(tokens):"}).because(
        "What has not ended at max_len is gone; it counts, with n = max_len.",
        "What do you return when nobody says eos?",
    ),
    mistake(
        "unfinished ones only where nothing else is",
        {SORTED: "sorted([f for f in found if f[0][-1] == eos] or found, key=lambda pair: -pair[1])[:beam_size]"},
        "You take what has not ended only where nothing has; it counts beside the others.",
        "Can half a sentence be more likely than a whole one?",
    ),
    mistake("unfinished ones with eos in n", {PENALTY: "((5 + n + (token[ended] != eos)) / 6) ** alpha"}).because(
        "For what has not ended you count an eos that was never said.", LENGTH
    ),
    mistake(
        "one token too few",
        {"range(1, max_len + 1)": "range(1, max_len)", ENDED: "(token == eos) | (n == max_len - 1)"},
    ).because("You stop one token early: max_len tokens may be made, bos not counted.", STEPS),
    mistake(
        "one token too many",
        {"range(1, max_len + 1)": "range(1, max_len + 2)", ENDED: "(token == eos) | (n == max_len + 1)"},
    ).because("max_len + 1 tokens are made.", STEPS),
)

OF_THE_SCORE = (
    mistake("eos not counted", {PENALTY: "((5 + n - (token[ended] == eos).long()) / 6) ** alpha"}).because(
        "Your n leaves eos out; all tokens made count, eos among them.", LENGTH
    ),
    mistake("bos counted", {PENALTY: "((6 + n) / 6) ** alpha"}).because(
        "Your n is one too large: bos was given, not made.", LENGTH
    ),
    mistake("no length penalty", {f" / {PENALTY}": ""}).because(
        "Your score is the plain sum: each further word makes it worse, so short sentences win.", LENGTH
    ),
    mistake("mean log-probability", {PENALTY: "n"}).because(
        "You divide by n, whatever alpha says; the penalty is ((5 + n) / 6)^alpha.", LENGTH
    ),
    mistake("n to the alpha", {PENALTY: "n**alpha"}).because(
        "You divide by n^alpha; the 5 and the 6 make it gentler for short sentences.", LENGTH
    ),
    mistake("5 through 6 apart", {PENALTY: "(5 + n / 6) ** alpha"}).because(
        "You divide n by 6 before you add 5: mind the brackets.", LENGTH
    ),
    mistake("alpha in the numerator alone", {PENALTY: "(5 + n) ** alpha / 6"}).because(
        "Your alpha is on 5 + n alone: the 6 belongs to what is raised.", LENGTH
    ),
    mistake("alpha is always 0.6", {PENALTY: PENALTY.replace("alpha", "0.6")}).because(
        "You raise to 0.6, whatever `alpha` says.", "Where do you use `alpha`?"
    ),
    mistake("multiplied by the penalty", {f" / {PENALTY}": f" * {PENALTY}"}).because(
        "You multiply by the penalty: sums are negative, so long sentences are punished twice.", LENGTH
    ),
    mistake(
        "sign of the score", {f"sums[ended] / {PENALTY}": f"-sums[ended] / {PENALTY}", "-pair[1]": "pair[1]"}
    ).because("Your scores are positive; a logarithm of a probability is not.", LENGTH),
    mistake("probabilities as scores", {f"sums[ended] / {PENALTY}": f"(sums[ended] / {PENALTY}).exp()"}).because(
        "You return exp of the score; it is the logarithm that is asked for.", LENGTH
    ),
)

OF_THE_RESULT = (
    mistake(
        "sorted by the sum",
        {SORTED: "sorted(found, key=lambda pair: -pair[1] * ((5 + len(pair[0])) / 6) ** alpha)[:beam_size]"},
        "You sort by the sum, before length is made up for; the best score comes first.",
        "By which number are the sentences sorted?",
    ),
    mistake("worst first", {"-pair[1]": "pair[1]"}).because(
        "Your list begins with the worst.", "In which order does `sorted` put numbers?"
    ),
    mistake("in the order of ending", {SORTED: "found[:beam_size]"}).because(
        "Your list is in the order in which the sentences ended.", "Who ended first, and who is best?"
    ),
    mistake("all that were found", {"[:beam_size]": ""}).because(
        "You return more than beam_size sentences.", "How many sentences can be set aside in all rounds together?"
    ),
    mistake("the best alone", {"[:beam_size]": "[:1]"}).because(
        "You return one sentence; up to beam_size are asked for.", "How many pairs are asked for?"
    ),
    mistake("eos kept", {STRIPPED: "made"}).because(
        "Your sentences end in eos; it is left out.", "Which tokens are words?"
    ),
    same_as(OF_GREEDY, "bos kept", {STRIPPED: "[bos, *(made[:-1] if made[-1] == eos else made)]"}),
    mistake("the last token cut off in any case", {STRIPPED: "made[:-1]"}).because(
        "You cut the last token off also where it is not eos.",
        "What is the last token of a sentence that has not ended?",
    ),
    mistake(
        "tensors in the list",
        {f"({STRIPPED}, score)": f"(torch.tensor({STRIPPED}), torch.tensor(score))"},
        shown_by="the pairs do not hold a list of int and a float",
    ).because(
        "Your pairs hold tensors; a list of int and a float are asked for.", "What do `.tolist()` and `.item()` give?"
    ),
)

BESIDES = (
    same_as(OF_GREEDY, "source mask dropped", {MASK: "None"}),
    mistake("mask inverted", {MASK: "None if src_mask is None else ~src_mask.expand(rows, -1)"}),
    same_as(OF_GREEDY, "never in eval mode", {EVAL: "pass"}),
    same_as(OF_GREEDY, "gradients left on", {"torch.no_grad()": "torch.enable_grad()"}),
    same_as(OF_GREEDY, "mode not given back", {RESTORED: "pass"}),
    same_as(
        OF_GREEDY,
        "model.eval of a plain function",
        {f"{MODES} if isinstance(model, nn.Module) else {{}}": f"(model.eval, {MODES})[1]"},
    ),
)

MISTAKES = OF_THE_ROUND + OF_THE_END + OF_THE_SCORE + OF_THE_RESULT + BESIDES
