"""Stage 12: a step of a GRU, two scores of old, a decoder that attends, and attention on a graph."""

from autograder.catalogue.origins.additive_attention import ADDITIVE_ATTENTION
from autograder.catalogue.origins.attentive_decoder import ATTENTIVE_DECODER
from autograder.catalogue.origins.bilinear_attention import BILINEAR_ATTENTION
from autograder.catalogue.origins.graph_attention import GRAPH_ATTENTION
from autograder.catalogue.origins.gru_step import GRU_STEP

EXERCISES = (GRU_STEP, ADDITIVE_ATTENTION, BILINEAR_ATTENTION, ATTENTIVE_DECODER, GRAPH_ATTENTION)
