"""Stage 10: batches of pairs, a smoothed loss, the model that translates, beam search and BLEU."""

from autograder.catalogue.translation.beam_search import BEAM_SEARCH
from autograder.catalogue.translation.bleu import BLEU
from autograder.catalogue.translation.smoothed_loss import SMOOTHED_LOSS
from autograder.catalogue.translation.translation_batch import TRANSLATION_BATCH
from autograder.catalogue.translation.translation_model import TRANSLATION_MODEL

EXERCISES = (TRANSLATION_BATCH, SMOOTHED_LOSS, TRANSLATION_MODEL, BEAM_SEARCH, BLEU)
