# ---
# jupyter:
#   course:
#     points: 28
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 13 · A language model of today
#
# The Transformer of 2017 translated. Today's models only continue a text, and that's how they answer questions, write programs and
# translate too. Their architecture is half of what you know, the decoder without its memory, with four parts replaced. In this stage
# you write those four parts, put them together, train the result on Shakespeare, let it write, and load a published Llama into
# your own code.
#
# | exercise | what it is | points |
# |---|---|---|
# | `RMSNorm` | layer norm without the mean | 2 |
# | `rotate` | positions as rotations | 4 |
# | `SwiGLU` | a feed-forward network with a gate | 2 |
# | `GroupedQueryAttention` | fewer keys than queries, and a cache | 6 |
# | `LanguageModel` | the whole model | 4 |
# | `next_token_loss` | what it is trained on | 3 |
# | `filter_logits` | temperature, top-k and top-p | 3 |
# | `generate` | writing, one token at a time | 2 |
# | a question in words | which of two models is better? | 2 |
#
# It needs stages 1 to 4 and 9. Plan for three hours.

# %% locked=true
import math
import time

import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import apply_bpe, learn_bpe, needs_your, scaled_dot_product
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import language as pictures
from course_lib.tasks.checkpoint import load_pretrained
from course_lib.tasks.language import shakespeare_task

Cache = tuple[torch.Tensor, torch.Tensor]
generator = torch.manual_seed(0)  # the same random weights each time
task = shakespeare_task()

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 13.1 A norm that only divides
#
# Layer norm (stage 4) subtracts the mean of a token's features, then divides by their standard deviation. **RMSNorm** (Zhang and
# Sennrich, 2019) leaves the mean alone and divides by the root of the mean square:
#
# $$y = \frac{x}{\sqrt{\operatorname{mean}(x^2) + \varepsilon}} \odot g$$
#
# It trains as well, has half the parameters, and needs one pass over the features instead of two.

# %% [markdown]
# ### Exercise: `RMSNorm` (2 points, 10 minutes)
#
# **What.** Write the formula above, with one parameter, `weight` ($g$). PyTorch's `nn.RMSNorm` and `F.rms_norm` aren't allowed here.
#
# **Shapes.** `x` [..., dim] → the same. `weight` [dim], ones at the start.
#
# **Must hold.** Any leading axes. The eps is added under the root. In float16, tokens with entries around 300 stay finite and right:
# compute in float32 and convert back.
# <!-- Broken by: axis number two; eps outside the root; squares in half precision -->
#
# **Used for.** Twice in every block, and once at the end of the model.
#
# <details><summary>Hint 1: which axis</summary>The last one, and keep it: <code>keepdim=True</code>.</details>
# <details><summary>Hint 2: float16</summary>Its largest number is 65,504, and 300² is 90,000. <code>x.float()</code> converts to
# float32, <code>.to(x.dtype)</code> back.</details>

# %% exercise="RMSNorm"
from course_lib.model.rms_norm import RMSNorm

# %%
check("RMSNorm", RMSNorm)


# %% tags=["picture"]
@guess_first(
    "Add 10 to all eight features of a token. What happens to the output of layer norm, and of RMSNorm?",
    [
        "nothing, in both",
        "nothing in layer norm; RMSNorm changes",
        "layer norm changes; nothing in RMSNorm",
        "both change",
    ],
    needs=["RMSNorm"],
)
def a_common_part():
    torch.manual_seed(0)
    x = torch.randn(6, 8)
    x[3:] = x[:3] + 10  # the same three tokens, shifted
    with torch.no_grad():
        pictures.shifted_tokens({"input": x, "layer norm": F.layer_norm(x, (8,)), "RMSNorm": RMSNorm(8)(x)})


# %% [markdown]
# Layer norm doesn't notice the shift; RMSNorm does. If one part is common to all features, it fills the token. A model can learn not
# to produce such parts, and trained ones do: between the blocks of the Shakespeare model below, the mean of the features makes up about
# 1 % of the mean square, no more than in random numbers.

# %% [markdown]
# ## 13.2 Positions as rotations
#
# Sinusoids (stage 3) are *added* to the tokens, so what a head compares is a mixture of content and position. **RoPE** (Su et al.,
# 2021) does something else: it *turns* queries and keys. Take two neighbouring features $(a, b)$ as a point in the plane, and turn
# it by an angle that grows with the position $m$:
#
# $$(a, b) \mapsto (a\cos\varphi - b\sin\varphi,\; a\sin\varphi + b\cos\varphi),\qquad \varphi = m \cdot \text{base}^{-2i/d}$$
#
# for pair $i$, the features $2i$ and $2i+1$. As a complex number that's $(a + \mathrm{i}b)\,e^{\mathrm{i}\varphi}$. Position 0 changes
# nothing and lengths are kept. If the query at $m$ is turned by $m$ times the angle, and the key at $n$ by $n$ times, their product
# depends only on the difference $m - n$: turning both further changes nothing.
#
# One warning for later. Some code (Hugging Face's) pairs feature $i$ with feature $i + d/2$ instead. That's the same function with
# its features in another order, but weights trained for one don't fit the other.

# %% [markdown]
# ### Exercise: `rotate` (4 points, 25 minutes)
#
# **What.** Turn each pair of neighbouring features of each token. A `rotary` embedding from another package isn't allowed here.
#
# **Shapes.** `x` [..., T, d], `positions` [T] → [..., T, d].
#
# **Must hold.** Pairs are neighbours: features 2i and 2i + 1. Positions may start anywhere, have gaps and come in any order. The
# angles are computed in float32 or better, whatever the dtype of x is. `base` may be a number, or a tensor [d/2] with a base for each
# pair. An odd d raises a ValueError, as the docstring says.
# <!-- Broken by: halves, as Hugging Face pairs them; position by place; angles in the dtype of x; only a number as
# base; odd width not refused; the width is not named -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit.
#
# **Used for.** Queries and keys of the attention below.
#
# <details><summary>Hint 1: the angles</summary>A table [T, d/2]: <code>positions[:, None] * base ** (-torch.arange(0, d, 2) / d)</code>.
# </details>
# <details><summary>Hint 2: the pairs</summary><code>x[..., 0::2]</code> and <code>x[..., 1::2]</code> are the first and second
# features of all pairs.</details>
# <details><summary>Hint 3: back together</summary><code>torch.stack([first, second], dim=-1).flatten(-2)</code>.</details>

# %% exercise="rotate"
from course_lib.model.rotary import rotate

# %%
check("rotate", rotate)


# %% tags=["picture"]
@guess_first(
    "Four pairs, base 10,000. Which pair tells position 3 from 4, and which 3 from 3,000?",
    [
        "the first pair does both",
        "the first tells 3 from 4, the last 3 from 3,000",
        "the last tells 3 from 4",
        "all do both",
    ],
    needs=["rotate"],
)
def clock_hands():
    positions = torch.arange(64)
    hands = rotate(torch.tensor([1.0, 0.0]).repeat(64, 4), positions).unflatten(-1, (4, 2))  # [64, 4, 2]
    q, k = torch.ones(12, 8), torch.ones(12, 8)
    scores = rotate(q, torch.arange(12)) @ rotate(k, torch.arange(12)).T
    pictures.clock_hands(hands, scores)


# %% [markdown]
# These are the hands of a clock, each ten times slower than the one before it. The first tells neighbours apart; the last needs 6,283
# positions
# per turn and tells near from far. The table on the right shows the point of it all: for equal queries and keys the score depends
# only on how far apart they are.

# %% [markdown]
# ## 13.3 A gate
#
# The feed-forward network of 2017 is $\max(0, xW_1)W_2$. **SwiGLU** (Shazeer, 2020) widens twice, and lets one of the two decide
# how much of the other passes:
#
# $$y = W_{\text{down}}\big(\operatorname{silu}(W_{\text{gate}}\,x) \odot W_{\text{up}}\,x\big),\qquad \operatorname{silu}(z) = z\,\sigma(z)$$
#
# That's a third matrix, so models make it narrower, $\tfrac83 d$ instead of $4d$, for the same number of weights. As for why it works
# better, Shazeer's paper credits “divine benevolence”.

# %% [markdown]
# ### Exercise: `SwiGLU` (2 points, 10 minutes)
#
# **What.** Write the formula with three Linear layers: `gate_proj`, `up_proj`, `down_proj`.
# A `swiglu` from another package isn't allowed here.
#
# **Shapes.** `x` [..., dim] → [..., hidden_dim] → [..., dim].
#
# **Must hold.** Three matrices and no bias. The silu goes around the gate; up stays linear.
# <!-- Broken by: down with a bias; gate and up exchanged -->
#
# **Used for.** The second half of every block.
#
# <details><summary>Hint</summary><code>nn.Linear(dim, hidden_dim, bias=False)</code>. <code>F.silu</code> exists, and
# <code>z * torch.sigmoid(z)</code> is as good.</details>

# %% exercise="SwiGLU"
from course_lib.model.swiglu import SwiGLU

# %%
check("SwiGLU", SwiGLU)


# %% tags=["picture"]
@guess_first(
    "A feature's gate is −4, and its up is 4. How much passes?",
    ["−16", "0, as with ReLU", "a little: about −0.3", "4"],
    needs=["SwiGLU"],
)
def what_passes():
    gate, up = torch.meshgrid(torch.linspace(-4, 4, 81), torch.linspace(-4, 4, 81), indexing="ij")
    one = SwiGLU(2, 1)
    with torch.no_grad():
        one.gate_proj.weight.copy_(torch.tensor([[1.0, 0.0]]))
        one.up_proj.weight.copy_(torch.tensor([[0.0, 1.0]]))
        one.down_proj.weight.fill_(1.0)
        gated = one(torch.stack([gate, up], dim=-1))[..., 0]  # [81, 81]
    pictures.gate(up, gate, gated)


# %% [markdown]
# At a gate of −4 the factor is silu(−4) = −0.07, so −0.29 passes where up is 4: nearly nothing, but with a gradient, which ReLU wouldn't
# have.

# %% [markdown]
# ## 13.4 Fewer keys, and a cache
#
# When a model writes, each new token attends to all tokens before it. Their keys and values don't change any more, since the model
# is causal, so they are kept: the **cache**. It saves time, and costs memory: for each token, keys and values of all heads of all
# layers. So today's models let several query heads share one head of keys and values: **grouped queries** (Ainslie et al., 2023).


# %% tags=["picture"]
@guess_first(
    "Llama 3 8B: 32 layers, heads 128 wide, a text of 8,192 tokens, float16. How large is the cache with 32 heads of keys and values?",
    ["4 MB", "43 MB", "430 MB", "4.3 GB", "43 GB"],
)
def cache_sizes():
    sizes = {heads: 2 * 32 * heads * 128 * 8192 * 2 / 1e9 for heads in (32, 8, 1)}  # keys and values, 2 bytes each
    pictures.cache_sizes(sizes)


# %% [markdown]
# That's 4.29 GB for one text. With 8 heads, as in Llama 3, it's 1.07 GB, so four texts fit where one did.

# %% [markdown]
# ### Exercise: `GroupedQueryAttention` (6 points, 40 minutes)
#
# **What.** Write causal self-attention with rotary positions, with h heads of queries and g of keys and values. A call may bring a cache
# of the P earlier tokens; then `x` is at the positions P … P + T − 1. Write the attention out: torch's
# `scaled_dot_product_attention` isn't allowed here.
#
# **Shapes.** `x` [B, T, D], `cache` (keys, values), each [B, g, P, d] → the output [B, T, D] and the cache of P + T tokens.
#
# **Must hold.** Head i of the queries uses head i // (h / g) of keys and values. However a text is cut into calls, the output is that
# of one call, even if calls for other texts come in between. The cache holds g heads, not h, and its keys are already rotated. However
# large or low the scores are, the output is finite and no token sees a later one. `base` may be a tensor, as in `rotate`.
# <!-- Broken by: heads tiled; positions start at zero | mask starts at the top left | no mask behind a cache; cache
# holds all heads | cache holds keys before the rotation; later scores not low enough; only a number as base; model_dim and num_heads not
# checked | model_dim not named in the error; num_heads and num_kv_heads not checked; head width not named in the
# error -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit.
#
# **Used for.** Every block of the model.
#
# <details><summary>Hint 1: the order</summary>Project, split into heads, rotate q and k, append to the cache, repeat the heads, attend,
# merge.</details>
# <details><summary>Hint 2: the mask</summary>The query at P + i sees P + i + 1 keys: <code>torch.arange(P + T) &lt;= positions[:,
# None]</code>
# is [T, P + T].</details>
# <details><summary>Hint 3: the groups</summary>0 0 0 1 1 1 is <code>repeat_interleave</code>; 0 1 0 1 0 1 is <code>repeat</code>.</details>

# %% exercise="GroupedQueryAttention"
from course_lib.model.grouped_query import GroupedQueryAttention

# %%
check("GroupedQueryAttention", GroupedQueryAttention)

# %% [markdown]
# ## 13.5 The model
#
# A block is pre-norm (stage 4), with your parts. It's given:


# %% locked=true
class DecoderOnlyBlock(nn.Module):
    """x = x + attention(attention_norm(x)),   x = x + feed_forward(feed_forward_norm(x))"""

    def __init__(
        self,
        model_dim: int,
        num_heads: int,
        num_kv_heads: int,
        hidden_dim: int,
        base: float = 10000.0,
        eps: float = 1e-5,
    ):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.base = num_heads, num_kv_heads, base  # for a look inside (stage 14)
        self.attention_norm = RMSNorm(model_dim, eps)
        self.attention = GroupedQueryAttention(model_dim, num_heads, num_kv_heads, base)
        self.feed_forward_norm = RMSNorm(model_dim, eps)
        self.feed_forward = SwiGLU(model_dim, hidden_dim)

    def forward(self, x: torch.Tensor, cache: Cache | None = None) -> tuple[torch.Tensor, Cache]:
        attended, cache = self.attention(self.attention_norm(x), cache)  # [B, T, D]
        x = x + attended  # [B, T, D]
        return x + self.feed_forward(self.feed_forward_norm(x)), cache  # [B, T, D]


# %% [markdown]
# Around the blocks: an embedding, a last norm, and an output layer that compares what comes out with every row of the embedding. Using
# *one* matrix for both is called **tying** (Press and Wolf, 2017). How should a new model start? It knows nothing, so all V tokens
# should be equally likely, and its loss should be $\ln V$.


# %% tags=["picture"]
@guess_first(
    "65 characters. What is the loss of an untrained model whose tied embedding starts as nn.Embedding does, as N(0, 1), at width 96?",
    ["ln 65 = 4.2", "about 10", "about 90", "infinite"],
)
def before_training():
    torch.manual_seed(0)
    table, tokens = torch.randn(65, 96), torch.randint(65, (8, 65))
    losses = {}
    for name, scale in (("N(0, 1)", 1.0), ("N(0, 0.02²)", 0.02)):
        x = F.rms_norm(scale * table[tokens], (96,))  # what a model without blocks makes of its tokens
        logits = x @ (scale * table).T  # [B, T, V]
        losses[name] = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).item()
    pictures.first_losses(losses, symbols=65)


# %% [markdown]
# With N(0, 1) the model is certain that every token is followed by itself. It has to unlearn that before it can learn anything. So all
# matrices start as N(0, 0.02²), and the two that add to the residual path, `o_proj` and `down_proj`, smaller still: $2L$ of them add up.

# %% [markdown]
# ### Exercise: `LanguageModel` (4 points, 25 minutes)
#
# **What.** Put together embedding, blocks, norm and output; write `step` with caches and `forward` without.
# PyTorch's `nn.TransformerEncoder` and its layers aren't allowed here.
#
# **Shapes.** `tokens` [B, T] → logits [B, T, V]; `step` also returns a list with one cache per block.
#
# **Must hold.** Tied means one parameter under two names. Each block has its own cache. The final norm comes after the last block and
# before the output. Every row of the embedding learns, that of token 0 too. A new model knows nothing: its loss on random tokens is ln V.
# <!-- Broken by: not tied; cache not passed on; no last norm; token 0 as padding; torch's initialisation -->
#
# **Used for.** Everything that follows.
#
# <details><summary>Hint 1: tying</summary><code>self.output.weight = self.embedding.weight</code>.</details>
# <details><summary>Hint 2: initialisation</summary>A loop over <code>self.named_parameters()</code>: matrices have two axes,
# and <code>name.endswith(…)</code> finds the two special ones.</details>
# <details><summary>Hint 3: the caches</summary><code>zip(self.blocks, caches)</code> gives each block its cache; collect the new
# ones in a new list.</details>

# %% exercise="LanguageModel"
from course_lib.model.language_model import LanguageModel

# %%
check("LanguageModel", LanguageModel)

# %% [markdown]
# ## 13.6 The loss
#
# A text is its own answer: at each position the model predicts the next token. One text of T tokens gives T − 1 predictions.

# %% [markdown]
# ### Exercise: `next_token_loss` (3 points, 15 minutes)
#
# **What.** Return the mean cross-entropy, in nats, of `tokens[:, 1:]` under `logits[:, :-1]`.
#
# **Shapes.** `logits` [B, T, V], `tokens` [B, T], `mask` [B, T], True for real tokens → a scalar.
#
# **Must hold.** With a mask, only targets that are real count. If there is nothing to predict, the loss is 0 and can be
# backpropagated. Logits of 1,000 stay finite.
# <!-- Broken by: mask of the input; no mean of nothing; exponentials overflow -->
#
# **Used for.** Training, below and in stage 14.
#
# <details><summary>Hint 1: which mask</summary>That of the targets, <code>mask[:, 1:]</code>.</details>
# <details><summary>Hint 2: nothing</summary>The sum of no losses is 0 and keeps its graph; divide by at least 1.</details>
# <details><summary>Hint 3: shapes</summary><code>F.cross_entropy</code> takes [B, V, T − 1] and [B, T − 1];
# <code>reduction="none"</code> gives one loss for each target.</details>

# %% exercise="next_token_loss"
from course_lib.text.next_token import next_token_loss

# %%
check("next_token_loss", next_token_loss)

# %% [markdown]
# Two other numbers are in use. The **perplexity** is $e^L$: a model with loss L is as uncertain as a die with that many sides. **Bits per
# character** are $\frac{L}{\ln 2} \cdot \frac{\text{tokens}}{\text{characters}}$; you need them as soon as two models have different
# vocabularies.
#
# ### Question: which is better? (2 points, 10 minutes)
#
# <!-- variant: characters-lose -->
# Two models of the same text. One reads characters and has a loss of 0.75 nats. The other reads byte pairs, 4.2 characters long on
# average, and has a loss of 3.1 nats. Which one predicts the text better? Show your calculation, and say in one sentence why their
# losses can't be compared directly. A person will grade this answer.
# <!-- variant: characters-win -->
# Two models of the same text. One reads characters and has a loss of 0.80 nats. The other reads byte pairs, 3.6 characters long on average,
# and has a loss of 2.95 nats. Which one predicts the text better? Show your calculation, and say in one sentence why their losses can't be
# compared directly. A person will grade this answer.
# <!-- variant: two-vocabularies -->
# Two models of the same text, with byte pairs from two different vocabularies. One's tokens are 3.9 characters long on average, and it has
# a loss of 3.0 nats. The other's are 5.1 characters long, and it has a loss of 4.0 nats. Which one predicts the text better? Show your
# calculation, and say in one sentence why their losses can't be compared directly. A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="which_is_better" points=2
# BEGIN SOLUTION
# <!-- variant: characters-lose -->
# Bits per character: the character model 0.75 / ln 2 = 1.082; the byte-pair model 3.1 / (ln 2 · 4.2) = 1.065. So the byte-pair model is
# better, although its loss is four times as high. A loss is per token, and its tokens are 4.2 times as long: it is asked fewer, harder
# questions.
#
# Rubric:
#
# - 1 point: both in bits per character, 1.082 and 1.065, and the byte-pair model named
# - 1 point: a loss is per token, and the tokens of the two have different lengths
# <!-- variant: characters-win -->
# Bits per character: the character model 0.80 / ln 2 = 1.154; the byte-pair model 2.95 / (ln 2 · 3.6) = 1.182. So the
# character model is better. But not because its loss is lower: a loss is per token, and the other model's tokens are 3.6
# times as long, so it is asked fewer, harder questions.
#
# Rubric:
#
# - 1 point: both in bits per character, 1.154 and 1.182, and the character model named
# - 1 point: a loss is per token, and the tokens of the two have different lengths
# <!-- variant: two-vocabularies -->
# Bits per character: the first model 3.0 / (ln 2 · 3.9) = 1.110; the second 4.0 / (ln 2 · 5.1) = 1.132. So the first is
# better, but by far less than the losses suggest. A loss is per token, and the second model's tokens are longer: it is asked
# fewer, harder questions.
#
# Rubric:
#
# - 1 point: both in bits per character, 1.110 and 1.132, and the first model named
# - 1 point: a loss is per token, and the tokens of the two have different lengths
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## 13.7 Shakespeare
#
# Tiny Shakespeare is 1.1 million characters of his plays, 65 of them different. nanoGPT's README trains a plain GPT on it. Your model
# below is smaller (311,040 weights instead of 804,096). The whole recipe has 1,900 steps; here you watch the first eighty.

# %% tags=["picture"]
from dataclasses import replace

from course_lib.tasks.language import train_language_model


@guess_first(
    "A new model's loss is ln 65 = 4.2. What is it after eighty steps, a few seconds of training?",
    ["4.2: it takes longer", "about 3.5", "about 2.5", "about 1.6"],
    needs=["RMSNorm", "rotate", "SwiGLU", "GroupedQueryAttention", "LanguageModel", "next_token_loss"],
)
def first_steps():
    recipe = replace(task.recipe, max_steps=80, warmup=10, block=64, validate_every=None)
    small = replace(task, recipe=recipe, validation_ids=task.validation_ids[:6_401])
    _, history = train_language_model(small, model_class=LanguageModel, progress=False)
    pictures.first_steps(history.losses, symbols=65)


# %% [markdown]
# By then it knows which letters are frequent, and which pairs. The rest takes longer. Next, nanoGPT's recipe for a CPU makes its 2,000
# steps on one thread, and yours as many as fit into the same CPU time.


# %% tags=["picture"]
@guess_first(
    "On the validation text nanoGPT's recipe ends at 1.90 nats per character. When is yours there?",
    ["never", "at the end too", "after half of the time", "after about a quarter of the time"],
)
def beside_nanogpt():
    # CPU seconds and nats per character, to repeat in five minutes: python -m benchmarks.run training_language_curves
    seconds = [10, 20, 30, 40, 50, 61, 72, 83, 94, 105], [9, 18, 26, 35, 44, 53, 61, 70, 79, 88]
    curves = {
        "nanoGPT's recipe": list(
            zip(seconds[0], [2.474, 2.342, 2.234, 2.149, 2.077, 2.008, 1.968, 1.937, 1.907, 1.895], strict=True)
        ),
        "yours": list(
            zip(seconds[1], [2.156, 1.939, 1.829, 1.775, 1.719, 1.664, 1.617, 1.583, 1.567, 1.562], strict=True)
        ),
    }
    pictures.two_recipes(curves)


# %% [markdown]
# Yours is there after about a quarter of the time. With the recipe's own 1,900 steps it ends at 1.57, and with other seeds at up to 1.60;
# nanoGPT's ends at 1.90, and with other seeds at up to 1.91. The model with 1.57 is the one you'll let write below.
#
# Between nanoGPT's recipe and yours are eight changes. They were made one after another, each on top of the one before, and every model
# was trained for about 45 CPU seconds on one thread, with two seeds. The last change is **Muon** (Jordan et al., 2024), an optimiser for
# the matrices inside the blocks: it sets all singular values of a matrix's momentum to about 1, so no direction dominates a step.


# %% tags=["picture"]
@guess_first(
    "Which of these changes lower the loss most?",
    ["rotated positions and RMSNorm", "SwiGLU and grouped queries", "the size and the learning rate", "Muon"],
)
def one_change_at_a_time():
    # Means of two seeds, to repeat in eight minutes on two cores: python -m benchmarks.run training_language_parts
    ladder = {
        "a plain GPT, 128 × 4": 2.169,
        "size: 96 × 3": 2.021,
        "rate: 5e-3 for 1e-3": 1.829,
        "positions: rotated": 1.805,
        "norm: RMSNorm": 1.818,
        "gate: SwiGLU": 1.782,
        "groups: 2 of 4 heads": 1.797,
        "batch: 8 × 128 for 12 × 64": 1.811,
        "optimizer: Muon": 1.694,
    }
    pictures.ladder(ladder)


# %% [markdown]
# More than two thirds of the gain comes from a smaller model, which takes more steps in the same time, and from a higher rate; a
# quarter comes from Muon. RMSNorm, the groups and the longer blocks gain nothing at this size and in this time. RMSNorm is there because
# it's simpler and as good, the groups because they halve the cache, the longer blocks because the model then looks back twice as far. The
# two seeds of a model differ by 0.00 to 0.05, so don't read much into 0.01 or 0.02.
#
# ### Characters or byte pairs?
#
# Your byte pairs of stage 9 are another way to cut the text (if `my_transformer/` has them; otherwise the course's are used). After 200
# merges a token is about 1.7 characters long. The same model gets as many steps with either, on a quarter of the text; that takes nearly
# the same CPU time. Losses per token can't be compared, bits per character can.

# %% tags=["picture"]
from course_lib.text.text_tokens import BytePairs, Characters


def pairs(text):
    return BytePairs(text, 200, learn_bpe, apply_bpe)


with needs_your("RMSNorm", "rotate", "SwiGLU", "GroupedQueryAttention", "LanguageModel", "next_token_loss"):
    quick = replace(task.recipe, max_steps=120, warmup=20, block=64)
    for name, cut in (("characters", Characters), ("byte pairs", pairs)):
        cut_task, began = replace(shakespeare_task(cut, characters=300_000), recipe=quick), time.process_time()
        _, history = train_language_model(cut_task, model_class=LanguageModel, progress=False)
        loss = history.validations[-1].loss
        print(
            f"{name}: {len(cut_task.tokens)} tokens, {time.process_time() - began:.0f} CPU s, {loss:.2f} nats per token, "
            f"{cut_task.bits_per_character(loss):.2f} bits per character"
        )

# %% [markdown]
# The loss per token is higher with byte pairs, the bits per character are lower. But that's a short training, in which a model of
# characters first has to learn which letters go together; the merges come with that knowledge. After 60 CPU seconds on the whole text
# little is left of the lead (two seeds each; `python -m benchmarks.run training_pieces` measures it again):
#
# | tokens | bits per character |
# |---|---|
# | characters | 2.32 and 2.36 |
# | 200 merges | 2.25 and 2.27 |
# | 1,000 merges | 2.36 and 2.34 |
#
# A thousand merges are no better than characters: with more tokens, each is seen less often, and the output table costs more time.
# Large models read millions of times as much text, so they can afford 100,000 tokens, and the shorter sequences pay.

# %% [markdown]
# ## 13.8 Writing
#
# The logits say how likely each token is. What do you do with them? The most likely token every time is safe, and soon repeats itself.
# Drawing from the whole distribution sometimes picks a token that hardly ever fits. In between there are three settings: the
# **temperature** divides the logits, **top-k** keeps the k most likely tokens, and **top-p** (Holtzman et al., 2020) keeps the smallest
# set of tokens whose probabilities add up to p or more.

# %% [markdown]
# ### Exercise: `filter_logits` (3 points, 20 minutes)
#
# **What.** Divide the logits by the temperature, and set those of tokens that may not be drawn to −∞ (−1e9 will do). The order is
# temperature, top_k, top_p.
#
# **Shapes.** `logits` [..., V] → the same.
#
# **Must hold.** The token that crosses the line of top_p stays, so one always does. `top_p` counts what temperature and `top_k` leave,
# renormalised. Each row has its own edge. At temperature 0 one token stays, even of several equal ones, with its logit undivided. Wrong
# values raise a ValueError at any temperature, as the docstring says.
# <!-- Broken by: crossing token dropped; top_p before top_k; edge of the first row; temperature 0 keeps all equal
# ones; nothing checked at temperature 0; negative temperature not refused; top_k not named in the error; top_p outside
# (0, 1] not refused -->
#
# **Used for.** Drawing the next token, below.
#
# <details><summary>Hint 1: top-k</summary><code>logits.topk(k).values[..., -1:]</code> is the edge of each row.</details>
# <details><summary>Hint 2: top-p</summary>Sort, softmax, cumsum. A token stays if the sum <em>before</em> it, cumsum minus its own
# probability, is below p.</details>
# <details><summary>Hint 3: back</summary><code>mask.scatter(-1, places, mask)</code> undoes the sorting.</details>

# %% exercise="filter_logits"
from course_lib.text.generating import filter_logits

# %%
check("filter_logits", filter_logits)

# %% [markdown]
# ### Exercise: `generate` (2 points, 20 minutes)
#
# **What.** Continue a text: ask the model, filter, draw, append, ask again.
#
# **Shapes.** `tokens` [B, P] → [B, P + n].
#
# **Must hold.** Each token goes through the model once: the prompt in the first call, then one per call, and the last one not at all.
# Temperature 0 draws no random numbers. A row that has produced `stop` continues with `stop`; once all rows have, generation ends. The
# model is asked in eval mode and without gradients. The mode of each of its parts is restored, even after an error.
# <!-- Broken by: whole text every time; always drawn; never ends early; never in eval mode; mode not restored after an
# error; empty prompt not refused -->
#
# **Used for.** The texts below, and every chat you have with such a model.
#
# <details><summary>Hint 1: two things to keep</summary>The caches, and the token that the model hasn't seen yet.</details>
# <details><summary>Hint 2: drawing</summary><code>torch.multinomial(probabilities, 1, generator=generator)</code>.</details>
# <details><summary>Hint 3: rows that have stopped</summary>A boolean [B] remembers them; <code>masked_fill</code> puts stop
# there.</details>

# %% exercise="generate"
from course_lib.text.generating import generate

# %%
check("generate", generate)


# %% tags=["picture"]
@guess_first(
    "A trained model writes 256 characters. How many times faster is it with the cache than if it reads the whole text for each one?",
    ["as fast", "about twice", "at least three times", "a hundred times"],
    needs=["LanguageModel", "generate"],
)
def with_and_without_cache():
    trained = load_pretrained("shakespeare", LanguageModel).cpu()
    prompt, lengths, seconds = torch.tensor([task.tokens.encode("ROMEO:\n")]), (32, 64, 128, 256), {}

    class Forgetful(nn.Module):
        """The same model without caches: it reads the whole text in every step."""

        def step(self, new, caches=None):
            text = new if caches is None else torch.cat([caches, new], dim=1)
            return trained(text)[:, -1:], text

    for name, writer in (("with the cache", trained), ("without", Forgetful())):
        seconds[name] = []
        for length in lengths:
            began = time.process_time()
            written = generate(writer, prompt, length, temperature=0)
            seconds[name].append(time.process_time() - began)
        print(
            f"{name}: {seconds[name][-1]:.2f} s for 256 characters, ending in {task.tokens.decode(written[0, -20:].tolist())!r}"
        )
    pictures.time_to_write(lengths, seconds)


# %% [markdown]
# The text is the same either way. Without the cache each new character costs as much as reading all the earlier ones again.


# %% [markdown]
# Here are five texts from one model, written at temperatures 0, 0.5, 1 and 2, and at temperature 1 with top-p 0.8. Which is which?

# %% tags=["picture"]
shuffled = torch.randperm(5, generator=torch.Generator().manual_seed(5)).tolist()
settings = [{"temperature": t} for t in (0, 0.5, 1.0, 2.0)] + [{"temperature": 1.0, "top_p": 0.8}]
settings = dict(zip("ABCDE", (settings[i] for i in shuffled), strict=True))
with needs_your("LanguageModel", "filter_logits", "generate"):
    trained = load_pretrained("shakespeare", LanguageModel).cpu()
    prompt = torch.tensor([task.tokens.encode("JULIET:\n")])
    for name, setting in settings.items():
        drawn = generate(trained, prompt, 180, torch.Generator().manual_seed(1), **setting)
        print(f"--- {name}\n{task.tokens.decode(drawn[0].tolist())}\n")


# %% tags=["picture"]
@guess_first(
    "Which of the five texts was written at temperature 0, and which at 2?",
    ["A at 0 and E at 2", "C at 0 and B at 2", "D at 0 and B at 2", "E at 0 and A at 2"],
)
def which_is_which():
    for name, setting in settings.items():
        print(f"{name}: {', '.join(f'{key} {value}' for key, value in setting.items())}")


# %% [markdown]
# At 0 it goes round in circles; at 2 it falls apart. Top-p at 0.8 keeps the variety and drops the accidents.

# %% [markdown]
# ### Your own text
#
# `text_task` makes a task from any text file in UTF-8, the longer the better. The one below is Python: the source of `nn.Module`. Put
# your own path there and take more steps: a thousand take about half a minute.

# %% tags=["picture"]
from course_lib.tasks.language import text_task

path = nn.modules.module.__file__  # or "my_text.txt"
with needs_your("LanguageModel", "next_token_loss", "filter_logits", "generate"):
    own = text_task(path, recipe=replace(task.recipe, max_steps=80, warmup=10, block=64))
    model, history = train_language_model(own, model_class=LanguageModel, progress=False)
    print(f"{len(own.train_ids):,} characters to learn from, {len(own.tokens)} different ones")
    print(f"{own.bits_per_character(history.validations[-1].loss):.2f} bits per character\n")
    prompt = torch.tensor([own.train_ids[:20].tolist()])
    print(
        own.tokens.decode(generate(model, prompt, 150, torch.Generator().manual_seed(1), temperature=0.7)[0].tolist())
    )

# %% [markdown]
# What about a prompt with a character that Shakespeare never uses? It has no id and no row in the embedding, so it can't be encoded at
# all. `encode` refuses it, and names what it doesn't know:

# %% tags=["picture"]
try:
    task.tokens.encode("ROMEO: naïve @ 7")
except ValueError as error:
    print(error)

# %% [markdown]
# Your byte pairs refuse it, too: they start from the characters of the training text. That's why today's models start from the 256 *bytes*
# instead: every text is made of them, so none is unknown.

# %% [markdown]
# ## 13.9 Your code runs a Llama
#
# Your model *is* a Llama: the same parts in the same places. `load_llama` reads a directory that Hugging Face's `save_pretrained` wrote
# and puts its weights into your class. Two things differ. The rows of `q_proj` and `k_proj` come in the order for halves, and are
# reordered. And since Llama 3.1 the slow hands of the clock are slowed further, so that texts of 128,000 tokens fit: then `base` is a
# tensor with one base per pair, and your `base ** …` computes with it as it does with a number.
#
# The Llama below is small enough to ship with the course: random weights, two layers, groups, a tied table, scaled positions. transformers
# made it, saved it, and computed the logits of a text with it.


# %% tags=["picture"]
from course_lib.interop import load_llama
from course_lib.tasks.tiny_llama import TINY_LLAMA, transformers_logits


@guess_first(
    "Your model computes the same logits, with the rows of q_proj and k_proj reordered and without. How close is each?",
    [
        "both agree: they are the same weights",
        "reordered agrees to 0.00001, without it to 0.01",
        "reordered agrees to 0.00001, without it nothing does",
    ],
    needs=["LanguageModel"],
)
def a_llama():
    tokens, expected = transformers_logits()  # [2, 37], [2, 37, 65]
    llama, logits = load_llama(TINY_LLAMA, LanguageModel), {}
    with torch.no_grad():
        logits["rows reordered"] = llama(tokens)
        for block in llama.blocks:
            for layer, heads in ((block.attention.q_proj, 4), (block.attention.k_proj, 2)):
                layer.weight.copy_(layer.weight.unflatten(0, (heads, -1, 2)).transpose(1, 2).flatten(0, 2))  # undone
        logits["rows as they came"] = llama(tokens)
    pictures.against_transformers(expected, logits)


# %% [markdown]
# It's the same function, down to float32's last digits. A real one works the same way once its directory is on your disk:
#
# ```python
# llama = load_llama("path/to/SmolLM2-135M", LanguageModel)  # with config.json and model.safetensors
# ```
#
# ### A longer context
#
# What if a text gets longer than those the model was trained on? RoPE has an angle for every position, so nothing breaks. But the slow
# hands reach angles that they never had in training.


# %% tags=["picture"]
@guess_first(
    "The Shakespeare model was trained on texts of 128 characters. What happens at character 300?",
    ["an error", "the loss is lower: it has read more", "the loss stays the same", "the loss is much higher"],
    needs=["LanguageModel"],
)
def a_longer_context():
    trained = load_pretrained("shakespeare", LanguageModel).cpu()
    text = task.validation_ids[: 8 * 512 + 1].unfold(0, 513, 512)  # [8, 513]
    with torch.no_grad():
        logits = trained(text)[:, :-1]  # [8, 512, V]
    losses = F.cross_entropy(logits.transpose(1, 2), text[:, 1:], reduction="none").mean(0)  # [512]
    pictures.past_the_block(losses, task.recipe.block)


# %% [markdown]
# Past the 128 characters of the training texts the loss climbs: by half a nat in the next 64, and soon it's more than twice as high.
# Nothing has raised an error; the model just writes worse and worse. That's why long-context models scale their rotations, and are trained
# on long
# texts again afterwards.

# %% [markdown]
# ## What you have now
#
# You have a language model as it's built today, trained by you, in code that also runs published weights.
