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
# # 9 · Words
#
# So far your sequences were numbers from the start: digits to reverse, features to compare. Language comes as text, and a network can't add
# up letters. On this page you build the whole way from a string to the tensor that the Transformer sees: cut the text into pieces, number
# the pieces, put sentences of different lengths into one batch, and look up a vector for each number.
#
# | exercise | what it is | points |
# |---|---|---|
# | `learn_bpe` | learn from a text which letters belong together | 5 |
# | `apply_bpe` | cut any word into the learned pieces | 3 |
# | `Vocabulary` | a number for each piece, and back | 4 |
# | `pad_batch` | sentences of any length in one tensor | 3 |
# | `bucket_batches` | batches with little padding | 4 |
# | `TokenEmbedding` | a vector for each number | 3 |
# | three questions in words | | 6 |
#
# It needs only stage 1. Plan for two and a half hours.

# %% locked=true
import time
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

import torch
from torch import nn
from torch.nn import functional as F

from autograder import check
from course_lib import needs_your, padding_mask, softmax
from course_lib.notebook.pictures import words as pictures
from course_lib.notebook.widgets import word_lookup
from course_lib.text.documentation import documentation
from course_lib.text.expect import (
    expect,
)  # checks an argument, if you like: expect(word, str, "a word must be a string")
from course_lib.text.library import library_bpe
from course_lib.text.vocabulary import PAD, SPECIAL, UNK
from course_lib.text.word_vectors import AXES, BY_HAND, by_hand, learned

generator = torch.manual_seed(0)  # the same random numbers each time

# %% tags=["picture"]
from course_lib.notebook.architecture import architecture

architecture("learn_bpe", "apply_bpe", "Vocabulary", "pad_batch", "TokenEmbedding")

# %% tags=["picture"]
from course_lib.notebook.my_transformer import use_mine

use_mine()

# %% [markdown]
# ## 9.1 Where does a word end?
#
# **The question.** A network reads a sequence of symbols from a fixed list, the **vocabulary**. What should the symbols be?
#
# You already have our text: everything that `help()` knows about Python. (The numbers on this page are from Python 3.11; yours may differ a
# little.)

# %%
sentences = documentation()  # each a tuple of words and punctuation marks
word_counts = Counter(word for sentence in sentences for word in sentence)
letters = Counter(letter for word, count in word_counts.items() for letter in word * count)

print(f"{len(sentences):,} sentences, {word_counts.total():,} words, {letters.total():,} characters")
print(f"{len(word_counts):,} different words, {sum(n == 1 for n in word_counts.values()):,} of them seen just once")
print(f"{len(letters)} different characters")
print("rare ones:", ", ".join(sorted(word for word, n in word_counts.items() if n == 1 and len(word) > 11)[:6]))

# %% [markdown]
# There are two simple answers:
#
# - **Words.** The sequences are short, but even this small text needs 4,194 symbols, and more than a third of them occur only once. What
#   should a network learn about a word it sees once? And what should it do with a word it has never seen?
# - **Characters.** A hundred symbols are enough, and hardly anything is ever unknown. But a sentence becomes more than three times as long
#   (the average word or punctuation mark of this text has 3.2 characters, and the spaces are symbols too), and attention compares every
#   symbol with every other: at least ten times the work. And a letter by itself means nothing.
#
# *Predict, then look.* What would you want for `unparenthesized`: one symbol, fifteen, or something in between?

# %% [markdown]
# ## 9.2 Learn what belongs together
#
# **The idea** (Sennrich et al., 2016) is called **byte-pair encoding**, BPE. Start with characters. Find the two symbols that are
# neighbours most often, and merge them into *one* symbol. Repeat. Frequent combinations grow together: first *th*, then *the*; *ing*;
# finally whole words. Rare words stay in pieces. The trick was invented to compress files (Gage, 1994). You choose a single number: how
# many merges to learn.
#
# The last character of each word carries a mark, `</w>`, so that *est* at the end of *lowest* isn't the same symbol as in *estate*.
#
# *Do it by hand before you write it.* The words are `low` (5 times), `lowest` (2) and `newest` (6). Which pair is merged first? Three pairs
# have a count of 8; ties go to the alphabetically first. What are the next two? (The docstring below has the answer.)

# %% [markdown]
# ### Exercise: `learn_bpe` (5 points, 35 minutes)
#
# **What.** Learn the merges. In each round, count all pairs of neighbours inside the words, weighted by how often each word occurs, and
# merge the most frequent pair everywhere, from left to right.
#
# **Shapes.** `word_counts`, a dict from each word to its count → a list of at most `num_merges` pairs.
#
# **Must hold.** Overlapping pairs count: *aaa* has two. Ties go to the alphabetically first pair. The last character of a word carries
# `</w>`. A count of 1 is enough; the loop stops when no pair is left. The result is a list of tuples.
# <!-- Broken by: overlapping pairs counted once; the last of equals; no mark at the end; stopped at a count of 1; a
# list of lists -->
#
# **Used for.** The experiments below. The full version of stage 10 cuts two languages at once in this way, with a library.
#
# <details><summary>Hint 1: the data structure</summary>Keep a list of <code>(symbols, count)</code>, where the symbols of <em>low</em> are
# <code>['l', 'o', 'w&lt;/w&gt;']</code>. Each round is three small loops: count, choose, merge.</details>
# <details><summary>Hint 2: choose</summary><code>min(counts, key=lambda pair: (-counts[pair], pair))</code>: tuples are compared entry by
# entry, so ties are broken alphabetically.</details>
# <details><summary>Hint 3: merge</summary>A <code>while</code> loop with an index: <code>symbols[k : k + 2] = [left + right]</code> where
# the pair occurs; move on by one step in either case.</details>

# %% exercise="learn_bpe"
from course_lib.text.byte_pairs import learn_bpe

# %%
check("learn_bpe", learn_bpe)

# %% [markdown]
# ### Exercise: `apply_bpe` (3 points, 15 minutes)
#
# **What.** Cut a word with the learned merges, even a word that wasn't in the text.
#
# **Shapes.** `word` and a list of pairs → a list of symbols.
#
# **Must hold.** There is one pass: each merge is applied once, in the order in which it was learned. A merge is applied from left to right.
# It joins neighbours that are exactly its two symbols, not others that spell the same. The last character carries `</w>`. Characters that
# are in no merge stay single.
# <!-- Broken by: until nothing fits; from right to left; fits by the joined text; no mark at the end; unknown
# characters dropped -->
#
# **Used for.** The same experiments.
#
# <details><summary>Hint 1: something you have</summary>It's the third loop of <code>learn_bpe</code>, for one word and all merges.</details>
# <details><summary>Hint 2: the loop</summary>For each merge, go through the list in a <code>while</code> loop: the list gets
# shorter as you go.</details>

# %% exercise="apply_bpe"
from course_lib.text.byte_pairs import apply_bpe

# %%
check("apply_bpe", apply_bpe)

# %% [markdown]
# Here's how the merges of the exercise above, learned from *low*, *lowest* and *newest*, put a word together. A merge needs both its parts,
# so the order matters. (`_` is the mark `</w>`.)

# %% tags=["picture"]
with needs_your("learn_bpe"):
    pictures.merge_tree("lowest", learn_bpe({"low": 5, "lowest": 2, "newest": 6}, 4))

# %% [markdown]
# Here's the same sentence cut in three ways. (If your `learn_bpe` recounts everything in each round, a thousand merges take a while.)


# %%
@cache
def thousand():
    """Your first thousand merges, learned once."""
    return learn_bpe(word_counts, 1000)


# %% tags=["picture"]
with needs_your("learn_bpe", "apply_bpe"):
    merges = thousand()
    sentence = ["The", "interpreter", "evaluates", "unparenthesized", "expressions", "lazily", "."]
    pieces = [symbol for word in sentence for symbol in apply_bpe(word, merges)]
    known = {symbol for word in word_counts for symbol in apply_bpe(word, merges)}
    for name, symbols, size in (
        ("words", sentence, len(word_counts)),
        ("subwords", pieces, len(known)),
        ("characters", [*" ".join(sentence)], len(letters) + 1),
    ):
        print(f"{name}: {len(symbols)} of {size:,} symbols: {' '.join(symbols).replace('</w>', '_')}")
    print("not in the text:", [word for word in sentence if word not in word_counts])

# %% [markdown]
# After 1,000 merges the frequent *expressions* is one symbol. The rare *unparenthesized* becomes six
# symbols, one of them *paren*. Even *lazily*, which isn't in the text, can be built from pieces: nothing is unknown.
#
# How many merges should you choose? A larger vocabulary buys shorter sentences. The two simple answers are the two ends of one curve. (It
# starts at 163 symbols, not 101, because a letter at the end of a word and the same letter inside one are different symbols.)

# %% tags=["picture"]
with needs_your("learn_bpe", "apply_bpe"):
    line = []
    for number in (0, 30, 100, 300, 1000):
        cut = {word: apply_bpe(word, thousand()[:number]) for word in word_counts}
        length = sum(count * len(cut[word]) for word, count in word_counts.items()) / word_counts.total()
        line.append((number, len({symbol for symbols in cut.values() for symbol in symbols}), length))
        print(f"{number:5} merges: {line[-1][1]:5,} symbols, {length:.2f} per word")
    pictures.size_against_length(line, len(word_counts))

# %% [markdown]
# The first 300 merges halve the length; the next 700 cut it by another quarter. Real models use tens of thousands of merges, for texts a
# million times as long.
#
# **And the library?** For a real corpus you'll use [tokenizers](https://huggingface.co/docs/tokenizers), which is written in Rust. It
# learns the same merges, but it may break ties differently, and after a tie the order differs for a while:

# %% tags=["picture"]
with needs_your("learn_bpe"):
    clock = time.perf_counter()
    ours = learn_bpe(word_counts, 500)
    middle = time.perf_counter()
    theirs = library_bpe(word_counts, 500)
    end = time.perf_counter()
    print(
        f"of 500 merges {len({*ours} & {*theirs})} are the same, {sum(map(tuple.__eq__, ours, theirs))} at the same index"
    )
    print(f"yours took {middle - clock:.1f} s, the library {end - middle:.1f} s")

# %% [markdown]
# If you recounted everything in each round, yours took several seconds. The library keeps its counts, and after a merge it updates only
# those of the words that contain the pair. The course's solution does the same: in plain Python it takes two to three times as long as the
# library for 500 merges, and four to five times as long for 2,000.

# %% [markdown]
# **And back again.** A model that writes pieces needs words in the end. The mark makes that easy: join the pieces, and put a space wherever a
# word ended. No list of words is needed.

# %% tags=["picture"]
with needs_your("learn_bpe", "apply_bpe"):
    pieces = [symbol for word in ["unparenthesized", "expressions"] for symbol in apply_bpe(word, thousand())]
    print(" ".join(pieces), "→", "".join(pieces).replace("</w>", " ").strip())

# %% [markdown]
# **The family.** The tokenisers of today's models are relatives of yours:
#
# | name | starts from | what it merges or keeps | used by |
# |---|---|---|---|
# | BPE (Sennrich et al., 2016) | characters | merges the most frequent pair | many translation models |
# | byte-level BPE (Radford et al., 2019) | the 256 bytes, so nothing is ever unknown, not even an emoji | merges the most frequent pair | GPT-2 and most models after it |
# | WordPiece (Schuster and Nakajima, 2012) | characters | merges the pair that makes the text most likely: frequent *together*, rare apart | BERT |
# | Unigram (Kudo, 2018) | a large list of pieces | drops the pieces that cost the least likelihood, until the list is short enough | T5, many multilingual models |
#
# BPE and WordPiece grow a vocabulary from below; Unigram starts with a large one and prunes it, and it can tell you how likely each way of
# cutting a word is.

# %% [markdown]
# ### Question: how many merges? (2 points, 5 minutes)
#
# <!-- variant: first -->
# A friend trains a translator and wants 30,000 merges “because the big models have that”, on a corpus of 20,000 sentences. What will most
# of the later merges be? Which parts of the model grow with them, and which get too little to learn from? What would *fewer* merges cost? A
# person will grade this answer.
# <!-- variant: second -->
# A friend trains a translator on 20 million sentences and learns 300 merges, “so that every piece is seen often enough”. What kind of
# pieces does she get, and what is good about them? What do so few merges cost her? And what would go wrong at the other end, with three
# million merges: which parts of the model would grow, and which would get too little to learn from? A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="how_many_merges" points=2
# BEGIN SOLUTION
# <!-- variant: first -->
# With so little text the later merges are words, or nearly words, that occur once or twice: pairs with a count of 1 or 2,
# memorised and useless elsewhere. Each of them adds a row to the embedding and to the output layer (both grow with the vocabulary), and a
# row that is used twice in training stays close to its random start. So rare words are handled badly, although their pieces would have been
# well trained. Fewer merges make sequences longer: the decoder takes more steps, the cost of attention grows with the square of the length,
# and very short pieces mean little by themselves. A few thousand would fit here.
#
# Rubric:
#
# - 1 point: later merges are rare words, memorised; embedding and output grow, and their rows are used too rarely to be trained
# - 1 point: fewer merges make sequences longer: more steps, attention that grows with the square, pieces that mean little
# <!-- variant: second -->
# The first 300 merges are frequent pairs and endings, such as *th*, *the* or *ing*, and a few very common words. Every piece
# is seen a great many times, and nothing is unknown. But nearly all words stay in short pieces: sequences are long, so the
# decoder takes more steps, the cost of attention grows with the square of the length, and short pieces mean little by
# themselves. With three million merges the later ones would be rare words, memorised as a whole. Embedding and output layer
# have a row for each of them, and most of these rows would be used too rarely to be trained. With so much text some tens of
# thousands would fit.
#
# Rubric:
#
# - 1 point: few merges: every piece is well trained, but sequences are long: more steps, attention that grows with the
#   square, pieces that mean little
# - 1 point: too many: rare words, memorised; embedding and output grow, and their rows are used too rarely to be trained
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## 9.3 Numbers for words
#
# A model wants numbers, so every symbol gets an **id**. Four ids are reserved for **special tokens** that appear in no text: `<pad>` fills
# up short sentences, `<bos>` starts a sentence, `<eos>` ends it, and `<unk>` represents everything unknown. You can leave out rare words
# (`min_freq`): a row of a table that's trained only once learns nothing.

# %% [markdown]
# ### Exercise: `Vocabulary` (4 points, 20 minutes)
#
# **What.** Write a class that counts tokens once and then converts tokens to ids and back. (`SPECIAL` holds the four special tokens, and
# `PAD` and `UNK` two of their ids.)
#
# **Shapes.** `token_lists`: a list of lists of strings. `encode(tokens)` → list of ids, `decode(ids)` → list of tokens, `len()`, and the
# attribute `tokens`, a list.
#
# **Must hold.** Equally frequent tokens are in alphabetical order, as `sorted` has it: capitals first. A token that occurs exactly
# `min_freq` times is included. If a text contains `<pad>` as a word, it doesn't get a second id. Case matters: *The* and *the* are two
# tokens. An unknown token becomes 3. Decoding keeps special tokens.
# <!-- Broken by: equal ones as they come; more than min_freq; special tokens counted; counted in lower case; unknown
# tokens left out; special tokens left out -->
#
# **Used for.** Source and target of stage 10, reviews in stage 11.
#
# <details><summary>Hint 1: which, and in which order</summary>Use a <code>Counter</code>, then <code>sorted(seen, key=lambda token:
# (-counts[token], token))</code>.</details>
# <details><summary>Hint 2: the way back</summary><code>{token: i for i, token in enumerate(self.tokens)}</code>, built once; a list's
# <code>.index</code> would search the whole list for every word of the text.</details>

# %% exercise="Vocabulary"
from course_lib.text.vocabulary import Vocabulary

# %%
check("Vocabulary", Vocabulary)

# %% [markdown]
# How much is unknown? Build the vocabulary from four fifths of the sentences and count `<unk>` in the last fifth. *Predict, then look:* if
# you keep every word of the four fifths (`min_freq=1`), how many words in a hundred of the rest are unknown? And if a word must occur ten
# times?

# %% tags=["picture"]
with needs_your("Vocabulary"):
    order = torch.randperm(len(sentences), generator=torch.Generator().manual_seed(0)).tolist()
    mixed, cut = [sentences[i] for i in order], len(sentences) * 4 // 5
    found = []
    for min_freq in (1, 2, 3, 5, 10, 20):
        vocabulary = Vocabulary(mixed[:cut], min_freq)
        ids = [i for sentence in mixed[cut:] for i in vocabulary.encode(sentence)]
        found.append((min_freq, len(vocabulary), 100 * ids.count(UNK) / len(ids)))
    pictures.unknown_words(found)

# %% [markdown]
# In six random splits 2.0 to 2.9 % were unknown with `min_freq=1`, and 10 to 13 % with 10. It never gets to zero: a language has more words
# than any text. In a sentence of forty words that's one word, and often it's the one that matters. With subwords only an unseen *character*
# can be unknown. That's why translation systems cut words into pieces; saving memory isn't the reason.

# %% [markdown]
# ## 9.4 One tensor for many sentences
#
# A batch is a rectangle; sentences have different lengths. So the short ones are filled up with padding, and a mask records which tokens
# are real: the padding mask of stage 1, which keeps attention away from the padding.

# %% [markdown]
# ### Exercise: `pad_batch` (3 points, 15 minutes)
#
# **What.** Turn lists of ids into one tensor and its mask.
#
# **Shapes.** B lists → tokens [B, T], mask [B, T], True = real token; T is the length of the longest list.
#
# **Must hold.** Tokens are int64, the mask is boolean. The mask comes from the lengths: an id that equals `pad` inside a list is real. An
# empty list is a row of padding.
# <!-- Broken by: tokens as floats | floats if the first list is empty; the mask by comparing; empty lists left out -->
#
# **Used for.** Every batch of the next two stages.
#
# <details><summary>Hint 1: start with padding</summary><code>torch.full((B, T), pad)</code>; then write each list into the start of its
# row.</details>
# <details><summary>Hint 2: an empty list</summary><code>torch.tensor([])</code> contains floats by default; pass
# <code>dtype=torch.int64</code>.</details>

# %% exercise="pad_batch"
from course_lib.text.batches import pad_batch

# %%
check("pad_batch", pad_batch)

# %% [markdown]
# Padding costs as much time as text. If a sentence of three words shares a batch with one of sixty, 95 % of its row is wasted. The fix is
# to batch sentences of similar length, in **buckets**, and to measure a batch by the numbers it contains, rows × longest, instead of by its
# rows.

# %% [markdown]
# ### Exercise: `bucket_batches` (4 points, 25 minutes)
#
# **What.** Return batches of indices into the list of lengths. Go through the sentences sorted by length and add each to the current batch,
# until the next no longer fits.
#
# **Shapes.** `lengths`: a list of ints; `max_tokens`: the most a batch may contain, including padding → a list of lists of ints.
#
# **Must hold.** Every index comes exactly once. Rows × longest is at most `max_tokens`; a longer sequence gets its own batch. No batch
# is empty. In the order of their lengths, a batch ends only where the next sequence no longer fits. The generator decides the order of the
# batches, and which sequences of equal length share a batch. Nothing else does: the same state of the generator gives the same batches.
# <!-- Broken by: the last batch lost; the limit passed by one row; an empty batch before a long sequence; room for one
# left; batches in the order of their lengths | equal lengths in the order in which they come; the generator not
# used -->
#
# **Used for.** Training the translator of stage 10.
#
# <details><summary>Hint 1: shuffle, then sort</summary><code>torch.randperm(n, generator=generator).tolist()</code>, and
# <code>sorted</code> with the length as its key: Python's sort keeps equal items in the order it finds them.</details>
# <details><summary>Hint 2: does one more fit?</summary>Going up from the shortest, the next sequence is always the longest of the batch:
# <code>(len(batch) + 1) * lengths[i] &lt;= max_tokens</code>.</details>
# <details><summary>Hint 3: shuffle again</summary>Now the batches are sorted by length. Draw a second random order, for the
# batches.</details>

# %% exercise="bucket_batches"
from course_lib.text.batches import bucket_batches

# %%
check("bucket_batches", bucket_batches)

# %% tags=["picture"]
with needs_your("Vocabulary", "pad_batch", "bucket_batches"):
    vocabulary = Vocabulary(sentences)
    short = [vocabulary.encode(sentence) for sentence in sentences if len(sentence) <= 80]
    lengths, generator = [len(ids) for ids in short], torch.Generator().manual_seed(0)
    buckets = bucket_batches(lengths, 1000, generator)
    mixed = torch.randperm(len(short), generator=generator).tolist()
    mixed = [mixed[i : i + 13] for i in range(0, len(mixed), 13)]  # 13 rows of up to 80
    both = {"in random order": mixed, "in buckets": buckets}
    pictures.padding(
        {name: [pad_batch([short[i] for i in batch])[1] for batch in batches] for name, batches in both.items()}
    )

# %% [markdown]
# With each of six seeds 57 % of the numbers were padding in random order, and 1.8 % in buckets: the same text in rectangles less than half
# the size. The time per step follows their size.

# %% [markdown]
# And if a colleague forgets the last step, the shuffle? Here's a small model that sees 2 to 30 of 40 symbols without their order, as the sum
# of their embeddings, and must say which came first. It's trained for four epochs on the same buckets: once in random order, once from short
# to long.


# %% tags=["picture"]
def losses_of(rows, batches):
    """The loss of each step of a model that sees the sum of each row of symbols, and names the first of them."""
    torch.manual_seed(0)
    embedding, output = nn.Embedding(41, 64, padding_idx=PAD), nn.Linear(64, 41)
    optimizer, line = torch.optim.Adam([*embedding.parameters(), *output.parameters()], lr=0.02), []
    for batch in batches:
        tokens, _ = pad_batch([rows[i] for i in batch])  # [B, T]
        loss = F.cross_entropy(output(embedding(tokens).sum(1)), tokens[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        line.append(loss.item())
    return line


with needs_your("pad_batch", "bucket_batches"):
    generator = torch.Generator().manual_seed(0)
    sizes = torch.randint(2, 31, (4000,), generator=generator).tolist()
    rows = [(torch.randperm(40, generator=generator)[:size] + 1).tolist() for size in sizes]
    epochs = [bucket_batches(sizes, 800, generator) for _ in range(4)]
    by_length = [sorted(epoch, key=lambda batch: sizes[batch[-1]]) for epoch in epochs]
    orders = {"short ones first": by_length, "in random order": epochs}
    pictures.sawtooth({name: losses_of(rows, sum(order, [])) for name, order in orders.items()}, len(epochs[0]))

# %% [markdown]
# ### Question: sorted, not shuffled (2 points, 5 minutes)
#
# <!-- variant: first -->
# In every epoch of the colleague's training the batches come from short to long. It works, but the loss over the steps
# looks like a sawtooth: it falls, climbs towards the end of each epoch, and drops again when the next one starts. Where do the teeth come
# from? Name an effect on the *weights* too, and say how you'd tell such a sawtooth from a learning rate that's too high. A person will
# grade this answer.
# <!-- variant: second -->
# Another colleague leaves out the shuffle too, but in her training each epoch runs from the *long* sentences to the short ones. The loss
# falls nicely during every epoch, and jumps up when the next one starts. “It learns quickly and forgets everything overnight,” she says.
# Where does this pattern really come from? Name an effect on the *weights* too, and say how you'd find out whether the model forgets at the
# end of an epoch. A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="short_ones_first" points=2
# BEGIN SOLUTION
# <!-- variant: first -->
# Long sentences are harder: for the same weights their loss is higher. So the curve climbs when they come and falls when the
# short ones are back; it shows the order of the data, not the progress. The weights suffer too. Neighbouring batches are alike: early in
# the epoch all gradients pull towards short sentences, at its end towards long ones (and batches of long sentences have fewer rows, so they
# are noisier). The model partly forgets what it knew about the other lengths, and at each jump the optimiser's momentum belongs to the
# wrong ones. To tell the two apart, evaluate on a fixed set every few steps: with the sawtooth that curve falls smoothly, or nearly so;
# with too high a rate it climbs as well. Or look at the period: a sawtooth repeats exactly once per epoch.
#
# Rubric:
#
# - 1 point: the teeth: for the same weights long sentences have a higher loss, so the curve shows the order of the data; and one effect on
#   the weights (one-sided gradients, forgetting, momentum from the wrong lengths)
# - 1 point: a way to tell it from a high rate: a fixed evaluation set, or the period of exactly one epoch
# <!-- variant: second -->
# Long sentences are harder: for the same weights their loss is higher. So the curve falls as the sentences get shorter, and
# jumps when the long ones are back; it shows the order of the data, not what was learned or forgotten. The weights suffer
# too. Neighbouring batches are alike: at the start of an epoch all gradients pull towards long sentences, at its end towards
# short ones, so the model partly forgets what it knew about the other lengths, and at each jump the optimiser's momentum
# belongs to the wrong ones. To find out, evaluate on a fixed set every few steps, for instance just before and just after the
# jump: if that curve falls smoothly, the jump was the order. Or shuffle the batches and see whether the jumps are gone.
#
# Rubric:
#
# - 1 point: the pattern: for the same weights long sentences have a higher loss, so the curve shows the order of the data;
#   and one effect on the weights (one-sided gradients, forgetting, momentum from the wrong lengths)
# - 1 point: a way to find out: a fixed evaluation set around the jump, or shuffled batches
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## 9.5 Numbers into vectors
#
# An id is a name, not a quantity: word 17 isn't half of word 34. The honest way to write a name as numbers is **one-hot**: a row of zeros
# with a single 1. The first layer then multiplies it by a matrix,
#
# $$\underbrace{(0, \dots, 0, 1, 0, \dots, 0)}_{\text{one-hot, } V \text{ numbers}} \; E = \text{row } i \text{ of } E,$$
#
# and nearly all of this product is multiplication by zero. So instead of multiplying, you look the row up. A table of such rows is an
# **embedding**.

# %% [markdown]
# ### Exercise: `TokenEmbedding` (3 points, 15 minutes)
#
# **What.** A module with one parameter, `table` [vocab_size, dim] (an `nn.Parameter`). `forward` looks rows up and multiplies them by √dim.
# The Transformer does this, too. One reason: its table is also the output layer. It needs small numbers there and numbers of order 1 here.
#
# **Shapes.** tokens [...] of any shape → [..., dim].
#
# **Must hold.** Every row is multiplied by √dim, including the row of `pad`, which isn't zero in a table trained elsewhere. The row of `pad`
# is zero at the start. The other entries start with a standard deviation of about 1/√dim. The look-up gives the row of `pad` no gradient.
# <!-- Broken by: not scaled | pad always zeros; the row of pad random; not divided by the root | uniform up to 1/√dim;
# a gradient for the row of pad -->
#
# **Used for.** The first layer of every model from here on.
#
# <details><summary>Hint 1: the table</summary><code>torch.randn(vocab_size, dim) / dim**0.5</code>; fill the row of pad with zeros, then
# make it a parameter.</details>
# <details><summary>Hint 2: no gradient for one row</summary><code>F.embedding(tokens, table, padding_idx=pad)</code>.</details>

# %% exercise="TokenEmbedding"
from course_lib.model.embedding import TokenEmbedding

# %%
check("TokenEmbedding", TokenEmbedding)

# %% [markdown]
# Here's the proof in numbers: the values are the same, and so is the gradient. Only the time differs.

# %% tags=["picture"]
with needs_your("TokenEmbedding"):
    embed = TokenEmbedding(4000, 256)
    tokens = torch.randint(1, 4000, (32, 40), generator=torch.Generator().manual_seed(0))  # no padding
    clock = time.perf_counter()
    looked_up = embed(tokens)
    middle = time.perf_counter()
    multiplied = F.one_hot(tokens, 4000).float() @ embed.table * 256**0.5
    end = time.perf_counter()
    grads = [torch.autograd.grad((vectors**2).sum(), embed.table)[0] for vectors in (looked_up, multiplied)]
    print(f"largest difference of the vectors: {(looked_up - multiplied).abs().max():.1e}")
    print(
        f"largest difference of the gradients: {(grads[0] - grads[1]).abs().max() / grads[0].abs().max():.1e} of the largest"
    )
    print(f"look-up {1000 * (middle - clock):.1f} ms, one-hot times matrix {1000 * (end - middle):.1f} ms")

# %% [markdown]
# ## 9.6 What a word finds
#
# A table of vectors is a memory, and attention is a soft look-up in it: compare with every row, take a weighted mean. What does the word
# *bank* find? The columns of a trained table have no names, so here's one made by hand, in which they do:

# %%
words = [*BY_HAND]
vectors = by_hand(words)  # [11, 4]
print(" " * 6, *(f"{axis:>6}" for axis in AXES))
for word, vector in zip(words, vectors.tolist()):
    print(f"{word:6}", *(f"{entry:6.1f}" for entry in vector))

# %% [markdown]
# *bank* has as much *money* as *water*: on its own it means both. *Predict, then look:* which word does *bank* find first? Move the
# temperature, by which the scores are divided, to both ends; then clear the tick.

# %%
word_lookup(words, vectors, "bank")

# %% [markdown]
# **The trap.** *bank* finds itself first, and gives itself half of the weight. Lower the temperature and it gets worse: at 0.1 only the
# word itself is left, and the look-up tells you nothing new. At 100 every word gets the same weight, which tells you nothing either. If you
# forbid it to find itself, *bank* finds *shore*, and *money* is far behind. (The √d of stage 1 is such a temperature.) Try the other words
# as well: four of the eleven do *not* find themselves first. The question at the end of this section asks why.
#
# In a sentence the memory isn't the dictionary but the *other words*. So the same *bank* comes out differently:

# %% tags=["picture"]
with needs_your("softmax"):
    texts = "she lends money to the bank", "she swims to the river bank"
    x, found = {text: by_hand(text.split()) for text in texts}, {}  # [6, 4] each
    for itself in (True, False):
        for text in texts:
            scores = x[text] @ x[text].T  # [6, 6]
            if not itself:
                scores.fill_diagonal_(-torch.inf)
            mean = found[itself, text] = softmax(scores, dim=-1)[-1] @ x[text]  # [4], what bank finds
            print(f"{'with' if itself else 'without'} itself, “{text}”: money {mean[0]:.2f}, water {mean[1]:.2f}")
    pictures.what_bank_becomes(x, found)

# %% [markdown]
# That's what the first layers of a Transformer do: next to *money*, *bank* moves towards money; next to *river*, towards water. If it may
# find itself it hardly moves; if it may not, it moves so far that the *bank* in it is lost. The Transformer has two fixes, and you know
# both:
#
# - queries and keys have **separate projections**, so a word can ask for something other than itself;
# - the result is **added** to the input (the residual connection), so *bank* stays and *of the river* is added to it.
#
# Does this work with vectors that were learned, not made up? If you have the extra `words` installed (`pip install
# 'attention-workshop[words]'`), look at some:

# %% tags=["picture"]
looked_at = ["bank", "money", "loan", "river", "shore", "water", "house"]
real = learned(looked_at)
if real is None:
    print("Without the extra `words` there are no learned vectors here: the rest of the page does not need them.")
else:
    directions = F.normalize(real, dim=-1)
    for word, cosine in zip(looked_at[1:], (directions @ directions[0])[1:].tolist()):
        print(f"bank and {word:6} {cosine:5.2f}  {'#' * round(40 * cosine)}")

# %% [markdown]
# In the vectors of `wordllama` *bank* is close to *loan* (a cosine of 0.36) and *money* (0.33), and only half as close to *river* (0.15)
# and *shore* (0.13): most banks people write about have money. A table has one row per word, and that row is a compromise. Untangling it
# takes a sentence, and attention.

# %% [markdown]
# ### Question: why does a word find itself? (2 points, 5 minutes)
#
# <!-- variant: first -->
# With scores x·xᵀ and no projections, what must be true of another word for a word to find *that* one first? Find two vectors that show it,
# and name one such pair in the table above. Then say in one sentence how the projections W_q and W_k of stage 2 let *bank* ask *what kind
# of thing is next to me?* A person will grade this answer.
# <!-- variant: second -->
# A friend divides every row of the table above by its length before he compares, still with scores x·xᵀ and without projections. Which word
# does each word find first now, and why? Name a word of the table for which this is a change, and show with two vectors of your own how a
# word could find another one before. Then say in one sentence how the projections W_q and W_k of stage 2 let *she* ask *what is being done
# here?* A person will grade this answer.
# <!-- end of variants -->

# %% [markdown] question="why_a_word_finds_itself" points=2
# BEGIN SOLUTION
# <!-- variant: first -->
# The score of a word with itself is the square of its length, |x|²; with another one it is |x| |y| cos. So a longer vector
# wins if it points in about the same direction: x = (1, 0) finds y = (3, 1) with 3, itself with 1. In the table *loan* finds *money*, *she*
# finds *swims*, *the* finds *bank*, and *to* finds *house*. (With vectors of equal length a word does find itself first, or ties with a
# twin.) With projections the score is x W_q W_kᵀ yᵀ: the query need not point where the key of the same word points. If W_q turns the axis
# *place* of *bank* into a question about *money* and *water*, and W_k lets words answer with exactly these two, then *money* and *river*
# score higher than *bank* itself.
#
# Rubric:
#
# - 1 point: the other word's vector is longer and points in about the same direction; two vectors and a pair from the table show it
# - 1 point: with W_q and W_k a word's query needn't point where its own key points, so it can ask for another kind of word
# <!-- variant: second -->
# Every word finds itself first. With rows of length 1 the score is the cosine of the angle between two words. It is at most
# 1, and only a vector in the same direction reaches that: the word itself, or a twin. Before, *loan* found *money*, *she*
# found *swims*, *the* found *bank* and *to* found *house*: the score was |x| |y| cos, and a longer vector that points in
# about the same direction beats |x|². For instance x = (1, 0) finds y = (3, 1) with 3, itself with 1; divided by its length,
# y is (0.95, 0.32), and the score falls to 0.95. With projections the score is x W_q W_kᵀ yᵀ: if W_q turns *she* into a
# question about the axis *doing*, and W_k lets words answer with their entry there, then *lends* and *swims* score higher
# than *she* itself.
#
# Rubric:
#
# - 1 point: itself, because a cosine is at most 1; before, a longer vector in about the same direction won; two vectors and a
#   word from the table show it
# - 1 point: with W_q and W_k a word's query needn't point where its own key points, so it can ask for another kind of word
# <!-- end of variants -->
# END SOLUTION

# %% [markdown]
# ## 9.7 Who decides what is near?
#
# In every layer each position receives something from others. The layers differ in *who decides* from which. Below are four layers on two
# sentences of six words; row i shows how much each word counts in the result at position i.

# %% tags=["picture"]
with needs_your("softmax"):
    torch.manual_seed(1)
    place = torch.arange(6)
    dense = torch.randn(6, 6).abs()
    kernel = torch.tensor([0.25, 0.5, 0.25])
    convolution = sum(weight * (place[None, :] - place[:, None] == shift) for shift, weight in zip((-1, 0, 1), kernel))
    heads = {texts[0]: [1, 1, 1, 5, 5, 1], texts[1]: [1, 1, 5, 5, 5, 1]}  # the word that each word depends on
    layers = {}
    for text in texts:
        tree = F.one_hot(torch.tensor(heads[text]), 6) + torch.eye(6)
        edges = (tree + tree.T) > 0
        x = by_hand(text.split())
        layers[text] = {
            "dense: the weights": dense / dense.sum(dim=1, keepdim=True),
            "convolution: the distance": convolution,
            "graph: the given edges": edges / edges.sum(dim=1, keepdim=True),
            "attention: the words": softmax(x @ x.T, dim=-1),
        }
    pictures.who_decides(layers)

# %% [markdown]
# | layer | who decides which positions count | when | weights for T positions |
# |---|---|---|---|
# | dense | learned weights, one for each pair of positions | in training; then the same for all sentences | T² |
# | convolution | the architect: nearby positions | before training | the width of the kernel |
# | graph | the data: positions joined by an edge | with each graph | none for the positions |
# | attention | the words themselves, by their content | in each sentence | none for the positions |
#
# From the upper to the lower row of the picture the first two maps don't change; the third changes because the edges are different, the
# last because the words are. Attention is the layer that *learns its own neighbourhood*. The price is that it doesn't know about order:
# swap two words, and their rows and columns swap with them. That's why stage 3 had to add positions.

# %% [markdown]
# ## What you have now
#
# You have gone from a string to a tensor, and you wrote every step by hand: pieces, ids, batches, vectors. [Stage 10](10_translation.ipynb)
# feeds such batches to a Transformer.
