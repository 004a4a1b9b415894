"""What a game defines: its rules, sizes, capabilities, events and texts, on which states and observations rely."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.capabilities import BeliefSupport, ExpectimaxSupport, NetworkSupport
from cardgames.core.encoding import Encoding
from cardgames.core.events import EventRow
from cardgames.core.policy import Policy
from cardgames.core.rules import RuleBook, RuleSet
from cardgames.core.symmetry import Symmetries
from cardgames.support.errors import InvalidInput, check_seat, check_value, is_integer, short_repr, unknown_name


class GameDefinition(ABC):
    """A card game with its rules and number of players.

    Subclasses of `core.game.Game` register the verbs of `core.ops` for the dtype of `kernel_rules`, set these attributes and
    implement the abstract methods.
    """

    name: ClassVar[str]
    rule_book: ClassVar[RuleBook]
    state_dtype: ClassVar[np.dtype[Any]]
    default_rules: ClassVar[str]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    encodings: ClassVar[Mapping[str, Encoding]] = {}
    """Name -> encoding of what a seat sees, for the verb `encode`."""
    action_encodings: ClassVar[Mapping[str, Encoding]] = {}
    """Name -> encoding of what a seat sees and one legal action, for the verb `encode_actions`. A game that has some has too
    many actions for one output each: its networks judge one action at a time.
    """
    policies: ClassVar[Mapping[str, int]] = {}
    """Name of a rule-based policy -> its id for the verb `policy`."""
    networks: ClassVar[NetworkSupport | None] = None
    """How it plays by networks, None if it cannot."""
    expectimax: ClassVar[ExpectimaxSupport | None] = None
    """What expectimax needs, None if the verbs `chance_outcomes` and `appraise` are not registered."""
    belief: ClassVar[BeliefSupport] = BeliefSupport(())
    """What a particle filter needs."""
    roles: ClassVar[Sequence[str]] = ()
    """Names of the roles a seat may have in a round, in the order of the verb `role`; empty if all seats are alike."""
    position_parts: ClassVar[Mapping[str, type]] = {}
    """What `position` takes besides `hands`: name -> whether it is a number (int), text (str), or text or a list (list)."""
    default_policy: ClassVar[str] = "random"
    """The agent that plays a round on, and the policy that plays simulations out, where nobody was named to do it."""

    num_players: int
    num_distinct_actions: int
    rules: RuleSet
    kernel_rules: Any
    """The rules as kernels see them: a record of plain numbers."""

    @property
    def title(self) -> str:
        """Its name as titles have it."""
        return self.name.capitalize()

    @property
    def champion(self) -> str:
        """The strongest agent known under these rules, `name:option=value,...`."""
        return self.default_policy

    @property
    def payoff_range(self) -> tuple[float, float]:
        """What a completely lost and a completely won round pay, to those who learn from pay-offs; others lie between."""
        return -1.0, 1.0

    @property
    def max_legal_actions(self) -> int:
        """The room a list of legal actions needs: more are never legal at once."""
        return self.num_distinct_actions

    def __init__(self, players: int, rules: str | RuleSet, overrides: Iterable[str] = ()):
        if not is_integer(players) or not self.min_players <= players <= self.max_players:
            span = (self.min_players, self.max_players)
            words = " to ".join(map(str, sorted(set(span))))
            raise InvalidInput(f"{self.name} is for {words} players, not {short_repr(players)}")
        self.num_players = int(players)
        self.rules = self.rule_book.parse(rules, overrides)

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameDefinition":
        """Return the game itself, since nothing of it changes."""
        return self

    @property
    def default_encoding(self) -> str:
        """The encoding that is meant where none is named. Raises `InvalidInput` for a game without any."""
        if not self.encodings:
            raise InvalidInput(f"{self.name} has no encoding")
        return next(iter(self.encodings))

    def policy(self, name: str, option: str = "policy") -> Policy:
        """Return the rule-based policy called `name`; `networks.policy_lookup.find_policy` finds networks too.

        Args:
            name: A key of `policies`.
            option: What the name was given as, for the error message.

        Raises:
            InvalidInput: If there is no such policy.
        """
        check_value(option, name, "a name", isinstance(name, str))
        if name not in self.policies:
            raise unknown_name(option, name, self.policies)
        return Policy(np.int64(self.policies[name]))

    @abstractmethod
    def deal(self, record: Any, seed: int, deck: Sequence[str | int] | str | None, dealer: int | None) -> None:
        """Deal into `record`. Raises `InvalidInput` for a deck or dealer that cannot be."""

    @abstractmethod
    def opening_events(self, record: Any) -> list[EventRow]:
        """Return the rows of history that lead to a freshly dealt or set-up state."""

    @abstractmethod
    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        """Return the rows of history for `action`, which led from `before` to `after`."""

    @abstractmethod
    def remember(self, record: Any, events: Any) -> None:
        """Add to an observation's record what its viewer knows of hidden cards from the events it saw."""

    @abstractmethod
    def action_to_string(self, action: int, state: Any = None) -> str:
        """Return an action as text."""

    @abstractmethod
    def parse_action(self, text: str) -> int:
        """Return the action written as `text`. Raises `InvalidInput`."""

    @abstractmethod
    def event_to_string(self, row: Sequence[int]) -> str:
        """Return one row of a seat's view of the history as a sentence. Raises `InvalidInput` for what is none."""

    @abstractmethod
    def to_dict(self, state: Any) -> dict[str, Any]:
        """Return the whole position as plain data."""

    @abstractmethod
    def observation_to_dict(self, observation: Any) -> dict[str, Any]:
        """Return an observation as plain data for people and programs."""

    @abstractmethod
    def hands_of(self, record: Any) -> list[str]:
        """Return every hand of a state record as text."""

    def encoding(self, name: str) -> Encoding:
        """Return the encoding of that name. Raises `InvalidInput` if there is none."""
        if not isinstance(name, str) or name not in self.encodings:
            raise unknown_name("encoding", name, self.encodings or ["none"])
        return self.encodings[name]

    def network_encoding(self, name: str) -> Encoding:
        """Return the encoding of that name, be it of choices, which makes a network's inputs. Raises `InvalidInput`."""
        if isinstance(name, str) and name in self.action_encodings:
            return self.action_encodings[name]
        return self.encoding(name)

    def symmetries(self, encoding: str) -> Symmetries:
        """Return the ways to rename things that leave the game the same, for the inputs of an encoding.

        Raises `InvalidInput` where there are none.
        """
        raise InvalidInput(f"{self.name} has no symmetries")

    def outputs_are_closed(self, outputs: int) -> bool:
        """Return whether the first so many actions go by each other's ids alone, whoever is to move (verb `renamed`)."""
        return True

    def is_same_game(self, other: "GameDefinition") -> bool:
        """Return whether another game has the same rules and as many players."""
        return other is self or (other.num_players, other.rules) == (self.num_players, self.rules)

    def check_seat(self, seat: int) -> int:
        """Return a seat. Raises `InvalidInput` if there is none such."""
        return check_seat("player", seat, self.num_players)

    @property
    def seats_are_roles(self) -> bool:
        """Whether every seat has the role of its number (`roles`) in every round."""
        return False

    def seatings(self, participants: int) -> NDArray[np.int64]:
        """Return the ways to seat so many agents (int64 [seatings, players], the agent on each seat) that together are
        fair to all: every rotation of one agent a seat. Raises `InvalidInput` for any other number of agents.
        """
        if participants != self.num_players:
            raise InvalidInput(f"{participants} agents were given for {self.num_players} players")
        seats = np.arange(participants)
        return (seats - seats[:, None]) % participants

    def __repr__(self) -> str:
        return f"<{self.name}, {self.num_players} players, rules {self.rules.name}>"
