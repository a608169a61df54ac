"""What goes wrong in `translation_batch`."""

from autograder.catalogue.common_mistakes import overwrites
from autograder.catalogue.edits import mistake

SOURCE, TARGET_IN, TARGET_OUT = "[*source, eos]", "[bos, *target]", "[*target, eos]"
PADDED_SRC = f"pad_batch([{SOURCE} for source, _ in pairs], pad)"
PADDED_IN = f"pad_batch([{TARGET_IN} for _, target in pairs], pad)"
PADDED_OUT = f"pad_batch([{TARGET_OUT} for _, target in pairs], pad)"
FIRST, RESULT = "    src, src_mask = ", "return src, tgt_in, tgt_out, src_mask"
SHIFT = "Write tgt_in above tgt_out for a target of three words. Which word is below which?"
READS = "What does the encoder read, and how does it see that the sentence has ended?"
MASKS = "At which positions of src must the mask be True?"
IGNORED = "Which token does the loss leave out?"


def masked(by):
    """The edit that returns another mask."""
    return {RESULT: RESULT.replace("src_mask", by)}


def before(*lines):
    """The edit that does something more at the end."""
    return {f"    {RESULT}": "".join(f"    {line}\n" for line in (*lines, RESULT)).rstrip("\n")}


MISTAKES = (
    mistake("source without eos", {SOURCE: "[*source]"}).because(
        "Your source has no eos, so the model cannot see where the sentence ends; append it.", READS
    ),
    mistake("bos before the source", {SOURCE: "[bos, *source]"}).because(
        "Your source starts with bos and has no eos; leave out bos and append eos.", READS
    ),
    mistake("source between bos and eos", {SOURCE: "[bos, *source, eos]"}).because(
        "Your source starts with bos; only append eos.", READS
    ),
    mistake(
        "eos of the source behind the padding",
        {SOURCE: "[*source]"}
        | before(
            "src = torch.cat([src, torch.full_like(src[:, :1], eos)], dim=1)",
            "src_mask = torch.cat([src_mask, torch.ones_like(src_mask[:, :1])], dim=1)",
        ),
    ).because("You append eos to the source after the padding; append it before you pad.", READS),
    mistake("eos of the source hidden", masked("src_mask & (src != eos)")).because(
        "Your mask hides the source's eos; show it, because it marks the end of the sentence.",
        MASKS,
    ),
    mistake("mask inverted", masked("~src_mask")).because(
        "Your mask is True at the padding; True must mark a real token.", MASKS
    ),
    *(
        mistake(name, masked(by)).because(
            f"Your mask compares the ids with {what}; take it from the lengths, because an id that equals pad is real.",
            MASKS,
        )
        for name, by, what in (
            ("mask from the ids", "src != pad", "`pad`"),
            ("mask from the ids, eos hidden", "(src != pad) & (src != eos)", "`pad` and `eos`"),
            ("mask from ids that are not 0", "src != 0", "0"),
        )
    ),
    mistake("one token of padding shown", masked("src_mask | src_mask.roll(1, dims=1)")).because(
        "Your mask has one True too many after each shorter sentence; n ids are real at 0 to n − 1.", MASKS
    ),
    mistake("mask of tgt_out", {"tgt_out, _ =": "tgt_out, src_mask ="}).because(
        "Your mask is the target's; return the source's, because the decoder needs to know what is padding in "
        "the memory.",
        MASKS,
    ),
    mistake("nothing masked", masked("torch.ones_like(src_mask)")).because(
        "Your mask is True everywhere; it must be False at the padding.", MASKS
    ),
    mistake("mask with an axis for the queries", masked("src_mask[:, None]")).because(
        "Your mask is [B, 1, S]; return [B, S], because the model adds the axis for the queries itself.", MASKS
    ),
    mistake("tgt_in and tgt_out exchanged", {RESULT: "return src, tgt_out, tgt_in, src_mask"}).because(
        "You swap tgt_in and tgt_out, so the model must predict the previous word; return tgt_in first.", SHIFT
    ),
    mistake("not shifted", {TARGET_IN: TARGET_OUT}).because(
        "Your tgt_in is tgt_out, so the model sees the word it must predict; shift it.", SHIFT
    ),
    mistake("eos in the place of bos", {TARGET_IN: "[eos, *target]"}).because(
        "Your tgt_in starts with eos; start with bos, as every translation will.",
        "What does the decoder see before it has written anything?",
    ),
    mistake("rolled around", before("tgt_in = tgt_out.roll(1, dims=1)")).because(
        "Your `roll` moves the last column to the front, so the first token is eos or padding; put bos there.", SHIFT
    ),
    mistake("tgt_in without bos", {TARGET_IN: "[*target]"}).because(
        "Your tgt_in has no bos, so the model sees nothing when it predicts the first word; prepend it.", SHIFT
    ),
    mistake("tgt_in with eos", {TARGET_IN: "[bos, *target, eos]"}).because(
        "Your tgt_in ends in eos and is one longer than tgt_out; leave eos out, because nothing follows it.", SHIFT
    ),
    mistake("tgt_out with bos and eos", {TARGET_OUT: "[bos, *target, eos]"}).because(
        "Your tgt_out starts with bos, which the model must never write; leave it out.", SHIFT
    ),
    mistake("tgt_out without eos", {TARGET_OUT: "[*target]"}).because(
        "Your tgt_out has no eos, so the model would never learn to stop; append it.",
        "After which word should the model predict eos?",
    ),
    mistake("tgt_out one step too far", {TARGET_OUT: "[*target[1:], eos, eos][: len(target) + 1]"}).because(
        "Your tgt_out is two steps ahead of tgt_in, so the first word is never predicted; make it one step.", SHIFT
    ),
    mistake(
        "eos behind the padding",
        {TARGET_OUT: "[*target]"}
        | before("tgt_out = torch.cat([tgt_out, torch.full_like(tgt_in[:, :1], eos)], dim=1)"),
    ).because("You append eos after the padding; append it before you pad.", "Which comes first, eos or padding?"),
    mistake("always padded with 0", {", pad)": ", 0)"}, times=3).because(
        "You always pad with 0; use `pad`.", "Where do you use `pad`?"
    ),
    *(
        mistake(f"{name} padded with 0", {call: call.replace(", pad)", ", 0)")}).because(
            f"You pad {name} with 0, whatever `pad` says: `pad_batch` needs it as its second argument.",
            "In which of your three calls of `pad_batch` is `pad` missing?",
        )
        for name, call in (("src", PADDED_SRC), ("tgt_out", PADDED_OUT))
    ),
    mistake("tgt_out padded with eos", {PADDED_OUT: PADDED_OUT.replace(", pad)", ", eos)")}).because(
        "You fill tgt_out with eos, which the loss would count; fill it with `pad`.", IGNORED
    ),
    mistake("tgt_out padded with -100", {PADDED_OUT: PADDED_OUT.replace(", pad)", ", -100)")}).because(
        "You fill tgt_out with −100, torch's own value to ignore; fill it with `pad`.", IGNORED
    ),
    mistake(
        "source and target exchanged", {FIRST: f"    pairs = [(target, source) for source, target in pairs]\n{FIRST}"}
    ).because(
        "You swap source and target; read the source and write the target.", "Which of the two comes first in a pair?"
    ),
    mistake(
        "one width for source and target",
        before(
            "wide = max(src.shape[1], tgt_in.shape[1])",
            "src, tgt_in, tgt_out = (F.pad(t, (0, wide - t.shape[1]), value=pad) for t in (src, tgt_in, tgt_out))",
            "src_mask = F.pad(src_mask, (0, wide - src_mask.shape[1]))",
        ),
    ).because(
        "You give source and target the same width; make each as wide as its own longest sentence.",
        "What is the use of a column that is padding in every row?",
    ),
    mistake(
        "tokens as floats",
        {RESULT: "return src.float(), tgt_in.float(), tgt_out.float(), src_mask"},
        shown_by="src is float32, expected int64",
    ).because(
        "Your token ids are float32; make them int64, so that an embedding accepts them.",
        "What is the dtype of `torch.zeros(...)`?",
    ),
    mistake("mask of integers", masked("src_mask.long()"), shown_by="src_mask is int64, expected bool").because(
        "Your mask contains integers; return booleans, like the masks of stage 1.", "What is the dtype of a comparison?"
    ),
    overwrites(
        "pairs",
        {FIRST: f"    for source, _ in pairs:\n        source.append(eos)\n{FIRST}", SOURCE: "source"},
        "with each epoch the lists grow by one.",
        "the caller's lists made longer",
    ),
    mistake(
        "bos and eos exchanged", {SOURCE: "[*source, bos]", TARGET_IN: "[eos, *target]", TARGET_OUT: "[*target, bos]"}
    ).because("You swap bos and eos: bos starts a sentence, and eos ends it.", SHIFT),
    mistake("mask second", {RESULT: "return src, src_mask, tgt_in, tgt_out"}).because(
        "You return the mask second; return it last.", "In which order does the docstring name the four tensors?"
    ),
    mistake("source backwards", {SOURCE: "[*reversed(source), eos]"}).because(
        "You reverse the source, which helped recurrent networks in 2014; keep its order.", READS
    ),
    mistake("padding in the place of bos", {TARGET_IN: "[pad, *target]"}).because(
        "Your tgt_in starts with padding; start with bos.", SHIFT
    ),
)
