"""What goes wrong in `BilinearAttention`."""

from autograder.catalogue.common_mistakes import no_super, other_names
from autograder.catalogue.edits import mistake
from autograder.catalogue.origins.scored_mistakes import OF_BOTH

FORMULA = "Read score(q, k) = q · W k: which width has W k, and what does it meet?"
NAMES = "Which name and which size does the docstring give under “Parameters”?"
SCORES = "((query @ self.weight).unsqueeze(1) * keys).sum(dim=-1)"
START = "nn.Parameter(torch.randn(query_dim, key_dim) / (query_dim * key_dim) ** 0.5)"

OF_SCORE = (
    mistake(
        "cosine", {SCORES: "nn.functional.cosine_similarity((query @ self.weight).unsqueeze(1), keys, dim=-1)"}
    ).because("You divide by both lengths: the score is a plain dot product of q W and k.", FORMULA),
    mistake("tanh of the score", {SCORES: f"torch.tanh({SCORES})"}).because(
        "Your score goes through a tanh; that belongs to additive attention.", FORMULA
    ),
    mistake("tanh of the hidden scores too", {"softmax(scores": "softmax(torch.tanh(scores)"}),
    mistake("added", {".unsqueeze(1) * keys": ".unsqueeze(1) + keys"}).because(
        "You add query and key; a dot product multiplies them, feature by feature.", FORMULA
    ),
    mistake("the query left out", {"(query @ self.weight)": "(torch.ones_like(query) @ self.weight)"}).because(
        "The query does not come into your scores: whoever asks, the answer is the same.", FORMULA
    ),
    mistake("scaled by the root of the query's width", {SCORES: f"{SCORES} / query.shape[-1] ** 0.5"}).because(
        "You divide by a root, as the Transformer does; this score came before it and is not scaled.", FORMULA
    ),
    mistake(
        "every axis of one squeezed away", {SCORES: "((query @ self.weight).unsqueeze(1) @ keys.mT).squeeze()"}
    ).because(
        "`squeeze()` removes every axis of size 1: a batch of one loses its batch.",
        "What does squeeze() do to [1, 1, S]?",
    ),
    mistake("all queries meet all keys", {SCORES: 'torch.einsum("bk,csk->cs", query @ self.weight, keys)'}).because(
        "Your sum runs over the samples too: the query of one sample asks the keys of another.",
        "In your einsum, does the query's b mean the same sample as the keys'?",
    ),
    mistake("tanh of the query", {"(query @ self.weight)": "torch.tanh(query @ self.weight)"}).because(
        "You squash q W before it meets the keys; here there is only the one matrix.", FORMULA
    ),
    mistake("mean over the features", {SCORES: SCORES.replace("sum(", "mean(")}).because(
        "You take the mean over the features; a dot product is their sum.", FORMULA
    ),
    mistake("distance", {SCORES: "-((query @ self.weight).unsqueeze(1) - keys).square().sum(dim=-1)"}).because(
        "You score by distance; the formula is a dot product.", FORMULA
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
    ).because("Your weight is a Linear, so the parameter is called weight.weight and lies the other way round.", NAMES),
    mistake(
        "a Linear with a bias", {START: "nn.Linear(query_dim, key_dim)", "query @ self.weight": "self.weight(query)"}
    ).because("Your weight is a Linear with a bias; the contract has one matrix, as an nn.Parameter.", NAMES),
    mistake("weight not a parameter", {START: START.removeprefix("nn.Parameter(").removesuffix(")")}).because(
        "Your weight is a plain tensor: the optimizer will never see it.",
        "What makes a tensor a parameter of a module?",
    ),
    other_names({"self.weight": "self.W"}, times=2),
    mistake(
        "a bias besides",
        {START: f"{START}\n        self.bias = nn.Parameter(torch.zeros(1))", SCORES: f"{SCORES} + self.bias"},
    ).because("You have a bias as well. It adds the same to every score, so the softmax does not see it.", NAMES),
    mistake(
        "scores cut from the graph",
        {"query @ self.weight": "query @ self.weight.detach()"},
        "The weight is cut from the graph where you use it: it cannot learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        shown_by="no gradient reaches weight",
    ),
    no_super("parameter"),
)

MISTAKES = OF_SCORE + OF_BOTH + OF_PARAMETERS
