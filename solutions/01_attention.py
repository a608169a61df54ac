# ---
# jupyter:
#   course:
#     points: 23
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 1 · Attention: a look-up that learns
#
# You are reading “the animal did not cross the street because **it** was too tired”. To understand
# *it*, you look back over the sentence, find that *animal* fits best, and use what you know about the animal. Attention is that look-back,
# written so that a network can learn where to look.
#
# In this stage you write it, in five small functions:
#
# | exercise | what it is | points |
# |---|---|---|
# | `softmax` | turns scores into weights | 4 |
# | `scaled_dot_product` | the look-up itself | 8 |
# | `causal_mask` | no looking ahead | 2 |
# | `padding_mask` | no looking at padding | 3 |
# | `expand_mask` | masks for many heads | 3 |
# | a question in words | why the square root? | 3 |
#
# Plan for an evening. You need Python, and tensors as far as `x @ y` and broadcasting. After every exercise comes a cell that checks it:
# run it as often as you like, it costs nothing. Cells that start with `needs_your(…)` show your code at work; until you've written it, they
# only say what they're waiting for.

# %% locked=true
import math

import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import needs_your
from course_lib.notebook.guess import draw_first, guess_first
from course_lib.notebook.pictures import attention as pictures

generator = torch.Generator().manual_seed(0)  # the same random numbers each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("softmax", "scaled_dot_product", "causal_mask", "padding_mask", "expand_mask")

# %% [markdown]
# ## 1.1 A dictionary that never says no
#
# A Python dictionary finds a value by its key, but only if the key matches exactly:

# %%
colours = {"tomato": "red", "lime": "green", "plum": "violet"}
colours["lime"]

# %% [markdown]
# Ask it for `"lemon"` and you get an error. What would a *soft* dictionary answer? Something between the colours of the fruits that
# resemble a lemon, mostly the lime's. For that it needs three things, and they've kept their names ever since:
#
# - a **query**: what you're looking for, a vector $q$;
# - a **key** for each entry, a vector $k_j$ to compare the query with;
# - a **value** for each entry, a vector $v_j$, which is what you get.
#
# Compare the query with every key, turn the comparisons into positive weights $a_j$ that sum to 1, and return the weighted mean of the
# values: $\sum_j a_j v_j$. Here are four fruits, described by how sour, sweet and soft they are; the values are their colours as red,
# green, blue.

# %% tags=["picture"]
fruits = ["tomato", "lime", "plum", "banana"]
keys = torch.tensor([[0.4, 0.3, 0.6], [1.0, 0.1, 0.2], [0.4, 0.8, 0.7], [0.0, 0.9, 0.9]])  # [S, d_k]
values = torch.tensor([[0.9, 0.1, 0.1], [0.4, 0.8, 0.1], [0.5, 0.1, 0.6], [1.0, 0.9, 0.2]])  # [S, d_v]
lemon = torch.tensor([1.0, 0.2, 0.3])  # [d_k]

scores = keys @ lemon * 5  # [S]; times 5, or the weights would hardly differ (more in section 1.2)
weights = scores.exp() / scores.exp().sum()  # [S]
blend = weights @ values  # [d_v]

pictures.soft_dictionary(fruits, weights, values, blend)

# %% [markdown]
# The soft dictionary has an answer for every query, and the answer changes smoothly with the query and the keys, so gradient descent can
# teach it *what to look for*. That's the whole idea. What remains is to do each of its steps well.

# %% [markdown]
# ## 1.2 From scores to weights
#
# **The question.** Scores can be any numbers. Weights must be positive and sum to 1. Which function maps one to the other, preserves the
# order, and is differentiable everywhere?
#
# $$\operatorname{softmax}(x)_j = \frac{e^{x_j}}{\sum_m e^{x_m}}$$
#
# The exponential makes every number positive; the division makes the sum 1. On paper that's all. In floating point there's a trap:

# %%
torch.exp(torch.tensor([88.0, 89.0, 1000.0]))

# %% [markdown]
# Above 88.7 the exponential no longer fits into a 32-bit float: `inf`. And `inf / inf` is `nan`, which spreads through a whole network in a
# single step. A little algebra gets you out. Multiply numerator and denominator by $e^{-c}$:
#
# $$\frac{e^{x_j}}{\sum_m e^{x_m}} = \frac{e^{x_j - c}}{\sum_m e^{x_m - c}}$$
#
# The weights don't change, for any $c$. So you can choose it, and one choice makes every exponent at most 0.

# %% [markdown]
# ### Exercise: `softmax` (4 points, 10 minutes)
#
# **What.** Turn logits (scores of any size and sign) into weights along the dimension `dim`, from `exp`, `max` and `sum`.
# `torch.softmax` isn't allowed here: it would be the whole exercise.
#
# **Shapes.** `logits` of any shape; the result has the same one and sums to 1 along `dim`.
#
# **Must hold.** No NaN at ±10,000. Any `dim`. An entry of −inf gets weight 0. Gradients flow through it.
# <!-- Broken by: no shift by the maximum; dim ignored; −inf taken for 0; cut from the graph -->
#
# **Used for.** Your attention, a few cells below.
#
# <details><summary>Hint 1: the steps</summary>Shift, exponentiate, normalise: one line each.</details>
# <details><summary>Hint 2: the shift</summary>Take the largest logit of each row along <code>dim</code>, not of the whole tensor, or a row
# far below it would underflow to 0 / 0.</details>
# <details><summary>Hint 3: the shapes</summary><code>keepdim=True</code> keeps an axis of size 1 where max and sum were taken, so the
# result lines up with the logits.</details>

# %% exercise="softmax"
from course_lib.model.attention import softmax

# %%
check("softmax", softmax)

# %% [markdown]
# What does multiplying the scores by a number do to the weights? Small factors even out the weights; large ones let the winner take all.

# %% tags=["picture"]
with needs_your("softmax"):
    some_scores = torch.tensor([0.2, 1.0, 0.5, -0.3, 0.8])
    pictures.sharper({factor: softmax(factor * some_scores) for factor in (0.1, 1.0, 5.0, 50.0)})

# %% [markdown]
# ## 1.3 The scaled dot product
#
# **The question.** How should a query and a key be compared? The cheapest way to compare two vectors is their dot product: large if they
# point the same way, negative if they point in opposite directions. For all queries $Q$ [L, d_k] and all keys $K$ [S, d_k] at once it's one
# matrix product, $QK^\top$ [L, S].
#
# There's a catch, though: size. Take vectors of $d_k$ random components with mean 0 and variance 1. Their dot product is a sum of $d_k$
# products. How large does it get? Don't trust a formula; plot it:

# %% tags=["picture"]
widths = [2, 4, 8, 16, 32, 64, 128, 256, 512]
spread = []
for d_k in widths:
    a, b = torch.randn(2, 4000, d_k, generator=generator)  # [4000, d_k] each
    spread.append((a * b).sum(-1).std().item())
pictures.growing_products(widths, spread)

# %% [markdown]
# The standard deviation is $\sqrt{d_k}$: the variances of the $d_k$ products add up. So wide keys mean large scores, and you've just seen
# what
# large scores do to a softmax. Move the slider: for each width it shows the weights of 200 random queries, largest first. On the left the
# winner takes more and more; on the right not much changes.

# %% tags=["picture"]
from course_lib.notebook.widgets import saturation

saturation()

# %% [markdown]
# Why is that bad? Look at the gradient where it arrives: at the query.


# %% tags=["picture"]
@guess_first(
    "As the keys get wider, the gradient that reaches an unscaled query …",
    ["shrinks", "grows", "shrinks for most queries and grows for a few", "stays as it is"],
    needs=["softmax"],
)
def gradient_at_a_query():
    widths = [2, 4, 8, 16, 32, 64, 128, 256, 512]
    lines = {name: [] for name in ("mean, not scaled", "median, not scaled", "mean, by √d_k", "median, by √d_k")}
    decided = {"not scaled": [], "by √d_k": []}
    for d_k in widths:
        k = torch.randn(500, 8, d_k, generator=generator)  # [500, S, d_k]
        for name, scale in (("not scaled", 1.0), ("by √d_k", d_k**-0.5)):
            q = torch.randn(500, 1, d_k, generator=generator, requires_grad=True)  # [500, 1, d_k]
            weights = softmax((q * k).sum(-1) * scale)  # [500, S]
            weights.pow(2).sum().backward()  # any loss will do: its gradient must pass the softmax
            length = q.grad.norm(dim=-1)  # [500, 1]
            lines[f"mean, {name}"].append(length.mean().item())
            lines[f"median, {name}"].append(length.median().item())
            decided[name].append((weights.max(-1).values > 0.99).float().mean().item())
    pictures.gradients(widths, decided, lines)


# %% [markdown]
# It shrinks for most queries and grows for a few, and that's the trouble. At a width of 512 about seven in ten unscaled queries have put
# all their weight on one key: moving a score changes nothing there, and the median gradient is under a hundredth of the mean. The few
# queries that are still undecided get a gradient about thirty times as large as with scaling, because each score moves $\sqrt{d_k}$ times
# as fast. No learning rate suits both. With scaled scores every query gets about the same gradient, at every width.
#
# Dividing the scores by $\sqrt{d_k}$ brings them back to a standard deviation of 1, regardless of the width. That's the *scaled* dot
# product of *Attention Is All You Need* (Vaswani et al., 2017, section 3.2.1):
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right) V$$
#
# **Masks.** Sometimes a query must not see a key. Then that key's score is replaced, *before* the softmax, by a number so low that its
# exponential is 0: its weight vanishes, and the other keys absorb it. In this course a mask says what is **visible**: `True` (or 1) may be
# seen, `False` (or 0) may not. Libraries disagree on this, so look twice whenever you meet a mask.

# %% [markdown]
# ### Exercise: `scaled_dot_product` (8 points, 25 minutes)
#
# **What.** Compute the formula above, with an optional mask. Return the values *and* the attention weights: you'll want to look at them.
# `F.scaled_dot_product_attention` isn't allowed here.
#
# **Shapes.** `q` [..., L, d_k], `k` [..., S, d_k], `v` [..., S, d_v] → values [..., L, d_v], attention [..., L, S]. The dots mean any
# number of leading dimensions, including none. `mask` broadcasts to [..., L, S].
#
# **Must hold.** A hidden key doesn't affect the output at all. For a query that sees no key at all, values and weights are up to you, but
# they must be finite, not NaN. Gradients reach q, k and v, and are finite even if a query sees no key.
# <!-- Broken by: hidden scores not low enough; −inf on a fully hidden row; values cut from the graph | −inf added, and NaN
# replaced -->
#
# **Used for.** Everything. Every attention layer of every stage calls it.
#
# <details><summary>Hint 1: the scores</summary>Swap the last two axes of k, and only those: <code>k.transpose(-2, -1)</code>.
# <code>k.T</code> would reverse the batch axes too.</details>
# <details><summary>Hint 2: the mask</summary><code>scores.masked_fill(mask == 0, low)</code> gives a <em>new</em>
# tensor. It fills where the condition is True.</details>
# <details><summary>Hint 3: how low?</summary>−inf leads to 0 / 0 in a row in which everything is hidden.
# <code>torch.finfo(scores.dtype).min</code> is the lowest finite number.</details>

# %% exercise="scaled_dot_product"
from course_lib.model.attention import scaled_dot_product

# %%
check("scaled_dot_product", scaled_dot_product)

# %% [markdown]
# ## 1.4 Who may see what
#
# Two masks appear in every Transformer.
#
# **No looking ahead.** A model that writes a sentence word by word learns from whole sentences, all positions at once. Position $i$ must
# predict the next token, so it mustn't see it. Row $i$ of the **causal mask** is visible up to and including column $i$, its own position:
# a triangle.

# %% [markdown]
# ### Exercise: `causal_mask` (2 points, 5 minutes)
#
# **What.** Return the triangle for a sequence of `size` positions. `nn.Transformer.generate_square_subsequent_mask` isn't allowed here.
#
# **Shapes.** An integer → boolean [size, size]; row = query, column = key, True = visible.
#
# **Used for.** The decoder of stage 5. If the diagonal is one step too high, a model trains to 100 % and then fails at everything: it had
# the answers in front of it.
#
# <details><summary>Hint</summary>Key j is visible to query i if j ≤ i. Either compare two <code>torch.arange</code>, or let
# <code>torch.tril</code> cut a matrix of ones.</details>

# %% exercise="causal_mask"
from course_lib.model.masks import causal_mask

# %%
check("causal_mask", causal_mask)

# %% [markdown]
# **No looking at padding.** Sentences have different lengths; the rows of a tensor don't. Short sentences are filled up with a **padding
# token**, and no query should see the padding. The lengths tell you which tokens are real.

# %% [markdown]
# ### Exercise: `padding_mask` (3 points, 10 minutes)
#
# **What.** Return one row for each sequence: True for its real tokens, False for the padding after them.
#
# **Shapes.** `lengths` [B] → boolean [B, max_len]; without `max_len`, the longest sequence decides.
#
# **Must hold.** `lengths` may be a list or a tensor.
# <!-- Broken by: tensors only -->
#
# **Used for.** Every batch of sentences, and the loss of stage 5, which must not count padding.
#
# <details><summary>Hint</summary>Positions 0, 1, 2, … as a row, lengths as a column: one comparison, and broadcasting makes the table. If a
# position equals the length, is it real?</details>

# %% exercise="padding_mask"
from course_lib.model.masks import padding_mask

# %%
check("padding_mask", padding_mask)

# %% [markdown]
# Here they are side by side. Combining masks is a logical *and*: a key is visible if both allow it.

# %% tags=["picture"]
with needs_your("causal_mask", "padding_mask"):
    causal = causal_mask(6)  # [6, 6]
    real = padding_mask(torch.tensor([6, 4]))[1]  # [6]: the second sequence has 4 tokens
    pictures.masks({"causal": causal, "padding (4 of 6 real)": real.expand(6, 6), "both": causal & real})

# %% [markdown]
# What does a mask do to the weights? First work it out by hand. The query at position 3 of six tokens has these scores, already scaled, and
# the causal mask applies:
#
# | key | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | score | 2 | 1 | 0 | 1 | 3 | 1 |
#
# Draw its row of weights. The nearest twentieth is close enough.


# %% tags=["picture"]
@draw_first(
    "How much weight does each key get?",
    [f"key {key}" for key in range(6)],
    needs=["scaled_dot_product", "causal_mask"],
)
def row_of_weights(drawn=None):
    k = torch.tensor([2.0, 1.0, 0.0, 1.0, 3.0, 1.0])[:, None]  # [S, d_k]: with a query of 1 these are the scores
    _, truth = scaled_dot_product(torch.ones(1, 1), k, torch.eye(6), causal_mask(6)[3:4])  # [L, S]
    pictures.row_of_weights(truth[0], drawn)


# %% [markdown]
# Key 4 has the highest score but gets no weight, because it's hidden; the visible keys share what it would have had. Key 2 has a score of 0
# and still gets some weight: only *differences* count, and a score that's lower by 1 means a weight smaller by a factor of $e \approx 2.7$.
#
# And this is what masks do to the attention of six random tokens. Every row still sums to 1. (The diagonal is bright because here each
# token is both query and key, and nothing fits a random vector better than itself.)

# %% tags=["picture"]
with needs_your("scaled_dot_product", "causal_mask", "padding_mask"):
    x = torch.randn(6, 16, generator=generator)  # [T, d]
    real = padding_mask(torch.tensor([6, 4]))[1]  # [T]
    masks = {"no mask": None, "causal": causal_mask(6), "causal and padding": causal_mask(6) & real}
    pictures.under_masks({name: scaled_dot_product(x, x, x, mask)[1] for name, mask in masks.items()})  # [T, T] each

# %% [markdown]
# ## 1.5 One mask, many heads
#
# From the next stage on, attention runs in several **heads** at once, on scores of shape [B, h, L, S]: batch, heads, queries, keys. Masks
# come in several shapes: [L, S], the same for all samples (the causal one); [B, L, S], one for each sample; or all four dimensions.
# Broadcasting aligns shapes *from the right*, so [B, L, S] against [B, h, L, S] would treat the batch as the heads. If B and h happen to be
# equal, no error tells you.

# %% [markdown]
# ### Exercise: `expand_mask` (3 points, 5 minutes)
#
# **What.** Expand a mask with two, three or four dimensions to four, so that it broadcasts correctly.
#
# **Shapes.** [L, S] → [1, 1, L, S]; [B, L, S] → [B, 1, L, S]; four dimensions stay unchanged.
#
# **Must hold.** A mask with fewer than two or more than four dimensions raises a `ValueError` that gives its shape.
# <!-- Broken by: any number of axes; an error without the shape -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit.
#
# **Used for.** The first line of every attention layer from stage 2 on.
#
# <details><summary>Hint</summary>Look at <code>mask.ndim</code>, and insert an axis of size 1 where one is missing:
# <code>mask.unsqueeze(1)</code>, or <code>mask[:, None]</code>.</details>

# %% exercise="expand_mask"
from course_lib.model.masks import expand_mask

# %%
check("expand_mask", expand_mask)

# %% [markdown]
# ## 1.6 The PyTorch version
#
# At work you won't write this function: `F.scaled_dot_product_attention` computes the same, and on a GPU it never stores the [L, S] matrix.
# (That's why it doesn't return the weights.) Four things to know. Its boolean mask says what is visible, as here, but the mask of
# `nn.MultiheadAttention` says what is *hidden*. A mask of numbers is *added* to the scores, so 0 and 1 hide nothing. A query that sees no
# key gets 0 from it, whatever yours returns. And `is_causal=True` aligns its triangle at the *top left*: with one new query and a cache of
# seven keys (stage 2 explains what that's for), the query would see only the first key, although it's the latest of all. Now see whether
# your function agrees with it, on awkward sizes and with a mask that leaves every query a key.

# %%
with needs_your("scaled_dot_product"):
    q = torch.randn(2, 3, 5, 11, generator=generator)  # [B, h, L, d_k]
    k = torch.randn(2, 3, 7, 11, generator=generator)  # [B, h, S, d_k]
    v = torch.randn(2, 3, 7, 13, generator=generator)  # [B, h, S, d_v]
    mask = torch.rand(2, 1, 5, 7, generator=generator) < 0.7  # [B, 1, L, S]
    mask[..., 0] = True
    ours, _ = scaled_dot_product(q, k, v, mask)
    theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    print(f"largest difference: {(ours - theirs).abs().max():.1e}")

# %% [markdown]
# The difference is below 1e-6: the same sum, added up in a different order.

# %% [markdown]
# ## 1.7 In your own words
#
# ### Question: why the square root? (3 points, 10 minutes)
#
# <!-- variant: smaller-queries -->
# A friend says: “Dividing by $\sqrt{d_k}$ is cosmetic, the network could learn smaller queries.” In three to six sentences: what happens at
# the *start* of training without the scale, why is it the root of $d_k$ and not $d_k$ itself, and in what way is your friend right? A
# person will grade this answer.
# <!-- variant: wider-heads -->
# A colleague doubles the width of her heads, from $d_k = 64$ to 128, but keeps dividing the scores by 8. In three to six sentences: what
# does that do, at the *start* of training, to the scores, the weights and the gradients; what should she divide by, and why isn't it 128;
# and in what way can training make up for her slip? A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="why_the_root" points=3
# BEGIN SOLUTION
# <!-- variant: smaller-queries -->
# At the start queries and keys are about independent with unit variance, so a score is a sum of d_k independent terms of
# variance 1: its variance is d_k and its standard deviation √d_k. For d_k = 64 scores of ±8 and more are common; for most
# queries the softmax is then close to one-hot and its Jacobian, diag(a) − a aᵀ, close to zero: they have chosen a key by
# chance and get almost no gradient to change their mind, while the few that are still undecided get a large one. Dividing by √d_k
# restores a standard deviation of 1; dividing by d_k would make it 1/√d_k, so that for wide heads all weights would be
# nearly equal at the start. The friend is right that the function class is the same: a scale can be absorbed in W_q. What differs is where
# the optimisation starts, and most queries start where they would need gradients to get away.
#
# Rubric:
#
# - 1 point: a score is a sum of d_k independent terms of variance 1, so its spread at the start is √d_k; the softmax
#   is near one-hot and passes almost no gradient
# - 1 point: the root brings the standard deviation back to 1; d_k itself would make it 1/√d_k, and all weights nearly
#   equal in wide heads
# - 1 point: the friend is right about what can be represented (W_q can absorb a scale) and wrong about where training
#   begins
# <!-- variant: wider-heads -->
# At the start a score is a sum of 128 independent terms of variance 1, so its standard deviation is √128 ≈ 11.3. Divided by 8 it is
# √2 and not 1: more queries begin with a softmax that is close to one-hot, whose Jacobian, diag(a) − a aᵀ, is close to zero, so
# they have chosen a key by chance and get less gradient to change their mind; with every further doubling it gets worse. She should
# divide by √128, which restores a standard deviation of 1; divided by 128 it would be 1/√128 ≈ 0.09, and all weights would be
# nearly equal at the start. Training can make up for it, because a factor can be absorbed in W_q: what can be represented is the
# same. What differs is where the optimisation starts.
#
# Rubric:
#
# - 1 point: a score is a sum of 128 independent terms of variance 1, so after her division its spread is √2; the
#   softmax starts nearer to one-hot and passes less gradient
# - 1 point: √128 brings the standard deviation back to 1; 128 itself would make it 1/√128, and all weights nearly
#   equal
# - 1 point: training can absorb the factor in W_q: the same functions can be represented; what differs is where
#   training begins
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have the look-up at the centre of every Transformer, and the two masks that decide who sees what. But a query can ask only one
# question: it has a single set of weights. In [stage 2](02_multi_head.ipynb) attention learns to ask several at
# once.
