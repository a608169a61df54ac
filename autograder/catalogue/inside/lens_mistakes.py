"""What goes wrong in `logit_lens`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

LOGARITHMS = "(norm(states) @ table.T).log_softmax(dim=-1)"
FOLLOWING = "tokens[:, 1:].expand(len(states), -1, -1).unsqueeze(-1)"
READ = "log_probabilities[:, :, :-1].gather(-1, following).squeeze(-1)"

WHICH = "The state at position 0 has read token 0. Which token does it predict?"
NORM = "What does the model do with its last state before the output layer?"
LOGS = "Can the logarithm of a probability be above 0?"
SHAPE = "How many states go in, and how many rows come out?"
STABLE = "What is the logarithm of a probability that is too small for a float?"

MISTAKES = (
    mistake("not shifted", {"[:, :, :-1]": "[:, :, 1:]"}).because(
        "You read the state at t for token t, which it has already seen; it predicts token t + 1.", WHICH
    ),
    mistake("the last token again", {"tokens[:, 1:]": "tokens[:, :-1]"}).because(
        "You ask the state at t for token t, which it has already read; ask for token t + 1.", WHICH
    ),
    mistake("shifted backwards", {"[:, :, :-1]": "[:, :, 1:]", "tokens[:, 1:]": "tokens[:, :-1]"}).because(
        "You ask the state at t for token t − 1; it predicts token t + 1.", WHICH
    ),
    mistake("rolled round", {"tokens[:, 1:]": "tokens.roll(-1, 1)", "[:, :, :-1]": ""}).because(
        "You roll the tokens, so the last position predicts the first token: leave it out.", WHICH
    ),
    mistake("the most likely token", {READ: "log_probabilities[:, :, :-1].amax(dim=-1)"}).because(
        "You return the log-probability of the most likely token; return that of the token that follows.", WHICH
    ),
    mistake("the token itself", {READ: "log_probabilities[:, :, :-1].argmax(dim=-1).to(states.dtype)"}).because(
        "You return the most likely token; return the log-probability of the token that follows.", WHICH
    ),
    mistake(
        "a norm of its own", {"norm(states)": "states / (states.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()"}
    ).because("You normalise the states yourself, without the weights of the model's norm; call `norm`.", NORM),
    mistake("norm forgotten", {"norm(states)": "states"}).because(
        "You read the states without the final norm: the logits have another scale in every layer.", NORM
    ),
    mistake("normed after the table", {"norm(states) @ table.T": "states @ (norm(table)).T"}).because(
        "You put the table through the norm; put the states through it.", NORM
    ),
    mistake("only the last state normed", {"norm(states)": "torch.cat([states[:-1], norm(states[-1:])])"}).because(
        "You norm the last state only; every state is read as if it were the last.", NORM
    ),
    mistake("the first state not normed", {"norm(states)": "torch.cat([states[:1], norm(states[1:])])"}).because(
        "You read the first state, the embedding, without the norm; every state goes through it.", NORM
    ),
    mistake("the last state not normed", {"norm(states)": "torch.cat([norm(states[:-1]), states[-1:]])"}).because(
        "You read the last state without the norm; every state goes through it.", NORM
    ),
    mistake("normed twice", {"norm(states)": "norm(norm(states))"}).because("You apply the norm twice.", NORM),
    mistake("logits over a root", {"norm(states) @ table.T": "norm(states) @ table.T / table.shape[1] ** 0.5"}).because(
        "You divide the logits by a root, as attention does its scores; leave them unscaled.", LOGS
    ),
    mistake("logits for log-probabilities", {".log_softmax(dim=-1)": ""}).because(
        "You return logits; states of different layers can only be compared as log-probabilities.", LOGS
    ),
    mistake("probabilities", {".log_softmax(dim=-1)": ".softmax(dim=-1)"}).because(
        "You return probabilities; return their logarithms.", LOGS
    ),
    mistake("sign", {READ: f"-{READ}"}).because("You return the loss; the log-probability has the other sign.", LOGS),
    mistake("in bits", {READ: f"{READ} / 0.6931471805599453"}).because(
        "You return bits; the log-probability is in nats.", "Which logarithm does log_softmax use?"
    ),
    mistake("logarithm of a softmax", {".log_softmax(dim=-1)": ".softmax(dim=-1).log()"}).because(
        "A probability too small for a float becomes 0, and its logarithm −inf: use log_softmax.", STABLE
    ),
    mistake(
        "a small number inside the logarithm", {".log_softmax(dim=-1)": ".softmax(dim=-1).clamp(min=1e-9).log()"}
    ).because("The small number keeps the logarithm finite, and wrong: use log_softmax.", STABLE),
    mistake(
        "exponentials overflow",
        {LOGARITHMS: "(lambda z: z - z.exp().sum(dim=-1, keepdim=True).log())(norm(states) @ table.T)"},
    ).because(
        "You take exp of the logits as they are, which overflows above 88. Subtract the largest logit first, or use "
        "log_softmax.",
        STABLE,
    ),
    mistake("softmax over time", {".log_softmax(dim=-1)": ".log_softmax(dim=-2)"}).because(
        "Your probabilities sum to 1 over the positions; they should sum to 1 over the vocabulary.", "Which axis is V?"
    ),
    mistake(
        "softmax over time, without the last position",
        {
            LOGARITHMS: "torch.cat([(norm(states[:, :, :-1]) @ table.T).log_softmax(dim=-2), norm(states[:, :, -1:]) @ "
            "table.T], dim=2)"
        },
    ).because(
        "Your probabilities sum to 1 over the positions; they should sum to 1 over the vocabulary.", "Which axis is V?"
    ),
    mistake("softmax over the states", {".log_softmax(dim=-1)": ".log_softmax(dim=0)"}).because(
        "Your probabilities sum to 1 over the states; they should sum to 1 over the vocabulary.", "Which axis is V?"
    ),
    mistake(
        "an average over texts",
        {READ: "log_probabilities[:, :, :-1].gather(-1, following).squeeze(-1).mean(dim=1, keepdim=True)"},
    ).because("You average over the texts; keep them.", SHAPE),
    mistake(
        "the embedding left out",
        {READ: READ.replace("[:, :, :-1]", "[1:, :, :-1]").replace("following", "following[1:]")},
    ).because("You leave the first state out, the embedding; it is read too.", SHAPE),
    mistake(
        "the last state left out",
        {READ: READ.replace("[:, :, :-1]", "[:-1, :, :-1]").replace("following", "following[:-1]")},
    ).because("You leave the last state out; it is read too.", SHAPE),
    mistake("the axis of the ids kept", {READ: READ.removesuffix(".squeeze(-1)")}).because(
        "Your result has an axis of size 1 at the end, which gather leaves: squeeze(-1).", SHAPE
    ),
    mistake("the last state alone", {READ: f"{READ}[-1]"}).because(
        "You return the last state only; return a row for every state.", SHAPE
    ),
    mistake("an average over positions", {READ: f"{READ}.mean(dim=-1)"}).because(
        "You average over the positions; keep one number for each.", SHAPE
    ),
    overwrites("states", {READ: f"{READ} + 0 * states.clamp_(-1, 1).sum()"}, "the next lens reads other states."),
    overwrites(
        "tokens", {FOLLOWING: f"{FOLLOWING}.clone()\n    tokens.zero_()"}, "the caller then has a single token."
    ),
    in_double_precision("read", {LOGARITHMS: f"{LOGARITHMS}.double()"}),
    mistake(
        "ids repeated text by text",
        {FOLLOWING: "tokens[:, 1:].repeat_interleave(len(states), dim=0).view(len(states), len(tokens), -1, 1)"},
    ).because(
        "You repeat the ids text by text, so each state is scored on the tokens of other texts; repeat all texts for "
        "each state.",
        SHAPE,
    ),
    mistake(
        "the first text's ids for all",
        {
            FOLLOWING: FOLLOWING.replace("(len(states), -1", "(len(states), len(tokens)").replace(
                "tokens[:, 1:]", "tokens[:1, 1:]"
            )
        },
    ).because("You score every text on the tokens of the first; each text has its own.", SHAPE),
    mistake(
        "what each block adds", {"norm(states)": "norm(torch.cat([states[:1], states[1:] - states[:-1]]))"}
    ).because("You read what each block adds to the state; read the state itself.", SHAPE),
    mistake("states added up", {"norm(states)": "norm(states.cumsum(dim=0))"}).because(
        "You add up the states; each state already holds what the blocks before it have added.", SHAPE
    ),
    *(
        mistake(name, {LOGARITHMS: f"({normalised})({logits})"}).because(
            "You subtract the mean of the normalisers of a text; each position has its own.",
            "What do your probabilities sum to, at each position?",
        )
        for name, normalised, logits in (
            (
                "one normaliser for each text",
                "lambda z: z - z.logsumexp(dim=-1, keepdim=True).mean(dim=-2, keepdim=True)",
                "norm(states) @ table.T",
            ),
            (
                "one normaliser for each text, after the largest logit is subtracted",
                "lambda z: z - z[:, :, :-1].exp().sum(dim=-1, keepdim=True).log().mean(dim=-2, keepdim=True)",
                "(lambda z: z - z.amax(dim=-1, keepdim=True))(norm(states) @ table.T)",
            ),
        )
    ),
    mistake("the last state for all", {"norm(states)": "norm(states[-1:].expand_as(states))"}).because(
        "All your rows read the last state; read each state in its own row.", SHAPE
    ),
)
