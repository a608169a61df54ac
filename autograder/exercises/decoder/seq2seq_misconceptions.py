"""What a model that does something else is told, and what it loses."""

from autograder.exercise import Misconception
from autograder.exercises.decoder import seq2seq_mistakes as wrong

NUMBERS, LOGITS = "the numbers of the paper's model", "logits for every target token"
CAUSAL, SOURCE = "no later target token is seen, the present one is", "the source is heard, its padding is not"
ORDER, DROPOUT = "order matters", "dropout while training, and only then"
GRADIENTS = "gradients reach every parameter"

MISCONCEPTIONS = (
    Misconception(
        "probabilities instead of logits",
        wrong.Probabilities,
        "The softmax belongs to the loss: cross-entropy on probabilities cannot come near 0.",
        "What does `F.cross_entropy` expect, logits or probabilities?",
        (NUMBERS, LOGITS),
    ),
    Misconception(
        "log-probabilities instead of logits",
        wrong.LogProbabilities,
        "The log_softmax belongs to the loss; the model ends with its last Linear.",
        "What does `F.cross_entropy` apply to what it is given?",
        (NUMBERS,),
    ),
    Misconception(
        "embeddings not scaled",
        wrong.NotScaled,
        "The embeddings are not multiplied by √model_dim before the positions are added.",
        "What does section 3.4 of the paper do to the embeddings?",
        (NUMBERS,),
    ),
    Misconception(
        "scaled by the width",
        wrong.ScaledByTheWidth,
        "The embeddings are multiplied by model_dim, not by its root.",
        "What does section 3.4 of the paper do to the embeddings?",
        (NUMBERS,),
    ),
    Misconception(
        "positions scaled as well",
        wrong.ScaledWithPositions,
        "You multiply by √model_dim after the positions have been added.",
        "Which comes first, the factor or the positions?",
        (NUMBERS,),
    ),
    Misconception(
        "source without positions",
        wrong.SourceWithoutPositions,
        "The source has no positions: to the encoder it is a bag of words.",
        "What tells the encoder which word comes first?",
        (NUMBERS, ORDER),
    ),
    Misconception(
        "target without positions",
        wrong.TargetWithoutPositions,
        "The target has no positions: a token knows which ones came before it, and not in which order.",
        "What tells the decoder which of two earlier tokens is the later one?",
        (NUMBERS, ORDER),
    ),
    Misconception(
        "no positions",
        wrong.NoPositions,
        "Neither source nor target has positions: the model reads and writes bags of words.",
        "Where in forward do you use the positional encoding?",
        (NUMBERS, ORDER),
    ),
    Misconception(
        "the encoder sees the padding",
        wrong.EncoderSeesPadding,
        "The decoder skips the padding of the source, but the encoder has already mixed it into the memory.",
        "Who else attends to source tokens, besides the cross-attention?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "the decoder sees the padding",
        wrong.DecoderSeesPadding,
        "The encoder gets the mask, the cross-attention does not: it reads what the encoder made of the padding.",
        "Which of the decoder's two masks is about the source?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "source mask dropped",
        wrong.MaskDropped,
        "src_mask is never used: the padding of the source is read like words.",
        "Where in forward does `src_mask` appear?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "source mask inverted",
        wrong.MaskInverted,
        "The model reads the padding of the source and nothing else.",
        "Is True a real token, or padding?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "0 taken for padding",
        wrong.ZeroIsPadding,
        "You make a mask of your own, from token 0, and leave src_mask unused.",
        "Who decides what is padding: the model, or the one who calls it?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "mask without an axis for the queries",
        wrong.MaskUnchanged,
        "A mask with two axes is read as [queries, keys]; src_mask is [batch, keys].",
        "How can src_mask become a mask [B, 1, T_src]?",
        (NUMBERS, SOURCE),
    ),
    Misconception(
        "encoder not used",
        wrong.NoEncoder,
        "The decoder reads the embedded source; the encoder is built and never called.",
        "What is the memory?",
        (NUMBERS, GRADIENTS),
    ),
    Misconception(
        "the memory is made of the target",
        wrong.MemoryOfTheTarget,
        "The encoder reads the target: the source is never heard, and every later target token is.",
        "Which of the two sequences goes through the encoder?",
        (NUMBERS, CAUSAL, SOURCE, ORDER, GRADIENTS),
    ),
    Misconception(
        "tokens and memory exchanged",
        wrong.Exchanged,
        "The decoder is given the memory as its tokens and the target as its memory.",
        "How many logits must there be: one for each target token, or for each source token?",
        (NUMBERS, LOGITS, CAUSAL, SOURCE),
    ),
    Misconception(
        "encoder in the place of the decoder",
        wrong.EncoderForTheTarget,
        "Source and target go through the encoder together: every target token sees the later ones.",
        "Which of your modules is causal?",
        (NUMBERS, CAUSAL, SOURCE, GRADIENTS),
    ),
    Misconception(
        "target shifted inside",
        wrong.ShiftsTheTarget,
        "Your model shifts the target itself; `tgt` comes already shifted.",
        "If the caller shifts too, which token is the guess at t about?",
        (NUMBERS, CAUSAL),
    ),
    Misconception(
        "logits of the last token only",
        wrong.LastTokenOnly,
        "Only the last place is returned; training needs the guess at every place.",
        "How many guesses does one sentence of T tokens teach?",
        (NUMBERS, LOGITS, CAUSAL),
    ),
    Misconception(
        "classes on the second axis",
        wrong.TimeFirst,
        "The logits come as [B, V, T]; the contract is [B, T, V].",
        "Which axis of the output is the vocabulary?",
        (NUMBERS, LOGITS, CAUSAL),
    ),
    Misconception(
        "dropout forgotten",
        wrong.DropoutForgotten,
        "dropout is taken and never handed on.",
        "Which of your modules know the probability?",
        (DROPOUT,),
    ),
    Misconception(
        "blocks without dropout",
        wrong.BlocksWithoutDropout,
        "The embeddings are dropped, the blocks know nothing of it: dropout is not among their arguments.",
        "Which arguments do encoder and decoder get?",
        (DROPOUT,),
    ),
    Misconception(
        "dropout always on",
        wrong.DropoutAlwaysOn,
        "`F.dropout` drops also in eval mode, unless it is told `training=self.training`.",
        "Do two calls in eval mode give the same?",
        (DROPOUT,),
    ),
    Misconception(
        "source embedding cut off",
        wrong.SourceCutOff,
        "The numbers are right, but the source embedding is cut out of autograd: it never learns.",
        "Which call takes your tensor out of autograd?",
        (GRADIENTS,),
    ),
    Misconception(
        "one layer, whatever is asked",
        wrong.OneLayerEach,
        "num_layers is taken and never handed on.",
        "How many blocks have your encoder and your decoder with num_layers=2?",
        (NUMBERS,),
    ),
)
