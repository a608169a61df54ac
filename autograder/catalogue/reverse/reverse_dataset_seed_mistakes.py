"""What goes wrong in `ReverseDataset` with the seed."""

from autograder.catalogue.edits import mistake

RANDINT = "torch.randint(num_categories, (size, seq_len), generator=generator)"
SHARED = "another seed gives some of the same sequences"
FEW_SEEDS, ZERO_AS_ONE = "seeds that differ by 10 give the same data", "the seeds 0 and 1 give the same data"
WHERE_SEED = "Where does your code use its argument `seed`?"

OF_THE_SEED = (
    mistake("seed not used", {", generator=generator": ""}, shown_by="the same seed gives different data").because(
        "Your data differ from run to run, so no result could be repeated; use the seed.",
        WHERE_SEED,
    ),
    mistake(
        "one seed for all", {"manual_seed(seed)": "manual_seed(42)"}, shown_by="another seed gives the same data"
    ).because(
        "Your seed is a constant, so training, validation and test data start with the same sequences; use the "
        "argument.",
        WHERE_SEED,
    ),
    *(
        mistake(name, {RANDINT: drawn}, shown_by=SHARED).because(
            "Neighbouring seeds give you some of the same sequences, so validation data would be training data. This "
            "happens, for example, if you seed again for each draw (seed, seed + 1, …). Seed one generator once, and "
            "draw all sequences from it.",
            "Where do the random numbers of your second sequence start if seed is 0, and those of your first if it is "
            "1?",
        )
        for name, drawn in (
            (
                "one seed for each sequence",
                "torch.stack([torch.randint(num_categories, (seq_len,), generator=generator.manual_seed(seed + i)) "
                "for i in range(size)])",
            ),
            (
                "one seed for each token",
                "torch.cat([torch.randint(num_categories, (1,), generator=generator.manual_seed(seed + i)) "
                "for i in range(size * seq_len)]).view(size, seq_len)",
            ),
        )
    ),
    mistake(
        "seed 0 taken for none",
        {"generator=generator": "generator=generator if seed else None"},
        shown_by="the seed 0 gives different data each time",
    ).because(
        "You test `if seed`, which skips the seed 0, the default; always use the seed.",
        "What does `if seed:` do when the seed is 0?",
    ),
    *(
        mistake(
            name, {"manual_seed(seed)": f"manual_seed({other})"}, shown_by="the seed 0 is replaced by another one"
        ).because(
            "You replace the seed 0, the default, by another one, as by `seed or …` or `if seed`; use every seed as it "
            "is.",
            "What is `seed or 42` when the seed is 0?",
        )
        for name, other in (("seed 0 replaced", "seed or 42"), ("seed 0 replaced by 1", "seed or 1"))
    ),
    mistake("seed 0 raised to 1", {"manual_seed(seed)": "manual_seed(max(seed, 1))"}, shown_by=ZERO_AS_ONE).because(
        "Your seeds 0 and 1 are the same, and so are the training and the validation data of this page; use every "
        "seed unchanged.",
        "What becomes of `seed` before you pass it to the generator?",
    ),
    mistake("only ten seeds", {"manual_seed(seed)": "manual_seed(seed % 10)"}, shown_by=FEW_SEEDS).because(
        "Your data are the same for seeds that differ by 10; use every seed unchanged.",
        "What becomes of `seed` before you pass it to the generator?",
    ),
)
