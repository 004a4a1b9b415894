"""Options of the Monte Carlo tree searches with playouts (`search.mcts`), with their defaults and checks."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any

from cardgames.agents.option_defaults import DerivedDefault
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy, stack_policies
from cardgames.kernels.record_type import new_record
from cardgames.networks.policy_lookup import find_policy
from cardgames.networks.pretrained import load_named_network
from cardgames.search.exact.solver_memory import new_memory
from cardgames.search.exact.transposition_table import new_table
from cardgames.search.mcts.simulation import CHANCE, DETERMINIZE, NODES, SEARCH_CONFIG
from cardgames.search.objective import OBJECTIVES, objective_id
from cardgames.search.option_parsing import check_constants, check_count, read_options
from cardgames.search.playout import LeafSolver, SimulationPolicies, Simulator
from cardgames.search.selection import CONSTANTS, SELECTIONS
from cardgames.support.errors import InvalidInput, is_integer, unknown_name

# most nodes of the exact solution of a leaf, and number of states that it remembers
_LEAF_NODES, _LEAF_TABLE = 500, 1 << 14
ROOTS = ("tree", "halving")
_DEFAULT_C = ", ".join(f"{c:g} for {rule}" for rule, c in CONSTANTS.items())


@dataclass(frozen=True)
class MctsSettings:
    """Options of a Monte Carlo tree search; the defaults are those of paper 001 (section 4.1), except `exact`.

    Raises:
        InvalidInput: If a value is out of range, or two options contradict each other.
    """

    simulations: int = 500
    """Number of simulations per decision, over all trees."""
    trees: int = 5
    """Number of trees."""
    c: Annotated[float, DerivedDefault(_DEFAULT_C)] = math.nan
    """Exploration constant, for values in [0, 1]; by default the usual one for `select` (`selection.CONSTANTS`)."""
    select: str = "ucb1"
    """Rule that selects a child: ucb1, ucb-tuned or puct."""
    nodes: str = "own"
    """Whose decisions are nodes of the tree: own (the searching player's; open loop), all (all players'), or observed.

    With `observed` all players' decisions are nodes, but a policy chooses the actions of the other players.
    """
    determinize: str = "tree"
    """When a determinization is drawn: tree (one for each tree) or simulation (from a pool of `particles` of them)."""
    chance: str = "fresh"
    """Future chance events: fresh (drawn again for every simulation) or fixed (always the same for a determinization)."""
    root: str = "tree"
    """How simulations choose among the root's actions: tree (by `select`) or halving (sequential halving).

    With `halving` and `nodes=own` there is no tree below these actions: a playout follows at once.
    """
    playout: Annotated[str, DerivedDefault(lambda game: game.default_policy)] = ""
    """Rollout policy, which plays simulations to the end; by default the game's default policy."""
    opponents: Annotated[str, DerivedDefault("same as playout")] = ""
    """Policy of the other players in simulations; by default the policy `playout`."""
    prior: Annotated[str, DerivedDefault("same as playout")] = ""
    """Policy that gives the prior probabilities for puct and the progressive bias; by default the policy `playout`."""
    bias: float = 0.0
    """Weight of the progressive bias; with `root=halving`, weight of the logarithm of an action's prior probability."""
    widen: float = 0.0
    """Progressive widening: a node with n visits has at most widen * sqrt(n) children; 0 for no limit.

    The first child is the action that the policy `prior` chooses.
    """
    particles: int = 100
    """Number of particles of the particle filter, and of determinizations in the common pool of all simulations."""
    mismatch_weight: float = 0.9
    """Factor w_a by which a particle's weight is multiplied at each observed event that the particle contradicts."""
    belief_policy: str = ""
    """Policy that the other players are assumed to follow: its probability of an observed action weights the particles.

    By default actions do not weight particles.
    """
    exact: bool = True
    """True to decide without a search where a win is certain, one deal is left or the game has fitted values (`Prover`)."""
    solve: int = 0
    """Largest number of cards in all hands with which leaves are solved exactly instead of played out; 0 for none."""
    objective: str = "payoff"
    """What the search maximizes: payoff (the mean payoff under the rules) or win (the probability of winning)."""
    cutoff: int | None = None
    """Number of own decisions after the new node at which a simulation ends and `network` evaluates its state.

    With None simulations play rounds to the end.
    """
    network: str = ""
    """Network that evaluates simulations at the cutoff: a file, or the name of one in `networks.pretrained`."""
    reuse: bool = False
    """Whether a search starts from the subtrees of the agent's last search in the same round."""
    threads: int = 1
    """Number of threads that run the simulations."""

    @classmethod
    def parse(
        cls, options: dict[str, Any], *, filtered: bool = False, defaults: dict[str, Any] | None = None
    ) -> "MctsSettings":
        """Return settings from options given as values or text.

        Args:
            options: Option name -> value or text.
            filtered: Whether the agent has a particle filter.
            defaults: Default options of the agent that differ from the defaults of `MctsSettings`.

        Raises:
            InvalidInput: If an option is unknown, out of range, or has no effect together with the other options.
        """
        field_names = [field.name for field in fields(cls)]
        for name in options:
            if name not in field_names:
                raise unknown_name("search option", name, field_names)
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
            "objective": OBJECTIVES,
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
            raise InvalidInput("cutoff=N and network=FILE go together: the network evaluates the state at the cutoff")
        if self.reuse and self.root == "halving":
            raise InvalidInput("reuse=true needs root=tree: it cannot be combined with root=halving")
        if self.nodes != "own" and (self.reuse or self.network):
            raise InvalidInput(
                f"reuse and network need nodes=own: they cannot be combined with nodes={self.nodes} "
                "(setting=paper has no network)"
            )

    @property
    def uses_root_pool(self) -> bool:
        """True if simulations draw their determinizations from a common pool, False if each tree has its own."""
        return self.determinize == "simulation" or self.root == "halving"

    @property
    def is_flat(self) -> bool:
        """True if the search builds no tree below the root's actions, but plays from each of them to the end at once."""
        return self.root == "halving" and self.nodes == "own"

    @property
    def num_trees(self) -> int:
        """Number of trees that the search builds."""
        return 1 if self.uses_root_pool else self.trees

    @property
    def num_determinizations(self) -> int:
        """Number of determinizations drawn at the start of a search."""
        return self.particles if self.uses_root_pool else self.trees

    def config(self, game: Game, player: int) -> Any:
        """Return the options as a record for kernels (`simulation.SEARCH_CONFIG`), for a search by the seat `player`."""
        config = new_record(SEARCH_CONFIG)
        config.objective = objective_id(game, self.objective)
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
        """Load the rollout, opponents' and prior policies and the network that evaluates simulations at the cutoff.

        Raises:
            InvalidInput: If a policy or the network does not exist or does not fit the game.
        """
        playout = self.playout or game.default_policy
        policies = (
            find_policy(game, playout, "playout"),
            find_policy(game, self.opponents or playout, "opponents"),
            find_policy(game, self.prior or playout, "prior"),
        )
        network = load_named_network(game, self.network).value_network if self.network else None
        return Simulator(SimulationPolicies(*stack_policies(policies)), network)

    def leaf_solver(self, game: Game) -> LeafSolver | None:
        """Return the arguments for the exact solution of leaves, None if no leaves are solved."""
        if not self.solve:
            return None
        return LeafSolver(self.solve, _LEAF_NODES, new_table(_LEAF_TABLE), new_memory(game))

    def load_belief_policy(self, game: Game) -> Policy | None:
        """Return the policy that the option `belief_policy` names, None if the option is empty.

        Raises:
            InvalidInput: If there is no such policy.
        """
        return find_policy(game, self.belief_policy, "belief_policy") if self.belief_policy else None


_INEFFECTIVE_OPTIONS: tuple[tuple[str, Callable[[MctsSettings], bool], tuple[str, ...]], ...] = (
    ("with root=halving", lambda s: s.root == "halving", ("determinize",)),
    ("with root=halving", lambda s: s.is_flat, ("select", "c", "widen")),
    ("with root=halving", lambda s: s.root == "halving" and s.trees > 1, ("trees",)),
    ("with determinize=simulation", lambda s: s.determinize == "simulation" and s.trees > 1, ("trees",)),
    ("with only one tree", lambda s: s.num_trees == 1 and s.threads > 1, ("threads",)),
    ("with select=puct", lambda s: s.select == "puct", ("widen",)),
    ("with select=puct", lambda s: s.select == "puct" and s.root != "halving", ("bias",)),
    ("in a flat search without bias", lambda s: s.is_flat and s.bias == 0, ("prior",)),
    ("without select=puct, bias or widen", lambda s: s.select != "puct" and s.bias == s.widen == 0, ("prior",)),
)
"""Combinations of options that `MctsSettings.parse` refuses: (reason as text, condition, options without effect then)."""
