"""What goes wrong in `split_heads`."""

from autograder.catalogue.edits import wrong

MOVE = ".transpose(1, 2)"
SPLIT = f"unflatten(-1, (num_heads, width // num_heads)){MOVE}"

MISTAKES = (
    wrong(
        "view in the place of transpose",
        {SPLIT: "reshape(len(x), num_heads, -1, width // num_heads)"},
        "You reshape straight to [B, h, T, d]: the shape is right, but tokens and features are mixed up.",
        "Which numbers stand next to each other in x: those of one token, or those of one head?",
    ),
    wrong(
        "axes not exchanged",
        {MOVE: ""},
        "Your result is [B, T, h, d]: the axis of the heads must come before the one of the tokens.",
        "Over which two axes will the scores be a matrix product?",
    ),
    wrong(
        "every h-th feature",
        {SPLIT: "unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)"},
        "Your head 0 gets the features 0, h, 2h, …; its piece is to be the first d features.",
        "When the last axis becomes two, which of them runs faster?",
    ),
    wrong(
        "number of heads taken for their width",
        {"(num_heads, width // num_heads)": "(-1, num_heads)"},
        "You make heads of width num_heads; num_heads counts the heads, their width is what is left.",
        "12 features and 3 heads: how wide is a head?",
    ),
    wrong(
        "features before tokens",
        {MOVE: ".permute(0, 2, 3, 1)"},
        "Your result is [B, h, d, T]; the features must be the last axis.",
        "Which axis does the dot product of a query and a key sum over?",
    ),
    wrong(
        "heads before the batch",
        {MOVE: ".permute(2, 0, 1, 3)"},
        "Your result is [h, B, T, d]: the batch must stay the first axis.",
        "Along which new axis do you stack the pieces?",
    ),
    wrong("heads in reverse order", {MOVE: f"{MOVE}.flip(1)"}),
    wrong(
        "transposed before the split",
        {SPLIT: "transpose(1, 2).reshape(len(x), num_heads, -1, width // num_heads)"},
        "You exchange the axes first and reshape then: the features of a token no longer lie together.",
        "Which must come first: cutting the last axis in two, or moving axes?",
    ),
    wrong(
        "heads joined to the batch",
        {MOVE: f"{MOVE}.flatten(0, 1)"},
        "Your result has three axes, [B·h, T, d]; the heads are to have an axis of their own.",
        "How many axes has [B, h, T, d]?",
    ),
    wrong("the first head for all", {MOVE: f"{MOVE}[:, :1].expand(-1, num_heads, -1, -1)"}),
    wrong(
        "axes of size one squeezed away",
        {MOVE: f"{MOVE}.squeeze()"},
        "squeeze removes every axis of size 1: with one head, one token or one sample the shape falls apart.",
        "What does squeeze() do to a batch of one?",
    ),
    wrong(
        "cut from the graph",
        {"return x": "return x.detach()"},
        "The heads are cut off from the input, so no gradient flows back through them.",
        "Which call in your code cuts the graph: .data, .detach(), .tolist(), torch.tensor?",
    ),
)
