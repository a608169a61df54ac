"""What goes wrong in `ablation_losses`."""

from autograder.catalogue.common_mistakes import in_double_precision, modes_not_restored, overwrites, switches
from autograder.catalogue.edits import mistake

REFUSED = 'if how not in ("mean", "zero"):'
MESSAGE = 'f\'how must be "mean" or "zero", but it is {how!r}\''
ELSEWHERE = "        if layer != silenced_layer:\n            return values\n"
COPY = "values = values.clone()"
OWN = "clean[layer][:, silenced_head]"
AVERAGE = "own.mean(dim=(0, 1))"
SILENCED = 'values[:, silenced_head] = own.mean(dim=(0, 1)) if how == "mean" else 0'
LOSS, AGAIN = (
    "next_token_loss(model(tokens, note), tokens, mask)",
    "next_token_loss(model(tokens, silence), tokens, mask)",
)
RISES, RISE = "loss.new_zeros(len(clean), clean[0].shape[1])", "silenced_loss - loss"
EVAL, RESTORED, NO_GRAD = "module.training = False", "module.training = training", "with torch.no_grad():"

WHICH = "In a model of 2 layers with 3 heads, how many of the 6 heads does your edit change in one run?"
AXES = "A head's values are [B, T, d]. What is the shape of its mean, and of the mean that you take?"
DEFAULT = "What does `how` do in your function, and what is it when nobody gives it?"
REAL = "Which tokens should the loss predict when a text has 3 tokens in a row of 7?"
SIGN = "A head that the model needs is silenced. Should its number be above 0 or below?"
MODE = "In which mode should the model be after your function, if it came in training mode?"

MISTAKES = (
    mistake("every layer", {ELSEWHERE: ""}).because(
        "Your edit doesn't look at `layer`, so the head of this number is silenced in every layer at once.", WHICH
    ),
    mistake(
        "all heads of the layer",
        {SILENCED: 'values = values.mean(dim=(0, 2), keepdim=True).expand_as(values) if how == "mean" else 0 * values'},
    ).because("You silence all heads of the layer; silence one.", WHICH),
    mistake(
        "all heads but one",
        {
            SILENCED: "kept = values[:, silenced_head].clone()\n        values = clean[layer].mean(dim=(0, 2), "
            'keepdim=True).expand_as(values).clone() if how == "mean" else 0 * values\n        values[:, '
            "silenced_head] = kept"
        },
    ).because("You silence every head but this one; silence only this one.", WHICH),
    mistake(
        "all heads silenced so far",
        {
            ELSEWHERE: "        if layer > silenced_layer:\n            return values\n",
            SILENCED: "until = slice(0, silenced_head + 1 if layer == silenced_layer else None)\n        values[:, "
            'until] = clean[layer][:, until].mean(dim=(0, 2), keepdim=True) if how == "mean" else 0',
        },
    ).because("The heads that you silenced before stay silent; each run silences one head.", WHICH),
    mistake(
        "all heads up to this one",
        {
            SILENCED: "until = slice(0, silenced_head + 1)\n        values[:, until] = clean[layer][:, "
            'until].mean(dim=(0, 2), keepdim=True) if how == "mean" else 0'
        },
    ).because("The heads that you silenced before stay silent; each run silences one head.", WHICH),
    mistake(
        "a position silenced", {SILENCED: 'values[:, :, silenced_head] = own.mean(dim=(0, 1)) if how == "mean" else 0'}
    ).because(
        "You silence all heads at one position; the head is axis 1 of [B, h, T, d].", "Which axis of [B, h, T, d] is h?"
    ),
    mistake(
        "a position silenced, by its own mean",
        {
            OWN: "clean[layer][:, :, silenced_head]",
            SILENCED: SILENCED.replace("values[:, silenced", "values[:, :, silenced"),
        },
    ).because(
        "You silence all heads at one position; the head is axis 1 of [B, h, T, d].", "Which axis of [B, h, T, d] is h?"
    ),
    mistake(
        "a feature silenced", {SILENCED: 'values[..., silenced_head] = own.mean() if how == "mean" else 0'}
    ).because(
        "You silence one feature of all heads; the head is axis 1 of [B, h, T, d].", "Which axis of [B, h, T, d] is h?"
    ),
    mistake(
        "heads backwards",
        {
            "range(rises.shape[1])": "reversed(range(rises.shape[1]))",
            "rises[silenced_layer, silenced_head]": "rises[silenced_layer, -1 - silenced_head]",
        },
    ).because(
        "Your columns come in the reverse order: column i belongs to head i.",
        "To which head does your first column belong?",
    ),
    mistake("heads and layers swapped", {"    return rises": "    return rises.T.contiguous()"}).because(
        "You return [h, L]; return [L, h].", "What is the shape of your result?"
    ),
    mistake("loss instead of its rise", {RISE: "silenced_loss"}).because(
        "You return the loss of the changed model; subtract the loss without changes.", SIGN
    ),
    mistake("sign", {RISE: "loss - silenced_loss"}).because(
        "Your sign is reversed: a head that the model needs makes the loss rise.", SIGN
    ),
    mistake("a ratio", {RISE: "silenced_loss / loss - 1"}).because(
        "You return the rise as a share of the loss; return the difference, in nats.", SIGN
    ),
    mistake(
        "only the last position",
        {
            AGAIN: "next_token_loss(model(tokens, silence)[:, -2:], tokens[:, -2:], None if mask is None else "
            "mask[:, -2:])"
        },
    ).because("You compare the loss at the last position with that of all; use the same loss twice.", REAL),
    mistake("always the mean", {'if how == "mean" else 0': ""}).because(
        '`how="zero"` has no effect: you always use the mean.', DEFAULT
    ),
    mistake("always zero", {SILENCED: "values[:, silenced_head] = 0"}).because(
        '`how="mean"` has no effect: you always use 0.', DEFAULT
    ),
    mistake("mean and zero swapped", {'if how == "mean" else 0': 'if how == "zero" else 0'}).because(
        "You use 0 for “mean” and the mean for “zero”.", DEFAULT
    ),
    mistake("zero by default", {'how: str = "mean"': 'how: str = "zero"'}).because(
        "Without `how` you use 0; the default is the mean.", DEFAULT
    ),
    mistake("a mean for each text", {AVERAGE: "own.mean(dim=1, keepdim=True)"}).because(
        "You take a mean for each text, which still tells the texts apart; average over texts and positions.", AXES
    ),
    mistake("a mean for each position", {AVERAGE: "own.mean(dim=0)"}).because(
        "You take a mean for each position, which still tells positions apart (and with one text changes nothing); "
        "average over texts and positions.",
        AXES,
    ),
    mistake("a mean over the features too", {AVERAGE: "own.mean()"}).because(
        "You average over the features too; keep one number for each feature, [d].", AXES
    ),
    mistake("the mean of the first text", {AVERAGE: "own[0].mean(dim=0)"}).because(
        "You take the mean of the first text; average over texts and positions.", AXES
    ),
    mistake("the mean of all heads", {AVERAGE: "clean[layer].mean(dim=(0, 1, 2))"}).because(
        "You average over all heads of the layer; each head has its own mean.", AXES
    ),
    mistake("the mean of the first layer", {OWN: "clean[0][:, silenced_head]"}).because(
        "You use the mean of the first layer's head in every layer.", AXES
    ),
    mistake("mask forgotten", {LOSS: LOSS.replace(", mask", ""), AGAIN: AGAIN.replace(", mask", "")}).because(
        "Your loss predicts the padding too: pass the mask to next_token_loss.", REAL
    ),
    mistake(
        "mask inverted",
        {
            LOSS: LOSS.replace(", mask", ", None if mask is None else ~mask"),
            AGAIN: AGAIN.replace(", mask", ", None if mask is None else ~mask"),
        },
    ).because("You invert the mask, so your loss counts only the padding: pass it on unchanged.", REAL),
    mistake("mask forgotten before", {LOSS: LOSS.replace(", mask", "")}).because(
        "The loss without changes counts the padding, the one with a silenced head doesn't: pass the mask both times.",
        REAL,
    ),
    mistake("mask forgotten after", {AGAIN: AGAIN.replace(", mask", "")}).because(
        "The loss with a silenced head counts the padding, the one without changes doesn't: pass the mask both times.",
        REAL,
    ),
    mistake("how not refused", {REFUSED: "if False:"}).because(
        'A `how` that you don\'t know, "median" for instance, is silently treated as one that you do: raise a '
        "ValueError.",
        DEFAULT,
    ),
    mistake(
        "how not named", {MESSAGE: '"how is wrong"'}, shown_by="the message of ValueError does not mention median"
    ).because("Your message doesn't say what `how` was.", "Which value was wrong?"),
    mistake("never in eval mode", {EVAL: "pass"}, shown_by="the model is asked in training mode").because(
        "In at least one of your runs the model is in training mode, and dropout changes what it says. Switch to eval "
        "mode before the first run.",
        MODE,
    ),
    mistake(
        "with gradients",
        {NO_GRAD: "if True:", RISE: f"({RISE}).detach()"},
        shown_by="the model is asked with gradients on",
    ).because(
        "You run the model with gradients on, and keep the graph of every run: use torch.no_grad().",
        "What does a run keep in memory when gradients are on?",
    ),
    switches(
        "mode of model",
        "left in eval mode",
        {RESTORED: "module.training = False"},
        "You leave the model in eval mode. Give it back in the mode it came in.",
    ),
    switches(
        "requires_grad of model",
        "parameters left frozen",
        {EVAL: f"{EVAL}\n            module.requires_grad_(False)"},
        "You leave the parameters frozen: training could not continue. torch.no_grad() is enough.",
    ),
    *modes_not_restored(MODE, "after an error in the model its mode is not restored"),
    overwrites(
        "tokens",
        {"    return rises": "    tokens.zero_()\n    return rises"},
        "the caller then has different tokens.",
    ),
    in_double_precision("rises", {"    return rises": "    return rises.double()"}),
    mistake(
        "every layer, with one layer's mean", {ELSEWHERE: "", OWN: "clean[silenced_layer][:, silenced_head]"}
    ).because(
        "Your edit doesn't look at `layer`, so the head of this number is silenced in every layer at once.", WHICH
    ),
    mistake(
        "every run silences the last head",
        {SILENCED: 'values[:, -1] = clean[layer][:, -1].mean(dim=(0, 1)) if how == "mean" else 0'},
    ).because(
        "All runs of a layer silence its last head. An edit that is made in a loop sees the loop's variables as they "
        "are when it is called: give each run its own head.",
        WHICH,
    ),
    mistake(
        "mean of the real tokens", {AVERAGE: "(own.mean(dim=(0, 1)) if mask is None else own[mask.bool()].mean(dim=0))"}
    ).because(
        "You average over the real tokens only. The mean is taken over all texts and positions; the mask goes to the "
        "loss.",
        AXES,
    ),
    mistake("the losses divided", {RISE: "silenced_loss / loss"}).because(
        "You divide the two losses; subtract them.", "What should the number of a head be that changes nothing?"
    ),
    mistake("the layers above as well", {"if layer != silenced_layer:": "if layer < silenced_layer:"}).because(
        "You silence this head in the layers above too; silence it in one layer.", WHICH
    ),
    mistake("the layers below as well", {"if layer != silenced_layer:": "if layer > silenced_layer:"}).because(
        "You silence this head in the layers below too; silence it in one layer.", WHICH
    ),
)
