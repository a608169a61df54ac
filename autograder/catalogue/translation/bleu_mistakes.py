"""What goes wrong in `bleu`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake

GRAMS = "zip(*(tokens[start:] for start in range(n)), strict=False)"
COUNTED, TOTAL = "(said & grams(reference, n)).total()", "total += said.total()"
BREVITY = "min(0.0, 1 - sum(map(len, references)) / sum(map(len, hypotheses)))"
RESULT = "return 100 * math.exp(brevity + sum(logarithms) / max_n)"
EMPTY = "if matches == 0:\n            return 0.0"
LOOP = "for n in range(1, max_n + 1):"
TWICE = "How often may “the” count if it occurs twice in the reference and seven times in the hypothesis?"
MEAN = "Which mean is it, and of what?"
LENGTHS = "What is the penalty if the hypotheses have as many words as the references, and if they have more?"
POOLED = "Which numbers do you add up over the sentences, and when do you divide?"
LEAST = "What is a geometric mean if one of the numbers is 0?"


def mean_of_the_sentences(hypotheses, references, max_n=4):
    """The reference on each sentence, and the mean."""
    from course_lib.text.bleu import bleu as of_corpus

    scores = [of_corpus([said], [expected], max_n) for said, expected in zip(hypotheses, references, strict=True)]
    return sum(scores) / len(scores)


MISTAKES = (
    mistake("a negative number of n-grams", {TOTAL: "total += len(hypothesis) - n + 1"}).because(
        "A hypothesis shorter than n − 1 words adds a negative number of n-grams to yours; it has none, so add 0.",
        "How many 4-grams does a sentence of two words have?",
    ),
    mistake("one n-gram at least", {TOTAL: "total += max(1, len(hypothesis) - n + 1)"}).because(
        "A hypothesis shorter than n words adds 1 to your number of n-grams; it has none, so add 0.",
        "How many 4-grams does a sentence of two words have?",
    ),
    mistake("never clipped", {COUNTED: "sum(k for gram, k in said.items() if gram in grams(reference, n))"}).because(
        "You count an n-gram every time it occurs in the hypothesis, so “the the the” would be perfect; count "
        "it at most as often as in the reference.",
        TWICE,
    ),
    mistake("matches as a set", {COUNTED: "len(said.keys() & grams(reference, n).keys())"}).because(
        "You count each n-gram that matches once; count it as often as both texts have it.",
        "What is the score of a text in which “the” occurs twice, against itself?",
    ),
    mistake(
        "only single words clipped",
        {
            COUNTED: f"({COUNTED} if n == 1 else sum(k for gram, k in said.items() if gram in grams(reference, n)))",
        },
    ).because("You clip only single words; clip n-grams of every length.", TWICE),
    mistake("n-grams as a set", {"said = grams(hypothesis, n)": "said = Counter(set(grams(hypothesis, n)))"}).because(
        "You count each n-gram of a sentence once; count every occurrence, up to the reference's count.", TWICE
    ),
    mistake(
        "clipped by the whole corpus",
        {
            LOOP: f"every = lambda texts, n: sum((grams(t, n) for t in texts), Counter())\n    {LOOP}",
            f"            matches += {COUNTED}\n": "",
            f"        {EMPTY}": "        matches = (every(hypotheses, n) & every(references, n)).total()\n"
            f"        {EMPTY}",
        },
    ).because(
        "You join all sentences before you compare, so an extra word here makes up for a missing one there; "
        "compare sentence by sentence.",
        "In which reference may an n-gram of the third sentence be found?",
    ),
    mistake("any order of the words", {GRAMS: f"(tuple(sorted(gram)) for gram in {GRAMS})"}).because(
        "Your n-grams ignore the order of their words; keep it.",
        "Are (a, b) and (b, a) the same bigram?",
    ),
    mistake("glued without a space", {GRAMS: f"(''.join(gram) for gram in {GRAMS})"}).because(
        "You join n-grams to a string without a space, so “ba b” and “b ab” become the same; use tuples.",
        "Which two bigrams give the same string?",
    ),
    mistake(
        "mean of the shares",
        {
            "math.log(matches / total)": "matches / total",
            RESULT: "return 100 * math.exp(brevity) * sum(logarithms) / max_n",
        },
    ).because("You take the arithmetic mean of the precisions; take the geometric mean.", MEAN),
    mistake("product without the root", {"sum(logarithms) / max_n": "sum(logarithms)"}).because(
        "You multiply the precisions without taking the root; take it.", MEAN
    ),
    mistake(
        "harmonic mean",
        {
            "math.log(matches / total)": "total / matches",
            RESULT: "return 100 * math.exp(brevity) * max_n / sum(logarithms)",
        },
    ).because("You take the harmonic mean of the precisions. Take the geometric mean.", MEAN),
    mistake("from 0 to 1", {"return 100 * ": "return "}).because(
        "Your score goes from 0 to 1; return 0 to 100.", "What does a perfect translation get?"
    ),
    mistake("recall in the place of precision", {TOTAL: "total += grams(reference, n).total()"}).because(
        "You divide by the reference's n-grams, which is recall; divide by the hypothesis's, for precision.",
        "By which text's n-grams do you divide the matches?",
    ),
    mistake(
        "perfect where the texts are equal", {LOOP: f"if hypotheses == references:\n        return 100.0\n    {LOOP}"}
    ).because("You return 100 for equal texts; if they have no n-gram of some length, the score is 0.", LEAST),
    mistake(
        "characters in the place of words",
        {
            LOOP: "hypotheses, references = ([' '.join(s) for s in side] for side in (hypotheses, references))\n    "
            + LOOP
        },
    ).because("You count characters; count words.", "What are the tokens of “the cat”?"),
    mistake("no brevity penalty", {BREVITY: "0.0"}).because(
        "You do not penalise a text that is too short; multiply by the brevity penalty.", LENGTHS
    ),
    mistake("rewarded for length", {BREVITY: BREVITY.replace("min(0.0, ", "(")}).because(
        "You reward a text that is longer than the reference; limit the exponent to 0.", LENGTHS
    ),
    mistake("punished both ways", {BREVITY: f"-abs({BREVITY.replace('min(0.0, ', '(')})"}).because(
        "You penalise a text that is too long; leave that to the precisions.", LENGTHS
    ),
    mistake(
        "lengths exchanged in the penalty",
        {BREVITY: "min(0.0, 1 - sum(map(len, hypotheses)) / sum(map(len, references)))"},
    ).because("You swap r and h, which penalises the long text; penalise the short one.", LENGTHS),
    mistake(
        "lengths exchanged in the exponent",
        {
            BREVITY: "0.0 if sum(map(len, hypotheses)) >= sum(map(len, references)) else "
            "1 - sum(map(len, hypotheses)) / sum(map(len, references))"
        },
    ).because("Your exponent is 1 − h / r, which rewards a short text. Make it 1 − r / h.", LENGTHS),
    mistake(
        "h / r − 1 as the exponent", {BREVITY: "min(0.0, sum(map(len, hypotheses)) / sum(map(len, references)) - 1)"}
    ).because("Your exponent is h / r − 1. Make it 1 − r / h.", LENGTHS),
    mistake(
        "mean of the sentences' penalties",
        {
            "math.exp(brevity + sum": "penalty * math.exp(sum",
            f"brevity = {BREVITY}": "penalty = sum(min(1, math.exp(1 - len(r) / max(len(h), 1))) "
            "for h, r in zip(hypotheses, references)) / len(references)",
        },
    ).because("You penalise each short sentence; add up the lengths over the corpus first.", POOLED),
    mistake(
        "ratio of the lengths as the penalty",
        {BREVITY: "min(0.0, math.log(sum(map(len, hypotheses)) / sum(map(len, references))))"},
    ).because("Your penalty is h / r; use exp(1 − r / h), which is sharper.", LENGTHS),
    mistake(
        "penalty of each sentence",
        {BREVITY: "sum(min(0, 1 - len(r) / max(len(h), 1)) for h, r in zip(hypotheses, references)) / len(references)"},
    ).because("You penalise each short sentence; add up the lengths over the corpus first.", POOLED),
    *(
        mistake(name, {BREVITY: f"min(0.0, 1 - {expected} / max({said}, 1))"}).because(
            "In your penalty a long sentence doesn't make up for a short one; compare the lengths of the whole corpus.",
            POOLED,
        )
        for name, expected, said in (
            (
                "only what is missing counts",
                "sum(max(len(h), len(r)) for h, r in zip(hypotheses, references))",
                "sum(map(len, hypotheses))",
            ),
            (
                "only what is there counts",
                "sum(map(len, references))",
                "sum(min(len(h), len(r)) for h, r in zip(hypotheses, references))",
            ),
        )
    ),
    mistake("mean of the sentences", mean_of_the_sentences).because(
        "You average the scores of single sentences; add up the counts over the corpus first.", POOLED
    ),
    mistake("orders without a match left out", {EMPTY: "if matches == 0:\n            continue"}).because(
        "You leave out an order without a match, so three words of a long sentence make a good score; return 0.", LEAST
    ),
    mistake(
        "orders without n-grams left out",
        {
            EMPTY: f"if total == 0:\n            continue\n        {EMPTY}",
            "sum(logarithms) / max_n": "sum(logarithms) / max(len(logarithms), 1)",
        },
    ).because(
        "You leave out an order for which all hypotheses are too short, so three words get a good score; return 0.",
        LEAST,
    ),
    mistake("no more n than there are words", {LOOP: f"max_n = min(max_n, *map(len, hypotheses))\n    {LOOP}"}).because(
        "You stop at the length of the shortest hypothesis; go up to max_n, and return 0 if an order has no match.",
        LEAST,
    ),
    mistake(
        "smoothed by one",
        {"math.log(matches / total)": "math.log((matches + (n > 1)) / (total + (n > 1)))", EMPTY: "pass"},
    ).because("You add 1 to the counts of the longer n-grams; use no smoothing.", LEAST),
    mistake(
        "smoothed by one, single words too",
        {"math.log(matches / total)": "math.log((matches + 1) / (total + 1))", EMPTY: "pass"},
    ).because("You add 1 to all counts, so that nothing is 0. Don't smooth: without a match the score is 0.", LEAST),
    mistake("a small number in the place of 0", {EMPTY: "matches = matches or 0.1"}).because(
        "You replace 0 matches by a small number; return 0, without smoothing.", LEAST
    ),
    mistake(
        "a tiny number in the place of 0",
        {EMPTY: "pass", "math.log(matches / total)": "math.log(max(matches, 1e-9) / max(total, 1))"},
    ).because("You replace 0 matches by a small number; return 0, without smoothing.", LEAST),
    mistake("logarithm of 0", {f"        {EMPTY}\n": ""}).because(
        "If nothing matches you take the logarithm of 0, or divide by 0; return 0.", LEAST
    ),
    mistake("always up to 4", {LOOP: f"max_n = 4\n    {LOOP}"}).because(
        "You always go up to 4; use `max_n`.", "Where do you use `max_n`?"
    ),
    mistake("up to max_n − 1", {"range(1, max_n + 1)": "range(1, max_n)"}).because(
        "Your loop ends at max_n − 1.", "What is the last number of `range(1, max_n)`?"
    ),
    mistake("n-grams of max_n alone", {"range(1, max_n + 1)": "range(max_n, max_n + 1)", "/ max_n)": "/ 1)"}).because(
        "You count only the longest n-grams; count all from 1 to max_n.", MEAN
    ),
    mistake("divided by 4 whatever max_n", {"/ max_n)": "/ 4)"}).because(
        "You always take the fourth root; take the root of order max_n.", "How many precisions are there?"
    ),
    mistake(
        "hypotheses and references exchanged", {LOOP: f"hypotheses, references = references, hypotheses\n    {LOOP}"}
    ).because("You swap hypotheses and references; hypotheses come first.", "Which of the two comes first?"),
    overwrites(
        "references", {RESULT: f"references.sort(key=len)\n    {RESULT}"}, "they no longer pair up with the hypotheses."
    ),
    mistake(
        "a tensor in single precision",
        {RESULT: "return torch.tensor(100 * math.exp(brevity + sum(logarithms) / max_n))"},
        shown_by="score is float32, expected float64",
    ).because("You return a tensor; return a plain float.", "What does `.item()` return?"),
    mistake(
        "root of the brevity too", {"brevity + sum(logarithms) / max_n": "(brevity + sum(logarithms)) / max_n"}
    ).because("You put the brevity penalty under the root; take the root only of the precisions.", LENGTHS),
    mistake("logarithm to base 2", {"math.log(": "math.log2("}).because(
        "You take logarithms to base 2 and the exponential to base e; use the same base.", MEAN
    ),
    mistake(
        "mean of the sentences' shares",
        {
            "matches = total = 0": "matches, total = 0, len(hypotheses)",
            f"matches += {COUNTED}": f"matches += {COUNTED} / max(said.total(), 1)",
            f"            {TOTAL}\n": "",
        },
    ).because("For each n you average the sentences' precisions; add up their counts first.", POOLED),
    mistake(
        "n-grams across the sentences",
        {
            LOOP: "hypotheses, references = ([[t for s in side for t in s]] for side in (hypotheses, references))\n    "
            + LOOP
        },
    ).because(
        "You join the corpus to one long sentence, so n-grams cross from one sentence to the next; keep them separate.",
        POOLED,
    ),
    mistake("single words left out", {"range(1, max_n + 1)": "range(2, max_n + 1)"}).because(
        "You leave out single words; begin with n = 1.", MEAN
    ),
    *(
        mistake(f"rounded: {how}", {RESULT: f"score = {RESULT.removeprefix('return ')}\n    return {how}"}).because(
            "You round the score; return it unrounded.", "What does your last line do to the score?"
        )
        for how in ("round(score, 1)", "float(round(score))", "int(score)")
    ),
    mistake(
        "everything in lower case", {GRAMS: GRAMS.replace("(tokens[start:]", "([t.lower() for t in tokens[start:]]")}
    ).because(
        "You convert to lower case; compare the tokens unchanged.",
        "Are “The” and “the” the same token?",
    ),
    *(
        mistake(f"up to {n} where max_n is not given", {"max_n: int = 4": f"max_n: int = {n}"}).because(
            f"Your max_n is {n} if the caller gives none; make it 4.", "What is the default of `max_n`?"
        )
        for n in (2, 3)
    ),
    mistake(
        "penalty of the first sentence",
        {BREVITY: "min(0.0, 1 - len(references[0]) / max(len(hypotheses[0]), 1))"},
    ).because("Your penalty looks only at the first sentence; add up the lengths over the corpus.", POOLED),
    mistake(
        "smoothed by one where there is a match", {"math.log(matches / total)": "math.log((matches + 1) / (total + 1))"}
    ).because("You add 1 to the counts; use no smoothing.", LEAST),
    mistake("words alone", {"range(1, max_n + 1)": "range(1, 2)", "/ max_n)": "/ 1)"}).because(
        "You count only single words; count n-grams up to max_n.", MEAN
    ),
)
