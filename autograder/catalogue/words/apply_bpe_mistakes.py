"""What goes wrong in `apply_bpe`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

CUT = 'symbols = [*word[:-1], *(last + "</w>" for last in word[-1:])]'
LOOP = "        while k < len(symbols) - 1:\n"
FITS, JOINED = "(symbols[k], symbols[k + 1]) == pair", 'symbols[k : k + 2] = ["".join(pair)]'
FOR, RETURN = "    for pair in merges:\n", "return symbols"
STOPPED = "        k = 0\n        if pair not in zip(symbols, symbols[1:]):\n            break\n"
LONGEST_FIRST = (
    '    known, rest, symbols = {"".join(pair) for pair in merges}, symbols, []\n'
    "    while rest:\n"
    '        size = next((n for n in range(len(rest), 1, -1) if "".join(rest[:n]) in known), 1)\n'
    '        symbols.append("".join(rest[:size]))\n'
    "        rest = rest[size:]\n"
)
PATTERN = 'rf"(?<!\\S){pair[0]} {pair[1]}(?!\\S)"'
EACH = "Which merge comes first, how often is each tried, and may an earlier one come again?"
WALK = "What does (a, a) turn `a a a` into, and what happens to the second `a b` of a word?"
END = "What distinguishes the `st` at the end of `lowest` from the one in `stop`?"
RESULT = "What does the docstring say the function returns?"


MISTAKES = (
    *with_question(
        EACH,
        mistake("until nothing fits", {FOR: "    for pair in merges * len(word):\n"}).because(
            "You go through the merges again and again; go through them once."
        ),
        mistake("in alphabetical order", {FOR: "    for pair in sorted(merges):\n"}).because(
            "You sort the merges alphabetically; apply them in the order in which they were learned."
        ),
        mistake("stopped at a merge that does not fit", {"        k = 0\n": STOPPED}).because(
            "You stop at the first merge that does not fit; go on with the next one."
        ),
        mistake(
            "the longest symbol from the left",
            {
                FOR: LONGEST_FIRST + FOR,
                LOOP: "        while False:\n",
            },
        ).because(
            "You take the longest known symbol from the left each time; apply the merges in the order in which they "
            "were learned."
        ),
        mistake("the last merge first", {FOR: "    for pair in merges[::-1]:\n"}).because(
            "You start with the merge learned last; start with the first."
        ),
        mistake(
            "longest first", {FOR: '    for pair in sorted(merges, key=lambda pair: -len("".join(pair))):\n'}
        ).because("You try long merges first; apply them in the order in which they were learned."),
        mistake(
            "in whatever order",
            {
                FOR: "    for _ in word:\n",
                FITS: "(symbols[k], symbols[k + 1]) in merges",
                JOINED: "symbols[k : k + 2] = [symbols[k] + symbols[k + 1]]",
            },
        ).because("You merge any pair from the list when you meet it; apply the merges in their order."),
        mistake("the first merge alone", {RETURN: f"    {RETURN}"}).because(
            "You return inside the loop, after the first merge; return after the loop."
        ),
        mistake("no merges", {FOR: "    for pair in ():\n"}).because("You return the characters; apply the merges."),
    ),
    *with_question(
        WALK,
        mistake(
            "from right to left", {"k = 0": "k = len(symbols) - 2", LOOP: "        while k >= 0:\n", "k += 1": "k -= 1"}
        ).because("You merge from right to left; merge from left to right."),
        mistake("fits by the joined text", {FITS: 'symbols[k] + symbols[k + 1] == "".join(pair)'}).because(
            "You merge any neighbours that are spelled like the pair when joined; both symbols must be the pair's own."
        ),
        mistake("the first pair left out", {"k = 0": "k = 1"}).because(
            "You start at the second symbol, so the first two are never merged; start at the first."
        ),
        mistake(
            "merged by a pattern",
            {
                FOR: '    import re\n\n    symbols = " ".join(symbols)\n'
                + FOR
                + f'        symbols = re.sub({PATTERN}, "".join(pair), symbols)\n        continue\n',
                RETURN: "return symbols.split()",
            },
        ).because(
            "You use the pair as a regular expression, in which a dot stands for any character; escape it with "
            "re.escape, or compare symbols."
        ),
        mistake("only the first place", {JOINED: f"{JOINED}\n                break"}).because(
            "You merge only the first place that fits; merge every one."
        ),
        mistake("the symbol after a merge skipped", {JOINED: f"{JOINED}\n                k += 1"}).because(
            "You move on two positions after a merge and skip a symbol; move on one, because the list is "
            "already shorter."
        ),
        mistake("the second of a pair kept", {JOINED: 'symbols[k] = "".join(pair)'}).because(
            "You write the merged pair in the place of its first symbol and keep the second; replace both by one."
        ),
        mistake("one place too few", {"len(symbols) - 1": "len(symbols) - 2"}).because(
            "Your loop ends before the last pair; include it."
        ),
        mistake(
            "merged as text",
            {
                FOR: '    symbols = " ".join(symbols)\n'
                + FOR
                + '        symbols = symbols.replace(" ".join(pair), "".join(pair))\n        continue\n',
                RETURN: "return symbols.split()",
            },
        ).because(
            "Your `replace` also matches the end of one symbol and the start of the next; compare whole symbols."
        ),
    ),
    *with_question(
        END,
        mistake("no mark at the end", {CUT: "symbols = [*word]"}).because(
            "Your words have no `</w>`; add it to the last character."
        ),
        *(
            mistake(name, {CUT: f"symbols = {cut}"}).because(
                "Your `</w>` is a separate symbol; add it to the last character."
            )
            for name, cut in (
                ("the mark as a symbol of its own", '[*word, "</w>"]'),
                ("the mark as a symbol of its own, of a word", '[*word, *(["</w>"] * bool(word))]'),
            )
        ),
        mistake(
            "the mark put on afterwards",
            {CUT: "symbols = [*word]", RETURN: 'return [*symbols[:-1], *(last + "</w>" for last in symbols[-1:])]'},
        ).because("You add `</w>` after the merges, so merges of word ends never see it; add it before them."),
    ),
    *with_question(
        END,
        mistake(
            "the mark wherever the last letter is", {CUT: 'symbols = [c + "</w>" * (c == word[-1]) for c in word]'}
        ).because(
            "You add `</w>` to every letter that is the same as the last one; add it only to the last character."
        ),
        mistake("the mark on every character", {CUT: 'symbols = [c + "</w>" for c in word]'}).because(
            "You mark every character; mark only the last one of a word."
        ),
        mistake("the mark at the beginning", {CUT: 'symbols = [*(c + "</w>" for c in word[:1]), *word[1:]]'}).because(
            "Your first character has the mark; add it to the last."
        ),
    ),
    mistake("everything in lower case", {CUT: CUT.replace("word", "word.lower()")}).because(
        "You convert to lower case; leave the characters unchanged.", "Are `T` and `t` one character?"
    ),
    mistake("unknown characters dropped", {RETURN: "return [s for s in symbols if s[0] in str(merges)]"}).because(
        "You leave out characters that are in no merge; keep them, so that the symbols join to the whole word.",
        "What if a letter is new?",
    ),
    *with_question(
        RESULT,
        *(
            mistake(name, {RETURN: f"return {returned}"}).because("You return one string; return a list of symbols.")
            for name, returned in (
                ("joined by spaces", '" ".join(symbols)'),
                ("joined by spaces where there are any", '" ".join(symbols) or []'),
            )
        ),
        mistake("a tuple", {RETURN: "return tuple(symbols)"}).because("You return a tuple; return a list of symbols."),
        mistake("an error for an empty word", {CUT: 'symbols = [*word]\n    symbols[-1] += "</w>"'}).because(
            "An empty word has no last character, so your code stops with an IndexError; return an empty list."
        ),
        mistake("the mark alone for an empty word", {CUT: 'symbols = [*word[:-1], word[-1:] + "</w>"]'}).because(
            "For an empty word you return the mark; return an empty list."
        ),
    ),
    overwrites(
        "merges", {RETURN: "merges.clear()\n    return symbols"}, "none are left for the next word.", "merges used up"
    ),
    *(
        mistake(name, {CUT: f"symbols = {cut}"}).because(
            "Each character of your `</w>` is a symbol; add all four to the last character of the word.", END
        )
        for name, cut in (
            ("the mark as four symbols", '[*word, *"</w>"]'),
            ("the mark as four symbols, of a word", '[*word, *"</w>" * bool(word)]'),
        )
    ),
    mistake(
        "unknown symbols replaced",
        {RETURN: 'return [s if s[0] in str(merges) else "<unk>" for s in symbols]'},
    ).because(
        "You replace symbols that are in no merge by `<unk>`; keep them, so that the symbols join to the whole word.",
        "What if a letter is new?",
    ),
    mistake(
        "remembered by the word",
        {
            "merges: list[tuple[str, str]])": "merges: list[tuple[str, str]], seen={})",
            RETURN: "return seen.setdefault(word, symbols)",
        },
    ).because(
        "You remember the symbols of each word, but with other merges it is cut differently; cut it again.",
        "What does your function return for the same word with the first half of the merges?",
    ),
    mistake("either order", {FITS: "{symbols[k], symbols[k + 1]} == {*pair}"}).because(
        "You also merge the reversed pair; merge only the pair itself.", "Are `t h` and `h t` one pair?"
    ),
)
