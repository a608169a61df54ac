"""What goes wrong in `BilinearAttention`."""

from autograder.catalogue.common_mistakes import no_super, other_names
from autograder.catalogue.edits import mistake
from autograder.catalogue.origins.scored_mistakes import AVERAGE, CONTEXT, OF_BOTH

FORMULA = "Read score(q, k) = q · W k: how wide is W k, and what is it multiplied with?"
NAMES = "Which name and which size does the docstring give under “Parameters”?"
SCORES = "((query @ self.weight).unsqueeze(1) * keys).sum(dim=-1)"
ASKS = "(query @ self.weight).unsqueeze(1)"
START = "nn.Parameter(torch.randn(query_dim, key_dim) / (query_dim * key_dim) ** 0.5)"

OF_SCORE = (
    mistake(
        "cosine", {SCORES: "nn.functional.cosine_similarity((query @ self.weight).unsqueeze(1), keys, dim=-1)"}
    ).because("You divide by both lengths; use the plain dot product of q W and k.", FORMULA),
    mistake("query normalised", {"(query @ self": "(nn.functional.normalize(query, dim=-1) @ self"}).because(
        "You divide the query by its length; leave it as it is.", FORMULA
    ),
    *(
        mistake(
            f"{name} if the widths are equal",
            {ASKS: f"(({other}) if query.shape[-1] == keys.shape[-1] else query @ self.weight).unsqueeze(1)"},
        ).because(
            f"If queries and keys are equally wide, {what}; multiply by `weight` as it is, whatever its shape.", FORMULA
        )
        for name, other, what in (
            ("weight transposed", "query @ self.weight.T", "you multiply the query by the transposed weight"),
            ("no weight", "query", "you leave the weight out"),
        )
    ),
    mistake("tanh of the score", {SCORES: f"torch.tanh({SCORES})"}).because(
        "You apply a tanh to the score, as in additive attention; leave it out.", FORMULA
    ),
    mistake("tanh of the hidden scores too", {"softmax(scores": "softmax(torch.tanh(scores)"}).because(
        "You apply tanh to the scores, so a hidden key has at least score −1 and still gets "
        "weight. Leave the tanh out.",
        FORMULA,
    ),
    mistake("added", {".unsqueeze(1) * keys": ".unsqueeze(1) + keys"}).because(
        "You add query and key; multiply them, feature by feature.", FORMULA
    ),
    mistake("the query left out", {"(query @ self.weight)": "(torch.ones_like(query) @ self.weight)"}).because(
        "Your scores do not depend on the query; multiply by it.", FORMULA
    ),
    mistake("scaled by the root of the query's width", {SCORES: f"{SCORES} / query.shape[-1] ** 0.5"}).because(
        "You divide by a root, as the Transformer does; leave the score unscaled.", FORMULA
    ),
    mistake(
        "every axis of one squeezed away", {SCORES: "((query @ self.weight).unsqueeze(1) @ keys.mT).squeeze()"}
    ).because(
        "You call `squeeze()`, which removes every axis of size 1, even a batch of one; name the axis.",
        "What does squeeze() do to [1, 1, S]?",
    ),
    mistake("all queries meet all keys", {SCORES: 'torch.einsum("bk,csk->cs", query @ self.weight, keys)'}).because(
        "Your sum runs over the samples too, so queries meet other samples' keys; keep the samples apart.",
        "In your einsum, does the query's b mean the same sample as the keys'?",
    ),
    mistake("tanh of the query", {"(query @ self.weight)": "torch.tanh(query @ self.weight)"}).because(
        "You apply a non-linearity to q W; leave it linear.", FORMULA
    ),
    mistake("mean over the features", {SCORES: SCORES.replace("sum(", "mean(")}).because(
        "You take the mean over the features; take the sum.", FORMULA
    ),
    mistake("distance", {SCORES: "-((query @ self.weight).unsqueeze(1) - keys).square().sum(dim=-1)"}).because(
        "You score by distance; use the dot product.", FORMULA
    ),
)

OF_CONTEXT = (
    mistake("keys times the weight averaged", {CONTEXT: CONTEXT.replace("keys", "(keys @ self.weight.T)")}).because(
        "You average the keys multiplied by the weight; average the keys themselves.", AVERAGE
    ),
    mistake("keys times the translated query averaged", {CONTEXT: CONTEXT.replace("keys", f"keys * {ASKS}")}).because(
        "You average the keys multiplied by the translated query; average the keys themselves.", AVERAGE
    ),
    mistake("translated query added to the keys", {CONTEXT: CONTEXT.replace("keys", f"(keys + {ASKS})")}).because(
        "You add the translated query to the keys that you average; average the keys themselves.", AVERAGE
    ),
)

OF_PARAMETERS = (
    mistake(
        "weight transposed",
        {
            "torch.randn(query_dim, key_dim)": "torch.randn(key_dim, query_dim)",
            "query @ self.weight": "query @ self.weight.T",
        },
    ).because("Your weight is [key_dim, query_dim]; it must be [query_dim, key_dim].", NAMES),
    mistake(
        "a Linear", {START: "nn.Linear(query_dim, key_dim, bias=False)", "query @ self.weight": "self.weight(query)"}
    ).because(
        "Your weight is a Linear, so the parameter is called weight.weight and is transposed; use an nn.Parameter.",
        NAMES,
    ),
    mistake(
        "a Linear with a bias", {START: "nn.Linear(query_dim, key_dim)", "query @ self.weight": "self.weight(query)"}
    ).because("Your weight is a Linear with a bias; use one matrix, as an nn.Parameter.", NAMES),
    mistake(
        "a Bilinear",
        {
            START: "nn.Bilinear(query_dim, key_dim, 1, bias=False)",
            SCORES: "self.weight(query.unsqueeze(1).expand(-1, keys.shape[1], -1).contiguous(), keys).squeeze(-1)",
        },
    ).because(
        "Your weight is an nn.Bilinear, so the parameter is called weight.weight, and has a third axis; use an "
        "nn.Parameter.",
        NAMES,
    ),
    mistake(
        "weight not a parameter",
        {START: START.removeprefix("nn.Parameter(").removesuffix(")")},
        shown_by="ParameterMismatch: parameters differ from the contract; missing: weight",
    ).because(
        "Your weight isn't a parameter, so the optimiser never sees it; make it an nn.Parameter.",
        "What makes a tensor a parameter of a module?",
    ),
    other_names({"self.weight": "self.W"}, times=2),
    mistake(
        "a bias besides",
        {START: f"{START}\n        self.bias = nn.Parameter(torch.zeros(1))", SCORES: f"{SCORES} + self.bias"},
    ).because("You also have a bias, which adds the same to every score; leave it out.", NAMES),
    mistake(
        "scores cut from the graph",
        {"query @ self.weight": "query @ self.weight.detach()"},
        shown_by="no gradient reaches weight",
    ).because(
        "You detach the weight when you use it, so it cannot learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    mistake("all scores cut from the graph", {SCORES: f"({SCORES}).detach()"}).because(
        "Your scores are detached from the graph, so the weight cannot learn. Keep them in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    no_super("parameter"),
)

MISTAKES = OF_SCORE + OF_CONTEXT + OF_BOTH + OF_PARAMETERS
