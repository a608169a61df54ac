"""The same merges by the library that you would use in practice: tokenizers by Hugging Face, written in Rust."""

import json
from collections import Counter

END = "</w>"


def library_bpe(word_counts: dict[str, int], num_merges: int) -> list[tuple[str, str]]:
    """What `tokenizers` learns from the words that `learn_bpe` takes: the same merges, except for ties."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(end_of_word_suffix=END))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    letters = {letter for word in word_counts for letter in word} | {word[-1] + END for word in word_counts}
    trainer = trainers.BpeTrainer(
        vocab_size=len(letters) + num_merges, min_frequency=1, end_of_word_suffix=END, show_progress=False
    )
    tokenizer.train_from_iterator([" ".join(Counter(word_counts).elements())], trainer)
    return [tuple(pair) for pair in json.loads(tokenizer.to_str())["model"]["merges"]]
