"""What goes wrong in `apply_bpe`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake, with_question

CUT = 'symbols = [*word[:-1], *(last + "</w>" for last in word[-1:])]'
LOOP = "        while k < len(symbols) - 1:\n"
FITS, JOINED = "(symbols[k], symbols[k + 1]) == pair", 'symbols[k : k + 2] = ["".join(pair)]'
FOR, RETURN = "    for pair in merges:\n", "return symbols"
EACH = "Which merge comes first, how often is each tried, and may an earlier one come again?"
WALK = "What becomes of `a a a` under (a, a), and of the second `a b` of a word?"
END = "What tells the `st` at the end of `lowest` from that of `stop`?"
RESULT = "What does the docstring say that comes back?"


MISTAKES = (
    *with_question(
        EACH,
        mistake("until nothing fits", {FOR: "    for pair in merges * len(word):\n"}).because(
            "You go through the merges again and again; it is one pass."
        ),
        mistake(
            "the last merge first", {FOR: "    for pair in merges[::-1]:\n"}, "You begin with the merge learned last."
        ),
        mistake(
            "longest first", {FOR: '    for pair in sorted(merges, key=lambda pair: -len("".join(pair))):\n'}
        ).because("You try long merges first; what is long is made of what was learned before it."),
        mistake(
            "in whatever order",
            {
                FOR: "    for _ in word:\n",
                FITS: "(symbols[k], symbols[k + 1]) in merges",
                JOINED: "symbols[k : k + 2] = [symbols[k] + symbols[k + 1]]",
            },
        ).because("You merge whatever pair is in the list, wherever you meet it; the list has an order."),
        mistake(
            "the first merge alone", {RETURN: f"    {RETURN}"}, "You return inside the loop, after the first merge."
        ),
        mistake("no merges", {FOR: "    for pair in ():\n"}, "You return the characters: no merge is applied."),
    ),
    *with_question(
        WALK,
        mistake(
            "from right to left", {"k = 0": "k = len(symbols) - 2", LOOP: "        while k >= 0:\n", "k += 1": "k -= 1"}
        ).because("You walk from right to left: an odd run is cut at the other end."),
        mistake("only the first place", {JOINED: f"{JOINED}\n                break"}).because(
            "You stop at the first place that fits."
        ),
        mistake("the symbol after a merge skipped", {JOINED: f"{JOINED}\n                k += 1"}).because(
            "After a merge you go on two places; the list is already one shorter, so you skip a symbol."
        ),
        mistake("one place too few", {"len(symbols) - 1": "len(symbols) - 2"}, "Your walk ends before the last pair."),
        mistake(
            "merged as text",
            {
                FOR: '    symbols = " ".join(symbols)\n'
                + FOR
                + '        symbols = symbols.replace(" ".join(pair), "".join(pair))\n        continue\n',
                RETURN: 'return symbols.split(" ")',
            },
        ).because("Your `replace` also finds the end of one symbol and the beginning of another."),
    ),
    *with_question(
        END,
        mistake("no mark at the end", {CUT: "symbols = [*word]"}, "Your words have no `</w>`."),
        mistake("the mark as a symbol of its own", {CUT: 'symbols = [*word, "</w>"]'}).because(
            "Your `</w>` is a symbol of its own."
        ),
        mistake(
            "the mark put on afterwards",
            {CUT: "symbols = [*word]", RETURN: 'return [*symbols[:-1], symbols[-1] + "</w>"]'},
        ).because("You put `</w>` on when all is merged: merges of word ends have not met it, those of insides have."),
    ),
    mistake(
        "unknown characters dropped", {RETURN: "return [s for s in symbols if s[0] in str(merges) or not merges]"}
    ).because(
        "You leave out what no merge knows; joined, the symbols must be the whole word.", "What if a letter is new?"
    ),
    *with_question(
        RESULT,
        mistake(
            "joined by spaces", {RETURN: 'return " ".join(symbols)'}, "You return one text; the symbols are a list."
        ),
        mistake("a tuple", {RETURN: "return tuple(symbols)"}, "You return a tuple; the symbols are a list."),
    ),
    overwrites("merges", {RETURN: "merges.clear()\n    return symbols"}, "the next word finds none.", "merges used up"),
    mistake("either order", {FITS: "{symbols[k], symbols[k + 1]} == {*pair}"}).because(
        "You also merge the pair turned around.", "Are `t h` and `h t` one pair?"
    ),
)
