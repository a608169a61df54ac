"""A row is an edit of the reference's own source, and cannot go stale unseen."""

import pytest
import torch

from autograder.catalogue.edits import EditError, Rewrite, inherited, mistake, right
from course_lib.model.attention import scaled_dot_product, softmax
from course_lib.model.encoder import PreNormEncoderBlock

LOGITS = torch.tensor([[1.0, 2.0], [3.0, 5.0]])


def test_an_edit_changes_what_the_reference_does():
    unshifted = mistake("no shift", {" - logits.amax(dim=dim, keepdim=True)": ""}).of(softmax)
    assert torch.equal(unshifted(LOGITS), LOGITS.exp() / LOGITS.exp().sum(-1, keepdim=True))
    assert unshifted(torch.tensor([1e4])).isnan().all()


@pytest.mark.parametrize(
    ("edits", "times", "message"),
    [({"absent": ""}, 1, "stands 0 times, not 1"), ({"dim=dim": "dim=0"}, 1, "stands 2 times, not 1")],
)
def test_a_text_that_does_not_stand_there_so_often_is_an_error(edits, times, message):
    with pytest.raises(EditError, match=message):
        Rewrite("stale", edits, times).of(softmax)


def test_a_borrowed_mistake_is_made_in_the_exercise_that_is_called():
    rows = (mistake("softmin", {"torch.exp(logits": "torch.exp(-logits", "- logits.amax": "+ logits.amin"}),)
    attend = inherited(softmax, rows, "softmin").of(scaled_dot_product)
    q, k = torch.eye(2), torch.eye(2)
    assert attend(q, k, k)[1][0, 0] < 0.5 < scaled_dot_product(q, k, k)[1][0, 0]


def test_a_class_is_edited_together_with_what_it_inherits():
    source = right("wider", {"self.norm1 = LayerNorm(input_dim)": "self.norm1 = LayerNorm(input_dim, eps=1.0)"})
    block = source.of(PreNormEncoderBlock)(4, 2, 8)
    assert block.norm1.eps == 1.0
    assert block.norm2.eps != 1.0


def test_a_body_stands_for_itself():
    def body(logits, dim=-1):
        return logits

    assert mistake("nothing done", body).because("It does nothing.").of(softmax) is body
