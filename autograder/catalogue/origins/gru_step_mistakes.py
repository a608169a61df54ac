"""What goes wrong in `gru_step`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

GATES = "In weight_ih, which H rows come first: those of which gate?"
MIX = "If the update gate is 1, what is the next state?"
INSIDE = "Does the reset gate multiply h, or what W_hn and b_hn make of h?"
BIASES = "How many biases does a GRUCell have, and how many parts has each?"
RANGE = "What range must a gate have, and what range a state?"

OF_X, OF_H = "reset_x, update_x, new_x =", "reset_h, update_h, new_h ="
RESULT = "(1 - update) * candidate + update * h"
SUMS = ("reset_x + reset_h", "update_x + update_h", "new_x + reset * new_h")
GATE_SUMS = SUMS[:2]
STATE = 'h @ weights["weight_hh"].T + weights["bias_hh"]'


def in_order(*names: str) -> dict[str, str]:
    """The three parts are taken for these gates."""
    return {
        OF_X: ", ".join(f"{name}_x" for name in names) + " =",
        OF_H: ", ".join(f"{name}_h" for name in names) + " =",
    }


def without(sums: str, of: str) -> str:
    """One of the three sums, without its part of a bias."""
    bias = f'weights["bias_{of}"].chunk(3)[{SUMS.index(sums)}]'
    return f"{sums} - {'reset * ' if of == 'hh' and 'new' in sums else ''}{bias}"


OF_GATES = (
    mistake("update before reset", in_order("update", "reset", "new")).because(
        "You use the first third of the rows for the update gate; the order is reset, update, candidate.", GATES
    ),
    mistake("candidate first", in_order("new", "reset", "update")).because(
        "You use the first third of the rows for the candidate; the order is reset, update, candidate.", GATES
    ),
    mistake("the update gate for the reset gate", {"reset * new_h": "update * new_h"}).because(
        "You multiply by the update gate inside the candidate. Multiply by the reset gate.", INSIDE
    ),
    *(
        mistake(f"the {gate} gate: {parts}", {f"{gate}_x + {gate}_h": parts}).because(
            f"Your {gate} gate reads {what} of the {other} gate; read those of the {gate} gate alone.", GATES
        )
        for gate, other, what, parts in (
            ("update", "reset", "the rows for h", "update_x + reset_h"),
            ("update", "reset", "the rows for x", "reset_x + update_h"),
            ("update", "reset", "all rows", "reset_x + reset_h"),
            ("reset", "update", "the rows for h", "reset_x + update_h"),
            ("reset", "update", "the rows for x", "update_x + reset_h"),
        )
    ),
    mistake("update gate inverted", {RESULT: "update * candidate + (1 - update) * h"}).because(
        "Your update gate is inverted; a gate of 1 must keep the old state.", MIX
    ),
    mistake("update gate for the candidate alone", {RESULT: "(1 - update) * candidate + h"}).because(
        "You add the whole old state; multiply it by the update gate.", MIX
    ),
    mistake("update gate for the old state alone", {RESULT: "candidate + update * h"}).because(
        "You add the whole candidate; multiply it by 1 minus the update gate.", MIX
    ),
    mistake("both in full", {RESULT: "candidate + h"}).because(
        "You add up candidate and old state; weight them with 1 − z and z.", MIX
    ),
    mistake("old state times the reset gate too", {RESULT: "(1 - update) * candidate + update * reset * h"}).because(
        "You multiply the old state by the reset gate too; multiply it only by the update gate.", MIX
    ),
    mistake("half of each", {RESULT: "(candidate + h) / 2"}).because(
        "You take the mean of candidate and old state; weight them with 1 − z and z.", MIX
    ),
    mistake("old state forgotten", {RESULT: "(1 - update) * candidate"}).because(
        "Your result does not contain the old state; add it, times the update gate.", MIX
    ),
    mistake(
        "update gate not quite whole",
        {"torch.sigmoid(update_x + update_h)": "torch.sigmoid(update_x + update_h).clamp(max=1 - 1e-4)"},
        shown_by="with update gates of 1 the state changes",
    ).because("You keep the update gate below 1, so a state leaks away step by step; let the gate reach 1.", MIX),
    mistake("candidate returned", {RESULT: "candidate"}).because(
        "You return the candidate; mix it with the old state.", MIX
    ),
    mistake("candidate before update", in_order("reset", "new", "update")).because(
        "You use the second third of the rows for the candidate; the order is reset, update, candidate.", GATES
    ),
    mistake("all three reversed", in_order("new", "update", "reset")).because(
        "You read the three parts backwards; the order is reset, update, candidate.", GATES
    ),
    mistake(
        "cut by view",
        {
            "of_x.chunk(3, dim=-1)": "of_x.reshape(3, len(x), -1)",
            "of_h.chunk(3, dim=-1)": "of_h.reshape(3, len(x), -1)",
        },
    ).because(
        "You reshape [B, 3·H] to [3, B, H], which mixes samples and gates; cut along the last axis, with chunk.", GATES
    ),
    mistake(
        "every third row",
        {
            "of_x.chunk(3, dim=-1)": "(of_x[:, i::3] for i in range(3))",
            "of_h.chunk(3, dim=-1)": "(of_h[:, i::3] for i in range(3))",
        },
    ).because("You give every third row to a gate; give the first H rows to one gate, the next H to the next.", GATES),
)

OF_RESET = (
    mistake(
        "reset gate on h",
        {"reset * new_h": '((reset * h) @ weights["weight_hh"].chunk(3)[2].T + weights["bias_hh"].chunk(3)[2])'},
    ).because("You reset h before W_hn, as the first paper did; multiply W_hn h + b_hn by the gate.", INSIDE),
    mistake(
        "bias outside the reset gate",
        {"reset * new_h": '(reset * (new_h - weights["bias_hh"].chunk(3)[2]) + weights["bias_hh"].chunk(3)[2])'},
    ).because("Your reset gate does not multiply b_hn; multiply W_hn h + b_hn as a whole.", INSIDE),
    mistake("no reset gate", {"new_x + reset * new_h": "new_x + new_h"}).because(
        "You never use the reset gate; multiply W_hn h + b_hn by it.", "How can the cell ignore its past?"
    ),
    mistake("reset gate on both", {"new_x + reset * new_h": "reset * (new_x + new_h)"}).because(
        "Your reset gate multiplies the part from x too; multiply only the part from h.", INSIDE
    ),
    mistake("reset gate on x", {"new_x + reset * new_h": "reset * new_x + new_h"}).because(
        "Your reset gate multiplies the part from x; multiply the part from h.", INSIDE
    ),
    mistake("reset gate inverted", {"reset * new_h": "(1 - reset) * new_h"}).because(
        "Your reset gate is inverted; a gate of 0 must forget the state.", INSIDE
    ),
)

OF_NUMBERS = (
    mistake("sigmoid for the candidate", {"torch.tanh(": "torch.sigmoid("}).because(
        "You apply a sigmoid to the candidate; apply a tanh, because a state may be negative.", RANGE
    ),
    mistake(
        "tanh for the gates",
        {"reset = torch.sigmoid(": "reset = torch.tanh(", "update = torch.sigmoid(": "update = torch.tanh("},
    ).because("You apply a tanh to the gates; apply a sigmoid, because a gate is between 0 and 1.", RANGE),
    mistake("relu for the candidate", {"torch.tanh(": "torch.relu("}).because(
        "You apply a ReLU to the candidate; apply a tanh, because a state is between −1 and 1.", RANGE
    ),
    *(
        mistake(f"tanh for the {gate} gate", {f"{gate} = torch.sigmoid(": f"{gate} = torch.tanh("}).because(
            f"You apply a tanh to the {gate} gate; apply a sigmoid, because a gate is between 0 and 1.", RANGE
        )
        for gate in ("reset", "update")
    ),
    mistake("hard sigmoid", {"torch.sigmoid(": "torch.nn.functional.hardsigmoid("}, times=2).because(
        "Your gates are pieces of straight lines; apply a sigmoid.", RANGE
    ),
    mistake("no tanh", {"torch.tanh(new_x + reset * new_h)": "new_x + reset * new_h"}).because(
        "You leave out the tanh of the candidate, so the state can grow without limit; apply it.", RANGE
    ),
    mistake("gates not squashed", {"torch.sigmoid(": "("}, times=2).because(
        "You leave out the sigmoid of the gates; apply it.", RANGE
    ),
    mistake("no biases", {' + weights["bias_hh"]': "", ' + weights["bias_ih"]': ""}).because(
        "You never add a bias; add bias_ih to the part from x, and bias_hh to the part from h.", BIASES
    ),
    mistake("bias_ih twice", {'weights["bias_hh"]': 'weights["bias_ih"]'}).because(
        "You add bias_ih to the part from h too; add bias_hh there.", BIASES
    ),
    mistake("bias_hh twice", {'weights["bias_ih"]': 'weights["bias_hh"]'}).because(
        "You add bias_hh to the part from x too; add bias_ih there.", BIASES
    ),
    mistake("bias_hh forgotten", {' + weights["bias_hh"]': ""}).because(
        "You never add bias_hh; add it to the part from h.", BIASES
    ),
    *(
        mistake(f"bias_{of} left out of both gates", {sums: without(sums, of) for sums in GATE_SUMS}).because(
            f"You leave bias_{of} out of the gates; it has a part for each of them too.", BIASES
        )
        for of in ("ih", "hh")
    ),
    *(
        mistake(f"bias_{of} left out of {gate}", {sums: without(sums, of)}).because(
            f"You leave bias_{of} out of {gate}; it has a part for it too.", BIASES
        )
        for of in ("ih", "hh")
        for gate, sums in zip(("the reset gate", "the update gate", "the candidate"), SUMS, strict=True)
    ),
    mistake("bias_ih forgotten", {' + weights["bias_ih"]': ""}).because(
        "You never add bias_ih; add it to the part from x.", BIASES
    ),
    mistake(
        "weights not transposed",
        {'weights["weight_ih"].T': 'weights["weight_ih"]', 'weights["weight_hh"].T': 'weights["weight_hh"]'},
    ).because(
        "The weights are [3·H, I] and [3·H, H], as in nn.Linear: x [B, I] meets their transpose.",
        "Does nn.Linear compute x Wᵀ or x W?",
    ),
    mistake("gates from x alone", {"reset_x + reset_h": "reset_x", "update_x + update_h": "update_x"}).because(
        "Your gates depend only on x; add the part from h.",
        "May the state affect what is forgotten?",
    ),
    mistake("a tuple returned", {RESULT: f"{RESULT}, candidate"}).because(
        "You return a pair; return one state, which is also the output.",
        "How many states does a GRU have, and how many an LSTM?",
    ),
    mistake(
        "tanh and sigmoid exchanged",
        {
            "reset = torch.sigmoid(": "reset = torch.tanh(",
            "update = torch.sigmoid(": "update = torch.tanh(",
            "candidate = torch.tanh(": "candidate = torch.sigmoid(",
        },
    ).because("You swap tanh and sigmoid; the gates need a sigmoid, the candidate a tanh.", RANGE),
    mistake(
        "biases exchanged",
        {
            'weights["bias_ih"]': 'weights["bias_HH"]',
            'weights["bias_hh"]': 'weights["bias_ih"]',
            'weights["bias_HH"]': 'weights["bias_hh"]',
        },
    ).because(
        "You swap bias_hh and bias_ih; add bias_hh to the part from h, which the reset gate multiplies.",
        "Which of the two biases of the candidate does the reset gate multiply?",
    ),
)

BESIDES = (
    overwrites(
        "h",
        {RESULT: "h.copy_((1 - update) * candidate + update * h)"},
        "the caller has lost the old state.",
        "state changed in place",
    ),
    overwrites(
        "weights",
        {"of_x = x @": 'weights["bias_ih"] += 0 * weights["bias_ih"] + 1e-3; of_x = -1e-3 + x @'},
        "the next step starts from different ones.",
        "weights changed in place",
    ),
    in_double_precision("state", {RESULT: f"({RESULT}).double()"}),
    mistake(
        "cut from the graph",
        {RESULT: f"({RESULT}).detach()"},
        shown_by="no gradient reaches bias_hh, bias_ih, h, weight_hh and 2 more",
    ).because(
        "Your state is detached from the graph, so no gradient flows back through time.",
        "Which call in your code cuts the graph: .data, .detach(), .item(), torch.tensor?",
    ),
    mistake(
        "state cut from the graph",
        {STATE: STATE.replace("h @", "h.detach() @"), "update * h": "update * h.detach()"},
        shown_by="no gradient reaches h",
    ).because(
        "You detach the old state before you use it, so the cell learns nothing about earlier steps.",
        "Which call in your code cuts the graph?",
    ),
    mistake("reset gate cut from the graph", {"reset * new_h": "reset.detach() * new_h"}).because(
        "Your reset gate is detached from the graph, so its weights get no gradient. Keep it in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
)

MISTAKES = OF_GATES + OF_RESET + OF_NUMBERS + BESIDES
