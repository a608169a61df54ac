"""apply_bpe(word, merges) → the symbols of a word."""

import course_lib.text.byte_pairs as reference
from autograder.catalogue.checks import where
from autograder.catalogue.edits import right
from autograder.catalogue.exercise import Case, Criterion, Exercise, common_criterion
from autograder.catalogue.results import Finding, read_text
from autograder.catalogue.words.apply_bpe_mistakes import CUT, JOINED, LOOP, MISTAKES
from autograder.catalogue.words.shared import LETTERS, same, shuffled, sketch, spelled

PIECES, ORDER, RUN = "the symbols of a word", "each merge once, in its order", "from left to right"
ENDS, UNKNOWN = "</w> on the last character", "what no merge knows stays single"
FORM = "a list, empty for an empty word"
LONGEST, FEW = 80, 4  # characters of a result, and merges, that are shown


MIXED = "letters inside and at the end"
TEXT, MIXTURE = sketch(14, 41), sketch(3, 41, ends=0)


def text(g, sketched):
    """The words of a text and its merges; where last letters stand nowhere else, without those at the end."""
    counts = spelled(g, sketched)
    merges = reference.learn_bpe(counts, 23)
    if sketched is TEXT:
        inner, last = merges[0][0], {word[-1] for word in counts}
        merges = [pair for pair in merges if "</w>" not in "".join(pair)] + [(end, inner) for end in sorted(last)]
    return {"words": [*counts][::2], "merges": [[*pair] for pair in merges]}


def in_a_run(g):
    x, y, z, *_ = shuffled(g)
    return {"words": [x * 3 + y, z + x * 5 + y, x * 7 + z], "merges": [[x, x], [x * 2, x * 2], [y, z]]}


def not_as_learned(g):
    """The longer merge comes before the one that creates its part, so one pass never uses it."""
    a, b, c, d, *_ = shuffled(g)
    return {"words": [a + b + c + d, d + a + b + c + a], "merges": [[a + b, c], [a, b], [d, d]]}


def cut_differently(g):
    """Once the first merge is made, the symbols of the second are nowhere, but its letters are; and dots are merged."""
    a, b, c, *_ = shuffled(g)
    words = [a + b + c + a, c + a + b + c + a, a + "." + b, c + ".." + b]
    return {"words": words, "merges": [[a, b], [a, b + c], [a, "."], [".", "."]]}


def nothing_merged(g):
    """Words that another case has, but no merges, and a word of one letter."""
    return {"words": [*text(g, TEXT)["words"][:3], shuffled(g)[0]], "merges": []}


def strangers(g):
    """Letters that are in no merge; one of them is the capital of one that is."""
    a, b, *others = shuffled(g, LETTERS.replace("ß", ""))
    words = ["".join(others[:3]) + b, others[3] + a + b + others[4], "日本" + b, a.upper() + b + others[5]]
    return {"words": words, "merges": [[a, b]]}


def as_lists(symbols):
    """Lists, even if the answer returned one string with spaces: that costs its own criterion."""
    return [cut.split(" ") if isinstance(cut, str) else cut for cut in symbols]


def without_mark(symbols):
    stripped = ([symbol.replace("</w>", "") for symbol in cut] for cut in as_lists(symbols))
    return [[symbol for symbol in cut if symbol] for cut in stripped]


def by_a_new_list(word, merges):
    """A new list for each merge; the mark is added first."""
    symbols = list(word)
    if symbols:
        symbols[-1] += "</w>"
    for one, other in merges:
        actual, place = [], 0
        while place < len(symbols):
            if symbols[place] == one and place + 1 < len(symbols) and symbols[place + 1] == other:
                actual.append(one + other)
                place += 2
            else:
                actual += symbols[place : place + 1]
                place += 1
        symbols = actual
    return symbols


def cut_right(case, read):
    """The symbols of every word of a case, `read` in this way, are right; if not, the finding shows a word."""

    def check(results):
        finding = same(case, "symbols", read)(results)
        if finding is None:
            return None
        actual, expected = (
            read_text(one) for one in (results.output(case, "symbols"), results.expected_output(case, "symbols"))
        )
        for word, mine, other in zip(results.given(case, "words"), actual, expected, strict=False):
            if read([mine]) != read([other]):
                return Finding(f"“{word}” gives {shortened(mine)}, expected {other}{with_merges(results, case)}", case)
        return finding

    return check


def shortened(value):
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def with_merges(results, case):
    """The merges of a case, where they are few."""
    merges = [tuple(pair) for pair in results.given(case, "merges")]
    return "" if len(merges) > FEW else f", with the merges {merges}" if merges else ", without merges"


SINGLE = cut_right("letters never seen", without_mark)
MARKED = cut_right("no merges", as_lists)

APPLY_BPE = Exercise(
    id="apply_bpe",
    title="Applying byte pairs",
    reference=reference.apply_bpe,
    cases=(
        Case("words", lambda g: text(g, TEXT)),
        Case("not in the order of learning", not_as_learned),
        Case("runs", in_a_run),
        Case("the same letters, cut differently", cut_differently),
        Case(MIXED, lambda g: text(g, MIXTURE)),
        Case("letters never seen", strangers),
        Case("no merges", nothing_merged, same_as="words"),
        Case("an empty word", lambda g: {"words": [""], "merges": [[*shuffled(g)[:2]]]}),
    ),
    criteria=(
        Criterion(
            PIECES,
            0.75,
            *(cut_right(case, without_mark) for case in ("words", "the same letters, cut differently")),
            where(SINGLE, cut_right("no merges", without_mark)),
        ),
        Criterion(ORDER, 0.5, cut_right("not in the order of learning", without_mark)),
        Criterion(RUN, 0.5, cut_right("runs", without_mark)),
        Criterion(ENDS, 0.5, cut_right(MIXED, as_lists), where(cut_right("no merges", without_mark), MARKED)),
        Criterion(UNKNOWN, 0.25, SINGLE),
        Criterion(FORM, 0.25, same("words", "form"), where(MARKED, same("an empty word", "symbols"))),
        common_criterion(0.25),
    ),
    mistakes=MISTAKES,
    right_variants=(
        by_a_new_list,
        right(
            "pair by pair from a tuple, and the mark by slicing",
            {
                CUT: "symbols = [*(word + '</w>')]\n    symbols[-5:] = [''.join(symbols[-5:])] if word else []",
                "in merges:": "in map(tuple, merges):",
                JOINED: "symbols[k] += symbols.pop(k + 1)",
            },
        ),
        right("no walk along one symbol", {LOOP: "        while len(symbols) > 1 and k + 1 < len(symbols):\n"}),
    ),
)
