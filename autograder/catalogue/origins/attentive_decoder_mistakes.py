"""What goes wrong in the formula of `AttentiveDecoder`."""

from autograder.catalogue.edits import mistake

START = "What is the first state made of if a third of the memory is padding?"
ASKS = "Which state exists when step t starts, and which only when it ends?"
BOTH = "Which two things does the output read, and which two the cell?"
SHAPES = "Which axis of [B, T, V] are the steps?"

MEAN = "total / seen.sum(dim=1, keepdim=True).clamp(min=1)"
FIRST = f"self.start({MEAN})"
ASK = "context, weights = self.attention(state, memory, mask)"
CELL = "state = self.cell(torch.cat([token, context], dim=-1), state)"
GUESS = "self.output(torch.cat([state, context], dim=-1))"
RESULT = "return torch.stack(logits, dim=1), torch.stack(attention, dim=1)"

OF_THE_START = (
    mistake("tanh after start", {FIRST: f"torch.tanh({FIRST})"}).because(
        "Your first state goes through a tanh; leave the output of `start` unchanged.",
        "What does the docstring say comes after `start`?",
    ),
    mistake("padding in the mean", {MEAN: "memory.mean(dim=1)"}).because(
        "Your mean includes the padding, so a sentence's start depends on its neighbours' lengths; leave the "
        "padding out.",
        START,
    ),
    mistake("padding counted", {MEAN: "total / memory.shape[1]"}).because(
        "You add up the visible memory but divide by S; divide by the number of visible positions.", START
    ),
    mistake("padding added", {MEAN: MEAN.replace("total", "memory.sum(dim=1)")}).because(
        "You divide by the number of visible positions but add up the padding too; leave it out.", START
    ),
    mistake("sum instead of the mean", {MEAN: "total"}).because(
        "You take the sum of the memory; take the mean.", START
    ),
    mistake("the last of the memory", {MEAN: "memory[:, -1]"}).because(
        "You start from the last vector of the memory; start from the mean of the visible ones.", START
    ),
    mistake(
        "the last that is visible", {MEAN: "memory[torch.arange(len(memory)), seen.cumsum(dim=1).argmax(dim=1)]"}
    ).because("You start from the last visible vector of the memory; start from the mean of the visible ones.", START),
    mistake("zeros at the start", {FIRST: f"torch.zeros_like({FIRST})"}).because(
        "Your first state is zero; compute it with `start`.", START
    ),
    mistake(
        "0 / 0 for a memory of padding", {".clamp(min=1)": ""}, shown_by="a memory of padding alone gives NaN"
    ).because(
        "If the whole memory is padding you divide 0 by 0; divide by at least 1.",
        "By what do you divide if nothing is visible?",
    ),
    mistake(
        "the mean of the padding where nothing is seen",
        {MEAN: f"torch.where(seen.any(dim=1, keepdim=True), {MEAN}, memory.mean(dim=1))"},
    ).because(
        "If the whole memory is padding you start from the mean of the padding; start from a mean of zeros.", START
    ),
    mistake("a state of zeros where nothing is seen", {FIRST: f"{FIRST} * seen.any(dim=1, keepdim=True)"}).because(
        "If the whole memory is padding your first state is zero; pass a mean of zeros through `start`.",
        "What does `start` return for zeros?",
    ),
    mistake(
        "the first n of the memory",
        {
            "        total = ": "        seen = seen.sort(dim=1, descending=True).values\n        total = ",
        },
    ).because(
        "Your mean is over the first n vectors of the memory, where n is the number of visible ones; take the visible "
        "ones, wherever they are.",
        "Must the padding come last?",
    ),
    mistake("mask inverted in the mean", {"(mask != 0).to(": "(mask == 0).to("}).because(
        "Your mean is over the padding; take it over the real positions.", START
    ),
    mistake("the first of the memory", {MEAN: "memory[:, 0]"}).because(
        "You start from the first vector of the memory; start from the mean of the visible ones.", START
    ),
)

OF_THE_STEP = (
    mistake("asks after the step", {CELL: f"{CELL}\n            {ASK}"}).because(
        "You attend with the state of step t; use the state of step t − 1, before the cell runs.", ASKS
    ),
    mistake(
        "asks after the step, and the cell reads the context before",
        {
            f"state = {FIRST}": f"state = {FIRST}\n        context = torch.zeros_like(memory[:, 0])",
            ASK: "pass",
            CELL: f"{CELL}\n            {ASK}",
        },
    ).because("You attend with the state of step t, after the cell; attend with that of step t − 1, before it.", ASKS),
    mistake(
        "the first state asks every time",
        {f"state = {FIRST}": f"state = first = {FIRST}", "self.attention(state, ": "self.attention(first, "},
    ).because(
        "You use the first state as the query at every step, so the attention never moves; use the latest state.", ASKS
    ),
    mistake(
        "the first token at every step",
        {"self.embedding(tokens).unbind": "self.embedding(tokens[:, :1].expand_as(tokens)).unbind"},
    ).because("Your cell reads the first token at every step; read token t at step t.", BOTH),
    mistake("the token asks", {"self.attention(state, ": "self.attention(token, "}).because(
        "You use the token as the query; use the state, because it knows what has been written.", ASKS
    ),
    mistake(
        "state not carried on", {CELL: CELL.replace("state = ", "new = "), GUESS: GUESS.replace("state", "new")}
    ).because(
        "You start every step with the first state, which forgets what has been written; use the latest state.",
        "What does the cell return, and where is it needed next?",
    ),
    mistake(
        "the cell always starts from the first state",
        {f"state = {FIRST}": f"state = first = {FIRST}", CELL: CELL.replace(", state)", ", first)")},
    ).because(
        "Your cell gets the first state at every step, so it forgets what has been written; give it the latest state.",
        "What does the cell return, and where is it needed next?",
    ),
    mistake("cell without its state", {CELL: "state = self.cell(torch.cat([token, context], dim=-1))"}).because(
        "You call the cell without a state, so nn.GRUCell starts at zero each time; pass the state.",
        "Which two arguments does nn.GRUCell take?",
    ),
    mistake(
        "output from the old state",
        {CELL: f"old, state = state, {CELL.removeprefix('state = ')}", GUESS: GUESS.replace("state", "old")},
    ).because(
        "Your output reads the state from before the step, which does not know the latest token; use the new state.",
        BOTH,
    ),
    mistake("context before token", {CELL: CELL.replace("token, context", "context, token")}).because(
        "Your cell reads [context, embedding]; use [embedding, context].", BOTH
    ),
    mistake("context before state", {GUESS: GUESS.replace("state, context", "context, state")}).because(
        "Your output reads [context, state]; use [state, context].", BOTH
    ),
    mistake(
        "no context in the output",
        {
            "self.output = nn.Linear(model_dim + memory_dim, ": "self.output = nn.Linear(model_dim, ",
            "torch.cat([state, context], dim=-1)": "state",
        },
    ).because("Your output reads only the state; add the context.", BOTH),
    mistake(
        "no context in the cell",
        {
            "nn.GRUCell(model_dim + memory_dim, ": "nn.GRUCell(model_dim, ",
            "torch.cat([token, context], dim=-1)": "token",
        },
    ).because(
        "Your cell reads only the token, so what was found in the memory leaves no trace; add the context.", BOTH
    ),
    mistake(
        "token in the output",
        {
            "self.output = nn.Linear(model_dim + memory_dim, ": "self.output = nn.Linear(2 * model_dim + memory_dim, ",
            GUESS: GUESS.replace("context]", "context, token]"),
        },
    ).because("Your output reads the token too, as in the first paper; use only state and context.", BOTH),
    mistake(
        "the cell reads the context before",
        {
            "logits, attention = [], []": "logits, attention, before = [], [], None",
            CELL: CELL.replace("context]", "context if before is None else before]") + "\n            before = context",
        },
    ).because("Your cell reads the context of the step before; give it the context of this step.", BOTH),
    mistake(
        "its own predictions fed back",
        {
            CELL: f"token = self.embedding(logits[-1].argmax(dim=-1)) if logits else token\n            {CELL}",
        },
    ).because(
        "Your cell reads the decoder's own predictions; read the tokens that the caller passes, token t at step t.",
        BOTH,
    ),
    mistake(
        "the state kept at token 0",
        {
            CELL: CELL.replace("state = ", "new = ")
            + "\n            state = torch.where((tokens[:, len(logits)] != 0).unsqueeze(-1), new, state)"
        },
    ).because(
        "You leave the state unchanged at token 0, as if it were padding; every token is an ordinary one here.", BOTH
    ),
    mistake("no more steps than memory", {".unbind(dim=1):": ".unbind(dim=1)[: memory.shape[1]]:"}).because(
        "You take at most as many steps as the memory has vectors; take one for each token.",
        "What does zip do with the rest of the longer one?",
    ),
    mistake(
        "tokens one step late", {"self.embedding(tokens).unbind": "self.embedding(tokens).roll(1, dims=1).unbind"}
    ).because(
        "You shift the tokens yourself; leave them, because they are already shifted.",
        "Which prepends <bos>: the caller or the decoder?",
    ),
    mistake("mask not passed on", {"(state, memory, mask)": "(state, memory)"}).because(
        "You do not pass the mask to the attention, so the decoder reads the padding; pass it.",
        "Which needs the mask: the mean, the attention, or both?",
    ),
    mistake(
        "asks with both states",
        {
            CELL: f"old, {CELL.replace('= ', '= state, ', 1)}\n"
            "            weights = self.attention((state + old) / 2, memory, mask)[1]"
        },
    ).because("You return the attention of the state after the step; return that of the state before it.", ASKS),
    mistake(
        "embedding scaled",
        {"self.embedding(tokens).unbind": "(self.embedding(tokens) * self.cell.hidden_size**0.5).unbind"},
    ).because(
        "You multiply the embedding by a root, as the Transformer does; leave it unscaled.",
        "Is there a root in the docstring?",
    ),
)

OF_THE_RESULT = (
    mistake("output from token and context", {GUESS: GUESS.replace("[state,", "[token,")}).because(
        "Your output reads the token instead of the state; use [state, context].", BOTH
    ),
    mistake(
        "the new state asks for the output's context",
        {GUESS: GUESS.replace("context]", "self.attention(state, memory, mask)[0]]")},
    ).because("Your output uses a context computed from the new state; use the one that the cell has read.", BOTH),
    mistake("output without the context", {GUESS: GUESS.replace("context]", "0 * context]")}).because(
        "The context doesn't affect your logits; give it to `output`, beside the state.", BOTH
    ),
    mistake(
        "tokens shifted again", {"self.embedding(tokens)": "self.embedding(nn.functional.pad(tokens, (1, -1)))"}
    ).because("You shift the tokens, but the caller has already done it; use them unchanged.", BOTH),
    mistake("results exchanged", {RESULT: "return torch.stack(attention, dim=1), torch.stack(logits, dim=1)"}).because(
        "You return the attention first; return the logits, then the attention.",
        "In which order does the docstring list the results?",
    ),
    mistake("probabilities", {f"logits.append({GUESS})": f"logits.append(torch.softmax({GUESS}, dim=-1))"}).because(
        "You return probabilities; return logits.",
        "What does F.cross_entropy expect?",
    ),
    mistake(
        "log-probabilities", {f"logits.append({GUESS})": f"logits.append(torch.log_softmax({GUESS}, dim=-1))"}
    ).because("You return log-probabilities; return logits.", "What does F.cross_entropy expect?"),
    mistake("steps first", {"dim=1), torch.stack(attention, dim=1)": "dim=0), torch.stack(attention, dim=0)"}).because(
        "Your results are [T, B, …]; stack along axis 1.", SHAPES
    ),
    *(
        mistake(
            f"{name} by reshape", {f"torch.stack({name}, dim=1)": f"torch.stack({name}).reshape(*tokens.shape, -1)"}
        ).because(
            f"You stack the {name} along the steps and reshape to [B, T, …], which mixes samples and steps; stack "
            "along axis 1, or transpose.",
            SHAPES,
        )
        for name in ("logits", "attention")
    ),
    mistake("both by reshape", {RESULT: RESULT.replace(", dim=1)", ").reshape(*tokens.shape, -1)")}).because(
        "You stack along the steps and reshape to [B, T, …], which mixes samples and steps; stack along axis 1, or "
        "transpose.",
        SHAPES,
    ),
    mistake("the last step alone", {RESULT: "return logits[-1].unsqueeze(1), attention[-1].unsqueeze(1)"}).because(
        "You return only the last step; return the logits and the attention of every step.", SHAPES
    ),
    mistake(
        "attention of the last step, repeated",
        {"torch.stack(attention, dim=1)": "torch.stack([attention[-1]] * len(attention), dim=1)"},
    ).because("You repeat the last step's attention for every step; return every step's own, [B, T, S].", SHAPES),
    mistake("attention of the last step", {"torch.stack(attention, dim=1)": "attention[-1]"}).because(
        "You return only the last step's attention; return every step's, [B, T, S].", SHAPES
    ),
    mistake("logits alone", {", torch.stack(attention, dim=1)  #": "  #"}).because(
        "You return only the logits; return the attention too.", "How many things does forward return?"
    ),
    mistake("steps backwards", {".unbind(dim=1)": ".flip(1).unbind(dim=1)"}).because(
        "You go through the tokens from the last to the first; start with the first.",
        "Which token does the decoder read first?",
    ),
    mistake(
        "stacked on the last axis", {"dim=1), torch.stack(attention, dim=1)": "dim=2), torch.stack(attention, dim=2)"}
    ).because("Your steps are the last axis, [B, V, T] and [B, S, T]; make them axis 1.", SHAPES),
)

MISTAKES = OF_THE_START + OF_THE_STEP + OF_THE_RESULT
