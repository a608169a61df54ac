"""Stage 13: the parts of a language model of today, the model, its loss, and how it writes."""

from autograder.catalogue.language_model.filter_logits import FILTER_LOGITS
from autograder.catalogue.language_model.generate import GENERATE
from autograder.catalogue.language_model.grouped_query import GROUPED_QUERY_ATTENTION
from autograder.catalogue.language_model.language_model import LANGUAGE_MODEL
from autograder.catalogue.language_model.next_token_loss import NEXT_TOKEN_LOSS
from autograder.catalogue.language_model.rms_norm import RMS_NORM
from autograder.catalogue.language_model.rotate import ROTATE
from autograder.catalogue.language_model.swiglu import SWIGLU

EXERCISES = (
    RMS_NORM,
    ROTATE,
    SWIGLU,
    GROUPED_QUERY_ATTENTION,
    LANGUAGE_MODEL,
    NEXT_TOKEN_LOSS,
    FILTER_LOGITS,
    GENERATE,
)
