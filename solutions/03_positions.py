# ---
# jupyter:
#   course:
#     points: 16
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 3 · Positions: telling first from last
#
# “Dog bites man” and “man bites dog” contain the same words. For the attention you've built they *are* the same: permute the tokens, and
# the outputs are permuted; nothing else happens. For a set of images that's a virtue (stage 8). For a sentence it's a disaster. So every
# token gets its position before the first layer. In this stage you write the two classic encodings.
#
# | exercise | what it is | points |
# |---|---|---|
# | `PositionalEncoding` | sines and cosines, computed once | 8 |
# | `LearnedPositions` | a table of learned vectors | 5 |
# | a question in words | what happens past the end of the table? | 3 |
#
# It takes an hour and needs only tensors; the attention in the demonstrations comes from `course_lib`.

# %% locked=true
import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import MultiheadAttention, needs_your
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import positions as pictures

generator = torch.manual_seed(0)  # the same random weights each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("PositionalEncoding", "LearnedPositions")

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 3.1 Attention does not know where anything is
#
# Don't take it on trust. Below, five tokens go through an attention layer in their order, and then in reverse. If position mattered at all,
# something would change.

# %%
layer = MultiheadAttention(16, 16, 2)
words = torch.randn(1, 5, 16)  # [B, T, d]
with torch.no_grad():
    forwards = layer(words)
    backwards = layer(words.flip(1)).flip(1)  # reverse, attend, reverse back
print(f"largest difference: {(forwards - backwards).abs().max():.1e}")

# %% [markdown]
# ## 3.2 How would you number the positions?
#
# **The question.** Each position $t$ = 0, 1, 2, … needs a vector that is added to the token at that position. What should it be?
#
# The number $t$ itself grows without limit and would soon drown out the token. Dividing by the length, $t/T$, gives the same position
# different numbers in different sentences. Counting in binary is better: 000, 001, 010, 011, … All entries stay small, the last bit flips
# at each step, the one before it half as often, and so on: every position has its own code, and *nearby positions share their slow bits*.
# But binary isn't smooth. So replace each bit by a wave:
#
# $$\mathrm{PE}(t, 2i) = \sin\frac{t}{10000^{2i/d}},\qquad \mathrm{PE}(t, 2i+1) = \cos\frac{t}{10000^{2i/d}}$$
#
# (Vaswani et al., 2017, section 3.5; $d$ is the width of the tokens, `d_model`). Columns come in pairs, a sine and a cosine
# of the same frequency. The first pair turns once in 6.3 positions, the last, when $d$ is large, once in almost 63,000: a clock with very
# many hands.
#
# **Why 10,000?** The slowest hand shouldn't complete a turn within a text, or two positions would look alike; the paper's texts were far
# shorter than 63,000 tokens. A larger number suits longer texts but leaves fewer hands to tell neighbours apart.
#
# **Why add, and not append?** A linear map of token and position side by side, $W[x; p] = W_1x + W_2p$, is a sum too. If you add them, one
# $W$ is enough and you need no extra columns; and in a wide space training finds directions for both.

# %% [markdown]
# ### Exercise: `PositionalEncoding` (8 points, 25 minutes)
#
# **What.** Compute the table once, in `__init__`, and add its first T rows in `forward`.
#
# **Shapes.** `pe` [1, max_len, d_model]; `x` [B, T, d_model] → the same.
#
# **Must hold.** The table moves to a GPU with the model but isn't saved with it (a non-persistent *buffer*). An odd `d_model` works. A
# sequence longer than `max_len` raises a `ValueError` that names both lengths.
# <!-- Broken by: saved with the model; even widths only; RuntimeError instead of ValueError; an error with one
# number -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit.
#
# **Used for.** The predictor of stage 6 and the translation model of stage 5.
#
# <details><summary>Hint 1: the angles</summary>Take the positions as a column and the frequencies as a row: their product is a table
# [max_len, d_model / 2].</details>
# <details><summary>Hint 2: interleaving</summary><code>pe[:, 0::2]</code> are the even columns, <code>pe[:, 1::2]</code> the odd
# ones.</details>
# <details><summary>Hint 3: the exponent</summary>The column 2i has the exponent 2i / d_model. <code>torch.arange(0, d_model, 2)</code>
# <em>is</em> already 2i; doubling it again is a classic mistake.</details>

# %% exercise="PositionalEncoding"
from course_lib.model.positions import PositionalEncoding

# %%
check("PositionalEncoding", PositionalEncoding)

# %% [markdown]
# **The whole table.** Each row is the vector of one position. The waves are fast on the left and slower and slower towards the right; most
# of the right half hardly moves in 60 positions. It's there for longer texts.

# %% tags=["picture"]
with needs_your("PositionalEncoding"):
    pictures.encoding(PositionalEncoding(d_model=48, max_len=60).pe[0])  # [T, d]

# %% [markdown]
# **Single columns** show the waves behind it, in pairs: a cosine is its sine a quarter of a turn ahead.

# %% tags=["picture"]
with needs_your("PositionalEncoding"):
    pictures.waves(PositionalEncoding(d_model=48, max_len=60).pe[0])  # [T, d]

# %% [markdown]
# ## 3.3 Near positions look alike
#
# Attention compares by dot products. So how alike are two positions? Use $\sin a\sin b + \cos a\cos b = \cos(a - b)$ on each
# pair of columns:
#
# $$\mathrm{PE}(t) \cdot \mathrm{PE}(s) = \sum_i \cos\frac{t - s}{10000^{2i/d}}$$
#
# Only the *distance* $t - s$ remains: the picture around every position is the same. And if the clock has enough hands, no position looks
# more like you than your neighbours do; here at a width of 64:

# %% tags=["picture"]
with needs_your("PositionalEncoding"):
    table = PositionalEncoding(d_model=64, max_len=100).pe[0]  # [T, d]
    pictures.likeness({centre: table[centre - 20 : centre + 20] @ table[centre] for centre in (20, 50, 80)})

# %% [markdown]
# And with few hands? Move through the positions, then change the width: what's the smallest width on the slider at which neighbours are the
# most alike?


# %% tags=["picture"]
@guess_first(
    "With d_model = 4 the clock has two hands. Which of the next 47 positions looks most like yours?",
    ["the next one", "the one after that", "another, several steps away", "the last"],
    needs=["PositionalEncoding"],
)
def other_widths():
    from course_lib.notebook.widgets import position_explorer

    explorer = position_explorer(PositionalEncoding)
    explorer.controls["d_model"].value = 4
    explorer.show()


# %% [markdown]
# With two hands the fast one is back after 6.3 positions while the slow one has hardly moved, so 19 steps later (three turns) you meet your
# double: a similarity of 0.99, where the neighbour has 0.77. At a width of 8 it's the position six steps away. From 16 on it's the
# neighbour.

# %% [markdown]
# ## 3.4 A step is a rotation
#
# The authors gave another reason for their choice: “for any fixed offset $k$, PE(t+k) can be represented as a linear function of PE(t)”. If
# so, one matrix $M_k$ must take *every* position to the one $k$ steps later. Let's search for it instead of deriving it: fit the best $M$
# by least squares on half of the positions, then test it on the other half.

# %% tags=["picture"]
with needs_your("PositionalEncoding"):
    step = 5
    table = PositionalEncoding(d_model=8, max_len=4000).pe[0].double()  # [T, d]
    here, there = table[:-step], table[step:]  # [T - k, d] each
    M = torch.linalg.lstsq(here[:2000], there[:2000]).solution  # [d, d]: there ≈ here @ M
    print(f"largest error on positions that were not used: {(here[2000:] @ M - there[2000:]).abs().max():.1e}")
    pictures.rotation(M, step)

# %% [markdown]
# It's true, and the picture shows what the matrix is: a rotation for each pair, $\begin{pmatrix}\cos & -\sin\\ \sin &
# \cos\end{pmatrix}$, the hands of the clock moved forward by $k$. A layer that wants to look “five to the left” can learn to.
# **Rotary embeddings**, used in most language models today, apply this rotation to the queries and keys themselves.

# %% [markdown]
# ## 3.5 Or learn them
#
# Why not leave it to gradient descent? A table with one row for each position, trained like word embeddings. The paper tried both
# and found “nearly identical results” (table 3, row E). BERT and GPT-2 chose the table.

# %% [markdown]
# ### Exercise: `LearnedPositions` (5 points, 10 minutes)
#
# **What.** Use an `nn.Embedding` named `table`; add its first T rows. (Mind the order: `max_len` comes first here, as in
# `nn.Embedding(rows, width)`; in `PositionalEncoding` it comes second.)
#
# **Shapes.** `table.weight` [max_len, d_model]; `x` [B, T, d_model] → the same.
#
# **Must hold.** Every sample gets the same rows. A sequence longer than `max_len` raises a `ValueError` that names both lengths.
# <!-- Broken by: the first sample alone; RuntimeError instead of ValueError; an error with one number -->
#
# **Errors.** An error of PyTorch's own counts as well if its message names the sizes that don't fit.
#
# **Used for.** The comparison below.
#
# <details><summary>Hint</summary><code>self.table(positions)</code> with <code>positions = torch.arange(T)</code>, on the device of x,
# gives [T, d_model]; broadcasting adds it to every sample.</details>

# %% exercise="LearnedPositions"
from course_lib.model.positions import LearnedPositions

# %%
check("LearnedPositions", LearnedPositions)

# %% [markdown]
# **Where they stop working.** Here both encodings learn the same toy task: a linear layer sees a single token with its encoding and
# predicts how far along it is, $\sin(t / 20)$. Training uses positions 0 to 59; then we test up to 99.

# %% tags=["picture"]
with needs_your("PositionalEncoding", "LearnedPositions"):
    goal = torch.sin(torch.arange(100) / 20)  # [T]
    outputs = {}
    for name, encoding in (
        ("sines and cosines", PositionalEncoding(32, 100)),
        ("learned table", LearnedPositions(100, 32)),
    ):
        torch.manual_seed(0)
        head = nn.Linear(32, 1)
        optimizer = torch.optim.Adam([*encoding.parameters(), *head.parameters()], lr=0.02)
        for _ in range(400):
            guess = head(encoding(torch.zeros(1, 100, 32)))[0, :, 0]  # [T]
            loss = F.mse_loss(guess[:60], goal[:60])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        outputs[name] = guess.detach()
    pictures.past_the_end(goal, outputs)

# %% [markdown]
# A row that was never trained is a random vector. The waves continue, smoothly and without noise, but look: they miss the target too. A
# network that has never seen the slow hands in other positions can't know what they mean. Having an encoding for every position doesn't
# mean understanding every position. You'll measure how far a whole model generalises in stage 7.

# %% [markdown]
# **When the token is a number.** A price, a temperature, a grey value: such a token isn't a name. In a table of embeddings 20 and 21 would be
# as foreign to each other as any two words, and 20.5 would have no row at all. The usual answer is a **linear embedding**,
# `nn.Linear(1, d_model)`: the number times one learned vector, plus another. Below, both learn to reproduce a number; they are trained on
# even numbers only.

# %% tags=["picture"]
numbers, outputs = torch.arange(41.0), {}  # [N]
embeddings = {
    "linear embedding": lambda: nn.Sequential(nn.Unflatten(0, (-1, 1)), nn.Linear(1, 16)),
    "table": lambda: nn.Embedding(41, 16),
}
for name, make in embeddings.items():
    torch.manual_seed(0)
    model = nn.Sequential(make(), nn.Linear(16, 1))
    tokens = numbers.long() if name == "table" else numbers / 40  # a network likes numbers of order 1
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(500):
        loss = F.mse_loss(model(tokens[::2])[:, 0], numbers[::2] / 40)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    outputs[name] = 40 * model(tokens)[:, 0].detach()
pictures.scalars_as_tokens(numbers, outputs)

# %% [markdown]
# The table has learned its even rows; the odd ones are as random as they were. The linear embedding gets all of them right, because it can't
# help treating 20.5 as something between 20 and 21. That's also its limit: it's a line, so anything that isn't a line is left to the
# layers above.
# The predictor of stage 6 embeds its inputs in this way.

# %% [markdown]
# ## 3.6 In your own words
#
# ### Question: past the end of the table (3 points, 10 minutes)
#
# <!-- variant: a-longer-text -->
# You are given a model trained with `LearnedPositions(512, d)` and must use it on texts of 600 tokens. In a few sentences: what exactly
# goes wrong, why wouldn't it help simply to make the table longer, and what could you do instead? Would a model trained with sines and
# cosines on 512 tokens be safe at 600? A person will grade this answer.
# <!-- variant: a-longer-table -->
# A model was trained with sines and cosines on texts of up to 512 tokens, and must now read 600. A colleague replaces its encoding by
# `LearnedPositions(600, d)` and trains a little longer on the same texts. In a few sentences: what exactly goes wrong at 600 tokens, why
# wouldn't it help to train even longer, and what could she do instead? Would it have been safe to keep the sines and cosines? A person will
# grade this answer.
# <!-- end of variants -->

# %% [markdown] question="behind_the_table" points=3
# BEGIN SOLUTION
# <!-- variant: a-longer-text -->
# Positions 512 to 599 have no row: the look-up fails, or, if the table is made longer, returns rows that no gradient has ever touched,
# random vectors that the layers cannot interpret. What helps: cut the text in overlapping windows of 512; interpolate the table (600
# positions squeezed into 512) and fine-tune; or continue training with longer sequences so that the new rows are learned. Sines and
# cosines exist for every position and nearby distances look as before, so it degrades more gently, but it is not safe: the
# combinations of the slow waves beyond 512, and distances above 511, were never seen in training either.
#
# Rubric:
#
# - 1 point: positions 512 to 599 have no row; rows that are added were never trained, so they are random to the
#   layers above
# - 1 point: one remedy that works: overlapping windows, interpolation with fine-tuning, or further training on longer
#   texts
# - 1 point: sines and cosines exist at 600, but are not safe: such positions and distances were never seen in
#   training
# <!-- variant: a-longer-table -->
# Rows 0 to 511 of the new table are learned, but the texts never have a position 512 to 599, so no gradient ever reaches those
# rows: at 600 tokens they are the random vectors that they started as, and the layers cannot interpret them. Longer training on the
# same texts does not touch them either. What helps: train on longer texts, or on texts that start at a random position, so that
# every row is used; cut the text in overlapping windows of 512; or squeeze 600 positions into 512 by interpolation and fine-tune.
# Sines and cosines exist for every position and nearby distances look as before, so they degrade more gently, but they are not
# safe: the combinations of the slow waves beyond 512, and distances above 511, were never seen in training either.
#
# Rubric:
#
# - 1 point: rows 512 to 599 stay random, because no training text has such a position and no gradient reaches them,
#   however long the model trains
# - 1 point: one remedy that works: longer texts, random starting positions, overlapping windows, or interpolation
#   with fine-tuning
# - 1 point: sines and cosines exist at 600, but are not safe: such positions and distances were never seen in
#   training
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# Your tokens know their positions. In [stage 4](04_encoder.ipynb) they get something to do: many layers of attention, and what keeps such a
# deep stack alive.
