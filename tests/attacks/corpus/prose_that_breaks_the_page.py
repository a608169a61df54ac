"""Write prose that the page's own converter cannot read: nests without end, pictures that are not there."""

KIND = "the instructor's browser"
DESERVES = 20
ANSWERS = {
    "why_the_root": "![x](attachment:not-there.png) ![y](attachment\\:nor-this) ![z][later]\n\n"
    + "[later]: attachment:nothing\n\n"
    + "> " * 997
    + "deep\n\n"
    + "[" * 4999
    + "*a **a " * 499
    + "\n\n"
    + "".join(f"{'  ' * level}- deeper\n" for level in range(199))
}
