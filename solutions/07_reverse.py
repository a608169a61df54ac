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
# # 7 · Reverse: a task made for attention
#
# Read ten digits aloud, then say them backwards. There's nothing to understand, only to look up: the first word you say is the last one you
# heard. For a network that's less trivial than it seems. A convolution sees its neighbours; a recurrent network must carry all digits to
# the end in one vector. Attention can do it in **one** look, if every position learns to ask for exactly one other position.
#
# That makes it the ideal first task for the Transformer you've built. It trains in seconds, and because you know beforehand where every
# position *should* look, you can check whether it does.
#
# | exercise | what it is | points |
# |---|---|---|
# | `ReverseDataset` | sequences, and the same sequences backwards | 7 |
# | `reverse_loss` | how wrong a model is about them | 8 |
# | your own experiment | longer sequences than it was trained on | 5 |
#
# It starts from the model of stage 6 in `course_lib`, so you can start here without having done anything else. Plan for an hour and a half.

# %% locked=true
from dataclasses import replace

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import Dataset

from autograder import check
from course_lib import CosineWarmupScheduler, PositionalEncoding, TransformerPredictor, device, needs_your, train_step
from course_lib.notebook.live_curve import live_curve
from course_lib.notebook.pictures import reverse as pictures
from course_lib.tasks import load_pretrained, pretrained_details
from course_lib.training import Batches, Recipe, evaluate, fit, in_order

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("TransformerPredictor")

# %% [markdown]
# **Your own parts.** Below you train *your* Transformer, with your schedule and your steps, as far as `my_transformer/` has them. The
# course's parts compute the same numbers and train faster: `use_mine(False)` uses them everywhere.

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 7.1 Sequences and their mirror
#
# **The question.** What does a model need to learn a task? As many pairs of question and answer as possible, and a guarantee that the test
# pairs are different ones. Here both are cheap: a question is a row of random tokens, the answer the same row read backwards.
#
# $$\text{tokens} = (x_0, x_1, \dots, x_{T-1}) \qquad\longmapsto\qquad \text{targets} = (x_{T-1}, \dots, x_1, x_0)$$
#
# So the target at position $t$ is the token at position $T-1-t$. As published (Phillip Lippe, *UvA Deep Learning Tutorials*, tutorial 6),
# there are 10 categories and 16 positions: $10^{16}$ sequences, of which the model sees fewer than fifty thousand. Memorising those
# wouldn't help it with ten thousand new ones.
#
# PyTorch calls such a collection a **dataset**: an object that knows its length and gives its items one by one. A **seed** decides which
# numbers are drawn. The same seed gives the same data on every machine with the same generator, a different seed gives different data, and
# that's how training, validation and test stay separate.

# %% [markdown]
# ### Exercise: `ReverseDataset` (7 points, 15 minutes)
#
# **What.** Write a dataset of `size` random sequences. Keep all of them in `self.data`; an item is the pair (tokens, targets).
#
# **Shapes.** `data` [size, seq_len], integers (int64) from 0 to num_categories − 1, all equally likely. Item `i` is
# `(tokens [seq_len], targets [seq_len])`, and `tokens` is `data[i]`. `len(dataset)` is `size`.
#
# **Must hold.** The seed decides everything: the same seed, the same data; another seed, other sequences. Seed 0 is a seed too. The
# global random state isn't reseeded. Both parts of an item are tensors.
# <!-- Broken by: one seed for all | one seed for each sequence; seed 0 taken for none | seed 0 replaced; everybody's
# random numbers seeded; items that are no tensors -->
#
# **Used for.** Everything you train on this page.
#
# <details><summary>Hint 1: the draw</summary><code>torch.randint(high, shape)</code> draws from 0 to high − 1: the upper end is
# excluded.</details>
# <details><summary>Hint 2: the seed</summary><code>torch.Generator().manual_seed(seed)</code> is a separate source of random numbers; pass
# it as <code>generator=…</code>.</details>
# <details><summary>Hint 3: backwards</summary><code>data[::-1]</code> works for lists, not for tensors:
# <code>tensor.flip(-1)</code>.</details>

# %% exercise="ReverseDataset"
from course_lib.tasks.reverse import ReverseDataset

# %%
check("ReverseDataset", ReverseDataset)

# %% tags=["picture"]
with needs_your("ReverseDataset"):
    pictures.mirror(*ReverseDataset(num_categories=10, seq_len=16, size=3)[0])

# %% [markdown]
# ## 7.2 How wrong is a prediction?
#
# The model of stage 6, `TransformerPredictor`, takes vectors and returns, for every position, one number for each category: the **logits**.
# Two steps separate your dataset from the model.
#
# **Tokens are names, not amounts.** A 7 isn't more than a 3. So every token becomes a **one-hot** vector: one entry per category, all zeros
# except for a single one. The model's first layer says how wide that is: `model.input_net[-1].in_features`.
#
# **A prediction is a distribution.** At each position the softmax of the logits says how likely the model finds each category. The loss is
# what it pays for the right one, the **cross-entropy**, averaged over all $B \cdot T$ positions of the batch:
#
# $$\text{loss} = -\frac{1}{BT} \sum_{b,\,t} \log \operatorname{softmax}(\text{logits}_{b,t})_{\,\text{target}_{b,t}}$$
#
# `F.cross_entropy` computes logarithm and softmax in one go, and safely, so it wants **logits**. Give it probabilities, and they go through
# a second softmax. There's no error, but for ten categories the loss can then never fall below $-\ln\frac{e}{e+9} = 1.461$. It's a common
# mistake, and easy to overlook.

# %% [markdown]
# ### Exercise: `reverse_loss` (8 points, 20 minutes)
#
# **What.** Make the tokens one-hot, run the model, compare with the targets. Return the loss and the **accuracy**: the share of the
# *tokens* whose most likely category is right.
#
# **Shapes.** `batch` is `(tokens [B, T], targets [B, T])`; the model takes floats [B, T, C], for C categories, and returns logits [B, T,
# C]. Both results are single numbers: the loss is a tensor, the accuracy may be a tensor or a plain number.
#
# **Must hold.** It works for any number of categories, even if a batch happens not to contain the largest one. The loss is finite and not
# capped, however sure the model is. Gradients reach the model. The model sees its positions (leave `add_positional_encoding` alone). The
# loss leaves the model's mode, train or eval, alone.
# <!-- Broken by: always ten categories | width from the batch; a floor of 1e-9 added; cut from the graph; positions
# left out; model switched to eval -->
#
# **Used for.** The training loop below calls it at every step; stage 8 has a similar one.
#
# <details><summary>Hint 1: one-hot</summary><code>F.one_hot(tokens, num_categories)</code> returns integers; a Linear multiplies floats.
# </details>
# <details><summary>Hint 2: which axis?</summary><code>F.cross_entropy</code> expects the categories on axis <em>1</em>: [B, C, T] with
# targets [B, T] (swap with <code>transpose</code>, never with <code>view</code>), or everything flattened, [B·T, C] with [B·T].
# </details>
# <details><summary>Hint 3: accuracy</summary><code>argmax</code> over the categories, <code>==</code> the targets,
# <code>.float().mean()</code>.</details>

# %% exercise="reverse_loss"
from course_lib.tasks.reverse import reverse_loss

# %%
check("reverse_loss", reverse_loss)

# %% [markdown]
# **A check that costs nothing.** An untrained model should give every category about the same chance, one in ten: a loss near $\ln 10 =
# 2.303$ and an accuracy near 10 %. Look at this number before *every* training you ever start. If it's 20, something is wrong with the
# scale of the weights; if it's 0.3, the answer has leaked into the question.

# %%
with needs_your("ReverseDataset", "reverse_loss"):
    torch.manual_seed(0)
    untrained = TransformerPredictor(input_dim=10, model_dim=32, num_classes=10, num_heads=1, num_layers=1)
    some = torch.stack([torch.stack(pair) for pair in ReverseDataset(10, 16, 100)])  # [100, 2, T]
    loss, accuracy = reverse_loss(untrained, (some[:, 0], some[:, 1]))
    print(f"untrained: loss {loss:.3f}, accuracy {accuracy:.1%}")

# %% [markdown]
# ## 7.3 Training
#
# Fifty thousand sequences to train on, a thousand to validate (a look at unseen data now and then), ten thousand to test (once, at the
# end). The items of your dataset first go into two tables, so that a batch is one indexing operation instead of dozens of Python calls.
#
# The **recipe**: Adam, a rate of 0.025 with a warm-up of 15 steps, then your cosine, in batches of 32. That's fifty times the published
# rate (5·10⁻⁴, batches of 128, ten epochs). A model this small and a task this clean can take it, and what took minutes takes seconds: one
# on an idle laptop, several on a busy one; the cell below prints your time. The two **betas** control how long Adam remembers: the usual
# 0.9 and 0.999 average the gradient over about 10 steps and its square over about 1,000, which is more steps than this run has; with 0.7
# and 0.95 it's 3 and 20. Training stops as soon as 99.95 % of the validation tokens are right.

# %%
recipe = Recipe(
    learning_rate=2.5e-2,
    batch_size=32,
    max_steps=400,
    warmup=15,
    validate_every=10,
    target_accuracy=0.9995,
    betas=(0.7, 0.95),
)


def tables(dataset):
    """All items of a dataset as two tensors: tokens [N, T] and targets [N, T]."""
    return tuple(torch.stack(part) for part in zip(*(dataset[i] for i in range(len(dataset)))))


TENSORBOARD = False  # True writes the curves of every run below into the folder runs/


def train(model, loss_fn, run, on_validation=None, recipe=recipe):
    """Train on 50,000 sequences; returns the history, and the accuracy on 10,000 others."""
    training, validation, test = (
        tables(ReverseDataset(10, 16, size, seed)) for size, seed in ((50_000, 0), (1_000, 1), (10_000, 2))
    )
    batches = Batches(*training, batch_size=recipe.batch_size)
    own = {"step": train_step, "scheduler": CosineWarmupScheduler}
    own["log_dir"] = f"runs/{run}" if TENSORBOARD else None
    history = fit(model, loss_fn, batches, in_order(*validation), recipe, on_validation=on_validation, **own)
    return history, evaluate(model, loss_fn, in_order(*(part.to(device()) for part in test)))[1]


# %% [markdown]
# You can skip the training: this loads a model that was trained at the same rates, and every picture below works with it too.

# %%
model = load_pretrained("reverse")
made = pretrained_details("reverse")
print(f"trained before, seed {made['recipe']['seed']}: {made['test_accuracy']:.2%} of the test tokens right")

# %% tags=["picture"]
with needs_your("ReverseDataset", "reverse_loss"):
    torch.manual_seed(0)
    fresh = TransformerPredictor(input_dim=10, model_dim=32, num_classes=10, num_heads=1, num_layers=1)
    history, accuracy = train(fresh, reverse_loss, "one layer", on_validation=live_curve())
    model = fresh
    print(f"{history.step} steps, {history.seconds:.1f} s ({history.stopped}); test accuracy {accuracy:.2%}")

# %% [markdown]
# Nothing, nothing, and then all at once. For about twenty-five steps the loss stays at $\ln 10$: the model knows no more than at the start.
# Then it starts to slide, past 2.0 (section 7.6 shows what a model knows at 2.0), and thirty steps later queries and keys have found each
# other. You'll see such plateaus and jumps whenever attention has to discover a rule: a flat curve in the first minutes needn't mean that
# anything is broken.
#
# **Curves of many runs.** One run fits into a cell. To compare several, set `TENSORBOARD` above to True (you need `%pip install
# 'attention-workshop[curves]'`) and train again, here and in the sections below. Then `%load_ext tensorboard` and `%tensorboard --logdir
# runs` show all of them together, in the notebook. In your own projects it's `fit(…, log_dir="runs/first try")`.

# %% [markdown]
# ## 7.4 Where does it look?
#
# Now the question that this task was chosen for. At position $t$ the model must find the token at position $T-1-t$. If it does so the way
# we think, its attention map is an **anti-diagonal**: query 0 looks at key 15, query 1 at key 14, and so on to query 15, which looks at key
# 0.


# %% tags=["picture"]
def attention_of(model, tokens):
    """The attention maps of the model for tokens [B, T]: a list with [B, h, T, T] of every layer."""
    one_hot = F.one_hot(tokens, 10).float().to(device())  # [B, T, C]
    with torch.no_grad():
        return [table.cpu() for table in model.eval().get_attention_maps(one_hot)]


sequence = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]])  # [B, T]
torch.manual_seed(0)
untrained = TransformerPredictor(input_dim=10, model_dim=32, num_classes=10, num_heads=1, num_layers=1).to(device())
pictures.before_and_after(*(attention_of(one, sequence)[0][0, 0] for one in (untrained, model)))  # [T, T] each

# %% [markdown]
# There it is, though not quite sharp: each query also glances at the neighbours of its key. The sines and cosines of neighbouring positions
# are alike (stage 3), and a sharper peak gains nothing once the answer is right.
#
# Is the map the same for all tokens? Move through the samples. In a model with one layer the map hardly changes: here only the *positions*
# matter for queries and keys, and the tokens are just carried along as values.

# %% tags=["picture"]
from course_lib.notebook.widgets import attention_explorer

some = torch.randint(10, (5, 16), generator=torch.Generator().manual_seed(4))  # [B, T]
attention_explorer(model, F.one_hot(some, 10).float(), labels=some.tolist())

# %% [markdown]
# ## 7.5 More heads, more layers
#
# One head of one layer is enough. What do two layers of two heads do with their freedom? (They train with smaller steps: at the rate above,
# three of four seeds learn nothing, because one step of Adam disturbs two post-norm layers more than one. At 0.01, with a warm-up of 50
# steps, five of five learn it.)

# %% tags=["picture"]
with needs_your("ReverseDataset", "reverse_loss"):
    torch.manual_seed(0)
    larger = TransformerPredictor(input_dim=10, model_dim=32, num_classes=10, num_heads=2, num_layers=2)
    history, accuracy = train(larger, reverse_loss, "two layers", recipe=replace(recipe, learning_rate=0.01, warmup=50))
    maps = attention_of(larger, sequence)  # 2 × [B, h, T, T]
    pictures.four_heads([layer[0] for layer in maps], history.step, accuracy)

# %% [markdown]
# It's just as right, but harder to read. With the seed above, both heads of layer 1 reverse the sequence, and layer 0 has started to as
# well (mind its scale), for no reason you could name: once would be enough. The random initial weights decide which layer and which head
# get the job: change `manual_seed` and look again. Remember that when someone explains a large model with one beautiful attention map.

# %% [markdown]
# ## 7.6 Without positions
#
# Stage 3 claimed that attention doesn't know where anything is. Here's the test: the same model, the same recipe, the same loss, but no
# positional encoding.


# %% tags=["picture"]
class Blind(TransformerPredictor):
    """The same model, never told the positions."""

    def forward(self, x, mask=None, add_positional_encoding=True):
        return super().forward(x, mask, add_positional_encoding=False)


with needs_your("ReverseDataset", "reverse_loss"):
    torch.manual_seed(0)
    blind = Blind(input_dim=10, model_dim=32, num_classes=10, num_heads=1, num_layers=1)
    history, accuracy = train(blind, reverse_loss, "no positions")
    tokens, _ = tables(ReverseDataset(10, 16, 10_000, seed=2))  # [N, T]
    most_frequent = F.one_hot(tokens, 10).sum(1).amax(-1).float().mean() / 16
    print(f"without positions: {accuracy:.1%} right, loss {history.best.loss:.2f}")
    print(f"always naming the most frequent token of the sequence: {most_frequent:.1%}")

# %% [markdown]
# But it isn't 10 %; it's more than twice that. Where does that come from? The model still sees *which* tokens there are, and how many of
# each: a bag without order. The best it can do is to predict the most frequent one at every position, and the second line says how often
# that's right. Its loss is the 2.0 that your training slid past: a model at that point may have learned the bag, but no positions. A small
# lesson: before you call a result good, compute the score of a model that has understood nothing.

# %% [markdown]
# ## 7.7 What 100 % proves
#
# So the accuracy is 100 %, and the code must be right. Must it? The following model is wrong in at least five ways. It doesn't scale its
# scores. It has no residual, no norm and no output projection. And its softmax runs over the **queries** instead of the keys.


# %% tags=["picture"]
class Wrong(nn.Module):
    """Attention with nearly everything left out, and a softmax over the wrong axis."""

    def __init__(self):
        super().__init__()
        self.input_net = nn.Sequential(nn.Identity(), nn.Linear(10, 32))
        self.positional_encoding = PositionalEncoding(32)
        self.qkv_proj = nn.Linear(32, 96)
        self.output_net = nn.Linear(32, 10)

    def forward(self, x):
        x = self.positional_encoding(self.input_net(x))  # [B, T, d]
        q, k, v = self.qkv_proj(x).chunk(3, dim=-1)
        attention = (q @ k.transpose(-2, -1)).softmax(dim=-2)  # [B, T, T], columns sum to 1
        return self.output_net(attention @ v)


with needs_your("ReverseDataset", "reverse_loss"):
    torch.manual_seed(0)
    wrong = Wrong()
    history, accuracy = train(wrong, reverse_loss, "the wrong model")
    print(f"the wrong model: {accuracy:.2%} of the test tokens right after {history.step} steps")

# %% [markdown]
# It gets there, and in fewer steps. On this task its mistakes don't hurt: sixteen positions need no scale, one layer needs no residual, and
# an anti-diagonal sums to 1 along its columns as well as along its rows. **A solved task proves that the task is solved.** It says nothing
# about whether the model is the one you meant to build. That's why this course never judges an exercise by its accuracy, but by fixed
# numbers and by criteria on inputs where a mistake must show.

# %% [markdown]
# ## 7.8 Your own experiment: longer sequences
#
# Your model has seen only sequences of length 16. The task makes sense for any length, and nothing in the model depends on it. What will it
# do with 15, 17, 20, 32? Write down your guess first.
#
# `accuracy_at` measures it for a length. The last line is yours: more lengths, a plot, attention maps of other lengths.


# %%
def accuracy_at(model, length, size=500):
    """Share of the tokens of sequences of this length that a model reverses correctly."""
    tokens, targets = tables(ReverseDataset(10, length, size, seed=3))
    return evaluate(model, reverse_loss, [(tokens.to(device()), targets.to(device()))])[1]


with needs_your("ReverseDataset", "reverse_loss"):
    print(f"length 16: {accuracy_at(model, 16):.1%}")

# %% [markdown]
# If you are curious: what if the training sequences have different lengths? Each batch below has a random length between `low` and `high`;
# `fit` takes it instead of `Batches`. Whether one layer with one head is still enough is part of the question.


# %%
class ManyLengths:
    """Batches of 64 random sequences; the length of each batch is drawn between low and high."""

    def __init__(self, low, high):
        self.low, self.high, self.where = low, high, "cpu"

    def to(self, where):
        self.where = where
        return self

    def epoch(self, generator):
        for _ in range(100):
            length = int(torch.randint(self.low, self.high + 1, (1,), generator=generator))
            tokens = torch.randint(10, (64, length), generator=generator).to(self.where)  # [B, T]
            yield tokens, tokens.flip(-1)


# %% [markdown]
# ### Question: how far does it go? (5 points, 30 minutes)
#
# <!-- variant: other-lengths -->
# Report your experiment in six to twelve sentences: what you expected, what you did (lengths, seeds, a changed model or training if you
# like), the numbers, and an explanation. At least one sentence must explain *why* the accuracy at lengths other than 16 is what it is, with
# the attention map as evidence; and one must say what you would change, and why you think it would help. A guess that turned out wrong,
# honestly explained, is worth full marks. A person will grade this answer.
# <!-- variant: many-lengths -->
# The second experiment above: train on `ManyLengths(12, 20)` and measure the accuracy at lengths within that range and on both sides of it.
# Report in six to twelve sentences: what you expected, what you did (at least two sizes of the model; seeds and rates if you like), the
# numbers, and an explanation. At least one sentence must explain *why* the accuracy breaks off where it does, with an attention map as
# evidence; and one must say what you would change, and why you think it would help. A guess that turned out wrong, honestly explained, is
# worth full marks. A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="how_far" points=5
# BEGIN SOLUTION
# <!-- variant: other-lengths -->
# Expectation: a little worse at 17, much worse at 32. Measured on 500 sequences a length with the trained model: 16 → 100 %, 14 → 17 %, 15
# → 16 %, 17 → 15 %, 13, 18, 20, 24 and 32 → 10 %, which is chance. So it does not decline, it collapses at once, for shorter sequences just
# as for longer ones. The attention map shows why: for length 20, too, query t has its peak near key 15 − t, where for length 16 the answer
# was. The model has not learned “the opposite end”, it has learned sixteen fixed pairs of positions; in training both are the same. At
# length 20 the right key is 19 − t, four places away, so the token it reads is unrelated and right one time in ten. At 17 the right key is
# a neighbour of the peak and gets some of the weight; at 14 and 15 the peak of query 0 is beyond the end, and the nearest key that exists
# is the right one: a little above chance, both times. Positions from 16 on, moreover, were never trained as queries. What I changed:
# batches with lengths from 10 to 20. One layer of one head then stays near 30 % at all lengths: the query alone does not know T, so it
# cannot know where to look. Two layers of four heads reach 100 % at every length from 10 to 20 (1,200 steps at a rate of 5e-3): the first
# layer can find out where the sequence ends, the second looks. At 21 fewer than half are right, at 24 13 %: within the range of lengths it
# has learned a rule, but not beyond it. What should help further: positions counted from the end, or relative ones, so that a longer sequence
# brings no position that was never seen.
#
# Rubric:
#
# - 1 point: a clean measurement: lengths on both sides of 16, enough sequences
# - 1 point: the numbers, next to what was expected; an honest wrong guess counts as much as a right one
# - 1 point: the explanation: fixed pairs of positions, not “the opposite end”
# - 1 point: the attention map as evidence for it
# - 1 point: a change, with the reason why it should help
# <!-- variant: many-lengths -->
# Expectation: one layer with one head learns all lengths, and is a little worse at 21. Measured on 500 sequences of each
# length. One layer with one head (600 steps at a rate of 0.01) gets 25 to 39 % within 12 to 20. It can't do better: the query
# knows its own position but not where the sequence ends, so it can't know where to look. Two layers with four heads (1,200
# steps at 5e-3, a warm-up of 50) get 100 % at every length from 12 to 20. Outside it breaks off at once: 51 % at 11, 11 % at
# 10, 32 % at 21, 15 % at 22, 10 % at 24, which is chance. The attention maps show why. In the second layer each head draws
# the anti-diagonal at 12, 16 and 20: query 0 puts most of its weight on the last key, 11, 15 or 19. At 22 query 0 still looks
# at key 19 (0.9 of its weight), not at 21: so the first layer has learned to find the end only among the ends that occurred
# in training, and position 21 was never one. What should help: positions counted from the end, so that a longer sequence
# brings no position that was never seen; or simply more lengths in training.
#
# Rubric:
#
# - 1 point: a clean measurement: two models, lengths within the range and on both sides of it, enough sequences
# - 1 point: the numbers, next to what was expected; an honest wrong guess counts as much as a right one
# - 1 point: the explanation: the model must find the end of the sequence, which takes a second layer, and finds only ends
#   that it has seen
# - 1 point: an attention map as evidence for it
# - 1 point: a change, with the reason why it should help
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have your own trained Transformer, a look inside its head, and a healthy distrust of the number 100. In [stage 8](08_anomaly.ipynb)
# the order of the inputs means nothing at all, and your model must find the one that doesn't belong.
