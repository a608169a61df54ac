"""What goes wrong in `AdditiveAttention`."""

from autograder.catalogue.common_mistakes import no_super, other_names
from autograder.catalogue.edits import mistake
from autograder.catalogue.origins.scored_mistakes import OF_BOTH

NETWORK = "Read score(q, k) = w · tanh(W_q q + W_k k) from the inside: what comes before the tanh, and what after it?"
NAMES = "Which names and sizes does the docstring give under “Parameters”, and which of them have a bias?"
HIDDEN = "torch.tanh(self.query_proj(query).unsqueeze(1) + self.key_proj(keys))"
SCORES = "self.score(hidden).squeeze(-1)"

OF_SCORE = (
    mistake("no tanh", {HIDDEN: "self.query_proj(query).unsqueeze(1) + self.key_proj(keys)"}).because(
        "You leave out the tanh between the two layers, so the query adds the same to every score and the "
        "softmax cancels it; add it.",
        NETWORK,
    ),
    mistake("sigmoid", {"torch.tanh(": "torch.sigmoid("}).because("You use a sigmoid; use a tanh.", NETWORK),
    mistake("relu", {"torch.tanh(": "torch.relu("}).because("You use a ReLU; use a tanh.", NETWORK),
    mistake(
        "tanh of each", {HIDDEN: "torch.tanh(self.query_proj(query)).unsqueeze(1) + torch.tanh(self.key_proj(keys))"}
    ).because(
        "Your query adds the same to every score, or nothing at all: take the tanh of the sum, not of each part.",
        NETWORK,
    ),
    mistake(
        "tanh of each and of the sum",
        {HIDDEN: "torch.tanh(torch.tanh(self.query_proj(query)).unsqueeze(1) + torch.tanh(self.key_proj(keys)))"},
    ).because("You take the tanh of each part and then of their sum; take it once, of the sum.", NETWORK),
    mistake("multiplied", {".unsqueeze(1) + self": ".unsqueeze(1) * self"}).because(
        "You multiply query and key; add them.", NETWORK
    ),
    mistake(
        "tanh of the score",
        {HIDDEN: "self.query_proj(query).unsqueeze(1) + self.key_proj(keys)", SCORES: f"torch.tanh({SCORES})"},
    ).because("Your tanh is around the score; put it between the two layers.", NETWORK),
    mistake(
        "the keys left out", {HIDDEN: "torch.tanh(self.query_proj(query).unsqueeze(1) + 0 * self.key_proj(keys))"}
    ).because("Your scores do not depend on the keys, so all have the same weight; add the projected keys.", NETWORK),
    mistake("score not learned", {SCORES: "hidden.sum(dim=-1)"}).because(
        "You add up the hidden features; let `score` weight them.", NETWORK
    ),
    mistake(
        "softmax over an axis of one",
        {
            SCORES: "self.score(hidden)",
            "attention = softmax(scores, dim=-1)": "attention = softmax(scores, dim=-1).squeeze(-1)",
            "mask == 0": "mask.unsqueeze(-1) == 0",
        },
    ).because(
        "Your softmax runs over the last axis of [B, S, 1], so all weights are 1; run it over S.",
        "What shape does `score` return?",
    ),
    mistake("scaled", {SCORES: f"{SCORES} / hidden.shape[-1] ** 0.5"}).because(
        "You divide the score by √hidden_dim; leave it unscaled.", NETWORK
    ),
    mistake("every axis of one squeezed away", {SCORES: "self.score(hidden).squeeze()"}).because(
        "You call `squeeze()`, which removes every axis of size 1, even a batch of one; use squeeze(-1).",
        "What does squeeze() do to [1, S, 1]?",
    ),
    mistake("query lined up with the keys", {".unsqueeze(1) + self": " + self"}).because(
        "You add query [B, H] to keys [B, S, H] without an axis for S, so samples line up with keys; add the axis.",
        "Which axes does broadcasting line up with which?",
    ),
    mistake("subtracted", {".unsqueeze(1) + self": ".unsqueeze(1) - self"}).because(
        "You subtract the key; add it.", NETWORK
    ),
    mistake("tanh twice", {SCORES: f"torch.tanh({SCORES})"}).because(
        "You apply a tanh to the score; leave the last layer linear.", NETWORK
    ),
)

OF_PARAMETERS = (
    mistake("biases in the projections", {"hidden_dim, bias=False)": "hidden_dim)"}, times=2).because(
        "Your projections have a bias; use bias=False in all three layers.", NAMES
    ),
    mistake("a bias in the score", {"nn.Linear(hidden_dim, 1, bias=False)": "nn.Linear(hidden_dim, 1)"}).because(
        "Your `score` has a bias, which adds the same to every score; use bias=False.", NAMES
    ),
    mistake("biases everywhere", {", bias=False)": ")"}, times=3).because(
        "Your layers have biases; use bias=False in all three.", NAMES
    ),
    other_names({"self.query_proj": "self.W_q", "self.key_proj": "self.W_k"}, times=2),
    mistake(
        "projections exchanged",
        {
            "self.query_proj = nn.Linear(query_dim": "self.QUERY = nn.Linear(query_dim",
            "self.key_proj = nn.Linear(key_dim": "self.query_proj = nn.Linear(key_dim",
            "self.QUERY = ": "self.key_proj = ",
            "self.query_proj(query)": "self.KEY(query)",
            "self.key_proj(keys)": "self.query_proj(keys)",
            "self.KEY(query)": "self.key_proj(query)",
        },
    ).because("You project the query with key_proj and the keys with query_proj; swap them.", NAMES),
    mistake("projected keys averaged", {"self.key_proj(keys))  #": "(keys := self.key_proj(keys)))  #"}).because(
        "You average the projected keys; average the keys themselves, [B, S, K].",
        "How wide must the context be?",
    ),
    mistake(
        "scores cut from the graph",
        {"self.score(hidden)": "self.score(hidden).detach()"},
        shown_by="no gradient reaches key_proj.weight, query_proj.weight, score.weight",
    ).because(
        "Your scores are detached from the graph, so none of the three layers can learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    no_super(),
    mistake(
        "widths exchanged",
        {
            "nn.Linear(query_dim, hidden_dim": "nn.Linear(KEY, hidden_dim",
            "nn.Linear(key_dim, hidden_dim": "nn.Linear(query_dim, hidden_dim",
            "nn.Linear(KEY, hidden_dim": "nn.Linear(key_dim, hidden_dim",
        },
    ).because("You swap the input widths of query_proj and key_proj; each must match its own input.", NAMES),
)

MISTAKES = OF_SCORE + OF_BOTH + OF_PARAMETERS
