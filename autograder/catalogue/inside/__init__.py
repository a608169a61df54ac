"""Stage 14: scores of heads, ablation, patching and the logit lens."""

from autograder.catalogue.inside.ablation import ABLATION_LOSSES
from autograder.catalogue.inside.induction import INDUCTION_SCORE
from autograder.catalogue.inside.lens import LOGIT_LENS
from autograder.catalogue.inside.patching import PATCH_HEADS
from autograder.catalogue.inside.previous_token import PREVIOUS_TOKEN_SCORE

EXERCISES = (PREVIOUS_TOKEN_SCORE, INDUCTION_SCORE, ABLATION_LOSSES, PATCH_HEADS, LOGIT_LENS)
