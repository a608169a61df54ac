"""Stage 10 in lines of text: translations next to their sources and the right answers."""

from collections import Counter
from collections.abc import Sequence

Pairs = Sequence[tuple[str, str]]  # a sentence, and its right translation
Found = Sequence[tuple[str, float]]  # a translation, and its score


def word_for_word(pairs: Pairs, sentences: Sequence[str]) -> list[str]:
    """Sentences with each word replaced by its partner: the word that occurs with it and seldom without it.

    >>> word_for_word([("the dog", "der Hund"), ("the cat", "die Katze"), ("a dog", "ein Hund")], ["a dog barks"])
    ['ein Hund barks']
    """
    together, alone = {}, Counter(word for _, right in pairs for word in set(right.split()))
    for sentence, right in pairs:
        partners = set(right.split())
        for word in set(sentence.split()):
            together.setdefault(word, []).extend(partners)
    counts = {word: Counter(seen) for word, seen in together.items()}
    partner = {word: max(sorted(seen), key=lambda w: seen[w] ** 2 / alone[w]) for word, seen in counts.items()}
    return [" ".join(partner.get(word, word) for word in sentence.split()) for sentence in sentences]


def on_the_way(pairs: Pairs, diary: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Print what a model made of each sentence as it learned: `diary` has (step, translations)."""
    for number, (sentence, right) in enumerate(pairs):
        print(sentence)
        for step, said in diary:
            print(f"{step:8} steps: {said[number]}")
        print(f"          right: {right}\n")


def two_searches(pairs: Pairs, greedy: Found, beam: Found, most: int = 4) -> None:
    """Print where greedy decoding and a beam differ, the first `most` times, and how often each is exactly right."""
    differ = [row for row in zip(pairs, greedy, beam, strict=True) if row[1][0] != row[2][0]]
    for (sentence, right), (one, one_score), (other, other_score) in differ[:most]:
        print(sentence)
        print(f"    greedy {one_score:6.2f}  {one}\n      beam {other_score:6.2f}  {other}")
        print(f"     right         {right}")
    exact = [sum(said == right for (said, _), (_, right) in zip(found, pairs, strict=True)) for found in (greedy, beam)]
    print(f"of {len(pairs)} sentences exactly right: greedy {exact[0]}, a beam of five {exact[1]}")


def unseen_noun(noun: str, beginning: str, pairs: Pairs, said: Sequence[str], most: int = 3) -> None:
    """Print how often the right noun, which starts with `beginning`, is said in its right form, and `most` examples."""
    both = [set(text.split()) & set(right.split()) for text, (_, right) in zip(said, pairs, strict=True)]
    exact = sum(any(word.startswith(beginning) for word in words) for words in both)
    print(f"\n{noun}: in {exact} of {len(pairs)} sentences the right noun, in the right form")
    for text, (sentence, right) in list(zip(said, pairs, strict=True))[:most]:
        print(f"    {sentence}\n        {text}\n        {right} (right)")
