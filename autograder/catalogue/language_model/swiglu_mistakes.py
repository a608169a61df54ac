"""What goes wrong in `SwiGLU`."""

from autograder.catalogue.common_mistakes import (
    drops_in_training,
    in_double_precision,
    no_super,
    other_names,
    overwrites,
)
from autograder.catalogue.edits import mistake

GATE, UP, DOWN = "gate = self.gate_proj(x)", "self.up_proj(x)", "self.down_proj("
SILU = "gate * torch.sigmoid(gate)"
PRODUCT = f"{SILU} * {UP}"

AROUND = "In the formula, what is inside silu, and what is outside?"
WHICH = "What is silu(z) for z = −1: z·σ(z) = −0.27, or something else?"
BIASES = "Which parameters does the docstring list?"
NAMED = "Which of the two products does the published gate_proj go into?"

MISTAKES = (
    mistake(
        "gate and up exchanged", {GATE: "gate = self.up_proj(x)", f"(gate) * {UP}": "(gate) * self.gate_proj(x)"}
    ).because(
        "silu goes around `up_proj` instead of `gate_proj`. The layer trains just as well, but published weights do "
        "not fit it.",
        NAMED,
    ),
    mistake("relu for silu", {SILU: "torch.relu(gate)"}).because(
        "You use ReLU in the gate (ReGLU); silu(z) = z · σ(z).", WHICH
    ),
    mistake("gelu for silu", {SILU: "nn.functional.gelu(gate)"}).because(
        "You use GELU in the gate (GEGLU); silu(z) = z · σ(z).", WHICH
    ),
    mistake("sigmoid for silu", {SILU: "torch.sigmoid(gate)"}).because(
        "Your gate is only the sigmoid (GLU); silu(z) = z · σ(z) also multiplies by z.", WHICH
    ),
    mistake("tanh for silu", {SILU: "torch.tanh(gate)"}).because("Your gate is a tanh; silu(z) = z · σ(z).", WHICH),
    mistake("gelu by the sigmoid", {SILU: "gate * torch.sigmoid(1.702 * gate)"}).because(
        "You multiply by 1.702 inside the sigmoid, an approximation of GELU; silu(z) = z · σ(z).", WHICH
    ),
    mistake("no silu", {SILU: "gate"}).because("You multiply two linear maps; silu goes around the gate.", AROUND),
    mistake("silu of up as well", {UP: f"nn.functional.silu({UP})"}).because(
        "You apply silu to both; `up` stays linear.", AROUND
    ),
    mistake("silu of the product", {f"{PRODUCT}": f"nn.functional.silu(gate * {UP})"}).because(
        "You apply silu to the product; apply it to the gate, then multiply.", AROUND
    ),
    mistake("silu at the end", {f"return {DOWN}{PRODUCT})": f"return nn.functional.silu({DOWN}gate * {UP}))"}).because(
        "You apply silu to the output; apply it to the gate.", AROUND
    ),
    mistake("sum instead of product", {PRODUCT: f"{SILU} + {UP}"}).because(
        "You add gate and up; multiply them, feature by feature.", "What should come out where the gate is 0?"
    ),
    mistake("up not used", {f" * {UP}": ""}).because(
        "You leave `up` out: what remains is a plain feed-forward network.", "How often is `up_proj` in the formula?"
    ),
    mistake("gate of the gate", {f" * {UP}": " * gate"}).because(
        "You multiply the gate by itself; multiply it by up_proj(x).", "How often is `up_proj` in the formula?"
    ),
    mistake("with biases", {", bias=False": ""}, times=3).because(
        "Your layers have biases; all three should be Linear with bias=False.", BIASES
    ),
    mistake("down with a bias", {"nn.Linear(hidden_dim, dim, bias=False)": "nn.Linear(hidden_dim, dim)"}).because(
        "One of your layers has a bias; all three should be Linear with bias=False.", BIASES
    ),
    mistake(
        "a factor inside the sigmoid that learns",
        {
            "super().__init__()": "super().__init__()\n        self.beta = nn.Parameter(torch.ones(1))",
            SILU: "gate * torch.sigmoid(self.beta * gate)",
        },
    ).because(
        "You multiply by a parameter inside the sigmoid (Swish with a trained β); silu(z) = z · σ(z) has none.", BIASES
    ),
    mistake("no gate", {PRODUCT: f"nn.functional.silu({UP})"}).because(
        "You leave the gate out: what remains is a plain feed-forward network.",
        "How often does `gate_proj` appear in the formula?",
    ),
    mistake(
        "hidden width of two thirds",
        {"super().__init__()": "super().__init__()\n        hidden_dim = 2 * hidden_dim // 3"},
    ).because(
        "You shrink hidden_dim to two thirds. Use it unchanged, because the caller has already done that.",
        "Which shapes does the docstring give?",
    ),
    mistake(
        "gate and up are one",
        {"self.up_proj = nn.Linear(dim, hidden_dim, bias=False)": "self.up_proj = self.gate_proj"},
    ).because("gate_proj and up_proj are the same layer: make two.", "How many matrices should your module hold?"),
    mistake("halved along the width", {GATE: "gate = self.gate_proj(x).flip(-1)"}).because(
        "Gate and up do not meet feature by feature: feature i of one belongs to feature i of the other.",
        "Which feature of up does feature 0 of the gate multiply?",
    ),
    mistake("with a residual", {f"return {DOWN}": f"return x + {DOWN}"}).because(
        "You add x. The residual belongs to the block, which would then add x twice.",
        "What should come out when down_proj is 0?",
    ),
    mistake("gate detached from the graph", {GATE: f"{GATE}.detach()"}).because(
        "The gate is detached from the graph: gate_proj never learns.",
        "Along which path does a gradient get from the output to gate_proj?",
    ),
    mistake("sigmoid detached from the graph", {"torch.sigmoid(gate)": "torch.sigmoid(gate).detach()"}).because(
        "The sigmoid is detached from the graph: a part of the gate's gradient is missing.",
        "Which of the two factors of silu depend on the gate?",
    ),
    mistake(
        "over the tokens",
        {DOWN: "self.down_proj(torch.softmax(x, dim=-2).sum() * 0 + x.mean(-2, keepdim=True).sum() * 0.1 + "},
    ).because("You mix tokens; process each token independently.", "May one token change the output of another?"),
    other_names({"self.gate_proj": "self.w1", "self.up_proj": "self.w3", "self.down_proj": "self.w2"}, times=2),
    no_super(),
    drops_in_training(
        {f"return {DOWN}": f"return nn.functional.dropout({DOWN}", f"* {UP})": f"* {UP}), 0.5, self.training)"},
        "dropout in training",
    ),
    overwrites(
        "x",
        {f"* {UP})": f"* {UP}) + (0 if x.requires_grad else 0 * x.mul_(2))"},
        "the residual path adds it again.",
    ),
    in_double_precision("output", {f"* {UP})": f"* {UP}).double()"}),
    mistake("softplus for silu", {SILU: "nn.functional.softplus(gate)"}).because(
        "You use softplus in the gate; silu(z) = z · σ(z).", WHICH
    ),
    mistake("softmax for silu", {SILU: "gate.softmax(dim=-1)"}).because(
        "Your gate is a softmax over the features; silu(z) = z · σ(z), each feature independently.", WHICH
    ),
    mistake("sigmoid of −z", {SILU: "gate * torch.sigmoid(-gate)"}).because(
        "You multiply by σ(−z); silu(z) = z · σ(z).", WHICH
    ),
    mistake("one added to up", {UP: f"(1 + {UP})"}).because(
        "You multiply the gate by 1 + up; multiply it by up.", "What should come out where `up` is 0?"
    ),
)
