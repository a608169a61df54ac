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
# # 5 · The decoder: learning to write
#
# The encoder of stage 4 reads. It has the whole sentence before it and may look wherever it likes. A writer may not: when you write the
# third word, the fourth doesn't exist yet. The decoder is an encoder block with two changes. It looks only backwards, and it has a second
# attention that looks at what was read. With both halves you have the complete Transformer of 2017, and at the end of this page it writes.
#
# | exercise | what it is | points |
# |---|---|---|
# | `shift_right` | what the decoder reads while it learns | 2 |
# | `DecoderBlock` | look back, look at the source, think | 6 |
# | `TransformerDecoder` | the stack | 3 |
# | `Seq2SeqTransformer` | the whole model, from token numbers to logits | 4 |
# | `sequence_loss` | what a wrong prediction costs, ignoring padding | 3 |
# | `greedy_decode` | writing, token by token | 3 |
# | a question in words | 100 % right, and unable to write | 3 |
#
# Everything from stages 1 to 4 comes from `course_lib`, so you can start here without having done anything else. Plan for an evening and a
# half.

# %% locked=true
import copy
import math
import random
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import (
    CrossAttention,
    FeedForward,
    LayerNorm,
    MultiheadAttention,
    PositionalEncoding,
    TransformerEncoder,
)
from course_lib import causal_mask, expand_mask, needs_your
from course_lib.notebook.guess import guess_first
from course_lib.notebook.needs_your import NotRunYet
from course_lib.notebook.pictures import decoder as pictures
from course_lib.training.engine.threads import suitable_threads

generator = torch.manual_seed(0)  # the same random weights each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture(
    "DecoderBlock", "TransformerDecoder", "Seq2SeqTransformer", "shift_right", "sequence_loss", "greedy_decode"
)

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 5.1 Three uses of one idea
#
# **The question.** “Das ist gut” should become “that is good”. Which word needs to look at which?
#
# 1. The source words, at each other: what does *das* mean *here*? **Self-attention in the encoder**, every word visible.
# 2. The words written so far, at each other: is a verb needed next? **Self-attention in the decoder**, earlier words only.
# 3. The words written so far, at the source: what hasn't been translated yet? **Cross-attention**: the queries come from the decoder, keys
#    and values from the encoder's output, which is called the **memory**.
#
# It's the same function three times (Vaswani et al., 2017, section 3.2.3). Only the mask and the origin of queries and keys differ. Each
# line below leads from a key, at the bottom, to a query that may look at it.

# %% tags=["picture"]
pictures.three_uses()

# %% [markdown]
# ## 5.2 All positions at once
#
# You write token by token. Must you learn that way too? That would be slow: 30 runs for a sentence of 30 words. But during training you
# *know* the right translation. So give it to the decoder, and ask at **every** position: what comes next? This is **teacher forcing**:
# however wrong the prediction at one position is, the next position reads the right token.
#
# The offset takes some care. The prediction at position $t$ may depend on the tokens before it, so the decoder must read exactly those: the
# targets, shifted right by one. First comes a token that means *begin* (BOS); the last target, the token that means *end* (EOS), is only
# predicted, never read:
#
# | position | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | the decoder reads | BOS | that | is | good |
# | it must predict | that | is | good | EOS |
#
# If you forget the shift, the decoder reads at each position exactly the word it must predict. It will learn that very fast. At the end of
# this page you'll see what such a model can do.

# %% [markdown]
# ### Exercise: `shift_right` (2 points, 5 minutes)
#
# **What.** Turn the lower row of the table into the upper one: prepend `bos`, drop the last token.
#
# **Shapes.** `targets` int64 [B, T] → int64 [B, T], as long as before.
#
# **Must hold.** The argument isn't modified: the loss still needs it. T = 1 works too.
# <!-- Broken by: targets overwritten; a single token left as it is -->
#
# **Used for.** Every training step below.
#
# <details><summary>Hint 1: the pieces</summary>A column of bos, and the targets without their last column;
# <code>torch.cat</code> joins them along the time axis.</details>
# <details><summary>Hint 2: the column</summary><code>torch.full_like(targets[:, :1], bos)</code> has the right shape,
# type and device.</details>

# %% exercise="shift_right"
from course_lib.model.seq2seq import shift_right

# %%
check("shift_right", shift_right)

# %% [markdown]
# ## 5.3 The decoder block
#
# Now the decoder has the whole right answer in front of it, shifted by one. At position $t$ it may use the tokens up to $t$; the one at $t
# + 1$ is what it must predict. So its self-attention is **causal**. Then come the memory and the feed-forward; around each of the three
# goes a residual, followed by a norm, as in the paper:
#
# $$\begin{aligned}
# x &\leftarrow \operatorname{norm}_1\big(x + \operatorname{dropout}(\operatorname{self\text{-}attention}(x))\big)
# &&\text{causal}\\
# x &\leftarrow \operatorname{norm}_2\big(x + \operatorname{dropout}(\operatorname{cross\text{-}attention}(x,
# \text{memory}, \text{memory}))\big) &&\text{queries, keys, values}\\
# x &\leftarrow \operatorname{norm}_3\big(x + \operatorname{dropout}(\operatorname{FFN}(x))\big)
# \end{aligned}$$
#
# There are **two masks**, for two attentions. `mask` is about the tokens: it hides some of them *in addition* to causality. A token is
# visible if both allow it. `memory_mask` is about the memory, whose length $S$ has nothing to do with the length $T$ of the target. To hide
# padding there, it's [B, 1, S]: one row for each sample, the same for all queries.

# %% [markdown]
# ### Exercise: `DecoderBlock` (6 points, 30 minutes)
#
# **What.** Write the three lines above. Attributes: `self_attn` (a `MultiheadAttention`), `cross_attn` (a `CrossAttention`), `linear_net`
# (a `FeedForward`), `norm1`, `norm2`, `norm3` (each a `LayerNorm`), all from `course_lib`, and `dropout` (one `nn.Dropout` for all three).
# PyTorch's `nn.TransformerDecoderLayer` and `nn.MultiheadAttention` aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim], `memory` [B, S, input_dim] → [B, T, input_dim]. `mask` over [T, T] and
# `memory_mask` over [T, S], both as `expand_mask` takes them: two, three or four axes, boolean or 0/1.
#
# **Must hold.** It's always causal, with a mask or without. Hidden memory doesn't affect the output. There's no dropout in `eval()`.
# <!-- Broken by: the mask takes the place of causality; the memory mask of the first sample; dropout always on -->
#
# **Used for.** Every layer of the decoder.
#
# <details><summary>Hint 1: the modules</summary><code>MultiheadAttention(input_dim, embed_dim, num_heads)</code>,
# <code>CrossAttention(query_dim, key_dim, value_dim, embed_dim, num_heads)</code>, <code>FeedForward(dim, hidden_dim,
# dropout)</code>, <code>LayerNorm(dim)</code>. All widths are input_dim, except hidden_dim, which is
# dim_feedforward.</details>
# <details><summary>Hint 2: both masks at once</summary><code>causal_mask(T)</code> is boolean [T, T]; <code>expand_mask(mask).bool()</code>
# has four axes; <code>&amp;</code> combines them. If mask is None, the causal one is enough.</details>
# <details><summary>Hint 3: calling them</summary><code>self.self_attn(x, visible)</code> and <code>self.cross_attn(x, memory, memory,
# memory_mask)</code>. The queries come first.</details>

# %% exercise="DecoderBlock"
from course_lib.model.decoder import DecoderBlock

# %%
check("DecoderBlock", DecoderBlock)

# %% [markdown]
# ## 5.4 Causality you can see
#
# **The question.** A causal mask that's one step too high raises no error. The loss falls, even faster. How do you *see* that a model looks
# ahead?
#
# Take derivatives. If output $t$ may use only the inputs $0 \dots t$, then no change to a later input can move it:
#
# $$\frac{\partial\, \text{output}_t}{\partial\, \text{input}_j} = 0 \quad\text{for all } j > t$$
#
# Together these derivatives are the **Jacobian**. For each pair $(t, j)$ it contains a small matrix, feature by feature; its norm says how
# strongly output $t$ depends on input $j$. Plotted as a table with rows $t$ and columns $j$, a causal layer is a lower triangle, or it's
# wrong.


# %%
def influence(layer, x):
    """How strongly each output of a layer (row) follows each token of x [1, T, d] (column): a table [T_out, T]."""
    jacobian = torch.autograd.functional.jacobian(layer, x)[0, :, :, 0]  # [T_out, d, T, d]
    return jacobian.pow(2).sum((1, 3)).sqrt()  # [T_out, T]


# %% [markdown]
# First the attention layer by itself, with three masks. The numbers are derivatives; each row is divided by its largest.

# %% tags=["picture"]
torch.manual_seed(1)
attention, x = MultiheadAttention(12, 12, 3), 2 * torch.randn(1, 6, 12)  # [1, T, d]
masks = {
    "no mask: wrong": torch.ones(6, 6, dtype=torch.bool),
    "one step too high: wrong": torch.ones(6, 6).tril(1).bool(),
    "causal: right": causal_mask(6),
}
pictures.influences({name: influence(partial(attention, mask=mask), x) for name, mask in masks.items()})

# %% [markdown]
# Look at the middle table. The squares just above the diagonal are the answers: output $t$ sees input $t + 1$, which after `shift_right` is
# exactly the token it must predict.
#
# Now **your block**: first as a function of its tokens, then of the memory, whose last two tokens are hidden as padding. (Each table is
# divided by its largest derivative; the line printed below is not.)


# %% tags=["picture"]
@guess_first(
    "By token the table is a triangle. And by memory token?",
    ["a triangle as well", "a full rectangle", "a rectangle, but for its last two columns", "the diagonal alone"],
    needs=["DecoderBlock"],
)
def influence_on_your_block():
    torch.manual_seed(2)
    block = DecoderBlock(input_dim=12, num_heads=3, dim_feedforward=20).eval()
    x, memory = torch.randn(1, 6, 12), torch.randn(1, 8, 12)  # [1, T, d], [1, S, d]
    real = (torch.arange(8) < 6)[None, None]  # [1, 1, S]
    by_token = influence(lambda x: block(x, memory, memory_mask=real), x)  # [T, T]
    by_memory = influence(lambda memory: block(x, memory, memory_mask=real), memory)  # [T, S]
    pictures.influences_on_a_block(by_token, by_memory)
    above, on = by_token.triu(1).max(), by_token.diagonal().min()
    print(f"largest derivative above the diagonal: {above:g}, smallest on it: {on:.2f}")


# %% [markdown]
# It's a triangle, and an exact one: the upper half isn't just small, it's 0. The diagonal is brightest, because every token passes through
# the residuals. The memory is a rectangle: all of it is there before the first word is written, so causality doesn't apply.

# %% [markdown]
# ## 5.5 The stack
#
# As in the encoder, the blocks come one after another. Each gets its tokens from the previous block. The memory is the *same* for all: it's
# the output of the last encoder layer, and no block changes it.

# %% [markdown]
# ### Exercise: `TransformerDecoder` (3 points, 10 minutes)
#
# **What.** Stack `num_layers` blocks, each with its own parameters, in an `nn.ModuleList` named `layers`. It contains your `DecoderBlock`,
# so write that one first. PyTorch's `nn.TransformerDecoder` and `nn.TransformerDecoderLayer` aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim], `memory` [B, S, input_dim] → [B, T, input_dim].
#
# **Must hold.** Both masks reach every layer. There's no extra norm at the end.
# <!-- Broken by: mask for the first layer only | memory mask for the first layer only; a norm without weights at the
# end -->
#
# **Used for.** The right half of the whole model.
#
# <details><summary>Hint</summary><code>**block_args</code> collects the keyword arguments; <code>DecoderBlock(**block_args)</code> passes
# them on.</details>

# %% exercise="TransformerDecoder"
from course_lib.model.decoder import TransformerDecoder

# %%
check("TransformerDecoder", TransformerDecoder)

# %% [markdown]
# ## 5.6 The whole model
#
# Now everything falls into place:
#
# $$\begin{aligned}
# \text{memory} &= \operatorname{encoder}\big(\operatorname{dropout}(\sqrt{d}\, E_\text{src}[\text{src}] +
# \operatorname{PE})\big)\\
# \text{logits} &= W\,\operatorname{decoder}\big(\operatorname{dropout}(\sqrt{d}\, E_\text{tgt}[\text{tgt}] +
# \operatorname{PE}),\; \text{memory}\big) + b
# \end{aligned}$$
#
# You have three things to get right. The **embeddings** are multiplied by $\sqrt{d}$ *before* the positions are added (section 3.4 of the
# paper): the positions are not scaled. The **padding of the source** is hidden twice: from the encoder's queries and from the decoder's.
# And the model ends with **logits**: the softmax is part of the loss.
#
# What about the padding of the target? It comes at the end, so causality hides it from all real tokens, and the loss ignores what the model
# predicts at padding positions.

# %% [markdown]
# ### Exercise: `Seq2SeqTransformer` (4 points, 25 minutes)
#
# **What.** Write the two lines above. Attributes: `src_embedding`, `tgt_embedding` (`nn.Embedding`), `positional_encoding` (one for both),
# `dropout`, `encoder` (a `TransformerEncoder`), `decoder`, `output` (`nn.Linear`, model_dim → tgt_vocab). Encoder and decoder have
# `num_layers` blocks each, and feed-forwards 4·model_dim wide. PyTorch's `nn.Transformer` and its layers aren't allowed here.
#
# **Shapes.** `src` int64 [B, T_src] and `tgt` int64 [B, T_tgt], already shifted, → logits [B, T_tgt, tgt_vocab].
# `src_mask` [B, T_src], True at a real token.
#
# **Must hold.** Padding in the source doesn't affect the result. Source and target may differ in length and in vocabulary. It works without
# a mask. Only `src_mask` says what is padding: every token is learned, 0 too.
# <!-- Broken by: source mask dropped; one vocabulary for both; 0 is padding when there is no mask; padding_idx in the
# source | padding_idx in the target -->
#
# **Used for.** Everything that follows.
#
# <details><summary>Hint 1: the stacks</summary><code>TransformerEncoder(num_layers, input_dim=…, num_heads=…,
# dim_feedforward=…, dropout=…)</code>, and your decoder the same.</details>
# <details><summary>Hint 2: the mask</summary>[B, T_src] would be read as [queries, keys]. <code>src_mask[:, None,
# :]</code> is [B, 1, T_src]: the same keys for every query, however many there are. It fits both stacks.</details>
# <details><summary>Hint 3: calling the decoder</summary>Its third argument is the mask of the tokens. Pass the memory's mask by name:
# <code>memory_mask=…</code>.</details>

# %% exercise="Seq2SeqTransformer"
from course_lib.model.seq2seq import Seq2SeqTransformer

# %%
check("Seq2SeqTransformer", Seq2SeqTransformer)

# %% [markdown]
# ## 5.7 What a wrong prediction costs
#
# At each position the model has predicted a distribution over the vocabulary, and pays the cross-entropy, $-\log p$ of the right token.
# Then you take the mean. But over what? A batch is filled up with padding, and predicting padding is no achievement. If padding counted, a
# half-empty batch would soon show half the loss, and the same sentence would cost less next to a longer one. So only real tokens count, in
# the numerator and in the denominator:
#
# $$\text{loss} = \frac{\sum_{b,t}\, [\text{target}_{b,t} \neq \text{pad}]\;\cdot\;
# -\log \operatorname{softmax}(\text{logits}_{b,t})_{\,\text{target}_{b,t}}}
# {\sum_{b,t}\, [\text{target}_{b,t} \neq \text{pad}]}$$
#
# A bracket is 1 if it's true and 0 otherwise. EOS is a real token: a model that never learns to stop isn't finished.

# %% [markdown]
# ### Exercise: `sequence_loss` (3 points, 15 minutes)
#
# **What.** Compute the formula above.
#
# **Shapes.** `logits` [B, T, V], `targets` int64 [B, T] → one number, a tensor without dimensions.
#
# **Must hold.** Any token may be the padding, not just 0, and it may be anywhere in a row. Every real token counts the same, in a long
# sequence or a short one. With logits of ±10,000 the loss is finite, whether the model is right or wrong. Without any real token the loss
# is 0.
# <!-- Broken by: 0 taken for padding | nothing after the first padding; a mean of means; exponentials overflow;
# NaN for padding alone -->
#
# **Used for.** The training that follows.
#
# <details><summary>Hint 1: shapes</summary><code>F.cross_entropy</code> takes logits [N, V] and targets [N]: <code>flatten(0, 1)</code>
# merges batch and time into one axis.</details>
# <details><summary>Hint 2: padding</summary>Its argument <code>ignore_index</code> names a token that costs
# nothing.</details>
# <details><summary>Hint 3: no real token</summary>Its mean would be 0 / 0. Take <code>reduction="sum"</code> and
# divide by the number of real tokens, but by 1 at least.</details>

# %% exercise="sequence_loss"
from course_lib.model.seq2seq import sequence_loss

# %%
check("sequence_loss", sequence_loss)

# %% [markdown]
# ## 5.8 A first language
#
# Translation needs millions of sentences. A smaller task has all the same parts: **sort the letters of a word**. Turn `hcbf` into `bcfh`,
# and stop. Words have three to eight different letters from a to j, so there is padding, and words end at different positions. For this
# task a model with about 30,000 weights is enough.

# %%
PAD, BOS, EOS = 0, 1, 2
vocabulary = ["PAD", "BOS", "EOS", *"abcdefghij"]


def make_words(size, rng, shortest=3):
    """Random words, src [size, 8], and the same letters in order with an EOS at the end, targets [size, 9]; both padded."""
    src, targets = [], []
    for _ in range(size):
        word = rng.sample(range(3, 13), rng.randint(shortest, 8))
        padding = [PAD] * (8 - len(word))
        src.append(word + padding)
        targets.append(sorted(word) + [EOS] + padding)
    return torch.tensor(src), torch.tensor(targets)


def in_letters(tokens):
    """What a row of tokens says."""
    return " ".join(vocabulary[token] for token in tokens.tolist())


src, targets = make_words(3, random.Random(0))
for row in range(3):
    print(f"{in_letters(src[row]):36} → {in_letters(targets[row])}")

# %% [markdown]
# And this is the whole training. `make_input` decides what the decoder reads: `shift_right`, of course, but remember that this is where it
# can go wrong. Stage 6 makes such a loop faster and safer; this one is as plain as possible.


# %%
def training(model, make_input, steps=150):
    """Train on new words in each step; yields the number of the step and its loss."""
    rng = random.Random(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    with suitable_threads(model):  # one, for a model this small
        for step in range(steps):
            src, targets = make_words(64, rng)  # [B, 8], [B, 9]
            logits = model(src, make_input(targets), src_mask=src != PAD)  # [B, 9, V]
            loss = sequence_loss(logits, targets, PAD)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            yield step, loss.item()


def new_model():
    """A small model with fresh weights, always the same."""
    torch.manual_seed(0)
    return Seq2SeqTransformer(src_vocab=13, tgt_vocab=13, model_dim=32, num_heads=2, num_layers=1)


inputs = {"shifted": lambda targets: shift_right(targets, BOS), "not shifted": lambda targets: targets}
models = {}  # filled by the training cells


def trained(name):
    """A model that has been trained on this page; until then a demonstration waits."""
    if name not in models:
        raise NotRunYet("the training cells above: run them first, then this one again.")
    return models[name]


# %% tags=["picture"]
with needs_your("Seq2SeqTransformer", "shift_right", "sequence_loss"):
    model, losses = new_model(), []
    for step, loss in training(model, inputs["shifted"]):
        losses.append(loss)
        if step == 30:
            models["halfway"] = copy.deepcopy(model).eval()
    models["shifted"] = model.eval()
    src, targets = make_words(1000, random.Random(2))
    with torch.no_grad():
        guess = model(src, shift_right(targets, BOS), src_mask=src != PAD).argmax(-1)  # [B, 9]
    accuracy = (guess == targets)[targets != PAD].float().mean()
    pictures.training_loss(losses, accuracy)

# %% [markdown]
# The model predicts the next letter well when it's given all the right ones before it. When it writes on its own, it doesn't have them.

# %% [markdown]
# ## 5.9 Writing
#
# Now the model is **free running**: it reads its own words. Start with BOS; compute the logits at the *last* position; take the most likely
# token; append it; repeat. When EOS comes, the text is finished.
#
# In a batch, texts end at different times. A row that has ended must stay ended, whatever the model predicts next, so fill it with EOS.
# Stop when all rows have ended, or after `max_len` tokens.

# %% [markdown]
# ### Exercise: `greedy_decode` (3 points, 25 minutes)
#
# **What.** Write the loop above, for any model that can be called as `model(src, tokens, src_mask=src_mask)`.
# A model's own `generate` isn't allowed here.
#
# **Shapes.** `src` int64 [B, T_src], `src_mask` [B, T_src] or None → int64 [B, n], n ≤ max_len, without the BOS. n is the
# length at which the last row has ended.
#
# **Must hold.** A row contains only EOS from its first EOS on. A row doesn't depend on its neighbours. There's no dropout: decode in eval
# mode. There are no gradients: use `torch.no_grad()`. Restore the model's mode afterwards. (`model` may also be a plain function, without
# any mode.)
# <!-- Broken by: goes on after eos; stops with the first row to end; never in eval mode; gradients left on; mode not
# given back; model.eval of a plain function -->
#
# **Used for.** The rest of this page.
#
# <details><summary>Hint 1: the loop</summary>Start with a column of bos [B, 1]. <code>logits[:, -1].argmax(-1)</code>
# is the next column [B]; <code>torch.cat</code> appends it.</details>
# <details><summary>Hint 2: rows that have ended</summary>A boolean [B] remembers them, all False at first. Before appending:
# <code>next.masked_fill(finished, eos)</code>. Afterwards: which rows are finished now?</details>
# <details><summary>Hint 3: the mode</summary><code>isinstance(model, nn.Module)</code> says whether there is one.
# Each of <code>model.modules()</code> has its own mode, <code>module.training</code>: note all of them, and set them again.</details>

# %% exercise="greedy_decode"
from course_lib.model.seq2seq import greedy_decode

# %%
check("greedy_decode", greedy_decode)

# %% [markdown]
# Move through time: you see what has been written so far, and how likely the model finds each token as the next one. This is the model
# after thirty steps: seldom certain, and wrong now and then (at which steps depends on its initial weights). The trained one is certain at
# every
# step.

# %% tags=["picture"]
with needs_your("Seq2SeqTransformer", "shift_right", "sequence_loss"):
    from course_lib.notebook.widgets import greedy_steps

    letters = "hcbfaj"
    word = torch.tensor([[vocabulary.index(letter) for letter in letters]])  # [1, T_src]
    greedy_steps(
        trained("halfway"), word, BOS, EOS, max_len=9, vocabulary=vocabulary, source_words=list(letters)
    ).show()

# %% [markdown]
# And a few words in a batch, with your loop:

# %% tags=["picture"]
with needs_your("Seq2SeqTransformer", "shift_right", "sequence_loss", "greedy_decode"):
    src, targets = make_words(4, random.Random(3))
    written = greedy_decode(trained("shifted"), src, BOS, EOS, max_len=9, src_mask=src != PAD)
    for row in range(4):
        print(f"{in_letters(src[row]):36} → {in_letters(written[row])}")

# %% [markdown]
# **Where does it look?** Here's the cross-attention of the trained model while it writes one word: each row is a letter it's about to
# write, each column a letter it may look at.


# %% tags=["picture"]
@guess_first(
    "To write the ordered word, at which letter of the source must each position look?",
    ["at the one in the same position", "at the one that it writes next", "at all of them equally"],
    needs=["Seq2SeqTransformer", "shift_right", "sequence_loss", "greedy_decode"],
)
def where_it_looks():
    from course_lib.notebook.translations import cross_attention

    letters = "hcbfajde"
    src = torch.tensor([[vocabulary.index(letter) for letter in letters]])  # [1, T_src]
    written = greedy_decode(trained("shifted"), src, BOS, EOS, max_len=9)  # [1, n]
    maps = cross_attention(trained("shifted"), src, shift_right(written, BOS))[0, 0]  # [h, n, T_src]
    found = (maps.argmax(-1) == (src == written.mT).int().argmax(-1)).any(0)[:-1].sum()  # rows, without EOS
    pictures.where_it_looks(maps, letters, in_letters(written[0]).split(), found)


# %% [markdown]
# It looks up nearly every letter where it is: the model has learned to search, not to count positions. If one head looks at a neighbour in
# the alphabet instead, the other has found the letter. They weren't told how to split the work.

# %% [markdown]
# ## 5.10 Right when helped, lost alone
#
# Now make the mistake of section 5.2 on purpose. A second model, otherwise the same, is trained with targets that are **not shifted**. Both
# are measured as they learn, on unseen words, in two ways: the share of right letters when the model reads the correct earlier tokens
# (**teacher-forced**), and the share when it reads only what it wrote itself (**free running**).


# %%
def measure(model, make_input):
    """The share of right letters in 200 new words: teacher-forced, and free running."""
    src, targets = make_words(200, random.Random(4))
    with torch.no_grad():
        guess = model(src, make_input(targets), src_mask=src != PAD).argmax(-1)  # [B, 9]
    written = greedy_decode(model, src, BOS, EOS, max_len=9, src_mask=src != PAD)  # [B, n]
    written = F.pad(written, (0, 9 - written.shape[1]), value=EOS)  # [B, 9]
    return [(tokens == targets)[targets > EOS].float().mean().item() for tokens in (guess, written)]


# %% tags=["picture"]
with needs_your("Seq2SeqTransformer", "shift_right", "sequence_loss", "greedy_decode"):
    shares = {}
    for name, make_input in inputs.items():
        model, shares[name] = new_model(), []
        for step, _ in training(model, make_input, steps=121):
            if step % 10 == 0:
                shares[name].append((step, *measure(model, make_input)))
        models[name] = model.eval()
        src, _ = make_words(1, random.Random(6))
        written = greedy_decode(model, src, BOS, EOS, max_len=9, src_mask=src != PAD)
        print(f"targets {name + ':':12} {in_letters(src[0])} → {in_letters(written[0])}")
    pictures.helped_and_alone(shares)

# %% [markdown]
# On the right is a perfect score that means nothing. This model has learned to repeat what it has just read. In training that was the
# answer; on its own, it reads BOS, which it has never seen, and has nothing to copy. The loss curve doesn't show it: this one looks
# *better*.
#
# The left picture shows something subtler. While the model still makes mistakes, free running is worse than teacher-forced: after one wrong
# letter, all the later ones depend on it. In training the model has never read its own mistakes. This is called **exposure bias**, and it's
# why you judge a model by what it writes.
#
# **What depends on what?** Token ids have no derivatives. But you can do by hand what a derivative means: replace the target at position
# $j$, and see how far the logits at position $t$, which predict target $t$, move.


# %%
def influence_of_targets(model, make_input, src, targets):
    """How far the logits at each position (row) move when one target (column) is replaced: a table [T, T]."""
    columns = []
    with torch.no_grad():
        logits = model(src, make_input(targets))  # [B, T, V]
        for place in range(targets.shape[1]):
            others = targets.clone()
            others[:, place] = targets[:, place].roll(1)  # what another word has there
            columns.append((model(src, make_input(others)) - logits).abs().mean((0, 2)))  # [T]
    return torch.stack(columns, dim=1)  # [T, T]


# %% tags=["picture"]
with needs_your("Seq2SeqTransformer", "shift_right", "sequence_loss", "greedy_decode"):
    src, targets = make_words(100, random.Random(5), shortest=8)
    pictures.influences_of_targets(
        {
            name: influence_of_targets(trained(name), make_input, src, targets[:, :-1])
            for name, make_input in inputs.items()
        }
    )

# %% [markdown]
# In these coordinates the diagonal is *the answer itself*. A sound model has zeros there and above: it is the triangle of section 5.4,
# moved down by the shift. (That most of it is faint is what *this* task teaches: to find the next letter, the last one is enough.) On the
# right the diagonal is lit: the model copies. Whenever a result looks too good, draw this picture.

# %% [markdown]
# ## 5.11 The PyTorch version
#
# `nn.TransformerDecoderLayer` is your block, except that you must pass the causal mask yourself. With its weights copied over:

# %%
with needs_your("DecoderBlock"):
    from course_lib.interop import copy_decoder_layer

    theirs = nn.TransformerDecoderLayer(12, nhead=3, dim_feedforward=20, dropout=0.0, batch_first=True).eval()
    ours = DecoderBlock(12, 3, 20).eval()
    copy_decoder_layer(theirs, ours)
    x, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)  # [B, T, d], [B, S, d]
    with torch.no_grad():
        difference = theirs(x, memory, tgt_mask=~causal_mask(5)) - ours(x, memory)  # there True means hidden
    print(f"largest difference: {difference.abs().max():.1e}")

# %% [markdown]
# **Find the mistakes.** Here's the layer again, as someone posted it, built from PyTorch's own parts (whose masks say what is *hidden*).
# It runs without an error. Three things are wrong: fix them until it agrees with PyTorch's layer.


# %% tags=["picture"]
def posted_layer(parts, x, memory, real):
    """A decoder layer as posted: x [B, T, d], memory [B, S, d], real [B, S], True where the memory isn't padding."""
    hidden = torch.ones(x.shape[1], x.shape[1]).triu(2).bool()  # [T, T]
    x = parts.norm1(x + parts.self_attn(x, x, x, attn_mask=hidden)[0])
    x = parts.norm2(x + parts.multihead_attn(x, memory, memory, key_padding_mask=real)[0])
    return parts.norm3(parts.linear2(F.relu(parts.linear1(x))))


torch.manual_seed(0)
theirs = nn.TransformerDecoderLayer(12, nhead=3, dim_feedforward=20, dropout=0.0, batch_first=True)
x, memory, real = torch.randn(2, 5, 12), torch.randn(2, 7, 12), torch.arange(7) < torch.tensor([[5], [4]])
right = theirs(x, memory, tgt_mask=torch.ones(5, 5).triu(1).bool(), memory_key_padding_mask=~real)
print(f"the posted layer differs from PyTorch's by {(posted_layer(theirs, x, memory, real) - right).abs().max():.0e}")

# %% [markdown]
# <details><summary>Hint 1</summary>Which diagonal does <code>triu(2)</code> start at, and what does position 0 then see?</details>
# <details><summary>Hint 2</summary><code>real</code> is True at real tokens. What does PyTorch's mask mark?</details>
# <details><summary>Hint 3</summary>What would the layer return if the feed-forward returned 0?</details>
# <details><summary>The three</summary>The causal mask hides from the second next token on: <code>triu(1)</code>. The memory's mask hides
# the real tokens and shows the padding: <code>~real</code>. And the last residual is missing: <code>x + parts.linear2(…)</code>.</details>
#
# ## 5.12 In your own words
#
# ### Question: 100 % right, and unable to write (3 points, 15 minutes)
#
# <!-- variant: right-when-helped -->
# A friend's translation model reaches a loss near 0 after a few hundred steps, and 100 % of its next tokens are right, even on new
# sentences. Asked to translate, it writes nonsense. In a few sentences: name **two** different mistakes in the decoder or its input that
# would explain this, and say why the loss doesn't show them. How could you find out, without any training, whether it's one of these? And
# once the mistake is fixed, why may the model still write a little worse than its teacher-forced accuracy suggests? A person will grade
# this answer.
# <!-- variant: moved-logits -->
# Before any training a friend tests three translation models. In each she replaces target 5 of a sentence with ten targets, 0 to 9, and
# notes which logits move; logits $t$ are those that predict target $t$. In the first model logits 6 to 9 move, in the second 5 to 9, in the
# third all ten. In a few sentences: which model is sound? What's wrong with each of the others, in the decoder or its input; for the
# second, name **two** different mistakes that would explain what she saw. Why will these two reach a loss near 0 and 100 % right next
# tokens, even on new sentences, and still write nonsense? And once the sound model is trained, why may it write a little worse than its
# teacher-forced accuracy suggests? A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="right_and_unable" points=3
# BEGIN SOLUTION
# <!-- variant: right-when-helped -->
# Two leaks. The targets are not shifted (or shifted the wrong way), so the decoder reads at position t the token that it must predict
# there; or the causal mask is missing or one step too high, so it reads it one position further
# on. In both cases the right answer is in the input during teacher forcing, so copying it gives loss 0; on new
# sentences too, since these are measured with the targets as input as well. When the model writes, the token that it
# would copy does not exist yet.
# To find out: exchange one target token j (or take the Jacobian) and see which logits move, with fresh random weights.
# Logits t must not move for any j ≥ t, counted in targets. If only the input is at fault, the decoder's own Jacobian
# is a correct triangle and the leak appears with the input function included; if the mask is, the decoder's Jacobian
# already has values above its diagonal.
# Exposure bias. In training every prefix is right. When it writes, the model reads its own tokens; after
# the first wrong one it is in a situation that it has never seen, and errors add up along the sequence.
#
# Rubric:
#
# - 1 point: two leaks (targets not shifted or shifted the wrong way; a causal mask that is missing or one step too
#   high), and why copying makes the loss 0 on new sentences too; half a point for one leak
# - 1 point: replace a target token, or take the Jacobian, with fresh weights, and say which logits must not move
# - 1 point: exposure bias: in training every prefix is right, when it writes it reads its own errors
# <!-- variant: moved-logits -->
# The first is sound: logits t may depend on the targets before t, so target 5 may move logits 6 to 9 and no others. In the
# second, logits 5 depend on target 5, the token that they must predict. Either the targets are not shifted, so the decoder
# reads at position t the token that it must predict there, or they are shifted and the causal mask is one step too high, so
# position t also sees the next one. The third has no causal mask: target 5 reaches every position, even the earlier ones.
#
# In both cases the right answer is in the input during teacher forcing, so copying it gives a loss near 0; on new sentences
# too, because these are measured with the targets as input as well. When the model writes, the token that it would copy does
# not exist yet.
#
# Exposure bias: in training every prefix is right. When the sound model writes, it reads its own tokens, and after the first
# wrong one it is in a situation that it has never seen, so errors add up along the sequence.
#
# Rubric:
#
# - 1 point: the first is sound; the second reads its own target (targets not shifted, or a causal mask one step too high),
#   the third has no causal mask; half a point if one of these three mistakes is missing
# - 1 point: why: during teacher forcing the answer is in the input, so copying makes the loss 0, on new sentences too; when
#   the model writes, there is nothing to copy
# - 1 point: exposure bias: in training every prefix is right, when it writes it reads its own errors
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have written the whole Transformer with your own hands, and it writes. Leave out the encoder and the cross-attention and make it
# large, and you have a language model. What's missing is the craft of training one without relying on luck: [stage 6](06_training.ipynb).
