"""What a stack of learners does on its device at every tick, in one go: remember, learn, and say what Q is where decisions
are due.
"""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.base.value_learner import ValueLearner
from cardgames.learners.memory.checkpoint_arrays import Arrays
from cardgames.papers.stacked.losses import StackedLosses
from cardgames.papers.stacked.network import StackedNetwork
from cardgames.papers.stacked.pinned_buffer import PinnedBuffer
from cardgames.papers.stacked.replay import StackedReplay
from cardgames.search.torch_evaluator import import_torch
from cardgames.support.errors import InvalidInput, unknown_name
from cardgames.support.interruption import reinstall_handlers

TORCH_DEVICES = ("cpu", "cuda")
"""Where stacks can learn."""
_WEIGHTS = ("weights", "target", "mean", "square")


class StackedUpdates:
    """The networks and memories of learners that can be stacked, on a device.

    Between `wait` and `launch` the arrays below may be written, which say what to do next. On a GPU all that is launched is
    one recorded graph, on a stream of its own.
    """

    def __init__(self, learners: Sequence[ValueLearner], device: str, most: int):
        """`device` is one of `TORCH_DEVICES`; at most so many decisions (`most`) are remembered at a tick. Raises
        `InvalidInput`.
        """
        if device not in TORCH_DEVICES:
            raise unknown_name("device of a stack", device, TORCH_DEVICES)
        self._torch = torch = import_torch(device)
        if device == "cuda":
            check_compilers()
        first, members = learners[0], len(learners)
        self._outputs, self._device = first.outputs, device
        networks = [learner.online.tensors() for learner in learners]
        self.network = StackedNetwork(torch, networks, device, first.weight_tying)
        self._losses = StackedLosses(torch, learners, device)
        sizes = first.settings.memory, first.inputs, first.outputs
        self.replay = StackedReplay(torch, members, *sizes, device)
        self._inputs = self._transfer(members, first, most)
        host = self._inputs.host
        records = host["fresh"].view(self.replay.dtype)[:, 0]
        self.fresh: tuple[NDArray[Any], ...] = tuple(records[name] for name in self.replay.dtype.names or ())
        """[most, ...] the columns of decisions to remember, in the order of `row_type`."""
        self.fresh_rows: NDArray[np.int64] = host["fresh rows"]
        """[most] where each goes."""
        self.batch = tuple(host[name] for name in ("rows", "rates", "roots", "moving"))
        """What to learn from and how far to go (`draw_batches`)."""
        self.moving: NDArray[np.bool_] = host["moving"][:, 0]
        """[members] who learns."""
        self._q_buffer = torch.zeros((members, first.outputs), pin_memory=device == "cuda")
        self.q: NDArray[np.float32] = self._q_buffer.numpy()
        """[members, outputs] of the positions told at the last launch."""
        self._stream = torch.cuda.Stream() if device == "cuda" else None
        self._graph: Any = None

    def start(self, seen: NDArray[np.int8]) -> None:
        """Ask what Q is at the first positions, `seen` [members, inputs]; on a GPU, record the graph."""
        self.fresh_rows[:] = self.replay.discard_row
        if self._stream is not None:
            torch = self._torch
            torch.cuda.synchronize()
            with self._on_stream():
                for _ in range(3):  # what is compiled and chosen at first calls is no part of the graph
                    self._run_tick()
            torch.cuda.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._run_tick()
            reinstall_handlers()
        self.launch(seen)

    def launch(self, seen: NDArray[np.int8]) -> None:
        """Begin what the arrays say, and ask what Q is at the positions `seen` [members, inputs] thereafter."""
        self._inputs.host["seen"][:] = seen
        if self._graph is None:
            self._run_tick()
            return
        with self._on_stream():
            self._graph.replay()

    def wait(self) -> None:
        """Wait until the device has done what was launched."""
        if self._stream is not None:
            self._stream.synchronize()

    def renew_targets(self, members: Iterable[int]) -> None:
        """Copy the networks of some members to their target networks, behind what was launched."""
        with self._on_stream():
            for member in members:
                self.network.renew_target(member)

    def tensors(self, member: int) -> dict[str, NDArray[np.float32]]:
        """Return the weights of one, named as `Mlp.tensors` names them."""
        self.wait()
        return self.network.tensors(member)

    def state(self) -> Arrays:
        """Return everything as plain arrays."""
        self.wait()
        weights = {name: getattr(self.network, name).cpu().numpy() for name in _WEIGHTS}
        return {**weights, "q": self.q.copy(), "rows": self.replay.rows().view(np.uint8)}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        for name in _WEIGHTS:
            if state[name].shape != tuple(getattr(self.network, name).shape):
                raise InvalidInput(f"the state's {name} are {list(state[name].shape)}")
        self.wait()
        with self._on_stream():
            for name in _WEIGHTS:
                getattr(self.network, name).copy_(self._torch.from_numpy(state[name]))
            self.replay.load_rows(state["rows"].view(self.replay.dtype))
        self.wait()
        self.q[:] = state["q"]

    def _transfer(self, members: int, learner: ValueLearner, most: int) -> PinnedBuffer:
        batch = learner.settings.batch
        layout: dict[str, tuple[tuple[int, ...], Any]] = {
            "fresh": ((most, self.replay.width), np.int64),
            "fresh rows": ((most,), np.int64),
            "rows": ((2, members, batch), np.int64),
            "rates": ((members, 1), np.float32),
            "roots": ((members, 1), np.float32),
            "moving": ((members, 1), np.bool_),
            "seen": ((members, learner.inputs), np.int8),
        }
        return PinnedBuffer(self._torch, layout, self._device)

    def _on_stream(self) -> Any:
        return self._torch.cuda.stream(self._stream)

    def _run_tick(self) -> None:
        """Do on the device what a tick is for: remember, learn, and say what Q is where decisions are due."""
        inputs = self._inputs.send()
        self.replay.write(inputs["fresh rows"], inputs["fresh"])
        activations, gradient = self._losses.activations_and_gradient(self.network, self.replay.read(inputs["rows"]))
        self.network.step(activations, gradient, inputs["rates"], inputs["roots"], inputs["moving"])
        q = self.network.outputs(inputs["seen"][:, None])
        self._q_buffer.copy_(q[:, 0, : self._outputs], non_blocking=True)


def check_compilers() -> None:
    """Raise `InvalidInput` if something is missing that torch needs to compile the losses for a GPU."""
    if not any((os.environ.get("CC"), shutil.which("gcc"), shutil.which("clang"))):
        raise InvalidInput("a stack on CUDA needs a C compiler: install gcc or clang, or name one in CC")
    if find_spec("triton") is None:
        raise InvalidInput("a stack on CUDA needs triton, which is not installed")
