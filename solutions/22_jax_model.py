# ---
# jupyter:
#   course:
#     points: 18
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 22 · The encoder in flax
#
# In stage 21 parameters were an argument, which is good for `jax.grad` and tiring for people: a predictor has 26 arrays. **flax**
# gives you modules that hold parameters, as in PyTorch, and a way to take a module apart into a function and its
# parameters whenever JAX needs that. In this stage you write the encoder as flax modules, and at the end published parameters
# reverse sequences in your own code.
#
# | exercise | what it is | points |
# |---|---|---|
# | `jax_PositionalEncoding` | a module without state | 2 |
# | `jax_EncoderBlock` | attention, feed-forward, and keys for two dropouts | 5 |
# | `jax_TransformerEncoder` | the stack, and its attention maps | 4 |
# | `jax_TransformerPredictor` | the model of the tasks | 4 |
# | a question in words | what `jax.grad` can take | 3 |
#
# It needs stage 21, and jax, flax and optax: `pip install 'attention-workshop[jax]'`. In Colab they are already there. Plan for
# two hours.

# %% locked=true
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from autograder import check
from course_lib import needs_your
from course_lib.jax.data import ReverseDataset, reverse_accuracy
from course_lib.jax.interop import CheckpointUnavailable, copy_from_torch, load_flax_checkpoint, published_checkpoint
from course_lib.jax.layers import FeedForward, LayerNorm, MultiheadAttention
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import jax_track as pictures

key = jax.random.key(0)  # the same random numbers each time

# %% [markdown]
# ## 22.1 A module, taken apart
#
# Two layers are given, because they contain nothing new: `MultiheadAttention(input_dim, embed_dim, num_heads, rngs=rngs)` wraps the
# function of stage 21 (the course's): a call `layer(x, mask)` returns the output, and with `return_attention=True` the pair of output and
# attention [B, h, T, T]. `FeedForward(dim, hidden_dim, dropout, rngs=rngs)` is Linear, Dropout, ReLU, Linear. `LayerNorm` is flax's own,
# set to what PyTorch does: by default flax uses another epsilon ($10^{-6}$), and a formula for the variance that loses digits when the mean
# is large.
#
# A constructor draws its parameters from `rngs`, a source of keys that gives a new one each time it's asked.

# %% tags=["picture"]
layer = FeedForward(dim=4, hidden_dim=7, rngs=nnx.Rngs(0))
graph, params = nnx.split(layer)
print(jax.tree.map(jnp.shape, nnx.to_pure_dict(params)))

# %% [markdown]
# `nnx.split` takes a module apart: `params` is a tree of arrays, as in stage 21, and `graph` is what's left, the structure without a
# single number. `nnx.merge` puts the two together again. So a module becomes a pure function of its parameters:


# %% tags=["picture"]
def loss(params, x):
    return jnp.square(nnx.merge(graph, params)(x)).mean()


gradients = jax.grad(loss)(params, jnp.ones((2, 4)))
print("a gradient for each parameter:", jax.tree.map(jnp.shape, nnx.to_pure_dict(gradients)))

# %% [markdown]
# Everything in `params` gets a gradient, and an optimiser changes it. That makes one question important: what does flax
# regard as state?


# %% tags=["picture"]
@guess_first(
    "A module keeps `self.width = 4` and `self.table = jnp.ones(3)`, neither of them a parameter. What does an optimiser train?",
    ["neither", "the table", "both"],
)
def what_is_state():
    class Keeps(nnx.Module):
        def __init__(self):
            self.width = 4
            self.table = jnp.ones(3)

    print(nnx.to_pure_dict(nnx.state(Keeps())))


# %% [markdown]
# It's the table: a number is part of the graph, but an array is state, whether you call it a parameter or not. (In PyTorch the
# opposite holds: a plain tensor isn't part of the state, and you register what should be.) So a table that must stay fixed isn't kept
# at all.

# %% [markdown]
# ### Exercise: `jax_PositionalEncoding` (2 points, 15 minutes)
#
# **What.** $\mathrm{pe}_{t,2i} = \sin(t / 10000^{2i/d})$ and $\mathrm{pe}_{t,2i+1} = \cos(t / 10000^{2i/d})$, added to the tokens, in a
# module named `PositionalEncoding`. Compute the rows in the call: under `jax.jit` that costs nothing, because it happens
# once, while compiling.
#
# **Shapes.** `x` [B, T, d_model] → the same.
#
# **Must hold.** It holds no state. An odd `d_model` works. It works under `jax.jit`. A sequence longer than `max_len` raises a
# `ValueError` that names both lengths.
# <!-- Broken by: table kept as an attribute; even widths only; tokens asked for their values; RuntimeError instead of
# ValueError; an error with one number -->
#
# **Used for.** The predictor below.
#
# <details><summary>Hint</summary><code>jnp.stack([sines, cosines], axis=-1).reshape(T, -1)</code> makes the columns take turns.
# Cut off the last one if d_model is odd.</details>

# %% exercise="jax_PositionalEncoding"
from course_lib.jax.model import PositionalEncoding

# %%
check("jax_PositionalEncoding", PositionalEncoding)

# %% [markdown]
# ## 22.2 Keys come with the call
#
# A dropout needs a key. flax lets a module keep its own source of keys, but then the state holds more than parameters, and a
# function of it is no longer pure. In this course modules hold **parameters only**, and a call that trains brings its keys:
# `block(x, deterministic=False, rngs=nnx.Rngs(dropout=key))`. Without that, `deterministic=True` applies and nothing is dropped.
#
# What if a block takes one key and gives it to both of its dropouts?

# %% tags=["picture"]
drop = nnx.Dropout(0.5)
ones = jnp.ones((8, 16))
same = [drop(ones, deterministic=False, rngs=nnx.Rngs(dropout=key)) for _ in range(2)]
rngs = nnx.Rngs(dropout=key)
fresh = [drop(ones, deterministic=False, rngs=rngs) for _ in range(2)]
pictures.two_dropouts({"one key for both": same, "rngs passed on": fresh})

# %% [markdown]
# In the upper row the same features drop twice, so half of them get no new information in this block at all. `nnx.Rngs`
# counts how often it was asked and gives a new key each time: pass the object on, not a key that you took from it.

# %% [markdown]
# ### Exercise: `jax_EncoderBlock` (5 points, 25 minutes)
#
# **What.** Write the post-norm block of stage 4, $x \leftarrow \operatorname{norm}_1(x +
# \operatorname{dropout}(\operatorname{attention}(x)))$ and
# $x \leftarrow \operatorname{norm}_2(x + \operatorname{dropout}(\operatorname{FF}(x)))$, as a module named `EncoderBlock`.
# `jax.nn.dot_product_attention` and flax's `MultiHeadAttention` aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → the same; the mask is one that `expand_mask` takes.
#
# **Must hold.** Nothing drops unless you pass `deterministic=False`. The two dropouts of one call drop different entries, each entry
# independently. The same key drops the same entries in every call. Every kernel is drawn from the constructor's `rngs`, with a key of its
# own. A hidden token affects no other token. Samples do not mix. Only parameters are state. It works under `jax.jit`.
# <!-- Broken by: dropout by default; one key for both dropouts | whole tokens drop; keys from a
# generator of NumPy's; an attention with keys of its own | one key for all parts; mask forgotten; norms over the
# batch; a counter in the state; tokens asked for their values -->
#
# **Used for.** The encoder below.
#
# <details><summary>Hint 1: the constructor</summary>Pass <code>rngs=rngs</code> to everything that has parameters, and to
# nothing else: <code>nnx.Dropout(dropout)</code>.</details>
# <details><summary>Hint 2: the call</summary>Three places can drop something: after the attention, after the feed-forward, and
# inside the feed-forward. Each gets <code>deterministic=deterministic, rngs=rngs</code>.</details>

# %% exercise="jax_EncoderBlock"
from course_lib.jax.model import EncoderBlock

# %%
check("jax_EncoderBlock", EncoderBlock)

# %% [markdown]
# ## 22.3 A list of modules
#
# flax refuses a plain list of modules, because it couldn't tell whether you want their parameters trained. `nnx.List` holds
# them, and their places become part of the names: `layers.0.norm1.scale`.

# %% [markdown]
# ### Exercise: `jax_TransformerEncoder` (4 points, 20 minutes)
#
# **What.** Stack `num_layers` blocks in a module named `TransformerEncoder`, and write a method
# `get_attention_maps(x, mask=None)` that returns each layer's attention.
# `jax.nn.dot_product_attention` and flax's `MultiHeadAttention` aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → the same; maps: a list of [B, h, T, T].
#
# **Must hold.** Each layer starts with its own random parameters. The mask reaches every layer, including in the maps. `deterministic` and
# `rngs` reach every layer. It works under `jax.jit`.
# <!-- Broken by: every layer draws with the same key; mask for the first layer only | maps without the mask, on a
# masked way; rngs made inside; tokens asked for their values -->
#
# **Used for.** The predictor below. (The published version draws its maps with dropout switched on; yours are those of the
# deterministic pass.)
#
# <details><summary>Hint</summary><code>nnx.List([EncoderBlock(**block_args, rngs=rngs) for _ in range(num_layers)])</code>: every
# block takes its keys from the same <code>rngs</code>, so no two are alike.</details>

# %% exercise="jax_TransformerEncoder"
from course_lib.jax.model import TransformerEncoder

# %%
check("jax_TransformerEncoder", TransformerEncoder)

# %% [markdown]
# ### Exercise: `jax_TransformerPredictor` (4 points, 20 minutes)
#
# **What.** Build the whole model, in a module named `TransformerPredictor`: Dropout and `input_layer`; positions; `transformer`, with a
# feed-forward of width 2·model_dim; then `output_hidden`, `output_norm`, ReLU, Dropout, `output_layer`.
# `jax.nn.dot_product_attention` and flax's `MultiHeadAttention` aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → [B, T, num_classes], one prediction per token, including hidden ones.
#
# **Must hold.** With `add_positional_encoding=False` no positions are added. The mask reaches every layer, including in the maps. Nothing
# drops unless you pass `deterministic=False`. No two dropouts of one call use the same key. The same key drops the same entries in every
# call. Every kernel is drawn from the constructor's `rngs`, with a key of its own. Only parameters are state. It works
# under `jax.jit`.
# <!-- Broken by: positions always in the call; mask dropped | mask dropped in the maps; input dropout always on; the
# output dropout with the key of the input dropout; keys from a generator of NumPy's; an output layer with keys of its own | one key for all
# parts; a counter in the state; tokens asked for their values -->
#
# **Used for.** The published parameters below, and the training of stage 23.
#
# <details><summary>Hint</summary><code>get_attention_maps</code> goes the same way as the call, up to the encoder, and asks it
# with the same mask.</details>

# %% exercise="jax_TransformerPredictor"
from course_lib.jax.model import TransformerPredictor

# %%
check("jax_TransformerPredictor", TransformerPredictor)

# %% [markdown]
# Without positions, your predictor is a function of sets: if the tokens change places, the predictions change places with them.

# %% tags=["picture"]
with needs_your("PositionalEncoding", "EncoderBlock", "TransformerEncoder", "TransformerPredictor"):
    model = TransformerPredictor(5, model_dim=12, num_classes=3, num_heads=2, num_layers=2, rngs=nnx.Rngs(0))
    x, order = jax.random.normal(key, (1, 6, 5)), jnp.array([3, 0, 5, 1, 4, 2])
    for positions in (False, True):
        apart = abs(model(x, None, positions)[:, order] - model(x[:, order], None, positions)).max()
        print(f"{'with' if positions else 'without'} positions: shuffled guesses differ by {apart:.0e}")

# %% [markdown]
# ## 22.4 Three names for one array
#
# A checkpoint is a tree of names and arrays, and every library has its own names. Here are those of one feed-forward and one
# norm:
#
# | PyTorch (stage 4) | flax, older modules (*linen*) | flax, your modules (*nnx*) |
# |---|---|---|
# | `layers.0.linear_net.0.weight` [out, in] | `layers_0.linear_0.kernel` [in, out] | `layers.0.linear_net.linear_in.kernel` [in, out] |
# | `layers.0.norm1.weight` | `layers_0.norm1.scale` | `layers.0.norm1.scale` |
# | `layers.0.norm1.bias` | `layers_0.norm1.bias` | `layers.0.norm1.bias` |
#
# So porting weights means renaming them and transposing the kernels. Here the same weights run in PyTorch and in your modules:

# %% tags=["picture"]
with needs_your("PositionalEncoding", "EncoderBlock", "TransformerEncoder", "TransformerPredictor"):
    import torch

    from course_lib.model.predictor import TransformerPredictor as InTorch

    sizes = {"model_dim": 12, "num_classes": 3, "num_heads": 2, "num_layers": 2}
    theirs, ours = InTorch(5, **sizes).eval(), TransformerPredictor(5, **sizes, rngs=nnx.Rngs(0))
    copy_from_torch(theirs, ours)
    with torch.no_grad():
        logits = theirs(torch.tensor(np.array(x))).numpy()
    print(f"largest difference between the logits of PyTorch and of flax: {abs(logits - ours(x)).max():.0e}")

# %% [markdown]
# ## 22.5 Published parameters in your code
#
# The UvA course published the parameters of its predictor, trained to reverse sequences of 16 digits. They were made
# by other classes, in an older flax. If your modules compute the same function, they reverse every sequence of the test
# split: 10,000 sequences, none of them seen in training. (40 kB are downloaded once. Without a network the cell says so.)

# %% tags=["picture"]
with needs_your("PositionalEncoding", "EncoderBlock", "TransformerEncoder", "TransformerPredictor"):
    try:
        reverser = TransformerPredictor(10, model_dim=32, num_classes=10, num_heads=1, num_layers=1, rngs=nnx.Rngs(0))
        load_flax_checkpoint(published_checkpoint(), reverser)
        test_split = ReverseDataset(10, 16, 10_000, np.random.default_rng(44)).arrays()
        print(f"tokens of the test split that are right: {100 * reverse_accuracy(reverser, test_split):.2f} %")
        one_hot = jax.nn.one_hot(test_split[0][:1], 10)
        pictures.reversing(reverser.get_attention_maps(one_hot)[0][0, 0])
    except CheckpointUnavailable as missing:
        print(missing)

# %% [markdown]
# Each query looks at the mirrored position, which is all there is to reversing.

# %% [markdown]
# ## 22.6 In your own words
#
# ### Question: one half only (3 points, 10 minutes)
#
# <!-- variant: key-in-the-state -->
# What does `nnx.split` give, and why can `jax.grad` take one half only? What would go wrong if a dropout kept its key in that half?
# Four or five sentences. A person will grade this answer.
# <!-- variant: table-in-the-state -->
# A colleague's `PositionalEncoding` computes its table in the constructor and keeps it as an array, in an attribute. What does `nnx.split`
# give for a model with this module, and in which of the two halves is the table? What do `jax.grad` and an optimiser do with it, and why
# can't the same happen to the other half? And where should the table go? Four or five sentences. A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="one_half_only" points=3
# BEGIN SOLUTION
# <!-- variant: key-in-the-state -->
# `nnx.split(model)` gives the graph, which is the structure of the module with its classes, names and plain numbers, and the state,
# a tree of all its arrays. `nnx.merge` makes the module again.
# `jax.grad` differentiates with respect to arrays of real numbers, in a tree. The state is such a tree. The graph holds no numbers that
# a small step could change: there is no derivative with respect to a class or a number of heads.
# A key in the state is an array, but of integers without a derivative: `jax.grad` refuses it, or an optimiser changes it. It also
# changes with every call, so the function isn't pure: the new key would have to be carried along.
#
# Rubric:
#
# - 1 point: split gives structure (graph) and arrays (state), and merge is the way back
# - 1 point: only arrays of real numbers in a tree have a gradient, and the graph holds none
# - 1 point: a key isn't a parameter: it can't be differentiated or trained, or each call would have to return a new one
# <!-- variant: table-in-the-state -->
# `nnx.split(model)` gives the graph, which is the structure of the module with its classes, names and plain numbers, and the
# state, a tree of all its arrays. `nnx.merge` makes the module again. The table is an array, so it is in the state.
# There it gets a gradient, like every array of real numbers, and the optimiser changes it: the fixed encoding is trained
# away, and no checkpoint with only the parameters fits any more.
# The graph holds no numbers that a small step could change: there is no derivative with respect to a class or a number of
# heads, so `jax.grad` can't take it.
# The table belongs in the call, which computes it from the shape; under `jax.jit` that happens once, while compiling.
#
# Rubric:
#
# - 1 point: split gives structure (graph) and arrays (state), and the table is in the state
# - 1 point: it gets a gradient and is trained, although it should stay fixed; the graph holds nothing that has a gradient
# - 1 point: compute it in the call (or keep it out of the state that is trained)
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have the whole predictor, in modules that JAX can take apart. It computes what PyTorch computes, and runs published parameters.
# What's missing is to train it yourself: that's stage 23.
