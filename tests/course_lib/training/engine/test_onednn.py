import pytest
import torch
from torch.nn import functional as F

from course_lib.training.engine import onednn
from course_lib.training.engine.onednn import is_amd_with_avx512, onednn_linear, onednn_pays

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
def test_it_pays_for_a_wide_layer_in_float32_where_the_processor_gains(monkeypatch):
    wide = torch.zeros(257, 263)
    monkeypatch.setattr(onednn, "is_amd_with_avx512", lambda: True)
    assert onednn_pays(wide)
    assert not onednn_pays(wide[:101])
    assert not onednn_pays(wide.double())
    monkeypatch.setattr(onednn, "is_amd_with_avx512", lambda: False)
    assert not onednn_pays(wide)


@pytest.mark.parametrize(
    ("vendor", "capability", "gains"),
    [("AuthenticAMD", "AVX512", True), ("AuthenticAMD", "AVX2", False), ("GenuineIntel", "AVX512", False)],
)
@pytest.mark.parametrize("system", ["linux", "another"])
def test_the_processor_decides_by_its_vendor_and_its_instructions(
    monkeypatch, tmp_path, system, vendor, capability, gains
):
    info = tmp_path / "cpuinfo"
    if system == "linux":
        info.write_text(f"processor\t: 0\nvendor_id\t: {vendor}\n")
    monkeypatch.setattr(onednn, "CPUINFO", info)
    monkeypatch.setattr(onednn.platform, "processor", lambda: f"AMD64 Family 26 Model 2 Stepping 1, {vendor}")
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    assert is_amd_with_avx512.__wrapped__() is gains
