"""Base class of games, without the methods that make states: rules, sizes, optional capabilities, events and texts.

`core.game.Game` derives from it and adds the methods that make states. The two classes are in different modules because
states and observations import this one.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.capabilities import BeliefSupport, ExpectimaxSupport, NetworkSupport
from cardgames.core.encoding import Encoding
from cardgames.core.events import EventRow
from cardgames.core.kernel_policy import Policy
from cardgames.core.rules import RuleBook, RuleSet
from cardgames.core.symmetry import Symmetries
from cardgames.support.errors import InvalidInput, check_seat, check_value, is_integer, short_repr, unknown_name


class GameDefinition(ABC):
    """A card game under certain rules and with a certain number of players.

    A new game is a subclass of `core.game.Game`. It registers a kernel for each verb of `core.ops`, for the dtype of
    `kernel_rules`, sets these attributes and implements the abstract methods. `core.conformance.check_game` checks it.

    Args:
        players: Number of players.
        rules: Name of a preset, path of a TOML file, or a rule set.
        overrides: Rules to change, as `axis=value`.

    Raises:
        InvalidInput: If the number of players is out of range, or the rules are unknown or contradictory.
    """

    name: ClassVar[str]
    """Name of the game, as `cardgames.make` and the command line take it."""
    rule_book: ClassVar[RuleBook]
    """Rule axes (questions that the rules answer) and presets (rule sets with a name) of the game."""
    state_dtype: ClassVar[np.dtype[Any]]
    """Dtype of the game's state records, made by `kernels.record_type.record_type`; it has a field `rng` (uint64)."""
    default_rules: ClassVar[str]
    """Name of the preset used if no rules are given."""
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    encodings: ClassVar[Mapping[str, Encoding]] = {}
    """Name -> id and shape of a layout in which the verb `encode` writes what a seat sees."""
    action_encodings: ClassVar[Mapping[str, Encoding]] = {}
    """Name -> id and shape of a layout for what a seat sees together with one action, for the verb `encode_actions`.

    For games with too many actions for one network output each: their networks evaluate one action at a time.
    """
    policies: ClassVar[Mapping[str, int]] = {}
    """Name of a rule-based policy -> its id for the verb `policy`."""
    networks: ClassVar[NetworkSupport | None] = None
    """Policy id and folder of pretrained networks; None if no policy of the game uses networks."""
    expectimax: ClassVar[ExpectimaxSupport | None] = None
    """Chance models and evaluation weights for expectimax; None if the game lacks its verbs (`core.expectimax`)."""
    belief: ClassVar[BeliefSupport] = BeliefSupport(())
    """Names of card faces and special events, for a particle filter over hidden cards."""
    roles: ClassVar[Sequence[str]] = ()
    """Names of the roles that a seat may have in a round, indexed by the verb `role`; empty if all seats are alike."""
    position_parts: ClassVar[Mapping[str, type]] = {}
    """Name of each optional argument of `Game.position` -> `int`, `str`, or `list` for one that is a text or a list."""
    default_policy: ClassVar[str] = "random"
    """Name of the policy that searches use for rollouts by default, and of the agent that plays if no agent is named."""
    solver_horizons: ClassVar[tuple[int, ...]] = ()
    """Numbers of decisions that the exact solver looks ahead, one after the other, before it searches all lines to the end.

    For games in which a round can be dragged out, so that a short win is found before long lines are searched.
    """

    levels: ClassVar[Mapping[str, str]] = {}
    """Name of a level, `easy`, `medium` and `hard` -> its agent, written `name:option=value,...`; empty if it has none.

    The strongest level is `champion`.
    """

    num_players: int
    num_distinct_actions: int
    """Number of action ids, which count from 0."""
    rules: RuleSet
    kernel_rules: Any
    """The rules as kernels read them: a record of plain numbers."""

    @property
    def title(self) -> str:
        """Name of the game with a capital letter, for titles."""
        return self.name.capitalize()

    @property
    def champion(self) -> str:
        """Strongest agent known for the game under these rules, written `name:option=value,...`."""
        return self.default_policy

    @property
    def payoff_range(self) -> tuple[float, float]:
        """Lowest and highest payoff of a seat in a round. Learners scale payoffs by it."""
        return -1.0, 1.0

    @property
    def pays_points(self) -> bool:
        """True if payoffs depend on more than who wins; `mcts` and its kin then maximize the mean payoff by default."""
        return False

    @property
    def max_legal_actions(self) -> int:
        """Upper bound on the number of legal actions in a state; arrays for legal actions have this length."""
        return self.num_distinct_actions

    def __init__(self, players: int, rules: str | RuleSet, overrides: Iterable[str] = ()):
        if not is_integer(players) or not self.min_players <= players <= self.max_players:
            limits = (self.min_players, self.max_players)
            allowed = " to ".join(map(str, sorted(set(limits))))
            raise InvalidInput(f"{self.name} is for {allowed} players, not {short_repr(players)}")
        self.num_players = int(players)
        self.rules = self.rule_book.parse(rules, overrides)

    def best_settings(self, agent: str, objective: str = "payoff") -> Mapping[str, Any]:
        """Return the options of a search agent with `setting=best` under these rules; empty if there are none.

        They are the strongest known among those with which a decision takes at most 50 ms on one core.

        Args:
            agent: Name of the agent: `mcts`, `mcts-dbm` or `ismcts`.
            objective: What the search maximizes: `payoff` or `win`.
        """
        return {}

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameDefinition":
        """Return the game itself instead of a copy, since a game never changes."""
        return self

    @property
    def default_encoding(self) -> str:
        """Name of the encoding used if none is given. Raises `InvalidInput` if the game has no encoding."""
        if not self.encodings:
            raise InvalidInput(f"{self.name} has no encoding")
        return next(iter(self.encodings))

    def policy(self, name: str, option: str = "policy") -> Policy:
        """Return a rule-based policy by name; `networks.policy_lookup.find_policy` finds network policies too.

        Args:
            name: A key of `policies`.
            option: Name of the option that the policy was given for, for the error message.

        Raises:
            InvalidInput: If there is no such policy.
        """
        check_value(option, name, "a name", isinstance(name, str))
        if name not in self.policies:
            raise unknown_name(option, name, self.policies)
        return Policy(np.int64(self.policies[name]))

    @abstractmethod
    def deal(self, record: Any, seed: int, deck: Sequence[str | int] | str | None, dealer: int | None) -> None:
        """Deal a round into a state record.

        Args:
            record: State record, all zeros.
            seed: Seed of the round's random stream.
            deck: All cards in the order they are dealt, None to shuffle.
            dealer: Seat of the dealer, None for the one that the rules choose.

        Raises:
            InvalidInput: If `deck` is not the whole deck, or `dealer` is not a seat.
        """

    @abstractmethod
    def opening_events(self, record: Any) -> list[EventRow]:
        """Return the first event rows (`core.events`) of the history, from the state record of a new deal or position."""

    @abstractmethod
    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        """Return the event rows (`core.events`) of one action: the action itself, then its effects.

        `before` and `after` are the state records around the action.
        """

    @abstractmethod
    def remember(self, record: Any, events: Any) -> None:
        """Add to an observation record, in place, the hidden cards that its seat knows from the events it saw.

        `events` is the history as that seat saw it (`core.events.view`).
        """

    @abstractmethod
    def action_to_string(self, action: int, state: Any = None) -> str:
        """Return the action with id `action` as text; `parse_action` reads it. With `state`, the text may name a card."""

    @abstractmethod
    def parse_action(self, text: str) -> int:
        """Return the id of the action that `text` describes. Raises `InvalidInput` if it is not an action of the game."""

    @abstractmethod
    def event_to_string(self, row: Sequence[int]) -> str:
        """Return a sentence about one event, a row (kind, seat, value) of the history as a seat saw it.

        Raises `InvalidInput` if `row` is not such an event.
        """

    @abstractmethod
    def to_dict(self, state: Any) -> dict[str, Any]:
        """Return a state, hidden cards included, as a dictionary of plain data that `Game.from_dict` reads."""

    @abstractmethod
    def observation_to_dict(self, observation: Any) -> dict[str, Any]:
        """Return an observation as a dictionary of plain data, with cards as text."""

    @abstractmethod
    def hands_of(self, record: Any) -> list[str]:
        """Return the hands in a state record as text, one for each seat."""

    def encoding(self, name: str) -> Encoding:
        """Return id and shape of an encoding of states by its name, a key of `encodings`.

        Raises `InvalidInput` if there is none of that name.
        """
        if not isinstance(name, str) or name not in self.encodings:
            raise unknown_name("encoding", name, self.encodings or ["none"])
        return self.encodings[name]

    def network_encoding(self, name: str) -> Encoding:
        """Return id and shape of an encoding by its name, a key of `encodings` or `action_encodings`.

        Raises `InvalidInput` if there is none of that name.
        """
        if isinstance(name, str) and name in self.action_encodings:
            return self.action_encodings[name]
        return self.encoding(name)

    def symmetries(self, encoding: str) -> Symmetries:
        """Return the symmetries of the game as permutations of an encoding's inputs and of the action ids.

        Raises `InvalidInput` if the game has none.
        """
        raise InvalidInput(f"{self.name} has no symmetries")

    def outputs_are_closed(self, outputs: int) -> bool:
        """Return whether every symmetry (verb `apply_symmetry`) maps each action id below `outputs` to another such id.

        Then a network with this many outputs, one for each of these actions, can be used from every seat.
        """
        return True

    def is_same_game(self, other: "GameDefinition") -> bool:
        """Return whether another game has the same rules and the same number of players."""
        return other is self or (other.num_players, other.rules) == (self.num_players, self.rules)

    def check_seat(self, seat: int) -> int:
        """Return `seat` as an int. Raises `InvalidInput` if it is not a seat of this game."""
        return check_seat("player", seat, self.num_players)

    @property
    def seats_are_roles(self) -> bool:
        """True if every seat has a fixed role: seat i has the role i of `roles` in every round."""
        return False

    def seatings(self, participants: int) -> NDArray[np.int64]:
        """Return fair assignments of agents to seats: all rotations, so that each agent sits once on each seat.

        Args:
            participants: Number of agents.

        Returns:
            The agent on each seat, int64 [seatings, players].

        Raises:
            InvalidInput: If there is not one agent for each player.
        """
        if participants != self.num_players:
            raise InvalidInput(f"{participants} agents were given for {self.num_players} players")
        seats = np.arange(participants)
        return (seats - seats[:, None]) % participants

    def __repr__(self) -> str:
        return f"<{self.name}, {self.num_players} players, rules {self.rules.name}>"
