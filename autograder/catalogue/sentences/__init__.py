"""Stage 11: sentences in one vector, words hidden and guessed, and what was learned of people."""

from autograder.catalogue.sentences.amplification import AMPLIFICATION
from autograder.catalogue.sentences.candidate_odds import CANDIDATE_ODDS
from autograder.catalogue.sentences.cls_classifier import CLS_CLASSIFIER
from autograder.catalogue.sentences.mask_tokens import MASK_TOKENS
from autograder.catalogue.sentences.masked_lm_loss import MASKED_LM_LOSS
from autograder.catalogue.sentences.masked_mean import MASKED_MEAN
from autograder.catalogue.sentences.sentence_classifier import SENTENCE_CLASSIFIER

EXERCISES = (
    MASKED_MEAN,
    SENTENCE_CLASSIFIER,
    CLS_CLASSIFIER,
    MASK_TOKENS,
    MASKED_LM_LOSS,
    CANDIDATE_ODDS,
    AMPLIFICATION,
)
