"""Stage 06: the schedule, the predictor of the tasks, one step of training."""

from autograder.catalogue.training.cosine_warmup import COSINE_WARMUP
from autograder.catalogue.training.predictor import PREDICTOR
from autograder.catalogue.training.train_step import TRAIN_STEP

EXERCISES = (COSINE_WARMUP, PREDICTOR, TRAIN_STEP)
