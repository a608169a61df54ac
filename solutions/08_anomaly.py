# ---
# jupyter:
#   course:
#     points: 22
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 8 · Anomaly: which one does not belong?
#
# Nine sevens and a two lie on a table. A child who has never heard of numbers points at the two, because *odd* isn't a property of an
# image. A two among threes is odd; the same two among twos isn't. To see it, you must compare each image with all the others, and where
# they lie on the table doesn't matter.
#
# Comparing everything with everything is what attention does, and without a positional encoding it doesn't know any order. So a Transformer
# isn't only a model of sequences; it's a model of **sets**. In this stage yours learns to find the odd one in a set of ten.
#
# | exercise | what it is | points |
# |---|---|---|
# | `split_per_class` | training, validation and test images | 3 |
# | `sample_anomaly_sets` | sets with an odd one, at a random place | 8 |
# | `anomaly_loss` | a softmax over the images of a set | 5 |
# | `equivariance_error` | does the order matter? A number | 3 |
# | a question in words | which symmetry does a task have? | 3 |
#
# It builds on the model of stage 6 in `course_lib`, so you can start here without having done anything else. Plan for two hours.

# %% locked=true
import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import CosineWarmupScheduler, TransformerPredictor, device, needs_your, train_step
from course_lib.notebook.live_curve import live_curve
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import anomaly as pictures
from course_lib.tasks import load_pretrained, pretrained_details
from course_lib.training import Recipe, evaluate, fit, in_order

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("TransformerPredictor")

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 8.1 The images, and a fair split
#
# The data need no download: scikit-learn ships 1,797 handwritten digits (Alpaydin and Kaynak, 1998), each a square of 8×8 grey values. The
# features are these 64 grey values, scaled to 0 … 1. The published version of this task uses 100 classes of photographs; section 8.8 says
# how to get there.

# %% tags=["picture"]
from sklearn.datasets import load_digits

pixels, digits = load_digits(return_X_y=True)
features = torch.from_numpy(pixels).float() / 16  # [N, D], 0 = paper, 1 = ink
labels = torch.from_numpy(digits).long()  # [N]
order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0))  # the file goes writer by writer
features, labels = features[order], labels[order]

pictures.three_of_each(features, labels)

# %% [markdown]
# **The question.** Which images may the model see? If the same two is in both the training and the test sets, the test measures how well
# the model remembers. So split the images *before* you make any sets. And the split should be **stratified**: if by chance only three nines
# were left for the test, it would say little about nines.

# %% [markdown]
# ### Exercise: `split_per_class` (3 points, 10 minutes)
#
# **What.** Pick `per_class` images of every class; the others are the rest. Which ones you pick is up to you.
#
# **Shapes.** `labels` [N], integers → two index tensors, int64: `picked` [number of classes · per_class] and `rest`.
#
# **Must hold.** `picked` has exactly per_class images of every class. Every image is in one of the two, and none is in both. Both
# are int64, even if nothing is left for `rest`. The classes may be any whole numbers, even negative ones, in any order. Impossible
# requests raise an error: those lines are given.
# <!-- Broken by: class 0 left out; the last image named as the one before it; floats if nothing is left; classes
# counted from zero; nothing refused; an error without its numbers -->
#
# **Used for.** Twice below: once for the test images, and once, on the rest, for the validation images.
#
# <details><summary>Hint 1: one class</summary><code>torch.where(labels == one_class)[0]</code> returns the indices of its images.</details>
# <details><summary>Hint 2: the rest</summary>A boolean mask [N] that is True where an image was picked. The rest is where it is False.
# </details>
# <details><summary>Hint 3: all classes</summary>Take the first <code>per_class</code> indices of every class, and join them with
# <code>torch.cat</code>.</details>

# %% exercise="split_per_class"
from course_lib.tasks.anomaly import split_per_class

# %%
check("split_per_class", split_per_class)


# %% tags=["picture"]
def split():
    """Indices of the training, validation and test images."""
    test, rest = split_per_class(labels, per_class=35)
    validation, training = split_per_class(labels[rest], per_class=20)
    return rest[training], rest[validation], test


with needs_your("split_per_class"):
    for name, index in zip(("training", "validation", "test"), split()):
        print(f"{name:>10}: {len(index):>5} images, of each class {labels[index].bincount().tolist()}")

# %% [markdown]
# ## 8.2 A set with an odd one
#
# From 1,247 images you can make more sets than you could ever count, so we don't store any. Each time an image comes up, we draw nine new
# companions that match each other but not it:
#
# 1. another class, at random;
# 2. nine different images of that class, at random;
# 3. **a random place** for the odd one among the ten.
#
# The third step looks like a detail, but it's the whole task. If the odd one always came last, a model could answer “the last one” without
# looking at a single pixel. Section 8.7 builds such a model. So what you write here decides whether everything that follows means anything.

# %% [markdown]
# ### Exercise: `sample_anomaly_sets` (8 points, 40 minutes)
#
# **What.** For every image in `anomaly_index`, draw a set of `set_size` images in which it is the only one of its class.
#
# **Shapes.** `features` [N, D], `labels` [N], `anomaly_index` [B] → `sets` [B, set_size, D], `target` [B] (int64, the place of the odd
# one), `indices` [B, set_size] (which image is where).
#
# **Must hold.** `sets` is `features[indices]`. The others are *different* images of *one other* class. All places are equally likely; every
# other class and every image has its chance. All randomness comes from `generator`: the same generator state gives the same sets. Two
# classes are enough, and so is a class with exactly set_size − 1 images. The classes may be any whole numbers. You may draw in any order
# and way, but the places in a small batch, even of a single set, must be as random as in a large one.
# <!-- Broken by: sets in another order than indices; others of many classes | an image may come twice; the odd one
# always last | always the next class; generator not used; needs one image more than it uses; classes counted from
# zero; places of a permutation | places in turn; nothing refused -->
#
# **Used for.** Every batch of the training, and the fixed sets for validation and test.
#
# <details><summary>Hint 1: a loop is fine</summary>Set by set: another class, <code>torch.randperm(n, generator=generator)[:set_size -
# 1]</code>
# of its n images, a place from <code>torch.randint</code>. That's slower than a version without a loop, but just as right.</details>
# <details><summary>Hint 2: another class</summary>Number the classes 0 … C − 1 and arrange them in a circle. A step of 1 … C − 1 from the
# odd one's class always ends at a different class, and all are equally likely.</details>
# <details><summary>Hint 3: without a loop</summary>A random key for every member of the class, then the set_size − 1 smallest keys:
# <code>topk</code>, which gives the largest k of a row and their places. Classes have different sizes: give non-members a key above all
# others.</details>
# <details><summary>Hint 4: the place</summary>Put the odd one first, then rotate every row by its target: place s gets what was at (s −
# target) % set_size. <code>x.gather(1, places)</code> takes from each row the entries at that row's places.</details>

# %% exercise="sample_anomaly_sets"
from course_lib.tasks.anomaly import sample_anomaly_sets

# %%
check("sample_anomaly_sets", sample_anomaly_sets)

# %% [markdown]
# Here are four of your sets. Can you find the odd ones?


# %% tags=["picture"]
def draw_sets(framed):
    """Four sets; the odd one of each is framed, or not."""
    generator = torch.Generator().manual_seed(11)
    odd = torch.randint(len(labels), (4,), generator=generator)  # [B]
    sets, target, _ = sample_anomaly_sets(features, labels, odd, 10, generator)
    pictures.sets_of_ten(sets, target, framed)


with needs_your("sample_anomaly_sets"):
    draw_sets(framed=False)


# %% tags=["picture"]
@guess_first("In how many of the four sets did you find the odd one?", [0, 1, 2, 3, 4], needs=["sample_anomaly_sets"])
def where_they_stand():
    draw_sets(framed=True)


# %% [markdown]
# And is its place really random? Here's how often the odd one was at each place, in a thousand sets. (In a fair draw nineteen in twenty
# bars end between the dashed lines. So in four draws out of ten at least one of the ten bars crosses a line, and nothing is wrong.)

# %% tags=["picture"]
with needs_your("sample_anomaly_sets"):
    generator = torch.Generator().manual_seed(3)
    odd = torch.randint(len(labels), (1000,), generator=generator)
    _, target, _ = sample_anomaly_sets(features, labels, odd, 10, generator)
    pictures.places(target.bincount(minlength=10))

# %% [markdown]
# ## 8.3 A softmax over the set
#
# **The question.** What should the model output? It returns one number for each image, a logit: how odd is this one? Exactly one of the ten
# is odd, so the ten **compete**. That is a classification in which the *places* are the classes, and the probability that the odd one is at
# place $s$ is a softmax over the set:
#
# $$p_s = \frac{e^{z_s}}{\sum_{r=1}^{S} e^{z_r}}, \qquad \text{loss} = -\frac1B \sum_b \log p_{b,\,\text{target}_b}$$
#
# There are two traps. The model's logits are [B, S, **1**]. A softmax over the last axis has a single competitor and is always 1: the loss
# is exactly 0 from the first step on, which looks like success for a moment. And the model adds a positional encoding unless you tell it
# not to.

# %% [markdown]
# ### Exercise: `anomaly_loss` (5 points, 15 minutes)
#
# **What.** Run the model on the sets, without positions; return the cross-entropy over the images of each set, and the share of the sets
# whose odd one has the largest logit.
#
# **Shapes.** `batch` is `(sets [B, S, D], target [B])`; the model gives [B, S, 1]. Both results are single numbers: the loss is a tensor,
# the accuracy may be a tensor or a plain number.
#
# **Must hold.** The loss does not change when the images of a set change places and the targets with them. The loss is finite and not
# capped, however sure the model is. Gradients reach the model; its mode stays as it was. A batch may hold a single set.
# <!-- Broken by: positional encoding left on; a floor of 1e-9 added; cut from the graph | model switched to eval;
# every axis of size 1 squeezed -->
#
# **Used for.** The training below.
#
# <details><summary>Hint 1: no positions</summary><code>model(sets, add_positional_encoding=False)</code>.</details>
# <details><summary>Hint 2: the last axis</summary><code>squeeze(-1)</code> removes it: logits [B, S], and
# <code>F.cross_entropy(logits, target)</code> does the rest.</details>

# %% exercise="anomaly_loss"
from course_lib.tasks.anomaly import anomaly_loss

# %%
check("anomaly_loss", anomaly_loss)

# %% [markdown]
# **No order: what does that mean for a function?** Shuffle the images of a set. The odd one is now somewhere else, so the logits should
# *not* stay the same: they should be shuffled in the same way. With a permutation $\pi$ of the places:
#
# $$f(x_{\pi(1)}, \dots, x_{\pi(S)}) = \big(f(x)_{\pi(1)}, \dots, f(x)_{\pi(S)}\big)$$
#
# Whether you permute first and then run the model, or run the model first and then permute, you get the same numbers. Such a function is
# called **equivariant** under permutations. (One that gives the *same* output for every order, such as the largest pixel of all ten images,
# is **invariant**.) Everything in your encoder is equivariant. A linear map, a norm and a feed-forward see each image separately; attention
# takes a weighted sum over all of them, and a sum doesn't depend on the order. Only the positional encoding breaks it. Lee et al., 2019,
# *Set Transformer*, section 3.1, have the proof; you'll now take the measurement.

# %% [markdown]
# ### Exercise: `equivariance_error` (3 points, 10 minutes)
#
# **What.** Compute both ways, and return the largest difference between any two corresponding logits.
#
# **Shapes.** `sets` [B, S, D], `permutation` [S] → a Python float.
#
# **Must hold.** About 1e-6 or less (rounding) for a model of sets; tenths or more for one that sees places. The model is called without
# positions.
# <!-- Broken by: mean change; positional encoding left on -->
#
# **Used for.** The next cell, and whenever someone tells you that a model ignores the order.
#
# <details><summary>Hint 1: which axis</summary>The images are axis 1: <code>sets[:, permutation]</code>.</details>
# <details><summary>Hint 2: a number</summary><code>.abs().max().item()</code>, and <code>torch.no_grad()</code> around it all.</details>

# %% exercise="equivariance_error"
from course_lib.tasks.anomaly import equivariance_error

# %%
check("equivariance_error", equivariance_error)

# %% [markdown]
# A model that looks at each image separately would pass this test with 0 and never find an odd one. So measure a second thing: does
# *another* image reach the logit of this one? Below, image 9 of each set is replaced in an untrained model, and we look at the logits of
# the other nine. If they move by far more than rounding error, the change has reached them.


# %%
class SeesPlaces(TransformerPredictor):
    """The same model, but it adds its positions even when it is asked not to."""

    def forward(self, x, mask=None, add_positional_encoding=True):
        return super().forward(x, mask, add_positional_encoding=True)


# %% tags=["picture"]
with needs_your("equivariance_error"):
    shape = dict(input_dim=64, model_dim=64, num_classes=1, num_heads=4, num_layers=2)
    torch.manual_seed(0)
    untrained = TransformerPredictor(**shape).eval()
    torch.manual_seed(0)
    with_places = SeesPlaces(**shape).eval()  # the same weights
    some = features[:50].view(5, 10, 64)  # [B, S, D]
    permutation = torch.randperm(10)
    print(f"without positions: {equivariance_error(untrained, some, permutation):.1e}")
    print(f"   with positions: {equivariance_error(with_places, some, permutation):.1e}")
    changed = some.clone()
    changed[:, 9] = features[50:55]
    with torch.no_grad():
        moved = untrained(changed, add_positional_encoding=False) - untrained(some, add_positional_encoding=False)
    print(f"another image changed, the logits of the other nine move by up to {moved[:, :9].abs().max():.1e}")

# %% [markdown]
# ## 8.4 Training
#
# Two layers of width 64 with four heads, dropout of 0.1, 600 steps of 64 sets. In every epoch nearly every training image is the odd one
# once (the last, incomplete batch is dropped), with newly drawn companions. The validation sets are fixed: each of their images is the odd
# one five times.


# %%
def fixed_sets(index, times, seed):
    """Sets of these images, in which each is the odd one `times` times, in random order; the same on every call."""
    generator = torch.Generator().manual_seed(seed)
    odd = torch.randperm(len(index) * times, generator=generator) % len(index)
    return sample_anomaly_sets(features[index], labels[index], odd, 10, generator)


class FreshSets:
    """Batches of 64 sets, newly drawn in every epoch."""

    def __init__(self, index):
        self.features, self.labels, self.where = features[index], labels[index], "cpu"

    def to(self, where):
        self.where = where
        return self

    def epoch(self, generator):
        for odd in torch.randperm(len(self.labels), generator=generator).split(64)[:-1]:
            sets, target, _ = sample_anomaly_sets(self.features, self.labels, odd, 10, generator)
            yield sets.to(self.where), target.to(self.where)


recipe = Recipe(learning_rate=5e-3, batch_size=64, max_steps=600, warmup=50, max_norm=2.0, validate_every=50)

# %% [markdown]
# You can skip the training (five to ten seconds on an idle laptop, more on a busy one): this loads a model that was trained with the same
# recipe, and every picture below works with it too. It was trained on the course's own split, so it may have seen some of *your* test
# images.

# %%
model = load_pretrained("digits")
made = pretrained_details("digits")
print(
    f"trained before, seed {made['recipe']['seed']}: the odd one found in {made['test_accuracy']:.2%} of its test sets"
)

# %% tags=["picture"]
with needs_your("split_per_class", "sample_anomaly_sets", "anomaly_loss"):
    training, validation, test = split()
    validation_sets, validation_target, _ = fixed_sets(validation, times=5, seed=1)
    torch.manual_seed(0)
    fresh = TransformerPredictor(
        input_dim=64, model_dim=64, num_classes=1, num_heads=4, num_layers=2, dropout=0.1, input_dropout=0.1
    )
    history = fit(
        fresh,
        anomaly_loss,
        FreshSets(training),
        in_order(validation_sets, validation_target),
        recipe,
        on_validation=live_curve(),
        step=train_step,
        scheduler=CosineWarmupScheduler,
    )
    model = fresh
    test_sets, test_target, _ = fixed_sets(test, times=10, seed=2)
    accuracy = evaluate(model, anomaly_loss, in_order(test_sets.to(device()), test_target.to(device())))[1]
    print(f"{history.step} steps, {history.seconds:.1f} s; the odd one found in {accuracy:.2%} of the test sets")

# %% [markdown]
# Chance is 10 %. The loss starts near $\ln 10 = 2.30$, as it should if ten places are equally likely, and the model soon finds the odd one
# among images it has never seen.

# %% [markdown]
# ## 8.5 Where does it look?
#
# Browse through the test sets. Above every image is the probability that the model gives it.

# %% tags=["picture"]
from course_lib.notebook.widgets import anomaly_gallery, attention_explorer

with needs_your("split_per_class", "sample_anomaly_sets"):
    test_sets, test_target, test_indices = fixed_sets(split()[2], times=10, seed=2)  # [B, S, D], [B], [B, S]
    anomaly_gallery(model, test_sets, test_target).show()

# %% [markdown]
# Now the attention. In the reverse task you knew the map beforehand; here you don't. A guess: the matching images should look at the odd
# one, because that's where the information is. If every image spread its attention evenly, each would get a tenth.

# %% tags=["picture"]
with needs_your("split_per_class", "sample_anomaly_sets"):
    sets, target, _ = fixed_sets(split()[2], times=2, seed=5)
    with torch.no_grad():
        maps = model.eval().get_attention_maps(sets.to(device()), add_positional_encoding=False)  # 2 × [B, h, S, S]
    rows, is_odd = torch.arange(len(sets)), torch.arange(10) == target[:, None]  # [B], [B, S]
    from_others, from_itself = [], []
    for layer in maps:
        to_odd = layer.cpu()[rows, :, :, target].transpose(1, 2)  # [B, S, h]: what each image gives to the odd one
        from_others.append(to_odd[~is_odd].mean(0))  # [h]
        from_itself.append(to_odd[is_odd].mean(0))  # [h]
    pictures.attention_on_the_odd_one(from_others, from_itself)

# %% [markdown]
# In most heads the matching images give the odd one more than its share, and often one head gives it several times as much. The odd one
# itself mostly looks at the others, which it doesn't match. They weren't told to do this. But don't read too much into one model. Twenty
# were trained like this one, with seeds 0 to 19; here is the most attentive head of each.

# %% tags=["picture"]
most_attentive = [0.29, 0.32, 0.42, 0.24, 0.23, 0.48, 0.22, 0.45, 0.27, 0.23]  # measured, seeds 0 to 9
most_attentive += [0.16, 0.18, 0.26, 0.55, 0.15, 0.45, 0.35, 0.17, 0.42, 0.21]  # and 10 to 19
pictures.twenty_models(most_attentive)

# %% [markdown]
# Of the 160 heads of these models 128 give the odd one more than a tenth, and in 121 it gives itself less; no head has a fixed role. Four
# models have no head that gives it even twice its share. They find the odd one just as often (99.3 to 99.6 % of the test sets; all
# twenty 98.4 to 99.8 %).
#
# Look for it in single sets. The names on the axes are the digits.

# %% tags=["picture"]
with needs_your("split_per_class", "sample_anomaly_sets"):
    sets, _, indices = fixed_sets(split()[2], times=1, seed=5)
    names = labels[split()[2]][indices[:20]].tolist()  # [B][S]
    attention_explorer(model, sets[:20], labels=names, add_positional_encoding=False).show()

# %% [markdown]
# ## 8.6 The mistakes
#
# A percentage tells you how often the model fails; the mistakes tell you *where*. Here are the ones in the test sets about which the model
# was most certain.


# %%
def guess_test_sets():
    """The test sets: features, place of the odd one, images, and the model's probabilities [B, S]."""
    test = split()[2]
    sets, target, indices = fixed_sets(test, times=10, seed=2)
    with torch.no_grad():
        logits = model.eval()(sets.to(device()), add_positional_encoding=False).squeeze(-1).cpu()  # [B, S]
    return sets, target, test[indices], logits.softmax(-1)


# %% tags=["picture"]
with needs_your("split_per_class", "sample_anomaly_sets"):
    sets, target, _, chances = guess_test_sets()
    pictures.worst_mistakes(sets, target, chances)

# %% [markdown]
# Look closely, and be fair: you would have missed some of them too. The usual mistake isn't that the model overlooks a strange digit, but
# that it finds a *badly written member* odder than the odd one. Which pairs does it confuse, and does it know when it's unsure?

# %% tags=["picture"]
with needs_your("split_per_class", "sample_anomaly_sets"):
    sets, target, images, chances = guess_test_sets()
    (chance, guess), rows = chances.max(-1), torch.arange(len(sets))  # [B] each
    kind = labels[images]  # [B, S]
    odd_kind, other_kind = kind[rows, target], kind[rows, (target + 1) % 10]  # [B] each
    table, all_pairs = torch.zeros(10, 10), torch.zeros(10, 10)
    table.index_put_((odd_kind, other_kind), (guess != target).float(), accumulate=True)
    all_pairs.index_put_((odd_kind, other_kind), torch.ones(len(sets)), accumulate=True)
    share = 100 * table / all_pairs.clamp(min=1)  # [10, 10]
    pictures.confused(share, chance[guess == target], chance[guess != target])

# %% [markdown]
# At 8×8 pixels some digits look alike even to you. And the probabilities are useful: a nearly certain prediction is nearly always right, so
# a person needs to check only the others.

# %% [markdown]
# ## 8.7 The trap
#
# What if the odd one had always come last? Here's that model: the same loss, the same training, but the odd one is moved to the last place,
# and the model sees places (it's the `SeesPlaces` of section 8.3). A hundred steps are enough.


# %% tags=["picture"]
def odd_one_last(sets, target):
    """The same sets, the odd one having changed places with the last image."""
    rows, moved = torch.arange(len(sets), device=sets.device), sets.clone()
    moved[rows, target], moved[:, -1] = sets[:, -1], sets[rows, target]
    return moved, torch.full_like(target, 9)


class AlwaysLast(FreshSets):
    """Fresh sets with the odd one at the end."""

    def epoch(self, generator):
        for sets, target in super().epoch(generator):
            yield odd_one_last(sets, target)


with needs_your("split_per_class", "sample_anomaly_sets", "anomaly_loss"):
    training, validation, test = split()
    sets, target, _ = fixed_sets(validation, times=5, seed=1)
    torch.manual_seed(0)
    trapped = SeesPlaces(input_dim=64, model_dim=64, num_classes=1, num_heads=4, num_layers=2)
    short = Recipe(learning_rate=5e-3, batch_size=64, max_steps=100, max_norm=2.0)
    fit(trapped, anomaly_loss, AlwaysLast(training), in_order(*odd_one_last(sets, target)), short)
    sets, target = (part.to(device()) for part in fixed_sets(test, times=2, seed=2)[:2])
    for name, batch in (("always last", odd_one_last(sets, target)), ("anywhere", (sets, target))):
        print(f"odd one {name}: {evaluate(trapped, anomaly_loss, [batch])[1]:.1%} found")

# %% [markdown]
# It finds all of them, and then one in ten. It has learned where the answer is, and nothing about images; and as long as the test sets come
# from the same careless function as the training sets, you won't notice. That's how such mistakes survive in published work: training and
# test share them. So ask of every good result: **what would a model get that ignores the input?** Here, with a random place, the answer is
# 10 %.

# %% [markdown]
# ## 8.8 The full version
#
# The published task (Phillip Lippe, *UvA Deep Learning Tutorials*, tutorial 6) takes the photographs of CIFAR-100: 100 classes from apple
# to worm, each photograph seen through a network trained on ImageNet (ResNet-34), 512 features each. With your functions only the numbers
# change: four layers of width 256, one hundred epochs. The published accuracies on these sets are 94.4 % (PyTorch) and 94.7 % (JAX).
#
# It needs a download of about 250 MB, and the features have to be computed once: minutes on a GPU, an hour or two on a laptop. Then you run
#
# ```python
# from course_lib.tasks.cifar import cifar_task
# from course_lib.tasks import accuracy_on_test, train
#
# task = cifar_task()  # downloads, extracts, keeps
# model, history = train(task)
# accuracy_on_test(task, model)
# ```

# %% [markdown]
# ## 8.9 In your own words
#
# ### Question: which symmetry? (3 points, 15 minutes)
#
# <!-- variant: ada-ben-cho -->
# Three people want to use your model.
#
# 1. Ada's sets contain **no odd one or exactly one**, and she wants a single yes or no for the set.
# 2. Ben's sets contain **any number** of odd ones, and he wants to know which.
# 3. Cho watches one machine and gets **ten measurements in a row**; the odd one is the first that doesn't fit the ones *before* it.
#
# For each: should the function be equivariant, invariant, or neither, and what would you change in the model or in the loss? Write two or
# three sentences for each of them. A person will grade this answer.
# <!-- variant: dora-emil-fay -->
# Three people want to use your model.
#
# 1. Dora's sets contain exactly one odd one, as yours do. She doesn't want to know where it is, but **which digit it shows**.
# 2. Emil's sets always contain **exactly two** odd ones, and he wants to know which two.
# 3. Fay has **ten frames of a film, in a row**; one was cut out and put back in a wrong place, and she wants to know which one.
#
# For each: should the function be equivariant, invariant, or neither, and what would you change in the model or in the loss? Write two or
# three sentences for each of them. A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="which_symmetry" points=3
# BEGIN SOLUTION
# <!-- variant: ada-ben-cho -->
# Ada: invariant, because the order of the set must not change a yes or no. Pool the encoder's outputs over the set (mean, sum or maximum,
# or an
# extra token that is read out) and classify the pooled vector with a binary cross-entropy; an encoder that is equivariant followed by a
# symmetric pooling is invariant. (An eleventh “nobody” logit in the softmax would also do: the ten are equivariant, the eleventh invariant.)
# Ben: equivariant, as before, since each image gets its own answer; but the images no longer compete for one place, so the softmax over
# the set
# is wrong. A sigmoid and a binary cross-entropy for each logit; the logits still depend on the whole set through attention.
# Cho: neither; the order carries meaning. Positions must be added, and each measurement may only see those before it, so a causal mask:
# shuffling
# the past changes what counts as a trend. (Causal attention without positions would still treat the past of each measurement as a set;
# whether
# that is enough depends on whether the order within the past matters.)
#
# Rubric:
#
# - 0.5 points: Ada: invariant
# - 0.5 points: Ada: a symmetric pooling (or an extra token, or an eleventh logit) and a binary loss that fits
# - 0.5 points: Ben: equivariant
# - 0.5 points: Ben: a sigmoid and a binary cross-entropy for each element instead of a softmax over the set
# - 0.5 points: Cho: neither
# - 0.5 points: Cho: positions, or a causal mask, with what it is for
# <!-- variant: dora-emil-fay -->
# Dora: invariant, because the digit stays the same when the images change places. Pool the encoder's outputs over the set
# (mean, sum or maximum, or an extra token that is read out), map the pooled vector to ten logits, one per digit, and train
# with the cross-entropy over digits instead of places.
#
# Emil: equivariant, as before, since each image gets its own answer. But two images must win, and in a softmax over the set
# they compete for one place. Use a sigmoid and a binary cross-entropy for each image and take the two largest logits; or keep
# the softmax and give each of the two odd ones a target of one half.
#
# Fay: neither; the order carries the meaning, and a shuffled row has another answer, or none. Add the positional encoding. A
# causal mask would be wrong: the frames after a frame tell as much about it as those before it, and all of them are there.
#
# Rubric:
#
# - 0.5 points: Dora: invariant
# - 0.5 points: Dora: a symmetric pooling (or an extra token), and a cross-entropy over the digits
# - 0.5 points: Emil: equivariant
# - 0.5 points: Emil: a sigmoid and a binary cross-entropy for each image, or a softmax with two targets of one half
# - 0.5 points: Fay: neither
# - 0.5 points: Fay: positions, with the reason; no causal mask
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# You have written a Transformer, from one softmax to two trained models; you've looked at what it attends to, and you know several ways in
# which an accuracy of 100 % can mean nothing. Anything without an order is a set like the ones on this page: points in space, particles,
# hands of cards. In [stage 9](09_words.ipynb) the order counts again: there the data are sentences.
