"""Draw the pictures of the documentation from the running apps, without a terminal: `python docs/pictures.py`."""

import asyncio
import re
from pathlib import Path

import cardgames
from cardgames.tui.app import play_app
from cardgames.tui.debug_app import render_debug_app
from cardgames.tui.position_history import PositionHistory
from cardgames.tui.session import Session

IMAGES = Path(__file__).parent / "images"
SIZE = (110, 30)
"""Columns and rows of the table."""
SEED = 11


def table() -> str:
    """Return the table of a person and two searches as SVG, with a hint."""
    game = cardgames.make("uno", players=3, rules="common")
    agents = [None, *(cardgames.agent("mcts-dbm:simulations=200", game, seed=seat) for seat in (1, 2))]
    session = Session(game, agents, seed=SEED)
    app = play_app(session, lambda: cardgames.agent("mcts-dbm", game, seed=9), speed=100)

    async def draw() -> str:
        async with app.run_test(size=SIZE) as pilot:
            await until_persons_turn()
            await pilot.press("h")
            await pilot.pause(5)
            return app.export_screenshot(title="cardgames play uno --players 3")

    async def until_persons_turn() -> None:
        for _ in range(6000):
            await asyncio.sleep(0.05)
            if session.round and session.decider == session.person:
                return

    return asyncio.run(draw())


def search_debug() -> str:
    """Return the screen of `cardgames search-debug` as SVG."""
    game = cardgames.make("uno", players=2, rules="rlcard")
    state, reflex = game.new_initial_state(seed=SEED), cardgames.agent("reflex", game)
    states = [state.clone()]
    while not state.is_terminal():
        state.apply_action(reflex.act(state.observation()).action)
        states.append(state.clone())
    return render_debug_app(PositionHistory(states), 8, ["mcts-dbm"], SEED, 3)


def without_fonts(svg: str) -> str:
    """Return the picture without the fonts it would load from elsewhere."""
    return re.sub(r"@font-face\s*{[^}]*}", "", svg)


if __name__ == "__main__":
    for name, draw in (("table", table), ("search-debug", search_debug)):
        (IMAGES / f"{name}.svg").write_text(without_fonts(draw()), encoding="utf-8")
        print(IMAGES / f"{name}.svg")
