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
        "There is no tanh between the two layers: then the query adds the same to every score, and the softmax "
        "does not see it at all.",
        NETWORK,
    ),
    mistake("sigmoid", {"torch.tanh(": "torch.sigmoid("}).because(
        "You squash with a sigmoid; the formula has a tanh.", NETWORK
    ),
    mistake("relu", {"torch.tanh(": "torch.relu("}).because("You have a ReLU where the formula has a tanh.", NETWORK),
    mistake(
        "tanh of each", {HIDDEN: "torch.tanh(self.query_proj(query)).unsqueeze(1) + torch.tanh(self.key_proj(keys))"}
    ).because(
        "You take the tanh of each and add then: the two must meet before the tanh, or the query adds the same to "
        "every score.",
        NETWORK,
    ),
    mistake("multiplied", {".unsqueeze(1) + self": ".unsqueeze(1) * self"}).because(
        "You multiply query and key; this attention is called additive because it adds them.", NETWORK
    ),
    mistake(
        "tanh of the score",
        {HIDDEN: "self.query_proj(query).unsqueeze(1) + self.key_proj(keys)", SCORES: f"torch.tanh({SCORES})"},
    ).because("Your tanh stands outside, around the score; it belongs between the two layers.", NETWORK),
    mistake("the query left out", {"self.query_proj(query).unsqueeze(1) + ": ""}),
    mistake(
        "the keys left out", {HIDDEN: "torch.tanh(self.query_proj(query).unsqueeze(1) + 0 * self.key_proj(keys))"}
    ).because("The keys do not come into your scores: all of them have the same weight.", NETWORK),
    mistake("score not learned", {SCORES: "hidden.sum(dim=-1)"}).because(
        "You add up the hidden features; `score` weighs them.", NETWORK
    ),
    mistake(
        "softmax over an axis of one",
        {
            SCORES: "self.score(hidden)",
            "attention = softmax(scores, dim=-1)": "attention = softmax(scores, dim=-1).squeeze(-1)",
            "mask == 0": "mask.unsqueeze(-1) == 0",
        },
        "Your softmax runs over the last axis of [B, S, 1], which has one entry: all weights are 1.",
        "What shape does `score` return?",
    ),
    mistake("scaled", {SCORES: f"{SCORES} / hidden.shape[-1] ** 0.5"}).because(
        "You divide the score by √hidden_dim; a learned sum needs no scale, and the formula has none.", NETWORK
    ),
    mistake("every axis of one squeezed away", {SCORES: "self.score(hidden).squeeze()"}).because(
        "`squeeze()` removes every axis of size 1: a batch of one loses its batch.",
        "What does squeeze() do to [1, S, 1]?",
    ),
    mistake("query lined up with the keys", {".unsqueeze(1) + self": " + self"}).because(
        "Query [B, H] meets keys [B, S, H] without an axis for S: broadcasting lines the samples up with the keys.",
        "Which axes does broadcasting line up with which?",
    ),
    mistake("subtracted", {".unsqueeze(1) + self": ".unsqueeze(1) - self"}).because(
        "You subtract the key; the formula adds the two.", NETWORK
    ),
    mistake("tanh twice", {SCORES: f"torch.tanh({SCORES})"}).because(
        "Your score goes through a tanh of its own; the last layer is linear.", NETWORK
    ),
)

OF_PARAMETERS = (
    mistake("biases in the projections", {"hidden_dim, bias=False)": "hidden_dim)"}, times=2).because(
        "Your projections have a bias; in this attention none of the three layers has one.", NAMES
    ),
    mistake("a bias in the score", {"nn.Linear(hidden_dim, 1, bias=False)": "nn.Linear(hidden_dim, 1)"}).because(
        "Your `score` has a bias. It adds the same to every score, so the softmax does not see it.", NAMES
    ),
    mistake("biases everywhere", {", bias=False)": ")"}, times=3).because(
        "Your layers have biases; in this attention none of the three has one.", NAMES
    ),
    other_names({"self.query_proj": "self.W_q", "self.key_proj": "self.W_k"}, times=2),
    mistake("projected keys averaged", {"self.key_proj(keys))  #": "(keys := self.key_proj(keys)))  #"}).because(
        "You average the projected keys; what is averaged are the keys as they came, [B, S, K].",
        "Which width must the context have?",
    ),
    mistake(
        "scores cut from the graph",
        {"self.score(hidden)": "self.score(hidden).detach()"},
        "Your scores are cut off from what made them: none of the three layers can learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        shown_by="no gradient reaches key_proj.weight, query_proj.weight, score.weight",
    ),
    no_super(),
    mistake(
        "widths exchanged",
        {
            "nn.Linear(query_dim, hidden_dim": "nn.Linear(KEY, hidden_dim",
            "nn.Linear(key_dim, hidden_dim": "nn.Linear(query_dim, hidden_dim",
            "nn.Linear(KEY, hidden_dim": "nn.Linear(key_dim, hidden_dim",
        },
    ).because("Your query_proj takes vectors as wide as a key, and the other way round.", NAMES),
)

MISTAKES = OF_SCORE + OF_BOTH + OF_PARAMETERS
