"""A slow referee for certain wins in Uno: it tries sequences of own actions against many worlds at once, with the engine.

A world is a state that the mover's observation allows. At a decision of another seat a world splits into one for each
of its options; a turn of another seat loses. A sequence is a certain win if it wins in every world. Worlds are random
determinizations, and such in which another seat holds a card that could hurt: a draw card, or the twin of a card.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.uno import piles
from cardgames.uno.cards import DRAW_TWO, WILD_FOUR
from cardgames.uno.events import cards_in_hand
from cardgames.uno.state import AFTER_DRAW, OPENER_COLOR, PLAY

MOST_WORLDS = 5_000
"""Number of worlds above which a sequence is not followed further."""


def wins_everywhere(observation: Observation, line: Sequence[int], worlds: Iterable[State]) -> bool:
    """Return whether the actions `line` win in each of `worlds`, whatever the other seats decide."""
    alive = list(worlds)
    for number, action in enumerate(line):
        following = _after(alive, observation.player, action)
        if following is None or (not following) != (number == len(line) - 1):
            return False
        alive = following
    return True


def find_certain_win(observation: Observation, worlds: Sequence[State], longest: int) -> list[int]:
    """Return a sequence of at most `longest` actions that wins in each of `worlds`; empty if there is none."""
    open_lines: list[tuple[list[int], list[State]]] = [([], list(worlds))]
    while open_lines:
        line, alive = open_lines.pop()
        for action in alive[0].legal_actions() if len(line) < longest else ():
            following = _after(alive, observation.player, action)
            if following == []:
                return [*line, action]
            if following is not None:
                open_lines.append(([*line, action], following))
    return []


def _after(worlds: Sequence[State], seat: int, action: int) -> list[State] | None:
    """Return the worlds at the next decision of `seat` after its `action`, without those it has won; None if one is lost."""
    following: list[State] = []
    for world in worlds:
        if action not in world.legal_actions():
            return None
        open_worlds = [_child(world, action)]
        while open_worlds:
            state = open_worlds.pop()
            if state.is_terminal():
                if state.record.winner != seat:
                    return None
            elif state.current_player() == seat:
                following.append(state)
            elif state.record.phase in (PLAY, AFTER_DRAW, OPENER_COLOR):
                return None
            else:
                open_worlds += [_child(state, option) for option in state.legal_actions()]
        if len(following) > MOST_WORLDS:
            return None
    return following


def _child(state: State, action: int) -> State:
    child = state.clone()
    child.apply_action(action)
    return child


def random_worlds(observation: Observation, number: int) -> list[State]:
    """Return determinizations of an observation with the seeds from 0 on."""
    return [observation.game.determinize(observation, seed) for seed in range(number)]  # type: ignore[attr-defined]


def hostile_worlds(observation: Observation) -> Iterator[State]:
    """Yield worlds in which another seat holds one certain card that could hurt, for each seat and card where possible."""
    mine = set(cards_in_hand(observation.record, observation.player)) | {int(observation.record.top)}
    threats = [card for card in range(60) if card in mine or card % 15 in (DRAW_TWO, WILD_FOUR)]
    for number, card in enumerate(threats):
        for seat in range(observation.game.num_players):
            world = observation.game.determinize(observation, 1000 + number)  # type: ignore[attr-defined]
            if seat != observation.player and _give(world, seat, card, observation):
                yield world


def _give(world: State, seat: int, card: int, observation: Observation) -> bool:
    """Make `seat` hold `card`, in exchange for one of its cards that the observer does not know; False if impossible."""
    record = world.record
    if card in cards_in_hand(record, seat):
        return True
    place = np.flatnonzero(record.pile[: record.n_pile] == card)
    unknown = cards_in_hand(record, seat)
    for known in cards_in_hand(observation.record, seat):
        unknown.remove(known)
    if not len(place) or not unknown:
        return False
    piles.remove_from_hand(record, seat, unknown[0])
    record.pile[place[0]] = unknown[0]
    piles.add_to_hand(record, seat, card)
    return True
