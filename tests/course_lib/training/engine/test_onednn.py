import pytest
import torch
from torch.nn import functional as F

from course_lib.training.engine.onednn import gains, onednn_linear, suits

needs_onednn = pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this torch has no oneDNN")


@needs_onednn
@pytest.mark.parametrize("has_bias", [True, False])
def test_outputs_and_gradients_are_those_of_torchs_own_product(has_bias):
    generator = torch.Generator().manual_seed(0)
    shapes = [(2, 3, 17), (11, 17), *([(11,)] if has_bias else [])]
    given = [torch.randn(shape, generator=generator, requires_grad=True) for shape in shapes]
    x, weight, bias = given if has_bias else (*given, None)
    results = []
    for multiply in (F.linear, onednn_linear):
        output = multiply(x, weight, bias)
        results.append([output, *torch.autograd.grad(output.square().sum(), given)])
    torch.testing.assert_close(*results)


@needs_onednn
def test_it_suits_a_wide_layer_in_float32():
    wide = torch.zeros(257, 263)
    assert suits(wide)
    assert not suits(wide[:101])
    assert not suits(wide.double())


@pytest.mark.parametrize(
    ("vendor", "family", "capability", "expected"),
    [
        ("AuthenticAMD", 26, "AVX512", True),
        ("AuthenticAMD", 27, "AVX512", True),
        ("AuthenticAMD", 25, "AVX512", False),
        ("AuthenticAMD", 26, "AVX2", False),
        ("GenuineIntel", 26, "AVX512", False),
    ],
)
@pytest.mark.parametrize(
    "system", ["processor\t: 0\nvendor_id\t: {}\ncpu family\t: {}\nmodel\t\t: 17\n", "AMD64 Family {1} Model 2, {0}"]
)
def test_the_processor_decides_by_its_vendor_its_family_and_its_instructions(
    system, vendor, family, capability, expected
):
    assert gains(system.format(vendor, family), capability) is expected


def test_a_processor_of_no_known_family_takes_torchs_own_product():
    assert not gains("vendor_id\t: AuthenticAMD\n", "AVX512")
