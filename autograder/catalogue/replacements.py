"""What a mistake may put in the place of an operator, a function, a number, or axes; and what it may add.

`make mutants` changes references by the first two tables, too (`tests/mutation`).
"""

import ast

OTHER = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
TWINS = (
    ("min", "max"),
    ("amin", "amax"),
    ("argmin", "argmax"),
    ("sum", "mean"),
    ("all", "any"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("rand", "randn"),
    ("sin", "cos"),
    ("sqrt", "rsqrt"),
    ("sigmoid", "tanh"),
    ("softmax", "log_softmax"),
    ("tril", "triu"),
    ("cat", "stack"),
)
TAKEN_FOR = dict(TWINS) | {other: one for one, other in TWINS}

OTHER_FUNCTIONS = TAKEN_FOR | {"floor": "ceil", "ceil": "floor", "relu": "gelu", "gelu": "relu", "silu": "gelu"}
OTHER_FUNCTIONS |= {"log": "log2", "exp": "exp2", "std": "var", "eval": "train", "train": "eval"}
SIGNS = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"},
    **{ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"},
    **{ast.And: "and", ast.Or: "or"},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="},
    **{ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"},
}
ALSO = {ast.Lt: (">",), ast.LtE: (">=",), ast.Gt: ("<",), ast.GtE: ("<=",), ast.Eq: (">=", "<="), ast.NotEq: (">", "<")}
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


def other_signs(operator: ast.AST) -> list[str]:
    """The operators that may replace this one; none for one that has no counterpart."""
    kind = type(operator)
    return [SIGNS[OTHER[kind]], *ALSO.get(kind, ())] if kind in OTHER else []
