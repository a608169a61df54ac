"""What a decoder that does something else with its blocks is told, and what it loses."""

from autograder.catalogue.decoder import transformer_decoder_mistakes as wrong
from autograder.catalogue.exercise import Misconception

CHAIN, MASK = "layers one after another, all with the same memory", "the mask reaches every layer"
MEMORY_MASK, OWN = "the memory mask reaches every layer", "every layer has parameters of its own"
ARGUMENTS = "the blocks get their arguments"

MISCONCEPTIONS = (
    Misconception(
        "mask for the first layer only",
        wrong.MaskForTheFirst,
        "Only the first layer gets the mask; the others see what it hides.",
        "What is the value of `mask` in the second round of your loop?",
        (MASK,),
    ),
    Misconception(
        "memory mask for the first layer only",
        wrong.MemoryMaskForTheFirst,
        "Only the first layer gets the memory mask; the others read the padding.",
        "What is the value of `memory_mask` in the second round of your loop?",
        (MEMORY_MASK,),
    ),
    Misconception(
        "mask dropped",
        wrong.MaskDropped,
        "The mask does not reach the layers.",
        "With which arguments do you call each layer?",
        (MASK,),
    ),
    Misconception(
        "memory mask dropped",
        wrong.MemoryMaskDropped,
        "The memory mask does not reach the layers.",
        "With which arguments do you call each layer?",
        (MEMORY_MASK,),
    ),
    Misconception(
        "both masks dropped",
        wrong.BothMasksDropped,
        "Neither of the two masks reaches the layers.",
        "With which arguments do you call each layer?",
        (MASK, MEMORY_MASK),
    ),
    Misconception(
        "masks exchanged",
        wrong.MasksExchanged,
        "The layers get the memory mask where they expect the mask, and the other way round.",
        "In which order does DecoderBlock take its masks?",
        (MASK, MEMORY_MASK),
    ),
    Misconception(
        "all layers get the input",
        wrong.SideBySide,
        "Every layer starts again from the first x, and only the last one's result is kept.",
        "What does the second layer take in?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "layers backwards",
        wrong.Backwards,
        "The layers run from the last to the first: weights from elsewhere would not fit.",
        "Which layer sees the tokens first?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "last layer forgotten",
        wrong.LastLayerForgotten,
        "The last layer is never called.",
        "How often does your loop run with three layers?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "returns inside the loop",
        wrong.FirstLayerAlone,
        "The return stands inside the loop: the first layer is the only one.",
        "How far is your return indented?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "memory replaced by the output",
        wrong.MemoryReplaced,
        "After the first layer the memory is gone: the others attend to the layer before.",
        "Should the second layer still be able to read the source?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "memory forgotten",
        wrong.MemoryForgotten,
        "The layers get the tokens in the place of the memory: nothing of the source is read.",
        "What is the second argument of DecoderBlock?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "a residual around each block",
        wrong.ResidualAroundEach,
        "The blocks have their residuals inside; you add one more around each.",
        "Where are the plus signs of figure 1?",
        (CHAIN, MASK, MEMORY_MASK),
    ),
    Misconception(
        "a norm at the end",
        wrong.NormAtTheEnd,
        "A last norm belongs to pre-norm models; here every block ends with one already.",
        "Which parameters has your decoder besides those of its layers?",
        (CHAIN, MASK, MEMORY_MASK, OWN),
    ),
    Misconception(
        "one block for all layers",
        wrong.OneBlockForAll,
        "The same block stands in every place: the layers share their weights.",
        "What does `[block] * 3` repeat, the block or its construction?",
        (OWN,),
    ),
    Misconception(
        "a Python list",
        wrong.PythonList,
        "A Python list hides its modules: .parameters() does not find them, so nothing is trained.",
        "What does nn.ModuleList do that a list does not?",
        (OWN, ARGUMENTS),
    ),
    Misconception(
        "one layer too many",
        wrong.OneLayerMore,
        "You build one layer more than num_layers.",
        "How many times does your loop run?",
        (CHAIN, MASK, MEMORY_MASK, OWN),
    ),
    Misconception(
        "a fixed number of heads",
        wrong.OneHead,
        "The blocks always have one head, whatever num_heads says.",
        "Which of the block's arguments are handed on?",
        (ARGUMENTS,),
    ),
    Misconception(
        "a fixed feed-forward",
        wrong.FixedWidth,
        "The feed-forwards have a width of their own choice, whatever dim_feedforward says.",
        "Which of the block's arguments are handed on?",
        (OWN,),
    ),
    Misconception(
        "a fixed number of layers",
        wrong.FixedDepth,
        "There are always three layers, whatever num_layers says.",
        "How many times does your loop run?",
        (OWN,),
    ),
    Misconception(
        "a dropout of your own",
        wrong.DropoutByHabit,
        "The blocks drop while training although they were asked for dropout=0.0.",
        "Which probability do your blocks get?",
        (ARGUMENTS,),
    ),
    Misconception(
        "the memory cut off",
        wrong.MemoryCutOff,
        "The numbers are right, but the memory is cut out of autograd: an encoder before this would never learn.",
        "Which call takes the memory out of autograd?",
        (OWN,),
    ),
    Misconception(
        "cut between the layers",
        wrong.CutBetweenLayers,
        "The numbers are right, but each layer's input is cut out of autograd: only the last layer learns.",
        "Which call takes x out of autograd?",
        (OWN,),
    ),
    Misconception(
        "dropout not handed on",
        wrong.NoDropout,
        "The blocks never hear of dropout.",
        "Which of the block's arguments are handed on?",
        (ARGUMENTS,),
    ),
)
