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
# # 21 · Attention as pure functions
#
# You know attention. Here you write it again, in a language with one strict rule: a function may look only at its arguments
# and may only return new arrays. No module keeps the weights, no hidden generator draws the noise, nothing is overwritten.
# In exchange JAX can do things *to* your functions: compile them, differentiate them, run them over a whole axis at once.
#
# | exercise | what it is | points |
# |---|---|---|
# | `jax_scaled_dot_product` | the core of attention, without side effects | 5 |
# | `jax_expand_mask` | masks of any rank | 2 |
# | `jax_init_attention` | parameters drawn from a key | 3 |
# | `jax_multihead_attention` | several heads, as a function of its parameters | 5 |
# | `jax_dropout` | randomness that comes in as an argument | 3 |
# | a question in words | why NumPy's random numbers never change | 3 |
#
# The page needs jax, flax and optax: `pip install 'attention-workshop[jax]'`. In Colab they are already there. Nothing from
# the other stages is required, but stages 1 and 2 explain *why* attention looks as it does. Plan for an evening.

# %% locked=true
import math

import jax
import jax.numpy as jnp
import numpy as np

from autograder import check
from course_lib import needs_your
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import jax_track as pictures

key = jax.random.key(0)  # the same random numbers each time

# %% [markdown]
# ## 21.1 What JAX sees
#
# **The question.** A function prints something and returns twice its argument. You compile it with `jax.jit` and call it three
# times. How often does it print?


# %% tags=["picture"]
@guess_first(
    "How often does the print appear in three calls of the compiled function?",
    ["three times", "once", "never"],
)
def printing():
    @jax.jit
    def double(x):
        print(f"  I am being traced with {x}")
        return 2 * x

    for number in (1.0, 2.0, 3.0):
        print(f"double({number}) = {double(number)}")


# %% [markdown]
# Once. On the first call JAX **traces** the function: it runs your Python once, with stand-ins called **tracers** that know a
# shape and a dtype but no numbers, and writes down every operation. The list of operations, the **jaxpr**, is what gets
# compiled and run from then on. Your Python code, and the print in it, is never looked at again. Here is a jaxpr:

# %%
print(jax.make_jaxpr(lambda q, k: jax.nn.softmax(q @ k.T / math.sqrt(2)))(jnp.ones((3, 2)), jnp.ones((3, 2))))

# %% [markdown]
# This explains nearly every error you'll meet in JAX. `if scores.max() > 0` asks a tracer for a number it doesn't have.
# `np.exp(scores)` asks for all of them. `scores[0] = 1` would change an array that someone else may hold: arrays in JAX are
# **immutable**, and `scores.at[0].set(1)` returns a new one instead. Shapes, on the other hand, are known while tracing:
# `if x.ndim == 3` is fine.

# %% [markdown]
# ### Exercise: `jax_scaled_dot_product` (5 points, 20 minutes)
#
# **What.** $\operatorname{softmax}(QK^\top/\sqrt{d_k})\,V$, as a pure function named `scaled_dot_product`. You may use `jax.nn.softmax`.
# `jax.nn.dot_product_attention` and flax's `MultiHeadAttention` aren't allowed.
#
# **Shapes.** `q` [..., L, d_k], `k` [..., S, d_k], `v` [..., S, d_v] → values [..., L, d_v], attention [..., L, S]. `mask`
# broadcasts to [..., L, S]; 0 or False hides a key.
#
# **Must hold.** A hidden key doesn't affect the output. For a query that sees no key the result is finite, not NaN, in float16 too (the
# values are up to you). It works under `jax.jit` and `jax.vmap`. Gradients reach q, k and v. Values and attention have the dtype of q, k
# and v.
# <!-- Broken by: hidden scores not low enough; −inf on a fully hidden row | −1e9 in float16; if on the mask's values; values cut off;
# attention left in float32 | values left in float32 -->
#
# **Used for.** Every head of the layer below.
#
# <details><summary>Hint 1: the transpose</summary><code>k.T</code> reverses all axes. <code>jnp.swapaxes(k, -2, -1)</code> swaps the
# last two.</details>
# <details><summary>Hint 2: the mask</summary><code>jnp.where(mask == 0, low, scores)</code> chooses entry by entry, with
# <code>low = jnp.finfo(scores.dtype).min</code>. (In float16, −1e9 is −inf.)</details>

# %% exercise="jax_scaled_dot_product"
from course_lib.jax.attention import scaled_dot_product

# %%
check("jax_scaled_dot_product", scaled_dot_product)

# %% [markdown]
# The UvA notebook on which these stages are modelled prints an example. Its Q, K and V are written out here, because
# `jax.random.PRNGKey(42)` draws different numbers today than it did when that page was made: JAX changed how a key turns into bits.

# %% tags=["picture"]
with needs_your("scaled_dot_product"):
    Q = jnp.array([[-0.6613315, 0.70056266], [0.08239268, -1.7793142], [-0.04378588, 1.0965251]])
    K = jnp.array([[1.7257481, 0.35568172], [1.3034704, 1.2873708], [1.6871481, -0.5714404]])
    V = jnp.array([[1.5129997, 1.1050899], [0.27949408, -0.46224892], [-1.1003422, -1.1437942]])
    values, attention = scaled_dot_product(Q, K, V)
    printed = jnp.array([[0.376226, -0.14656176], [-0.42778552, -0.5989564], [0.4362476, -0.11678296]])
    print(f"largest difference from the printed values: {abs(values - printed).max():.0e}")

# %% [markdown]
# ## 21.2 One program per shape
#
# A jaxpr has shapes written into it. So a compiled function is compiled again for every new shape, and only then.


# %% tags=["picture"]
@guess_first(
    "Five calls, with sequences of length 4, 4, 6, 4 and 6. How often is the function traced?",
    ["once", "twice", "three times", "five times"],
    needs=["scaled_dot_product"],
)
def recompiled():
    traced = []

    @jax.jit
    def attend(x):
        traced.append(x.shape)  # a side effect, on purpose: it happens only while tracing
        return scaled_dot_product(x, x, x)[0]

    for length in (4, 4, 6, 4, 6):
        attend(jnp.ones((length, 8)))
    print(f"5 calls, {len(traced)} traces: {traced}")


# %% [markdown]
# Twice: once per shape. Sequences whose length changes with every batch would be compiled with every batch, which is why JAX
# programs pad to a few fixed lengths. A padded batch needs masks, and masks come with two, three or four axes.

# %% [markdown]
# ### Exercise: `jax_expand_mask` (2 points, 5 minutes)
#
# **What.** Give a mask the four axes of the scores [B, h, L, S], in a function named `expand_mask`.
#
# **Shapes.** [L, S] → [1, 1, L, S]; [B, L, S] → [B, 1, L, S]; four axes stay.
#
# **Must hold.** It works on tracers, so under `jax.jit` too.
# <!-- Broken by: if on an entry of the mask; an error without the shape -->
#
# **Used for.** The layer below.
#
# <details><summary>Hint</summary>An array of JAX has no <code>.unsqueeze</code>; <code>mask[:, None]</code> adds an axis. (The
# published version calls <code>.unsqueeze</code> and fails on every mask that isn't 4-D already.)</details>

# %% exercise="jax_expand_mask"
from course_lib.jax.attention import expand_mask

# %%
check("jax_expand_mask", expand_mask)

# %% [markdown]
# ## 21.3 Keys
#
# A random number generator with hidden state is a side effect. In JAX the state is a value, a **key**, and you pass it in.
# `jax.random.normal(key)` returns the same number for the same key, always. For two draws you need two keys:
# `first, second = jax.random.split(key)`. What happens if you forget?

# %% tags=["picture"]
once = jax.random.normal(key, (300,)), jax.random.normal(key, (300,))
first, second = jax.random.split(key)
twice = jax.random.normal(first, (300,)), jax.random.normal(second, (300,))
pictures.draws({"one key, used twice": once, "two keys, from split": twice})

# %% [markdown]
# Left: one key, used twice, gives the same numbers twice. In a layer this makes two weight matrices start out alike, and no error
# tells you. The rule: **use a key once, or split it.**

# %% [markdown]
# ### Exercise: `jax_init_attention` (3 points, 15 minutes)
#
# **What.** Draw the parameters of an attention layer, in a function named `init_attention`: a **pytree**, here a dict of dicts
# of arrays. Kernels are uniform between $\pm\sqrt{6/(\text{in}+\text{out})}$ (Xavier), biases zero.
#
# **Shapes.** `qkv_proj`: kernel [input_dim, 3·embed_dim], bias [3·embed_dim]; `o_proj`: kernel [embed_dim, embed_dim], bias
# [embed_dim]. A kernel is [in, out]: the transpose of a weight in PyTorch.
#
# **Must hold.** The same key gives the same numbers, another key gives different ones. The two kernels are independent, and so are the
# numbers of a kernel. It works under `jax.jit`, where the three widths are static, and under `jax.vmap`.
# <!-- Broken by: a key of its own; one key for both kernels | a key from input width | one key for q, k and v; key read as a number; an
# error without the numbers -->
#
# **Used for.** The layer below. The published checkpoint has the same names.
#
# <details><summary>Hint</summary><code>jax.random.uniform(key, shape, minval=-limit, maxval=limit)</code>, with a key for each
# kernel.</details>

# %% exercise="jax_init_attention"
from course_lib.jax.attention import init_attention

# %%
check("jax_init_attention", init_attention)

# %% [markdown]
# A tree is plain data, so tools for trees work on it: `jax.tree.map` applies a function to every leaf and keeps the structure.

# %% tags=["picture"]
with needs_your("init_attention"):
    params = init_attention(key, input_dim=8, embed_dim=12, num_heads=3)
    print("shapes:", jax.tree.map(jnp.shape, params))
    print("numbers in all:", sum(leaf.size for leaf in jax.tree.leaves(params)))

# %% [markdown]
# ## 21.4 Parameters are an argument
#
# In PyTorch a layer *has* weights. Here it is a function that *gets* them: `multihead_attention(params, x, num_heads)`. So
# `jax.grad` of a loss with respect to its first argument is the gradient of all weights, a tree of the same structure.

# %% [markdown]
# ### Exercise: `jax_multihead_attention` (5 points, 25 minutes)
#
# **What.** Write self-attention with several heads, in a function named `multihead_attention`. Project, split into heads, attend,
# merge, project. The projection is laid out head by head, [h, 3, d], as in stage 2.
# `jax.nn.dot_product_attention` and flax's `MultiHeadAttention` aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → output [B, T, embed_dim], attention [B, h, T, T]. `num_heads` is a Python number.
#
# **Must hold.** input_dim may differ from embed_dim. A hidden token affects no other. `params` isn't modified. It works under
# `jax.jit`, and under `jax.vmap` over stacked parameters.
# <!-- Broken by: the input's width in the merge; mask forgotten; parameters overwritten; parameters asked for their
# values; an error without the numbers -->
#
# **Used for.** The encoder block, and the ensemble below.
#
# <details><summary>Hint 1: heads</summary>Reshape to [B, T, h, 3·d], then <code>transpose(0, 2, 1, 3)</code>.</details>
# <details><summary>Hint 2: embed_dim</summary>It is <code>params["o_proj"]["kernel"].shape[0]</code>; the width of x may be
# different.</details>
# <details><summary>Hint 3: merging</summary>Transpose back, reshape to [B, T, embed_dim], then o_proj.</details>

# %% exercise="jax_multihead_attention"
from course_lib.jax.attention import multihead_attention

# %%
check("jax_multihead_attention", multihead_attention)

# %% [markdown]
# Your function knows nothing about ensembles. `jax.vmap` makes one out of it: three keys give three stacked trees, and one call runs
# three layers on the same tokens. No loop, no change of your code.

# %% tags=["picture"]
with needs_your("init_attention", "multihead_attention"):
    keys = jax.random.split(key, 3)
    ensemble = jax.vmap(lambda k: init_attention(k, 16, 16, 1))(keys)
    tokens = jax.random.normal(jax.random.key(1), (1, 10, 16))  # [B, T, d]
    _, maps = jax.vmap(lambda p: multihead_attention(p, tokens, 1))(ensemble)  # [3, B, h, T, T]
    pictures.ensemble(maps)

# %% [markdown]
# The same works for heads: `jax.vmap(scaled_dot_product, 1, 1)` attends in every head at once, without a batched product.

# %% tags=["picture"]
with needs_your("scaled_dot_product"):
    q, k, v = jax.random.normal(key, (3, 2, 4, 5, 8))  # [B, h, T, d] each
    by_vmap, _ = jax.vmap(scaled_dot_product, 1, 1)(q, k, v)
    at_once, _ = scaled_dot_product(q, k, v)
    print(f"largest difference: {abs(by_vmap - at_once).max():.0e}")

# %% [markdown]
# ## 21.5 Dropout
#
# Dropout sets a random share of the entries to zero while training, so the network can't rely on any single one; what is kept is scaled
# up, so the mean stays the same. In PyTorch the layer knows whether it's training and where its noise comes from. A pure function
# has to be told both.

# %% [markdown]
# ### Exercise: `jax_dropout` (3 points, 15 minutes)
#
# **What.** Write a function named `dropout`. Each entry is kept with probability 1 − rate and divided by 1 − rate; the others become 0.
# flax's `Dropout` isn't allowed.
#
# **Shapes.** `x` [...] → the same. `rate` and `deterministic` are Python values.
#
# **Must hold.** The same key drops the same entries, another key different ones. With `deterministic=True` it returns `x`, and the key may
# be None. Otherwise a rate of 1 gives zeros with a finite gradient. It works under `jax.jit`, and under `jax.vmap` over keys.
# <!-- Broken by: a key of its own; deterministic ignored; divided by 0 at rate 1; key read as a number -->
#
# **Used for.** Both sub-layers of the encoder block.
#
# <details><summary>Hint</summary><code>jax.random.bernoulli(key, 1 - rate, x.shape)</code>, and handle a rate of 1 before you
# divide.</details>

# %% exercise="jax_dropout"
from course_lib.jax.attention import dropout

# %%
check("jax_dropout", dropout)

# %% [markdown]
# And the trap that the question below is about. This function draws its noise with NumPy:


# %% tags=["picture"]
@guess_first(
    "A jitted function adds `np.random.normal()` to its argument. What do three calls with 0.0 return?",
    ["three different numbers", "the same number three times", "an error"],
)
def noise_from_numpy():
    generator = np.random.default_rng(0)

    @jax.jit
    def noisy(x):
        return x + generator.normal()

    @jax.jit
    def noisy_by_key(key, x):
        return x + jax.random.normal(key)

    print("NumPy:", [round(float(noisy(0.0)), 3) for _ in range(3)])
    print("keys: ", [round(float(noisy_by_key(k, 0.0)), 3) for k in jax.random.split(key, 3)])


# %% [markdown]
# ## 21.6 In your own words
#
# ### Question: noise that stands still (3 points, 10 minutes)
#
# <!-- variant: numpy-inside -->
# Why does `np.random` inside a jitted function give the same numbers forever, and what does a key change? And what must you do
# with a key before you draw a second time? Four or five sentences. A person will grade this answer.
# <!-- variant: key-inside -->
# A colleague writes `key = jax.random.key(0)` as the first line of a jitted function, and drops entries with that key. Which entries drop
# in the second call, and why? What would `np.random` in the same place have in common with this? What changes if the key is an argument
# instead, and what must the caller do with it between two calls? Four or five sentences. A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="noise_that_stands_still" points=3
# BEGIN SOLUTION
# <!-- variant: numpy-inside -->
# `jax.jit` runs the Python code once per shape, to trace it. `np.random` runs during that trace only, and the number it returns is
# a plain Python or NumPy value, so it is written into the jaxpr as a constant. Every later call replays the program with that
# constant.
# A key is an argument. The program contains the operation “draw from this key”, not its result, so another key gives another
# number, and the same key gives the same one, which makes runs repeatable.
# A key used twice gives the same numbers twice. Split it, use each part once, and pass one part on.
#
# Rubric:
#
# - 1 point: the function is traced once, and NumPy's number is a constant in the traced program
# - 1 point: the key is an argument, so the draw itself is part of the program
# - 1 point: a key is used once; split it for the next draw
# <!-- variant: key-inside -->
# The same entries drop in every call. The key is made from the number 0 inside the function, so nothing that could differ
# between two calls enters the draw; and a draw is a function of its key.
# With `np.random` the effect is the same, for another reason: `jax.jit` runs the Python code once per shape, to trace it, so
# NumPy draws once, and its number is written into the jaxpr as a constant.
# If the key is an argument, the program draws from whichever key it is given: another key drops other entries, and the same
# key the same ones, which makes runs repeatable.
# The caller must not pass the same key again: split it, use each part once, and keep one part for the next call.
#
# Rubric:
#
# - 1 point: the same entries: the key inside never changes; and with NumPy the number of the one trace is a constant in the
#   program
# - 1 point: as an argument, the key decides: another key, other entries
# - 1 point: a key is used once; split it for the next call
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have attention in five functions without a single side effect, which JAX can compile, differentiate and vectorise. They
# are all an encoder block needs: attention with its parameters, masks, and dropout with its key.
