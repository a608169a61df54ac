import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from autograder.catalogue import find
from autograder.practice.card_errors import complaints
from autograder.probes.run import run_case
from autograder.probes.torch.modules import ParameterMismatch

EXERCISE = find("scaled_dot_product")
A, B = torch.zeros(2, 3, 5), torch.zeros(2, 7, 5)


def complaint_about(code):
    """What is said when `code`, a function without arguments, runs in a probe."""
    (complaint,) = complaints(EXERCISE, {"a case": run_case(lambda student: student(), code, {})}, {})
    return complaint


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (lambda: A[0] @ B[0], "the columns of a (5) must equal the rows of b (7)"),
        (lambda: A @ B, "the columns of a (5) must equal the rows of b (7)"),
        (lambda: A[0] + B[0], "along axis 0 one tensor has 3 entries and the other 7"),
        (lambda: A.reshape(2, 4, 4), "30 of them do not fill [2, 4, 4]"),
        (lambda: A.transpose(1, 2).view(30), "`reshape`"),
        (lambda: torch.cat([A, B], dim=0), "`cat` joins"),
        (lambda: A[0] @ torch.zeros(5, 3, dtype=torch.float64), "different dtypes"),
        (lambda: A.sum(7), "fewer axes"),
        (lambda: 1 if A else 2, "if mask is not None"),
        (lambda: [x for x, y in [(1, 2, 3)]], "unpacks what the call returns"),
        (lambda: math.exp(A), "`torch.exp`"),
        (lambda: A.mean().reshape(1 / 1), "divide with `//`"),
        (lambda: nn.Sequential(nn.ReLU), "`nn.ReLU()`"),
        (lambda: nn.Sequential([nn.ReLU()]), "`*layers`"),
        (lambda: divmod(7, 2)(A), "You call a tuple as if it were a function"),
        (lambda: A[::-1], "`.flip(-1)`"),
        (lambda: torch.cat([(A,)]), "one of the parts is a tuple"),
        (lambda: {"weight": A}.weight, '`…["weight"]`'),
        (lambda: [1, 2].max(), "`torch.as_tensor`"),
        (lambda: A.clone().requires_grad_().numpy(), "NumPy cannot follow"),
        (lambda: {"out": (A, B)}, "Return one value, not several"),
        (lambda: {"out": ValueError("no")}, "raised, not returned"),
        (lambda: nn.Linear(7, 2)(A), "expects 7 features and gets 5"),
        (lambda: None + A, ""),
        (lambda: {"out": [1, 2]}, "Return tensors"),
        (lambda: A & A, "booleans"),
        (lambda: A.masked_fill(A, 1.0), "True where"),
        (lambda: ~A, "booleans"),
        (lambda: A - A.max(dim=-1), "`torch.max` returns values and indices"),
        (lambda: F.cross_entropy(A, torch.zeros(2, 3).long()), "classes on axis 1"),
        (lambda: (lambda q: q)(1, 2), "It is called as `scaled_dot_product(q, k, v, mask=None)`"),
        (lambda: (lambda q, k, v, mask: q)(A, A, A), "A caller may leave out `mask`"),
    ],
)
def test_an_error_says_what_to_look_for(code, words):
    assert words in complaint_about(code).means


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("B, h, T, _ = x.shape", "unpacks a shape"),
        ("B, T = tokens.size()", "unpacks a shape"),
        ("(b, t, _), past = x.shape, 0 if cache is None else cache[0].size(2)", "unpacks a shape"),
        ("rows, width = scores.mT.shape[1:]  # of all heads", "unpacks a shape"),
        ("values, weights = attention(x, x.shape)", "unpacks what the call returns"),
        ("for x, y in pairs(batch):", "unpacks what the call returns"),
    ],
)
def test_a_shape_that_is_unpacked_is_told_from_what_a_call_returns(line, words):
    error = {"type": "ValueError", "message": "not enough values to unpack (expected 4, got 3)", "line": line}
    (complaint,) = complaints(EXERCISE, {"a case": {"error": error}}, {})
    assert words in complaint.means


def test_the_transpose_of_all_axes_is_recognised_by_its_line():
    error = {"type": "RuntimeError", "message": "The size of tensor a (3) must match", "line": "scores = q @ k.T"}
    (complaint,) = complaints(EXERCISE, {"a case": {"error": error}}, {})
    assert complaint.line == "scores = q @ k.T"
    assert complaint.means.startswith("`.T` reverses all axes")


def test_one_line_is_shown_once_with_the_cases_it_stopped():
    records = {str(n): {"error": {"type": "ValueError", "message": f"{n}", "line": "x = y"}} for n in range(5)}
    (complaint,) = complaints(EXERCISE, records, {})
    assert complaint.where == "in the cases 0, 1 and 3 more"
    assert complaint.quotes == tuple(f"ValueError: {n}" for n in range(5))


def test_cases_without_an_error_are_no_complaint():
    assert complaints(EXERCISE, {"fine": {"tensors": {}}}, {}) == []


def test_an_error_that_is_due_is_no_complaint_and_another_in_its_place_is():
    expected = {"bad input": {"error": {"type": "ValueError", "message": "…"}}}
    raised = {"type": "WidthError", "message": "no", "kinds": ["WidthError", "ValueError", "Exception"]}
    assert complaints(EXERCISE, {"bad input": {"error": raised}}, expected) == []
    assert complaints(EXERCISE, {"bad input": {"error": raised | {"kinds": ["WidthError"]}}}, expected)


def test_of_many_parameters_that_differ_the_first_are_listed():
    mismatch = ParameterMismatch({f"layers.{n}.weight": [3] for n in range(48)}, {})

    def raises():
        raise mismatch

    complaint = complaint_about(raises)
    assert (len(complaint.parameters), complaint.unlisted) == (12, 36)
    assert complaint.message.endswith("layers.3.weight and 44 more")


def test_parameters_that_differ_are_listed_beside_the_contract():
    mismatch = ParameterMismatch({"w": [3, 5], "b": [3], "same": [7]}, {"w": [5, 3], "extra": [2], "same": [7]})

    def raises():
        raise mismatch

    complaint = complaint_about(raises)
    assert complaint.parameters == (("w", "[3, 5]", "[5, 3]"), ("b", "[3]", "—"), ("extra", "—", "[2]"))


def of_parameters(expected, got):
    error = {"type": "ParameterMismatch", "message": "…", "expected": expected, "found": got}
    return complaints(EXERCISE, {"a case": {"error": error}}, {})[0].means


def test_parameters_under_other_names_are_told_by_both_names():
    expected = {"0.weight": [3, 5], "0.bias": [3], "3.weight": [5, 3]}
    inside = {f"net.{name}": shape for name, shape in expected.items()}
    assert "the contract's `0` is your `net.0`" in of_parameters(expected, inside)
    assert "the contract's `weight` is your `matrix`" in of_parameters({"weight": [3, 5]}, {"matrix": [3, 5]})
    assert of_parameters(expected, {"net.weight": [1]}).startswith("Names and shapes")


def test_two_sizes_that_have_changed_places_are_told():
    assert "sizes of w are swapped" in of_parameters({"w": [3, 5], "b": [3]}, {"w": [5, 3], "b": [5]})


def test_an_error_of_ones_own_is_told_from_one_that_is_due():
    def code():
        raise TypeError(f"width {A.shape[-1]}")

    assert says(code).startswith("Your own check rejects")
    expected = {"a case": {"error": {"type": "ValueError", "message": "…"}}}
    (complaint,) = complaints(EXERCISE, {"a case": run_case(lambda student: student(), code, {})}, expected)
    assert complaint.means.startswith("The contract expects a ValueError here.")


def test_an_attribute_that_is_missing_is_the_students_or_the_contracts():
    message = "'scaled_dot_product' object has no attribute 'heads'"
    error = {"type": "AttributeError", "message": message}
    (complaint,) = complaints(EXERCISE, {"a case": {"error": error}}, {})
    assert complaint.means.startswith("The contract has `heads`")
    (complaint,) = complaints(EXERCISE, {"a case": {"error": error | {"line": "h = self.heads"}}}, {})
    assert complaint.means.startswith("`self.heads` is used here")


def says(code):
    return complaint_about(code).means


class Layer(torch.nn.Module):
    def forward(self, x):
        return x


class Unfinished(torch.nn.Module):
    def __init__(self):
        self.inner = Layer()


class WithoutSelf(torch.nn.Module):
    def forward(x):
        return x


def test_a_function_without_a_return_is_asked_for_one():
    assert "end in a `return`" in says(lambda: {"out": None})


def test_a_mask_that_is_none_is_not_asked_for_a_return():
    def code(mask=None):
        return A.masked_fill(mask.bool(), 0.0)

    assert "if mask is not None" in says(code)


def test_a_call_inside_the_answer_is_not_taken_for_the_call_of_the_answer():
    said = says(lambda: Layer()(A, A, A))
    assert "Layer.forward" in said
    assert "scaled_dot_product" not in said


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (Unfinished, "`super().__init__()` first"),
        (lambda: WithoutSelf()(A), "The first argument of `forward` is self"),
        (lambda: (A, B).sum(), "Unpack them"),
        (lambda: A + scaled, "nothing named scaled"),  # noqa: F821
        (lambda: F.embedding(torch.tensor([9]), torch.zeros(3, 2)), "past the end of its table"),
        (lambda: torch.zeros(3, requires_grad=True).add_(1), "make a new one"),
        (lambda: A.sum().backward(), "detached from the inputs"),
    ],
)
def test_what_students_stumble_over_is_explained(code, words):
    assert words in says(code)


def test_the_line_that_is_shown_is_the_students_and_not_a_librarys():
    def code():
        return find("scaled_dot_product").reference(A[0], B[0, :, :3], B[0])  # ours

    assert complaint_about(code).line.endswith("# ours")
