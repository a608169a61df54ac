"""Stage 06: the schedule, one step of training, the predictor of the tasks."""

from autograder.exercises.training.cosine_warmup import COSINE_WARMUP
from autograder.exercises.training.predictor import PREDICTOR
from autograder.exercises.training.train_step import TRAIN_STEP

EXERCISES = (COSINE_WARMUP, TRAIN_STEP, PREDICTOR)
