"""What a page's reader costs, however its statements lead to each other."""

from autograder.catalogue import find
from autograder.judging.page import Page
from autograder.judging.shortcuts import shortcut


def test_a_star_costs_its_reader_once_however_often_it_is_written():
    page = Page(["from torch import *\n" * 97, "relu = 1", "from torch import *"])
    assert [type(meaning).__name__ for meaning in page.bindings["relu"]] == ["ImportFrom", "Assign", "ImportFrom"]
    assert len(page.bindings["softmax"]) == 1


def test_entries_that_lead_to_each_other_are_followed_one_by_one():
    notes = "".join(f"f.a{n} = f.a{n + 1}\n" for n in range(500))
    page = Page([f"def softmax(x):\n    return f.a0\ndef f(): pass\n{notes}f.a500 = F.softmax"])
    assert shortcut(find("softmax"), page)
    assert len(page.reached("softmax")) == 503
