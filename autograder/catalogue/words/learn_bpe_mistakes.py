"""What goes wrong in `learn_bpe`: parts of the plain way rewritten."""

from itertools import pairwise

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question
from autograder.catalogue.words.learn_bpe_ways import (
    as_pattern,
    as_text,
    counted_once,
    counting_anew,
    counts_kept,
    first_of_the_highest,
    first_place_only,
    from_the_right,
    marked,
    not_at_the_end,
    not_overlapping,
    old_neighbours_left,
    second_symbol_left,
    skipping,
    taken_out,
    with_counts,
    without_the_mark,
    words_in_one_row,
    words_used_up,
)


def row(name, way, says=""):
    """A row whose way are parts of the plain one, or a function."""
    return mistake(name, way if callable(way) else counting_anew(**way)).because(says)


NO_PAIR = "You continue when every word is one symbol and no pair is left; stop there."

MISTAKES = (
    *with_question(
        "What comes first: how frequent a pair is, or its alphabetical order?",
        row(
            "the rarest pair first",
            {"best": lambda n: min(n, key=lambda p: (n[p], p))},
            "You merge the rarest pair; merge the most frequent.",
        ),
        row("the last of equals", {"best": lambda n: max(n, key=lambda p: (n[p], p))}).because(
            "Of equally frequent pairs you take the alphabetically last; take the first."
        ),
        row("equals as they come", {"best": lambda n: max(n, key=n.get)}).because(
            "Of equally frequent pairs you take the one you met first; take the alphabetically first."
        ),
        row("equals compared as joined text", {"best": lambda n: min(n, key=lambda p: (-n[p], "".join(p)))}).because(
            "You compare equally frequent pairs as joined strings; compare them symbol by symbol, as tuples."
        ),
        row("equals by their second symbol", {"best": lambda n: min(n, key=lambda p: (-n[p], p[::-1]))}).because(
            "You compare the second symbols of equally frequent pairs first; compare their first symbols first."
        ),
        *(
            row(
                f"equals by their {which} symbol alone", {"best": lambda n, k=k: min(n, key=lambda p: (-n[p], p[k]))}
            ).because(
                f"You compare only the {which} symbols of equally frequent pairs; if those are equal too, compare the "
                "other ones."
            )
            for k, which in enumerate(("first", "second"))
        ),
        row("the longest of equals", {"best": lambda n: min(n, key=lambda p: (-n[p], -len("".join(p)), p))}).because(
            "Of equally frequent pairs you take the longest; take the alphabetically first, regardless of its length."
        ),
        row("the shortest of equals", {"best": lambda n: min(n, key=lambda p: (-n[p], len("".join(p)), p))}).because(
            "Of equally frequent pairs you take the shortest; take the alphabetically first, regardless of its length."
        ),
    ),
    *with_question(
        "How often does a word that occurs 7 times count, and how often the pair (a, a) of `aaa`?",
        row("every word counted once", {"weigh": bool}, "You count each word once; count it as often as it occurs."),
        row("overlapping pairs counted once", {"pairs": not_overlapping}).because(
            "You skip a pair that overlaps the previous one; count it, because `aaa` has two of (a, a)."
        ),
        row(
            "a pair counted once a word",
            {"pairs": lambda s: {*pairwise(s)}},
            "You count a pair once per word; count every occurrence.",
        ),
        row("pairs across words", words_in_one_row).because(
            "You count the end of one word and the start of the next as neighbours; count only inside words."
        ),
        *(
            row(name, way).because(
                "You keep the counts of earlier rounds and add to them; start every round with a new counter."
            )
            for name, way in (
                ("counts of earlier rounds kept", counts_kept()),
                ("counts of earlier rounds kept, but for the merged pair's", counts_kept(taken_out)),
            )
        ),
        row("counts of taken pairs kept", old_neighbours_left).because(
            "When you merge a pair you add its new pairs to the counts, but leave the old pairs of its neighbours in "
            "them; subtract those, or count everything again."
        ),
        row("counted once and for all", counted_once).because(
            "You count only once; count again after each merge, which makes new pairs."
        ),
    ),
    *with_question(
        "What does merging (a, a) turn `a a a` into, and what does merging (a, b) turn `xa b` into?",
        row(
            "merged from the right",
            {"merge": from_the_right},
            "You merge from right to left; merge from left to right.",
        ),
        row(
            "merged at one place a word",
            {"merge": first_place_only},
            "You merge only the first place in each word; merge every one.",
        ),
        row("the last pair of a word not merged", {"merge": not_at_the_end}).because(
            "You never merge the last pair of a word; your loop must reach it."
        ),
        row("the second symbol left", {"merge": second_symbol_left}).because(
            "You join a pair but leave its second symbol in the list; the joined symbol takes the place of both."
        ),
        row("the mark lost in a merge", {"merge": without_the_mark}).because(
            "Your joined symbols lose their `</w>`; keep it at the end."
        ),
        row("the symbol after a merge skipped", {"merge": skipping}).because(
            "You move on two positions after a merge and skip a symbol; move on one, because the list is "
            "already shorter."
        ),
        row(
            "merged as text",
            {"merge": as_text},
            "Your `replace` also matches the end of one symbol and the start of the next; compare whole symbols.",
        ),
    ),
    row(
        "merged by a pattern",
        {"merge": as_pattern},
        "You use the pair as a regular expression, in which a dot stands for any character; escape it with re.escape, "
        "or compare symbols.",
    ),
    row("only words of letters", {"cut": lambda word: marked(word) if word.isalpha() else [word]}).because(
        "You leave out words with punctuation; learn from every word."
    ),
    *with_question(
        "What distinguishes the `st` at the end of `lowest` from the one in `stop`?",
        row("no mark at the end", {"cut": list}, "Your words have no `</w>`; add it to the last character."),
        row("the mark as a symbol of its own", {"cut": lambda word: [*word, "</w>"]}).because(
            "Your `</w>` is a separate symbol; add it to the last character."
        ),
        row("the mark as four symbols", {"cut": lambda word: [*word, *"</w>"]}).because(
            "Each character of your `</w>` is a symbol; add all four to the last character of the word."
        ),
        row("the mark before the word", {"cut": lambda word: ["</w>" + word[0], *word[1:]]}).because(
            "Your words begin with `</w>`; add it to the end of the last character."
        ),
        row("everything in lower case", {"cut": lambda word: marked(word.lower())}).because(
            "You convert to lower case; leave the characters unchanged."
        ),
        row("the mark at the beginning", {"cut": lambda word: [word[0] + "</w>", *word[1:]]}).because(
            "Your first character has the mark; add it to the last."
        ),
    ),
    *with_question(
        "When is nothing left to merge?",
        row("stopped at a count of 1", {"least": 2}, "You stop when the best pair occurs once; merge it too."),
        row(
            "no end when no pair is left",
            {"least": 0},
            NO_PAIR,
        ),
        row("the maximum of no counts", {"least": 0, "best": first_of_the_highest}).because(NO_PAIR),
        row("the first of no pairs", {"least": 0, "best": lambda n: sorted(n, key=lambda p: (-n[p], p))[0]}).because(
            NO_PAIR
        ),
        row("one merge too many", {"more": 1}, "You learn one merge too many; learn num_merges."),
        row("one merge too few", {"more": -1}, "You learn one merge too few; learn num_merges."),
    ),
    *with_question(
        "What does the docstring say the function returns?",
        row("a list of lists", {"result": lambda m: [[*pair] for pair in m]}, "Your pairs are lists; return tuples."),
        row("nothing returned", {"result": lambda m: []}).because(
            "You return an empty list; return the merges that you learn."
        ),
        row("joined symbols", {"result": lambda m: ["".join(pair) for pair in m]}).because(
            "You return the merged symbols; return the pairs."
        ),
        row("pairs with their counts", with_counts, "You return each pair with its count; return only the pairs."),
        row("a dict of pairs", {"result": lambda m: {pair: k for k, pair in enumerate(m)}}).because(
            "You return a dict; return a list of pairs."
        ),
        row("a tuple of pairs", {"result": tuple}, "You return a tuple; return a list of merges."),
    ),
    overwrites("word_counts", words_used_up, "they are gone.", "the counts used up"),
    row("the mark on every character", {"cut": lambda word: [letter + "</w>" for letter in word]}).because(
        "You mark every character; mark only the last one of a word.", "What does the mark tell you about a symbol?"
    ),
    row("the last merge first", {"result": lambda m: m[::-1]}).because(
        "Your merges are in reverse order; put the first one first.", "In which order will apply_bpe apply them?"
    ),
)
