"""What a mistake may put in the place of an operator, a function, a number, or axes; and what it may add."""

import ast

ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "//", "**": "*", "@": "*", "&": "|", "|": "&"}
COMPARISONS = {"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<=")}
COMPARISONS |= {"==": ("!=", ">=", "<="), "!=": ("==", ">", "<")}
OPERATORS = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"},
    **{ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.And: "and", ast.Or: "or"},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="},
}
OTHER_FUNCTIONS = {
    one: other
    for both in (
        ("sum", "mean"), ("max", "min"), ("amax", "amin"), ("argmax", "argmin"), ("triu", "tril"), ("sin", "cos"),
        ("floor", "ceil"), ("relu", "gelu"), ("tanh", "sigmoid"), ("ones", "zeros"), ("any", "all"), ("log", "log2"),
        ("softmax", "log_softmax"), ("ones_like", "zeros_like"), ("eval", "train"), ("logical_and", "logical_or"),
        ("cumsum", "cumprod"), ("append", "insert"), ("startswith", "endswith"), ("repeat_interleave", "repeat"),
    )
    for one, other in (both, both[::-1])
} | {"mean": "sum", "silu": "gelu", "std": "var", "rsqrt": "sqrt", "exp": "exp2"}  # fmt: skip

NEW_AXES = ("None", ":, None", "..., None", ":, :, None", "None, None", ":, None, None", "None, :, None")
METHODS = (
    "detach()",
    "logical_not()",
    "log()",
    "abs()",
    "float()",
    "exp()",
    "softmax(-1)",
    "mT",
    "flip(-1)",
    "square()",
)
METHODS += ("sqrt()", "long()", "relu()", "bool()", "sum(-1)", "mean(-1)", "mean(1)", "flip(0)", "flip(1)", "round()")
BEFORE, AFTER = ("-", "~", "1 - ", "2 * ", "100 * "), (" / 2", " + 1", " - 1")


def near(number: float) -> list[float]:
    """Numbers that may be written in its place by mistake."""
    if isinstance(number, int):
        others = [number - 1, number + 1, -number, 1, 2 * number] if number else [1, -1]
    else:
        others = [0.0, 1.0, number * 2, number / 2, 1 - number, *(number * 10.0**power for power in (-3, -1, 1, 2, 3))]
    return [other for other in dict.fromkeys(others) if other != number]
