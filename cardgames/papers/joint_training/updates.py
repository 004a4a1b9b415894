"""Device side of a stack of learners: in each tick it stores decisions, updates all networks and computes new Q values."""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.base.value_learner import ValueLearner
from cardgames.papers.joint_training.losses import StackedLosses
from cardgames.papers.joint_training.network import StackedNetwork
from cardgames.papers.joint_training.pinned_buffer import PinnedBuffer
from cardgames.papers.joint_training.replay import StackedReplay
from cardgames.search.torch_evaluator import import_torch
from cardgames.support.errors import InvalidInput, unknown_name
from cardgames.support.interruption import reinstall_handlers
from cardgames.support.state_dict import Arrays

TORCH_DEVICES = ("cpu", "cuda")
"""Torch devices on which stacks of learners can be trained."""
_WEIGHTS = ("weights", "target", "mean", "square")


class StackedUpdates:
    """Networks and replay buffers of learners that are trained at once, on a device.

    A tick stores decisions, updates the networks and computes Q values. The attributes `fresh`, `fresh_rows`, `batch` and
    `moving` are the inputs of the next tick: write them only between `wait` and `launch`. On a GPU a tick is one recorded
    CUDA graph, run on a stream of its own.
    """

    def __init__(self, learners: Sequence[ValueLearner], device: str, max_fresh: int):
        """Move the learners' networks to the device.

        Args:
            learners: Members of the stack.
            device: One of `TORCH_DEVICES`.
            max_fresh: Largest number of decisions that one tick can store.

        Raises:
            InvalidInput: The device is unknown or missing, or a compiler that the device needs is missing.
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
        self._inputs = self._new_buffer(members, first, max_fresh)
        host = self._inputs.host
        records = host["fresh"].view(self.replay.dtype)[:, 0]
        self.fresh: tuple[NDArray[Any], ...] = tuple(records[name] for name in self.replay.dtype.names or ())
        """[max_fresh, ...] columns of the decisions to store in the next tick, in the order of the fields of `row_type`."""
        self.fresh_rows: NDArray[np.int64] = host["fresh rows"]
        """[max_fresh] row index in the replay buffer to which each decision in `fresh` is written."""
        self.batch = tuple(host[name] for name in ("rows", "rates", "roots", "moving"))
        """Row indices of the batch and learning rates for the next update; `draw_batches` fills them."""
        self.moving: NDArray[np.bool_] = host["moving"][:, 0]
        """[members] True for each member whose network the next tick updates."""
        self._q_buffer = torch.zeros((members, first.outputs), pin_memory=device == "cuda")
        self.q: NDArray[np.float32] = self._q_buffer.numpy()
        """[members, outputs] Q values of the observations that were passed to the last `launch`."""
        self._stream = torch.cuda.Stream() if device == "cuda" else None
        self._graph: Any = None

    def start(self, observations: NDArray[np.int8]) -> None:
        """Compute the Q values of the first `observations` [members, inputs]; on a GPU, first record a CUDA graph."""
        self.fresh_rows[:] = self.replay.discard_row
        if self._stream is not None:
            torch = self._torch
            torch.cuda.synchronize()
            with self._on_stream():
                for _ in range(3):  # warm up: compilation and algorithm selection must not be recorded
                    self._run_tick()
            torch.cuda.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._run_tick()
            reinstall_handlers()
        self.launch(observations)

    def launch(self, observations: NDArray[np.int8]) -> None:
        """Start a tick: store decisions, update networks, then compute the Q values of `observations` [members, inputs]."""
        self._inputs.host["observations"][:] = observations
        if self._graph is None:
            self._run_tick()
            return
        with self._on_stream():
            self._graph.replay()

    def wait(self) -> None:
        """Wait until the device has finished the tick that `launch` started."""
        if self._stream is not None:
            self._stream.synchronize()

    def renew_targets(self, members: Iterable[int]) -> None:
        """Copy the online networks of some members to their target networks, once the running tick is finished."""
        with self._on_stream():
            for member in members:
                self.network.renew_target(member)

    def tensors(self, member: int) -> dict[str, NDArray[np.float32]]:
        """Return the network weights of one member, with the tensor names of `Mlp.tensors`."""
        self.wait()
        return self.network.tensors(member)

    def state(self) -> Arrays:
        """Return the networks, Adam's moments, Q values and replay buffers as plain arrays, for a checkpoint."""
        self.wait()
        weights = {name: getattr(self.network, name).cpu().numpy() for name in _WEIGHTS}
        return {**weights, "q": self.q.copy(), "rows": self.replay.rows().view(np.uint8)}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the arrays that `state` returned. Raises `InvalidInput` if their shapes do not fit."""
        for name in _WEIGHTS:
            if state[name].shape != tuple(getattr(self.network, name).shape):
                raise InvalidInput(f"the {name} in the state do not fit: their shape is {list(state[name].shape)}")
        self.wait()
        with self._on_stream():
            for name in _WEIGHTS:
                getattr(self.network, name).copy_(self._torch.from_numpy(state[name]))
            self.replay.load_rows(state["rows"].view(self.replay.dtype))
        self.wait()
        self.q[:] = state["q"]

    def _new_buffer(self, members: int, learner: ValueLearner, max_fresh: int) -> PinnedBuffer:
        """Return the buffer with all inputs of a tick, which is sent to the device in one copy."""
        batch = learner.settings.batch
        layout: dict[str, tuple[tuple[int, ...], Any]] = {
            "fresh": ((max_fresh, self.replay.width), np.int64),
            "fresh rows": ((max_fresh,), np.int64),
            "rows": ((2, members, batch), np.int64),
            "rates": ((members, 1), np.float32),
            "roots": ((members, 1), np.float32),
            "moving": ((members, 1), np.bool_),
            "observations": ((members, learner.inputs), np.int8),
        }
        return PinnedBuffer(self._torch, layout, self._device)

    def _on_stream(self) -> Any:
        """Return a context in which torch operations run on the CUDA stream of this object (without a GPU: no change)."""
        return self._torch.cuda.stream(self._stream)

    def _run_tick(self) -> None:
        """Queue a tick on the device: store decisions, update the networks, and compute Q of the next observations."""
        inputs = self._inputs.send()
        self.replay.write(inputs["fresh rows"], inputs["fresh"])
        activations, gradient = self._losses.activations_and_gradient(self.network, self.replay.read(inputs["rows"]))
        self.network.step(activations, gradient, inputs["rates"], inputs["roots"], inputs["moving"])
        q = self.network.outputs(inputs["observations"][:, None])
        self._q_buffer.copy_(q[:, 0, : self._outputs], non_blocking=True)


def check_compilers() -> None:
    """Check that torch can compile the losses for a GPU.

    Raises:
        InvalidInput: The machine has no C compiler, or Triton is not installed.
    """
    if not any((os.environ.get("CC"), shutil.which("gcc"), shutil.which("clang"))):
        raise InvalidInput("a stack on CUDA needs a C compiler: install gcc or clang, or name one in CC")
    if find_spec("triton") is None:
        raise InvalidInput("a stack on CUDA needs triton, which is not installed")
