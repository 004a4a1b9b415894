"""Comparison with RLCard 1.2 itself, step by step, under the preset `rlcard`: the same decks, the same random colors.

Our engine moves first; RLCard then gets the cards and colors that chance produced in our engine. RLCard stops with an
`IndexError` when both piles are empty, and may play the same card for ever; such rounds are counted and skipped.
"""

import collections
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rlcard.envs.uno import UnoEnv
from rlcard.games.uno import Game as RLCardGame
from rlcard.games.uno.utils import ACTION_LIST, ACTION_SPACE
from rlcard.models.uno_rule_models import UNORuleAgentV1

import cardgames
from cardgames.core.events import EventRow
from cardgames.core.state import State
from cardgames.uno.cards import COLORS, WILD
from cardgames.uno.events import DREW, LAID
from cardgames.uno.game import Uno
from cardgames.uno.rules import RLCARD, Payoff, ShownColor
from tests.uno.tables import discard, hands, pile

RULES = RLCARD | Payoff("rlcard") | ShownColor("printed")
ENDLESS = 2_000
"""Number of decisions after which a round counts as endless in RLCard; the longest others take some 500."""


class ReplayedChance:
    """Random source for RLCard that replays the chance of our engine."""

    def __init__(self) -> None:
        self.cards: list[str] = []
        self.colors: list[str] = []

    def choice(self, options: list[str]) -> str:
        """Return the next random color of our engine."""
        assert set(options) == set(COLORS)
        return self.colors.pop(0)

    def shuffle(self, deck: list[Any]) -> None:
        """Do nothing: `ReplayedDeck` looks for the card it needs, so the order does not matter."""


class ReplayedDeck(list[Any]):
    """Deck whose next card is the one that our engine drew."""

    def __init__(self, cards: list[Any], chance: ReplayedChance):
        super().__init__(cards)
        self._chance = chance

    def pop(self, *_: Any) -> Any:
        if not self:
            raise IndexError("pop from empty list")
        wanted = self._chance.cards.pop(0)
        return super().pop(next(i for i, card in enumerate(self) if card.str == wanted))


class Pair:
    """The same round in our engine and in RLCard."""

    def __init__(self, game: Uno, seed: int):
        self.theirs = RLCardGame(num_players=game.num_players)
        self.theirs.np_random = np.random.RandomState(seed)
        self.theirs.init_game()
        self.ours = game.new_initial_state(seed=seed, deck=self._deck())
        self.chance = ReplayedChance()
        self.theirs.dealer.deck = ReplayedDeck(self.theirs.dealer.deck, self.chance)
        self.theirs.dealer.np_random = self.theirs.round.np_random = self.chance
        self.theirs.round.target.color = COLORS[self.ours.record.color]
        self.compare()

    def _deck(self) -> list[int]:
        """Return RLCard's cards in the order in which they were, and will be, dealt."""
        game = self.theirs
        hands = [player.hand for player in game.players]
        cards = [card for hand in hands for card in hand[:7]] + [game.round.target]
        cards += [card for hand in hands for card in hand[7:]] + game.dealer.deck[::-1]
        return [ACTION_SPACE[card.str] for card in cards]

    def step(self, action: int) -> None:
        """Play `action` on both sides. Raises `IndexError` if RLCard does."""
        seen = len(self.ours.history())
        self.ours.apply_action(action)
        self._feed(self.ours.history(seen))
        self.theirs.step(ACTION_LIST[action])
        assert not self.chance.cards and not self.chance.colors
        self.compare()

    def _feed(self, rows: list[EventRow]) -> None:
        self.chance.cards = [ACTION_LIST[value] for kind, _, value, _ in rows if kind == DREW]
        laid = [value for kind, _, value, _ in rows if kind == LAID and value % 15 >= WILD]
        self.chance.colors = [COLORS[value // 15] for value in laid]

    def compare(self) -> None:
        """Assert that both sides have the same position."""
        ours, game = self.ours, self.theirs
        record, table = ours.record, game.round
        assert names(hands(ours)) == [sorted(card.str for card in player.hand) for player in game.players]
        assert ACTION_LIST[record.top] == table.target.str
        assert COLORS[record.color] == table.target.color
        assert [ACTION_LIST[card] for card in discard(ours)] == [card.str for card in table.played_cards]
        assert names([pile(ours)]) == [sorted(card.str for card in game.dealer.deck)]
        assert ours.is_terminal() == game.is_over()
        assert ours.returns() == game.get_payoffs()
        if ours.is_terminal():
            assert [record.winner] == table.winner
        else:
            assert record.direction == table.direction
            assert ours.current_player() == game.get_player_id()
            assert ours.legal_actions() == sorted({ACTION_SPACE[name] for name in game.get_legal_actions()})


def names(cards: list[list[int]]) -> list[list[str]]:
    """Return each hand as sorted card names of RLCard."""
    return [sorted(ACTION_LIST[card] for card in hand) for hand in cards]


def their_state(pair: Pair) -> dict[str, Any]:
    """Return the state that RLCard's environment shows the player to move, for any number of players."""
    env = SimpleNamespace(game=pair.theirs, action_recorder=[])
    env._get_legal_actions = lambda: UnoEnv._get_legal_actions(env)
    state: dict[str, Any] = UnoEnv._extract_state(env, pair.theirs.get_state(pair.theirs.get_player_id()))
    return state


def play(game: Uno, seed: int) -> tuple[str, int]:
    """Play a random round on both sides; return how it ended and the number of decisions."""
    pair, chance = Pair(game, seed), random.Random(seed)
    for decisions in range(ENDLESS):
        if pair.ours.is_terminal():
            return "whole", decisions
        encoded = game.encode(pair.ours.observation(), "4x4x15") if decisions % 7 == 0 else None
        if encoded is not None:
            assert np.array_equal(encoded, their_state(pair)["obs"])
        try:
            pair.step(chance.choice(pair.ours.legal_actions()))
        except IndexError:
            return "RLCard's IndexError", decisions
    return "endless in RLCard", ENDLESS


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_rounds_equal_rlcard(players: int) -> None:
    game = Uno(players, RULES)
    ends = collections.Counter(play(game, seed)[0] for seed in range(550))
    print(players, "players:", dict(ends))
    assert ends["whole"] >= 545


def positions(players: int, count: int) -> list[Pair]:
    """Return positions from the middle of random rounds in which more than one action is legal."""
    pairs: list[Pair] = []
    for seed in range(10 * count):
        pair, chance = Pair(Uno(players, RULES), seed), random.Random(seed)
        for _ in range(chance.randrange(30)):
            if not pair.ours.is_terminal():
                pair.step(chance.choice(pair.ours.legal_actions()))
        if not pair.ours.is_terminal() and len(pair.ours.legal_actions()) > 1:
            pairs.append(pair)
            if len(pairs) == count:
                break
    return pairs


def rule_action_counts(state: State, n: int) -> collections.Counter[str]:
    """Return how often the agent `rlcard-rule` takes each action in `n` decisions, by RLCard's action names."""
    agent, observation = cardgames.agent("rlcard-rule", state.game, seed=1), state.observation()
    return collections.Counter(ACTION_LIST[agent.act(observation).action] for _ in range(n))


def test_rlcard_rule_agent_acts_as_in_rlcard() -> None:
    """Forced choices are equal; random ones have RLCard's probabilities (z < 4.5 each: fails once in 1,000 runs)."""
    seen = collections.Counter[str]()
    for pair in positions(3, 150):
        state = their_state(pair)
        legal, hand = state["raw_legal_actions"], state["raw_obs"]["hand"]
        ours = rule_action_counts(pair.ours, 400)
        colored = [card for card in hand if "wild" not in card]
        if any("wild_draw_4" in action for action in legal):
            held = collections.Counter(card[0] for card in colored)
            best = {f"{color}-wild_draw_4" for color in COLORS if held[color] == max(held.values(), default=0)}
            assert set(ours) == best
            assert not colored or UNORuleAgentV1().step(state) in best
            seen["wild draw four"] += 1
        else:
            likely = collections.Counter(UNORuleAgentV1.filter_wild(legal))
            assert set(ours) <= set(likely)
            for action, copies in likely.items():
                p = copies / likely.total()
                assert abs(ours[action] - 400 * p) <= 4.5 * (400 * p * (1 - p)) ** 0.5
            seen["random"] += 1
    assert min(seen["wild draw four"], seen["random"]) > 0


def test_rlcard_rule_agent_draws_without_a_playable_card() -> None:
    game = Uno(2, RULES)
    state = game.position(hands=["r1", "g2 g3"], top="g5")
    assert rule_action_counts(state, 10) == {"draw": 10}
