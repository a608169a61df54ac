"""Stage 08: stratified splits, sets with an odd one out, their loss, and the symmetry of a model of sets."""

from autograder.catalogue.anomaly.anomaly_loss import ANOMALY_LOSS
from autograder.catalogue.anomaly.equivariance_error import EQUIVARIANCE_ERROR
from autograder.catalogue.anomaly.sample_anomaly_sets import SAMPLE_ANOMALY_SETS
from autograder.catalogue.anomaly.split_per_class import SPLIT_PER_CLASS

EXERCISES = (SPLIT_PER_CLASS, SAMPLE_ANOMALY_SETS, ANOMALY_LOSS, EQUIVARIANCE_ERROR)
