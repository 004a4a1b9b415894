import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from cardgames.core.errors import InvalidInput
from cardgames.learners import stacked_updates
from cardgames.learners.stacked_network import StackedNetwork
from cardgames.learners.stacked_updates import stacked_network

torch = pytest.importorskip("torch")

SIZES = 240, 512, 130, 61


def members(n: int) -> list[dict[str, Any]]:
    draw = np.random.default_rng(7)
    found = []
    for _ in range(n):
        weights: dict[str, Any] = {}
        for layer, (inputs, units) in enumerate(pairwise(SIZES)):
            weights[f"{2 * layer}.weight"] = draw.normal(0, inputs**-0.5, (units, inputs)).astype(np.float32)
            weights[f"{2 * layer}.bias"] = draw.normal(0, 0.1, units).astype(np.float32)
        found.append(weights)
    return found


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("rows", [5, 32])
def test_layers_on_a_gpu_are_the_plain_ones(rows: int) -> None:
    plain, fused = StackedNetwork(torch, members(3), "cuda"), stacked_network(torch, members(3), "cuda")
    generator = torch.Generator(device="cuda").manual_seed(1)

    def drawn(*shape: int) -> Any:
        return torch.rand(shape, generator=generator, device="cuda")

    moving = torch.tensor([[True], [False], [True]], device="cuda")
    for _ in range(3):
        inputs, slopes = (drawn(3, rows, SIZES[0]) < 0.3).to(torch.int8), drawn(3, rows, SIZES[-1]) - 0.5
        rates, roots = drawn(3, 1) * 1e-3, drawn(3, 1)
        expected, found = plain.forward(inputs), fused.forward(inputs)
        assert torch.allclose(expected[-1], found[-1], rtol=0, atol=1e-5)
        for network, seen in ((plain, expected), (fused, found)):
            network.step(seen, slopes, rates, roots, moving)
    for name in ("weights", "mean", "square"):
        expected, found = getattr(plain, name), getattr(fused, name)
        assert float((expected - found).norm() / expected.norm()) < 1e-5
    assert (plain.weights[1] == fused.weights[1]).all(), "who does not learn stays"


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(stacked_updates.shutil, "which", lambda name: None)
    with pytest.raises(InvalidInput, match="needs a C compiler: install gcc or clang, or name one in CC"):
        stacked_network(torch, members(1), "cuda")


def test_missing_triton_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "cc")
    monkeypatch.setitem(sys.modules, "triton", None)
    for module in ("stacked_kernels", "fused_network"):
        monkeypatch.delitem(sys.modules, f"cardgames.learners.{module}", raising=False)
    with pytest.raises(InvalidInput, match="a stack on CUDA needs triton, which is not installed"):
        stacked_network(torch, members(1), "cuda")
