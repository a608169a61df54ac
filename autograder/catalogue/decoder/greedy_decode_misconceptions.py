"""What decoding that goes wrong is told, and what it loses."""

from autograder.catalogue.decoder import greedy_decode_mistakes as wrong
from autograder.catalogue.exercise import Misconception

FEEDING, ENDING = "the likeliest token, fed back", "each row ends at its own eos and keeps it"
LENGTH, MASK = "max_len counts the tokens after bos", "the source mask reaches the model"

MISCONCEPTIONS = (
    Misconception(
        "starts from eos",
        wrong.starts_from_eos,
        "Your first token is eos; in training every sentence began with bos, so the model has never seen this.",
        "What did the decoder's input begin with in training?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "starts from padding",
        wrong.starts_from_zero,
        "Your first token is 0 (a forgotten `zeros`?); in training every sentence began with bos.",
        "What did the decoder's input begin with in training?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "starts from a fixed token",
        wrong.starts_from_one,
        "Your first token is 1, whatever `bos` says.",
        "Where do you use `bos`?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "bos kept",
        wrong.bos_kept,
        "The result begins with bos; asked for is only what the model said.",
        "Which columns of your tokens come from the model?",
        (FEEDING, ENDING, LENGTH),
    ),
    Misconception(
        "bos counted in max_len",
        wrong.bos_counted,
        "You stop one token early: bos is not among the max_len tokens.",
        "How many times does your loop ask the model?",
        (LENGTH,),
    ),
    Misconception(
        "one token too many",
        wrong.one_step_more,
        "max_len + 1 tokens come back.",
        "How many times does your loop ask the model?",
        (LENGTH,),
    ),
    Misconception(
        "goes on after eos",
        wrong.goes_on_after_eos,
        "A row that has said eos goes on talking until the others have ended too.",
        "Which rows may still choose their next token?",
        (ENDING,),
    ),
    Misconception(
        "eos never looked at",
        wrong.never_stops,
        "You always take max_len tokens as the model says them; nothing happens at eos.",
        "What should a row hold after its eos?",
        (ENDING,),
    ),
    Misconception(
        "stops only when all end together",
        wrong.all_at_once_or_never,
        "You stop when all rows say eos in the same step; rows that said it earlier have gone on talking.",
        "How can you remember that a row ended three steps ago?",
        (ENDING,),
    ),
    Misconception(
        "stops with the first row to end",
        wrong.stops_with_the_first,
        "The first eos of any row ends all of them in mid-sentence.",
        "When may the loop end: when one row has said eos, or when all have?",
        (ENDING,),
    ),
    Misconception(
        "the first row decides",
        wrong.first_row_decides,
        "Only row 0 is asked whether it has ended: written for a batch of one.",
        "What if another row takes longer than row 0?",
        (ENDING,),
    ),
    Misconception(
        "filled with zeros after eos",
        wrong.filled_with_zeros,
        "After its eos a row is filled with 0; the contract is eos to the end.",
        "What does `masked_fill` put into the rows that have ended?",
        (ENDING,),
    ),
    Misconception(
        "eos cut off",
        wrong.eos_cut_off,
        "The eos that ends the longest row is missing: you stop before you append it.",
        "In your loop, which comes first: appending the token, or testing whether all have ended?",
        (ENDING,),
    ),
    Misconception(
        "only the last token fed back",
        wrong.only_the_last_token_fed,
        "The model gets only the last token, and so forgets what it said before.",
        "What does the decoder attend to, at its third token?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "always the first token",
        wrong.first_place_read,
        "Every token is chosen as if it were the first: you read the logits at place 0, or feed the model bos alone.",
        "Of the logits [B, t, V], which place speaks about the token that comes next, and what is t?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "source mask dropped",
        wrong.mask_dropped,
        "src_mask does not reach the model: it reads the padding of the source.",
        "With which arguments do you call the model?",
        (MASK,),
    ),
    Misconception(
        "source mask inverted",
        wrong.mask_inverted,
        "The model gets the inverse of src_mask: it reads the padding and nothing else.",
        "Is True a real token, or padding?",
        (MASK,),
    ),
    Misconception(
        "sampled",
        wrong.sampled,
        "You draw the next token at random; greedy means the likeliest one, always.",
        "Do two calls of your function give the same?",
        (FEEDING, ENDING),
    ),
    Misconception(
        "the least likely token",
        wrong.least_likely,
        "You choose the token with the smallest logit.",
        "Is a large logit likely or unlikely?",
        (FEEDING, ENDING, LENGTH, MASK),
    ),
    Misconception(
        "for one sentence only",
        wrong.for_one_sentence,
        "With one sentence it works; with several, `if token == eos` asks one yes or no of a whole batch.",
        "How can each row of a batch end at a time of its own?",
        (FEEDING, ENDING, LENGTH, MASK),
    ),
    Misconception(
        "fed with the source",
        wrong.source_fed,
        "The decoder gets the source tokens and speaks once for all places: nothing of its own is fed back.",
        "What does the decoder know when nothing has been said yet?",
        (FEEDING, ENDING, LENGTH, MASK),
    ),
)
