"""Stage 23: training as a fold over batches, of pure functions."""

from autograder.catalogue.jax_training.anomaly_loss import JAX_ANOMALY_LOSS
from autograder.catalogue.jax_training.reverse_loss import JAX_REVERSE_LOSS
from autograder.catalogue.jax_training.schedule import JAX_COSINE_WARMUP
from autograder.catalogue.jax_training.train_epoch import JAX_TRAIN_EPOCH
from autograder.catalogue.jax_training.train_step import JAX_TRAIN_STEP

EXERCISES = (JAX_COSINE_WARMUP, JAX_REVERSE_LOSS, JAX_ANOMALY_LOSS, JAX_TRAIN_STEP, JAX_TRAIN_EPOCH)
