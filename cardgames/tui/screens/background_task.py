"""Work beside a screen that stays alive."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from subprocess import Popen
from typing import Any, TypeVar

from textual.screen import Screen
from textual.widgets import Static

from cardgames.agents.agent import Agent
from cardgames.arena.warmup import compile_in_subprocess
from cardgames.search.report import SearchReport

_SCREEN_THEMES = 0.1
"""Seconds between two looks at a search under way."""

_PATIENCE = 2.0
"""Seconds for which leaving waits for threads."""

Answer = TypeVar("Answer")


class BackgroundScreen(Screen[None]):
    """A screen with work in the background, in coroutines and in threads; what fails there ends the app.

    Subclasses compose a line of words, `#status`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._left = False
        self._compiler: Popen[bytes] | None = None
        self._compiler_lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._said = ""
        """The last words in the line for them that were no warning."""

    def in_background(self, work: Callable[[], Coroutine[Any, Any, None]], group: str = "session") -> None:
        """Run an asynchronous function beside the screen in place of what ran in its group; what it fails with ends the
        app.
        """
        # the function, not its coroutine: replaced before it begins, that would be a coroutine nobody awaited
        self.run_worker(partial(self._guarded, work), group=group, exclusive=True)  # type: ignore[arg-type]

    async def _guarded(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        with self._failing():
            await work()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Have what fails end the app."""
        try:
            yield
        except Exception as error:
            if self.is_attached:  # nothing is left to show it on while the app is being closed
                self.app.fail(error)  # type: ignore[attr-defined]

    async def in_thread(self, work: Callable[[], Answer]) -> Answer:
        """Return what `work` returns, called in a thread; whoever leaves does not wait for it longer than `_PATIENCE`."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        thread = threading.Thread(target=_settle, args=(answer, work), daemon=True)
        self._threads.append(thread)
        thread.start()
        try:
            return await answer
        finally:
            self._threads = [thread for thread in self._threads if thread.is_alive()]

    def wait_for_threads(self) -> None:
        """Give work that is being stopped the time to end; what cannot be stopped, as an agent of somebody's own, ends with
        the program.
        """
        deadline = time.monotonic() + _PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def wait_for_compiler(self, game: str, name: str) -> None:
        """Wait until what an agent of `game` needs (without a name, the game itself) is compiled, by a process of its own or
        one that runs already, whatever it compiles. To be called in a thread.
        """
        with self._compiler_lock:
            if not self._left and (self._compiler is None or self._compiler.poll() is not None):
                self._compiler = compile_in_subprocess(game, name)
            compiler = self._compiler
        if compiler is not None:
            compiler.wait()

    def leave(self) -> None:
        """End the process that compiles, and with it the wait; no other begins."""
        with self._compiler_lock:
            self._left = True
            if self._compiler is not None:
                self._compiler.terminate()

    async def think(self, agent: Agent, work: Callable[[], Answer], show: Callable[[SearchReport], None]) -> Answer:
        """Return what `work` makes of having `agent` think in a thread; meanwhile `show` its growing report."""
        snapshot: Callable[[], SearchReport | None] = getattr(agent, "snapshot", lambda: None)

        thinking = True

        def screen_theme() -> None:
            with self._failing():
                report = snapshot() if thinking else None  # a look may be on its way already when the thought ends
                if report is not None:
                    show(report)

        looks = self.set_interval(_SCREEN_THEMES, screen_theme)
        try:
            return await self.in_thread(work)
        finally:
            thinking = False
            looks.stop()

    def say(self, text: str, *, warning: bool = False) -> None:
        """Put words into the line for them."""
        self._said = self._said if warning else text
        line = self.query_one("#status", Static)
        line.set_class(warning, "-warning")
        line.update(f" {text}" if text else "")


def _settle(answer: asyncio.Future[Answer], work: Callable[[], Answer]) -> None:
    """Put what `work` returns or raises into `answer`, whose loop runs in another thread, or has ended."""

    def settle(method: Callable[..., None], result: object) -> None:
        if not answer.done():  # nobody has given up waiting
            method(result)

    outcome: tuple[Callable[..., None], object]
    try:
        outcome = answer.set_result, work()
    except BaseException as error:
        outcome = answer.set_exception, error
    with suppress(RuntimeError):  # the loop has ended
        answer.get_loop().call_soon_threadsafe(settle, *outcome)
