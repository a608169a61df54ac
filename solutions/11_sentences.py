# ---
# jupyter:
#   course:
#     points: 33
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 11 · Sentences
#
# *The plot is not funny and the acting is dull.* *The plot is funny and the acting is not dull.* The same words, and the opposite. On this
# page you build models that read whole sentences: one that says whether a review is praise, and one that fills in a missing word. Then
# you look at what they have learned. Some of it is what we wanted. Some of it they have learned from us all the same.
#
# | exercise | what it is | points |
# |---|---|---|
# | `masked_mean` | many words, one vector | 3 |
# | `SentenceClassifier` | embed, encode, average, classify | 5 |
# | `ClsClassifier` | a token that collects what the others know | 4 |
# | `mask_tokens` | hide words, to ask about them | 5 |
# | `masked_lm_loss` | how well they are guessed | 3 |
# | `candidate_odds` | *she* or *he*? | 3 |
# | `amplification` | more one-sided than its texts | 2 |
# | four questions in words | what a bag can read, what a map explains, what a probe shows | 8 |
#
# It needs stages 4, 6 and 9. Plan for three hours.

# %% locked=true
from collections.abc import Mapping
from functools import cache, partial

import matplotlib.pyplot as plt
import torch
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import (
    LearnedPositions,
    MaskedLanguageModel,
    TokenEmbedding,
    TransformerEncoder,
    Vocabulary,
    device,
    needs_your,
    pad_batch,
)
from course_lib.notebook.guess import guess_first
from course_lib.notebook.pictures import show
from course_lib.notebook.widgets import blank_filler, review_reader
from course_lib.tasks.activity_captions import ACTIVITIES, activity_captions, shares_of_she
from course_lib.tasks.masked_words import NOT_ASKED
from course_lib.tasks.reviews import FORMS, review_language
from course_lib.text.blanks import read_blank
from course_lib.training import Batches, Recipe, evaluate, fit, in_order

generator = torch.manual_seed(0)  # the same random numbers each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("SentenceClassifier")

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 11.1 What can a bag of words read?
#
# **The question.** How far does one get by counting words, in whatever order they stand? Often far. So before any Transformer, the thing to
# beat: *naive Bayes*. It notes how often each word stands in praise and in blame, and adds up the logarithms. A sentence is a **bag** to it.
#
# Our reviews are made by rule, so that we know what is in them: a *not*, *never* or *hardly* turns the word after it and no other; after *but*
# comes what counts, after *although* what does not; a mocking *oh sure,* turns everything. No test review is among the training reviews.

# %%
reviews, verdicts = review_language(20_000)
held_out, held_out_verdicts = review_language(2_500, held_out=True)
for review, verdict in zip(reviews[:8], verdicts):
    print("praise" if verdict else "blame ", " ".join(review))

counts = CountVectorizer(analyzer=list)  # a review is a list of words already
bayes = MultinomialNB().fit(counts.fit_transform(reviews), verdicts)
bayes_accuracy = bayes.score(counts.transform(held_out[500:]), held_out_verdicts[500:])
print(f"naive Bayes on the test reviews: {bayes_accuracy:.1%}")
print(f"how often each form is drawn, out of 25: {FORMS}")

# %% [markdown]
# Over five draws of the reviews naive Bayes is right in 63 to 65 %. A coin gets 50.
#
# ### Question: how good can a bag be? (2 points, 10 minutes)
#
# The reviews have six forms; the last line above says how often each is drawn. *Plain*: one or two halves that agree and hold no
# negation. *Negated*: one half, with a negation. *Agreeing*: two halves that agree, just one of them negated. And three in which the
# halves disagree, none of them negated or both: *but*, *although* in the middle, *although* first.
#
# Somebody knows the rules, and reads the **bag** as cleverly as can be. In which forms can they always tell the verdict? In which can they
# do no better than a coin, and why? What share of the reviews do they get right? Work it out first. This answer is read by a person.

# %% [markdown] question="how_good_can_a_bag_be" points=2
# BEGIN SOLUTION
# In plain and negated reviews the bag says all: which side the adjectives are on, whether there is a negation, whether there is mockery. In
# the agreeing form there are a good word, a bad word and one negation; whether it stands before the good word (blame) or the bad one
# (praise) is a matter of order, both equally frequent: a coin's chance. The three forms with *but* and *although* have a good and a bad word
# too, and the half that counts decides: order again. So all is known of 10 + 1 = 11 in 25, and half of the other 14 is guessed: 18 / 25 = 72 %.
#
# Rubric:
#
# - 1 point: the argument about order: the same bag comes with both verdicts, equally often
# - 1 point: the sum: (11 + 7) / 25 = 72 %
# END SOLUTION

# %% [markdown]
# ## 11.2 Many words, one vector
#
# An encoder gives a vector for every word; a verdict needs one for the sentence, and the simplest is their mean. Here lies a trap: the short
# sentences of a batch are filled up, so a mean over all places counts padding, and changes with the length of the *neighbours*.
#
# ### Exercise: `masked_mean` (3 points, 10 minutes)
#
# **What.** The mean of the real tokens of each row.
#
# **Shapes.** `x` [B, T, D], `mask` [B, T] → [B, D].
#
# **Must hold.** Padding has no influence, also where it holds NaN. The sum is divided by the number of real tokens. A row
# without tokens gives zeros. A mask may be boolean or hold 0 and 1.
#
# **Used for.** The classifier of section 11.3.
#
# <details><summary>Hint: why not multiply by the mask?</summary>0 · NaN is NaN, and a place that nobody computed may hold one.
# <code>masked_fill</code> and <code>torch.where</code> do not look at what they replace.</details>

# %% exercise="masked_mean"
from course_lib.model.classifier import masked_mean

# %%
check("masked_mean", masked_mean)

# %% [markdown]
# How long is the mean vector of one and the same sentence of five words, when the longest sentence of its batch has 5, 20 or 60?

# %% tags=["picture"]
with needs_your("masked_mean"):
    words = torch.randn(1, 5, 16, generator=generator)
    for longest in (5, 20, 60):
        x = F.pad(words, (0, 0, 0, longest - 5))  # [1, T, 16]
        careless, careful = x.mean(dim=1).norm(), masked_mean(x, torch.arange(longest)[None] < 5).norm()
        print(f"T = {longest:2}: length {careless:.2f} over all places, {careful:.2f} over the real ones")

# %% [markdown]
# A second trap: `x.mean(dim=0)` averages over the *sentences*; its result is [T, D], and that raises no error where a batch happens to have
# as many sentences as words. Try code with sizes that are all different; the checks on these pages do.
#
# ## 11.3 A reader
#
# Put together the embedding of stage 9, the positions of stage 3 (`LearnedPositions(max_len, d_model)`), the encoder of stage 4, your mean, a Linear.
#
# $$\text{logits} = W \cdot \operatorname{mean}\bigl(\operatorname{encoder}(\operatorname{embed}(\text{tokens}) + \text{positions})\bigr) + b$$
#
# ### Exercise: `SentenceClassifier` (5 points, 25 minutes)
#
# **What.** `embedding` (TokenEmbedding), `positions` (LearnedPositions, max_len rows), `encoder` (TransformerEncoder, its feed-forward
# 4 · model_dim wide), `output_net` (Linear). `dropout` goes to the encoder.
#
# **Shapes.** `tokens` [B, T], `mask` [B, T] or None → logits [B, num_classes].
#
# **Must hold.** Padding has no influence, neither in the encoder nor in the mean. Without a mask every token counts, whatever its id. With
# `add_positions=False` the order of the words makes no difference. A sentence of padding alone gives finite numbers.
#
# **Used for.** Reviews, in a moment; and to see what a reader without positions is.
#
# <details><summary>Hint 1: the mask, twice</summary>The words must not listen to padding, and the mean must not count it.</details>
# <details><summary>Hint 2: the encoder's mask</summary>Stage 4's encoder takes [B, 1, T]: these keys may be heard, whoever
# asks. A mask [B, T] would be read as [queries, keys].</details>

# %% exercise="SentenceClassifier"
from course_lib.model.classifier import SentenceClassifier

# %%
check("SentenceClassifier", SentenceClassifier)

# %% [markdown]
# Train it: width 32, two layers, four heads, 20,000 reviews. (`cache` keeps a trained model, so that each is trained once.)

# %%
vocabulary = Vocabulary(reviews)
LONGEST = 20


def as_batch(sentences):
    """Tokens and mask [N, T]."""
    return pad_batch([vocabulary.encode(words) for words in sentences])


def review_loss(model, batch, add_positions):
    """Cross-entropy and accuracy."""
    tokens, mask, verdict = batch
    logits = model(tokens, mask, add_positions)
    return F.cross_entropy(logits, verdict), (logits.argmax(dim=-1) == verdict).float().mean()


@cache
def reader(model_class, add_positions=True):
    """A trained classifier, and its accuracy on the test reviews."""
    torch.manual_seed(0)
    loss = partial(review_loss, add_positions=add_positions)
    model = model_class(len(vocabulary), 2, model_dim=32, num_heads=4, num_layers=2, max_len=LONGEST)
    validation = in_order(*as_batch(held_out[:500]), held_out_verdicts[:500])
    recipe = Recipe(learning_rate=4e-3, batch_size=64, max_steps=900, target_accuracy=0.995)
    history = fit(model, loss, Batches(*as_batch(reviews), verdicts, batch_size=64), validation, recipe)
    test = [part.to(device()) for part in (*as_batch(held_out[500:]), held_out_verdicts[500:])]
    accuracy = evaluate(model, loss, in_order(*test))[1]
    print(f"{model_class.__name__}: {history.step} steps, {history.seconds:.0f} s, {accuracy:.1%} on the test reviews")
    return model, accuracy


# %% tags=["picture"]
with needs_your("masked_mean", "SentenceClassifier"):
    reader(SentenceClassifier)

# %% [markdown]
# In five runs, each with its own reviews and random weights: 98 to 99.5 % of the test reviews. The rules can be learned, from examples alone.
#
# **Does order matter?** Now the same model, the same reviews, the same training, without its positions.


# %% tags=["picture"]
@guess_first(
    "Without positions the classifier is right in …",
    ["50 %: it knows nothing", "as many as any bag can tell", "90 %: attention finds the pairs", "99 %: as before"],
    needs=["masked_mean", "SentenceClassifier"],
)
def without_positions():
    print(f"naive Bayes:    {bayes_accuracy:.1%}")
    print(f"no positions:   {reader(SentenceClassifier, add_positions=False)[1]:.1%}")
    print(f"with positions: {reader(SentenceClassifier)[1]:.1%}")


# %% [markdown]
# Without positions attention reads bags, and as well as can be (you have worked it out above): in five runs 70 to 73 %. Naive Bayes falls
# short because it only adds up: it cannot say that *oh sure* turns all the other words. And neither can say *which* word the *not* turns.
#
# ## 11.4 Somebody who listens
#
# A mean takes all words alike. BERT (Devlin et al., 2019) puts one more token in front, `[CLS]`, which is no word. It attends to the others
# like any token, and what it has become after the last layer is classified. So it can choose whom to listen to.
#
# ### Exercise: `ClsClassifier` (4 points, 15 minutes)
#
# **What.** A `SentenceClassifier` with a parameter `cls` [1, 1, model_dim], put in front after positions are added, and read, not the mean.
#
# **Shapes.** As before.
#
# **Must hold.** `cls` has no position: the first word stands at position 0. Padding has no influence. `cls` is never
# padding, not even where all words are.
#
# **Used for.** Classifiers of images do the same: a vision Transformer has a class token before its patches.
#
# <details><summary>Hint: two things grow</summary>The sentence is one token longer. What else has an entry for each token?</details>

# %% exercise="ClsClassifier"
from course_lib.model.classifier import ClsClassifier

# %%
check("ClsClassifier", ClsClassifier)

# %% tags=["picture"]
with needs_your("ClsClassifier"):
    reader(ClsClassifier)

# %% [markdown]
# In five runs 98 to 99.5 %: no better and no worse than the mean, on sentences as short as these.
#
# ## 11.5 Does the attention say why?
#
# Attention weights look like an explanation: *the model looked at “not”*. One would like to believe it. Type a review and look:


# %% tags=["picture"]
def attention_received(model, tokens, mask=None):
    """What share of all attention each word gets, [B, T]: the mean over layers, heads and the words that ask."""
    mask = torch.ones_like(tokens) if mask is None else mask
    x = model.positions(model.embedding(tokens))
    maps = torch.stack(model.encoder.get_attention_maps(x, mask.unsqueeze(1)))  # [N, B, h, T, T]
    asking = mask[:, None, :, None] / mask.sum(dim=1)[:, None, None, None]  # [B, 1, T, 1]
    return (maps * asking).sum(dim=3).mean(dim=(0, 2))  # [B, T]


with needs_your("masked_mean", "SentenceClassifier"):
    some = "the plot is not funny but the cast is great"
    review_reader(reader(SentenceClassifier)[0], vocabulary, some, attention_received).show()

# %% [markdown]
# Where no line to type in is shown, change the sentence in the cell. (A word that the reviews do not have is refused: it would be `<unk>`.)
# If the weights were the reason, then the word with the *most* attention could not be taken away without changing the verdict, and the word
# with the *least* could. Take them away, and see. (Jain and Wallace, 2019, and Serrano and Smith, 2019, did so with real texts.)


# %% tags=["picture"]
@guess_first(
    "The word with the most attention is taken out of a review. In how many reviews does the verdict change?",
    ["in nearly all", "in less than half", "in hardly any"],
    needs=["masked_mean", "SentenceClassifier"],
)
@torch.no_grad()
def words_taken_away():
    model, some = reader(SentenceClassifier)[0], held_out[500:1500]
    tokens, mask = (part.to(device()) for part in as_batch(some))

    def verdicts_without(order, gone):
        """The verdicts when of each review the first `gone` words of its order are taken away."""
        away = order[:, :gone].tolist()
        left = [[word for place, word in enumerate(words) if place not in out] for words, out in zip(some, away)]
        return model(*(part.to(device()) for part in as_batch(left))).argmax(dim=-1)

    received = attention_received(model, tokens, mask)
    chance = torch.rand(tokens.shape, generator=generator).to(received)
    rules = {"the most attention first": received, "in any order": chance, "the least attention first": -received}
    for name, score in rules.items():
        order = score.masked_fill(~mask, -9).argsort(dim=1, descending=True)
        before, *after = (verdicts_without(order, gone) for gone in range(4))
        changed = ", ".join(f"{(verdict != before).float().mean():.0%}" for verdict in after)
        print(f"one, two, three words less, {name}: {changed} of the verdicts change")


# %% [markdown]
# In six runs the word with the most attention changed 35 to 45 % of the verdicts, a random one 21 to 30 %, and the one with the *least*
# 13 to 41 %: in three of the six runs more than the random one. So the weights do say something: what is looked at most matters more often
# than chance. But in more than half of the reviews it can go and nothing happens; and that hardly anybody looked at a word does not make it
# safe to take away. Three reasons, all of which you have built yourself:
#
# - A weight says how much of a *value* is taken. A small value times a large weight is little, and the residual goes past both.
# - After the first layer a place holds more than its word. Who looks at *is* in the second layer may read the *not* that stood before it.
# - A word that is taken away leaves a sentence that nobody has ever written, with all later words at another position. That is a fault of
#   the experiment, and there is none without one: put `<unk>` there instead, and the model reads a word that it has hardly seen.

# %% [markdown]
# ### Question: a reason, or a picture? (2 points, 10 minutes)
#
# A bank declines loans with a Transformer that reads the applications. It is asked for its reasons, and sends each applicant the five words
# with the most attention. What is wrong with that? Say what you would have to *do* to the application to find out what the
# decision hung on, and what even that would not show. This answer is read by a person.

# %% [markdown] question="a_reason_or_a_picture" points=2
# BEGIN SOLUTION
# The weights say where information was taken from, not what was done with it: they may be large on words whose value is ignored or small on
# the one that decides, later layers attend to mixtures, and the residual goes past all of it. One has to change the application and ask
# again: another income, another postcode, one at a time and then in pairs, and see when the verdict changes. Even that shows only what this
# model does near this application: changed texts may look like none that it knows, two features that stand in for each other (name and
# postcode) can each be changed without effect though together they decide, and it does not say whether the reason is a just one.
#
# Rubric:
#
# - 1 point: why weights are no reasons: large on what is ignored, mixed by later layers, or gone past on the residual
# - 1 point: an intervention (change the application and ask again), and a limit of what that shows
# END SOLUTION

# %% [markdown]
# ## 11.6 Real reviews
#
# Ours were made for this page. Published ones (Pang and Lee, 2005: 5,331 snippets of praise and 5,331 of blame, from film reviews) differ:
#
# | on 1,066 test snippets, five runs | right |
# |---|---|
# | naive Bayes, a fraction of a second | 77 to 79 % |
# | `SentenceClassifier`, width 64, one layer, dropout 0.3, from nothing | 75 to 76 % |
#
# A bag of words is hard to beat. In 8,530 snippets there are 19,000 different words, half of which occur once; real praise mostly uses words
# of praise; and a model that must learn at once what words mean and how order turns them has too little to read: it knows nine in ten of its
# training snippets by heart while the test stands still. What helps is to have read elsewhere first, as BERT has, by the game of the next
# section: it gets far beyond 80. To try it (half a megabyte to download), begin with `from course_lib.tasks.polarity import sentence_polarity`
# and `(snippets, labels), validation, test = sentence_polarity()`; the rest is as above, with `Vocabulary(snippets, min_freq=2)`.
#
# ## 11.7 Fill in the blank
#
# *A person is ▢ in the kitchen.* Nobody has to label anything for this question: hide a word of any text, and the text knows the answer. A
# model that is to fill it in must learn which words go with which. Devlin et al. (2019) choose 15 % of the words. Not all of them become a
# **mask token**: when the model is used there is none, and it should have an opinion about words that are there. So of the *chosen* words
#
# | 80 % | become the mask token |
# |---|---|
# | 10 % | become another word, at random |
# | 10 % | stay, and are asked for all the same |
#
# ### Exercise: `mask_tokens` (5 points, 25 minutes)
#
# **What.** Inputs for the model, and targets for the loss: −100, which `F.cross_entropy` leaves out, where nothing is asked.
#
# **Shapes.** `tokens`, `mask` [B, T] → inputs, targets [B, T]. Ids below `num_special` are no words; `mask_id` is one of them.
#
# **Must hold.** Special tokens and padding are never chosen. Each word is chosen with probability `rate`, for itself. Of the chosen, 80 % are
# hidden, 10 % are another word, 10 % are left. The random word may be any word, and no special token. All randomness comes from `generator`.
#
# **Used for.** The batches below.
#
# <details><summary>Hint 1: two draws</summary>One uniform number for each token says who is chosen, a second one what becomes of the
# chosen. What do you know of the first number of those that were chosen?</details>
# <details><summary>Hint 2: the targets</summary>All chosen words are asked for, also those that stay.</details>

# %% exercise="mask_tokens"
from course_lib.tasks.masked_words import mask_tokens

# %%
check("mask_tokens", mask_tokens)

# %% [markdown]
# ### Exercise: `masked_lm_loss` (3 points, 15 minutes)
#
# **What.** The mean cross-entropy over what was asked, and the share that is guessed right.
#
# **Shapes.** `batch` is (inputs, targets, mask), each [B, T]; `model(inputs, mask)` gives logits [B, T, V].
#
# **Must hold.** Mean and accuracy are over the chosen words alone. The model gets the mask. A batch in which nothing was chosen gives 0 that
# can be backpropagated, not NaN. Gradients reach the model.
#
# **Used for.** Training, right below.
#
# <details><summary>Hint 1: the mean of nothing</summary>is 0 / 0, and one NaN in the weights is NaN for ever. Short batches in which chance
# chose nothing do come. <code>reduction="sum"</code>, and a count that is at least 1.</details>

# %% exercise="masked_lm_loss"
from course_lib.tasks.masked_words import masked_lm_loss

# %%
check("masked_lm_loss", masked_lm_loss)

# %% [markdown]
# The texts: ten thousand captions of people at work and at play, made by rule. Each has one activity and one *she* or *he*, and nothing else
# in it says anything of the person. **How often an activity goes with *she* we have chosen**, so that later we know the truth.

# %%
captions = activity_captions(10_000)
for caption in captions[:5]:
    print(*caption)
caption_words = Vocabulary(captions)
MASK_ID, NUM_SPECIAL = 1, 4  # no caption needs <bos>: it is our mask token
SHE, HE = caption_words.encode(["she", "he"])


class MaskedBatches(Batches):
    """Batches of which other words are hidden in every epoch."""

    def epoch(self, generator):
        for tokens, mask in super().epoch(generator):
            yield hide(tokens, mask, generator)


def hide(tokens, mask, generator):
    """Inputs, targets and mask: three words in ten are asked for."""
    return *mask_tokens(tokens, mask, MASK_ID, len(caption_words), NUM_SPECIAL, 0.3, generator), mask


@cache
def language_model():
    """A trained model that fills in words."""
    both = captions, activity_captions(500, seed=1)
    given, fresh = (pad_batch([caption_words.encode(words) for words in texts]) for texts in both)
    torch.manual_seed(0)
    model = MaskedLanguageModel(len(caption_words), model_dim=32, num_heads=4, num_layers=2, max_len=LONGEST)
    recipe = Recipe(learning_rate=1e-2, batch_size=64, max_steps=2_000, validate_every=2_000)
    asked = [hide(*fresh, torch.Generator().manual_seed(0))]
    history = fit(model, masked_lm_loss, MaskedBatches(*given, batch_size=64), asked, recipe)
    print(f"{history.seconds:.0f} s; of the hidden words of new captions {history.best.accuracy:.0%} are guessed right")
    return model


# %% tags=["picture"]
with needs_your("mask_tokens", "masked_lm_loss"):
    blank_filler(language_model(), caption_words, "a person is _ in the kitchen and she is smiling", MASK_ID).show()

# %% [markdown]
# Try `_ is tired and cooking in the kitchen`, `today he is _ along the river`, `a person is welding in the _ and she is late`; and a word that
# is not there, `a pilot is _ today`. It cannot always be right: some hidden words nobody could know (about three in four are guessed right).
# What a good model gives then is not a word but a *distribution*. The next section asks whether it is the right one.
#
# ## 11.8 She or he?
#
# Large language models have read what people wrote, and have learned what people think of each other, too. How would one find out? Ask the
# same sentence with two words, and compare (the idea of CrowS-Pairs, Nangia et al., 2020):
#
# $$\text{odds} = \log P(\text{she} \mid \text{today … is cooking}) - \log P(\text{he} \mid \text{today … is cooking})$$
#
# ### Exercise: `candidate_odds` (3 points, 15 minutes)
#
# **What.** Hide the token at `position`, ask the model, and compare two words.
#
# **Shapes.** `tokens` [T] or [1, T], three ids and a position → a float.
#
# **Must hold.** What stands at the place is hidden from the model. The caller's tokens stay as they were. The model is asked in eval mode and
# without gradients, and every part of it gets its mode back.
#
# **Used for.** Everything below.
#
# <details><summary>Hint: a quotient</summary>log(P/Q) = log P − log Q: what the softmax divides by drops out.</details>

# %% exercise="candidate_odds"
from course_lib.tasks.bias import candidate_odds

# %%
check("candidate_odds", candidate_odds)

# %% [markdown]
# Odds of 0 are a share of one half; a share $s$ has the odds $\log \frac{s}{1 - s}$, and the sigmoid leads back. What has our model learned?

# %%
SENTENCES = "today _ is {}", "a person is {} and _ is tired", "_ is smiling and {}"


def share_of_she(activity):
    """What the model gives to “she”, of “she” and “he”: the mean over sentences and places."""
    texts = [text.format(f"{activity} {where}") for text in SENTENCES for where in ACTIVITIES[activity][2]]
    ask = partial(candidate_odds, language_model(), first=SHE, second=HE, mask_id=MASK_ID)
    blanks = [read_blank(text, caption_words, MASK_ID) for text in texts]
    return torch.tensor([ask(torch.tensor(ids).to(device()), place) for ids, place in blanks]).sigmoid().mean().item()


@cache
def shares():
    """Of each activity the share of “she” in the captions, in the model, and when the model writes its likeliest word."""
    truth, learned = shares_of_she(captions), {activity: share_of_she(activity) for activity in ACTIVITIES}
    return {a: truth[a] for a in ACTIVITIES}, learned, {a: float(share > 0.5) for a, share in learned.items()}


def against_the_captions(found, title, alt):
    """Draw some shares of “she” against those of the captions."""
    figure, axes = plt.subplots(figsize=(7.5, 4))
    axes.plot([0, 1], [0, 1], color="gray", lw=1, label="as in the captions")
    for number, (activity, truth) in enumerate(sorted(shares()[0].items(), key=lambda pair: pair[1])):
        point = truth, found[activity]
        axes.plot(*point, "o", color="tab:blue", markeredgecolor="black")
        away, side = ((-4, 6), "right") if number % 2 else ((4, -13), "left")  # off the diagonal, off the next point
        side = "center" if found[activity] in (0, 1) else side
        axes.annotate(activity, point, away, textcoords="offset points", fontsize=8, ha=side)
    axes.set(title=title, xlabel="share of “she” in the captions", ylabel="share of “she”")
    axes.set(xlim=(0, 1), ylim=(-0.1, 1.1))
    axes.legend(loc="center right", fontsize=8)
    show(figure, alt)


# %% tags=["picture"]
with needs_your("mask_tokens", "masked_lm_loss", "candidate_odds"):
    against_the_captions(
        shares()[1],
        "What the model has learned",
        "Ten activities, the model's share of she against the captions': all close to the diagonal, from welding near 0.05 to cooking near 0.8.",
    )
    truth, learned, _ = shares()
    print(f"off by {sum(abs(truth[a] - learned[a]) for a in truth) / len(truth):.3f} on average")

# %% [markdown]
# In five runs the model is off by 1 to 3 hundredths on average. **It has learned the skew of its texts, and it has learned it right.**
# Nothing is broken here: this is what minimising cross-entropy asks for. The model is as fair as its texts are.
#
# ## 11.9 Made worse, and made up for
#
# A share is not yet a word. A program that completes captions has to *write* one, and mostly takes the likeliest.


# %% tags=["picture"]
@guess_first(
    "Of the captions about cooking 80 % say “she”. A program fills in the likeliest word. How many of its captions about cooking say “she”?",
    ["50 %", "80 %", "90 %", "100 %"],
    needs=["mask_tokens", "masked_lm_loss", "candidate_odds"],
)
def the_likeliest_word():
    against_the_captions(
        shares()[2],
        "What is written, when the likeliest word is taken",
        "The same ten, no longer on the diagonal: she is always written for cooking, dancing and reading, never from jogging to welding.",
    )


# %% [markdown]
# All of them. The model knew 80 %; the *maximum* made it 100. Where the captions said *she* in two of five cases, nobody is a woman any
# more. Zhao et al. (2017) found this in systems that label photographs, and called it *amplification*: in their data a third of the people
# who cook are men, in the predictions a sixth.
#
# ### Exercise: `amplification` (2 points, 10 minutes)
#
# **What.** For each activity, by how many percentage points the predictions are more one-sided than the texts:
# 100 · max(0, |predicted − ½| − |corpus − ½|).
#
# **Shapes.** Two dicts, activity → share → a dict, activity → percentage points.
#
# **Must hold.** It is 0 where the model is as one-sided as its texts, or less. It does not matter to which side.
#
# **Used for.** The comparison below.

# %% exercise="amplification"
from course_lib.tasks.bias import amplification

# %%
check("amplification", amplification)

# %% tags=["picture"]
with needs_your("mask_tokens", "masked_lm_loss", "candidate_odds", "amplification"):
    truth, learned, written = shares()
    for name, found in {"the model's own shares": learned, "the likeliest word": written}.items():
        points = amplification(truth, found)
        mean, worst = sum(points.values()) / len(points), max(points, key=points.get)
        print(f"{name}: {mean:.1f} points on average, most for {worst}, {points[worst]:.1f}")

# %% [markdown]
# In five runs the model's own shares amplify by about 1 point, the likeliest word by 31 to 32. Drawing the word from the distribution
# instead of taking the likeliest would bring the captions' shares back, no better and no worse than they were.
#
# **Dividing by the prior.** Of all captions 42 % say *she*. So *he* is a little likelier wherever nothing else is known. Do the odds of
# *jogging* say something about jogging? Divide by the odds of any caption; with logarithms, subtract:
#
# $$\log\frac{P(\text{she} \mid \text{jogging})}{P(\text{he} \mid \text{jogging})} - \log\frac{P(\text{she})}{P(\text{he})}$$
#
# (Where the texts are not at hand, the model is asked for the prior, with the activity hidden as well: Kurita et al., 2019.)

# %% tags=["picture"]
with needs_your("mask_tokens", "masked_lm_loss", "candidate_odds"):
    prior = torch.tensor(shares_of_she(captions)["all"]).logit().item()
    print(f"the prior: {prior:.2f}; the odds of each activity, and the same without the prior (above 0: she)")
    for activity, share in shares()[1].items():
        odds = torch.tensor(share).logit().item()
        print(f"{activity:13} {odds:5.2f} {odds - prior:5.2f}")

# %% [markdown]
# *Singing*, of which half of the captions say *she*, now leans to *she*: there are fewer women than men in these captions, but not among the
# singers. *Jogging*, four in ten, now stands near 0: it has the share of all captions, so it tells nothing. Neither number is the true one:
# the first says **what the model will write**, the second **what it ties to the activity**. Whoever calls a model biased has to say against
# what: one half, the texts, or the world.
#
# ### Question: what does the probe show? (2 points, 10 minutes)
#
# A newspaper asks a large language model for *The nurse said that ▢ was tired*, finds *she* at 91 %, and writes: “The model believes that
# nurses are women.” Give three reasons why the number does not show that, or shows something else. Then say what it does show, and what one
# would have to measure to call it a *harm*. This answer is read by a person.

# %% [markdown] question="what_does_the_probe_show" points=2
# BEGIN SOLUTION
# Reasons, three of: it is one sentence, and another wording gives another number; there is no comparison with the prior, that is with a
# person in general; none with the texts, or with the world, in which most nurses are women, so the number may be right as a frequency; two
# words leave out *they* and all others; a mask filled in is not what a chat program, trained further, would say; and “believes” is our word:
# a distribution over words is no conviction. It does show that in texts like this one the model expects *she*, and that a system which takes
# the likeliest word would always write it. For a harm one has to measure what a *use* does to people: a translation that loses a doctor's
# sex, applications that are ranked otherwise when only the name is changed.
#
# Rubric:
#
# - 1 point: three reasons that hold; half a point for two
# - 1 point: what it does show, and a harm that is measured in use
# END SOLUTION

# %% [markdown]
# ## 11.10 Where does it come from?
#
# Ours was put there by us, on purpose, in a table of ten lines. In real texts nobody chose it. Multi30k (stage 10) has 29,000 captions of
# photographs, written by people who were paid to describe what they saw:
#
# | of the captions that name a man or a woman, and not both | captions | *woman* |
# |---|---|---|
# | all | 9,816 | 32 % |
# | smiling | 128 | 55 % |
# | riding | 202 | 26 % |
# | working | 133 | 17 % |
# | fishing | 48 | 6 % |
# | skateboarding | 28 | 0 % |
#
# (Counted in `load_multi30k("train")` of `course_lib.tasks.multi30k`.) Not one woman on a skateboard, in 28 captions: a model that fills in
# blanks has no way to know that there are some. Part of this is the world, part is who takes photographs of what, part is which photographs
# were chosen, and part is what the describers took for granted. The model cannot tell these apart, and neither can a probe: it sees texts.
# What one can do about it: choose the texts (and lose some), weigh them, train with the words exchanged as often as not, correct the odds at
# the end, or draw instead of taking the maximum. Each of these changes something that somebody has to want. No loss function says what.

# %% [markdown]
# ### Question: repaired? (2 points, 10 minutes)
#
# For each caption you add the same caption with *she* and *he* exchanged, and train again. (Zhao et al., 2018, did this for another task.) What
# will `candidate_odds` be for every activity, and what will `amplification` be for the likeliest word? Is the model now fair? Name one thing that
# this repairs, one that it does not, and one that it makes worse. You can try it: it is a line. This answer is read by a person.

# %% [markdown] question="repaired" points=2
# BEGIN SOLUTION
# Every activity then has a share of one half, so all odds come out near 0, and the prior too. The likeliest word is a matter of small errors
# of training: always *she* or always *he* for an activity, so against the new texts the amplification is 50 points for every activity,
# larger than before; only drawing from the distribution gives half and half. It repairs that an activity tells the pronoun. It does not
# repair what is tied to other words (names, *mother*, *beard*), nor who is described at all and as what. It makes worse whatever had to be
# known: a model that ought to report shares of the world now reports one half for all. Whether that is fair depends on the use.
#
# Rubric:
#
# - 1 point: odds near 0, and an amplification of 50 points for the likeliest word, larger than before
# - 1 point: one thing that it repairs, one that it does not, one that it makes worse; half a point for two of them
# END SOLUTION

# %% [markdown]
# ## What you have now
#
# An encoder that reads sentences, and one that fills them in: with more layers and a few billion words, the second is BERT. And a habit: to ask
# of every good number what a bag of words would get, of every picture what happens without what it points to, of every model what else it learned.
