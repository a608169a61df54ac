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
# # 10 · Translation
#
# The Transformer was made for this: a sentence goes in, in one language, and comes out in another. You have all its parts. What is left
# is everything around them: from a string to a batch, a loss that does not want to be too sure, a model that reads and speaks, a search
# for the best sentence, and a number that says how good it is.
#
# | exercise | what it is | points |
# |---|---|---|
# | `translation_batch` | what the model reads, has said, and is to say | 3 |
# | `smoothed_loss` | a loss that forbids certainty | 3 |
# | `TranslationModel` | encoder, decoder, and one table used twice | 6 |
# | `beam_search` | more than one thought at a time | 6 |
# | `bleu` | how much of a translation stands in another | 4 |
# | three questions in words | tables, beams, and what BLEU does not see | 6 |
#
# It needs stages 5, 6 and 9. Plan for three hours and a half.

# %% locked=true
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import (
    LearnedPositions,
    TokenEmbedding,
    TransformerDecoder,
    TransformerEncoder,
    device,
    needs_your,
    pad_batch,
)
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import show
from course_lib.notebook.translations import KINDS, alignment, kind_of_failure, pipeline
from course_lib.tasks.checkpoint import load_pretrained
from course_lib.tasks.translation import caption_task
from course_lib.text.vocabulary import BOS, EOS, PAD
from course_lib.training import fit

generator = torch.manual_seed(0)  # the same random numbers each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("translation_batch", "smoothed_loss", "TranslationModel", "beam_search")

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 10.1 The whole way
#
# **The question.** A model computes with numbers. What has to happen before the first one, and after the last?

# %% tags=["picture"]
show(
    pipeline(),
    "Eight boxes in a row, from text over words, ids and vectors to the memory of the encoder, then logits, ids and text again. An arrow "
    "leads from the ids that were chosen back to the decoder. In training the target goes in as tgt_in and is asked for as tgt_out.",
)

# %% [markdown]
# Stage 9 did the first three boxes, stages 4 and 5 the middle ones. On this page all of them are put in one row, and trained.
#
# ## 10.2 Why not word by word?
#
# We need a language that a small model can learn in minutes, and that is still one. Ours describes scenes in English and in German. The
# sentences are made by rules, but the German is German: three genders, four cases, adjectives that agree, the verb in second place, at
# the end in a clause, or in two pieces.

# %%
task = caption_task()
train_pairs, _, test_pairs = task.texts
for english, german in [*train_pairs[:4], *test_pairs[:2]]:
    print(f"{english}\n    {german}")
print(f"\n{len(train_pairs):,} pairs to learn from; {len(task.source)} English words, {len(task.target)} German ones")

# %% [markdown]
# Take the most frequent partner of each English word and write them in English order: that is word by word. How often is that right?

# %% tags=["picture"]
together, alone = {}, Counter(word for _, german in train_pairs for word in set(german.split()))
for english, german in train_pairs:
    for word in set(english.split()):
        together.setdefault(word, Counter()).update(set(german.split()))
partner = {word: max(seen, key=lambda w: seen[w] ** 2 / alone[w]) for word, seen in together.items()}
word_by_word = [" ".join(partner.get(word, word) for word in english.split()) for english, _ in test_pairs]
right = sum(said == german for said, (_, german) in zip(word_by_word, test_pairs))
print(
    f"word by word, right: {right} of {len(test_pairs)}; for example\n  {test_pairs[0][0]}\n  {word_by_word[0]}\n  {test_pairs[0][1]}"
)

# %% [markdown]
# An article cannot be chosen before the noun is known, and a verb that stands in the middle of the English sentence may stand at the end
# of the German one. A translation has to look at the whole sentence before it says the first word. That is what a memory is for.

# %% [markdown]
# ## 10.3 What goes in, what is asked for
#
# A decoder learns to say the next word, at all places at once. So each target is needed twice: as what has been said, and one step later
# as what is to be said.
#
# | | | | | | |
# |---|---|---|---|---|---|
# | **tgt_in** | bos | der | Hund | schläft | |
# | **tgt_out** | der | Hund | schläft | eos | |
#
# The source gets an eos too: a sign that says “this was all” is useful to whoever reads.

# %% [markdown]
# ### Exercise: `translation_batch` (3 points, 10 minutes)
#
# **What.** From pairs of lists of ids to four tensors, padded with `pad`, each side as wide as its own longest sentence needs.
#
# **Shapes.** `pairs`, B pairs of lists → (src [B, S], tgt_in [B, T], tgt_out [B, T], src_mask [B, S]).
#
# **Must hold.** The source ends in eos. `src_mask` is True at eos. `tgt_in` begins with bos. `tgt_out` ends in eos, one step ahead of
# `tgt_in`. The pairs stay as they are.
#
# **Used for.** Every step of training.
#
# <details><summary>Hint 1: who pads?</summary>Your <code>pad_batch</code> of stage 9, three times; it makes the mask as well.</details>
# <details><summary>Hint 2: adding a token to a list</summary><code>[*source, eos]</code> is a new list. <code>source.append(eos)</code>
# would change the caller's.</details>

# %% exercise="translation_batch"
from course_lib.text.pairs import translation_batch

# %%
check("translation_batch", translation_batch)

# %% [markdown]
# ## 10.4 Not too sure
#
# Cross-entropy is never content: whatever probability the right word has, more is better. On a training sentence the model can only get
# there by making logits larger and larger. Szegedy et al. (2016) ask for less. The wanted distribution is not 1 at the target $t$, but
#
# $$q_k = (1 - \varepsilon)\,[k = t] + \frac{\varepsilon}{V}, \qquad
# \text{loss} = -\sum_k q_k \log p_k = -(1 - \varepsilon) \log p_t - \varepsilon \cdot \frac{1}{V} \sum_k \log p_k .$$
#
# This is **label smoothing**. The paper that gave us the Transformer uses ε = 0.1, and remarks that it makes the model less sure and the
# translations better.

# %% [markdown]
# ### Exercise: `smoothed_loss` (3 points, 15 minutes)
#
# **What.** The formula, averaged over the tokens that are not padding. Write it out; afterwards you may know that `F.cross_entropy` has an
# argument `label_smoothing`.
#
# **Shapes.** `logits` [B, T, V], `targets` [B, T] → a number.
#
# **Must hold.** ε is spread over all V tokens, the target among them. With ε = 0 it is the cross-entropy. Padding does not count, whatever
# token it is. A batch of padding alone gives 0 that can be backpropagated, not NaN.
#
# **Used for.** The training below.
#
# <details><summary>Hint 1: begin by throwing the padding away</summary><code>logits[targets != pad]</code> is [N, V], and what follows need
# not think of padding any more.</details>
# <details><summary>Hint 2: the second term</summary>It is ε times the mean of log p over the vocabulary.</details>
# <details><summary>Hint 3: nothing but padding</summary>The sum of an empty tensor is a 0 with a graph; divide it by at least 1.</details>

# %% exercise="smoothed_loss"
from course_lib.model.translation import smoothed_loss

# %%
check("smoothed_loss", smoothed_loss)

# %% [markdown]
# What does it ask for? Here are logits that learn one thing only: a single token out of ten, again and again.


# %% tags=["picture"]
@guess_first(
    "With ε = 0.1, ten tokens and endless training, the probability of the right token …",
    ["goes to 1, more slowly", "stops at 0.91", "stops at 0.9", "rises to 1 and falls back"],
    needs=["smoothed_loss"],
)
def what_smoothing_asks_for():
    figure, axes = plt.subplots(figsize=(6.5, 3))
    for smoothing, style in ((0.0, "-"), (0.1, "--"), (0.3, ":")):
        logits, line = torch.zeros(1, 1, 10, requires_grad=True), []
        optimizer = torch.optim.SGD([logits], lr=0.5)
        for _ in range(300):
            optimizer.zero_grad()
            smoothed_loss(logits, torch.tensor([[3]]), pad=9, smoothing=smoothing).backward()
            optimizer.step()
            line.append(logits.detach().softmax(-1)[0, 0, 3].item())
        axes.plot(line, style, label=f"ε = {smoothing}, at last {line[-1]:.3f}")
    axes.set(
        title="How sure the loss wants one to be",
        xlabel="steps",
        ylabel="probability of the right token",
        ylim=(0, 1.05),
    )
    axes.legend()
    show(
        figure,
        "Three curves that rise from 0.1. Without smoothing the probability of the right token goes to 1; with 0.1 it levels off at 0.91, "
        "with 0.3 at 0.73.",
    )


# %% [markdown]
# It stops where the loss has its minimum: at $1 - \varepsilon + \varepsilon / V$. The other tokens keep $\varepsilon / V$ each, so no logit need
# run away. We come back to this with a trained model.

# %% [markdown]
# ## 10.5 One table, used twice
#
# The decoder ends with a question: which of V words fits this vector best? The answer is a product with a matrix of V rows, one for
# each word. And there is a table of V rows already, one for each word: the target's embedding. Press and Wolf (2017) let them be the
# same table: what a word means when it is heard is what it means when it is said. In a small model these tables are a good part of all
# numbers, so this is also a cheap way to make it smaller.
#
# $$\text{logits} = y\, E^\top + b \qquad \text{where } E \text{ is the table from which } y\text{'s tokens came}$$

# %% [markdown]
# ### Exercise: `TranslationModel` (6 points, 30 minutes)
#
# **What.** The Transformer of stage 5 with three changes: `TokenEmbedding`, learned positions, and the table as output. And it comes apart
# into halves, since a search reads the source once and decodes many times.
#
# **Parts.** `src_embedding`, `tgt_embedding` (TokenEmbedding; token 0 is padding), `src_positions`, `tgt_positions` (LearnedPositions of
# max_len rows), `encoder`, `decoder`, `output_bias` [tgt_vocab], and dropout.
#
# **Shapes.** `encode`: src [B, S], src_mask [B, S] → memory [B, S, D]. `decode`: memory, tgt [B, T], src_mask → logits [B, T, tgt_vocab].
#
# **Must hold.** The output layer has no weight of its own. Padding in the source changes nothing, in the encoder and in the decoder.
# `forward` is decode of encode. Dropout acts after each embedding with its positions, and in the blocks.
#
# **Used for.** All that follows.
#
# <details><summary>Hint 1: the mask</summary>[B, S] says which tokens are real. Attention wants to know it for every query:
# <code>unsqueeze(1)</code> makes it [B, 1, S].</details>
# <details><summary>Hint 2: the output</summary><code>y @ self.tgt_embedding.table.T + self.output_bias</code>; the factor √D belongs
# to the embedding alone.</details>
# <details><summary>Hint 3: too long a sentence</summary>LearnedPositions refuses it already, with both numbers.</details>

# %% exercise="TranslationModel"
from course_lib.model.translation import TranslationModel

# %%
check("TranslationModel", TranslationModel)

# %% tags=["picture"]
with needs_your("TranslationModel"):
    model = TranslationModel(**task.model)
    count = sum(p.numel() for p in model.parameters())
    table = model.tgt_embedding.table.numel()
    print(f"{count:,} numbers to learn; a second table for the output would be {table:,} more, {table / count:.0%}")

# %% [markdown]
# ### Question: whose table? (2 points, 5 minutes)
#
# The output shares its table with the *target's* embedding. (a) Under which condition could the source's embedding be the same table as
# well, and what would be gained? (b) The look-up of a padding token gives its row no gradient. Does the row of padding stay zero in a
# trained model with one table? Why does that do no harm? This answer is read by a person.

# %% [markdown] question="whose_table" points=2
# BEGIN SOLUTION
# (a) If source and target have one vocabulary, with the same ids: joint byte pairs, for instance. Then names, numbers and shared word pieces
# are learned once, and a third of the embedding numbers is left. With two vocabularies id 41 means two different words. (b) No: the output
# multiplies by all rows, and the softmax pushes the logit of padding down at every place, so its row gets a gradient from there. It does
# no harm because padding is never read as a real token: in the source it is masked, and in the target it comes after everything that
# is asked for.
#
# Rubric:
#
# - 1 point: (a) one vocabulary with the same ids; words and pieces that both languages have are learned once, and
#   numbers are saved
# - 1 point: (b) no: the output multiplies by all rows, and the softmax moves that of padding; no harm, because
#   padding is masked in the source and comes after all that is asked in the target
# END SOLUTION

# %% [markdown]
# ## 10.6 It learns to translate
#
# Now everything together: pairs → batches of similar length (`bucket_batches`, inside the task) → your batch, model and loss. The whole recipe
# has 1,300 steps and takes two to three minutes; `STEPS = 400` is enough to see it coming. Three sentences are translated on the way.

# %%
STEPS = 400  # task.recipe.max_steps for all of it
SMOOTHING = 0.1


def loss_and_accuracy(model, batch):
    """For `fit`: the smoothed loss, and the share of the tokens that are guessed right."""
    src, tgt_in, tgt_out, src_mask = batch
    logits = model(src, tgt_in, src_mask=src_mask)
    real = tgt_out != PAD
    return smoothed_loss(logits, tgt_out, PAD, SMOOTHING), (logits.argmax(-1) == tgt_out)[real].float().mean()


@cache
def short_training():
    """Your model after its steps, what it said on the way, and the history."""
    diary = []

    def note(history):
        diary.append((history.step, task.translate(model, [english for english, _ in test_pairs[:3]])))

    torch.manual_seed(0)
    model = TranslationModel(**task.model)
    recipe = replace(task.recipe, max_steps=STEPS, validate_every=STEPS // 4, average_last=0)
    train = task.train(recipe.batch_size)
    return model, diary, fit(model, loss_and_accuracy, train, task.validation, recipe, on_validation=note)


@cache
def trained():
    """A model that was trained to the end of the recipe: it ships with the course, and its weights fit your class."""
    return load_pretrained("captions", TranslationModel)


# %% tags=["picture"]
with needs_your("translation_batch", "smoothed_loss", "TranslationModel"):
    model, diary, history = short_training()
    print(
        f"{history.seconds:.0f} s; tokens guessed right, with what was said before given: {history.best.accuracy:.1%}\n"
    )
    for number, (english, german) in enumerate(test_pairs[:3]):
        print(english)
        for step, said in diary:
            print(f"{step:8} steps: {said[number]}")
        print(f"          right: {german}\n")

# %% [markdown]
# At first it stammers: in five runs, after 100 steps, 70 to 98 % of its sentences said some word twice in a row. Then the sentence takes
# shape: who does what, and where. What comes last are endings, and verbs with a prefix. After 400 steps 94 to 96 % of the nouns that are
# due were said; 96 to 98 % of the adjectives, but 87 to 90 % in the right form; and of the verbs that end a clause with their prefix in front
# (*ausruhen*) about half. A token that is guessed right *with the right words before it* is not yet a sentence: of twelve words at 95 %
# each, the whole sentence is right about every second time.

# %% [markdown]
# ## 10.7 More than one thought at a time
#
# Greedy decoding takes the likeliest word and never looks back. But the likeliest *sentence* need not begin with the likeliest *word*. Trying all
# sentences is out of the question: $V^n$ of them. The compromise is to keep a few beginnings alive: the **beam**. In each round
#
# 1. every beginning is continued by every token, and each continuation has a sum of log-probabilities;
# 2. of all of them together the `beam_size` best are kept;
# 3. those of them that end in eos are set aside; the others go on.
#
# Each further word makes the sum smaller, so that short sentences would win. Wu et al. (2016) divide by a power of the length:
#
# $$\text{score} = \frac{\sum_i \log p_i}{\left((5 + n)/6\right)^{\alpha}}, \qquad n \text{ tokens were made, eos among them.}$$

# %% [markdown]
# ### Exercise: `beam_search` (6 points, 45 minutes)
#
# **What.** For one sentence, `src` [1, S]. The model is called as `model(src, tokens, src_mask=src_mask)`, with any number of rows. A beam
# of one is your `greedy_decode`.
#
# **Shapes.** → a list of at most beam_size pairs (tokens, score), a list of int and a float, best score first, without bos and eos.
#
# **Must hold.** Each round keeps the beam_size best by sum; of these, those that end are set aside and the others go on. The end token
# counts in n. What has not ended after max_len tokens counts, with n = max_len. Eval mode, no gradients, and the model's mode given back,
# as in `greedy_decode`.
#
# **Used for.** Better sentences, below, and wherever a model writes.
#
# <details><summary>Hint 1: one flat list</summary><code>(sums[:, None] + log_p).flatten().topk(k)</code> looks at all candidates at once. A
# place in the flat list is row · V + token.</details>
# <details><summary>Hint 2: the first round</summary>There is one beginning, so there are V candidates: fewer than beam_size,
# perhaps.</details>
# <details><summary>Hint 3: who came from where</summary>The best candidates may all come from one row. <code>tokens[row]</code> takes
# the beginnings that they belong to; then append the new token.</details>

# %% exercise="beam_search"
from course_lib.text.decoding import beam_search

# %%
check("beam_search", beam_search)

# %% [markdown]
# Where do the two differ? The model from above, after its short training, on sentences of the test:

# %% tags=["picture"]
with needs_your("translation_batch", "smoothed_loss", "TranslationModel", "beam_search"):
    model, shown, right = short_training()[0], 0, {1: 0, 5: 0}
    for english, german in test_pairs[:80]:
        src, said = torch.tensor([[*task.source.encode(english), EOS]]).to(device()), {}
        for size in right:
            tokens, score = beam_search(model, src, BOS, EOS, beam_size=size, max_len=20)[0]
            said[size] = task.target.decode(tokens), score
            right[size] += said[size][0] == german
        if said[1][0] != said[5][0] and shown < 4:
            shown += 1
            print(english)
            print(
                f"    greedy {said[1][1]:6.2f}  {said[1][0]}\n      beam {said[5][1]:6.2f}  {said[5][0]}\n       due         {german}"
            )
    print(f"of 80 sentences exactly right: greedy {right[1]}, a beam of five {right[5]}")

# %% [markdown]
# Look at the scores: nearly always the beam has found a sentence that the model itself thinks better. That is the task it was given. Where it is
# the worse translation all the same, the model is to blame and not the search: a higher score under the model is no promise.

# %% [markdown]
# ### Question: when may a beam stop? (2 points, 10 minutes)
#
# Your search goes on until every row has ended or max_len is reached, though most sentences are over long before. Somebody stops as soon as
# beam_size sentences have been set aside. (a) Give a small example (a few probabilities) in which that misses the best sentence. (b) Find a
# condition on the best sum that is still alive, the scores set aside, max_len and alpha ≥ 0, under which stopping changes nothing. This
# answer is read by a person.

# %% [markdown] question="when_may_a_beam_stop" points=2
# BEGIN SOLUTION
# (a) Beam 2. First token: eos with 0.25, a with 0.5. After a: eos with 0.26, b with 0.7; after a b: eos with 0.97. After two rounds two are set
# aside, [] with 0.25 and [a] with 0.13, but [a b] will have 0.34. (b) A sum can only fall, since each log-probability is at most 0. Divided by
# the largest penalty that can come, it is the best score still possible: s / ((5 + max_len) / 6)^α (s is negative, so the largest
# divisor gives the best score). If beam_size sentences that are set aside have at least this score, nothing that is alive can come
# among the beam_size best any more.
#
# Rubric:
#
# - 1 point: (a) probabilities under which beam_size sentences are set aside before the best one ends; half a point
#   where the arithmetic fails
# - 1 point: (b) the best sum alive, divided by the largest penalty that can come, is no better than the beam_size-th
#   best set aside; half a point without the penalty
# END SOLUTION

# %% [markdown]
# ## 10.8 Where it looks
#
# For the rest of the page we take a model that was trained to the end of the recipe; it ships with the course, and its weights fit your
# class. The maps show the cross-attention of its last layer, the mean over all heads.

# %% tags=["picture"]
sentences = [
    next(e for e, g in test_pairs if e.startswith("because") and 9 <= len(g.split()) <= 12),
    next(e for e, g in test_pairs if " who " in e and 9 <= len(g.split()) <= 12),
]
with needs_your("TranslationModel"):
    figure, panels = plt.subplots(1, 2, figsize=(12.5, 5))
    for axes, sentence in zip(panels, sentences):
        alignment(axes, task, trained(), sentence)
    show(
        figure,
        "Two heat maps, the words of a German translation downwards and the English words across. Most bright squares lie on a diagonal. "
        "Where German has a verb at another place than English, at the end of a sentence after a modal verb for instance, the bright "
        "square of the verb lies off the diagonal, on the English verb.",
    )

# %% [markdown]
# Word for word would be a diagonal. The German verb leaves it: when it comes last, after a modal verb or in a clause, its bright square
# jumps back to where English has said it; when it comes before its subject, because something else stands first, it jumps ahead. Nobody
# told the model about any of this, and it is what translators call an alignment.
#
# Now you. Type an English sentence out of words that the model knows:

# %% tags=["picture"]
with needs_your("TranslationModel"):
    from course_lib.notebook.widgets import translation_box

    translation_box(task, trained(), sentences[0]).show()

# %% [markdown]
# **And how sure is it?** It was trained with ε = 0.1, so the loss asked for probabilities of about 0.9 and no more.

# %% tags=["picture"]
with needs_your("translation_batch", "TranslationModel"):
    chances = []
    with torch.no_grad():
        for src, tgt_in, tgt_out, src_mask in task.validation:
            logits = trained()(src.to(device()), tgt_in.to(device()), src_mask=src_mask.to(device()))
            chances.append(logits.softmax(-1).max(-1).values.cpu()[tgt_out != PAD])
    chances = torch.cat(chances)
    wanted = 1 - SMOOTHING + SMOOTHING / len(task.target)
    figure, axes = plt.subplots(figsize=(6.5, 2.8))
    axes.hist(chances.tolist(), bins=50, range=(0, 1), edgecolor="black", linewidth=0.3)
    axes.axvline(wanted, color="tab:orange", ls="--", label=f"1 − ε + ε / V = {wanted:.3f}")
    axes.set(title="Probability of the likeliest token", xlabel="probability", ylabel="tokens", xlim=(0, 1.02))
    axes.legend(loc="upper left")
    show(
        figure,
        "A histogram of the probability that the trained model gives its likeliest token: one high, narrow peak at the dashed line at 0.9, "
        "and very little to the left or right of it.",
    )

# %% [markdown]
# A peak at 0.9, and hardly anything above 0.94. The model knows these words as well as it ever will; it has learned to *say* 0.9. So a smoothed model's
# probabilities are not to be read as “right nine times in ten”.

# %% [markdown]
# ## 10.9 A number for a translation
#
# In our language a sentence has one translation, and right is right. In a real one there are many, and people who judge them are slow and
# expensive. Papineni et al. (2002) count what can be counted: which runs of one to four words (**n-grams** $g$) does what was *said*, the
# **hypothesis**, share with what was *due*, the **reference**?
#
# $$p_n = \frac{\sum_{\text{sentences}} \sum_{g} \min(\text{said}(g), \text{due}(g))}{\sum_{\text{sentences}} \sum_g \text{said}(g)}, \qquad
# \text{BLEU} = 100 \cdot \min\!\left(1, e^{1 - r/h}\right) \cdot \exp\!\Big(\tfrac14 \sum_{n=1}^{4} \log p_n\Big)$$
#
# with h the words of all hypotheses and r those of all references. The minimum is the clipping: *the the the* gets one *the* where the
# reference has one. The factor in front punishes a text that is too short, so that nobody gains by saying only what is sure.

# %% [markdown]
# ### Exercise: `bleu` (4 points, 25 minutes)
#
# **What.** The formula. One reference for each hypothesis; `max_n` in the place of 4.
#
# **Shapes.** Two lists of lists of tokens → a float, 0 to 100.
#
# **Must hold.** An n-gram counts no more often than it stands in its own reference. Counts are added up over the corpus before anything is
# divided. A text that is too long is not punished. Where an order has no match, the score is 0.
#
# **Used for.** Comparing models; yours is sacreBLEU's number, to six digits.
#
# <details><summary>Hint 1: n-grams</summary><code>zip(tokens, tokens[1:])</code> are the pairs of neighbours.</details>
# <details><summary>Hint 2: clipping</summary><code>Counter(a) & Counter(b)</code> keeps the smaller count of each;
# <code>.total()</code> adds them up.</details>
# <details><summary>Hint 3: 0</summary>Return early: the logarithm of 0 is not what you want.</details>

# %% exercise="bleu"
from course_lib.text.bleu import bleu

# %%
check("bleu", bleu)

# %%
from sacrebleu.metrics import BLEU

asked, references = zip(*test_pairs[:300])


@cache
def translations():
    """What three translators make of the same sentences."""
    learner, trained_one = short_training()[0], trained()
    return {
        "word by word": word_by_word[: len(asked)],
        f"{STEPS} steps": task.translate(learner, asked),
        "all steps": task.translate(trained_one, asked),
    }


# %% tags=["picture"]
with needs_your("translation_batch", "smoothed_loss", "TranslationModel", "bleu"):
    sacre = BLEU(tokenize="none", smooth_method="none")
    for name, said in translations().items():
        ours = bleu([text.split() for text in said], [text.split() for text in references])
        exact = sum(one == other for one, other in zip(said, references)) / len(said)
        print(
            f"{name:>13}: BLEU {ours:5.1f} (sacreBLEU {sacre.corpus_score(said, [references]).score:5.1f}), exactly right {exact:.0%}"
        )
    print(sacre.get_signature())

# %% [markdown]
# The last line is sacreBLEU's **signature**: version, tokenisation, smoothing. Without it a BLEU says nothing, because the same
# translations get another number when words are cut in another way.
#
# **BLEU is not meaning.** Two translations of one sentence:

# %% tags=["picture"]
with needs_your("bleu"):
    reference = "der kleine Hund schläft heute nicht in dem alten Garten"
    for said in (
        "der winzige Hund schläft heute nicht in dem alten Garten",
        "der kleine Hund schläft heute gern in dem alten Garten",
        "der kleine Hund schläft heute nicht in dem neuen Garten",
    ):
        print(f"BLEU {bleu([said.split()], [reference.split()]):5.1f}  {said}")
    print(f"      due   {reference}")

# %% [markdown]
# The first is a good translation with another word for *klein*; the third sends the dog to another garden. Their BLEU is the same to the last
# digit. The second says the opposite of what is true, and loses more only because its word stands in the middle, where it breaks four runs of
# four. Meaning is not in the formula.

# %% [markdown]
# ### Question: two of one kind (2 points, 10 minutes)
#
# Take the reference `a b c d e f g h`, where the letters stand for words. (a) Give two different hypotheses of eight words with exactly the
# same BLEU as each other, one of which keeps the meaning if f and g are interchangeable words (say *quickly* and *fast*), and one of
# which does not. Why are they equal? (b) Name one other change of meaning that BLEU hardly notices, and one change of wording that keeps the
# meaning and costs much. This answer is read by a person.

# %% [markdown] question="two_of_one_kind" points=2
# BEGIN SOLUTION
# (a) a b c d e X g h with X a synonym of f (here g itself, say), and a b Y d e f g h with Y a word that negates the sentence: both replace
# the third word, counted from one end, so both lose the same number of n-grams of each order (one word, two pairs, three triples, three
# runs of four), nothing else differs, and BLEU sees counts only. (b) A “not” at the very end or beginning, another number or name: one word
# of many, at an edge only one n-gram of each order. On the other side: passive for active, or a clause moved to the front; all words are
# there, the longer runs are gone.
#
# Rubric:
#
# - 1 point: (a) two such hypotheses, and why they are equal: the same number of n-grams of each order is lost, and
#   BLEU counts nothing else
# - 1 point: (b) a small change that turns the meaning, and a large change of wording that keeps it
# END SOLUTION

# %% [markdown]
# ## 10.10 Where it fails
#
# Numbers say how often; only reading says why. Sort what the model gets wrong, after the short training and after the whole one. Another
# order has the right words; a wrong ending has the right stems; then something is left out, added, or simply wrong.

# %% tags=["picture"]
with needs_your("translation_batch", "smoothed_loss", "TranslationModel"):
    translations()
    figure, axes = plt.subplots(figsize=(8, 3))
    for shift, (name, hatch) in ((-0.2, (f"{STEPS} steps", "")), (0.2, ("all steps", "//"))):
        pairs = [(said.split(), german.split()) for said, german in zip(translations()[name], references)]
        found = Counter(kind_of_failure(*pair) for pair in pairs)
        axes.bar(
            [k + shift for k in range(1, len(KINDS))],
            [found[kind] for kind in KINDS[1:]],
            0.38,
            hatch=hatch,
            label=name,
        )
        for kind in KINDS[1:]:
            said, due = next((pair for pair in pairs if kind_of_failure(*pair) == kind), (None, None))
            if said:
                print(f"{name}, {kind}:\n    {' '.join(said)}\n    {' '.join(due)}")
    axes.set(title=f"Failures of {len(asked)} sentences", xlabel="kind", ylabel="sentences")
    axes.set_xticks(range(1, len(KINDS)), labels=KINDS[1:])
    axes.legend()
    show(
        figure,
        "Bars for five kinds of failure, for the short training and the whole one. After the short training wrong words, words left out and "
        "wrong endings are frequent; after the whole one little is left.",
    )

# %% [markdown]
# ## 10.11 A real language
#
# The full version is Multi30k: 29,000 captions of photographs in English and German, written by people. What changes is the data; the
# model is the one you wrote. Joint byte pairs replace words, so one table serves source, target and output, and the mean of the
# last weights replaces the last ones.

# %%
FULL = False  # True downloads Multi30k once (for research and teaching, not for sale) and trains for half an hour
if FULL:
    from course_lib.tasks.multi30k import multi30k_task
    from course_lib.tasks.task import train

    german = multi30k_task("de", "en")
    model, history = train(german)
    sources, references = zip(*german.texts[2])
    said = german.translate(model, sources, beam_size=5)
    metric = BLEU()
    print(metric.corpus_score(said, [references]), metric.get_signature())

# %% [markdown]
# ## What you have now
#
# A translator, from the string to the string, of which you wrote every step; a search and a measure that you will meet wherever a
# model writes. [Stage 11](11_sentences.ipynb) reads sentences instead of writing them: it classifies them, fills in what is hidden, and asks
# what a model has learned from us.
