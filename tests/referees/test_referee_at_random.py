"""The referee of Uno in random rounds under random rules: no card is ever lost."""

import random
from typing import Any

import pytest

from .test_referee import DECK, PRESETS
from .uno import Referee

AXES: dict[str, list[Any]] = {
    "hand-size": [1, 2, 3, 5, 7, 10, 20],
    "start": ["not-wild-four", "not-wild", "number", "any"],
    "start-rejected": ["reshuffle", "bury"],
    "start-effects": ["official", "right-first", "rlcard", "none"],
    "opener": ["left-of-dealer", "dealer", "seat-0"],
    "match": ["symbol", "number"],
    "wild-four": ["bluff", "no-color", "last-resort", "any-time"],
    "challenge": ["victim", "off"],
    "draw-when": ["any-time", "stuck"],
    "draw-how": ["one", "until-playable", "until-satisfied"],
    "drawn-card": ["may-play", "must-play", "auto-play", "keep", "rlcard"],
    "after-draw": ["drawn-only", "any-card"],
    "refill": ["all-but-top", "with-top"],
    "empty-piles": ["void"],
    "reverse-two": ["skip", "flip"],
    "wild-color": ["any", "must-change", "ignored"],
    "stacking": ["none", "same", "up", "any"],
    "jump-in": ["none", "identical"],
    "seven-zero": ["none", "seven", "zero", "both"],
    "uno-call": ["required", "off", "automatic"],
    "uno-penalty": [2],
    "last-card": ["any", "number-only", "no-wild"],
    "payoff": ["points", "win-loss", "win", "rlcard"],
    "shown-color": ["declared", "printed"],
    "match-score": [500],
    "turn-limit": [1, 50, 400],
}


class SelfDealing(Referee):
    """Referee that draws its own chance instead of getting it with each action."""

    rng = random.Random(0)

    def _next_card(self) -> int | None:
        if not self.pile:
            self._refill()
        if self.pile and not self._drawn:
            self._drawn.append(self.rng.choice(self.pile))
        return super()._next_card()

    def _random_color(self) -> int:
        self._colors = self._colors or [self.rng.randrange(4)]
        return super()._random_color()


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Draw a value for every axis until no two values contradict one another."""
    while True:
        rules = {axis: rng.choice(values) for axis, values in AXES.items()}
        if (
            (rules["challenge"] == "off" or rules["wild-four"] == "bluff")
            and (rules["after-draw"] == "drawn-only" or rules["drawn-card"] == "may-play")
            and (rules["draw-how"] != "until-satisfied" or rules["drawn-card"] == "may-play")
            and (rules["drawn-card"] != "rlcard" or rules["draw-how"] == "one")
        ):
            return rules


def play_out(rules: dict[str, Any], rng: random.Random) -> Referee:
    """Play a random round; check that no card is lost and that there is always a legal action until the round is over."""
    players = rng.randint(2, min(10, 107 // int(rules["hand-size"])))
    SelfDealing.rng = rng
    referee = SelfDealing.deal(rules, players=players, dealer=rng.randrange(players), deck=rng.sample(DECK, 108))
    while not referee.over:
        assert sorted(sum(referee.hands, referee.pile + referee.discard)) == DECK
        assert all(referee.hands)
        referee.apply(rng.choice(referee.legal()), [], [])
    assert sorted(sum(referee.hands, referee.pile + referee.discard)) == DECK
    assert (referee.to_move(), referee.legal()) == (-1, [])
    assert referee.void or not referee.hands[referee.winner]
    return referee


@pytest.mark.parametrize("preset", PRESETS)
def test_no_card_is_lost_under_presets(preset: str) -> None:
    rng = random.Random(preset)
    won = [play_out(PRESETS[preset], rng).winner >= 0 for _ in range(5)]
    assert any(won)


def test_no_card_is_lost_under_random_rules() -> None:
    rng = random.Random(1)
    for _ in range(150):
        play_out(random_rules(rng), rng)
