"""What goes wrong in `bleu`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake

GRAMS = "zip(*(tokens[start:] for start in range(n)), strict=False)"
COUNTED, TOTAL = "(said & grams(reference, n)).total()", "total += said.total()"
BREVITY = "min(0.0, 1 - sum(map(len, references)) / sum(map(len, hypotheses)))"
RESULT = "return 100 * math.exp(brevity + sum(logarithms) / max_n)"
EMPTY = "if matches == 0:\n            return 0.0"
LOOP = "for n in range(1, max_n + 1):"
TWICE = "How often may “the” count when the reference has it twice, and you say it seven times?"
MEAN = "Which mean is it, and of what?"
LENGTHS = "What is the penalty when hypotheses and references have equally many words, and when there are more?"
POOLED = "Which numbers do you add up over the sentences, and when do you divide?"
LEAST = "What is a geometric mean when one of the numbers is 0?"


def mean_of_the_sentences(hypotheses, references, max_n=4):
    """The reference on each sentence, and the mean."""
    from course_lib.text.bleu import bleu as of_corpus

    scores = [of_corpus([said], [expected], max_n) for said, expected in zip(hypotheses, references, strict=True)]
    return sum(scores) / len(scores)


MISTAKES = (
    mistake("never clipped", {COUNTED: "sum(k for gram, k in said.items() if gram in grams(reference, n))"}).because(
        "An n-gram that the reference has once counts each time that it is said: “the the the” would be perfect.", TWICE
    ),
    mistake("n-grams as a set", {"said = grams(hypothesis, n)": "said = Counter(set(grams(hypothesis, n)))"}).because(
        "You count each n-gram of a sentence once, however often it is said.", TWICE
    ),
    mistake(
        "clipped by the whole corpus",
        {
            LOOP: f"every = lambda texts, n: sum((grams(t, n) for t in texts), Counter())\n    {LOOP}",
            f"            matches += {COUNTED}\n": "",
            f"        {EMPTY}": "        matches = (every(hypotheses, n) & every(references, n)).total()\n"
            f"        {EMPTY}",
        },
        "You throw all sentences together before you compare: a word too many here makes up for one missing there.",
        "In which reference may an n-gram of the third sentence be found?",
    ),
    mistake("any order of the words", {GRAMS: f"(tuple(sorted(gram)) for gram in {GRAMS})"}).because(
        "Your n-grams forget the order of their words: “dog bites man” has the bigrams of “man bites dog” half right.",
        "Are (a, b) and (b, a) the same bigram?",
    ),
    mistake("glued without a space", {GRAMS: f"(''.join(gram) for gram in {GRAMS})"}).because(
        "You write n-grams as one string without a space: “ba b” and “b ab” become the same.",
        "Which two bigrams give the same string?",
    ),
    mistake(
        "mean of the shares",
        {
            "math.log(matches / total)": "matches / total",
            RESULT: "return 100 * math.exp(brevity) * sum(logarithms) / max_n",
        },
    ).because("This is the arithmetic mean of the shares; BLEU takes the geometric one.", MEAN),
    mistake("product without the root", {"sum(logarithms) / max_n": "sum(logarithms)"}).because(
        "You multiply the shares and take no root: with four orders a half becomes a sixteenth.", MEAN
    ),
    mistake(
        "harmonic mean",
        {
            "math.log(matches / total)": "total / matches",
            RESULT: "return 100 * math.exp(brevity) * max_n / sum(logarithms)",
        },
    ),
    mistake("from 0 to 1", {"return 100 * ": "return "}).because(
        "Your score goes from 0 to 1; by custom it goes from 0 to 100.", "What does a perfect translation get?"
    ),
    mistake("recall in the place of precision", {TOTAL: "total += grams(reference, n).total()"}).because(
        "You divide by the n-grams of the reference: that is recall. BLEU is about the share of what was said.",
        "By whose n-grams is the number of matches divided?",
    ),
    mistake("no brevity penalty", {BREVITY: "0.0"}).because(
        "Nothing punishes a text that is too short: to say only what is sure would be best.", LENGTHS
    ),
    mistake("rewarded for length", {BREVITY: BREVITY.replace("min(0.0, ", "(")}).because(
        "You reward a text that is longer than the reference. Let the exponent be at most 0.", LENGTHS
    ),
    mistake("punished both ways", {BREVITY: f"-abs({BREVITY.replace('min(0.0, ', '(')})"}).because(
        "You punish what is too long as well; the shares have done that already.", LENGTHS
    ),
    mistake(
        "lengths exchanged in the penalty",
        {BREVITY: "min(0.0, 1 - sum(map(len, hypotheses)) / sum(map(len, references)))"},
    ).because("You have r and h the wrong way round: the long text is punished, and the short one is not.", LENGTHS),
    mistake(
        "ratio of the lengths as the penalty",
        {BREVITY: "min(0.0, math.log(sum(map(len, hypotheses)) / sum(map(len, references))))"},
    ).because("Your penalty is h / r; it is exp(1 − r / h), which is sharper.", LENGTHS),
    mistake(
        "penalty of each sentence",
        {BREVITY: "sum(min(0, 1 - len(r) / max(len(h), 1)) for h, r in zip(hypotheses, references)) / len(references)"},
    ).because("You punish each sentence that is short; the lengths are added up over the corpus first.", POOLED),
    mistake("mean of the sentences", mean_of_the_sentences).because(
        "You average the scores of single sentences; one that has no four words in a row right counts 0.", POOLED
    ),
    mistake("orders without a match left out", {EMPTY: "if matches == 0:\n            continue"}).because(
        "You leave an order without a match out, so that three words of a long sentence make a good score.", LEAST
    ),
    mistake(
        "smoothed by one",
        {"math.log(matches / total)": "math.log((matches + (n > 1)) / (total + (n > 1)))", EMPTY: "pass"},
        "You add 1 to the counts of the longer n-grams, so that nothing is 0: a smoothing that has a name of its own.",
        LEAST,
    ),
    mistake("a small number in the place of 0", {EMPTY: "matches = matches or 0.1"}).because(
        "You put a small number in the place of 0 matches; without smoothing the score is 0.", LEAST
    ),
    mistake("logarithm of 0", {f"        {EMPTY}\n": ""}).because(
        "Where nothing matches you take the logarithm of 0, or divide by 0.", LEAST
    ),
    mistake("always up to 4", {LOOP: f"max_n = 4\n    {LOOP}"}).because(
        "You go up to 4, whatever `max_n` says.", "Where do you use `max_n`?"
    ),
    mistake("up to max_n − 1", {"range(1, max_n + 1)": "range(1, max_n)"}).because(
        "Your loop ends at max_n − 1.", "What is the last number of `range(1, max_n)`?"
    ),
    mistake("n-grams of max_n alone", {"range(1, max_n + 1)": "range(max_n, max_n + 1)", "/ max_n)": "/ 1)"}).because(
        "You count the longest n-grams alone; all from 1 to max_n are asked for.", MEAN
    ),
    mistake("divided by 4 whatever max_n", {"/ max_n)": "/ 4)"}).because(
        "You take the fourth root, whatever `max_n` says.", "How many shares are there?"
    ),
    mistake(
        "hypotheses and references exchanged", {LOOP: f"hypotheses, references = references, hypotheses\n    {LOOP}"}
    ).because("You take the references for what was said.", "Which of the two comes first?"),
    overwrites(
        "references", {RESULT: f"references.sort(key=len)\n    {RESULT}"}, "they no longer pair up with the hypotheses."
    ),
    mistake(
        "a tensor in single precision",
        {RESULT: "return torch.tensor(100 * math.exp(brevity + sum(logarithms) / max_n))"},
        shown_by="score is float32, expected float64",
    ).because("You return a tensor; a plain float is asked for.", "What does `.item()` give?"),
    mistake(
        "root of the brevity too", {"brevity + sum(logarithms) / max_n": "(brevity + sum(logarithms)) / max_n"}
    ).because("The root is of the shares alone; you have put the brevity penalty under it as well.", LENGTHS),
    mistake("logarithm to base 2", {"math.log(": "math.log2("}).because(
        "You take logarithms to base 2 and the exponential to base e.", MEAN
    ),
    mistake(
        "mean of the sentences' shares",
        {
            "matches = total = 0": "matches, total = 0, len(hypotheses)",
            f"matches += {COUNTED}": f"matches += {COUNTED} / max(said.total(), 1)",
            f"            {TOTAL}\n": "",
        },
    ).because(
        "For each n you average the shares of the sentences; a short sentence counts as much as a long one.", POOLED
    ),
    mistake(
        "n-grams across the sentences",
        {
            LOOP: "hypotheses, references = ([[t for s in side for t in s]] for side in (hypotheses, references))\n    "
            + LOOP
        },
    ).because(
        "You write the corpus as one long sentence: n-grams go from the end of one to the beginning of the next.",
        POOLED,
    ),
    mistake("words alone", {"range(1, max_n + 1)": "range(1, 2)", "/ max_n)": "/ 1)"}).because(
        "You count single words alone: their order says nothing.", MEAN
    ),
)
