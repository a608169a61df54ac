"""What a good assistant would say of each wrong way to write `MultiheadAttention`."""

from autograder.catalogue.exercise import Misconception
from autograder.catalogue.multi_head import multihead_mistakes as wrong
from autograder.catalogue.multi_head.multihead_heads_misconceptions import OF_HEADS
from autograder.catalogue.multi_head.multihead_mask_misconceptions import OF_MASKS
from autograder.catalogue.multi_head.multihead_parameters_misconceptions import OF_PARAMETERS
from autograder.catalogue.multi_head.multihead_result_misconceptions import OF_THE_RESULT
from autograder.catalogue.multi_head.multihead_shares import Share
from autograder.catalogue.multi_head.multihead_weights_misconceptions import OF_WEIGHTS
from autograder.catalogue.multi_head.said_of_both import SAID

OF_THE_OUTPUT = (
    Misconception(
        "no output projection",
        wrong.NoOutputProjection,
        "o_proj is made but never called: the heads are merged and not mixed.",
        "What comes after the merge in the formula?",
        (Share.VALUES, Share.GRADIENTS),
    ),
    Misconception(
        "residual inside",
        wrong.WithResidual,
        "You add the input to the output; the residual belongs to the block of stage 4, not to the attention.",
        "What would the layer do when input_dim and embed_dim differ?",
        (Share.VALUES, Share.WIDTH),
    ),
    Misconception(
        "ReLU before the output projection",
        wrong.WithReLU,
        "There is no non-linearity between the merge and o_proj.",
        "What comes after the merge in the formula?",
        (Share.VALUES,),
    ),
)

OF_CALLS = (
    Misconception(
        "the first mask kept",
        wrong.KeepsTheMask,
        *SAID["the first mask kept"],
        (Share.SAMPLES,),
    ),
    Misconception(
        "the first projection kept",
        wrong.KeepsTheProjection,
        "Your layer keeps what it made of the first x and uses it for every later call.",
        "Which of your attributes outlive a call of forward?",
        (Share.SAMPLES,),
    ),
    Misconception(
        "dropout by default",
        wrong.DropoutByDefault,
        *SAID["dropout by default"],
        (Share.SAMPLES,),
        shown_by="in training the same tokens give other numbers",
    ),
    Misconception(
        "batch and tokens exchanged",
        wrong.BatchSecond,
        "Your layer takes the first axis for the tokens, so samples attend to each other. x is [B, T, input_dim].",
        "Which axis of x counts the samples?",
        (Share.VALUES, Share.WIDTH, Share.MASK, Share.MASKS, Share.RETURNED, Share.SAMPLES),
    ),
)

OF_REFUSAL = (
    Misconception(
        "not checked",
        wrong.Unchecked,
        "26 features cannot be shared out among 7 heads, and your layer does not say so.",
        "What would each head get?",
        (Share.REFUSAL,),
    ),
    Misconception(
        "an assert in the place of a ValueError",
        wrong.Asserted,
        "Asserts vanish under `python -O`, and callers expect a ValueError for a wrong argument.",
        "How does one raise an exception of a chosen kind?",
        (Share.REFUSAL,),
    ),
    Misconception(
        "an error without the numbers",
        wrong.WithoutNumbers,
        "Your ValueError does not say which embed_dim and which num_heads came.",
        "What would you want to read if it happened to you?",
        (Share.REFUSAL,),
        shown_by="the message of ValueError does not mention 26, 7",
    ),
    Misconception(
        "input_dim checked in the place of embed_dim",
        wrong.InputChecked,
        "It is embed_dim that the heads share out; input_dim may be any number.",
        "Which of the two widths is cut into heads?",
        (Share.REFUSAL, Share.WIDTH, Share.PARAMETERS),
    ),
)

OF_GRADIENTS = (
    Misconception(
        "cut from the graph",
        wrong.CutFromTheGraph,
        "Queries, keys and values are cut off from their projection, so it cannot learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "scores cut from the graph",
        wrong.ScoresCutOff,
        "Queries and keys are cut off from the output: only the values learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "values cut from the graph",
        wrong.ValuesCutOff,
        "The values are cut off from the output: only queries and keys learn.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
        (Share.GRADIENTS,),
    ),
    Misconception(
        "a bias forgotten",
        wrong.WithoutItsBias,
        "The bias of your o_proj has no effect.",
        "What does a Linear do besides the matrix product?",
        (Share.VALUES, Share.GRADIENTS),
    ),
)

MISCONCEPTIONS = (
    *OF_HEADS,
    *OF_THE_OUTPUT,
    *OF_WEIGHTS,
    *OF_CALLS,
    *OF_PARAMETERS,
    *OF_THE_RESULT,
    *OF_REFUSAL,
    *OF_GRADIENTS,
    *OF_MASKS,
)
