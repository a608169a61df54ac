"""What goes wrong in `induction_score`."""

from autograder.catalogue.common_mistakes import in_double_precision, overwrites
from autograder.catalogue.edits import mistake

SHIFTED, TARGETS = "targets[:, :, 1:] = same[:, :, :-1]", "targets.tril()"
ASKED, NONE = "targets.any(dim=-1)", "if not asked.any():"
FOUND, MEAN = "(attention * targets.unsqueeze(1)).sum(dim=-1)", "found.transpose(0, 1)[:, asked].mean(dim=-1)"

WHERE = "The text is A B C A, the query the second A. Which key holds what followed the first A?"
PERIOD = "In A B C D B E, how far back does the second B have to look, and in A B B?"
LATER = "In A B A C, may the first A look at C?"
SEVERAL = "The text is A B A C A, the query the last A. Which keys are targets, and what does a head score that "
"splits its weight between them?"
ASK = "In A B C A, which of the four queries have seen their token before?"
HEADS = "Your result should have one number for each head. Which axes do you average over?"

MISTAKES = (
    mistake(
        "the same token", {SHIFTED: "targets[:, :, :] = same & ~torch.eye(same.shape[1], dtype=torch.bool)"}
    ).because(
        "You look at the earlier occurrence of the token itself: that is a duplicate-token head. An induction "
        "head looks "
        "at the key after it.",
        WHERE,
    ),
    mistake(
        "the token before the same", {SHIFTED: "targets[:, :, :-1] = same[:, :, 1:]", TARGETS: "targets.tril(-2)"}
    ).because("You look at the key before the earlier occurrence; take the key after it.", WHERE),
    mistake("two after the same", {SHIFTED: "targets[:, :, 2:] = same[:, :, :-2]"}).because(
        "You look two keys after the earlier occurrence; take the next one.", WHERE
    ),
    mistake(
        "a fixed period",
        {
            "same = tokens.unsqueeze(2) == tokens.unsqueeze(1)": "period = tokens.shape[1] // 2\n"
            "    places = torch.arange(tokens.shape[1])\n"
            "    same = (places.unsqueeze(1) - places == period).expand(len(tokens), -1, -1)",
            NONE: "if all(len(set(text)) == len(text) for text in tokens.tolist()):",
        },
    ).because(
        "You look half a text back, which is right for a text that is repeated once and for no other. Compare "
        "the tokens.",
        PERIOD,
    ),
    mistake(
        "a fixed period, by its diagonal",
        {
            "    same = tokens.unsqueeze(2)": "    back = tokens.shape[1] // 2 - 1\n"
            "    return attention.diagonal(-back, dim1=-2, dim2=-1).mean(dim=(0, 2))\n    same = tokens.unsqueeze(2)"
        },
    ).because(
        "You look half a text back, which is right for a text that is repeated once and for no other. Compare "
        "the tokens.",
        PERIOD,
    ),
    mistake(
        "the previous token",
        {
            "torch.zeros_like(same)": "torch.eye(same.shape[1], dtype=torch.bool).roll(-1, 1).expand_as(same).clone()",
            SHIFTED: "pass",
        },
    ).because("You read the weight on the previous token; that was the exercise before.", WHERE),
    mistake("keys after the query", {TARGETS: "targets & (same.tril(-1).any(dim=-1, keepdim=True))"}).because(
        "You also count keys after the query. In a causal map their weight is 0, elsewhere it isn't.", LATER
    ),
    mistake("all keys after the query", {TARGETS: "targets"}).because(
        "Keys after the query are among your targets. Keep those up to the query: tril().", LATER
    ),
    mistake("the same token, itself included", {SHIFTED: "targets[:, :, :] = same"}).because(
        "You look at the query's own token and its earlier occurrences; look at the keys after the earlier ones.",
        WHERE,
    ),
    mistake("shifted along the queries", {SHIFTED: "targets[:, 1:] = same[:, :-1]"}).because(
        "You shift along the queries; shift along the keys, the last axis.", WHERE
    ),
    mistake("shifted the other way", {SHIFTED: "targets[:, :, :-1] = same[:, :, 1:]"}).because(
        "You shift towards the key before the occurrence; take the key after it.", WHERE
    ),
    mistake("keys times queries", {FOUND: "(attention.mT * targets.unsqueeze(1)).sum(dim=-1)"}).because(
        "You read the maps as keys × queries; they are queries × keys.", WHERE
    ),
    mistake("the query's own key left out", {TARGETS: "targets.tril(-1)"}).because(
        "In A A the second A is itself what followed the first: j = t is a target.", PERIOD
    ),
    mistake(
        "the latest target alone",
        {
            TARGETS: "targets.tril()\n    places = torch.arange(targets.shape[1])\n"
            "    targets = targets & (places == (places * targets).amax(dim=-1, keepdim=True))"
        },
    ).because("You count only the latest of several targets; add the weights on all of them.", SEVERAL),
    mistake(
        "the first target alone",
        {TARGETS: "targets.tril()\n    targets = targets & (targets.cumsum(dim=-1) == 1)"},
    ).because("You count only the first of several targets; add the weights on all of them.", SEVERAL),
    mistake("mean over targets", {FOUND: f"{FOUND} / targets.sum(dim=-1).clamp(min=1).unsqueeze(1)"}).because(
        "You average over the targets of a query: a head that splits its weight between two gets half. Add them.",
        SEVERAL,
    ),
    mistake("the largest weight on a target", {FOUND: "(attention * targets.unsqueeze(1)).amax(dim=-1)"}).because(
        "You take the largest weight on any target; add the weights on all of them.", SEVERAL
    ),
    mistake("mean over all queries", {MEAN: "found.mean(dim=(0, 2))"}).because(
        "You average over all queries; most of them have nothing to look back for, and count as 0. Average over "
        "the asked "
        "ones.",
        ASK,
    ),
    mistake(
        "mean of means",
        {
            MEAN: "((found * asked.unsqueeze(1)).sum(-1) / asked.sum(-1, keepdim=True).clamp(min=1))"
            "[asked.any(-1)].mean(dim=0)"
        },
    ).because(
        "You average within each text first: a query of a text with few repeats weighs more. Average over all asked "
        "queries together.",
        ASK,
    ),
    mistake(
        "mean of means, texts without repeats as 0",
        {MEAN: "((found * asked.unsqueeze(1)).sum(-1) / asked.sum(-1, keepdim=True).clamp(min=1)).mean(dim=0)"},
    ).because(
        "You average within each text first, and one without repeats counts as 0. Average over all asked queries "
        "together.",
        ASK,
    ),
    mistake("first occurrences asked too", {ASKED: "same.sum(dim=-1) > 1"}).because(
        "You also count the first of several equal tokens, which has nothing to look back to. Count a query only if "
        "its token came before.",
        ASK,
    ),
    mistake("only the last occurrence asked", {ASKED: f"{ASKED} & ~same.triu(1).any(dim=-1)"}).because(
        "You count only the last of several equal tokens; count every query whose token came before.", ASK
    ),
    mistake("only the second occurrence asked", {ASKED: "same.tril(-1).sum(dim=-1) == 1"}).because(
        "You count only the second of several equal tokens; count every query whose token came before.", ASK
    ),
    mistake("refused if a text has no repeats", {NONE: "if not asked.any(dim=-1).all():"}).because(
        "You refuse texts if one of them has no repeats; refuse them only if none has any.", ASK
    ),
    mistake("refused if the first text has no repeats", {NONE: "if not asked[0].any():"}).because(
        "You refuse texts if the first of them has no repeats; refuse them only if none has any.", ASK
    ),
    mistake("weighted by the targets", {MEAN: "found.sum(dim=(0, 2)) / targets.sum()"}).because(
        "You divide by the number of targets; divide by the number of asked queries.", SEVERAL
    ),
    mistake("sum over the queries", {MEAN: "found.transpose(0, 1)[:, asked].sum(dim=-1)"}).because(
        "You add up the queries; average them.", ASK
    ),
    mistake("the first text alone", {MEAN: "found[0][:, asked[0]].mean(dim=-1)"}).because(
        "You read the first text only; average over the asked queries of all.", HEADS
    ),
    mistake(
        "all texts by the first one's tokens",
        {
            "tokens.unsqueeze(2) == tokens.unsqueeze(1)": "(tokens[:1].unsqueeze(2) == "
            "tokens[:1].unsqueeze(1)).repeat(len(tokens), 1, 1)"
        },
    ).because("You use the tokens of the first text for all texts; each text has its own targets.", HEADS),
    mistake(
        "a score for each text and head", {MEAN: "(found * asked.unsqueeze(1)).sum(dim=2) / asked.sum(1, keepdim=True)"}
    ).because("You keep the texts, [B, h]; average over the asked queries of all texts together.", HEADS),
    mistake("token 0 as padding", {ASKED: f"{ASKED} & (tokens != 0)"}).because(
        "You leave token 0 out, as if it were padding; it is a token like any other.", ASK
    ),
    mistake("one score for all heads", {MEAN: f"{MEAN}.mean()"}).because(
        "You average over the heads too; return one score for each head.", HEADS
    ),
    mistake("wraps round", {SHIFTED: "targets = same.roll(1, dims=2)"}).because(
        "You roll the row, so key 0 becomes a target wherever the last token equals the query's: nothing comes "
        "before "
        "key 0.",
        ASK,
    ),
    mistake(
        "nothing to look for is 0",
        {"raise ValueError(": "return attention.new_zeros(attention.shape[1]) if True else ("},
    ).because(
        "Without repeats there is nothing to measure, and 0 would say that the heads failed: raise a ValueError.", ASK
    ),
    mistake("nothing to look for is NaN", {NONE: "if False:"}).because(
        "Without repeats you average nothing: NaN. Raise a ValueError.", ASK
    ),
    overwrites("tokens", {FOUND: f"{FOUND}\n    tokens.zero_()"}, "the caller then has a single token."),
    overwrites(
        "attention",
        {FOUND: "attention.mul_(targets.unsqueeze(1)).sum(dim=-1)"},
        "the maps drawn next are nearly empty.",
    ),
    in_double_precision("scores", {FOUND: f"{FOUND}.double()"}),
    mistake("heads added up", {MEAN: f"{MEAN}.sum()"}).because(
        "You add up the heads; return one score for each head.", HEADS
    ),
)
