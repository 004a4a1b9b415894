"""What a stack of learners does on its device at every tick, in one go: remember, learn, and say what Q is where decisions
are due. The arithmetic is that of the learners (`dqn`, `sarsa`, `afdqn`, `losses`), with a dimension more.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.errors import InvalidInput, unknown
from cardgames.learners.afcandqn import Afcandqn
from cardgames.learners.afdqn import Afdqn
from cardgames.learners.candqn import Candqn
from cardgames.learners.dqn import DoubleDqn, Dqn
from cardgames.learners.replay import State
from cardgames.learners.sarsa import Sarsa
from cardgames.learners.stacked_network import StackedNetwork
from cardgames.learners.stacked_replay import Remembered, StackedReplay
from cardgames.learners.transfer import Transfer
from cardgames.learners.value_learner import ValueLearner
from cardgames.search.torch_evaluator import import_torch

STACKED: tuple[type[ValueLearner], ...] = (Dqn, DoubleDqn, Sarsa, Afdqn, Candqn, Afcandqn)
"""The learners whose updates are known here."""
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
            raise unknown("device of a stack", device, TORCH_DEVICES)
        self._torch = torch = import_torch(device)
        first, members = learners[0], len(learners)
        self._kind, self._outputs, self._device = type(first), first.outputs, device
        self._huber = first.settings.loss == "huber"
        self.network = StackedNetwork(torch, [learner.online.tensors() for learner in learners], device, first.wiring)
        sizes = first.settings.memory, first.inputs, first.outputs
        self.replay = StackedReplay(torch, members, *sizes, device)
        self._told = self._transfer(members, first, most)
        host = self._told.host
        records = host["fresh"].view(self.replay.dtype)[:, 0]
        self.fresh: tuple[NDArray[Any], ...] = tuple(records[name] for name in self.replay.dtype.names or ())
        """[most, ...] the columns of decisions to remember, in the order of `row_type`."""
        self.fresh_rows: NDArray[np.int64] = host["fresh rows"]
        """[most] where each goes."""
        self.batch = tuple(host[name] for name in ("rows", "following", "rates", "roots", "moving"))
        """What to learn from and how far to go (`draw_batches`)."""
        self.moving: NDArray[np.bool_] = host["moving"][:, 0]
        """[members] who learns."""
        self._answers = torch.zeros((members, first.outputs), pin_memory=device == "cuda")
        self.q: NDArray[np.float32] = self._answers.numpy()
        """[members, outputs] of the positions told at the last launch."""

        def column(numbers: Iterable[float]) -> Any:
            return torch.tensor([[[number]] for number in numbers], dtype=torch.float32, device=device)

        self._discounts = column(learner.settings.discount for learner in learners)
        heads = [learner.settings for learner in learners if isinstance(learner, Afdqn)]
        self._focus = column(settings.focus_weight for settings in heads) if heads else None
        self._by_squares = column(settings.focus_loss == "mse" for settings in heads)
        self._stream = torch.cuda.Stream() if device == "cuda" else None
        self._graph: Any = None

    def start(self, seen: NDArray[np.int8]) -> None:
        """Ask what Q is at the first positions, `seen` [members, inputs]; on a GPU, record the graph."""
        self.fresh_rows[:] = self.replay.nowhere
        if self._stream is not None:
            torch = self._torch
            torch.cuda.synchronize()
            with self._on_stream():
                for _ in range(3):  # what is compiled and chosen at first calls is no part of the graph
                    self._work()
            torch.cuda.synchronize()
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._work()
        self.launch(seen)

    def launch(self, seen: NDArray[np.int8]) -> None:
        """Begin what the arrays say, and ask what Q is at the positions `seen` [members, inputs] thereafter."""
        self._told.host["seen"][:] = seen
        if self._graph is None:
            self._work()
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

    def state(self) -> State:
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

    def _transfer(self, members: int, learner: ValueLearner, most: int) -> Transfer:
        batch = learner.settings.batch
        layout: dict[str, tuple[tuple[int, ...], Any]] = {
            "fresh": ((most, self.replay.width), np.int64),
            "fresh rows": ((most,), np.int64),
            "rows": ((members, batch), np.int64),
            "following": ((members, batch), np.int64),
            "rates": ((members, 1), np.float32),
            "roots": ((members, 1), np.float32),
            "moving": ((members, 1), np.bool_),
            "seen": ((members, learner.inputs), np.int8),
        }
        return Transfer(self._torch, layout, self._device)

    def _on_stream(self) -> Any:
        return self._torch.cuda.stream(self._stream)

    def _work(self) -> None:
        """Do on the device what a tick is for: remember, learn, and say what Q is where decisions are due."""
        told = self._told.send()
        self.replay.write(told["fresh rows"], told["fresh"])
        batch, following = self.replay.read(told["rows"]), self.replay.read(told["following"])
        targets = self._targets(batch, following)
        seen = self.network.forward(batch.seen)
        gradient = self._gradient(seen[-1], batch, targets)
        self.network.step(seen, gradient, told["rates"], told["roots"], told["moving"])
        q = self.network.outputs(told["seen"].float()[:, None])
        self._answers.copy_(q[:, 0, : self._outputs], non_blocking=True)

    def _targets(self, batch: Remembered, following: Remembered) -> Any:
        """Return what Q of what was done is to become [members, batch, 1]; see the learners' own `targets`."""
        outputs, network, kind = self._outputs, self.network, self._kind
        if kind is Sarsa:
            values, actions = network.outputs(following.seen), following.actions
        else:
            inputs = following.seen
            values = network.target_outputs(inputs)
            chooser = network.outputs(inputs) if kind is DoubleDqn else values
            actions = chooser[..., :outputs].masked_fill(~following.legal, float("-inf")).argmax(-1, keepdim=True)
        gain = self._discounts * values.gather(-1, actions)
        return batch.rewards + gain.masked_fill_(batch.last, 0)

    def _gradient(self, outputs: Any, batch: Remembered, targets: Any) -> Any:
        """Return the gradient of the loss by the outputs; see `losses.chosen` and `afdqn.focus`."""
        torch, actions = self._torch, batch.actions
        errors = outputs.gather(-1, actions) - targets
        slopes = errors.clamp_(-1, 1) if self._huber else errors * 2
        gradient = torch.zeros_like(outputs).scatter_(-1, actions, slopes / actions.shape[1])
        if self._focus is not None:
            legal = batch.legal
            chances = outputs[..., legal.shape[-1] :].sigmoid()
            of_focus = chances - legal.float()
            of_squares = of_focus * 2 * chances * (1 - chances)
            mixed = torch.where(self._by_squares > 0, of_squares, of_focus)
            gradient[..., legal.shape[-1] :] = mixed * self._focus / legal[0].numel()
        return gradient
