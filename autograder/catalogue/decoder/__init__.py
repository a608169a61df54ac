"""Stage 05: the decoder's input, its block, the stack, the whole model, its loss, and its words."""

from autograder.catalogue.decoder.decoder_block import DECODER_BLOCK
from autograder.catalogue.decoder.greedy_decode import GREEDY_DECODE
from autograder.catalogue.decoder.seq2seq import SEQ2SEQ
from autograder.catalogue.decoder.sequence_loss import SEQUENCE_LOSS
from autograder.catalogue.decoder.shift_right import SHIFT_RIGHT
from autograder.catalogue.decoder.transformer_decoder import TRANSFORMER_DECODER

EXERCISES = (SHIFT_RIGHT, DECODER_BLOCK, TRANSFORMER_DECODER, SEQ2SEQ, SEQUENCE_LOSS, GREEDY_DECODE)
