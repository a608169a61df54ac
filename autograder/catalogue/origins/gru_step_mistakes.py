"""What goes wrong in `gru_step`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

GATES = "In weight_ih, which H rows come first: those of which gate?"
MIX = "When the update gate is 1, what is the next state?"
INSIDE = "Does the reset gate multiply h, or what W_hn and b_hn make of h?"
RANGE = "Between which two numbers must a gate lie, and between which a state?"

OF_X, OF_H = "reset_x, update_x, new_x =", "reset_h, update_h, new_h ="
RESULT = "(1 - update) * candidate + update * h"
STATE = 'h @ weights["weight_hh"].T + weights["bias_hh"]'


def in_order(*names: str) -> dict[str, str]:
    """The three parts are taken for these gates."""
    return {
        OF_X: ", ".join(f"{name}_x" for name in names) + " =",
        OF_H: ", ".join(f"{name}_h" for name in names) + " =",
    }


OF_GATES = (
    mistake("update before reset", in_order("update", "reset", "new")).because(
        "You take the first third of the rows for the update gate; the rows of the reset gate come first.", GATES
    ),
    mistake("candidate first", in_order("new", "reset", "update")).because(
        "You take the first third of the rows for the candidate; the order is reset, update, candidate.", GATES
    ),
    mistake("update gate inverted", {RESULT: "update * candidate + (1 - update) * h"}).because(
        "Your update gate works the other way round: here an update gate of 1 keeps the old state.", MIX
    ),
    mistake("update gate for the candidate alone", {RESULT: "(1 - update) * candidate + h"}).because(
        "You add the whole old state; only the share that the update gate lets through stays.", MIX
    ),
    mistake("old state forgotten", {RESULT: "(1 - update) * candidate"}).because(
        "The old state does not come into your result: nothing would be remembered for long.", MIX
    ),
    mistake(
        "update gate not quite whole",
        {"torch.sigmoid(update_x + update_h)": "torch.sigmoid(update_x + update_h).clamp(max=1 - 1e-4)"},
        shown_by="with update gates of 1 the state changes",
    ).because("You keep the update gate below 1: a state that is to be kept for long leaks away, step by step.", MIX),
    mistake("candidate returned", {RESULT: "candidate"}).because(
        "You return the candidate; the next state is a mixture of it and the old state.", MIX
    ),
    mistake("candidate before update", in_order("reset", "new", "update")).because(
        "You take the second third of the rows for the candidate; the order is reset, update, candidate.", GATES
    ),
    mistake("all three turned round", in_order("new", "update", "reset")).because(
        "You read the three parts backwards; the order is reset, update, candidate.", GATES
    ),
    mistake(
        "every third row",
        {
            "of_x.chunk(3, dim=-1)": "(of_x[:, i::3] for i in range(3))",
            "of_h.chunk(3, dim=-1)": "(of_h[:, i::3] for i in range(3))",
        },
    ).because("You deal the rows out in turn; the first H rows belong to one gate, the next H to the next.", GATES),
)

OF_RESET = (
    mistake(
        "reset gate on h",
        {"reset * new_h": '((reset * h) @ weights["weight_hh"].chunk(3)[2].T + weights["bias_hh"].chunk(3)[2])'},
    ).because("You reset h before W_hn, as the first paper did; here the gate multiplies W_hn h + b_hn.", INSIDE),
    mistake(
        "bias outside the reset gate",
        {"reset * new_h": '(reset * (new_h - weights["bias_hh"].chunk(3)[2]) + weights["bias_hh"].chunk(3)[2])'},
    ).because("The reset gate must multiply b_hn as well: it stands in front of W_hn h + b_hn as a whole.", INSIDE),
    mistake("no reset gate", {"new_x + reset * new_h": "new_x + new_h"}).because(
        "Your reset gate is computed and never used.", "What can the cell do when it wants to ignore its past?"
    ),
    mistake("reset gate on both", {"new_x + reset * new_h": "reset * (new_x + new_h)"}).because(
        "The reset gate must let x through: it multiplies what comes from h alone.", INSIDE
    ),
    mistake("reset gate on x", {"new_x + reset * new_h": "reset * new_x + new_h"}).because(
        "Your reset gate multiplies what comes from x; it is the past that it may forget.", INSIDE
    ),
    mistake("reset gate inverted", {"reset * new_h": "(1 - reset) * new_h"}).because(
        "Your reset gate works the other way round: at 0 it forgets the state.", INSIDE
    ),
)

OF_NUMBERS = (
    mistake("sigmoid for the candidate", {"torch.tanh(": "torch.sigmoid("}).because(
        "Your candidate goes through a sigmoid; a state may be negative, so it is a tanh.", RANGE
    ),
    mistake(
        "tanh for the gates",
        {"reset = torch.sigmoid(": "reset = torch.tanh(", "update = torch.sigmoid(": "update = torch.tanh("},
    ).because("Your gates go through a tanh; a gate is a share between 0 and 1, so it is a sigmoid.", RANGE),
    mistake("no tanh", {"torch.tanh(new_x + reset * new_h)": "new_x + reset * new_h"}).because(
        "Your candidate goes through no tanh: the state would grow without a limit.", RANGE
    ),
    mistake("gates not squashed", {"torch.sigmoid(": "("}, times=2).because(
        "Your gates are not squashed: without a sigmoid they are no shares.", RANGE
    ),
    mistake("bias_hh forgotten", {' + weights["bias_hh"]': ""}).because(
        "bias_hh is never added.", "How many biases has a GRUCell?"
    ),
    mistake("bias_ih forgotten", {' + weights["bias_ih"]': ""}).because(
        "bias_ih is never added.", "How many biases has a GRUCell?"
    ),
    mistake(
        "weights not transposed",
        {'weights["weight_ih"].T': 'weights["weight_ih"]', 'weights["weight_hh"].T': 'weights["weight_hh"]'},
        "The weights are [3·H, I] and [3·H, H], as in nn.Linear: x [B, I] meets their transpose.",
        "Which shapes does nn.Linear compute with: x Wᵀ or x W?",
    ),
    mistake("gates from x alone", {"reset_x + reset_h": "reset_x", "update_x + update_h": "update_x"}).because(
        "Your gates see only x; they are sums of something about x and something about h.",
        "May what is remembered decide what is forgotten?",
    ),
    mistake("a tuple returned", {RESULT: f"{RESULT}, candidate"}).because(
        "You return a pair; a GRU has one state, which is also its output.",
        "How many states has a GRU, and how many an LSTM?",
    ),
    mistake(
        "tanh and sigmoid exchanged",
        {
            "reset = torch.sigmoid(": "reset = torch.tanh(",
            "update = torch.sigmoid(": "update = torch.tanh(",
            "candidate = torch.tanh(": "candidate = torch.sigmoid(",
        },
    ).because("You have exchanged tanh and sigmoid: the gates are shares, the candidate is a state.", RANGE),
    mistake(
        "biases exchanged",
        {
            'weights["bias_ih"]': 'weights["bias_HH"]',
            'weights["bias_hh"]': 'weights["bias_ih"]',
            'weights["bias_HH"]': 'weights["bias_hh"]',
        },
    ).because(
        "You add bias_hh to what comes from x, and bias_ih to what comes from h: the reset gate then multiplies the "
        "wrong one.",
        "Which of the two biases of the candidate does the reset gate multiply?",
    ),
)

BESIDES = (
    overwrites(
        "h",
        {RESULT: "h.copy_((1 - update) * candidate + update * h)"},
        "whoever still needs the old state has lost it.",
        "state changed in place",
    ),
    mistake(
        "weights changed in place",
        {"of_x = x @": 'weights["bias_ih"] += 0 * weights["bias_ih"] + 1e-3; of_x = -1e-3 + x @'},
    ),
    in_double_precision("state", {RESULT: f"({RESULT}).double()"}),
    mistake(
        "cut from the graph",
        {RESULT: f"({RESULT}).detach()"},
        "Your state is cut off from what made it: no gradient flows back through time.",
        "Which call in your code cuts the graph: .data, .detach(), .item(), torch.tensor?",
        shown_by="no gradient reaches bias_hh, bias_ih, h, weight_hh and 2 more",
    ),
    mistake(
        "state cut from the graph",
        {STATE: STATE.replace("h @", "h.detach() @"), "update * h": "update * h.detach()"},
        "The old state is cut off before you use it: the cell would learn nothing about earlier steps.",
        "Which call in your code cuts the graph?",
        shown_by="no gradient reaches h",
    ),
    mistake("reset gate cut from the graph", {"reset * new_h": "reset.detach() * new_h"}),
)

MISTAKES = OF_GATES + OF_RESET + OF_NUMBERS + BESIDES
