"""What goes wrong in `beam_search` with scores, and with the list that it returns."""

from autograder.catalogue.decoder.greedy_decode_mistakes import MISTAKES as OF_GREEDY
from autograder.catalogue.edits import mistake, same_as

CANDIDATES = "sums[:, None] + logits.log_softmax(dim=-1)"
PENALTY = "((5 + n) / 6) ** alpha"
SORTED = "sorted(found, key=lambda pair: -pair[1])[:beam_size]"
STRIPPED = "made[:-1] if made[-1] == eos else made"
LENGTH = "Write down the score of a sentence of three words and eos. What is n?"
LEFT_OUT = (
    "You leave out a sentence with a better score, because its sum is smaller: you stop before it has ended, or choose "
    "by the sums. The sum of a longer sentence is divided by more, so choose by the scores, and go on until no better "
    "one can follow.",
    "Which has the better score with alpha = 1: the sum −1.2 of one token, or −1.6 of four?",
)
DEFAULT = "alpha: float = 0.6"

OF_THE_SCORE = (
    mistake("one penalty for all lengths", {PENALTY: "((5 + max_len) / 6) ** alpha"}).because(
        "You divide every sum by the penalty of max_len; use the sentence's own n.", LENGTH
    ),
    mistake("unfinished ones not divided", {PENALTY: f"({PENALTY} if n < max_len else 1)"}).because(
        "You don't divide the sum of a sentence of max_len tokens; divide it like the others.", LENGTH
    ),
    mistake("alpha times n subtracted", {f"sums[ended] / {PENALTY}": "sums[ended] - alpha * n"}).because(
        "You subtract alpha · n from the sum; divide the sum by ((5 + n) / 6)^alpha.", LENGTH
    ),
    *(
        mistake(f"another alpha where none is given: {alpha}", {DEFAULT: f"alpha: float = {alpha}"}).because(
            f"Your alpha is {alpha} if the caller gives none; make it 0.6.", "What is the default of `alpha`?"
        )
        for alpha in (0.0, 0.5, 0.7, 1.0)
    ),
    *(
        mistake(
            f"logarithm to base {base}", {CANDIDATES: f"sums[:, None] + logits.softmax(dim=-1).log{base}()"}
        ).because(f"You take logarithms to base {base}; take natural ones.", "Which logarithm does `log_softmax` take?")
        for base in (2, 10)
    ),
    mistake("eos not counted", {PENALTY: "((5 + n - (token[ended] == eos).long()) / 6) ** alpha"}).because(
        "You leave eos out of n; count it.", LENGTH
    ),
    mistake("bos counted", {PENALTY: "((6 + n) / 6) ** alpha"}).because("You count bos in n; leave it out.", LENGTH),
    mistake("no length penalty", {f" / {PENALTY}": ""}).because(
        "Your score is the plain sum, so short sentences win; divide by the length penalty.", LENGTH
    ),
    mistake("mean log-probability", {PENALTY: "n"}).because("You divide by n; divide by ((5 + n) / 6)^alpha.", LENGTH),
    mistake("n to the alpha", {PENALTY: "n**alpha"}).because(
        "You divide by n^alpha; divide by ((5 + n) / 6)^alpha.", LENGTH
    ),
    mistake("5 through 6 apart", {PENALTY: "(5 + n / 6) ** alpha"}).because(
        "You divide n by 6 before you add 5; add first.", LENGTH
    ),
    *(
        mistake(name, {PENALTY: penalty}).because(says, LENGTH)
        for name, penalty, says in (
            (
                "alpha in the numerator alone",
                "((5 + n) ** alpha / 6)",
                "You raise only 5 + n to alpha; raise the whole fraction (5 + n) / 6.",
            ),
            (
                "alpha in the numerator alone, no brackets",
                "(5 + n) ** alpha / 6",
                "You divide the sum by (5 + n)^alpha, and the result by 6; divide by ((5 + n) / 6)^alpha.",
            ),
            (
                "alpha at n alone",
                "((5 + n**alpha) / 6)",
                "You raise only n to alpha; raise the whole fraction (5 + n) / 6.",
            ),
            (
                "alpha in the denominator alone",
                "((5 + n) / 6**alpha)",
                "You raise only the 6 to alpha; raise the whole fraction (5 + n) / 6.",
            ),
            (
                "alpha as a factor",
                "(alpha * (5 + n) / 6)",
                "You multiply the fraction by alpha; raise it to alpha.",
            ),
            (
                "another 5",
                "((6 + n) / 7) ** alpha",
                "You divide by ((6 + n) / 7)^alpha; divide by ((5 + n) / 6)^alpha.",
            ),
            ("n / 6", "(n / 6) ** alpha", "You leave out the 5; divide by ((5 + n) / 6)^alpha."),
            ("5 + n, not through 6", "(5 + n) ** alpha", "You leave out the 6; divide by ((5 + n) / 6)^alpha."),
        )
    ),
    mistake("alpha 0 taken for none", {PENALTY: PENALTY.replace("alpha", "(alpha or 0.6)")}).because(
        "If alpha is 0 you replace it: `alpha or …` treats 0 as missing. Keep the 0.", "What is `0.0 or 0.6` in Python?"
    ),
    mistake("alpha is always 0.6", {PENALTY: PENALTY.replace("alpha", "0.6")}).because(
        "You always raise to 0.6; use `alpha`.", "Where do you use `alpha`?"
    ),
    mistake("multiplied by the penalty", {f" / {PENALTY}": f" * {PENALTY}"}).because(
        "You multiply by the penalty, which penalises long sentences twice, because sums are negative; divide by it.",
        LENGTH,
    ),
    mistake(
        "sign of the score", {f"sums[ended] / {PENALTY}": f"-sums[ended] / {PENALTY}", "-pair[1]": "pair[1]"}
    ).because("Your scores are positive; return the sum of log-probabilities, which is negative.", LENGTH),
    mistake("probabilities as scores", {f"sums[ended] / {PENALTY}": f"(sums[ended] / {PENALTY}).exp()"}).because(
        "You return exp of the score; return the score itself.", LENGTH
    ),
)

OF_THE_RESULT = (
    mistake(
        "sorted by the sum",
        {SORTED: "sorted(found, key=lambda pair: -pair[1] * ((5 + len(pair[0])) / 6) ** alpha)[:beam_size]"},
    ).because("You sort by the plain sum; sort by the score.", "By which number do you sort the sentences?"),
    mistake(
        "cut by the sum",
        {
            SORTED: "sorted(sorted(found, key=lambda pair: -pair[1] * ((5 + len(pair[0])) / 6) ** alpha)[:beam_size], "
            "key=lambda pair: -pair[1])"
        },
    ).because(*LEFT_OUT),
    mistake(
        "empty sentences thrown away",
        {SORTED: "sorted([f for f in found if len(f[0]) > 1], key=lambda pair: -pair[1])[:beam_size]"},
    ).because(
        "You throw away the sentence without words; it is a sentence like any other.",
        "What is found if eos is the most likely first token?",
    ),
    mistake("worst first", {"-pair[1]": "pair[1]"}).because(
        "Your list starts with the worst; put the best first.", "In which order does `sorted` put numbers?"
    ),
    mistake("not sorted by score", {SORTED: "found[:beam_size]"}).because(
        "Your list is not sorted by score; put the sentences in order once all are found, the best score first.",
        "Which sentence ended first, which has the best score, and by which number do you sort?",
    ),
    mistake("all that were found", {"[:beam_size]": ""}).because(
        "You return more than beam_size sentences; return at most that many.",
        "How many sentences can be set aside in all rounds together?",
    ),
    mistake("the longest first", {"-pair[1]": "-len(pair[0])"}).because(
        "You keep the longest sentences; keep those with the best scores, best first.",
        "By which number do you sort the sentences?",
    ),
    mistake("no scores", {f"({STRIPPED}, score)": f"({STRIPPED})"}).because(
        "Your result is not a list of pairs; return a list of pairs (tokens, score).",
        "How many things does a pair hold?",
    ),
    mistake("scores first", {f"({STRIPPED}, score)": f"(score, {STRIPPED})"}).because(
        "Your pairs start with the score; put the tokens first.", "In which order does a pair hold its parts?"
    ),
    mistake("the best alone", {"[:beam_size]": "[:1]"}).because(
        "You return one sentence; return up to beam_size.", "How many pairs does the docstring ask for?"
    ),
    mistake("eos kept", {STRIPPED: "made"}).because(
        "Your sentences hold eos or bos; leave both out.", "Which tokens are words?"
    ),
    same_as(OF_GREEDY, "bos kept", {STRIPPED: "[bos, *(made[:-1] if made[-1] == eos else made)]"}),
    mistake("the last token cut off in any case", {STRIPPED: "made[:-1]"}).because(
        "You always cut off the last token; cut it off only if it is eos.",
        "What is the last token of a sentence that has not ended?",
    ),
    mistake(
        "tensors in the list",
        {f"({STRIPPED}, score)": f"(torch.tensor({STRIPPED}), torch.tensor(score))"},
        shown_by="the pairs do not contain a list of int and a float",
    ).because(
        "Your pairs contain tensors; return a list of int and a float.", "What do `.tolist()` and `.item()` return?"
    ),
)
