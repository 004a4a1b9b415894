"""Helpers for the tests of Uno: random rule sets, random play that ends rounds, the cards of a state as lists."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cardgames.core.game import Game
from cardgames.core.rules import Axis, RuleSet
from cardgames.core.state import State
from cardgames.uno.cards import DRAW, NUM_CARDS
from cardgames.uno.events import cards_in_hand
from cardgames.uno.game import Uno
from cardgames.uno.notation import parse_card
from cardgames.uno.rules import BOOK

PRESETS = tuple(BOOK.presets)

NUMBERS: Mapping[str, Sequence[int]] = {
    "hand-size": (1, 2, 3, 5, 7, 7, 10, 20),
    "uno-penalty": (1, 2, 4),
    "match-score": (500,),
    "turn-limit": (1, 60, 250, 250, 250),
}
"""Values to try for the axes that are numbers."""

Pick = Callable[[Sequence[Any]], Any]


def _fits(axis: type[Axis], value: str | int, chosen: Mapping[str, str | int]) -> bool:
    """Return whether a value contradicts none of those chosen for other axes."""
    demands = axis.requires.get(str(value), {})
    own_demands_met = all(chosen.get(other, allowed[0]) in allowed for other, allowed in demands.items())
    demands_of_others = (
        BOOK.axes[other].requires.get(str(chosen_value), {}).get(axis.name) for other, chosen_value in chosen.items()
    )
    return own_demands_met and all(allowed is None or value in allowed for allowed in demands_of_others)


def choose_rules(pick: Pick) -> RuleSet:
    """Return a rule set for which `pick` chooses the value of every axis among those that contradict no other."""
    chosen: dict[str, str | int] = {}
    for name, axis in BOOK.axes.items():
        values = NUMBERS[name] if axis.numbers is not None else tuple(axis.choices)
        chosen[name] = pick([value for value in values if _fits(axis, value, chosen)])
    return BOOK.from_dict(chosen, "drawn")


def choose_game(pick: Pick) -> Uno:
    """Return a game under rules chosen by `pick`, for 2 to 10 players, as many as the hand size allows."""
    rules = choose_rules(pick)
    max_players = min(10, (NUM_CARDS - 1) // int(rules["hand-size"]))
    return Uno(pick(range(2, max_players + 1)), rules)


def lively(legal: Sequence[int], chance: random.Random) -> int:
    """Return a random legal action, which plays a card more often than not so that rounds end."""
    cards = [action for action in legal if action < DRAW]
    return chance.choice(cards if cards and chance.random() < 0.7 else legal)


def play(state: State, chance: random.Random) -> Iterator[State]:
    """Play `state` to its end, and yield it before every decision and at the end."""
    while not state.is_terminal():
        yield state
        state.apply_action(lively(state.legal_actions(), chance))
    yield state


def ids(texts: Sequence[str]) -> list[int]:
    """Return the card ids of texts as `Game.deck_of` writes them."""
    return [parse_card(text)[0] for text in texts]


def hands(state: State) -> list[list[int]]:
    """Return every hand as ascending card ids."""
    return [cards_in_hand(state.record, seat) for seat in range(state.game.num_players)]


def pile(state: State) -> list[int]:
    """Return the draw pile as ascending card ids."""
    return sorted(int(card) for card in state.record.pile[: state.record.n_pile])


def discard(state: State) -> list[int]:
    """Return the discard pile, bottom first."""
    return [int(card) for card in state.record.discard[: state.record.n_discard]]


def games_of(preset: str, players: Sequence[int] = range(2, 11)) -> Iterator[Game]:
    """Yield a game under a preset for each of these numbers of players."""
    return (Uno(n, preset) for n in players)
