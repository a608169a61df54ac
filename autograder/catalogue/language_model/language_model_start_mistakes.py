"""What goes wrong in how a `LanguageModel` starts."""

from autograder.catalogue.edits import mistake

ADDS = "How many numbers of what size does the residual path add up, and from which matrices?"
LOSS = "What is the loss of a model that gives all V tokens the same probability?"
SCALED = "0.02 / math.sqrt(2 * num_layers) if added else 0.02"
ADDED = 'name.endswith(("o_proj.weight", "down_proj.weight"))'
INIT = "nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * num_layers) if added else 0.02)"

START_MISTAKES = (
    mistake("torch's initialisation", {INIT: "pass"}).because(
        "nn.Embedding starts as N(0, 1). As an output layer that makes logits of the size of √D, and the loss starts "
        "far above ln V: initialise with a standard deviation of 0.02.",
        LOSS,
    ),
    *(
        mistake(f"only {one} smaller", {ADDED: f'name.endswith("{one}.weight")'}).because(
            f"Of the matrices that add to the residual path only {one} starts smaller; {other} does so too.", ADDS
        )
        for one, other in (("o_proj", "down_proj"), ("down_proj", "o_proj"))
    ),
    *(
        mistake(f"{other} for {one} smaller", {ADDED: ADDED.replace(one, other)}).because(
            f"You give {other} the smaller start; give it to {one}, which adds to the residual path.", ADDS
        )
        for one, other in (("down_proj", "up_proj"), ("down_proj", "gate_proj"), ("o_proj", "v_proj"))
    ),
    mistake(
        "all of the feed-forward smaller", {ADDED: 'name.endswith("o_proj.weight") or "feed_forward" in name'}
    ).because(
        "You give all three matrices of the feed-forward the smaller start; only down_proj adds to the residual path.",
        ADDS,
    ),
    mistake("all matrices smaller", {ADDED: "True"}).because(
        "You give all matrices the smaller start; only o_proj and down_proj have it.", ADDS
    ),
    mistake("uniform", {INIT: "nn.init.uniform_(parameter, -0.02, 0.02)"}).because(
        "Your matrices start too narrow, as uniform numbers between −0.02 and 0.02 do; draw them from N(0, 0.02²).",
        "What is the standard deviation of uniform numbers between −1 and 1?",
    ),
    mistake(
        "uniform with the same deviation",
        {INIT: f"bound = math.sqrt(3) * ({SCALED})\n                nn.init.uniform_(parameter, -bound, bound)"},
    ).because(
        "You draw your matrices from a uniform distribution; draw them from N(0, 0.02²).",
        "How often is a number of N(0, 1) above 2?",
    ),
    mistake(
        "uniform, the smaller ones too",
        {INIT: f"bound = {SCALED}\n                nn.init.uniform_(parameter, -bound, bound)"},
    ).because(
        "Your matrices start too narrow, as uniform numbers between −0.02 and 0.02 do; draw them from N(0, 0.02²).",
        "What is the standard deviation of uniform numbers between −1 and 1?",
    ),
    mistake("row 0 of the table zeroed", {INIT: f"{INIT}\n        nn.init.zeros_(self.embedding.weight[0])"}).because(
        "A row of the embedding starts as zeros, as that of a padding token does; here every token is an ordinary one.",
        "Which rows of the table start as N(0, 0.02²)?",
    ),
    mistake(
        "copies of one block",
        {
            INIT: f"{INIT}\n        for block in self.blocks:\n"
            "            block.load_state_dict(self.blocks[0].state_dict())"
        },
    ).because(
        "Your blocks start as copies of the first, with the same numbers; draw new ones for each block.",
        "Which numbers does block 1 start with, and which block 0?",
    ),
    mistake("Xavier, uniform", {INIT: "nn.init.xavier_uniform_(parameter)"}).because(
        "Your matrices start as wide as their sizes say (Xavier does that); here all have 0.02, but for o_proj and "
        "down_proj.",
        "Does 0.02 depend on the size of the matrix?",
    ),
    mistake("all projections of attention smaller too", {ADDED: 'name.endswith("proj.weight")'}).because(
        "You give every projection the smaller start; only o_proj and down_proj have it.", ADDS
    ),
    mistake("only the embedding initialised", {INIT: "nn.init.normal_(self.embedding.weight, std=0.02)"}).because(
        "You initialise only the embedding; the matrices of the blocks start as N(0, 0.02²) too.", LOSS
    ),
    mistake("only the blocks initialised", {"self.named_parameters()": "self.blocks.named_parameters()"}).because(
        "You initialise only the blocks and leave the embedding at N(0, 1): initialise it like the other matrices.",
        LOSS,
    ),
    *(
        mistake(f"variance for standard deviation, {which}", {SCALED: scaled}).because(
            "0.02 is the standard deviation; you use it as the variance.", "What does `std` mean in nn.init.normal_?"
        )
        for which, scaled in (
            ("and the smaller ones right", "0.02 / math.sqrt(2 * num_layers) if added else 0.02**0.5"),
            ("the smaller ones too", "(0.02 / (2 * num_layers)) ** 0.5 if added else 0.02**0.5"),
        )
    ),
    mistake("Xavier", {INIT: "nn.init.xavier_normal_(parameter)"}).because(
        "Your matrices start as wide as their sizes say (Xavier does that); here all have 0.02, but for o_proj and "
        "down_proj.",
        "Does 0.02 depend on the size of the matrix?",
    ),
    mistake("one standard deviation for all", {SCALED: "0.02"}).because(
        "o_proj and down_proj, which add to the residual path, start smaller: divide by √(2 · num_layers).",
        ADDS,
    ),
    mistake("divided by the root of the layers", {"math.sqrt(2 * num_layers)": "math.sqrt(num_layers)"}).because(
        "Each block adds twice to the residual path: divide by √(2 · num_layers).",
        "How many sub-layers add to the residual path?",
    ),
    mistake("divided by the layers", {"math.sqrt(2 * num_layers)": "(2 * num_layers)"}).because(
        "You divide by 2 · num_layers; divide by its root.", "What is the variance of a sum of n numbers?"
    ),
    mistake("variance for standard deviation", {SCALED: "0.02**0.5"}).because(
        "0.02 is the standard deviation; you use it as the variance.", "What does `std` mean in nn.init.normal_?"
    ),
    mistake(
        "only linear layers initialised",
        {"if parameter.dim() == 2:": 'if parameter.dim() == 2 and "embedding" not in name:'},
    ).because("You leave the embedding at N(0, 1): initialise it like the other matrices.", LOSS),
    *(
        mistake(
            f"{one} left as it is where it is not tied",
            {"if parameter.dim() == 2:": f'if parameter.dim() == 2 and (tied or "{one}" not in name):'},
        ).because(
            f"With tied=False you leave the {one} at torch's own start. Initialise it like the other matrices.",
            "Which matrices does a model with tied=False have, and which of them do you initialise?",
        )
        for one in ("embedding", "output")
    ),
    mistake("norms initialised as well", {"if parameter.dim() == 2:": "if True:"}).because(
        "You initialise the norms' weights too; they start as ones.", "What does a norm with weights near 0 return?"
    ),
)
