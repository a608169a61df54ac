"""What goes wrong when a width that the heads do not divide must be refused."""

from autograder.catalogue.edits import KnownMistake, mistake


def refusals(width: str, features: int, heads: int) -> tuple[KnownMistake, ...]:
    """The reference checks the variable `width`; a case gives it so many `features` for so many `heads`."""
    check, kind = f"if {width} % num_heads != 0:", "raise ValueError("
    expected = "Callers expect a ValueError for a wrong argument"
    return (
        mistake("not checked", {check: "if False:"}).because(
            f"You accept {features} features for {heads} heads, which cannot be split evenly; raise a ValueError.",
            "What would each head get?",
        ),
        mistake("valid numbers refused", {check: f"if num_heads % {width} != 0:"}).because(
            f"You refuse numbers that num_heads divides. Test only the remainder, `{width} % num_heads`: not the "
            f"quotient (`//`), not `num_heads % {width}`, and no other size.",
            "What are 12 % 3, 12 // 3 and 3 % 12?",
        ),
        mistake("an assert instead of a ValueError", {kind: "raise AssertionError("}).because(
            f"{expected}, and asserts vanish under `python -O`.", "How do you raise an exception of a chosen kind?"
        ),
        mistake("another kind of error", {kind: "raise TypeError("}).because(
            f"{expected}; you raise another kind.", "Which kind of error does the docstring name?"
        ),
        mistake(
            "an error without the numbers",
            {f" ({{{width}}})": "", " ({num_heads})": ""},
            shown_by=f"the message of ValueError does not mention {features}, {heads}",
        ).because(
            "Your ValueError does not give the numbers of features and heads; name both.",
            "What would you want to read if it happened to you?",
        ),
        *(
            mistake(
                f"an error without the {what}",
                {text: ""},
                shown_by=f"the message of ValueError does not mention {number}",
            ).because(
                f"Your ValueError does not give the {what}; name both numbers.",
                "What would you want to read if it happened to you?",
            )
            for what, text, number in (
                ("number of features", f" ({{{width}}})", features),
                ("number of heads", " ({num_heads})", heads),
            )
        ),
    )
