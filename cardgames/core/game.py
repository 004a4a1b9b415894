"""Games as Python objects, by OpenSpiel's names."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.encoding import Encoding, sees_hidden
from cardgames.core.errors import InvalidInput, check_kind, check_seat, is_whole, shortened, unknown
from cardgames.core.events import Row
from cardgames.core.network_file import SUFFIX
from cardgames.core.network_policy import policy_weights
from cardgames.core.observation import Observation, check_observed
from cardgames.core.policy import Policy
from cardgames.core.record_type import new_record
from cardgames.core.rng import derive, seed_of, stream
from cardgames.core.rules import RuleBook, RuleSet
from cardgames.core.shipped import FOLDER, names_network, shipped_names
from cardgames.core.state import State
from cardgames.core.symmetry import Symmetries
from cardgames.core.vector import VectorEnv

_HIDDEN = 0x41DDE  # keeps hidden cards drawn from a seed apart from those dealt from it


class Game(ABC):
    """A card game with its rules and number of players; makes states, reads and writes actions.

    Subclasses register the verbs of `core.ops` for the dtype of `kernel_rules` and implement the abstract methods.
    """

    name: ClassVar[str]
    book: ClassVar[RuleBook]
    state_dtype: ClassVar[np.dtype[Any]]
    default_rules: ClassVar[str]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    encodings: ClassVar[Mapping[str, tuple[int, tuple[int, ...]]]] = {}
    """Name -> its number for the verb `encode`, and its shape."""
    choice_encodings: ClassVar[Mapping[str, tuple[int, tuple[int, ...]]]] = {}
    """The same for the verb `encode_choices`. A game that has some has too many actions for an output each: its networks
    judge one action at a time.
    """
    canonical: ClassVar[Mapping[str, str]] = {}
    """Encoding -> the one that shows the same with names given anew, so that positions that differ in names look alike."""
    policies: ClassVar[Mapping[str, int]] = {}
    """Name -> its number for the verb `policy`."""
    network_policy: ClassVar[int | None] = None
    """The number by which that verb follows a Q-network (`core.network_policy`), None if it cannot."""
    weights: ClassVar[Path | None] = None
    """The folder of the networks that come with it (`core.shipped`)."""
    chains: ClassVar[Mapping[str, int]] = {}
    """The models of the verb `round_outcomes`, by name; none if the game does not answer it."""
    most_outcomes: ClassVar[int] = 0
    """The room that verb needs, in records."""
    appraisal: ClassVar[Mapping[str, float]] = {}
    """The weights of the verb `appraise`, by name, and their defaults."""
    kinds: ClassVar[Sequence[str]] = ()
    """The names of the kinds of cards the verb `belief` counts."""
    roles: ClassVar[Sequence[str]] = ()
    """What a seat may be in a round, as the verb `role` numbers them; none if all are alike."""
    position_parts: ClassVar[Mapping[str, type]] = {}
    """What `position` takes besides `hands`: name -> whether it is a number (int), text (str), or text or a list (list)."""
    deals_anew: ClassVar[int | None] = None
    """The kind of the event that tells that all cards were dealt again within a round; None if that never happens."""
    deals_particles_anew: ClassVar[frozenset[int]] = frozenset()
    """The kinds of events over which the verb `advance` deals a particle anew: what it weighed before counts no more."""
    pacemaker: ClassVar[str] = "random"
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
        return self.pacemaker

    @property
    def stakes(self) -> tuple[float, float]:
        """What a completely lost and a completely won round pay, to those who learn from pay-offs; others lie between."""
        return -1.0, 1.0

    @property
    def most_legal(self) -> int:
        """The room a list of legal actions needs: more are never legal at once."""
        return self.num_distinct_actions

    def __init__(self, players: int, rules: str | RuleSet, overrides: Iterable[str] = ()):
        if not is_whole(players) or not self.min_players <= players <= self.max_players:
            span = (self.min_players, self.max_players)
            words = " to ".join(map(str, sorted(set(span))))
            raise InvalidInput(f"{self.name} is for {words} players, not {shortened(players)}")
        self.num_players = int(players)
        self.rules = self.book.parse(rules, overrides)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        """Return the game itself, since nothing of it changes."""
        return self

    def new_initial_state(
        self, seed: int = 0, *, deck: Sequence[str | int] | str | None = None, dealer: int | None = None
    ) -> State:
        """Deal a round. `seed` fixes all chance; `deck` (the whole deck in the order it is dealt) and `dealer` fix the
        deal. Raises `InvalidInput`.
        """
        record = new_record(self.state_dtype)
        self.deal(record, seed_of(seed), deck, dealer)
        return State(self, record, self.opening_events(record))

    def dealt(self, word: int | np.uint64) -> State:
        """Return the round that the verb `deal` deals from `word`, as kernels have it."""
        record = new_record(self.state_dtype)
        ops.deal(self.kernel_rules, record, np.uint64(word))
        return State(self, record, self.opening_events(record))

    @property
    def first_encoding(self) -> str:
        """The encoding that is meant where none is named. Raises `InvalidInput` for a game without any."""
        if not self.encodings:
            raise InvalidInput(f"{self.name} has no encoding")
        return next(iter(self.encodings))

    def policy(self, name: str, option: str = "policy") -> Policy:
        """Return the policy called `name`, that of a network that comes with the game, or that of the network in a file or
        in the folder of a training of that name, as kernels take it.

        Raises `InvalidInput`, for a name nobody has naming the `option` it was given as.
        """
        check_kind(option, name, "a name", isinstance(name, str))
        if name in self.policies:
            return Policy(np.int64(self.policies[name]))
        if self.network_policy is None or not self.has_policy(name):
            raise unknown(option, name, self.policy_names())
        return Policy(np.int64(self.network_policy), policy_weights(self, name))

    @classmethod
    def has_policy(cls, name: str) -> bool:
        """Return whether `policy` takes a name, be there such a file or not."""
        return name in cls.policies or (cls.network_policy is not None and names_network(cls.weights, name))

    @classmethod
    def policy_names(cls) -> list[str]:
        """Return what `policy` takes, for people to read."""
        files = [f"FILE{SUFFIX} (a network)", FOLDER] if cls.network_policy is not None else []
        return [*cls.policies, *shipped_names(cls.weights), *files]

    def determinize(self, observation: Observation, seed: int = 0) -> State:
        """Return a determinization: a state that an observation's seat cannot tell from the true one, drawn as the verb
        `determinize` has it. What that seat observes there goes on from what it had seen; the history of all others begins
        here. What another is asked in private counts as answered where this seat takes his turn for over.

        Raises `InvalidInput`, also for a seat that sees that somebody is asked: what he answers is part of the state.
        """
        self.check_observation(observation)
        rules = self.kernel_rules
        if ops.current_player(rules, observation.record) < 0 and not ops.is_terminal(rules, observation.record):
            raise InvalidInput("somebody is asked what others must not know: determinize once he has answered")
        record = new_record(self.state_dtype)
        ops.determinize(rules, observation.record, stream(derive(seed, _HIDDEN)), record)
        return State(self, record, self.opening_events(record), before=observation)

    @abstractmethod
    def deal(self, record: Any, seed: int, deck: Sequence[str | int] | str | None, dealer: int | None) -> None:
        """Deal into `record`. Raises `InvalidInput` for a deck or dealer that cannot be."""

    @abstractmethod
    def opening_events(self, record: Any) -> list[Row]:
        """Return the rows of history that lead to a freshly dealt or set-up state."""

    @abstractmethod
    def action_events(self, before: Any, action: int, after: Any) -> list[Row]:
        """Return the rows of history for `action`, which led from `before` to `after`."""

    @abstractmethod
    def remember(self, record: Any, events: Any) -> None:
        """Add to an observation's record what its viewer knows of hidden cards from the events it saw."""

    @abstractmethod
    def action_to_string(self, action: int, state: "State | Observation | None" = None) -> str:
        """Return an action as text."""

    @abstractmethod
    def parse_action(self, text: str) -> int:
        """Return the action written as `text`. Raises `InvalidInput`."""

    @abstractmethod
    def event_to_string(self, row: Sequence[int]) -> str:
        """Return one row of a seat's view of the history as a sentence. Raises `InvalidInput` for what is none."""

    @abstractmethod
    def position(self, **parts: Any) -> State:
        """Set up a position; each game says which parts it takes."""

    @abstractmethod
    def to_dict(self, state: State) -> dict[str, Any]:
        """Return the whole position as plain data."""

    @abstractmethod
    def from_dict(self, data: dict[str, Any]) -> State:
        """Return the state that `to_dict` wrote. Raises `InvalidInput`."""

    @abstractmethod
    def describe_observation(self, observation: Observation) -> dict[str, Any]:
        """Return an observation as plain data for people and programs."""

    @abstractmethod
    def deck_of(self, state: State) -> list[str]:
        """Return the cards of a freshly dealt state in the order they were, and will be, dealt."""

    @abstractmethod
    def hands_of(self, record: Any) -> list[str]:
        """Return every hand of a state record as text."""

    def encoding(self, name: str) -> Encoding:
        """Return the encoding of that name. Raises `InvalidInput` if there is none."""
        if not isinstance(name, str) or name not in self.encodings:
            raise unknown("encoding", name, self.encodings or ["none"])
        return Encoding(*self.encodings[name])

    def network_encoding(self, name: str) -> Encoding:
        """Return the encoding of that name, be it of choices, which makes a network's inputs. Raises `InvalidInput`."""
        if isinstance(name, str) and name in self.choice_encodings:
            return Encoding(*self.choice_encodings[name])
        return self.encoding(name)

    def encode(self, seen: Observation | State, encoding: str, player: int | None = None) -> NDArray[np.int8]:
        """Return what an observation's seat (of a state: `player`) sees as an array of the `encoding`'s shape.

        Raises `InvalidInput` for an unknown encoding, a `cheating-` one or another seat of an observation, and for what is
        seen at other tables.
        """
        known = self.encoding(encoding)
        if isinstance(seen, State):
            record, seat = self._view_of_state(seen, encoding, player)
        else:
            record, seat = self._view_of_observation(seen, encoding, player)
        out = np.zeros(known.inputs, np.int8)
        ops.encode(self.kernel_rules, record, seat, known.which, out)
        return out.reshape(known.shape)

    def _view_of_state(self, state: State, encoding: str, player: int | None) -> tuple[Any, int]:
        """Return the record that is encoded of a state, and the seat whose view it is. Raises `InvalidInput`."""
        self._check_table("a state", state.game)
        seat = state.mover() if player is None else player
        self.check_seat(seat)
        # a state tells besides when others decide in private
        return (state if sees_hidden(encoding) else state.observation(seat)).record, seat

    def _view_of_observation(self, seen: Observation, encoding: str, player: int | None) -> tuple[Any, int]:
        """Return the same of an observation. Raises `InvalidInput`."""
        self.check_observation(seen)
        if sees_hidden(encoding):
            raise InvalidInput(f"{encoding} shows hidden cards: it takes a state")
        seat = seen.player if player is None else player
        self.check_seat(seat)
        if seat != seen.player:
            raise InvalidInput(f"an observation of seat {seen.player} does not tell what seat {seat} sees")
        return seen.record, seat

    def symmetries(self, encoding: str) -> Symmetries:
        """Return the ways to rename things that leave the game the same, for the inputs of an encoding.

        Raises `InvalidInput` where there are none.
        """
        raise InvalidInput(f"{self.name} has no symmetries")

    def closed_outputs(self, outputs: int) -> bool:
        """Return whether the first so many actions go by each other's ids alone, whoever is to move (verb `renamed`)."""
        return True

    def check_observation(self, observation: Observation) -> None:
        """Raise `InvalidInput` unless this is an observation of such a game."""
        check_observed(observation)
        self._check_table("an observation", observation.game)

    def _check_table(self, what: str, theirs: "Game") -> None:
        """Raise `InvalidInput` unless the game that something is of is such a one."""
        if not self.is_like(theirs):
            raise InvalidInput(f"{what} of {theirs!r} is none of {self!r}")

    def is_like(self, other: "Game") -> bool:
        """Return whether another game has the same rules and as many players."""
        return other is self or (other.num_players, other.rules) == (self.num_players, self.rules)

    def check_seat(self, seat: int) -> int:
        """Return a seat. Raises `InvalidInput` if there is none such."""
        return check_seat("player", seat, self.num_players)

    @property
    def seats_are_roles(self) -> bool:
        """Whether every seat has the role of its number (`roles`) in every round."""
        return False

    def seatings(self, entries: int) -> NDArray[np.int64]:
        """Return the ways to seat so many agents (int64 [seatings, players], the agent on each seat) that together are
        fair to all: every rotation of one agent a seat. Raises `InvalidInput` for any other number of agents.
        """
        if entries != self.num_players:
            raise InvalidInput(f"{entries} agents were given for {self.num_players} players")
        seats = np.arange(entries)
        return (seats - seats[:, None]) % entries

    def vector(self, num_envs: int, seed: int = 0, encoding: str | None = None) -> VectorEnv:
        """Return so many tables of this game stepped together (`core.vector.VectorEnv`). Raises `InvalidInput`."""
        return VectorEnv(self, num_envs, seed, encoding)

    def __repr__(self) -> str:
        return f"<{self.name}, {self.num_players} players, rules {self.rules.name}>"


def check_is_game(game: object) -> None:
    """Raise `InvalidInput` unless this is a game."""
    if not isinstance(game, Game):
        raise InvalidInput(f"a game is what cardgames.make returns, not {game!r:.60}")
