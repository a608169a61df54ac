import pytest
import torch

from course_lib.model.attention import scaled_dot_product
from course_lib.training.engine.fast_attention import FEW, LARGE, LONG, batched_products_pay, fast_attention


@pytest.fixture(params=[1, 2])
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


def heads(queries=11, keys=13, width=17, values=19):
    generator = torch.Generator().manual_seed(0)
    shapes = (3, 5, queries, width), (3, 5, keys, width), (3, 5, keys, values)
    return [torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True) for shape in shapes]


def output_and_gradients(attention, given):
    output = attention(*given)
    upstream = torch.randn(output.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    return [output, *torch.autograd.grad(output, given, upstream)]


def operations(given):
    with torch.profiler.profile() as run:
        fast_attention(*given)
    return {event.key for event in run.key_averages()}


@pytest.mark.parametrize("keys", [FEW - 1, FEW + 1], ids=["few keys", "more keys"])
def test_outputs_and_gradients_are_those_of_the_formula(threads, keys):
    written = output_and_gradients(lambda q, k, v: scaled_dot_product(q, k, v)[0], heads(keys=keys))
    torch.testing.assert_close(output_and_gradients(fast_attention, heads(keys=keys)), written)


def test_heads_that_are_views_of_one_projection_give_the_same(threads):
    whole = [part.transpose(1, 2).contiguous().transpose(1, 2) for part in heads()]
    torch.testing.assert_close(fast_attention(*whole), fast_attention(*heads()))


def test_one_thread_takes_the_fused_kernel_and_several_do_not(threads):
    assert ("aten::scaled_dot_product_attention" in operations(heads())) is (threads == 1)


@pytest.mark.parametrize(
    ("sizes", "pays"),
    [
        (dict(queries=8, keys=8, width=LARGE // 64), False),
        (dict(queries=8, keys=8, width=LARGE // 64 + 1), True),
        (dict(keys=LONG), True),
        (dict(keys=LONG + 1), False),
    ],
    ids=["small products", "large products", "long", "too long"],
)
def test_the_size_decides_with_several_threads(threads, sizes, pays):
    q, k, _ = heads(**sizes)
    assert batched_products_pay(q, k) is (pays and threads > 1)


def test_elsewhere_than_on_a_cpu_attention_stays_fused(threads):
    q, k, _ = (part.to("meta") for part in heads())
    assert not batched_products_pay(q, k)
