# ---
# jupyter:
#   course:
#     points: 20
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 14 · Inside the model
#
# You can build a language model and train it. But what has it learned? You know every weight and every activation, and still the answer
# isn't obvious. In this stage you measure what heads look at, silence them, move what they say from one text to another, and read the
# model's opinion before it has finished. You also learn how easily each of these tools misleads.
#
# | exercise | what it is | points |
# |---|---|---|
# | `previous_token_score` | does a head look at the previous token? | 2 |
# | `induction_score` | does it look at what followed last time? | 5 |
# | `ablation_losses` | the loss without one head | 5 |
# | `patch_heads` | one head's output, moved from one text to another | 3 |
# | `logit_lens` | what the model would say if it stopped here | 2 |
# | a question in words | what is an explanation? | 3 |
#
# It needs stage 13. Plan for two hours.

# %% locked=true
import math
from collections.abc import Callable

import torch
from torch import nn

from autograder import check
from course_lib import (
    GroupedQueryAttention,
    LanguageModel,
    RMSNorm,
    needs_your,
    next_token_loss,
    rotate,
    scaled_dot_product,
)
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import inside as pictures
from course_lib.tasks.checkpoint import load_pretrained
from course_lib.tasks.induction import ONE_PERIOD, PERIODS, VOCABULARY, repeated_tokens, train_on_repeats
from course_lib.tasks.language import shakespeare_task

Edit = Callable[[int, torch.Tensor], torch.Tensor]
Looked = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
generator = torch.manual_seed(0)  # the same random numbers each time

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 14.1 A model that lets you look
#
# A model that only returns logits shows nothing. So here is one that also returns its attention maps and the **residual stream**: the
# tokens after the embedding and after every block, which each block reads and adds to (Elhage et al., 2021). It's made of your attention
# and your RMSNorm and has no feed-forward network, so attention is all there is to understand. And it takes an `edit`, a function that's
# called once per layer and may change what the heads say before `o_proj` mixes them. All this is given:


# %% locked=true
def heads_of(block: nn.Module, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """What each head says about x [B, T, D] before o_proj, values [B, h, T, d], and its attention [B, h, T, T]."""
    attention, d, group = block.attention, x.shape[-1] // block.num_heads, block.num_heads // block.num_kv_heads
    positions = torch.arange(x.shape[1], device=x.device)  # [T]
    projections = attention.q_proj, attention.k_proj, attention.v_proj
    q, k, v = (projection(x).unflatten(-1, (-1, d)).transpose(1, 2) for projection in projections)
    q, k = rotate(q, positions, block.base), rotate(k, positions, block.base)
    k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)  # [B, h, T, d]
    return scaled_dot_product(q, k, v, positions <= positions.unsqueeze(-1))


def look_into(model: nn.Module, tokens: torch.Tensor, edit: Edit | None = None) -> Looked:
    """Run a model block by block, and keep what is computed on the way."""
    x = model.embedding(tokens)  # [B, T, D]
    attention, states = [], [x]
    for layer, block in enumerate(model.blocks):
        values, weights = heads_of(block, block.attention_norm(x))  # [B, h, T, d], [B, h, T, T]
        if edit is not None:
            values = edit(layer, values)
        x = x + block.attention.o_proj(values.transpose(1, 2).flatten(2))  # [B, T, D]
        if hasattr(block, "feed_forward"):
            x = x + block.feed_forward(block.feed_forward_norm(x))
        attention.append(weights), states.append(x)
    return model.output(model.norm(x)), torch.stack(attention), torch.stack(states)


class AttentionBlock(nn.Module):
    """The parts of x + attention(attention_norm(x)): a block without a feed-forward."""

    def __init__(self, model_dim: int, num_heads: int):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.base = num_heads, num_heads, 10000.0
        self.attention_norm = RMSNorm(model_dim)
        self.attention = GroupedQueryAttention(model_dim, num_heads, num_heads, self.base)


class AttentionOnly(nn.Module):
    """A language model of attention alone: an embedding, layers of attention, a norm, and an output layer."""

    def __init__(self, vocab_size: int, model_dim: int, num_heads: int, num_layers: int):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, model_dim)
        self.blocks = nn.ModuleList(AttentionBlock(model_dim, num_heads) for _ in range(num_layers))
        self.norm = RMSNorm(model_dim)
        self.output = nn.Linear(model_dim, vocab_size, bias=False)

    def look(self, tokens: torch.Tensor, edit: Edit | None = None) -> Looked:
        return look_into(self, tokens, edit)

    def forward(self, tokens: torch.Tensor, edit: Edit | None = None) -> torch.Tensor:
        return self.look(tokens, edit)[0]  # [B, T, V]


class Hooked(nn.Module):
    """A `LanguageModel` of stage 13 that can be looked into: the same logits, and the methods of `AttentionOnly`."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def look(self, tokens: torch.Tensor, edit: Edit | None = None) -> Looked:
        return look_into(self.model, tokens, edit)

    def forward(self, tokens: torch.Tensor, edit: Edit | None = None) -> torch.Tensor:
        return self.look(tokens, edit)[0]  # [B, T, V]


# %% [markdown]
# `Hooked` does the same for the language model you wrote in stage 13. You'll need it at the end.

# %% [markdown]
# ## 14.2 A text you can predict only by looking back
#
# Take random tokens and repeat them once:
#
# $$\underbrace{\text{7 3 9 4 1}}_{\text{random}}\;\underbrace{\text{7 3 9 4 1}}_{\text{the same again}}$$
#
# In the first half nothing can be predicted. In the second half everything can, by a rule that needs no knowledge of any word: find the
# earlier copy of the current token, and say what followed it. A head that does that is called an **induction head** (Olsson et al., 2022).
# Large language
# models have them, and they appear during training at about the time when the models learn to use long contexts.


# %% tags=["picture"]
@guess_first(
    "50 different tokens, and ln 50 = 3.9. What will the loss of a perfect model be in the first half, and what in the second?",
    ["3.9 and 3.9", "3.9 and 0", "0 and 0", "about 2 in both"],
)
def two_halves():
    pictures.best_possible(math.log(VOCABULARY), period=10)


# %% [markdown]
# The first token of the second half can't be predicted either: nothing says that the repetition starts there.

# %% [markdown]
# ## 14.3 Two steps, two heads
#
# Attention compares a query with keys, so a head in the first layer can find an earlier copy of its token. But it needs the token *after*
# that copy. The solution takes two layers. In the first, a head at every position looks one token back and writes down which token it
# saw: a **previous-token head**. In the second, a head looks for a position that has *written down* its own token.
#
# So there are two patterns to look for, and each becomes a number.

# %% [markdown]
# ### Exercise: `previous_token_score` (2 points, 10 minutes)
#
# **What.** For each head, return the mean weight that a query at t puts on the key at t − 1.
#
# **Shapes.** `attention` [B, h, T, T], queries × keys → [h].
#
# **Must hold.** Queries from t = 1 on: the first token has none before it. One number for each head, the mean over texts and queries
# together. T below 2 raises a ValueError, as the docstring says.
# <!-- Broken by: divided by T; the first text alone; a single token not refused; T not named -->
#
# **Used for.** Finding the head that passes on which token came before.
#
# <details><summary>Hint 1: one weight</summary>That of query t on key t − 1 is <code>attention[:, :, t, t - 1]</code>.</details>
# <details><summary>Hint 2: all of them</summary><code>attention.diagonal(-1, dim1=-2, dim2=-1)</code> is [B, h, T − 1].</details>

# %% exercise="previous_token_score"
from course_lib.inside.head_scores import previous_token_score

# %%
check("previous_token_score", previous_token_score)

# %% [markdown]
# ### Exercise: `induction_score` (5 points, 30 minutes)
#
# **What.** A query at t is *asked* when its token came before. Its *targets* are all keys j with 1 ≤ j ≤ t and tokens[j − 1] = tokens[t]:
# what followed each earlier copy. The score of a head is the weight on all targets, averaged over all asked queries.
#
# **Shapes.** `attention` [B, h, T, T], `tokens` [B, T] → [h].
#
# **Must hold.** Any text, whatever the distances between equal tokens. A key after the query is never a target. The weights on several
# targets are added. Then average over all asked queries of all texts together, and only those. If no query is asked, raise a ValueError.
# <!-- Broken by: a fixed period; keys after the query; the latest target alone; mean over all queries; nothing to look
# for is 0; nothing to look for is NaN -->
#
# **Used for.** Finding induction heads in any text, Shakespeare's included.
#
# <details><summary>Hint 1: equal tokens</summary><code>tokens.unsqueeze(2) == tokens.unsqueeze(1)</code> is [B, T, T]: query t, key i.
# </details>
# <details><summary>Hint 2: the one after</summary>Shift along the keys: <code>targets[:, :, 1:] = same[:, :, :-1]</code>, then
# <code>tril()</code>.</details>
# <details><summary>Hint 3: who is asked</summary><code>targets.any(dim=-1)</code> is [B, T].</details>

# %% exercise="induction_score"
from course_lib.inside.head_scores import induction_score

# %%
check("induction_score", induction_score)

# %% [markdown]
# ## 14.4 A good score that proves nothing
#
# Train two layers of attention on repeated tokens whose first half is always 20 long. Then score every head.


# %% tags=["picture"]
def halves(model, period, texts=64):
    """Attention [L, B, h, T, T], tokens [B, T], and the mean loss of each half, on texts of this period."""
    tokens = repeated_tokens(texts, period, VOCABULARY, torch.Generator().manual_seed(99))
    with torch.no_grad():
        logits, attention, _ = model.look(tokens)
    return (
        attention,
        tokens,
        *(next_token_loss(logits[:, part], tokens[:, part]).item() for part in (slice(0, period), slice(period, None))),
    )


def scores_of(attention, tokens):
    """Both scores of every head, each [L, h]."""
    return (
        torch.stack([induction_score(layer, tokens) for layer in attention]),
        torch.stack([previous_token_score(layer) for layer in attention]),
    )


one_period, _ = train_on_repeats(ONE_PERIOD, steps=300, model_class=AttentionOnly)

with needs_your("previous_token_score", "induction_score"):
    attention, tokens, first, second = halves(one_period, 20)
    induction, previous = scores_of(attention, tokens)
    print(f"loss on the first half {first:.2f}, on the second {second:.2f}")
    print(f"best induction score {induction.max():.2f}, best previous-token score {previous.max():.2f}")


# %% tags=["picture"]
@guess_first(
    "A head with an induction score near 0.9, and a second half without errors. What will this model do with texts of period 7?",
    ["just as well", "a little worse", "it will fail", "even better: they are shorter"],
    needs=["previous_token_score", "induction_score"],
)
def another_period():
    runs = {}
    for period in (20, 7):
        attention, tokens, _, second = halves(one_period, period)
        runs[period] = attention, scores_of(attention, tokens)[0], second
    pictures.best_head_by_period(runs)


# %% [markdown]
# It fails. With a single period the rule “look 19 back” is as good as looking for the token, and RoPE makes it easy: a score can depend on
# distance alone. No head looks at its predecessor, so the two-step mechanism can't be there, and the induction score of 0.87 was measured
# only where both rules agree. **A number from the training distribution can't tell two explanations apart that agree on it.** Test where
# they differ.

# %% [markdown]
# ## 14.5 The real thing
#
# Now each batch gets a new random period, from 5 to 24. Distance no longer helps.

# %% tags=["picture"]
model, losses = train_on_repeats(PERIODS, model_class=AttentionOnly)


@guess_first(
    "Two heads must learn their parts, and neither is of use without the other. How did the loss fall in 800 steps?",
    [
        "in a straight line",
        "fast at first, then more slowly",
        "hardly at all for a long time, then suddenly",
        "not at all",
    ],
)
def how_it_fell():
    pictures.learning_curve(losses, VOCABULARY)


# %% tags=["picture"]
@guess_first(
    "Two layers with four heads each. Where are the previous-token head and the induction head?",
    [
        "both in the first layer",
        "the first in layer 0, the second in layer 1",
        "the other way round",
        "both in every layer",
    ],
    needs=["previous_token_score", "induction_score"],
)
def which_heads():
    attention, tokens, first, second = halves(model, 13)
    induction, previous = scores_of(attention, tokens)
    pictures.best_heads({"previous-token": previous, "induction": induction}, attention, (first, second))


# %% [markdown]
# Layer 0 passes on what came before, layer 1 finds it. The map of the second is a diagonal that starts in the second half, for any period
# you choose, even 31, which never occurred in training.

# %% [markdown]
# ## 14.6 Take it away
#
# A map shows where a head looks, not whether anything depends on it. To find out, silence the head and see how much the loss rises.
# Setting its values to 0 is a blunt way: 0 may be something the next layer has never seen. Replacing them by their mean removes what
# depends on the text and leaves the rest.

# %% [markdown]
# ### Exercise: `ablation_losses` (5 points, 30 minutes)
#
# **What.** For every head, return the loss with only this head silenced, minus the loss without changes.
#
# **Shapes.** `tokens` [B, T], `mask` [B, T] → [L, h]. `model(tokens, edit)` calls `edit(layer, values)` with values [B, h, T, d].
#
# **Must hold.** Only this head of this layer changes. The mean is taken over texts and positions in the run without changes, one number
# for each feature. The mask goes to the loss of every run. The model runs in eval mode and without gradients. The mode of each of its
# parts is restored, even after an error. Another `how` raises a ValueError, as the docstring says.
# <!-- Broken by: every layer; a mean for each text; mask forgotten; never in eval mode; mode not restored after an
# error; how not refused; how not named -->
#
# **Used for.** The heat map below, and the question at the end.
#
# <details><summary>Hint 1: how many</summary>An edit that notes what it gets, and returns it, tells the number of layers and heads and
# all the means.</details>
# <details><summary>Hint 2: one head</summary>If the layer isn't the one, return <code>values</code>. Otherwise
# <code>values = values.clone()</code>, then <code>values[:, head] = …</code></details>
# <details><summary>Hint 3: modes</summary><code>{module: module.training for module in model.modules()}</code>, and
# <code>try … finally</code>.</details>

# %% exercise="ablation_losses"
from course_lib.inside.interventions import ablation_losses

# %%
check("ablation_losses", ablation_losses)


# %% tags=["picture"]
@guess_first(
    "Silence the previous-token head in layer 0. What happens to the loss?",
    ["nothing: the induction head is in layer 1", "it rises", "it falls", "the model breaks"],
    needs=["previous_token_score", "ablation_losses"],
)
def without_one_head():
    tokens = repeated_tokens(64, 13, VOCABULARY, torch.Generator().manual_seed(99))
    pictures.rises({how: ablation_losses(model, tokens, how=how) for how in ("mean", "zero")})
    tokens = repeated_tokens(64, 20, VOCABULARY, torch.Generator().manual_seed(99))
    best = previous_token_score(one_period.look(tokens)[1][0]).argmax()  # of layer 0
    print(
        f"the model of one period, without its best head in layer 0: {ablation_losses(one_period, tokens)[0, best]:+.2f}"
    )


# %% [markdown]
# The induction head finds nothing if no head has written down what came before. Often several heads of layer 1 do the same job, and
# silencing one of them costs little: the others are still there.
#
# The model of a single period is the counterexample. When you silence the head of layer 0 that looks most at the previous token,
# its loss rises by 0.00: layer 1 doesn't read what that head writes. The score of 0.87 said nothing about two steps.

# %% [markdown]
# ## 14.7 Put it back
#
# Ablation asks what breaks. **Patching** asks what's enough to repair. Take two texts, the clean and the corrupt one, that differ at a
# single position, so the model answers differently. Run the corrupt one, but let a single head say what it said in the clean run. How
# much of the right answer comes back? For this model: `… 7 3 … 7` should continue with 3. Replace the first 7, and it can't know.

# %% [markdown]
# ### Exercise: `patch_heads` (3 points, 25 minutes)
#
# **What.** The gap of a run is logit(answer) − logit(wrong) at the last position, averaged over the pairs. For every head, patched into
# the corrupt run: (gap − gap_corrupt) / (gap_clean − gap_corrupt).
#
# **Shapes.** `clean`, `corrupt` [B, T], `answer`, `wrong` [B] → [L, h].
#
# **Must hold.** The corrupt run gets the head's values of the clean run, at all positions, and nothing else. Average the gaps over the
# pairs before you divide. The model runs in eval mode, without gradients, and the mode of each of its parts is restored. Texts of
# different shapes raise a ValueError, as the docstring says.
# <!-- Broken by: the other way round; a mean of ratios; never in eval mode; shapes not refused; shapes not named -->
#
# **Used for.** The heat map below.
#
# <details><summary>Hint 1: three kinds of runs</summary>Clean, with an edit that notes; corrupt, without an edit; corrupt, with an edit
# that patches.</details>
# <details><summary>Hint 2: the logits</summary><code>logits[:, -1].gather(1, answer.unsqueeze(1))</code>.</details>
# <details><summary>Hint 3: the patch</summary><code>values = values.clone()</code>, then <code>values[:, head] = kept[layer][:,
# head]</code>, in one layer only.</details>

# %% exercise="patch_heads"
from course_lib.inside.interventions import patch_heads

# %%
check("patch_heads", patch_heads)


# %% tags=["picture"]
@guess_first(
    "In the corrupt text the first copy of the token is a different token. Which single head can bring the answer back?",
    ["only the induction head", "only the previous-token head", "either of the two", "none of them"],
    needs=["patch_heads"],
)
def put_back():
    generator = torch.Generator().manual_seed(7)
    clean = repeated_tokens(128, 13, VOCABULARY, generator)[:, :20]  # ends at position 6 of the copy
    corrupt, answer = clean.clone(), clean[:, 7]
    corrupt[:, 6] = (clean[:, 6] + 17) % VOCABULARY  # what the last token looks for
    pictures.restored(patch_heads(model, clean, corrupt, answer, (answer + 5) % VOCABULARY))


# %% [markdown]
# The previous-token head's note is what the corrupt text lacks, and with it the whole second layer works again. A single induction head
# restores only its own part, since the others that share the job still find nothing.

# %% [markdown]
# ## 14.8 What does it think halfway?
#
# The residual stream has the same width everywhere, and blocks only add to it. So nothing stops you from reading it early: put the state
# after block 1 through the final norm and the output table, as if there were no more blocks. That's the **logit lens** (nostalgebraist,
# 2020).

# %% [markdown]
# ### Exercise: `logit_lens` (2 points, 15 minutes)
#
# **What.** For every state, return the log-probability of the token that follows.
#
# **Shapes.** `states` [N, B, T, D], `table` [V, D], `tokens` [B, T] → [N, B, T − 1].
#
# **Must hold.** Every state is read, the embedding too, each at position t for the token at t + 1. Each state goes through the norm
# before the table. Large logits stay finite.
# <!-- Broken by: the last token again; norm forgotten; logarithm of a softmax -->
#
# **Used for.** The table of words below.
#
# <details><summary>Hint 1: logits</summary><code>norm(states) @ table.T</code> is [N, B, T, V].</details>
# <details><summary>Hint 2: one of V</summary><code>gather(-1, ids)</code> wants ids with as many axes as the table it reads from.</details>

# %% exercise="logit_lens"
from course_lib.inside.lens import logit_lens

# %%
check("logit_lens", logit_lens)


# %% [markdown]
# ## 14.9 Your Shakespeare
#
# All these tools work on the model of stage 13: three layers, four heads each, with feed-forward networks in between, trained on a text
# that wasn't made for this purpose.

# %% tags=["picture"]
task, trained = shakespeare_task(), Hooked(load_pretrained("shakespeare", LanguageModel).cpu())


# %% tags=["picture"]
@guess_first(
    "The lens reads the Shakespeare model after the embedding and after each of its three blocks. How does the loss fall?",
    ["all at the last block", "step by step", "all at the first block", "it rises before it falls"],
    needs=["logit_lens"],
)
def layer_by_layer():
    text = "KING RICHARD:\nWhat is the matter"
    tokens = torch.tensor([task.tokens.encode(text)])
    with torch.no_grad():
        _, _, states = trained.look(tokens)
        read = logit_lens(states, trained.model.norm, trained.model.output.weight, tokens)[:, 0]  # [4, T - 1]
        best = (trained.model.norm(states[:, 0]) @ trained.model.output.weight.T).argmax(dim=-1)  # [4, T]
    said = [task.tokens.decode(row.tolist()) for row in best]
    pictures.read_early(read, said, text, start=text.index("What"))


# %% [markdown]
# The embedding can only say something about its own token, tied as it is to the output table. Each block corrects the prediction.


# %% tags=["picture"]
@guess_first(
    "Does a model of Shakespeare's characters have previous-token heads? And induction heads?",
    ["neither", "previous-token heads only", "both", "induction heads only"],
    needs=["previous_token_score", "induction_score", "ablation_losses"],
)
def shakespeares_heads():
    text = task.validation_ids[: 16 * 96].view(16, 96)
    random = repeated_tokens(16, 24, len(task.tokens), torch.Generator().manual_seed(3))
    with torch.no_grad():
        in_text, in_random = trained.look(text)[1], trained.look(random)[1]
    tables = {
        "previous-token score": torch.stack([previous_token_score(layer) for layer in in_text]),
        "induction, random letters": torch.stack([induction_score(layer, random) for layer in in_random]),
        "rise of the loss": ablation_losses(trained, text),
    }
    pictures.three_scores(tables)


# %% [markdown]
# One head of layer 1 puts about three quarters of its weight on the previous token, and without it the loss rises most. But on random
# letters no head does induction: this model has learned to spell, not to copy. The other heads fit neither name. Real models are rarely as
# tidy as the ones that explain them. Type a text of your own and see.

# %% tags=["picture"]
from course_lib.notebook.widgets import head_reader

with needs_your("previous_token_score"):
    head_reader(trained, task.tokens, "to be or not to be").show()

# %% [markdown]
# ### Question: what is an explanation? (3 points, 15 minutes)
#
# <!-- variant: high-score -->
# A head has an induction score of 0.9. You silence it, and the loss doesn't rise. Give two explanations that fit both facts, and for each
# an experiment that could show it wrong. Which of the two numbers would you report as “what this head does”, and why? A person
# will grade this answer.
# <!-- variant: low-score -->
# A head has an induction score of 0.05. You silence it by setting its values to 0, and the loss on repeated texts rises more than without
# any other head. Give two explanations that fit both facts, and for each an experiment that could show it wrong. Which of the two numbers
# would you report as “what this head does”, and why? A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="what_is_an_explanation" points=3
# BEGIN SOLUTION
# <!-- variant: high-score -->
# First explanation: other heads do the same job and take over, so the loss without one of them doesn't rise. Experiment: silence all heads
# with a high induction score together. If the loss still doesn't rise, the explanation is wrong.
#
# Second explanation: the head looks at the right place, but nothing that it reads there is used: its values, or what o_proj makes of them,
# hardly change the logits. Experiment: patch only this head from a clean into a corrupt run, or take its contribution to the logit of the
# answer. If it restores much of the answer, the explanation is wrong. (Also right: the score was measured on texts of one period, and the
# head attends by distance; measure it on another period. Or: the texts of the ablation hold no repeats, so there was nothing to lose;
# silence it on texts with repeats.)
#
# Neither number alone says what the head does. The score says where it looks, the ablation how much this model, on these texts, depends on
# it alone. Report both, with the texts that they were measured on.
#
# Rubric:
#
# - 1 point: two explanations that both fit a score of 0.9 and a rise of 0 (redundancy, unused output, attention by distance, texts
#   without repeats)
# - 1 point: for each an experiment whose outcome could show it wrong
# - 1 point: where a head looks isn't what depends on it; both numbers hold for the texts that they were measured on
# <!-- variant: low-score -->
# First explanation: it's a previous-token head. It doesn't look for copies itself, but the induction heads need what it
# writes down. Experiment: its score for the previous token. If that is near 0, the explanation is wrong. (Or patch only this
# head from a clean into a corrupt run: if nothing of the answer comes back, it's wrong.)
#
# Second explanation: nothing depends on what the head found, but 0 is something that the next layer has never seen.
# Experiment: replace its values by their mean instead. If the loss still rises as much, the explanation is wrong. (Also
# right: the head does something that has nothing to do with repeats, and every prediction needs it; compare the loss on texts
# without repeats. If it doesn't rise there, the explanation is wrong.)
#
# Neither number alone says what the head does. The score says that it doesn't look where an induction head looks; the
# ablation, how much this model, on these texts, depends on it. Report both, with the texts and the kind of ablation.
#
# Rubric:
#
# - 1 point: two explanations that both fit a score of 0.05 and a large rise (another head's supplier, an unusual 0, a job
#   that every text needs)
# - 1 point: for each an experiment whose outcome could show it wrong
# - 1 point: a score says where a head looks, an ablation what depends on it; both hold for the texts, and the way of
#   silencing, that they were measured with
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have five tools to look into a model, and you know how each of them can mislead you. A map says where a head looks; a score says how
# often, on the texts you chose; ablation says what breaks when nothing can take over; patching says what's enough; the lens says what the
# state already holds, as far as the output layer can read it. An explanation is what survives all of them, on texts where the alternatives
# would differ.
