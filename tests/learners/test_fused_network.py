import os
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import cardgames.learners
from cardgames.core.errors import InvalidInput
from cardgames.core.games import make
from cardgames.learners import stacked_updates
from cardgames.learners.algorithms import make_learner
from cardgames.learners.candqn import CandqnSettings
from cardgames.learners.stacked_network import StackedNetwork
from cardgames.learners.stacked_updates import stacked_network
from cardgames.learners.value_learner import ValueLearner

torch = pytest.importorskip("torch")

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
SIZES = {"small": (40, 33, 70, 20), "large": (240, 512, 130, 61)}


def members(n: int, size: str = "small") -> list[dict[str, Any]]:
    draw = np.random.default_rng(7)
    found = []
    for _ in range(n):
        weights: dict[str, Any] = {}
        for layer, (inputs, units) in enumerate(pairwise(SIZES[size])):
            weights[f"{2 * layer}.weight"] = draw.normal(0, inputs**-0.5, (units, inputs)).astype(np.float32)
            weights[f"{2 * layer}.bias"] = draw.normal(0, 0.1, units).astype(np.float32)
        found.append(weights)
    return found


def apart(one: Any, other: Any) -> float:
    """Return how far tensors are from each other, as a part of what they are."""
    return float((one - other).norm() / one.norm())


def learn_alike(plain: StackedNetwork, fused: StackedNetwork, rows: int) -> None:
    """Have both make the same steps, and compare them."""
    n, inputs, outputs = len(plain.weights), plain.sizes[0], plain.sizes[-1]
    generator = torch.Generator().manual_seed(1)

    def drawn(*shape: int) -> Any:
        return torch.rand(shape, generator=generator).to(DEVICE)

    moving = torch.tensor([[member != 1] for member in range(n)], device=DEVICE)
    stays = plain.weights[1].clone()
    for _ in range(3):
        # as what is remembered of a decision, the inputs are a part of longer rows
        pair, slopes = (drawn(2, n, rows, inputs + 16) < 0.3).to(torch.int8)[..., 8:-8], drawn(n, rows, outputs) - 0.5
        rates, roots = drawn(n, 1) * 1e-3, drawn(n, 1) + 0.1
        for network in (plain, fused):
            seen, told = network.forward_both(pair)
            network.step(seen, slopes, rates, roots, moving)
            if network is plain:
                expected, expected_told = seen[-1], told
        assert apart(expected, seen[-1]) < 1e-5
        assert apart(expected_told, told) < 1e-5
        assert apart(plain.outputs(pair[0]), fused.outputs(pair[0])) < 1e-5
    for name in ("weights", "target", "mean", "square"):
        assert apart(getattr(plain, name), getattr(fused, name)) < 1e-5, name
    assert (fused.weights[1] == stays).all(), "who does not learn stays"


@pytest.mark.skipif(DEVICE == "cpu" and not INTERPRETED, reason="needs a CUDA device, or Triton's interpreter")
class TestKernels:
    @pytest.mark.parametrize("rows", [1, 5, 32, 70])
    @pytest.mark.parametrize("size", ["small"] if DEVICE == "cpu" else SIZES)
    def test_layers_are_the_plain_ones(self, size: str, rows: int) -> None:
        from cardgames.learners.fused_network import FusedNetwork

        networks = (kind(torch, members(3, size), DEVICE) for kind in (StackedNetwork, FusedNetwork))
        learn_alike(*networks, rows)

    def test_a_wired_first_layer_is_the_plain_one(self) -> None:
        from cardgames.learners.fused_network import FusedNetwork

        settings = CandqnSettings(hidden=(24,), color_units=4, number_units=6)
        learner: Any = make_learner("candqn", [make("uno", 2, "rlcard")], settings, device="kernel")
        assert isinstance(learner, ValueLearner)
        wired = [learner.online.tensors() for _ in range(2)]
        networks = (kind(torch, wired, DEVICE, learner.wiring) for kind in (StackedNetwork, FusedNetwork))
        learn_alike(*networks, 8)

    def test_what_is_no_number_is_not_hidden(self) -> None:
        from cardgames.learners.fused_network import FusedNetwork

        network = FusedNetwork(torch, members(2), DEVICE)
        network.weights[0, 0] = float("nan")
        outputs = network.outputs(torch.ones((2, 3, SIZES["small"][0]), dtype=torch.int8, device=DEVICE))
        assert outputs[0].isnan().all() and not outputs[1].isnan().any()


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
        monkeypatch.delattr(cardgames.learners, module, raising=False)
    with pytest.raises(InvalidInput, match="a stack on CUDA needs triton, which is not installed"):
        stacked_network(torch, members(1), "cuda")
