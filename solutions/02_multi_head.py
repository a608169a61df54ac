# ---
# jupyter:
#   course:
#     points: 21
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 2 · Multi-head attention: several questions at once
#
# Read “she gave him the book because **he** had asked for it”. At the word *he* you want two things at once: *who* is meant (him), and
# *what he did* (asked). One attention gives each query one set of weights, and so one mean of the values. Two interests would have to share
# it. The fix is simple: run several small attentions side by side and concatenate their outputs.
#
# | exercise | what it is | points |
# |---|---|---|
# | `split_heads` | one wide vector → several narrow ones | 2 |
# | `merge_heads` | and back | 2 |
# | `MultiheadAttention` | tokens look at each other | 8 |
# | `CrossAttention` | tokens of one sequence look at another | 6 |
# | a question in words | what does it cost to write a text? | 3 |
#
# It builds on `scaled_dot_product` and the masks of stage 1 in `course_lib`, so you can start here without having done anything else.
# Plan for an evening.

# %% locked=true
import math
import time

import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import causal_mask, expand_mask, needs_your, scaled_dot_product
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import multi_head as pictures

generator = torch.manual_seed(0)  # the same random weights each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("split_heads", "merge_heads", "MultiheadAttention", "CrossAttention")

# %% [markdown]
# **Your own parts.** Whenever an exercise is right, `check` keeps what you wrote in the folder `my_transformer/`, next to this notebook.
# Later stages build on it, and use the course's own code for anything that's missing. A part counts as yours as long as it, and every part
# of yours that it calls, is unchanged since its check was right; if a part mixes both, you see whose is whose as a tree. `use_mine(False)`
# switches to the course's code everywhere.

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 2.1 Why one weighted mean is not enough
#
# **The question.** A query wants the value of key 1 *and* the value of key 6, separately. What does one attention give it?
#
# The mean of the two. You can't recover the inputs from their mean: 3 and 7 give 5, and so do 4 and 6. Two heads return both values, side
# by side. Below, the eight values are plain numbers; one head must spread its weight, two heads needn't.

# %% tags=["picture"]
values = torch.tensor([2.0, 9.0, 4.0, 1.0, 6.0, 3.0, 5.0, 7.0])  # [S]
both, first, second = torch.zeros(3, 8)
both[[1, 6]], first[1], second[6] = 0.5, 1.0, 1.0
pictures.one_mean_or_two_values(values, {"one head": both, "head 1 of two": first, "head 2 of two": second})

# %% [markdown]
# What does it cost? Almost nothing. Instead of one attention of width 512 the paper runs eight of width 64 (Vaswani et al., 2017, section
# 3.2.2). The matrix products add up to the same size; only the softmax runs eight times.

# %% [markdown]
# ## 2.2 Boxes that move
#
# You have to read a vector of h·d features as h heads of d features. The trap of this stage is two lines of reshaping, so look at the
# picture first. Each square is one number; its colour shows which head it belongs to, its label shows the token and the feature.

# %% tags=["picture"]
pictures.boxes_that_move()

# %% [markdown]
# Each head keeps *all tokens* and a *part of the features*. In memory a token's features are next to each other, so you can cut the last
# axis in place, [B, T, h·d] → [B, T, h, d]. Then swap heads and tokens with `transpose`. A single `reshape` straight to [B, h, T, d] has
# the right shape but the wrong numbers: it deals out the squares row by row, so head 0 gets some whole tokens instead of a part of every
# token. With one head you'd never notice.

# %% [markdown]
# ### Exercise: `split_heads` (2 points, 10 minutes)
#
# **What.** Cut the features of each token into `num_heads` equal pieces.
#
# **Shapes.** [B, T, h·d] → [B, h, T, d].
#
# **Must hold.** Gradients flow through it, so use only tensor operations.
# <!-- Broken by: cut from the graph; an error without the numbers -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit. That of `reshape` and `view`
# names only the number of entries, so check the width before you call them.
#
# **Used for.** The first line of every multi-head layer.
#
# <details><summary>Hint</summary>Two steps: <code>x.unflatten(-1, (h, d))</code> (or <code>view</code>), then
# <code>transpose(1, 2)</code>.</details>

# %% exercise="split_heads"
from course_lib.model.heads import split_heads

# %%
check("split_heads", split_heads)

# %% [markdown]
# ### Exercise: `merge_heads` (2 points, 5 minutes)
#
# **What.** Undo `split_heads`.
#
# **Shapes.** [B, h, T, d] → [B, T, h·d].
#
# **Must hold.** Gradients flow through it, so use only tensor operations.
# <!-- Broken by: cut from the graph -->
#
# **Used for.** The last line but one of every multi-head layer.
#
# <details><summary>Hint</summary>Undo the two steps, in reverse order. If <code>view</code> complains about strides, <code>reshape</code>
# or <code>flatten</code> copies.</details>

# %% exercise="merge_heads"
from course_lib.model.heads import merge_heads

# %%
check("merge_heads", merge_heads)

# %%
with needs_your("split_heads", "merge_heads"):
    x = torch.randn(2, 5, 12)  # [B, T, h·d]
    print("merge undoes split:", torch.equal(merge_heads(split_heads(x, 4)), x))

# %% [markdown]
# ## 2.3 Self-attention
#
# Where do queries, keys and values come from? From the tokens themselves, through three learned linear maps: what am I looking for, what
# can I be found by, what do I have to say? That's why it's called *self*-attention:
#
# $$\operatorname{head}_i = \operatorname{Attention}(xW^Q_i,\, xW^K_i,\, xW^V_i),\qquad
# \operatorname{MultiHead}(x) = \operatorname{Concat}(\operatorname{head}_1, \dots, \operatorname{head}_h)\, W^O$$
#
# The last map, $W^O$, lets the heads talk to each other: without it each head would own its part of the features permanently. (In code each
# map is a plain `nn.Linear`, with the bias that the formula leaves out.)
#
# **One product instead of 3·h.** All these maps act on the same `x`, so they are stacked into one `Linear` with 3·embed_dim outputs. The
# order of its outputs is a convention, and anyone who wants to load your weights must know it: head by head, and within each head first the
# query, then the key, then the value, [h, 3, d].

# %% [markdown]
# ### Exercise: `MultiheadAttention` (8 points, 30 minutes)
#
# **What.** Project, split, attend, merge, project. Parameters: `qkv_proj` (input_dim → 3·embed_dim) and `o_proj`
# (embed_dim → embed_dim). PyTorch's `nn.MultiheadAttention` isn't allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → [B, T, embed_dim]; with `return_attention=True` the pair (output, attention [B, h, T, T]). `mask` has
# two, three or four dimensions: `expand_mask` makes it four.
#
# **Must hold.** input_dim may differ from embed_dim. If num_heads doesn't divide embed_dim, raise a `ValueError` that names both. A hidden
# token affects no other token.
# <!-- Broken by: the input's width in the merge; an error without the numbers; hidden scores not low enough; an error
# without the numbers -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit.
#
# **Used for.** Every layer of the encoder (stage 4) and the decoder (stage 5).
#
# <details><summary>Hint 1: the order of the outputs</summary>Split the 3·embed_dim features into heads <em>first</em>, [B, h, T, 3·d],
# then cut the last axis into three: <code>qkv.chunk(3, dim=-1)</code>.</details>
# <details><summary>Hint 2: the mask</summary><code>expand_mask</code> needs a mask: don't pass it None.</details>
# <details><summary>Hint 3: widths</summary>After the projection everything is embed_dim wide. If you reshape by the width of x, it works
# only if the two are equal.</details>

# %% exercise="MultiheadAttention"
from course_lib.model.multi_head import MultiheadAttention

# %%
check("MultiheadAttention", MultiheadAttention)

# %% [markdown]
# **What does each head look at?** The weights are random, so there's nothing to understand yet, but every head already has its own map.
# Choose a head and a query:

# %% tags=["picture"]
with needs_your("MultiheadAttention"):
    from course_lib.notebook.widgets import head_explorer

    torch.manual_seed(1)
    sentence = ["she", "gave", "him", "the", "book", "because", "he", "had", "asked"]
    head_explorer(MultiheadAttention(24, 24, 3), 3 * torch.randn(1, len(sentence), 24), sentence).show()

# %% [markdown]
# And in a model that has *learned* something? This one ships with the course; you'll train one like it in stage 8. It sees ten digits, nine
# of one kind, and says which one doesn't belong. Here are the four heads of its last layer, looking at nine zeros and a six:


# %% tags=["picture"]
@guess_first(
    "A head that helps to find the odd one: where do the rows of the nine others have their brightest square?",
    ["each at itself", "each at its neighbour", "at the odd one", "nowhere, they are even"],
    needs=["MultiheadAttention"],
)
def heads_that_learned():
    from course_lib.tasks import load_pretrained
    from course_lib.tasks.digits import all_digits

    images = all_digits()
    zeros, sixes = (images.features[images.labels == digit] for digit in (0, 6))  # [N, 64] each
    members = torch.cat([zeros[:6], sixes[20:21], zeros[6:9]])  # [S, 64]
    with torch.no_grad():
        maps = load_pretrained("digits").get_attention_maps(members[None], add_positional_encoding=False)[-1][0]
    pictures.heads_of_digits(maps, [0] * 6 + [6] + [0] * 3, odd=6)


# %% [markdown]
# There's a bright column: regardless of what they are themselves, the others look at the one that's different. Not every head does this,
# and the maps don't show what the others are for.

# %% [markdown]
# ## 2.4 Permute the input, and the output follows
#
# Nothing in these formulas says which token comes first. So if you permute the tokens, the outputs must be the same vectors, permuted in
# the same way: attention is **permutation equivariant**. A picture shows whether that's true.

# %% tags=["picture"]
with needs_your("MultiheadAttention"):
    torch.manual_seed(2)
    layer, tokens = MultiheadAttention(8, 8, 2), 4 * torch.randn(1, 6, 8)  # [B, T, d]
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    with torch.no_grad():
        plain, permuted = layer(tokens)[0], layer(tokens[:, order])[0]  # [T, d] each
    pictures.permuted(plain, permuted, order)

# %% [markdown]
# For sets this is exactly right: stage 8 depends on it. For language it means that word order is invisible. Stage 3 fixes that.

# %% [markdown]
# ## 2.5 What does it cost?
#
# The paper compares three ways to let $n$ tokens of width $d$ (all heads together) exchange what they know (table 1):
#
# | layer | operations | steps that must wait for each other | longest path between two tokens |
# |---|---|---|---|
# | self-attention | $O(n^2 d)$ | $O(1)$ | $O(1)$ |
# | recurrence | $O(n d^2)$ | $O(n)$ | $O(n)$ |
# | convolution, kernel $k$ | $O(k n d^2)$ | $O(1)$ | $O(\log_k n)$, if it is dilated, with gaps that grow from layer to layer |
#
# A table of big O's is a promise about large $n$. Where does large start? Count every multiplication, then measure the time: the same
# tokens through a layer of each kind, for growing $n$.


# %% tags=["picture"]
def seconds(layer, x, tries=5):
    """The fastest of some runs of layer(x)."""
    best = math.inf
    for _ in range(tries):
        began = time.perf_counter()
        layer(x)
        best = min(best, time.perf_counter() - began)
    return best


@guess_first(
    "From which length on does attention multiply more than a recurrence of the same width, 64?",
    ["from the second token on", "16", "64", "256", "1,024"],
    needs=["MultiheadAttention"],
)
def what_it_costs():
    d, lengths = 64, [32, 64, 128, 256, 512, 1024, 2048]
    attention, recurrence, convolution = (
        MultiheadAttention(d, d, 4),
        nn.GRU(d, d, batch_first=True),
        nn.Conv1d(d, d, 3, padding=1),
    )
    kinds = {
        "self-attention": attention,
        "recurrence (GRU)": recurrence,
        "convolution, kernel 3": lambda x: convolution(x.transpose(1, 2)),
    }
    products = {
        "self-attention": lambda n: 4 * n * d**2 + 2 * n**2 * d,  # four projections; scores, and the mean of the values
        "recurrence (GRU)": lambda n: 6 * n * d**2,  # two gates and a candidate, from token and state
        "convolution, kernel 3": lambda n: 3 * n * d**2,
    }
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.no_grad():
        clock = {name: [1000 * seconds(kind, torch.randn(1, n, d)) for n in lengths] for name, kind in kinds.items()}
    torch.set_num_threads(threads)
    pictures.costs(lengths, {name: [count(n) for n in lengths] for name, count in products.items()}, clock)


# %% [markdown]
# The left picture is exact. Attention multiplies $4nd^2 + 2n^2d$ times, a recurrence $6nd^2$: they meet at $n = d$. Below that the square
# is invisible, because the projections, linear in $n$, cost more than the scores; far above it each doubling quadruples the work. The right
# plot was measured on your machine, and it varies with the load (run the cell again). The recurrence pays for $n$ small steps that must
# wait for each other; attention eventually pays for scores [n, n] that no longer fit into the processor's cache.

# %% [markdown]
# ## 2.6 Cross-attention
#
# A decoder that translates asks questions about the source sentence: the queries come from one sequence, the keys and values from another.
# Their lengths differ, and their widths may too, so each has its own projection. Nothing else is new.
#
# There's one more flag, `is_causal`: query $i$ then sees only the keys 0 … $i$, even if there are more or fewer keys than queries. If a
# mask is given too, both must allow it. A translator with the whole source on paper doesn't need this flag. An interpreter, who speaks
# while the source is still being spoken, does: keys are steps in time too, and the later ones haven't been heard yet.

# %% [markdown]
# ### Exercise: `CrossAttention` (6 points, 25 minutes)
#
# **What.** Four projections: `q_proj`, `k_proj`, `v_proj` to embed_dim, `out_proj` back to query_dim. (Mind the name: in
# `MultiheadAttention` the last one was `o_proj`. Published models use both, and a checkpoint is loaded by name.)
# PyTorch's `nn.MultiheadAttention` isn't allowed here.
#
# **Shapes.** `queries` [B, L, query_dim], `keys` [B, S, key_dim], `values` [B, S, value_dim] → [B, L, query_dim].
#
# **Must hold.** Causality goes by position, even if L ≠ S. Mask and causality combine.
# <!-- Broken by: triangle aligned at the end; one or the other; an error without the numbers -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit.
#
# **Used for.** The middle of every decoder block (stage 5).
#
# <details><summary>Hint 1: a causal mask that is not square</summary>Compare positions:
# <code>torch.arange(L)[:, None] >= torch.arange(S)</code>, or cut a large enough <code>causal_mask</code>.</details>
# <details><summary>Hint 2: combining</summary>A key is visible if both allow it: a logical <em>and</em>. A mask may contain 0 and 1: make
# it boolean first.</details>
# <details><summary>Hint 3: the projections</summary>Project each input with its own Linear, then split all three into heads:
# from there on it is the attention of stage 1.</details>

# %% exercise="CrossAttention"
from course_lib.model.multi_head import CrossAttention

# %%
check("CrossAttention", CrossAttention)

# %% [markdown]
# ## 2.7 The PyTorch version
#
# `nn.MultiheadAttention` does the same, with its weights in a different order: all queries, then all keys, then all values. A helper in
# `course_lib` copies them over; then both must agree. There are two traps. Its `attn_mask` marks what is *hidden*, so invert yours (`~`).
# And without `batch_first=True` it takes [T, B, d]: given [B, T, d], it lets the sentences of a batch attend to each other, without any
# error.

# %%
with needs_your("MultiheadAttention"):
    from course_lib.interop import copy_attention

    theirs = nn.MultiheadAttention(12, 3, batch_first=True)
    ours = MultiheadAttention(12, 12, 3)
    copy_attention(theirs, ours)
    x = torch.randn(2, 7, 12)  # [B, T, d]
    hidden = ~causal_mask(7)  # [T, T]: PyTorch marks what is hidden
    with torch.no_grad():
        difference = ours(x, causal_mask(7)) - theirs(x, x, x, attn_mask=hidden, need_weights=False)[0]
    print(f"largest difference: {difference.abs().max():.1e}")

# %% [markdown]
# **Find the mistakes.** Here's the same layer as a blog might print it: short, plausible, and it runs. Three things are wrong, and none of
# them raises an error. Fix them until both lines say 0 (up to rounding).


# %% tags=["picture"]
class PostedAttention(nn.Module):
    """Multi-head self-attention as posted: x [B, T, dim], visible [T, T], True where a query may look."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x, visible=None):
        B, T, dim = x.shape
        q, k, v = (part.reshape(B, self.heads, T, dim // self.heads) for part in self.qkv(x).chunk(3, dim=-1))
        weights = (q @ k.transpose(-2, -1) / dim**0.5).softmax(dim=-1)  # [B, h, T, T]
        if visible is not None:
            weights = weights * visible
        return self.out((weights @ v).transpose(1, 2).reshape(B, T, dim))


torch.manual_seed(0)
theirs, posted = nn.MultiheadAttention(12, 3, batch_first=True), PostedAttention(12, 3)
posted.qkv.weight, posted.qkv.bias, posted.out = theirs.in_proj_weight, theirs.in_proj_bias, theirs.out_proj
x = torch.randn(2, 7, 12)  # [B, T, d]
for name, visible in {"no mask": None, "causal": torch.ones(7, 7).tril().bool()}.items():
    hidden = None if visible is None else ~visible
    right = theirs(x, x, x, attn_mask=hidden, need_weights=False)[0]
    print(f"{name}: it differs from PyTorch's layer by {(posted(x, visible) - right).abs().max():.0e}")

# %% [markdown]
# <details><summary>Hint 1</summary>Section 2.2 has a picture of the first.</details>
# <details><summary>Hint 2</summary>How wide are the vectors whose dot product is scaled?</details>
# <details><summary>Hint 3</summary>What does a row of weights sum to once some of them are set to 0?</details>
# <details><summary>The three</summary>The reshape deals out whole tokens to the heads: <code>part.reshape(B, T, self.heads, dim //
# self.heads).transpose(1, 2)</code>. The scale is the root of a head's width, <code>dim // self.heads</code>. And the mask comes after the
# softmax, so the rows no longer sum to 1: fill the scores with −∞ before it.</details>
#
# ## 2.8 What you needn't compute twice
#
# A decoder writes one token at a time, and each time attention runs again over everything written so far. How much of that is new? Take ten
# tokens, then add an eleventh: compare the projections of the first ten, before and after.

# %%
with needs_your("MultiheadAttention"):
    layer, x = MultiheadAttention(12, 12, 3), torch.randn(1, 11, 12)  # [B, T, d]
    with torch.no_grad():
        before, after = layer.qkv_proj(x[:, :10]), layer.qkv_proj(x)  # [B, T, 3·d]
        print(f"queries, keys and values of the first ten: changed by {(after[:, :10] - before).abs().max():.0e}")
        ten, eleven = layer(x[:, :10], causal_mask(10)), layer(x, causal_mask(11))  # [B, T, d]
        print(f"their outputs under a causal mask: changed by {(eleven[:, :10] - ten).abs().max():.0e}")

# %% [markdown]
# They differ by rounding at most. A token's key and value depend only on that token, and with a causal mask an output never depends on
# later tokens, so neither do the keys and values of the next layer. Programs that write text therefore keep all the keys and values they have computed.
# That store is the **KV cache**.
#
# ### Question: what does it cost to write a text? (3 points, 10 minutes)
#
# <!-- variant: a-text -->
# A decoder writes a text of $n$ tokens, one at a time; each step runs self-attention over everything written so far. In a few sentences:
# what does the whole text cost, in terms of $n$ and $d$, if every step recomputes everything; what can you keep from step to step; what
# does it cost then; and what does that do to memory? A person will grade this answer.
# <!-- variant: an-answer -->
# A decoder reads a prompt of $n$ tokens all at once, and then writes an answer of $n$ more tokens, one at a time; each step runs
# self-attention over everything so far. In a few sentences: what does the answer cost, in terms of $n$ and $d$, if every step recomputes
# everything; what can you keep, from the prompt and from step to step; what does the answer cost then; and what does that do to memory? A
# person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="cost_of_decoding" points=3
# BEGIN SOLUTION
# <!-- variant: a-text -->
# If everything is recomputed, step t costs O(t² d + t d²): the scores among t tokens, and their projections. Summed over t = 1 … n that is
# O(n³ d + n² d²). But the keys and values of earlier tokens do not change, because with a causal mask they see nothing that comes later. If
# they are kept, step t projects one token, O(d²), and compares one query with t keys, O(t d); the whole text costs O(n² d + n d²),
# one order of n less. The price is memory: keys and values of all tokens, in every layer, O(n d) per layer, which for long texts and
# many parallel users exceeds the weights of the model; hence fewer key heads than query heads (multi-query attention) and shorter
# caches in practice.
#
# Rubric:
#
# - 1 point: recomputed in every step: O(n³ d + n² d²), or the cost of step t and that the steps are summed; half a point
#   without the projections
# - 1 point: keys and values of earlier tokens can be kept, because nothing earlier sees what comes later; then O(n² d
#   + n d²)
# - 1 point: memory: keys and values of all tokens in every layer, O(n d) per layer
# <!-- variant: an-answer -->
# If everything is recomputed, step t works on n + t tokens and costs O((n + t)² d + (n + t) d²): the scores among them, and their
# projections.
# Summed over t = 1 … n that is O(n³ d + n² d²). But the keys and values of the prompt, which were computed when it was read, and
# those of the tokens written so far do not change, because with a causal mask they see nothing that comes later. If they are kept,
# step t projects one token, O(d²), and compares one query with n + t keys, O((n + t) d); the whole answer costs O(n² d + n d²), as
# much as reading the prompt did. The price is memory: keys and values of all 2n tokens, in every layer, O(n d) per layer, for every
# user.
#
# Rubric:
#
# - 1 point: recomputed in every step: O(n³ d + n² d²), or the cost of step t, on n + t tokens, and that the steps are
#   summed; half a point without the projections
# - 1 point: keys and values of the prompt and of earlier tokens can be kept, because nothing earlier sees what
#   comes later; then O(n² d + n d²)
# - 1 point: memory: keys and values of prompt and answer in every layer, O(n d) per layer
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have the layer on which everything else is built. It sees everything at once and has no idea of order. [Stage 3](03_positions.ipynb)
# adds that.
