"""Conformance check of a game: plays random rounds and tests what agents, searches, records and screens rely on.

For authors of a new game, or of a new rule of an existing one.
"""

import json
from typing import Any

import numpy as np

from cardgames.core import ops
from cardgames.core.encoding import sees_hidden
from cardgames.core.events import ACTION, view
from cardgames.core.game import Game, check_is_game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.kernels.record_type import new_record
from cardgames.support.errors import InvalidInput

_MAX_DECISIONS = 50_000
"""Number of decisions after which the check fails because a random round does not end."""
_MANY_ACTIONS = 500
"""Maximum number of action ids for which `is_legal` is called on every id.

In a game with more, it is called on the legal ids and on this many random ids.
"""
_CHECK_RATE = 6
"""Rate of full checks of the state: after n decisions one runs with probability `_CHECK_RATE` / n.

So a long round gets few full checks, which are slow.
"""


def check_game(game: Game, *, games: int = 5, seed: int = 0) -> None:
    """Play random rounds of a game and check that `Game`, `State`, `Observation` and the verbs of `core.ops` are consistent.

    Args:
        game: Game to check.
        games: Number of rounds.
        seed: Seed of all rounds.

    Raises:
        AssertionError: If a check fails; the message says which, with the seed of the round and the number of decisions.
        InvalidInput: If `game` is not a game.
    """
    check_is_game(game)
    _check_rules(game)
    for number in range(games):
        _RandomRound(game, rng.derive(seed, number)).check()


def _require(condition: object, promise: str) -> None:
    """Raise `AssertionError` with the message `promise`, a sentence about the game that must be true, if it is not."""
    if not condition:
        raise AssertionError(promise)


def _check_rules(game: Game) -> None:
    values = game.rules.to_dict()
    again = game.rule_book.from_dict(values)
    _require(
        again == game.rules and again.hash == game.rules.hash,
        "rule_book.from_dict reads back the rules that to_dict wrote, with the same hash",
    )
    _require(json.loads(json.dumps(values)) == values, "the values of rules are plain data")
    _require(game.min_players <= game.num_players <= game.max_players, "num_players is from min_players to max_players")


class _RandomRound:
    """One round played with random legal actions and checked on the way.

    Copies of the round (dealt from the same seed, cloned, read back from `to_dict`) play the same actions and must stay
    equal to it.
    """

    def __init__(self, game: Game, seed: int):
        self.game = game
        self.seed = seed
        self.decisions = 0
        self.random = np.random.default_rng(seed)
        self._offered: list[int] = []

    def check(self) -> None:
        """Deal the round, play it to its end and check its states. Raises `AssertionError` if a check fails."""
        try:
            self._deal()
            while not self.state.is_terminal():
                if self.random.random() * self.decisions < _CHECK_RATE:
                    self._check_everything()
                self._step()
            self._check_end()
        except Exception as error:
            what = str(error) if type(error) is AssertionError else f"{type(error).__name__}: {error}"
            where = f"{self.game!r}, seed {self.seed}, after {self.decisions} decisions"
            raise AssertionError(f"{where}: broken promise: {what}") from error

    def _deal(self) -> None:
        self.state = self.game.new_initial_state(seed=self.seed)
        self._rows = len(self.state.history())
        self.copies = {"the same seed": self.game.new_initial_state(seed=self.seed)}
        deck = self.game.deck_of(self.state)
        again = self.game.new_initial_state(seed=self.seed, deck=deck)
        _require(
            self.game.deck_of(again) == deck,
            "dealing from the deck that deck_of returned gives a state with the same deck_of",
        )

    def _step(self) -> None:
        """Play a random legal action in the round and its copies; check legal actions before and history after it."""
        state = self.state
        legal, mover = state.legal_actions(), state.current_player()
        self._check_legal(legal, mover)
        self._offered = legal
        _require(not state.winners(), "nobody has won before the round is over")
        action = legal[self.random.integers(len(legal))]
        state.apply_action(action)
        for copy in self.copies.values():
            copy.apply_action(action)
        self.decisions += 1
        first, *more = state.history(self._rows)
        self._rows += 1 + len(more)
        _require(
            first[:3] == (ACTION, mover, action), "the first row an action adds to the history is the action itself"
        )
        _require(
            view([first], mover).tolist() == [[ACTION, mover, action]], "a player sees its own action in the history"
        )
        _require(self.decisions < _MAX_DECISIONS, f"a random round ends before {_MAX_DECISIONS} decisions")

    def _check_legal(self, legal: list[int], mover: int) -> None:
        _require(0 <= mover < self.game.num_players, "a seat is to move until the round is over")
        _require(legal, "the seat to move has a legal action")
        _require(legal == sorted(set(legal)), "legal actions are ascending and each is listed once")
        _require(
            0 <= legal[0] and legal[-1] < self.game.num_distinct_actions, "action ids are below num_distinct_actions"
        )
        _require(not any(self.state.returns()), "returns are zero before the end")

    def _check_everything(self) -> None:
        self._check_copies()
        self._check_illegal_actions()
        self._check_texts()
        for seat in range(self.game.num_players):
            self._check_observation(seat)
        self._refresh_copies()

    def _check_copies(self) -> None:
        position = self.state.to_dict()
        for name, copy in self.copies.items():
            promise = f"the same actions lead {name} to the same state"
            _require(copy.to_dict() == position and copy.legal_actions() == self.state.legal_actions(), promise)

    def _refresh_copies(self) -> None:
        state, position = self.state, self.state.to_dict()
        written = json.loads(json.dumps(position))
        read = self.game.from_dict(written)
        _require(read.to_dict() == position, "from_dict reads back what to_dict wrote")
        clone, diverged, past = state.clone(), state.clone(), state.history()
        diverged.apply_action(diverged.legal_actions()[0])
        _require(state.to_dict() == position and state.history() == past, "a clone is independent of its original")
        self.copies |= {"a state read back from to_dict": read, "a clone": clone}

    def _check_illegal_actions(self) -> None:
        state, game = self.state, self.game
        legal, position = set(state.legal_actions()), state.to_dict()
        actions = np.arange(game.num_distinct_actions)
        if len(actions) > _MANY_ACTIONS:
            actions = np.array([*legal, *self.random.choice(actions, _MANY_ACTIONS)])
        for action in actions.tolist():
            allowed = bool(ops.is_legal(game.kernel_rules, state.record, action))
            _require(allowed == (action in legal), f"is_legal agrees with legal_actions on action {action}")
        wrong = next((a for a in range(game.num_distinct_actions) if a not in legal), game.num_distinct_actions)
        for action in (wrong, -1, game.num_distinct_actions):
            _require(_refuses(state, action), f"apply_action refuses action {action}, which is not legal")
        _require(state.to_dict() == position, "a refused action changes nothing")

    def _check_texts(self) -> None:
        for action in self.state.legal_actions():
            text = self.state.action_to_string(action)
            _require(
                self.game.parse_action(text) == action, f"parse_action reads {text!r} as the action it was written for"
            )
        _require(
            len(self.game.hands_of(self.state.record)) == self.game.num_players, "hands_of returns a text for each seat"
        )

    def _check_observation(self, seat: int) -> None:
        """Check the observation of `seat`: its legal actions, its event sentences, and independence of hidden cards."""
        state, mover = self.state, self.state.current_player()
        observation = state.observation(seat)
        _require(observation.to_bytes() == state.observation(seat).to_bytes(), "observing twice gives the same bytes")
        expected = tuple(state.legal_actions()) if seat == mover else ()
        _require(
            observation.legal_actions == expected,
            "an observation has the legal actions if its seat is to move, else none",
        )
        for row in observation.events[-20:]:
            _require(self.game.event_to_string(row), "event_to_string returns a sentence for every row of the history")
        determinized = self._determinize(observation)
        # while another seat decides in private, determinizations have that decision already taken
        if ops.current_player(self.game.kernel_rules, observation.record) == mover:
            self._check_hidden(observation, determinized)
        if seat == mover:
            seen = self.game.determinize(observation, self.seed).observation()
            _require(
                seen.to_bytes() == observation.to_bytes(),
                "the player to move has the same observation in a determinization as in the state",
            )
            json.dumps(observation.to_dict())
            self._check_determinization(observation, determinized)
            self._check_certain_win(observation)

    def _determinize(self, observation: Observation) -> Any:
        stream = rng.stream(int(self.random.integers(2**63)))
        determinized = new_record(self.game.state_dtype)
        ops.determinize(self.game.kernel_rules, observation.record, stream, determinized)
        return determinized

    def _check_hidden(self, observation: Observation, determinized: Any) -> None:
        """Check that the observing seat has the same observation in `determinized`, a state with other hidden cards."""
        game, seat = self.game, observation.player
        seen = new_record(game.state_dtype)
        ops.observe(game.kernel_rules, determinized, seat, seen)
        game.remember(seen, observation.events)
        _require(seen.tobytes() == observation.record.tobytes(), "an observation does not depend on hidden cards")
        if seat == self.state.current_player():
            self._check_fresh_views(determinized, seat)

    def _check_fresh_views(self, determinized: Any, seat: int) -> None:
        """Check that new rounds at the current state and at its determinization look the same to `seat`.

        Observations and all encodings (except those that show hidden cards) must be equal.
        """
        game = self.game
        states = [
            State(game, record, game.opening_events(record))
            for record in (self.state.record.copy(), determinized.copy())
        ]
        views = {state.observation(seat).to_bytes() for state in states}
        _require(len(views) == 1, "the opening history, as a seat sees it, does not depend on hidden cards")
        for name in game.encodings:
            if not sees_hidden(name):
                same = np.array_equal(game.encode(states[0], name, seat), game.encode(states[1], name, seat))
                _require(same, f"the encoding {name} does not depend on hidden cards")
        for name in game.action_encodings:
            same = len({self._encode_actions(name, record, seat) for record in (self.state.record, determinized)}) == 1
            _require(same, f"the encoding {name} does not depend on hidden cards")

    def _encode_actions(self, encoding: str, record: Any, seat: int) -> bytes:
        """Return the bytes of the encoded legal actions of `seat`; empty if the encoding does not cover this phase.

        Checks that the verb `encode_actions` overwrites every input.
        """
        game, actions = self.game, np.array(self.state.legal_actions(), np.int32)
        spec, written = game.network_encoding(encoding), set()
        for fill in (0, 1):
            rows = np.full((len(actions), spec.inputs), fill, np.int8)
            if not ops.encode_actions(game.kernel_rules, record, seat, spec.encoding_id, actions, rows):
                return b""
            written.add(rows.tobytes())
        _require(len(written) == 1, f"the encoding {encoding} overwrites all of its rows")
        return written.pop()

    def _check_determinization(self, observation: Observation, determinized: Any) -> None:
        """Check that `determinized` has the same player to move, legal actions and choices of policies as the true state."""
        game = self.game
        state = State(game, determinized, [])
        _require(state.current_player() == observation.player, "a determinization has the same player to move")
        _require(
            tuple(state.legal_actions()) == observation.legal_actions, "a determinization has the same legal actions"
        )
        for name in game.policies:
            rules, policy = game.kernel_rules, game.policy(name)
            records = (self.state.record, observation.record, determinized)
            answers = {int(ops.policy(rules, record, *policy, rng.stream(self.seed))) for record in records}
            _require(len(answers) == 1, f"the policy {name} does not depend on hidden cards")
            _require(answers <= set(observation.legal_actions), f"the policy {name} chooses a legal action")
        state.apply_action(observation.legal_actions[0])

    def _check_certain_win(self, observation: Observation) -> None:
        """Check that the certain win of the player to move, if there is one, wins while the others play at random."""
        state, seat = self.state.clone(), observation.player
        line = list(self.game.certain_win(observation))
        if not line:
            return
        while line and not state.is_terminal():
            legal = state.legal_actions()
            action = line.pop(0) if state.current_player() == seat else legal[self.random.integers(len(legal))]
            _require(action in legal, "each action of a certain win is legal when its turn comes")
            state.apply_action(action)
        _require(seat in state.winners() and not line, "a certain win wins")

    def _check_end(self) -> None:
        state, game = self.state, self.game
        self._check_copies()
        _require(state.current_player() == -1, "current_player is -1 once the round is over")
        _require(state.legal_actions() == [], "there are no legal actions once the round is over")
        refused = all(_refuses(state, action) for action in (0, *self._offered))
        _require(refused, "apply_action refuses every action once the round is over")
        _require(len(state.winners()) < game.num_players, "not everybody wins")
        returns = state.returns()
        _require(len(returns) == game.num_players, "returns has one number for each seat")
        _require(np.isfinite(returns).all(), "returns are finite")
        for seat in range(game.num_players):
            value = float(ops.utility(game.kernel_rules, state.record, seat))
            _require(0.0 <= value <= 1.0, "utility lies in [0, 1]")
            _require(
                state.observation(seat).legal_actions == (),
                "an observation has no legal actions once the round is over",
            )
        _require(
            game.from_dict(json.loads(json.dumps(state.to_dict()))).is_terminal(), "from_dict reads a finished round"
        )


def _refuses(state: State, action: int) -> bool:
    """Try to play an action: return True if `apply_action` raises `InvalidInput`, False if the action was played."""
    try:
        state.apply_action(action)
    except InvalidInput:
        return True
    return False
