"""The options of the tree searches, read and checked."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from cardgames.core.errors import InvalidInput, unknown
from cardgames.core.game import Game
from cardgames.core.policy import Policy
from cardgames.search.selection import CONSTANTS, SELECTIONS
from cardgames.search.simulate import CHANCE, DEALS, HOW, NODES

MOST = 100_000_000
ROOTS = ("tree", "halving")
_MOST_OF = {"simulations": MOST, "trees": 100_000, "particles": 100_000, "threads": 1000}


@dataclass(frozen=True)
class Settings:
    """The options of a search agent. Raises `InvalidInput` for values out of range."""

    simulations: int = 500
    """In all, over the trees."""
    trees: int = 5
    c: float = math.nan
    """Exploration constant, for values in [0, 1]; the one usual for `select` if not given."""
    select: str = "ucb1"
    """How a child is chosen: ucb1, ucb-tuned, puct."""
    nodes: str = "own"
    """Whose decisions are nodes: own (open loop), all."""
    deals: str = "tree"
    """When a determinization is drawn: one a tree, or one a simulation, from `particles` of them."""
    chance: str = "fresh"
    """Whether the cards to come are shuffled anew for every simulation, or fixed in each determinization."""
    root: str = "tree"
    """How the first action is chosen: by the tree, or by sequential halving over flat playouts."""
    playout: str = "reflex"
    """The policy that plays a simulation out."""
    opponents: str = ""
    """The policy the other players follow in simulations; that of `playout` if not given."""
    prior: str = ""
    """The policy whose probabilities `puct` and the progressive bias use; that of `playout` for puct if not given."""
    bias: float = 0.0
    """Weight of the progressive bias."""
    particles: int = 100
    mistrust: float = 0.9
    """Weight w_a of an event a particle cannot explain."""
    choices: str = ""
    """The policy by whose likelihood the others' choices weigh particles; none if not given."""
    threads: int = 1

    @classmethod
    def parse(cls, options: dict[str, Any]) -> "Settings":
        """Return settings from values or texts. Raises `InvalidInput`."""
        return cls(**read_options(cls, options))

    def __post_init__(self) -> None:
        for name, most in _MOST_OF.items():
            number = getattr(self, name)
            if isinstance(number, float) or not 1 <= number <= most:
                raise InvalidInput(f"{name} is a whole number from 1 to {most:,}, not {number}")
        choices = {"select": SELECTIONS, "nodes": NODES, "deals": DEALS, "chance": CHANCE, "root": ROOTS}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise unknown(name, getattr(self, name), allowed)
        object.__setattr__(self, "c", CONSTANTS[self.select] if math.isnan(self.c) else self.c)
        check_constants(self.c, self.mistrust)
        if not 0 <= self.bias < math.inf:
            raise InvalidInput(f"bias is at least 0, not {self.bias}")

    @property
    def determinizations(self) -> int:
        """How many a search begins with."""
        return self.trees if self.deals == "tree" and self.root == "tree" else self.particles

    def how(self, player: int) -> Any:
        """Return the record that tells kernels how to search for `player`."""
        how = np.zeros(1, HOW)[0]
        how.player = player
        how.select, how.nodes = SELECTIONS[self.select], NODES[self.nodes]
        how.deals, how.chance = DEALS[self.deals], CHANCE[self.chance]
        how.prior = self.select == "puct" or self.bias > 0
        how.c, how.bias = self.c, self.bias
        return how

    def policies(self, game: Game) -> tuple[Policy, Policy, Policy]:
        """Return how the searching player plays on, how the others do, and what priors are. Raises `InvalidInput`."""
        return (
            game.policy(self.playout, "playout"),
            game.policy(self.opponents or self.playout, "opponents"),
            game.policy(self.prior or self.playout, "prior"),
        )

    def chooser(self, game: Game) -> Policy | None:
        """Return the policy by which the others' choices weigh particles. Raises `InvalidInput`."""
        return game.policy(self.choices, "choices") if self.choices else None


def check_constants(c: float, mistrust: float) -> None:
    """Raise `InvalidInput` for an exploration constant or a weight of unexplained events out of range."""
    if not 0 <= c < math.inf:
        raise InvalidInput(f"c is at least 0, not {c}")
    if not 0 < mistrust < 1:
        raise InvalidInput(f"mistrust lies between 0 and 1, not {mistrust}")


def read_options(cls: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return those of `options`, values or texts, that are fields of the dataclass `cls`, as its fields' types. Raises
    `InvalidInput`.
    """
    return {f.name: _parse(f.name, f.type, options[f.name]) for f in fields(cls) if f.name in options}


def _parse(name: str, kind: Any, value: Any) -> Any:
    convert: Callable[[Any], Any] = {int: int, float: float, str: str}[kind]
    try:
        number = convert(value)
    except (TypeError, ValueError):
        raise InvalidInput(f"{name} is {'a whole number' if kind is int else 'a number'}, not {value!r}") from None
    if kind is float and math.isnan(number):
        raise InvalidInput(f"{name} is a number, not {value!r}")
    return number
