# ---
# jupyter:
#   course:
#     points: 26
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 12 · Where attention came from
#
# Someone shows you a sentence to translate, takes the paper away and asks for the translation. With five words that's easy. With fifty
# you'd ask: may I look again? Attention began as that request. It's older than the Transformer, and it was first added to networks that
# read as you do, one word at a time.
#
# | exercise | what it is | points |
# |---|---|---|
# | `gru_step` | one step of a memory with gates | 3 |
# | `AdditiveAttention` | a small network scores how well a key fits | 4 |
# | `BilinearAttention` | one matrix does it | 3 |
# | `AttentiveDecoder` | a writer who looks again before each word | 5 |
# | `GraphAttention` | nodes that listen to their neighbours | 5 |
# | three questions in words | which are query, key and value here? | 6 |
#
# It needs only stage 1. Plan for two and a half hours.

# %% locked=true
import math

import networkx as nx
import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import device, needs_your, softmax
from course_lib.notebook.pictures import origins as pictures
from course_lib.tasks import copy_reverse as letters
from course_lib.tasks import dates
from course_lib.training import Batches, Recipe, fit, in_order

generator = torch.manual_seed(0)  # the same random weights each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("gru_step", "AdditiveAttention", "AttentiveDecoder", "GraphAttention")

# %% [markdown]
# ## 12.1 Why not look sentences up?
#
# **The question.** You have a dictionary of 20,000 words. Why not write down every sentence of ten words, each with its translation?

# %% tags=["picture"]
print(f"ways to choose ten different words out of 20,000: {math.comb(20_000, 10):.3g}")
print(f"and in an order, with repetitions: {20_000**10:.3g}")
print(f"years to read them, a billion a second: {math.comb(20_000, 10) / 1e9 / 3.156e7:.1g}")

# %% [markdown]
# $\binom{20000}{10} = 2.82 \cdot 10^{36}$ choices of words, before you've put them in order. Most of them aren't sentences, but no list
# could hold even the rest. So a translation has to be *composed* word by word, by something that reads one word after the other and
# remembers. The question is what it remembers.

# %% [markdown]
# ## 12.2 A memory with gates
#
# A recurrent network keeps one vector, its **state** $h$. At each step it reads the next word $x$ and computes a new state from both. A
# state that's rebuilt at every step soon forgets: halve a number ten times, and a thousandth is left. The fix is to let the network decide,
# feature by feature, how much of the old state to keep (Cho et al., 2014):
#
# $$\begin{aligned}
# r &= \sigma(W_{ir} x + b_{ir} + W_{hr} h + b_{hr}) &&\text{reset: what of the past counts for the candidate} \\
# z &= \sigma(W_{iz} x + b_{iz} + W_{hz} h + b_{hz}) &&\text{update: how much of the old state stays} \\
# n &= \tanh(W_{in} x + b_{in} + r \odot (W_{hn} h + b_{hn})) &&\text{the candidate} \\
# h' &= (1 - z) \odot n + z \odot h
# \end{aligned}$$
#
# There are two gates between 0 and 1, one candidate between −1 and 1, and a weighted mean of the candidate and the old state. `nn.GRUCell`
# computes exactly this; its weights stack the three parts, $r$, $z$ and $n$, on top of each other.

# %% [markdown]
# ### Exercise: `gru_step` (3 points, 15 minutes)
#
# **What.** Compute one step by hand. `weights` is a dict with the names that `nn.GRUCell` uses.
# PyTorch's `nn.GRUCell` and `nn.GRU` aren't allowed here.
#
# **Shapes.** `x` [B, I], `h` [B, H] → [B, H]; `weight_ih` [3·H, I], `weight_hh` [3·H, H], `bias_ih` and `bias_hh` [3·H].
#
# **Must hold.** The reset gate multiplies W_hn h + b_hn as a whole. Where the update gate is 1, the old state is unchanged.
# <!-- Broken by: bias outside the reset gate; update gate not quite whole -->
#
# **Used for.** Both models below read with this cell, in torch's own fast version.
#
# <details><summary>Hint 1: two products are enough</summary><code>x @ weight_ih.T + bias_ih</code> is [B, 3·H]: <code>chunk(3,
# dim=-1)</code> cuts it into the three parts. Do the same for h.</details>
# <details><summary>Hint 2: why two biases?</summary>In a plain sum they could be merged into one. In the candidate the reset gate comes
# between them.</details>

# %% exercise="gru_step"
from course_lib.model.recurrent import gru_step

# %%
check("gru_step", gru_step)

# %% [markdown]
# How long does such a memory last? Below, a cell has no input and a fixed update gate. How much is left of a state of 1?

# %% tags=["picture"]
with needs_your("gru_step"):
    left = {}
    for gate in (0.5, 0.9, 0.99):
        weights = {"weight_ih": torch.zeros(3, 1), "weight_hh": torch.zeros(3, 1), "bias_hh": torch.zeros(3)}
        weights["bias_ih"] = torch.tensor([0.0, math.log(gate / (1 - gate)), 0.0])
        h, left[gate] = torch.ones(1, 1), [1.0]
        for _ in range(30):
            h = gru_step(torch.zeros(1, 1), h, weights)
            left[gate].append(h.item())
    pictures.memory_fades(left)

# %% [markdown]
# ## 12.3 A sentence in one vector
#
# The plan of 2014 (Sutskever et al.; Cho et al.): one network reads the sentence and passes its **last state** to a second one, which
# writes the answer. Everything the first one read has to fit through this one vector.
#
# To see what that costs you need a language in which forgetting shows. A sentence starts with *copy* or *reverse*, followed by one to ten
# letters; the answer is the letters, forwards or backwards. You can't predict a letter from its neighbours, so the accuracy shows exactly
# how much got through.

# %%
WIDTH, LETTERS = 64, 20
VOCABULARY = letters.FIRST_LETTER + LETTERS


class OneVector(nn.Module):
    """Reads a sentence into one vector, and writes from it."""

    def __init__(self, vocabulary):
        super().__init__()
        self.source, self.target = nn.Embedding(vocabulary, WIDTH), nn.Embedding(vocabulary, WIDTH)
        self.reader = nn.GRU(WIDTH, WIDTH, batch_first=True)
        self.writer = nn.GRU(2 * WIDTH, WIDTH, batch_first=True)
        self.output = nn.Linear(2 * WIDTH, vocabulary)

    def forward(self, source, before):
        states, _ = self.reader(self.source(source))  # [B, S, WIDTH]
        last = (source != letters.PAD).sum(dim=1) - 1  # [B]
        vector = states[torch.arange(len(source)), last]  # [B, WIDTH]
        again = vector.unsqueeze(1).expand(-1, before.shape[1], -1)  # [B, T, WIDTH], the same at every step
        written, _ = self.writer(torch.cat([self.target(before), again], dim=-1), vector.unsqueeze(0))
        return self.output(torch.cat([written, again], dim=-1))  # [B, T, V]


def sentence_loss(model, batch):
    """The mean cross-entropy, and the share of the sentences without a single mistake."""
    source, target = batch
    before = torch.cat([torch.full_like(target[:, :1], letters.BOS), target[:, :-1]], dim=1)  # what has been written
    logits = model(source, before)
    loss = F.cross_entropy(logits.transpose(1, 2), target, ignore_index=letters.PAD)
    right = (logits.argmax(dim=-1) == target) | (target == letters.PAD)
    return loss, right.all(dim=1).float().mean()


def accuracies(model, lengths, size=500):
    """The share of the sentences that are right, for each length."""
    with torch.no_grad():
        tasks = ([t.to(device()) for t in letters.copy_reverse(size, (n, n), LETTERS, seed=99)] for n in lengths)
        return [sentence_loss(model, task)[1].item() for task in tasks]


def train(model, steps):
    """Train on sentences of one to ten letters."""
    sentences = letters.copy_reverse(20_000, (1, 10), LETTERS, seed=0)
    looked_at = in_order(*letters.copy_reverse(500, (1, 10), LETTERS, seed=1))
    recipe = Recipe(learning_rate=1e-2, batch_size=64, max_steps=steps)
    return fit(model, sentence_loss, Batches(*sentences, batch_size=64), looked_at, recipe)


lengths, curves = range(1, 13), {}

# %% [markdown]
# A sentence counts only if every letter is right. At each step the model reads the *correct* previous letters. If it's right at every step,
# these are the letters it would have written itself, so this is exactly its accuracy when it writes on its own.

# %% tags=["picture"]
torch.manual_seed(0)
model = OneVector(VOCABULARY)
history = train(model, steps=800)
curves["one vector, 800 steps"] = accuracies(model, lengths)
print(f"{history.seconds:.0f} s; sentences of one to ten letters without a mistake: {history.best.accuracy:.0%}")
print("by length: " + ", ".join(f"{n}: {share:.0%}" for n, share in zip(lengths, curves["one vector, 800 steps"])))

# %% [markdown]
# Up to three letters nearly everything gets through; at six letters, six sentences in ten; at ten, hardly any. (In five runs from different
# random weights: 98 to 99 % of three letters, 60 to 66 % of six, 1 to 3 % of ten.) Space isn't the problem: sixty-four numbers have more
# than enough bits for ten letters. The hard part is to *learn* how to pack them. Each letter has to be written into the vector so that no
# later letter overwrites it, and has to be found again at the right moment.

# %% [markdown]
# ## 12.4 May I look again?
#
# **The idea** (Bahdanau et al., 2015). Throw nothing away: keep *all* the states of the reader, one for each word. They form the
# **memory**. Before the writer writes a word, it compares its own state with each vector in the memory and takes their mean, weighted by
# how well they fit:
#
# $$e_j = \operatorname{score}(q, k_j), \qquad a = \operatorname{softmax}(e), \qquad c = \sum_j a_j k_j$$
#
# The states are both *keys* and *values*: separating the two came later. But what makes a good score? The query and the keys come from two
# networks and needn't even have the same width. Bahdanau let a small network decide:
#
# $$\operatorname{score}(q, k) = w^\top \tanh(W_q q + W_k k)$$

# %% [markdown]
# ### Exercise: `AdditiveAttention` (4 points, 20 minutes)
#
# **What.** Use three Linear layers, `query_proj` and `key_proj` (to hidden_dim) and `score` (hidden_dim → 1), and return the weighted mean
# of the keys.
#
# **Shapes.** `query` [B, query_dim], `keys` [B, S, key_dim], `mask` [B, S] or None → (context [B, key_dim], attention [B, S]).
#
# **Must hold.** None of the three has a bias. A hidden key has weight 0 and doesn't affect the output. A mask may be boolean or contain 0
# and 1. For a query that sees no key the result is finite. Large scores give finite weights.
# <!-- Broken by: a bias in the score; hidden scores not low enough; booleans only; minus infinity; exp of large
# scores -->
#
# **Used for.** The decoder of section 12.5.
#
# <details><summary>Hint 1: one query, S keys</summary><code>query_proj(query)</code> is [B, hidden_dim]; <code>unsqueeze(1)</code> adds the
# axis of the keys.</details>
# <details><summary>Hint 2: the score</summary>It has shape [B, S, 1]. A softmax over the last axis would run over a single
# number.</details>
# <details><summary>Hint 3: nothing to see</summary>As in stage 1, fill with the lowest number the dtype has,
# <code>torch.finfo(scores.dtype).min</code>. A row that is all −inf becomes NaN.</details>

# %% exercise="AdditiveAttention"
from course_lib.model.additive import AdditiveAttention

# %%
check("AdditiveAttention", AdditiveAttention)

# %% [markdown]
# The tanh matters. Without it the score splits into a term for the query plus a term for the key. The query's term is the same for all
# keys, so the softmax cancels it, and every query gets the same answer.
#
# In the same year Luong et al. (2015) tried simpler scores. Their *general* score has no network, only a matrix between the two:
#
# $$\operatorname{score}(q, k) = q^\top W k$$

# %% [markdown]
# ### Exercise: `BilinearAttention` (3 points, 10 minutes)
#
# **What.** The call is the same as before, with a single parameter, `weight` [query_dim, key_dim].
#
# **Shapes.** As before.
#
# **Must hold.** The score is not scaled. A hidden key has weight 0 and doesn't affect the output. For a query that sees no key the result
# is finite. Large scores give finite weights.
# <!-- Broken by: scaled by the root of the query's width; hidden scores not low enough; minus infinity; exp of large
# scores -->
#
# **Used for.** This is the step from here to the Transformer: set $W = W_q^\top W_k$ and you have the dot product of a projected query and
# a projected key.
#
# <details><summary>Hint</summary><code>query @ weight</code> is [B, key_dim]: the query, translated into the space of the keys. Then take
# its dot product with each key.</details>

# %% exercise="BilinearAttention"
from course_lib.model.additive import BilinearAttention

# %%
check("BilinearAttention", BilinearAttention)

# %% [markdown]
# How do the two respond to a query that rotates? Three keys are at 0°, 120° and 240° on a circle, and the query goes around once. When does
# each key get a large weight?

# %% tags=["picture"]
with needs_your("AdditiveAttention", "BilinearAttention"):
    torch.manual_seed(3)
    around = torch.linspace(0, 2 * math.pi, 121)
    on_circle = torch.stack([around.cos(), around.sin()], dim=-1)  # [121, 2]
    keys = on_circle[[0, 40, 80]].expand(121, -1, -1)  # [121, 3, 2]
    additive, bilinear = AdditiveAttention(2, 2, 32), BilinearAttention(2, 2)
    with torch.no_grad():
        bilinear.weight.copy_(3 * torch.eye(2))
        for parameter in additive.parameters():
            parameter.mul_(4)
        layers = {"additive, random weights": additive, "bilinear, W = 3 I": bilinear}
        weights = {name: layer(on_circle, keys)[1] for name, layer in layers.items()}  # [121, 3] each
    pictures.around_the_circle(around.rad2deg(), weights)

# %% [markdown]
# With a multiple of the identity the bilinear score *is* the dot product: a key counts as close if it points the same way. Additive
# attention has no notion of closeness until it has learned one. But the matrix won for another reason: the scores of all queries with all
# keys are one matrix product, whereas the additive network needs a hidden vector for every *pair*.

# %% [markdown]
# ### Question: who asks whom? (2 points, 5 minutes)
#
# <!-- variant: first -->
# Both layers have an argument `query` and an argument `keys`. In the words of stage 1, which are query, key and value here? What do the
# layers of stages 1 and 2 have that's missing here? A person will grade this answer.
# <!-- variant: second -->
# Both layers return a context of width key_dim, regardless of query_dim. In the words of stage 1, which are query, key and value here, and
# why does the context have this width? In `scaled_dot_product` of stage 1, what decides the width of the result, and which two widths must
# agree there? A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="who_asks_whom" points=2
# BEGIN SOLUTION
# <!-- variant: first -->
# The query is the one vector that comes in first (later: the state of the decoder). The keys are the vectors of the memory, and they are
# the values as well: the same vectors that are compared are averaged. Stage 1 has separate values, so what a token is found by and what it
# passes on may differ; it has many queries at once, and it scales by the root of the width. Projections of the query and keys are here too,
# but inside the score.
#
# Rubric:
#
# - 1 point: the query is the one vector that comes in; the keys are the memory, and are the values as well
# - 1 point: what is missing here: separate values; or many queries at once; or the scale by the root of the width
# <!-- variant: second -->
# The query is the one vector that comes in first (later: the state of the decoder). It only decides the weights. The keys are
# the vectors of the memory, and they are the values as well: the same vectors that are compared are averaged, and a mean of
# keys is as wide as a key. In stage 1 the values are separate, so their width d_v is the width of the result. There a score
# is a dot product, so queries and keys must have the same width, d_k. Here they needn't: the projections, or the matrix, come
# between them.
#
# Rubric:
#
# - 1 point: the query is the one vector that comes in and only decides the weights; the keys are the memory and are the
#   values as well, so the context is as wide as a key
# - 1 point: in stage 1 the separate values decide the width, and queries and keys must have the same one
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## 12.5 A writer who looks again
#
# Put it together: before step $t$ the state $s_{t-1}$ queries the memory and gets a context $c_t$. The cell reads the previous token and
# the context and computes $s_t$. The prediction uses both the state and the context.
#
# $$c_t = \operatorname{attend}(s_{t-1}, \text{memory}), \qquad s_t = \operatorname{GRU}([y_{t-1}, c_t],\, s_{t-1}), \qquad
# \text{logits}_t = W\,[s_t, c_t] + b$$
#
# The first state has no predecessor. It's a linear map of the mean of the memory, without the padding.

# %% [markdown]
# ### Exercise: `AttentiveDecoder` (5 points, 30 minutes)
#
# **What.** `embedding` (nn.Embedding), `start` (Linear, memory_dim → model_dim, no tanh after it), `attention` (your
# `AdditiveAttention`, hidden_dim = model_dim), `cell` (nn.GRUCell on [embedding, context]) and `output` (Linear on [state, context]).
#
# **Shapes.** `tokens` [B, T], `memory` [B, S, memory_dim], `mask` [B, S] or None → (logits [B, T, vocab_size], attention [B, T, S]). The
# tokens are already shifted: the caller has prepended `<bos>`.
#
# **Must hold.** The query at step t is the state of step t − 1. Padding affects neither the first state nor the attention. For a memory
# that is all padding the result is finite, and the first state is `start` of zeros. Every row of the embedding learns, including that of
# token 0.
# <!-- Broken by: the first state asks every time; padding counted; 0 / 0 for a memory of padding |
# a state of zeros where nothing is seen; token 0 as padding -->
#
# **Used for.** The rest of this page.
#
# <details><summary>Hint 1: the mean of what is seen</summary>Replace the padding by zeros with <code>masked_fill</code>, add up, and divide
# by the number of vectors that aren't padding. What do you divide by if there are none?</details>
# <details><summary>Hint 2: the loop</summary>Attend, then the cell, then the output. <code>unbind(dim=1)</code> splits the embedded tokens
# into steps.</details>
# <details><summary>Hint 3: at the end</summary>You have two lists of T tensors; <code>torch.stack(…, dim=1)</code> puts the steps after the
# batch.</details>

# %% exercise="AttentiveDecoder"
from course_lib.model.attentive import AttentiveDecoder

# %%
check("AttentiveDecoder", AttentiveDecoder)


# %% [markdown]
# The same reader, the same widths, the same sentences, and *half as many* training steps. The only difference is that nothing is thrown
# away.


# %%
class LooksAgain(nn.Module):
    """The same reader; all its states are the memory of a decoder that attends."""

    def __init__(self, vocabulary):
        super().__init__()
        self.source = nn.Embedding(vocabulary, WIDTH)
        self.reader = nn.GRU(WIDTH, WIDTH, batch_first=True)
        self.decoder = AttentiveDecoder(vocabulary, WIDTH, WIDTH)

    def logits_and_attention(self, source, before):
        memory, _ = self.reader(self.source(source))  # [B, S, WIDTH]
        return self.decoder(before, memory, source != letters.PAD)

    def forward(self, source, before):
        return self.logits_and_attention(source, before)[0]


# %% tags=["picture"]
with needs_your("AdditiveAttention", "AttentiveDecoder"):
    torch.manual_seed(0)
    model = LooksAgain(VOCABULARY)
    history = train(model, steps=400)
    curves["attention, 400 steps"] = accuracies(model, lengths)
    pictures.by_length(lengths, curves)
    print(f"{history.seconds:.0f} s; sentences of one to ten letters without a mistake: {history.best.accuracy:.0%}")

# %% [markdown]
# Five runs from different random weights: of the sentences of ten letters one vector gets 1 to 3 % right, attention 86 to 91 %; over all
# training lengths it's 59 to 61 % against 97 to 99 %. That's the picture that started it all: Bahdanau et al. drew it for sentences
# of up to sixty words. But look at the right edge: with eleven letters attention drops to 54 to 62 %, and with twelve to 9 to 16 %. It
# *can* look anywhere, but it has to learn where to look, and it has never been trained on a twelfth position.

# %% [markdown]
# ## 12.6 What it looks at
#
# You can plot the attention weights of any model; here you can *read* them. People write dates in many ways, ISO 8601 in one. Letter by
# letter: `March 25, 1987` → `1987-03-25`. The order changes, the month becomes a number, and the weekday doesn't matter.

# %% tags=["picture"]
with needs_your("AdditiveAttention", "AttentiveDecoder"):
    torch.manual_seed(0)
    model = LooksAgain(len(dates.LETTERS))
    written = Batches(*dates.dates(10_000, seed=0), batch_size=64)
    recipe = Recipe(learning_rate=1e-2, batch_size=64, max_steps=300)
    history = fit(model, sentence_loss, written, in_order(*dates.dates(500, seed=1)), recipe)
    print(f"{history.seconds:.0f} s; dates without a mistake: {history.best.accuracy:.1%}")

    day, maps = dates.datetime.date(1987, 3, 25), []
    for form in (1, 2):
        text = dates.write_date(day, form)
        source = torch.tensor([dates.tokens_of(text, dates.LONGEST)]).to(device())
        iso = torch.tensor([[dates.BOS, *dates.tokens_of(day.isoformat(), 10)]]).to(device())
        with torch.no_grad():
            logits, attention = model.logits_and_attention(source, iso[:, :-1])
        written = dates.letters_of(logits.argmax(-1)[0])
        maps.append((text, written, day.isoformat(), attention[0, :, : len(text)].cpu()))
    pictures.dates_read(maps)

# %% [markdown]
# No one told the model what a year is. It finds the year at the end, goes through its digits (19 or 20 takes one look), jumps back to the
# letters of the month, and then to the day, wherever this form puts it: after the month, or before it. For the hyphens it needs no
# information, so it looks back or ahead. Often the weight falls one letter late: the reader's state *after* a letter contains that letter
# too, and everything before it. In five runs 95 to 100 % of the dates came out without a mistake.
#
# You can read this map because of the task: each output comes from a single place. Don't expect that of a deep model (stage 7 explained
# why).

# %% [markdown]
# ### Question: what does the decoder ask? (2 points, 5 minutes)
#
# <!-- variant: first -->
# In `AttentiveDecoder`, when it writes the `8` of 1987: which are query, key and value here? What does the query know at that moment, and
# what doesn't it know yet? A person will grade this answer.
# <!-- variant: second -->
# In `AttentiveDecoder`, when it turns `March 25, 1987` into `1987-03-25` and is about to write the `3` of the month: which are query, key
# and value here? What does the query know at that moment, and what doesn't it know yet? A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="what_the_decoder_asks" points=2
# BEGIN SOLUTION
# <!-- variant: first -->
# The query is the decoder's state before the step, s_{t−1}. It knows what was written up to the last token but one (the
# cell's last input), and what was attended to. It doesn't know the token that was just written, the 9: the cell reads it only after the
# query has been made. Keys are the reader's states, one for each letter of the date, and the values are the same states. The state at the
# letter 8 contains everything read so far, so as a key it says “second digit of a year”, and as a value “8”.
#
# Rubric:
#
# - 1 point: query: the decoder's state before the step; keys and values: the reader's states, one per letter
# - 1 point: it knows what was written up to the last token but one, but not the token just written (the 9), which the cell reads afterwards
# <!-- variant: second -->
# The query is the decoder's state before the step, s_{t−1}. It knows what was written up to the last token but one, `1987-`,
# and what was attended to, probably letters of *March*. It doesn't know the token that was just written, the 0: the cell
# reads it only after the query has been made. Keys are the reader's states, one for each letter of the date, and the values
# are the same states. A state within *March* contains everything read so far, so as a key it says “part of the month's name”,
# and as a value which month it is.
#
# Rubric:
#
# - 1 point: query: the decoder's state before the step; keys and values: the reader's states, one per letter
# - 1 point: it knows what was written up to the last token but one (the hyphen), but not the token just written (the 0),
#   which the cell reads afterwards
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## 12.7 Neighbours in a graph
#
# Words come in a sequence. What about people in a club, atoms in a molecule, papers that cite each other? Nothing comes first or last;
# there are only connections. In *graph attention* (Veličković et al., 2018) every node queries its neighbours. The score is additive again,
# with a vector $a = [\text{target}, \text{source}]$ for each head:
#
# $$e_{ij} = \operatorname{LeakyReLU}(\text{target}^\top W x_i + \text{source}^\top W x_j), \qquad
# \alpha_{i\cdot} = \operatorname{softmax}_{j \in N(i)}(e_{ij}), \qquad x'_i = \sum_{j \in N(i)} \alpha_{ij}\, W x_j$$
#
# $N(i)$ are the nodes that $i$ hears, including itself. So the graph is a mask: you know how to do this.

# %% [markdown]
# ### Exercise: `GraphAttention` (5 points, 30 minutes)
#
# **What.** `proj` (a Linear without bias, in_dim → num_heads · out_dim, its rows grouped by head), `source` and `target` [num_heads,
# out_dim], for the node $i$ that hears (`target`) and the node $j$ that it hears (`source`); the LeakyReLU has `negative_slope`. PyTorch
# Geometric's `GATConv` and `GATv2Conv` aren't allowed here.
#
# **Shapes.** `x` [N, in_dim], `adjacency` [N, N], boolean or 0/1 → (out [N, num_heads · out_dim], attention [num_heads, N, N]).
#
# **Must hold.** adjacency[i, j] is true where i hears j; it need not be symmetric. Every node hears itself, regardless of the diagonal.
# For a node without neighbours the result is finite. Large scores give finite weights, and a node that isn't heard has weight 0 however
# low the others' scores are. No bias, and no ELU at the end.
# <!-- Broken by: edges in both directions; self-loops for isolated nodes alone; isolated nodes set to zero; scores not
# low enough; ELU -->
#
# **Used for.** Two factions of a club, below.
#
# <details><summary>Hint 1: a table of all pairs</summary>target·Wx_i is one number for each node and head, [h, N]; so is source·Wx_j. Make
# one a column and the other a row, and broadcasting adds them up to [h, N, N].</details>
# <details><summary>Hint 2: itself</summary><code>torch.eye(N, dtype=torch.bool)</code>, and a logical <em>or</em>. Don't modify the
# caller's adjacency.</details>
# <details><summary>Hint 3: heads</summary><code>unflatten(-1, (h, d))</code> cuts the features into heads, <code>transpose(0, 1)</code>
# puts the heads first; at the end, undo the same steps in reverse order.</details>

# %% exercise="GraphAttention"
from course_lib.model.graph import GraphAttention

# %%
check("GraphAttention", GraphAttention)

# %% [markdown]
# **A club that broke apart.** Zachary (1977) recorded which of the 34 members of a karate club met outside training. Then the instructor
# (node 0) and the president (node 33) fell out, and the club split. Can you tell from the friendships alone who went with whom?
#
# All the network knows about a member is a number (one-hot). It's told the side of two of the 34, the instructor and the president;
# everything else must reach it along the edges.


# %%
class Factions(nn.Module):
    """Two layers of graph attention: four heads of width 8, then one of width 2, the two sides."""

    def __init__(self, nodes):
        super().__init__()
        self.first, self.second = GraphAttention(nodes, 8, 4), GraphAttention(32, 2, 1)

    def forward(self, x, adjacency):
        hidden, _ = self.first(x, adjacency)
        return self.second(F.elu(hidden), adjacency)


# %% tags=["picture"]
with needs_your("GraphAttention"):
    club = nx.karate_club_graph()
    adjacency = torch.from_numpy(nx.to_numpy_array(club, weight=None))  # [34, 34], 0 and 1
    side = torch.tensor([club.nodes[node]["club"] == "Officer" for node in club]).long()  # [34]
    known = torch.tensor([0, 33])
    torch.manual_seed(0)
    model = Factions(len(club))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for _ in range(200):
        logits, attention = model(torch.eye(len(club)), adjacency)
        optimizer.zero_grad()
        F.cross_entropy(logits[known], side[known]).backward()
        optimizer.step()
    predicted = logits.argmax(dim=-1)
    print(f"told the side of 2 members, right about {(predicted == side).sum()} of {len(club)}")
    pictures.factions(club, side, predicted, attention[0].detach())

# %% [markdown]
# In five runs 29 to 34 of the 34 were right. Its mistakes (marked with !) are at the boundary: people with friends on both sides. The line
# between two friends is as thick as the larger of their two weights. The two do differ: *i hears j* isn't *j hears i*, because each node
# splits a total of 1 among its own friends.

# %% [markdown]
# ### Question: who asks in a graph? (2 points, 5 minutes)
#
# <!-- variant: first -->
# In `GraphAttention`: which are query, key and value here? The scores are a sum of something about $i$ and something about $j$, with a
# LeakyReLU around it. Without the LeakyReLU, what would happen to the ranking of the neighbours, and what influence would the asking node
# have? And with it? A person will grade this answer.
# <!-- variant: second -->
# In `GraphAttention`: which are query, key and value here? Two nodes hear the same three neighbours, and the first gives more weight to
# neighbour 1 than to 2, and more to 2 than to 3. What does that tell you about the second node's weights for these three? Can the two nodes
# weight them differently at all, with the LeakyReLU and without it? A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="who_asks_in_a_graph" points=2
# BEGIN SOLUTION
# <!-- variant: first -->
# The query is node i, seen through target · W x_i; the keys are the nodes j that it hears, seen through source · W x_j; the
# values are W x_j. Without the LeakyReLU the term for i is the same for all j, so the softmax cancels it, and i has no influence: a node
# gets the same scores, whoever asks. With it, the term for i decides which sums fall on the steep side and which on the flat one, so it
# changes how *sharply* the neighbours are weighted. Even then every i ranks the neighbours in the same order, because the LeakyReLU is
# increasing. Brody et al. (2022) call this *static* attention; their GATv2 applies the LeakyReLU before the vector a, as Bahdanau's score
# does with its tanh, and then i can change the ranking too.
#
# Rubric:
#
# - 1 point: query: node i by target · W x_i; keys: the nodes that it hears by source · W x_j; values: W x_j
# - 1 point: without the LeakyReLU the querying node cancels in the softmax; with it, i changes how sharply the neighbours are weighted, but
#   never their ranking
# <!-- variant: second -->
# The query is node i, seen through target · W x_i; the keys are the nodes j that it hears, seen through source · W x_j; the
# values are W x_j. The second node ranks the three in the same order: its scores differ only by its own term, which is the
# same for all j, and the LeakyReLU is increasing. Without the LeakyReLU the softmax cancels this term, so the ratios between
# the three weights are the same for both nodes. With it, the term for i decides which sums fall on the steep side and which
# on the flat one, so one node can weight the three more sharply than the other. (Brody et al., 2022, call this *static*
# attention; if the LeakyReLU comes before the vector a, as the tanh does in Bahdanau's score, the ranking can differ too.)
#
# Rubric:
#
# - 1 point: query: node i by target · W x_i; keys: the nodes that it hears by source · W x_j; values: W x_j
# - 1 point: the same ranking, always; without the LeakyReLU even the same ratios of the weights, with it the second node may
#   weight them more or less sharply
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## 12.8 One formula
#
# Here they are side by side:
#
# | model | query | key | value | score |
# |---|---|---|---|---|
# | one vector | none | – | the last state | – |
# | additive (2015) | the decoder's state | each state of the reader | the same state | $w^\top \tanh(W_q q + W_k k)$ |
# | bilinear (2015) | the decoder's state | each state of the reader | the same state | $q^\top W k$ |
# | graph (2018) | a node | the nodes it hears, and itself | the same nodes, projected | $\operatorname{LeakyReLU}(a^\top [W x_i, W x_j])$ |
# | Transformer (2017) | every token, projected | every token, projected | every token, projected separately | $q^\top k / \sqrt{d_k}$ |
#
# All but the first have a query, keys, a score, a softmax and a weighted mean. The Transformer changes three things. The values get their
# own projection, separate from the keys. The score is a plain dot product, so all scores are one matrix product (and need a square root to
# stay small). And the queries are the tokens themselves, so the recurrent network around the attention can go. Then no step has to wait for
# the previous one, and what remains is the formula of stage 1:
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right) V$$
#
# With one query, and the keys as values, it's bilinear attention whose matrix is the identity divided by a square root. Your layer agrees:

# %%
with needs_your("BilinearAttention"):
    from course_lib import scaled_dot_product

    query, keys = torch.randn(3, 16), torch.randn(3, 7, 16)  # [B, d], [B, S, d]
    layer = BilinearAttention(16, 16)
    with torch.no_grad():
        layer.weight.copy_(torch.eye(16) / math.sqrt(16))
        ours, _ = layer(query, keys)
        stage_1, _ = scaled_dot_product(query.unsqueeze(1), keys, keys)  # one query for each sample
    print(f"largest difference from stage 1: {(ours - stage_1.squeeze(1)).abs().max():.1e}")

# %% [markdown]
# ## What you have now
#
# You have built attention three times without a Transformer, and you know why the Transformer's version looks the way it does. If you came
# from stage 1, continue with [stage 2](02_multi_head.ipynb): there the tokens start to query each other.
