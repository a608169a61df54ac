"""What goes wrong in `translation_batch`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake

SOURCE, TARGET_IN, TARGET_OUT = "[*source, eos]", "[bos, *target]", "[*target, eos]"
PADDED_OUT = f"pad_batch([{TARGET_OUT} for _, target in pairs], pad)"
FIRST, RESULT = "    src, src_mask = ", "return src, tgt_in, tgt_out, src_mask"
SHIFT = "Write tgt_in above tgt_out for a target of three words. Which word stands under which?"
READS = "What does the encoder read, and where does it see that the sentence is over?"
MASKS = "At which places of src is the mask to be True?"
IGNORED = "Which token does the loss leave out?"


def masked(by):
    """The edit that returns another mask."""
    return {RESULT: RESULT.replace("src_mask", by)}


def before(*lines):
    """The edit that does something more at the end."""
    return {f"    {RESULT}": "".join(f"    {line}\n" for line in (*lines, RESULT)).rstrip("\n")}


MISTAKES = (
    mistake("source without eos", {SOURCE: "[*source]"}).because(
        "Your source has no eos: the model cannot see where the sentence ends.", READS
    ),
    mistake("bos before the source", {SOURCE: "[bos, *source]"}).because(
        "Your source begins with bos and has no eos; bos is where the decoder begins.", READS
    ),
    mistake("source between bos and eos", {SOURCE: "[bos, *source, eos]"}).because(
        "Your source begins with bos; here it gets eos alone.", READS
    ),
    mistake("eos of the source hidden", masked("src_mask & (src != eos)")).because(
        "Your mask hides the eos of the source, which is a token like the others: it says where the sentence ends.",
        MASKS,
    ),
    mistake("mask inverted", masked("~src_mask")).because(
        "Your mask is True at the padding; in this course True is a real token.", MASKS
    ),
    mistake("mask of tgt_out", {"tgt_out, _ =": "tgt_out, src_mask ="}).because(
        "Your mask is that of the target; the decoder needs to know what is padding in the memory.", MASKS
    ),
    mistake("nothing masked", masked("torch.ones_like(src_mask)")).because(
        "Your mask is True everywhere: padding would be read like words.", MASKS
    ),
    mistake("mask with an axis for the queries", masked("src_mask[:, None]")).because(
        "Your mask is [B, 1, S]; the contract is [B, S], and the model makes the axis for the queries itself.", MASKS
    ),
    mistake("tgt_in and tgt_out exchanged", {RESULT: "return src, tgt_out, tgt_in, src_mask"}).because(
        "You return tgt_out where tgt_in is due: the model is asked for the word before.", SHIFT
    ),
    mistake("not shifted", {TARGET_IN: TARGET_OUT}).because(
        "Your tgt_in is tgt_out: the model is shown the word that it is to guess, and learns to copy it.", SHIFT
    ),
    mistake("eos in the place of bos", {TARGET_IN: "[eos, *target]"}).because(
        "Your tgt_in begins with eos; it begins with bos, as every translation will.",
        "What does the decoder see before it has said anything?",
    ),
    mistake("rolled around", before("tgt_in = tgt_out.roll(1, dims=1)")).because(
        "`roll` brings the last column to the front: the first token is eos or padding, not bos.", SHIFT
    ),
    mistake("tgt_in without bos", {TARGET_IN: "[*target]"}).because(
        "Your tgt_in has no bos: nothing is shown when the first word is asked for.", SHIFT
    ),
    mistake("tgt_in with eos", {TARGET_IN: "[bos, *target, eos]"}).because(
        "Your tgt_in ends in eos and is one longer than tgt_out: after eos nobody asks for a word.", SHIFT
    ),
    mistake("tgt_out with bos and eos", {TARGET_OUT: "[bos, *target, eos]"}).because(
        "Your tgt_out begins with bos, which the model is never to say, and is one longer than tgt_in.", SHIFT
    ),
    mistake("tgt_out without eos", {TARGET_OUT: "[*target]"}).because(
        "Your tgt_out has no eos: the model would never learn to stop.", "After which word should eos be guessed?"
    ),
    mistake("tgt_out one step too far", {TARGET_OUT: "[*target[1:], eos, eos][: len(target) + 1]"}).because(
        "Your tgt_out is two steps ahead of tgt_in: the first word is never asked for.", SHIFT
    ),
    mistake(
        "eos behind the padding",
        {TARGET_OUT: "[*target]"}
        | before("tgt_out = torch.cat([tgt_out, torch.full_like(tgt_in[:, :1], eos)], dim=1)"),
        "You append eos after padding: a short sentence ends in padding, and then, too late, in eos.",
        "Which comes first, eos or padding?",
    ),
    mistake("always padded with 0", {", pad)": ", 0)"}, times=3).because(
        "You pad with 0, whatever `pad` says.", "Where do you use `pad`?"
    ),
    mistake("tgt_out padded with eos", {PADDED_OUT: PADDED_OUT.replace(", pad)", ", eos)")}).because(
        "You fill tgt_out up with eos: the loss would count every one of them.", IGNORED
    ),
    mistake("tgt_out padded with -100", {PADDED_OUT: PADDED_OUT.replace(", pad)", ", -100)")}).because(
        "You fill tgt_out up with −100, torch's own sign for what is left out; here it is `pad`.", IGNORED
    ),
    mistake(
        "source and target exchanged", {FIRST: f"    pairs = [(target, source) for source, target in pairs]\n{FIRST}"}
    ).because("You read the target and learn to say the source.", "Which of the two comes first in a pair?"),
    mistake(
        "one width for source and target",
        before(
            "wide = max(src.shape[1], tgt_in.shape[1])",
            "src, tgt_in, tgt_out = (F.pad(t, (0, wide - t.shape[1]), value=pad) for t in (src, tgt_in, tgt_out))",
            "src_mask = F.pad(src_mask, (0, wide - src_mask.shape[1]))",
        ),
        "Source and target have one width: each is to be as wide as its own longest sentence.",
        "What is gained by a column that is padding in every row?",
    ),
    mistake(
        "tokens as floats",
        {RESULT: "return src.float(), tgt_in.float(), tgt_out.float(), src_mask"},
        "Your token ids are float32; make them int64, so that an embedding accepts them.",
        "What is the dtype of `torch.zeros(...)`?",
        shown_by="src is float32, expected int64",
    ),
    mistake("mask of integers", masked("src_mask.long()"), shown_by="src_mask is int64, expected bool").because(
        "Your mask holds integers; the masks of stage 1 are boolean.", "What is the dtype of a comparison?"
    ),
    overwrites(
        "pairs",
        {FIRST: f"    for source, _ in pairs:\n        source.append(eos)\n{FIRST}", SOURCE: "source"},
        "with each epoch the lists grow by one.",
        "eos appended to the caller's sources",
    ),
    mistake("source backwards", {SOURCE: "[*reversed(source), eos]"}).because(
        "You turn the source around, as recurrent networks liked it in 2014; attention has no need of it.", READS
    ),
    mistake("padding in the place of bos", {TARGET_IN: "[pad, *target]"}).because(
        "Your tgt_in begins with padding; it begins with bos.", SHIFT
    ),
)
