"""The options of the tree searches over playouts."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from cardgames.core.game import Game
from cardgames.core.policy import Policy, stack_policies
from cardgames.kernels.record_type import new_record
from cardgames.networks.policy_lookup import find_policy
from cardgames.networks.pretrained import load_named_network
from cardgames.search.mcts.simulation import CHANCE, DETERMINIZE, NODES, SEARCH_CONFIG
from cardgames.search.options import check_constants, check_count, read_options
from cardgames.search.playout import SimulationPolicies, Simulator
from cardgames.search.selection import CONSTANTS, SELECTIONS
from cardgames.support.errors import InvalidInput, is_integer, unknown_name

ROOTS = ("tree", "halving")


@dataclass(frozen=True)
class MctsSettings:
    """The options of a search agent. Raises `InvalidInput` for values out of range."""

    simulations: int = 500
    """In all, over the trees."""
    trees: int = 5
    c: float = math.nan
    """Exploration constant, for values in [0, 1]; the one usual for `select` if not given."""
    select: str = "ucb1"
    """How a child is chosen: ucb1, ucb-tuned, puct."""
    nodes: str = "own"
    """Whose decisions are nodes: own (open loop), all, or seen: all, but the others make theirs by their policy."""
    determinize: str = "tree"
    """When a determinization is drawn: one a tree, or one a simulation, from `particles` of them."""
    chance: str = "fresh"
    """Whether the cards to come are shuffled anew for every simulation, or fixed in each determinization."""
    root: str = "tree"
    """How the first action is chosen: by the tree, or by sequential halving, over flat playouts where `nodes` is own."""
    playout: str = ""
    """The policy that plays a simulation out; the game's pacemaker if not given."""
    opponents: str = ""
    """The policy the other players follow in simulations; that of `playout` if not given."""
    prior: str = ""
    """The policy whose probabilities `puct` and the progressive bias use; that of `playout` if not given."""
    bias: float = 0.0
    """Weight of the progressive bias; under `root=halving`, of the logarithm of the prior."""
    widen: float = 0.0
    """A node with n visits has at most this times the root of n children, the first what `prior` would do; 0: no limit."""
    particles: int = 100
    mismatch_weight: float = 0.9
    """Weight w_a of an event a particle cannot explain."""
    belief_policy: str = ""
    """The policy by whose likelihood the others' choices weigh particles; none if not given."""
    cutoff: int | None = None
    """Decisions of the searching player after a simulation's new node that are played before `network` judges the next;
    without it rounds are played out.
    """
    network: str = ""
    """The perceptron that judges: a file (`networks.network`), or one that comes with the game (`networks.pretrained`)."""
    reuse: bool = False
    """Whether a search begins with what the agent's last one in the same round found of the decision."""
    threads: int = 1

    @classmethod
    def parse(
        cls, options: dict[str, Any], *, filtered: bool = False, defaults: dict[str, Any] | None = None
    ) -> "MctsSettings":
        """Return settings from values or texts; `filtered` says whether there is a particle filter, `defaults` what an agent
        has instead of the defaults.

        Raises `InvalidInput`, also for an option that has no effect beside the others.
        """
        field_names = [field.name for field in fields(cls)]
        for name in options:
            if name not in field_names:
                raise unknown_name("option of a search", name, field_names)
        settings = cls(**read_options(cls, (defaults or {}) | options))
        for reason, is_ineffective, option_names in _INEFFECTIVE_OPTIONS:
            for name in option_names:
                if name in options and is_ineffective(settings):
                    raise InvalidInput(f"{name} has no effect {reason}: leave it out")
        for name in ("mismatch_weight", "belief_policy"):
            if name in options and not filtered:
                raise InvalidInput(f"{name} has no effect without a filter: leave it out")
        if "particles" in options and not filtered and not settings.uses_root_pool:
            raise InvalidInput(
                "particles has no effect without a filter, determinize=simulation or root=halving: leave it out"
            )
        return settings

    def __post_init__(self) -> None:
        for name in ("simulations", "trees", "particles", "threads"):
            check_count(name, getattr(self, name))
        allowed_values = {
            "select": SELECTIONS,
            "nodes": NODES,
            "determinize": DETERMINIZE,
            "chance": CHANCE,
            "root": ROOTS,
        }
        for name, allowed in allowed_values.items():
            if getattr(self, name) not in allowed:
                raise unknown_name(name, getattr(self, name), allowed)
        object.__setattr__(self, "c", CONSTANTS[self.select] if math.isnan(self.c) else self.c)
        check_constants(self.c, self.mismatch_weight)
        if not 0 <= self.bias < math.inf:
            raise InvalidInput(f"bias is a finite number from 0, not {self.bias}")
        if not 0 <= self.widen < math.inf:
            raise InvalidInput(f"widen is a finite number from 0, not {self.widen}")
        if self.cutoff is not None and (not is_integer(self.cutoff) or self.cutoff < 0):
            raise InvalidInput(f"cutoff is a whole number from 0, not {self.cutoff}")
        if (self.cutoff is None) == bool(self.network):
            raise InvalidInput("cutoff=N and network=FILE go together: the network judges what is cut off")
        if self.reuse and self.root == "halving":
            raise InvalidInput("reuse=true begins with a tree that chose the first action: not with root=halving")
        if self.nodes != "own" and (self.reuse or self.network):
            raise InvalidInput(
                f"reuse and network look at the player's own decisions alone: not with nodes={self.nodes}"
            )

    @property
    def uses_root_pool(self) -> bool:
        """Whether every simulation draws its determinization from a pool; otherwise each tree has one."""
        return self.determinize == "simulation" or self.root == "halving"

    @property
    def is_flat(self) -> bool:
        """Whether there is no tree below the root's actions."""
        return self.root == "halving" and self.nodes == "own"

    @property
    def num_trees(self) -> int:
        """How many trees there are."""
        return 1 if self.uses_root_pool else self.trees

    @property
    def num_determinizations(self) -> int:
        """How many a search begins with."""
        return self.particles if self.uses_root_pool else self.trees

    def config(self, player: int) -> Any:
        """Return the record that tells kernels how to search for `player`."""
        config = new_record(SEARCH_CONFIG)
        config.player = player
        config.select, config.nodes = SELECTIONS[self.select], NODES[self.nodes]
        config.determinize, config.chance = (
            DETERMINIZE["simulation" if self.uses_root_pool else "tree"],
            CHANCE[self.chance],
        )
        config.prior = self.select == "puct" or self.bias > 0
        config.c, config.bias, config.widen = self.c, self.bias, self.widen
        return config

    def simulator(self, game: Game) -> Simulator:
        """Return how simulations are played on and judged. Raises `InvalidInput`."""
        playout = self.playout or game.default_policy
        policies = (
            find_policy(game, playout, "playout"),
            find_policy(game, self.opponents or playout, "opponents"),
            find_policy(game, self.prior or playout, "prior"),
        )
        network = load_named_network(game, self.network).value_network if self.network else None
        return Simulator(SimulationPolicies(*stack_policies(policies)), network)

    def load_belief_policy(self, game: Game) -> Policy | None:
        """Return the policy by which the others' choices weigh particles. Raises `InvalidInput`."""
        return find_policy(game, self.belief_policy, "belief_policy") if self.belief_policy else None


_INEFFECTIVE_OPTIONS: tuple[tuple[str, Callable[[MctsSettings], bool], tuple[str, ...]], ...] = (
    ("with root=halving", lambda s: s.root == "halving", ("determinize",)),
    ("with root=halving", lambda s: s.is_flat, ("select", "c", "widen")),
    ("with root=halving", lambda s: s.root == "halving" and s.trees > 1, ("trees",)),
    ("with determinize=simulation", lambda s: s.determinize == "simulation" and s.trees > 1, ("trees",)),
    ("on one tree", lambda s: s.num_trees == 1 and s.threads > 1, ("threads",)),
    ("with select=puct", lambda s: s.select == "puct", ("widen",)),
    ("with select=puct", lambda s: s.select == "puct" and s.root != "halving", ("bias",)),
    ("in a flat search without bias", lambda s: s.is_flat and s.bias == 0, ("prior",)),
    ("without select=puct, bias or widen", lambda s: s.select != "puct" and s.bias == s.widen == 0, ("prior",)),
)
"""In which circumstances, and whether these are given, which options have no effect."""
