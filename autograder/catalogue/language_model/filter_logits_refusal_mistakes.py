"""What goes wrong where `filter_logits` should refuse wrong values."""

from autograder.catalogue.edits import mistake

TEMPERATURE, TOP_K, TOP_P = "if temperature < 0:", "top_k < 1:", "not 0 < top_p <= 1:"
NUMBER = "Which number would you like to read in the error?"

REFUSAL_MISTAKES = (
    *(
        mistake(name, {test: "if False:" if "if" in test else "False:"}).because(says, NUMBER)
        for name, test, says in (
            (
                "negative temperature not refused",
                TEMPERATURE,
                "A negative temperature makes the least likely token the "
                "most likely: raise a ValueError that names it.",
            ),
            ("top_k 0 not refused", TOP_K, "With top_k = 0 no token is left: raise a ValueError that names it."),
            (
                "top_p outside (0, 1] not refused",
                TOP_P,
                "A top_p outside (0, 1] means nothing: raise a ValueError that names it.",
            ),
        )
    ),
    mistake(
        "nothing checked at temperature 0",
        {TOP_K: f"temperature > 0 and {TOP_K}", TOP_P: f"temperature > 0 and {TOP_P}"},
    ).because(
        "At temperature 0 you accept any top_k and top_p; check both first, at any temperature.",
        "What is wrong with top_k = 0, and does that depend on the temperature?",
    ),
    *(
        mistake(f"{name} not checked at temperature 0", {test: f"temperature > 0 and {test}"}).because(
            f"At temperature 0 you accept any {name}; check it first, at any temperature.",
            f"Does it depend on the temperature which {name} makes sense?",
        )
        for name, test in (("top_k", TOP_K), ("top_p", TOP_P))
    ),
    *(
        mistake(
            name,
            {f"if top_k is not None and {TOP_K}": asked, "if top_k is not None and top_k < logits": filtered},
        ).because(
            "You treat a top_k of 0 like None, as if you asked `if top_k`. It leaves no token: raise a ValueError that "
            "names it.",
            "Which of None, 0 and 4 are true in an `if`?",
        )
        for name, asked, filtered in (
            ("top_k 0 keeps all", f"if top_k and {TOP_K}", "if top_k and top_k < logits"),
            ("top_k of 0 and below keeps all", "if False:", "if top_k and 0 < top_k < logits"),
        )
    ),
    mistake("top_p above 1 not refused", {TOP_P: "not 0 < top_p:"}).because(
        "A top_p above 1 means nothing: raise a ValueError that names it.", NUMBER
    ),
    *(
        mistake(
            f"{name} not named in the error",
            {f", but it is {{{name}}}": ""},
            shown_by=f"the message of ValueError does not mention {value}",
        ).because("Your ValueError does not say which value it refused.", NUMBER)
        for name, value in (("temperature", "-0.5"), ("top_k", "0"), ("top_p", "1.5"))
    ),
    mistake("top_p of 0 not refused", {TOP_P: "top_p > 1:"}).because(
        "You accept a top_p of 0 or below, which leaves no token: raise a ValueError that names it.", NUMBER
    ),
    mistake("top_p of 1 refused", {TOP_P: "not 0 < top_p < 1:"}).because(
        "You refuse a top_p of 1. It keeps all tokens: accept it.", "Which numbers does the docstring allow for top_p?"
    ),
)
