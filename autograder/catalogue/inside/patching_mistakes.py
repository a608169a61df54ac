"""What goes wrong in `patch_heads`."""

from autograder.catalogue.common_mistakes import in_double_precision, modes_not_restored, overwrites, switches
from autograder.catalogue.edits import mistake

REFUSED = "if clean.shape != corrupt.shape:"
MESSAGE = 'f"clean and corrupt must have one shape, but they are {tuple(clean.shape)} and {tuple(corrupt.shape)}"'
KEPT, ELSEWHERE = "kept.append(values.clone())", "        if layer != patched_layer:\n            return values\n"
PATCHED = "values[:, patched_head] = kept[layer][:, patched_head]"
LAST = "last = logits[:, -1]"
DIFFERENCE = "(last.gather(1, answer.unsqueeze(1)) - last.gather(1, wrong.unsqueeze(1))).mean()"
RUNS, RUN = "gap(model(clean, note)), gap(model(corrupt))", "gap(model(corrupt, patch))"
RATIO = "(gaps - gap_corrupt) / (gap_clean - gap_corrupt)"
EVAL, RESTORED, NO_GRAD = "module.training = False", "module.training = training", "with torch.no_grad():"

WHOSE = "In the patched run, which text does the model read, and from which run come the head's values?"
WHICH = "How many heads of how many layers differ from the corrupt run?"
WHERE = "At which position does the model predict the answer?"
SHARE = "What should your number be if the patched run is as good as the clean one, and what if nothing changes?"
SHAPES = "To which position of a longer text would the values of a shorter one go?"
MODE = "In which mode should the model be after your function, if it came in training mode?"

MISTAKES = (
    mistake(
        "the other way round",
        {
            "gap(model(clean, note)), gap(model(corrupt))": "gap(model(clean)), gap(model(corrupt, note))",
            RUN: "gap(model(clean, patch))",
        },
    ).because(
        "You put the corrupt run's values into the clean run, which asks what breaks the answer. Put the clean run's "
        "values into the corrupt run, which asks what brings it back.",
        WHOSE,
    ),
    mistake("the clean run patched with itself", {RUN: "gap(model(clean, patch))"}).because(
        "You patch the clean run with its own values, which changes nothing. Run the corrupt texts with the clean "
        "run's values.",
        WHOSE,
    ),
    mistake(
        "clean and corrupt swapped",
        {RUNS: "gap(model(corrupt, note)), gap(model(clean))", RUN: "gap(model(clean, patch))"},
    ).because(
        "You swap the two runs: yours is the share of the gap that the corrupt run's values destroy. Put the clean "
        "run's values into the corrupt run.",
        WHOSE,
    ),
    mistake("the corrupt gap not subtracted", {RATIO: "gaps / (gap_clean - gap_corrupt)"}).because(
        "You divide the gap itself; subtract the corrupt run's gap first.", SHARE
    ),
    mistake("nothing patched", {PATCHED: "values[:, patched_head] = values[:, patched_head]"}).because(
        "The head keeps its own values: nothing is patched.", WHOSE
    ),
    mistake("silenced instead of patched", {PATCHED: "values[:, patched_head] = 0"}).because(
        "You silence the head; give it the values of the clean run.", WHOSE
    ),
    mistake("every layer", {ELSEWHERE: ""}).because(
        "Your edit doesn't look at `layer`, so the head of this number is patched in every layer.", WHICH
    ),
    mistake("the layers above as well", {"if layer != patched_layer:": "if layer < patched_layer:"}).because(
        "You patch this head in the layers above too; patch it in one layer.", WHICH
    ),
    mistake("the layers below as well", {"if layer != patched_layer:": "if layer > patched_layer:"}).because(
        "You patch this head in the layers below too; patch it in one layer.", WHICH
    ),
    *(
        mistake(name, {PATCHED: f"values[:, {heads}] = kept[layer][:, {heads}]"}).because(
            f"You patch {what} as well as this head; patch one head in each run.", WHICH
        )
        for name, heads, what in (
            ("all heads up to this one", ": patched_head + 1", "the heads before it"),
            ("all heads from this one on", "patched_head:", "the heads after it"),
        )
    ),
    mistake(
        "all heads patched so far",
        {
            ELSEWHERE: "        if layer > patched_layer:\n            return values\n",
            PATCHED: "until = slice(0, patched_head + 1 if layer == patched_layer else None)\n        "
            "values[:, until] = kept[layer][:, until]",
        },
    ).because("The heads that you patched before stay patched; patch one head in each run.", WHICH),
    mistake("the whole layer", {PATCHED: "values = kept[layer]"}).because(
        "You patch all heads of the layer; patch one.", WHICH
    ),
    mistake(
        "all heads but one",
        {
            PATCHED: "own = values[:, patched_head].clone()\n        values = kept[layer].clone()\n        "
            "values[:, patched_head] = own"
        },
    ).because("You patch every head but this one; patch only this one.", WHICH),
    mistake(
        "only the last position patched", {PATCHED: "values[:, patched_head, -1] = kept[layer][:, patched_head, -1]"}
    ).because("You patch the last position only; the head's values at all positions are the clean run's.", WHICH),
    mistake(
        "only where the tokens differ",
        {
            PATCHED: "here = (clean != corrupt).any(dim=0)\n        values[:, patched_head, here] = kept[layer][:, "
            "patched_head, here]"
        },
    ).because(
        "You patch only the positions whose tokens differ; the head's values at all positions are the clean run's.",
        WHICH,
    ),
    mistake(
        "the mean over the clean run",
        {PATCHED: "values[:, patched_head] = kept[layer][:, patched_head].mean(dim=(0, 1))"},
    ).because(
        "You patch with the mean of the clean run, as ablation does; give each position its own values of the clean "
        "run.",
        WHOSE,
    ),
    mistake("a position patched", {PATCHED: "values[:, :, patched_head] = kept[layer][:, :, patched_head]"}).because(
        "You patch all heads at one position; the head is axis 1 of [B, h, T, d].", "Which axis of [B, h, T, d] is h?"
    ),
    mistake("patched with the first layer", {PATCHED: "values[:, patched_head] = kept[0][:, patched_head]"}).because(
        "You patch every layer with what the first one said.", WHOSE
    ),
    mistake("all positions", {LAST: "last = logits.mean(dim=1)"}).because(
        "You average the logits of all positions; the answer is predicted at the last one.", WHERE
    ),
    mistake("the first position", {LAST: "last = logits[:, 0]"}).because(
        "You read the logits of the first position; the answer is predicted at the last one.", WHERE
    ),
    mistake("the answer's logit alone", {DIFFERENCE: "last.gather(1, answer.unsqueeze(1)).mean()"}).because(
        "You look at the logit of the answer only; a change that lifts both tokens says nothing. Subtract the other's.",
        "What does softmax make of logits that are all 1 higher?",
    ),
    mistake("probabilities for logits", {LAST: "last = logits[:, -1].softmax(dim=-1)"}).because(
        "You compare probabilities; the gap is a difference of logits.", "What is the gap of a run, in the docstring?"
    ),
    mistake("heads and layers swapped", {RATIO: f"({RATIO}).T.contiguous()"}).because(
        "You return [h, L]; return [L, h].", "What is the shape of your result?"
    ),
    mistake("the first answer for all", {DIFFERENCE: "(last[:, answer[0]] - last[:, wrong[0]]).mean()"}).because(
        "You use the first pair's answer for all pairs; each has its own.", "What is the shape of `answer`?"
    ),
    mistake(
        "the first right answer for all",
        {DIFFERENCE: "(last[:, answer[0]].unsqueeze(1) - last.gather(1, wrong.unsqueeze(1))).mean()"},
    ).because("You use the first pair's answer for all pairs; each has its own.", "What is the shape of `answer`?"),
    mistake(
        "a mean of ratios",
        {
            f"{DIFFERENCE}": DIFFERENCE.removesuffix(".mean()") + "[:, 0]",
            "gap_clean.new_zeros(len(kept), kept[0].shape[1])": "gap_clean.new_zeros(len(kept), "
            "kept[0].shape[1], len(clean))",
            RATIO: f"({RATIO}).mean(dim=-1)",
        },
    ).because(
        "You divide pair by pair and average then: a pair whose two runs hardly differ outweighs all others. "
        "Average the "
        "gaps first.",
        "What is the ratio of a pair whose clean and corrupt gap are almost equal?",
    ),
    mistake(
        "a sum of gaps and a mean", {RATIO: "(gaps * len(clean) - gap_corrupt) / (gap_clean - gap_corrupt)"}
    ).because("You add up the gaps of the patched run and average those of the other two. Average all three.", SHARE),
    mistake("from the clean gap on", {RATIO: "(gaps - gap_clean) / (gap_clean - gap_corrupt)"}).because(
        "You subtract the clean run's gap; subtract the corrupt run's.", SHARE
    ),
    mistake("divided by the corrupt gap", {RATIO: "(gaps - gap_corrupt) / gap_corrupt"}).because(
        "You divide by the corrupt gap; divide by how much the two runs differ.", SHARE
    ),
    mistake("divided by the size of the gap", {RATIO: f"{RATIO}.abs()"}).because(
        "You divide by the absolute gap between the two runs, so where the corrupt run has the larger gap your sign is "
        "reversed; keep the sign.",
        SHARE,
    ),
    *(
        mistake(f"gap of at least {small}", {RATIO: f"{RATIO}.clamp(min={small})"}).because(
            "Where the corrupt run has the larger gap you divide by a small positive number; divide by the gap itself.",
            SHARE,
        )
        for small in ("1e-6", "1e-8")
    ),
    mistake("between 0 and 1", {RATIO: f"({RATIO}).clamp(0, 1)"}).because(
        "You cut the shares off at 0 and 1; a head can make things worse, or bring back too much.", SHARE
    ),
    mistake(
        "patched with the mean of the heads",
        {PATCHED: "values[:, patched_head] = kept[layer].mean(dim=1)"},
    ).because("You patch with the mean of all heads; give the head its own values of the clean run.", WHOSE),
    mistake("not divided", {RATIO: "gaps - gap_corrupt"}).because(
        "You return logits; divide by the gap between the clean and the corrupt run.", SHARE
    ),
    mistake("divided by the clean gap", {RATIO: "(gaps - gap_corrupt) / gap_clean"}).because(
        "You divide by the clean gap; divide by how much the two runs differ.", SHARE
    ),
    mistake("not subtracted", {RATIO: "gaps / gap_clean"}).because(
        "You divide without subtracting the corrupt gap first: a head that changes nothing isn't 0.", SHARE
    ),
    mistake("what is missing", {RATIO: "(gap_clean - gaps) / (gap_clean - gap_corrupt)"}).because(
        "You return what is still missing; return what has come back.", SHARE
    ),
    mistake("only the first pair", {DIFFERENCE: f"({DIFFERENCE.removesuffix('.mean()')})[0, 0]"}).because(
        "You read the first pair only; average over all pairs.", "What is the shape of `answer`?"
    ),
    mistake("only the lengths compared", {REFUSED: "if clean.shape[1] != corrupt.shape[1]:"}).because(
        "You compare only the lengths of the texts, so one clean text is paired with many corrupt ones: compare the "
        "shapes.",
        SHAPES,
    ),
    mistake("only the numbers of texts compared", {REFUSED: "if len(clean) != len(corrupt):"}).because(
        "You compare only how many texts there are; compare their lengths too.", SHAPES
    ),
    mistake("shapes not refused", {REFUSED: "if False:"}).because(
        "You let texts of different shapes through, whose positions do not correspond: raise a ValueError.", SHAPES
    ),
    mistake(
        "shapes not named", {MESSAGE: '"the shapes differ"'}, shown_by="the message of ValueError does not mention 1, 7"
    ).because("Your message doesn't name the two shapes.", SHAPES),
    mistake(
        "only one shape named",
        {MESSAGE: 'f"clean has shape {tuple(clean.shape)}"'},
        shown_by="the message of ValueError does not mention 7",
    ).because("Your message names only one of the two shapes.", SHAPES),
    mistake("never in eval mode", {EVAL: "pass"}, shown_by="the model is asked in training mode").because(
        "In at least one of your runs the model is in training mode, and dropout changes what it says. Switch to eval "
        "mode before the first run.",
        MODE,
    ),
    mistake(
        "with gradients",
        {NO_GRAD: "if True:", RATIO: f"({RATIO}).detach()"},
        shown_by="the model is asked with gradients on",
    ).because(
        "You run the model with gradients on, and keep the graph of every run: use torch.no_grad().",
        "What does a run keep in memory when gradients are on?",
    ),
    switches(
        "requires_grad of model",
        "parameters left frozen",
        {EVAL: f"{EVAL}\n            module.requires_grad_(False)"},
        "You leave the parameters frozen: training could not continue. torch.no_grad() is enough.",
    ),
    *modes_not_restored(MODE, "after an error in the model its mode is not restored"),
    switches(
        "mode of model",
        "left in eval mode",
        {RESTORED: "module.training = False"},
        "You leave the model in eval mode. Give it back in the mode it came in.",
    ),
    overwrites("corrupt", {RATIO: f"{RATIO} + 0 * corrupt.copy_(clean).sum()"}, "it is now the clean text."),
    in_double_precision("restored", {RATIO: f"({RATIO}).double()"}),
    mistake(
        "the mean of the texts patched", {PATCHED: "values[:, patched_head] = kept[layer][:, patched_head].mean(dim=0)"}
    ).because("You patch with the mean over the texts; give each text the values of its own clean run.", WHOSE),
    mistake("added to the corrupt run's", {PATCHED: PATCHED.replace("=", "+=")}).because(
        "You add the clean run's values to those of the corrupt run; they replace them.", WHOSE
    ),
    mistake("without the sign", {RATIO: f"({RATIO}).abs()"}).because(
        "You take the absolute value, so a head that makes things worse looks as if it helped: keep the sign.", SHARE
    ),
)
