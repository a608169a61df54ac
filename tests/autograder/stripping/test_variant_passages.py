"""Passages in several variants: one is kept, and a marker in the wrong place is named with its line."""

import pytest

from autograder.stripping.variants import VariantError, chosen, variants_of

TWO = "Above.\n<!-- variant: a -->\nOne.\n<!-- variant: b -->\nTwo,\nand more.\n<!-- end of variants -->\nBelow."
CODE = "x = 1\n# variant: a\nsize = 5\n# variant: b\nsize = 7\n# end of variants\nshow(size)"


@pytest.mark.parametrize(
    ("source", "number", "expected"),
    [
        (TWO, 0, "Above.\nOne.\nBelow."),
        (TWO, 1, "Above.\nTwo,\nand more.\nBelow."),
        (TWO, 5, "Above.\nTwo,\nand more.\nBelow."),
        (CODE, 0, "x = 1\nsize = 5\nshow(size)"),
        (CODE, 3, "x = 1\nsize = 7\nshow(size)"),
        ("no # variant: here", 3, "no # variant: here"),
    ],
)
def test_one_variant_is_kept_and_no_marker(source, number, expected):
    assert chosen(source, number) == expected


def test_the_variants_of_a_text_are_named_in_their_order():
    assert variants_of(TWO) == variants_of(CODE) == variants_of(f"{TWO}\n{TWO}") == ("a", "b")
    assert variants_of("none") == ()


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("# variant: a\n# variant: a\n# end of variants", 2, "“a” twice"),
        ("1\n# end of variants", 2, "without a `variant:` before it"),
        ("# variant: a\n1\n2", 3, "without `end of variants`"),
        (f"{TWO}\n# variant: a\n# variant: c\n# end of variants", 11, "name the same ones"),
    ],
)
def test_a_marker_in_the_wrong_place_is_named_with_its_line(source, line, said):
    with pytest.raises(VariantError, match=said) as error:
        variants_of(source)
    assert error.value.line == line
