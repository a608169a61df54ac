"""Stage 05: the decoder's input, its block, the stack, the whole model, its loss, and its words."""

from autograder.exercises.decoder.decoder_block import DECODER_BLOCK
from autograder.exercises.decoder.greedy_decode import GREEDY_DECODE
from autograder.exercises.decoder.seq2seq import SEQ2SEQ
from autograder.exercises.decoder.sequence_loss import SEQUENCE_LOSS
from autograder.exercises.decoder.shift_right import SHIFT_RIGHT
from autograder.exercises.decoder.transformer_decoder import TRANSFORMER_DECODER

EXERCISES = (SHIFT_RIGHT, DECODER_BLOCK, TRANSFORMER_DECODER, SEQ2SEQ, SEQUENCE_LOSS, GREEDY_DECODE)
