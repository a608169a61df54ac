"""What goes wrong in `beam_search`."""

from autograder.catalogue.common_mistakes import switches
from autograder.catalogue.decoder.greedy_decode_mistakes import MISTAKES as OF_GREEDY
from autograder.catalogue.edits import mistake, same_as
from autograder.catalogue.translation.beam_search_score_mistakes import (
    CANDIDATES,
    LEFT_OUT,
    LENGTH,
    OF_THE_RESULT,
    OF_THE_SCORE,
    PENALTY,
    SORTED,
    STRIPPED,
)

START, SUMS = "(1, 1), bos", "torch.zeros(1, device=src.device)"
MODES = "{m: m.training for m in model.modules()}"
EVAL, RESTORED = "module.training = False", "module.training = training"
MASK = "None if src_mask is None else src_mask.expand(rows, -1)"
ASKED = "model(src.expand(rows, -1), tokens, src_mask=mask)"
BEST = "candidates.flatten().topk(min(beam_size, candidates.numel()))"
ENDED = "(token == eos) | (n == max_len)"
SET_ASIDE = "found += zip(tokens[ended, 1:].tolist(), scores.tolist(), strict=True)"
GO_ON = "tokens, sums = tokens[~ended], sums[~ended]"
STOP = "if ended.all():"
WORST = "sorted(score for _, score in found)[-beam_size]"  # of those that would be returned
LIKELY = "Which numbers do you add to get the logarithm of a product of probabilities?"
ROUND = (
    "Two beginnings, a beam of two: how many candidates does a round have, and which of the two do the best ones "
    "continue?"
)
OVER = "When can no better sentence follow?"
FIRST = "What did the decoder's input start with in training?"
STEPS = "How many times does your loop call the model?"

OF_THE_ROUND = (
    mistake("greedy whatever beam_size", {"topk(min(beam_size, ": "topk(min(1, "}).because(
        "You always keep one beginning, which is greedy decoding; keep beam_size of them.", ROUND
    ),
    mistake("logits added", {CANDIDATES: "sums[:, None] + logits"}).because(
        "You add up logits, so a step with large logits decides everything; add log-probabilities.", LIKELY
    ),
    mistake("probabilities added", {CANDIDATES: "sums[:, None] + logits.softmax(dim=-1)"}).because(
        "You add up probabilities; add their logarithms.", LIKELY
    ),
    mistake(
        "log-probability of the last token alone", {CANDIDATES: "logits.log_softmax(dim=-1) + 0 * sums[:, None]"}
    ).because("You drop the sums of the earlier rounds; add them.", LIKELY),
    mistake(
        "each row its own best",
        {
            BEST: f"{BEST} if n == 1 else candidates.max(dim=1)\n"
            "                places = places + (n > 1) * torch.arange(rows)[: len(places)] * logits.shape[-1]"
        },
    ).because(
        "After the first round you continue each beginning greedily; let all candidates of a round compete.", ROUND
    ),
    *(
        mistake(name, edits).because(
            "You append the new tokens to the rows in the order in which they stand. Take the beginning that each "
            "candidate came from, `tokens[row]`, and append the token to it.",
            "From which row does candidate k of the flat list come?",
        )
        for name, edits in (
            (
                "the rows' tokens not exchanged",
                {"tokens[row], token": "tokens[torch.arange(len(row)) % rows], token"},
            ),
            (
                "the rows' tokens not exchanged, filled up with the first",
                {
                    "tokens[row], token": "torch.cat([tokens, tokens[:1].expand(beam_size, -1)])[: len(row)], token",
                },
            ),
            (
                "the rows' tokens not exchanged, beam_size rows throughout",
                {
                    START: "(beam_size, 1), bos",
                    SUMS: "torch.zeros(1, device=src.device)\n"
                    "    sums = nn.functional.pad(sums, (0, beam_size - 1), value=-torch.inf)",
                    "tokens[row], token": "tokens, token",
                    ENDED: f"({ENDED}) & (sums > -torch.inf)",
                    GO_ON: "sums = sums.masked_fill(ended, -torch.inf)",
                    STOP: "if (sums == -torch.inf).all():",
                },
            ),
        )
    ),
    mistake(
        "row and token exchanged",
        {"places // logits.shape[-1], places % logits.shape[-1]": "places % rows, places // rows"},
    ).because(
        "You swap row and token: in the flat list the row is k // V and the token k % V.",
        "From which row does candidate k of the flat list come?",
    ),
    mistake(
        "as many equal rows from the start",
        {START: "(beam_size, 1), bos", SUMS: "torch.zeros(beam_size, device=src.device)"},
    ).because(
        "You start with beam_size equal rows, so the beam contains the same sentence many times; start with one row.",
        "How many different beginnings are there before the first round?",
    ),
    mistake("more than there are", {"topk(min(beam_size, candidates.numel()))": "topk(beam_size)"}).because(
        "You ask topk for more than the V candidates of the first round; ask for at most as many as there are.",
        "How many candidates does the first round have?",
    ),
    mistake("an ended one keeps its place", {BEST: BEST.replace("beam_size,", "beam_size - len(found),")}).because(
        "Your beam gets narrower with each sentence that ends; set those aside, and keep beam_size in the next round.",
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
    ).because(
        "You fill the beam with beginnings that were not among the beam_size best of their round; leave them out.",
        ROUND,
    ),
    mistake("goes on after eos", {GO_ON: "ended[:] = n == max_len"}).because(
        "You continue sentences that have ended, which displace others; set them aside.", ROUND
    ),
    mistake("only the last token shown", {ASKED: "model(src.expand(rows, -1), tokens[:, -1:], src_mask=mask)"}).because(
        "You feed the model only the last token, so it forgets the earlier ones; feed it all of them.",
        "What does the decoder attend to at its third token?",
    ),
    mistake("always the first place", {"[:, -1]  # [R, V]": "[:, 0]  # [R, V]"}).because(
        "You read the logits at position 0, so every token is chosen as if it were the first; read the last position.",
        "Which position predicts the next token?",
    ),
    same_as(OF_GREEDY, "starts from eos", {START: "(1, 1), eos"}),
    mistake("2 is the end", {"token == eos": "token == 2", STRIPPED: STRIPPED.replace("eos", "2")}).because(
        "You always treat 2 as the end; use `eos`.", "Where do you use `eos`?"
    ),
    mistake(
        "one softmax over all rows", {CANDIDATES: "sums[:, None] + logits.flatten().log_softmax(0).view_as(logits)"}
    ).because("Your softmax runs over all rows together; take it for each row.", LIKELY),
    mistake("starts from 1", {START: "(1, 1), 1"}).because(
        "You always start with 1; start with `bos`.", "Where do you use `bos`?"
    ),
)

OF_THE_CHOICE = (
    mistake("chosen by the mean", {CANDIDATES: "(sums[:, None] * (n - 1) + logits.log_softmax(dim=-1)) / n"}).because(
        "You add up means of log-probabilities; add up the log-probabilities.", LIKELY
    ),
    mistake(
        "divided in each round", {CANDIDATES: "(sums[:, None] + logits.log_softmax(dim=-1)) / ((5 + n) / 6) ** alpha"}
    ).because("You divide the sums in every round; divide once, when a sentence is set aside.", LIKELY),
    mistake("bos never written", {CANDIDATES: f"({CANDIDATES}).index_fill(1, torch.tensor(bos), -torch.inf)"}).because(
        "You never let bos be written; it is a candidate like any other token.", ROUND
    ),
    mistake(
        "every end set aside",
        {
            f"sums, places = {BEST}": f"of_eos = candidates[:, eos] / {PENALTY}\n"
            "                found += zip([[*made, eos] for made in tokens[:, 1:].tolist()], of_eos.tolist())\n"
            f"                candidates[:, eos] = -torch.inf\n                sums, places = {BEST}"
        },
    ).because(
        "You set a sentence aside for every beginning, even if its eos is not among the beam_size best of the round; "
        "only those among them end.",
        ROUND,
    ),
    mistake(
        "no end in the first round",
        {CANDIDATES: f"{CANDIDATES} - (n == 1) * 1e9 * (torch.arange(logits.shape[-1]) == eos)"},
    ).because("You never let a sentence end in the first round; eos is a candidate like any other token.", OVER),
)

OF_THE_END = (
    mistake("stops with the first end", {STOP: "if ended.any():"}).because(
        "You stop as soon as one sentence has ended; continue, because a better one may follow.", OVER
    ),
    mistake("stops when beam_size have ended", {STOP: "if len(found) >= beam_size or ended.all():"}).because(
        "You return the first beam_size sentences that end, but a better one may follow; find all, sort, then cut.",
        OVER,
    ),
    mistake("stops when the best has ended", {STOP: "if ended[0] or ended.all():"}).because(
        "You stop when the best of a round ends; continue, because a longer sentence may still have a better score.",
        OVER,
    ),
    *(
        mistake(name, {STOP: f"if ended.all() or (len(found) >= beam_size and {WORST} > {bound}):"}).because(*LEFT_OUT)
        for name, bound in (
            ("stops where no sum is better", "sums.max()"),
            ("stops where no score is better yet", f"sums.max() / {PENALTY}"),
        )
    ),
    mistake("unfinished ones dropped", {ENDED: "token == eos", STOP: "if not len(tokens):"}).because(
        "You drop what has not ended at max_len; count it, with n = max_len.",
        "What do you return if no sentence ends?",
    ),
    mistake(
        "unfinished ones only where nothing else is",
        {SORTED: "sorted([f for f in found if f[0][-1] == eos] or found, key=lambda pair: -pair[1])[:beam_size]"},
    ).because(
        "You count unfinished sentences only if no sentence has ended; always count them.",
        "Can half a sentence be more likely than a whole one?",
    ),
    mistake("unfinished ones with eos in n", {PENALTY: "((5 + n + (token[ended] != eos)) / 6) ** alpha"}).because(
        "You count an eos for unfinished sentences, which have none; leave it out.", LENGTH
    ),
    mistake(
        "one token too few",
        {"range(1, max_len + 1)": "range(1, max_len)", ENDED: "(token == eos) | (n == max_len - 1)"},
    ).because("You stop one token early; bos does not count towards max_len.", STEPS),
    mistake(
        "one token too many",
        {"range(1, max_len + 1)": "range(1, max_len + 2)", ENDED: "(token == eos) | (n == max_len + 1)"},
    ).because("max_len + 1 tokens are made.", STEPS),
)

BESIDES = (
    same_as(OF_GREEDY, "source mask dropped", {MASK: "None"}),
    mistake("mask inverted", {MASK: "None if src_mask is None else ~src_mask.expand(rows, -1)"}).because(
        "You invert src_mask, so the model reads the padding and not the words. Pass it on unchanged.",
        "Is your mask True at a real token?",
    ),
    same_as(OF_GREEDY, "never in eval mode", {EVAL: "pass"}),
    same_as(OF_GREEDY, "gradients left on", {"torch.no_grad()": "torch.enable_grad()"}),
    *(
        switches(
            "mode of model",
            name,
            {RESTORED: restored},
            "You do not give every part of the model its own mode back: some may be in eval mode when you get it, and "
            "others in training mode.",
        )
        for name, restored in (
            ("mode not given back", "pass"),
            ("one mode for all parts", "module.training = modes[model]"),
        )
    ),
    same_as(
        OF_GREEDY,
        "model.eval of a plain function",
        {f"{MODES} if isinstance(model, nn.Module) else {{}}": f"(model.eval, {MODES})[1]"},
    ),
)

MISTAKES = OF_THE_ROUND + OF_THE_CHOICE + OF_THE_END + OF_THE_SCORE + OF_THE_RESULT + BESIDES
