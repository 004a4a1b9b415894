"""Random small endings of both games, under varied rules."""

import random
from collections.abc import Mapping

from cardgames.core.game_registry import make
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput
from cardgames.uno.cards import DECK, WILD
from cardgames.uno.notation import card_text

DOUDIZHU_RULES = ("classic", "douzero", "online", "openspiel", "rlcard")
UNO_RULES = ("official", "common", "simplified", "rlcard")
UNO_CHANGES: Mapping[str, tuple[str, ...]] = {
    "stacking": ("none", "same", "up", "any"),
    "jump-in": ("none", "identical"),
    "seven-zero": ("none", "seven", "zero", "both"),
    "draw-when": ("any-time", "stuck"),
    "draw-how": ("one", "until-playable"),
    "after-draw": ("drawn-only", "any-card"),
    "uno-call": ("required", "off", "automatic"),
    "last-card": ("any", "no-wild"),
}


def doudizhu_ending(seed: int) -> State:
    """Return a random position of Dou Di Zhu with two to five cards a seat, some with a move to beat."""
    choice = random.Random(seed)
    while True:
        game = make("doudizhu", rules=choice.choice(DOUDIZHU_RULES))
        # few ranks, so that there are combinations
        ranks = choice.sample("3456789TJQKA2", choice.choice([4, 6, 13]))
        deck = [rank for rank in ranks for _ in range(4)] + (["B", "R"] if choice.random() < 0.5 else [])
        choice.shuffle(deck)
        sizes = [choice.randint(2, 5) for _ in range(3)]
        hands = ["".join(deck.pop() for _ in range(min(size, len(deck)))) for size in sizes]
        parts = {"landlord": choice.randrange(3), "to_move": choice.randrange(3), "seed": seed}
        if choice.random() < 0.3 and deck:
            parts["last"] = deck.pop()
        try:
            return game.position(hands=hands, **parts)
        except InvalidInput:
            seed += 1  # some of these positions cannot arise


def uno_ending(seed: int, changes: bool = True) -> State:
    """Return a random position of Uno with one to three cards a seat and up to six cards in the draw pile."""
    choice = random.Random(seed)
    while True:
        chosen = [
            f"{axis}={choice.choice(values)}"
            for axis, values in UNO_CHANGES.items()
            if changes and choice.random() < 0.3
        ]
        try:
            game = make("uno", choice.choice([2, 3]), choice.choice(UNO_RULES), chosen)
            break
        except InvalidInput:
            continue  # these rules contradict one another
    faces = choice.sample([card for card in DECK.tolist()], 108)
    if choice.random() < 0.5:  # many cards of few kinds, which can be jumped in with or stacked
        faces.sort(key=lambda card: card % 15 not in (7, 10, 12, 13))
        few = faces[:24]
        choice.shuffle(few)
        faces[:24] = few
    top = next(card for card in faces if card % 15 < WILD)
    faces.remove(top)
    texts = [card_text(card) if card % 15 < WILD else "wf"[card % 15 - WILD] for card in faces]
    hands = [" ".join(texts.pop(0) for _ in range(choice.randint(1, 3))) for _ in range(game.num_players)]
    pile = choice.randint(0, 6)
    direction = choice.choice([1, -1])
    return game.position(
        hands=hands, top=card_text(top), draw=" ".join(texts[:pile]), pile=pile, direction=direction, seed=seed
    )
