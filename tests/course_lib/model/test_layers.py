import pytest
import torch
from torch import nn

from course_lib.model.layers import LayerNorm


@pytest.mark.parametrize(("dim", "eps"), [(2, 1e-5), (4, 0.1), (31, 1e-12)])
def test_layer_norm_agrees_with_torch(dim, eps):
    ours, theirs = LayerNorm(dim, eps).double(), nn.LayerNorm(dim, eps).double()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.normal_()
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(3, 5, dim, dtype=torch.float64) * 7 + 2
    torch.testing.assert_close(ours(x), theirs(x), rtol=0, atol=1e-10)


def test_a_token_without_variance_is_finite_with_its_gradient():
    norm = LayerNorm(5)
    x = torch.full((3, 5), 7.0, requires_grad=True)
    norm(x).square().sum().backward()
    assert torch.equal(norm(x), torch.zeros(3, 5))
    assert x.grad.isfinite().all()
