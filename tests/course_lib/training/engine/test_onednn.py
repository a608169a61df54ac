import pytest
import torch
from torch.nn import functional as F

from course_lib.training.engine import onednn
from course_lib.training.engine.onednn import gains, onednn_linear, suits
from course_lib.training.engine.threads import suitable_threads

needs_onednn = pytest.mark.skipif(not suits(torch.zeros(1)), reason="this torch has no such operation of oneDNN")
SHAPES = {  # of input and weight
    "weight of its own": ((2, 300, 67), (101, 67)),
    "wider than long": ((2, 300, 101), (67, 101)),
    "too few numbers for oneDNN's gradient": ((4, 2000, 31), (17, 31)),
    "one row after the other": ((700, 67), (101, 67)),
}


@pytest.fixture(autouse=True)
def one_thread():
    with suitable_threads(torch.nn.Identity(), 1):
        yield


def is_by_onednn(output: torch.Tensor) -> bool:
    return type(output.grad_fn).__name__ == "_OneDnnLinearBackward"


@needs_onednn
@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.parametrize(("of_input", "of_weight"), SHAPES.values(), ids=SHAPES)
def test_outputs_and_gradients_are_those_of_torchs_own_product(of_input, of_weight, has_bias):
    generator = torch.Generator().manual_seed(0)
    shapes = [of_input, of_weight, *([of_weight[:1]] if has_bias else [])]
    given = [torch.randn(shape, generator=generator, requires_grad=True) for shape in shapes]
    x, weight, bias = given if has_bias else (*given, None)
    results = []
    for multiply in (F.linear, onednn_linear):
        output = multiply(x, weight, bias)
        results.append([output, *torch.autograd.grad(output.square().mean(), given)])
    assert is_by_onednn(output)
    torch.testing.assert_close(*results)


@needs_onednn
def test_neither_the_strides_of_the_input_nor_those_of_the_gradient_change_the_result():
    x = torch.randn(101, 300, 2).div(100).transpose(0, 2).requires_grad_()
    weight = torch.randn(101, 67).T.requires_grad_()
    results = []
    for multiply in (F.linear, onednn_linear):
        output = multiply(x, weight, None)
        results.append([output, *torch.autograd.grad(output.sum(), (x, weight))])
    assert is_by_onednn(output)
    torch.testing.assert_close(*results)


@needs_onednn
def test_only_large_products_are_left_to_onednn(monkeypatch):
    weight = torch.zeros(4, 5, requires_grad=True)
    monkeypatch.setattr(onednn, "LARGE", 3 * 5 * 4)
    assert is_by_onednn(onednn_linear(torch.zeros(3, 5), weight, None))
    assert not is_by_onednn(onednn_linear(torch.zeros(2, 5), weight, None))


@needs_onednn
@pytest.mark.parametrize("x", [torch.zeros(700, 68), torch.zeros(700, 67).double()], ids=["shape", "dtype"])
def test_what_cannot_be_multiplied_is_refused_as_by_torch(x):
    weight, said = torch.zeros(101, 67), []
    for multiply in (F.linear, onednn_linear):
        with pytest.raises(RuntimeError) as raised:
            multiply(x, weight, None)
        said.append(str(raised.value))
    assert said[0] == said[1]


@needs_onednn
def test_a_single_row_gives_a_single_row(monkeypatch):
    monkeypatch.setattr(onednn, "LARGE", 0)
    row, weight = torch.randn(67), torch.randn(101, 67)
    torch.testing.assert_close(onednn_linear(row, weight, None), F.linear(row, weight))


@needs_onednn
def test_autocast_decides_what_a_product_is_computed_in():
    with torch.autocast("cpu", torch.bfloat16):
        assert onednn_linear(torch.zeros(700, 67), torch.zeros(101, 67), None).dtype == torch.bfloat16


@needs_onednn
def test_gradients_have_gradients():
    x, weight = torch.randn(700, 67, requires_grad=True), torch.randn(101, 67, requires_grad=True)
    results = []
    for multiply in (F.linear, onednn_linear):
        (slope,) = torch.autograd.grad(multiply(x, weight, None).square().mean(), x, create_graph=True)
        results.append(torch.autograd.grad(slope.square().sum(), (x, weight)))
    torch.testing.assert_close(*results)


@needs_onednn
def test_a_first_layer_computes_no_gradient_of_its_input(monkeypatch):
    products = []
    plain = onednn._product
    monkeypatch.setattr(onednn, "_product", lambda *given: products.append(given) or plain(*given))
    onednn_linear(torch.ones(700, 67), torch.ones(101, 67, requires_grad=True), None).sum().backward()
    assert len(products) == 2  # the output, and the gradient of the weight


@needs_onednn
def test_it_suits_a_layer_in_float32():
    assert suits(torch.zeros(7, 5))
    assert not suits(torch.zeros(7, 5).double())
    assert not suits(torch.zeros(7, 5, device="meta"))


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
