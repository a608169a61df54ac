# ---
# jupyter:
#   course:
#     points: 19
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 6 · Training: the first steps decide
#
# A Transformer is no longer hard to train, but it's easy to train badly. Most of what goes wrong goes wrong in the first hundred steps, and
# most of the cure is three lines long: start slowly, end slowly, and never take too long a step. In this stage you write those lines, then
# the model that the next two stages train, and you take one training step apart until nothing in it is magic.
#
# | exercise | what it is | points |
# |---|---|---|
# | `CosineWarmupScheduler` | the learning rate, up and then down | 4 |
# | `TransformerPredictor` | the encoder between two small networks | 6 |
# | `train_step` | forward, backward, clip, step | 6 |
# | a question in words | why go slowly at first? | 3 |
#
# It builds on the encoder of stage 4 in `course_lib`, so you can start here without having done anything else. Plan for an evening.

# %% locked=true
import copy
import math

import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import EncoderBlock, LayerNorm, PositionalEncoding, TransformerEncoder, needs_your
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import training as pictures

generator = torch.manual_seed(0)  # the same random weights each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("CosineWarmupScheduler", "TransformerPredictor", "train_step")

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 6.1 How long may a step be?
#
# **The question.** Gradient descent needs a learning rate. If it's too small, nothing happens; if it's too large, the loss explodes. Is
# there one right rate for a whole training run?
#
# Most Transformers are trained by **Adam** (Kingma and Ba, 2015). For each weight it keeps a running mean $m$ of the gradient and another,
# $v$, of its square, both corrected for starting at 0, and steps by $\text{rate} \cdot m/\sqrt v$. So the *size* of the gradient cancels;
# what remains is how consistent its sign is. Here are three weights whose gradients differ by a factor of 10,000 and are mostly noise:

# %% tags=["picture"]
noise = torch.randn(60, generator=generator) + 0.3  # [steps]: a small drift in much noise
gradients, steps = {size: size * noise for size in (100.0, 1.0, 0.01)}, {}
for size, row in gradients.items():
    weight = nn.Parameter(torch.zeros(()))
    optimizer, steps[size] = torch.optim.Adam([weight], lr=0.01), []
    for gradient in row:
        before, weight.grad = weight.item(), gradient
        optimizer.step()
        steps[size].append(abs(weight.item() - before))
pictures.adam_steps(gradients, steps, rate=0.01)

# %% [markdown]
# The first step is as long as the whole rate, for *every* weight: after a single gradient, $m/\sqrt v$ is ±1. Later the noise cancels in
# $m$ but not in $v$, and the steps are a fraction of the rate. So with a fixed rate the steps are longest while the weights are still
# random and the averages cover only three or four gradients. In the middle of a run you have a long way to go in much the same direction;
# at the end you circle around a minimum and want to settle. So the rate changes over time: a **warm-up** from zero, then a **decay** along
# half a cosine:
#
# $$\text{factor}(t) = \tfrac12\Big(1 + \cos\frac{\pi t}{T}\Big) \cdot \min\Big(1, \frac{t}{w}\Big)$$
#
# with $T$ = `max_iters` and $w$ = `warmup`, counted in **iterations**: steps of the optimiser, not epochs. (The 2017 paper warms up for
# 4,000 steps and then decays like $1/\sqrt t$, section 5.3. That decay never reaches zero, so you needn't know the length of the run
# beforehand; the cosine, from Loshchilov and Hutter, 2017, does reach zero, so you must.)

# %% [markdown]
# ### Exercise: `CosineWarmupScheduler` (4 points, 20 minutes)
#
# **What.** Write `get_lr`: it returns the rate of every parameter group at the current iteration.
# PyTorch's `CosineAnnealingLR` and `OneCycleLR` aren't allowed here.
#
# **Shapes.** → a list of floats, one for each group of the optimiser.
#
# **Must hold.** Each group keeps its own base rate. With a warm-up, the rate at t = 0 is 0. At t = `max_iters` it's 0 again.
# Without a warm-up (`warmup` 0) the rate doesn't climb; at t = 0 it may then be 0 or the base rate.
# <!-- Broken by: one rate for all groups; the climb begins at 1 / warmup; a lowest rate | starts again at max_iters;
# divided by a warm-up of 0 | climbs without a warm-up -->
#
# **Used for.** `train_step`, below, and both tasks.
#
# <details><summary>Hint 1: where is t?</summary>PyTorch counts the calls of <code>step()</code> in <code>self.last_epoch</code>, despite
# its name.</details>
# <details><summary>Hint 2: base rates</summary><code>self.base_lrs</code> contains one for each group.</details>
# <details><summary>Hint 3: the two factors</summary>The cosine runs from the first iteration; the warm-up only multiplies it while t ≤
# warmup.</details>

# %% exercise="CosineWarmupScheduler"
from course_lib.training.schedule import CosineWarmupScheduler

# %%
check("CosineWarmupScheduler", CosineWarmupScheduler)

# %% [markdown]
# Two runs each have a warm-up of 100 steps. One has 200 steps in total, the other 2,000.


# %% tags=["picture"]
@guess_first(
    "What share of the base rate does each of the two reach at its highest?",
    [
        "both all of it",
        "the short one about half, the long one nearly all",
        "the short one all of it, the long one a tenth",
    ],
    needs=["CosineWarmupScheduler"],
)
def two_runs():
    from course_lib.notebook.widgets import schedule_explorer

    explorer = schedule_explorer(CosineWarmupScheduler)
    explorer.controls["warmup"].value, explorer.controls["max_iters"].value = 100, 200
    explorer.show()


# %% [markdown]
# The cosine falls from the first step on. In the short run it has taken away half of the rate by the end of the warm-up (the peak is 52 %,
# a little earlier); in the long run hardly anything: 99 % remain. Move the slider to 2,000 and see.

# %% [markdown]
# ## 6.2 What happens without a warm-up
#
# Here's an experiment. Four post-norm blocks (stage 4: the kind that one step of Adam disturbs most) learn to reverse eight digits at a
# rate of 0.01. That's high but not absurd: in stage 7 a single layer trains well with more than twice as much. Two seeds train at the full
# rate from the second step on (a warm-up of 1), then the same two with a warm-up of 50 steps.

# %% tags=["picture"]
with needs_your("CosineWarmupScheduler"):
    losses, threads = {}, torch.get_num_threads()
    torch.set_num_threads(1)
    for warmup, seed in ((1, 0), (1, 1), (50, 0), (50, 1)):
        torch.manual_seed(seed)
        blocks = [EncoderBlock(32, 2, 64) for _ in range(4)]
        reverser = nn.Sequential(nn.Linear(10, 32), PositionalEncoding(32), *blocks, nn.Linear(32, 10))
        optimizer = torch.optim.Adam(reverser.parameters(), lr=0.01)
        scheduler, losses[warmup, seed] = CosineWarmupScheduler(optimizer, warmup, 400), []
        for _ in range(120):
            digits = torch.randint(10, (32, 8))  # [B, T]
            logits = reverser(F.one_hot(digits, 10).float())  # [B, T, 10]
            loss = F.cross_entropy(logits.flatten(0, 1), digits.flip(1).flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses[warmup, seed].append(loss.item())
    torch.set_num_threads(threads)
    pictures.with_and_without_warmup(losses)

# %% [markdown]
# The dashed runs weren't unlucky: of eight seeds, all eight without a warm-up end at chance, and all eight with one end near zero. In its
# second step, the first at full rate, Adam moves a weight by three quarters of the rate on average; by the twentieth step of the solid
# runs, the average move is a seventh of the rate at that point. Together, those few long steps drive the blocks into a state in which
# hardly any gradient reaches the first of them (in the end about three thousand times less than at the start), and nothing brings them
# back. Fifty careful steps prevent that. (Pre-norm models need less warm-up: stage 4 showed why.) There is another explanation, and another
# fix: Liu et al. (2020, *On the variance of the adaptive learning rate and beyond*) blame the variance of $1/\sqrt v$ in the first steps
# and build the correction into the optimiser. With `torch.optim.RAdam` instead of Adam and a warm-up of 1, five of five seeds were near
# zero after 200 steps. So were five of five with the schedule of the Transformer paper: 50 steps up, then $1/\sqrt t$.

# %% [markdown]
# ## 6.3 The model for the tasks
#
# The next two tasks both need one answer per token: which digit belongs here if the sequence is reversed, and how odd is this image? One
# model serves both, an encoder between two small networks:
#
# ```
# x ── input_net ── + positions ── transformer ── output_net ── one row of logits per token
#      Dropout        (optional)    N blocks       Linear, LayerNorm, ReLU, Dropout, Linear
#      Linear
# ```
#
# The positions are optional, because a *set* has no first element. The names of the parts are a contract: with them, published checkpoints
# of the same model load unchanged.

# %% [markdown]
# ### Exercise: `TransformerPredictor` (6 points, 30 minutes)
#
# **What.** Build the parts: `input_net` (Dropout, Linear), `positional_encoding`, `transformer` (feed-forward 2·model_dim wide),
# `output_net` (Linear, LayerNorm, ReLU, Dropout, Linear). Then `forward` and `get_attention_maps`.
# PyTorch's `nn.TransformerEncoder` and its layers aren't allowed here.
#
# **Shapes.** `x` [B, T, input_dim] → [B, T, num_classes]; the maps are a list of [B, h, T, T].
#
# **Must hold.** With `add_positional_encoding=False` no positions are added. The mask reaches every layer, including in the maps. The state
# dict contains only the weights. `hyper_parameters` contains every argument.
# <!-- Broken by: positions always added in forward; mask dropped | mask dropped in the maps; positions saved;
# arguments not kept -->
#
# **Used for.** Stages 7 and 8 train it.
#
# <details><summary>Hint 1: positions are names</summary>In an <code>nn.Sequential</code> the Linear after the Dropout is number 1. If you
# leave out the Dropout, the Linear becomes number 0 and no checkpoint fits.</details>
# <details><summary>Hint 2: the common part</summary><code>forward</code> and <code>get_attention_maps</code> do the same up to the
# transformer.</details>

# %% exercise="TransformerPredictor"
from course_lib.model.predictor import TransformerPredictor

# %%
check("TransformerPredictor", TransformerPredictor)

# %%
with needs_your("TransformerPredictor"):
    model = TransformerPredictor(input_dim=10, model_dim=32, num_classes=10, num_heads=1, num_layers=1)
    print(f"{sum(weights.numel() for weights in model.parameters()):,} weights, for the reverse task")
    for name, weights in model.state_dict().items():
        print(f"{name:50}{list(weights.shape)}")

# %% [markdown]
# ## 6.4 Clipping: no step too long
#
# Once in a while a batch produces a gradient a hundred times as long as usual, because of a bad line in the data or a division by a tiny
# number. What can one such step do, after a thousand good ones? Train a small model until it reverses every sequence, then give it one
# batch with random targets and a hundredfold weight.


# %% tags=["picture"]
@guess_first(
    "Before the bad batch every digit is right. How many are, ten ordinary steps after it?",
    ["all of them", "nine in ten", "about half", "one in ten: chance"],
)
def bad_batch():
    torch.manual_seed(0)
    reverser = nn.Sequential(nn.Linear(10, 32), PositionalEncoding(32), EncoderBlock(32, 1, 64), nn.Linear(32, 10))
    optimizer = torch.optim.Adam(reverser.parameters(), lr=0.005)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)

    def reverse_step(weight=1.0, limit=math.inf, spoiled=False):
        """One step on 64 sequences, with the gradient clipped to a length of `limit`; the share of digits that were right."""
        digits = torch.randint(10, (64, 8))  # [B, T]
        targets = torch.randint(10, (64, 8)) if spoiled else digits.flip(1)  # [B, T]
        logits = reverser(F.one_hot(digits, 10).float())  # [B, T, 10]
        optimizer.zero_grad()
        (weight * F.cross_entropy(logits.flatten(0, 1), targets.flatten())).backward()
        nn.utils.clip_grad_norm_(reverser.parameters(), limit)
        optimizer.step()
        return (logits.argmax(-1) == digits.flip(1)).float().mean().item()

    for _ in range(400):
        reverse_step()
    trained = copy.deepcopy((reverser.state_dict(), optimizer.state_dict()))
    shares = {}
    for name, limit in (("not clipped", math.inf), ("clipped to a length of 1", 1.0)):
        reverser.load_state_dict(trained[0]), optimizer.load_state_dict(copy.deepcopy(trained[1]))
        shares[name] = [reverse_step(limit=limit) for _ in range(5)]
        shares[name].append(reverse_step(weight=100, limit=limit, spoiled=True))
        shares[name] += [reverse_step(limit=limit) for _ in range(40)]
    torch.set_num_threads(threads)
    pictures.bad_batch(shares)


# %% [markdown]
# The damage goes beyond that one step: Adam's running mean carries the bad gradient through the next ten. (With five seeds, ten steps later
# 28 to 64 % of the digits were right without clipping, and all of them with it.)
#
# Clipping by norm treats the gradient of *all* parameters as one long vector and shortens it if necessary, without changing its direction
# (Pascanu et al., 2013). Clipping every number separately would change the direction. Here's a picture with two weights:

# %% tags=["picture"]
gradient, limit = torch.tensor([4.0, 1.0]), 2.0
by_norm = gradient * min(1.0, limit / gradient.norm().item())
by_value = gradient.clamp(-limit, limit)
pictures.clipped(gradient, by_norm, by_value, limit)

# %% [markdown]
# ## 6.5 One step
#
# Now you have all the parts. One training step is six lines, and every one of them has been forgotten by someone:
#
# | forgotten | what happens |
# |---|---|
# | empty the gradients | every step drags along all the earlier ones |
# | backward | nothing moves |
# | clip | nothing, until one day it does |
# | step of the optimiser | nothing moves |
# | step of the schedule | with a warm-up, the rate stays at 0: nothing moves |
# | detach what you keep | memory fills up with graphs |

# %% [markdown]
# ### Exercise: `train_step` (6 points, 15 minutes)
#
# **What.** Take one step on one batch; return the loss and accuracy from before the step, detached.
#
# **Shapes.** `loss_fn(model, batch)` → (loss, accuracy), two tensors without dimensions; return the same two.
#
# **Must hold.** The loss function is called once in every call. The schedule steps once in every call, whatever the loss is. The clipping
# is by the norm of all gradients together, after backward and before the step.
# <!-- Broken by: accuracy of a second pass | mean of two passes; schedule steps twice | no schedule step for a loss of NaN;
# clipped one by one -->
#
# **Used for.** The loops of stages 7 and 8 do this several hundred times.
#
# <details><summary>Hint 1: the order</summary><code>zero_grad</code>, loss, <code>backward</code>,
# <code>nn.utils.clip_grad_norm_</code>,
# <code>optimizer.step</code>, <code>scheduler.step</code>.</details>
# <details><summary>Hint 2: what is returned</summary>A loss that is still attached to its graph keeps the whole graph in memory:
# detach what you return.</details>

# %% exercise="train_step"
from course_lib.training.step import train_step

# %%
check("train_step", train_step)

# %% [markdown]
# ## 6.6 By hand, once
#
# What does the optimiser do with a gradient? For plain gradient descent it's one subtraction, and you can do it yourself. Here are two
# weights and one step, at a rate of 0.1, clipped to length 1:

# %%
with needs_your("train_step"):
    weight = nn.Parameter(torch.tensor([3.0, -4.0]))
    line = nn.ParameterList([weight])
    optimizer = torch.optim.SGD(line.parameters(), lr=0.1)
    constant = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=1.0)
    gradient = weight.detach() * 2  # of the loss w₁² + w₂²: (6, -8), of length 10
    by_hand = weight.detach() - 0.1 * gradient / 10  # clipped to length 1: (0.6, -0.8)
    train_step(
        line, None, lambda model, batch: ((weight**2).sum(), torch.tensor(0.0)), optimizer, constant, max_norm=1.0
    )
    print("by hand      ", [round(w, 6) for w in by_hand.tolist()])
    print("by train_step", [round(w, 6) for w in weight.tolist()])

# %% [markdown]
# **And all together:** your predictor, your schedule and your step on a task that doesn't really need a Transformer. Each token must decide
# whether it's larger than the mean of its sequence, which it can only do by looking at the others.


# %%
def above_the_mean(model, batch):
    """Loss and accuracy on batch [B, T, 1]: is each number larger than the mean of its row?"""
    labels = (batch > batch.mean(dim=1, keepdim=True)).long()[..., 0]  # [B, T]
    logits = model(batch, add_positional_encoding=False)  # [B, T, 2]
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten()), (logits.argmax(-1) == labels).float().mean()


# %% tags=["picture"]
with needs_your("CosineWarmupScheduler", "TransformerPredictor", "train_step"):
    torch.manual_seed(0)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    model = TransformerPredictor(input_dim=1, model_dim=32, num_classes=2, num_heads=2, num_layers=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    scheduler = CosineWarmupScheduler(optimizer, warmup=30, max_iters=300)

    history = [
        train_step(model, torch.rand(64, 9, 1) + 3 * torch.rand(64, 1, 1), above_the_mean, optimizer, scheduler, 1.0)
        for _ in range(300)
    ]
    torch.set_num_threads(threads)
    pictures.above_or_below([accuracy.item() for _, accuracy in history])

# %% [markdown]
# ## 6.7 Find the mistakes
#
# While a model trains, you check it on data that it doesn't learn from. Here's a loop for that, written late at night. It runs, and its
# numbers look plausible. Three things are wrong with it; the last line shows the loop that stages 7 and 8 use. Fix it until all lines agree
# and the model ends in the mode it started in.


# %% tags=["picture"]
def validate(model, loss_fn, batches):
    """Mean loss and mean accuracy over all rows of the batches."""
    losses, accuracies = [], []
    for batch in batches:
        loss, accuracy = loss_fn(model, batch)
        losses.append(loss)
        accuracies.append(accuracy)
    return sum(losses) / len(losses), sum(accuracies) / len(accuracies)


with needs_your("TransformerPredictor"):
    from course_lib.training.loop import evaluate

    torch.manual_seed(0)
    model = TransformerPredictor(
        input_dim=1, model_dim=32, num_classes=2, num_heads=2, num_layers=1, dropout=0.2
    ).train()
    batches = [torch.rand(rows, 9, 1) for rows in (64, 64, 5)]  # [B, T, 1] each
    for name, loop in (("yours", validate), ("yours again", validate), ("the course's", evaluate)):
        loss, accuracy = (torch.as_tensor(number).item() for number in loop(model, above_the_mean, batches))
        print(
            f"{name:>13}: loss {loss:.4f}, accuracy {accuracy:.4f}; the model is in {'train' if model.training else 'eval'} mode"
        )

# %% [markdown]
# <details><summary>Hint 1</summary>The same model, the same batches: why do the first two lines differ, and which module does that?</details>
# <details><summary>Hint 2</summary>What does every loss in the list keep in memory?</details>
# <details><summary>Hint 3</summary>How much do the five rows of the last batch count, and how much should they?</details>
# <details><summary>The three</summary>Dropout is on: call <code>model.eval()</code> first, and restore the mode afterwards. Every loss
# keeps its graph, and with it all activations: use <code>torch.no_grad()</code>. The mean of the means gives the five rows of the last
# batch as much weight as the sixty-four of another: weight by rows.</details>
#
# ## 6.8 In your own words
#
# ### Question: why go slowly at first? (3 points, 10 minutes)
#
# <!-- variant: long-steps -->
# Adam divides every gradient by a running estimate of its size, so its steps have about the length of the learning rate, however large the
# gradients are. Why, then, does a warm-up help it at all? Use what you know of Adam's averages in the first steps, and of post-norm (stage
# 4). Write three to six sentences. A person will grade this answer.
# <!-- variant: clipped-steps -->
# A colleague trains a post-norm model with Adam, without a warm-up, and it stays at guessing. “The first gradients must be too large,” she
# says, and clips them to length 1. Nothing changes. Why doesn't clipping help here, what *is* wrong with the first steps, and what does a
# warm-up do about it? Use what you know of Adam's averages in the first steps, and of post-norm (stage 4). Write three to six sentences. A
# person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="why_warm_up" points=3
# BEGIN SOLUTION
# <!-- variant: long-steps -->
# In the first steps Adam's estimate of the second moment comes from one or a few noisy gradients. Divided by it, every
# coordinate moves by nearly the full learning rate, in a direction that is mostly noise: the steps are longer than later ones, in which
# noise cancels, and less well informed. At the same time a freshly initialised post-norm network sends its largest gradients to its last
# layers, and what is learned below changes what they see at every step. Many long steps in poor directions can saturate softmaxes and kill
# ReLUs, and then the gradients are too small to undo the damage. With a warm-up the steps stay short while the estimates are poor, and grow
# once they average over enough batches.
#
# Rubric:
#
# - 1 point: Adam's estimate of the size rests on one or few noisy gradients at first
# - 1 point: so the first steps have the full length and a direction that is mostly noise
# - 1 point: what long steps in poor directions do to a fresh post-norm network: large gradients in the last layers, saturated softmaxes or
#   dead ReLUs, and no recovery
# <!-- variant: clipped-steps -->
# Adam divides every gradient by a running estimate of its size, so the length of the gradient cancels: clipped or not, the
# first step moves every weight by the whole rate. (Clipping helps against a single outlier later in the run, when the
# averages remember a normal size.) What is wrong is that at first these averages come from one or a few noisy gradients. The
# steps then have nearly the full length of the rate and a direction that is mostly noise, whereas later the noise cancels and
# the steps get shorter. A freshly initialised post-norm network sends its largest gradients to its last layers; a few long
# steps in poor directions can saturate its softmaxes and kill its ReLUs, and then the gradients are too small to undo the
# damage. A warm-up keeps the steps short while the averages are poor.
#
# Rubric:
#
# - 1 point: the length of a step doesn't depend on the length of the gradient, because Adam divides by its size; so clipping
#   doesn't shorten the first steps
# - 1 point: at first the averages rest on one or few noisy gradients: steps of the full length, in a direction that is mostly
#   noise
# - 1 point: what such steps do to a fresh post-norm network (large gradients in the last layers, saturated softmaxes or dead
#   ReLUs, no recovery), and that a warm-up keeps them short until the averages are better
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have a model, a schedule and a step that you can trust. In [stage 7](07_reverse.ipynb) they learn to reverse a sequence in a few
# seconds.
