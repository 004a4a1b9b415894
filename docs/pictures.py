"""Draw the pictures of the documentation from the running apps, without a terminal: `python docs/pictures.py`."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import cardgames
from cardgames.tui.debug_app import DebugApp
from cardgames.tui.position_history import PositionHistory
from cardgames.tui.session import Session
from cardgames.tui.table_app import play_app
from cardgames.tui.widgets.search_panel import SearchPanel

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
            await until(lambda: session.round > 0 and session.decider == session.person)
            await pilot.pause(1.0)  # a hint is refused while the screen still prepares the turn
            await pilot.press("h")
            panel = app.screen.query_one(SearchPanel)
            await until(lambda: "%" in "".join(str(line.render()) for line in panel.query("Static")))
            await pilot.pause()
            return app.export_screenshot(title="cardgames play uno --players 3")

    return asyncio.run(draw())


def search_debug() -> str:
    """Return the screen of `cardgames search-debug` as SVG, with the tree of a search."""
    game = cardgames.make("uno", players=2, rules="common")
    state, reflex = game.new_initial_state(seed=SEED), cardgames.agent("reflex", game)
    states = [state.clone()]
    while not state.is_terminal():
        state.apply_action(reflex.act(state.observation()).action)
        states.append(state.clone())
    ply = max(range(len(states)), key=lambda i: len(states[i].legal_actions()))
    app = DebugApp(PositionHistory(states), ply, ["mcts-dbm"], SEED, 3)

    async def draw() -> str:
        async with app.run_test(size=SIZE) as pilot:
            await until(lambda: app.debug_screen.settled)
            await pilot.pause()
            return app.export_screenshot(title=f"cardgames search-debug uno --rules common --ply {ply}")

    return asyncio.run(draw())


async def until(is_true: Callable[[], bool]) -> None:
    """Wait until something is true, two minutes at most."""
    for _ in range(2400):
        if is_true():
            return
        await asyncio.sleep(0.05)
    raise TimeoutError("the app did not get there")


def without_fonts(svg: str) -> str:
    """Return the picture without the fonts it would load from elsewhere."""
    return re.sub(r"@font-face\s*{[^}]*}", "", svg)


if __name__ == "__main__":
    for name, draw in (("table", table), ("search-debug", search_debug)):
        (IMAGES / f"{name}.svg").write_text(without_fonts(draw()), encoding="utf-8")
        print(IMAGES / f"{name}.svg")
