"""What goes wrong in `rotate`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

WIDE = "torch.promote_types(x.dtype, torch.float32)"
FREQUENCIES = "base ** (-torch.arange(0, d, 2, device=x.device).to(wide) / d)"
ANGLES = "positions.to(wide).unsqueeze(-1) * frequencies"
PAIRS = "a, b = x[..., 0::2], x[..., 1::2]"
TURNED = "torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)"
REFUSED = "if d % 2:"
MESSAGE = 'f"the width must be even, because features are turned in pairs, but it is {d}"'
HALVES = "x.chunk(2, dim=-1)"

SIGN = "Where does (1, 0) go when it is turned by a quarter: to (0, 1) or to (0, −1)?"
WHICH = "With d = 6, which features are turned together with feature 0: feature 1, or feature 3?"
RATE = "At position 1, by which angle is the last of d/2 = 3 pairs turned when base is 10,000?"
GIVEN = "What are the positions of the tokens in a call that continues a text of 40 tokens?"
BASE = "What may base be, and what does your line do with a tensor [d/2]?"
TOGETHER = "At which two places does the output hold the two numbers of pair i?"

MISTAKES = (
    mistake(
        "halves, as Hugging Face pairs them",
        {PAIRS: f"a, b = {HALVES}", TURNED: "torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)"},
    ).because(
        "You turn feature i together with feature i + d/2, as Hugging Face's Llama does. As a layer that is "
        "consistent, but here the pairs are neighbours, 2i and 2i + 1, as in the paper; weights made for one do not "
        "fit the other.",
        WHICH,
    ),
    mistake("neighbours in, halves out", {TURNED: "torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)"}).because(
        "You take the pairs apart as neighbours and put them back as halves: interleave the results with stack and "
        "flatten instead of cat.",
        TOGETHER,
    ),
    mistake("halves in, neighbours out", {PAIRS: f"a, b = {HALVES}"}).because(
        "You take x apart into halves and put the results back as neighbours; take it apart with x[..., 0::2] and "
        "x[..., 1::2].",
        TOGETHER,
    ),
    mistake(
        "turned backwards", {"a * cos - b * sin, a * sin + b * cos": "a * cos + b * sin, b * cos - a * sin"}
    ).because(
        "You turn the other way. Scores depend on differences all the same, but the formula has a minus in the first "
        "line and a plus in the second.",
        SIGN,
    ),
    mistake("both lines with a minus", {"a * sin + b * cos": "a * sin - b * cos"}).because(
        "Your second line has a minus: this is a reflection, not a rotation, and position 0 changes x.", SIGN
    ),
    mistake("both lines with a plus", {"a * cos - b * sin": "a * cos + b * sin"}).because(
        "Your first line has a plus, so lengths change; use a minus.", SIGN
    ),
    mistake(
        "sine and cosine swapped", {"cos, sin = angles.cos(), angles.sin()": "sin, cos = angles.cos(), angles.sin()"}
    ).because("Sine and cosine are swapped: position 0 should change nothing.", "What are cos 0 and sin 0?"),
    mistake(
        "the second line uses the new a",
        {TURNED: "torch.stack([(a := a * cos - b * sin), a * sin + b * cos], dim=-1).flatten(-2)"},
    ).because(
        "Your second line uses the a that the first line has already turned; both need the old one.",
        "Which value does a have in your second line?",
    ),
    mistake("position by place", {"positions.to(wide)": "torch.arange(x.shape[-2], device=x.device).to(wide)"}).because(
        "You count the tokens from 0 and never read `positions`. In a call that continues a text they start later.",
        GIVEN,
    ),
    mistake(
        "only the first position", {"positions.to(wide)": "(positions[0] + torch.arange(x.shape[-2])).to(wide)"}
    ).because(
        "You read the first position and count on from there; positions may have gaps and be in any order.", GIVEN
    ),
    mistake("positions from one", {"positions.to(wide)": "(positions + 1).to(wide)"}).because(
        "You add 1 to the positions: position 0 should change nothing.",
        "By which angle is the token at position 0 turned?",
    ),
    mistake("angles in the dtype of x", {WIDE: "x.dtype"}).because(
        "You compute the angles in the dtype of x. In bfloat16 256 and 257 are one number, so these two tokens get one "
        "position: compute the angles in float32.",
        "Which whole numbers around 256 does bfloat16 have?",
    ),
    *(
        mistake(name, edits).because(
            f"You compute the {what} in the dtype of x. In bfloat16 a number has three digits: compute the angles in "
            "float32, frequencies included.",
            "Which whole numbers around 256 does bfloat16 have?",
        )
        for name, what, edits in (
            ("frequencies in the dtype of x", "frequencies", {".to(wide) / d)": ".to(x.dtype) / d)"}),
            (
                "positions and angles in the dtype of x",
                "angles",
                {ANGLES: "(positions.to(x.dtype).unsqueeze(-1) * frequencies).to(x.dtype)"},
            ),
        )
    ),
    mistake("nothing turned", {TURNED: "(x * 1)"}).because(
        "You return x as it is; turn each pair by its angle.", "Where do you use the angles?"
    ),
    mistake(
        "only the first pairs turned", {ANGLES: f"{ANGLES} * (torch.arange(d // 2) < max(1, d // 4)).to(wide)"}
    ).because("You turn only the first half of the pairs, as some models do; turn all of them.", RATE),
    mistake(
        "the first call's angles kept",
        {
            "    cos, sin = angles": "    kept = rotate.__dict__.setdefault('kept', {})\n"
            "    angles = kept.setdefault((d, len(positions)), angles)\n    cos, sin = angles"
        },
    ).because(
        "You keep the angles of the first call and use them again for other positions; compute them in each call.",
        GIVEN,
    ),
    mistake("not converted back", {".to(x.dtype)": ""}).because(
        "A bfloat16 x comes back in a wider dtype: convert the result to the dtype of x.",
        "What is the dtype of bfloat16 times float32?",
    ),
    mistake(
        "exponent halved",
        {"torch.arange(0, d, 2, device=x.device).to(wide)": "torch.arange(d // 2, device=x.device).to(wide)"},
    ).because("Your exponent is −i/d; it should be −2i/d, where i counts the pairs.", RATE),
    mistake(
        "exponent doubled",
        {"torch.arange(0, d, 2, device=x.device).to(wide) /": "2 * torch.arange(0, d, 2, device=x.device).to(wide) /"},
    ).because("Your exponent is −4i/d: arange(0, d, 2) already counts 2i.", RATE),
    mistake("positions in the dtype of x", {"positions.to(wide)": "positions.to(x.dtype).to(wide)"}).because(
        "You convert the positions to the dtype of x. In bfloat16 256 and 257 are one number, so these two tokens get "
        "one position: convert them to float32.",
        "Which whole numbers around 256 does bfloat16 have?",
    ),
    mistake("exponent positive", {"(-torch.arange": "(torch.arange"}).because(
        "Your exponent is positive, so later pairs turn faster; they should turn more slowly.", RATE
    ),
    mistake(
        "exponents from the second pair on",
        {"arange(0, d, 2, device=x.device)": "arange(2, d + 2, 2, device=x.device)"},
    ).because(
        "Your first pair is turned by m · base^(−2/d); it should be turned by m itself.",
        "Which i does the first pair have?",
    ),
    mistake("base fixed", {"base ** (": "10000.0 ** ("}).because(
        "Your base is always 10,000; use the argument.", "Where do you use `base`?"
    ),
    mistake("another default for the base", {"base: float = 10000.0": "base: float = 500000.0"}).because(
        "Your default base has another value; make it 10,000.", "What does the signature say about base?"
    ),
    mistake(
        "only a number as base", {FREQUENCIES: FREQUENCIES.replace("base ** (", "torch.exp(math.log(base) * ")}
    ).because(
        "Your code takes only a number as base. A tensor [d/2], which gives each pair its own base, should work too.",
        BASE,
    ),
    *(
        mistake(
            f"{which} of the bases", {"base ** (": f"torch.as_tensor(base, dtype=wide).reshape(-1){of} ** ("}
        ).because(f"You use {which} of the bases for all pairs; each pair has its own.", BASE)
        for which, of in (("the first", "[0]"), ("the last", "[-1]"), ("the mean", ".mean()"))
    ),
    mistake("one angle for all pairs", {ANGLES: "positions.to(wide).unsqueeze(-1).expand(-1, d // 2)"}).because(
        "You turn all pairs by the same angle; pair i turns by m · base^(−2i/d).", RATE
    ),
    mistake("frequencies in the order of halves", {FREQUENCIES: f"{FREQUENCIES}.repeat(2)[0::2]"}).because(
        "Two neighbours get the frequencies of two pairs: you repeat the table as a whole (f₀ f₁ f₂ f₀ f₁ f₂); each "
        "frequency should be repeated on its own (f₀ f₀ f₁ f₁ f₂ f₂).",
        "Which frequency does feature 1 have, and which feature 0?",
    ),
    mistake("added, not turned", {TURNED: "(x + torch.stack([sin, cos], dim=-1).flatten(-2))"}).because(
        "You add sines and cosines, as the encoding of stage 3 does; here features are turned, and lengths are kept.",
        "How long is the token after your function, and how long before?",
    ),
    mistake("only the cosine", {TURNED: "torch.stack([a * cos, b * cos], dim=-1).flatten(-2)"}).because(
        "You multiply by the cosine but leave out the sine, so lengths change; add it.", SIGN
    ),
    mistake(
        "along the heads",
        {ANGLES: f"({ANGLES}).unsqueeze(1).expand(-1, x.shape[-2], -1)[: x.shape[-3]] if x.ndim > 2 else {ANGLES}"},
    ).because(
        "Your angles follow the axis before the tokens: the tokens are axis −2 of x.",
        "Which axis of x [B, h, T, d] is T?",
    ),
    mistake(
        "odd width not refused",
        {REFUSED: "if False:", PAIRS: "a, b = x[..., 0::2], torch.cat([x[..., 1::2], x[..., :d % 2]], dim=-1)"},
    ).because(
        "An odd width leaves a feature without a partner: raise a ValueError that names the width.",
        "With which feature would the last of five be turned?",
    ),
    mistake(
        "the width is not named",
        {MESSAGE: '"the width must be even"'},
        shown_by="the message of ValueError does not mention 5",
    ).because(
        "Your ValueError does not name the width: say which number was wrong.",
        "What would you like to read in the error?",
    ),
    overwrites(
        "x",
        {
            "d = x.shape[-1]": "d, source = x.shape[-1], x\n    x = x.clone()",
            TURNED: f"source.copy_({TURNED}) if not source.requires_grad and source.is_contiguous() else {TURNED}",
        },
        "later scores use different numbers.",
    ),
    in_double_precision("output", {".to(x.dtype)": ".to(x.dtype if x.dtype == torch.bfloat16 else torch.float64)"}),
    mistake("detached from the graph", {PAIRS: "a, b = x.detach()[..., 0::2], x.detach()[..., 1::2]"}).because(
        "The numbers are right, but they are detached from the graph: q_proj and k_proj would never learn.",
        "Which call detaches your tensor from the graph?",
    ),
    mistake(
        "positions and frequencies in the dtype of x",
        {ANGLES: "positions.to(x.dtype).unsqueeze(-1) * frequencies.to(x.dtype)"},
    ).because(
        "You compute the angles in the dtype of x. In bfloat16 256 and 257 are one number, so these two tokens get one "
        "position: compute the angles in float32.",
        "Which whole numbers around 256 does bfloat16 have?",
    ),
    mistake("exponents from 0 to 1", {FREQUENCIES: "base ** -torch.linspace(0, 1, d // 2).to(wide)"}).because(
        "Your last pair turns by 1 / base per position, because your exponents end at 1. They are 2i/d, so the last is "
        "(d − 2)/d.",
        RATE,
    ),
    mistake("whole turns", {ANGLES: f"2 * torch.pi * {ANGLES}"}).because(
        "You multiply the angles by 2π; position · base^(−2i/d) is already in radians.", RATE
    ),
    mistake("degrees", {ANGLES: f"torch.deg2rad({ANGLES})"}).because(
        "You treat the angles as degrees; position · base^(−2i/d) is in radians.", RATE
    ),
    mistake("counted from the smallest position", {ANGLES: f"(positions - positions.min()).{ANGLES[10:]}"}).because(
        "You count from the smallest of the positions; use each position as it is given.", GIVEN
    ),
    mistake("counted from the first position", {ANGLES: f"(positions - positions[0]).{ANGLES[10:]}"}).because(
        "You count from the first of the positions; use each position as it is given.", GIVEN
    ),
    mistake("counted from the last position", {ANGLES: f"(positions - positions[-1]).{ANGLES[10:]}"}).because(
        "You count from the last of the positions; use each position as it is given.", GIVEN
    ),
    *(
        mistake(f"odd width, {what}", {REFUSED: f"if d % 2:\n        return {returned}\n    if False:"}).because(
            f"{says} raise a ValueError that names the width.", "What would you like to read in the error?"
        )
        for what, returned, says in (
            (
                "its last feature as it is",
                "torch.cat([rotate(x[..., :-1], positions, base), x[..., -1:]], dim=-1)",
                "An odd width is not refused: you leave the last feature as it is;",
            ),
            (
                "its last feature cut off",
                "rotate(x[..., :-1], positions, base)",
                "An odd width is not refused: you cut off the last feature;",
            ),
            ("x as it is", "x", "An odd width is not refused: you return x as it is;"),
        )
    ),
    mistake(
        "a table of 1,024 positions",
        {
            "    cos, sin = angles": "    table = torch.arange(1024).to(wide).unsqueeze(-1) * frequencies\n"
            "    angles = table[positions]\n"
            "    cos, sin = angles"
        },
    ).because(
        "You look the angles up in a table of fixed length, and positions may start anywhere; compute the angles from "
        "the positions.",
        GIVEN,
    ),
    mistake("positions sorted", {ANGLES: f"positions.sort().values.{ANGLES[10:]}"}).because(
        "You sort the positions. The token at index t is at positions[t].", GIVEN
    ),
)
