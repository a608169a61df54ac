"""Stage 09: byte pairs, a vocabulary, padding, buckets, and a table of word vectors."""

from autograder.catalogue.words.apply_bpe import APPLY_BPE
from autograder.catalogue.words.bucket_batches import BUCKET_BATCHES
from autograder.catalogue.words.learn_bpe import LEARN_BPE
from autograder.catalogue.words.pad_batch import PAD_BATCH
from autograder.catalogue.words.token_embedding import TOKEN_EMBEDDING
from autograder.catalogue.words.vocabulary import VOCABULARY

EXERCISES = (LEARN_BPE, APPLY_BPE, VOCABULARY, PAD_BATCH, BUCKET_BATCHES, TOKEN_EMBEDDING)
