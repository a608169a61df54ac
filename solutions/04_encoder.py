# ---
# jupyter:
#   course:
#     points: 24
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 4 · The encoder: thinking in layers
#
# One attention layer looks once. To understand a sentence you look, think, and look again with what you have understood. So layers are
# stacked, six of them in the paper, more than a hundred in some models today. Stacking is where deep networks used to die: signals fade,
# gradients explode. Three
# simple devices keep them alive: a **residual** around every sub-layer, a **norm** next to it, and a small **feed-forward** network that
# gives each token time to think for itself. In this stage you build all three and put them together.
#
# | exercise | what it is | points |
# |---|---|---|
# | `LayerNorm` | every token to mean 0 and variance 1 | 4 |
# | `FeedForward` | each token separately: wider, ReLU, narrower | 3 |
# | `EncoderBlock` | attention and feed-forward, each with residual and norm | 6 |
# | `PreNormEncoderBlock` | the same with the norms before | 3 |
# | `TransformerEncoder` | the stack, and its attention maps | 5 |
# | a question in words | which device can you leave out? | 3 |
#
# It builds on the attention of stages 1 and 2 in `course_lib`, so you can start here without having done anything else. Plan for an
# evening.

# %% locked=true
import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import MultiheadAttention, PositionalEncoding, needs_your
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import encoder as pictures

generator = torch.manual_seed(0)  # the same random weights each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("LayerNorm", "FeedForward", "EncoderBlock", "TransformerEncoder")

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 4.1 What is left after twelve layers?
#
# **The question.** Take random tokens through twelve attention layers with random weights. What is left of them?
#
# Attention replaces each token by a *mean* of values. A mean of means of means … is the same for every token. The picture measures how
# alike two tokens are (the cosine between them) after each layer: once with bare attention, once with the input added back, $x +
# \text{attention}(x)$.

# %% tags=["picture"]
layers = [MultiheadAttention(32, 32, 4) for _ in range(12)]
tokens = torch.randn(1, 10, 32)  # [B, T, d]


def likeness(x):
    """Mean cosine between two different tokens of x [1, T, d]."""
    directions = F.normalize(x[0], dim=-1)  # [T, d]
    cosines = directions @ directions.T  # [T, T]
    return ((cosines.sum() - len(cosines)) / (len(cosines) * (len(cosines) - 1))).item()


@guess_first(
    "After how many layers of attention alone are all ten tokens nearly equal (a cosine above 0.9)?",
    ["after one", "after about six", "after all twelve", "they stay different"],
)
def what_is_left():
    alike = {}
    with torch.no_grad():
        for name, residual in (("attention alone", 0), ("with a residual", 1)):
            x, alike[name] = tokens, [likeness(tokens)]
            for layer in layers:
                x = residual * x + layer(x)
                alike[name].append(likeness(x))
    pictures.likeness(alike)


# %% [markdown]
# Without the residual a single layer makes all tokens alike, and from the second layer on they are equal: nothing of their own content
# survives. With it, every token keeps its own content and adds a little from the others. There's a second benefit. The derivative of $x +
# f(x)$ is $1 + f'(x)$: in the backward pass the gradient has a path that leaves it unchanged.

# %% [markdown]
# ## 4.2 Layer norm
#
# Sums have a price: the numbers grow from layer to layer. So you normalise them. The idea is old; the question is **over what**.
#
# - **Batch norm** takes each feature's mean over the *batch*. With sequences of different lengths, with padding, and with a single sentence
#   when the model is used, that's the wrong set of numbers to average over.
# - **Layer norm** takes each *token's* own mean and variance over its features. No other token, no other sample matters:
#
# $$y = \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} \odot g + b,\qquad \mu = \tfrac1d \sum_i x_i,\quad
# \sigma^2 = \tfrac1d \sum_i (x_i - \mu)^2$$
#
# Two traps. The variance is divided by $d$, not by $d-1$: `torch.var` divides by $d-1$ unless told otherwise, which makes $y$ 0.1 % smaller
# at width 512, where you'd never notice, and 13 % smaller at width 4. And $\varepsilon$ goes *inside* the root.

# %% [markdown]
# ### Exercise: `LayerNorm` (4 points, 15 minutes)
#
# **What.** Write layer norm by hand, with a learned scale `weight` ($g$ in the formula) and shift `bias` ($b$).
# PyTorch's norms aren't allowed here: `nn.LayerNorm`, `F.layer_norm`, `nn.RMSNorm`, `nn.GroupNorm`, `F.group_norm`,
# `nn.BatchNorm1d`, `F.batch_norm`, `nn.InstanceNorm1d` and `F.instance_norm`.
#
# **Shapes.** `x` [..., dim] → the same. `weight` [dim], ones at the start; `bias` [dim], zeros.
#
# **Must hold.** Every token is normalised separately, for any leading dimensions. It matches `nn.LayerNorm` at width 4. It also matches at
# tiny variances and far from 0, at a mean of 1,000.
# <!-- Broken by: axis number two; unbiased variance; eps outside the root | the mean of the squares minus the square of
# the mean -->
#
# **Used for.** Twice in every block, below.
#
# <details><summary>Hint 1: parameters</summary><code>nn.Parameter(torch.ones(dim))</code> is trained and saved; a plain tensor
# is not.</details>
# <details><summary>Hint 2: which axis</summary>The last; keep it (<code>keepdim=True</code>), so that mean and variance line up with
# x.</details>
# <details><summary>Hint 3: which variance</summary><code>x.var(-1, unbiased=False, keepdim=True)</code>, or the mean of the
# squared differences.</details>

# %% exercise="LayerNorm"
from course_lib.model.layers import LayerNorm

# %%
check("LayerNorm", LayerNorm)

# %% [markdown]
# Here are layer norm and batch norm in one picture (its colours end at ±3). There are ten tokens, one of them ten times as loud. Batch
# norm lets
# the loud one set the scale for all; layer norm treats each separately.

# %% tags=["picture"]
with needs_your("LayerNorm"):
    loud = torch.randn(10, 8)  # [T, d]
    loud[4] *= 10
    with torch.no_grad():
        tables = {"input": loud, "batch norm": nn.BatchNorm1d(8)(loud), "layer norm": LayerNorm(8)(loud)}
    pictures.norms(tables)

# %% [markdown]
# ## 4.3 Feed-forward
#
# Attention is *linear in the values*: it decides how much of each to take (and that decision is anything but linear in queries and keys),
# then takes a weighted mean. Two linear maps with a ReLU between them then process that mean, the same way at every position:
#
# $$\operatorname{FFN}(x) = \max(0,\, xW_1 + b_1)\, W_2 + b_2$$
#
# In the paper it widens 512 to 2048. Two thirds of a block's weights live here. During training, **dropout** sets a random share of the
# hidden numbers to 0, so the network can't rely on any single one. (The paper applies it to the output of every sub-layer and to the sums
# of embedding and position. Many implementations apply it to the *attention weights* too: a query then loses a random share of its keys,
# and the others are scaled up. The blocks of this course don't.)

# %% [markdown]
# ### Exercise: `FeedForward` (3 points, 5 minutes)
#
# **What.** Linear, Dropout, ReLU, Linear, as an `nn.Sequential`: the indices 0 and 3 become the parameters' names, which published
# checkpoints use. (You could swap Dropout and ReLU: either way a number is set to 0 or scaled up.)
#
# **Shapes.** `x` [..., dim] → [..., hidden_dim] → [..., dim].
#
# **Used for.** The second half of every block.
#
# <details><summary>Hint 1: the class</summary>A class that derives from <code>nn.Sequential</code> passes its modules to
# <code>super().__init__(…)</code> and inherits its <code>forward</code>.</details>
# <details><summary>Hint 2: names</summary><code>nn.Sequential(first, second, …)</code> calls its modules one after the other and
# names them 0, 1, 2, 3.</details>

# %% exercise="FeedForward"
from course_lib.model.layers import FeedForward

# %%
check("FeedForward", FeedForward)

# %% [markdown]
# ## 4.4 The block
#
# Now all three together. Around each of the two sub-layers goes a residual, and after it a norm (**post-norm**, as in the
# paper):
#
# $$x \leftarrow \operatorname{norm}_1\big(x + \operatorname{dropout}(\operatorname{attention}(x))\big),\qquad
# x \leftarrow \operatorname{norm}_2\big(x + \operatorname{dropout}(\operatorname{FFN}(x))\big)$$
#
# A sanity check for any block: what comes out if both sub-layers return zero? Here it's $\operatorname{norm}_2(\operatorname{norm}_1(x))$.
# If yours returns 0, the residual is missing.

# %% [markdown]
# ### Exercise: `EncoderBlock` (6 points, 20 minutes)
#
# **What.** Write the two lines above. Attributes: `self_attn`, `linear_net`, `norm1`, `norm2`, `dropout`.
# PyTorch's `nn.TransformerEncoderLayer` and `nn.MultiheadAttention` aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → the same. `mask` as `expand_mask` takes it; it applies only to the attention.
#
# **Must hold.** There's no dropout in `eval()`. A hidden token affects no other token. Samples do not mix.
# <!-- Broken by: dropout in eval too; mask forgotten; norms over the batch -->
#
# **Used for.** Every layer of the stack; in stages 7 and 8 you train them.
#
# <details><summary>Hint 1: the modules</summary><code>MultiheadAttention(input_dim, input_dim, num_heads)</code> comes from
# course_lib; LayerNorm and FeedForward are yours, from above.</details>
# <details><summary>Hint 2: the residual</summary>Add the sub-layer's <em>input</em>. For the second sub-layer that's the output of the
# first norm.</details>

# %% exercise="EncoderBlock"
from course_lib.model.encoder import EncoderBlock

# %%
check("EncoderBlock", EncoderBlock)

# %% [markdown]
# ## 4.5 Before or after?
#
# The paper puts the norm *after* the residual. So the path from the last layer to the first passes through a norm in every layer: it's no
# longer free. **Pre-norm** moves the norms into the branches:
#
# $$x \leftarrow x + \operatorname{attention}(\operatorname{norm}_1(x)),\qquad x \leftarrow x + \operatorname{FFN}(\operatorname{norm}_2(x))$$
#
# with dropout in the same two places. Zero sub-layers now return $x$ itself. Most models since GPT-2 work like this; an experiment below
# shows one reason.

# %% [markdown]
# ### Exercise: `PreNormEncoderBlock` (3 points, 10 minutes)
#
# **What.** The same parameters as `EncoderBlock`, from which it inherits its `__init__`; only the order in `forward` differs.
# PyTorch's `nn.TransformerEncoderLayer` and `nn.MultiheadAttention` aren't allowed here.
#
# **Shapes.** As before.
#
# **Used for.** The experiment that follows.
#
# <details><summary>Hint</summary>What is added to the residual: x, or norm(x)?</details>

# %% exercise="PreNormEncoderBlock"
from course_lib.model.encoder import PreNormEncoderBlock

# %%
check("PreNormEncoderBlock", PreNormEncoderBlock)

# %% [markdown]
# **The experiment.** Stacks of growing depth with random weights, a loss at the end (in pre-norm models after one final norm, as usual).
# Two questions. How large is the gradient of the *last* feed-forward layer? Xiong et al. (2020, theorem 1) predict: in post-norm the
# same at every depth, in pre-norm falling like $1/\sqrt{L}$ with the number of layers $L$ (once there are many: watch the slope at the
# right end). And what does *one step* of an optimiser do if it moves every weight by about the same amount, as Adam's first step does
# (stage 6)?


# %% tags=["picture"]
@guess_first(
    "One step of Adam, at a rate of 0.001, changes the output of a single layer by 3 %. That of 16 post-norm layers?",
    [
        "by less, the norms hold it",
        "by about 3 % as well",
        "by about 15 %",
        "by half",
        "by about as much as its whole size",
    ],
    needs=["EncoderBlock", "PreNormEncoderBlock"],
)
def depth_and_steps():
    depths, seeds, gradients, moved = [1, 2, 4, 8, 16], 4, {}, {}
    for name, block in (("post-norm", EncoderBlock), ("pre-norm", PreNormEncoderBlock)):
        gradients[name], moved[name] = torch.zeros(2, len(depths))
        for seed in range(seeds):
            for place, depth in enumerate(depths):
                torch.manual_seed(seed)
                stack = nn.Sequential(*(block(32, 4, 128) for _ in range(depth)))
                for weight in stack.parameters():
                    if weight.dim() == 2:
                        nn.init.xavier_uniform_(weight)
                model = stack if name == "post-norm" else nn.Sequential(stack, nn.LayerNorm(32))
                x, direction = torch.randn(2, 8, 12, 32)  # [B, T, d] each
                before = model(x)
                (before * direction).sum().backward()
                gradients[name][place] += stack[-1].linear_net[3].weight.grad.norm() / seeds
                torch.optim.Adam(stack.parameters(), lr=0.001).step()
                with torch.no_grad():
                    moved[name][place] += (model(x) - before).norm() / before.norm() / seeds
    pictures.depth_and_steps(depths, gradients, moved)


# %% [markdown]
# The left picture by itself doesn't call for a warm-up: a post-norm gradient is no larger at 16 layers than at one. The right one does.
# Small changes in many layers add up, and after the first step at a rate that's harmless for one layer (0.001), a deep post-norm stack
# computes something completely different. A pre-norm stack moves half as far, because its norms are in the branches, and what a layer adds
# shrinks relative to what is already there. (Liu et al., 2020, *Understanding the difficulty of training Transformers*, section 4, prove
# the growth with depth.) So a post-norm model starts with tiny steps: the warm-up of stage 6.

# %% [markdown]
# ## 4.6 The stack
#
# The encoder is a list of blocks. Two things go wrong in practice. A plain Python list hides its modules from `.parameters()`, so nothing
# in it is trained. And if the mask reaches only the first layer, padding leaks back in from the second layer on: no error, just worse
# results. `get_attention_maps` shows what each layer looked at, so it must compute exactly what the forward pass computes.

# %% [markdown]
# ### Exercise: `TransformerEncoder` (5 points, 15 minutes)
#
# **What.** Stack `num_layers` blocks, each with its own parameters. Write `forward(x, mask=None)` and `get_attention_maps(x, mask=None)`,
# which returns a list with the attention of every layer. PyTorch's `nn.TransformerEncoder` and `nn.TransformerEncoderLayer` aren't
# allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → the same; each map is [B, h, T, T].
#
# **Used for.** The predictor of stage 6, and every picture of attention in stages 7 and 8.
#
# <details><summary>Hint 1: the list</summary><code>nn.ModuleList</code>; make a new block for each layer.</details>
# <details><summary>Hint 2: the maps</summary><code>layer.self_attn(x, mask, return_attention=True)</code> returns a pair. Then
# <code>x = layer(x, mask)</code> prepares the next layer's input.</details>

# %% exercise="TransformerEncoder"
from course_lib.model.encoder import TransformerEncoder

# %%
check("TransformerEncoder", TransformerEncoder)

# %% [markdown]
# What does an untrained model look at? Here are twelve tokens with positions, two layers of two heads, random weights, and the last three
# tokens hidden.

# %% tags=["picture"]
with needs_your("TransformerEncoder"):
    torch.manual_seed(2)
    encoder = TransformerEncoder(num_layers=2, input_dim=32, num_heads=2, dim_feedforward=64).eval()
    x = PositionalEncoding(32)(torch.randn(1, 12, 32))  # [B, T, d]
    visible = torch.arange(12) < 9  # [T]
    with torch.no_grad():
        maps = torch.stack(list(encoder.get_attention_maps(x, visible.expand(12, 12))))  # [layers, B, h, T, T]
    pictures.untrained_maps(maps[:, 0])

# %% [markdown]
# There's no pattern, as expected: the model hasn't been trained. In the dark columns the plotted attention is 0. That doesn't prove that
# nothing leaks: the forward pass could still forget the mask. To find out, change the hidden tokens and see whether a visible one notices.


# %% tags=["picture"]
@guess_first(
    "If the first of the two layers gets the mask and the second does not, what do visible tokens notice of hidden ones?",
    [
        "nothing: the first layer has dealt with them",
        "a hundredth of what they do without any mask",
        "more than half of it",
    ],
    needs=["TransformerEncoder"],
)
def leak():
    visible = torch.arange(12) < 9  # [T]
    mask = visible.expand(12, 12)
    settings = {"both layers": (mask, mask), "the first alone": (mask, None), "none": (None, None)}

    def through(encoder, tokens, masks):
        for layer, its_mask in zip(encoder.layers, masks):
            tokens = layer(tokens, its_mask)
        return tokens[:, visible]

    moved, seeds = torch.zeros(3), 20
    for seed in range(seeds):
        torch.manual_seed(seed)
        encoder = TransformerEncoder(num_layers=2, input_dim=32, num_heads=2, dim_feedforward=64).eval()
        x, other = PositionalEncoding(32)(torch.randn(2, 12, 32)).split(1)  # [B, T, d] each
        other[:, visible] = x[:, visible]
        with torch.no_grad():
            for place, masks in enumerate(settings.values()):
                moved[place] += (through(encoder, other, masks) - through(encoder, x, masks)).abs().max() / seeds
    pictures.leak([*settings], moved)


# %% [markdown]
# The hidden tokens go through the first layer too, and keep their content on their residual path. A second layer without the mask reads it
# there, and the visible tokens notice more than half of what they would without any mask (the mean over twenty random encoders; individual
# encoders differ). So the mask must reach *every* layer.

# %% [markdown]
# ## 4.7 The PyTorch version
#
# `nn.TransformerEncoderLayer` is your block; its defaults are a dropout of 0.1 and inputs [T, B, d]; below we override both. With its
# weights copied over, both return the same numbers:

# %%
with needs_your("EncoderBlock"):
    from course_lib.interop import copy_encoder_layer

    theirs = nn.TransformerEncoderLayer(12, nhead=3, dim_feedforward=20, dropout=0.0, batch_first=True).eval()
    ours = EncoderBlock(12, 3, 20).eval()
    copy_encoder_layer(theirs, ours)
    x = torch.randn(2, 7, 12)  # [B, T, d]
    with torch.no_grad():
        print(f"largest difference: {(theirs(x) - ours(x)).abs().max():.1e}")

# %% [markdown]
# ## 4.8 In your own words
#
# ### Question: three devices (3 points, 15 minutes)
#
# <!-- variant: leave-one-out -->
# A colleague wants a lighter encoder and suggests leaving out **one** of the three: the residuals, the norms, or the feed-forward networks.
# For each, say what would go wrong, in the values or in the gradients, and which experiment on this page shows it, or which one you would
# run. Write two or three sentences each. A person will grade this answer.
# <!-- variant: tell-them-apart -->
# Three encoders of twelve layers were built with one slip each: one has no residuals, one no norms, one no feed-forward networks. You may
# run them and look at values and gradients, but not at their code. For each, say what you would see that gives it away, why the missing
# device causes it, and which experiment on this page shows it, or which one you would run. Write two or three sentences each. A person will
# grade this answer.
# <!-- end of variants -->

# %% [markdown] question="three_devices" points=3
# BEGIN SOLUTION
# <!-- variant: leave-one-out -->
# Residuals: without them what a layer has mixed replaces what was there. Attention is a mean, so after a few layers all tokens are
# alike (the first experiment of this page: the cosine between tokens goes to 1 without a residual), and the gradient has no direct path
# to the early layers.
# Norms: without them the sums on the residual path grow from layer to layer, scores grow with them, the softmax saturates (stage 1), and
# the size of a step that is right for one layer is wrong for another; an outlier token dominates. To see it: the standard deviation
# of x after each layer, with and without.
# Feed-forward: what remains mixes the values linearly, layer after layer; nothing non-linear is ever computed within a token, and most of
# the parameters are gone. To see it: train two stacks of equally many parameters on a task that needs a non-linear function of one
# token.
#
# Rubric:
#
# - 1 point: residuals: tokens become alike, or the gradient has no direct path; with an experiment that shows it
# - 1 point: norms: the sums on the residual path grow, scores saturate, or no step size suits two layers; with an
#   experiment
# - 1 point: feed-forward: nothing non-linear is computed within a token; with an experiment
# <!-- variant: tell-them-apart -->
# No residuals: the tokens become alike from layer to layer, because attention is a mean and nothing keeps what was there before
# (the first experiment of this page: the cosine between tokens goes to 1), and the gradient of the early layers is tiny, because it
# has no direct path to them.
#
# No norms: the standard deviation of x grows from layer to layer, because the sums on the residual path add up; the scores grow
# with it and the attention weights of late layers are nearly one-hot (stage 1). To see it: the standard deviation of x after each
# layer.
#
# No feed-forward: values and gradients look healthy, but most of the parameters are gone, and nothing non-linear is computed within
# a token, because attention only mixes values linearly. To see it: with the attention weights held fixed, the output is linear in
# the values; or train on a task that needs a non-linear function of one token.
#
# Rubric:
#
# - 1 point: residuals: tokens become alike, or early layers get hardly any gradient, and why; with an experiment
# - 1 point: norms: the spread of x grows from layer to layer, or scores saturate, and why; with an experiment
# - 1 point: feed-forward: nothing non-linear is computed within a token, or most of the parameters are missing;
#   with an experiment
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have half of the 2017 Transformer, and everything that BERT or a vision Transformer needs. In [stage 5](05_decoder.ipynb) the other half
# learns to write.
