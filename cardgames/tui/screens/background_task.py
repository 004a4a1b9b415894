"""Base class of screens that run searches and compilation in the background."""

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

_POLL_INTERVAL = 0.1
"""Seconds between two snapshots of a running search."""

_PATIENCE = 2.0
"""Maximum number of seconds for which ending the app waits for running threads."""

Answer = TypeVar("Answer")


class BackgroundScreen(Screen[None]):
    """Screen with background work in coroutines and threads; an exception there ends the app.

    Subclasses must compose a `Static` with the id `status`, which shows messages.
    """

    def __init__(self) -> None:
        super().__init__()
        self._has_left = False
        self._compiler: Popen[bytes] | None = None
        self._compiler_lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._last_message = ""
        """Last message of the status line that was not a warning."""

    def in_background(self, work: Callable[[], Coroutine[Any, Any, None]], group: str = "session") -> None:
        """Run an asynchronous function beside the screen; a running one of the same `group` is cancelled."""
        # pass the function, not its coroutine, which would never be awaited if it were replaced before it began
        self.run_worker(partial(self._guarded, work), group=group, exclusive=True)  # type: ignore[arg-type]

    async def _guarded(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        with self._failures_end_app():
            await work()

    @contextmanager
    def _failures_end_app(self) -> Iterator[None]:
        """End the app if the body of the `with` statement raises an exception."""
        try:
            yield
        except Exception as error:
            if self.is_attached:  # the screen is gone while the app closes
                self.app.fail(error)  # type: ignore[attr-defined]

    async def in_thread(self, work: Callable[[], Answer]) -> Answer:
        """Call `work` in a thread and return its result; if the screen is left, the thread is abandoned."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        thread = threading.Thread(target=_settle, args=(answer, work), daemon=True)
        self._threads.append(thread)
        thread.start()
        try:
            return await answer
        finally:
            self._threads = [thread for thread in self._threads if thread.is_alive()]

    def wait_for_threads(self) -> None:
        """Wait up to `_PATIENCE` seconds until the threads of `in_thread` end.

        Threads that cannot be stopped, such as those of a user's own agent, end with the program.
        """
        deadline = time.monotonic() + _PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def wait_for_compiler(self, game: str, name: str) -> None:
        """Wait until the agent `name` for `game`, or with an empty `name` only the game, is compiled.

        It starts a process that compiles. If such a process is running already, it waits for that one, whatever that
        compiles. It blocks, so call it in a thread.
        """
        with self._compiler_lock:
            if not self._has_left and (self._compiler is None or self._compiler.poll() is not None):
                self._compiler = compile_in_subprocess(game, name)
            compiler = self._compiler
        if compiler is not None:
            compiler.wait()

    def leave(self) -> None:
        """Terminate the compiling process, so that `wait_for_compiler` returns, and start no new one."""
        with self._compiler_lock:
            self._has_left = True
            if self._compiler is not None:
                self._compiler.terminate()

    async def think(self, agent: Agent, work: Callable[[], Answer], show: Callable[[SearchReport], None]) -> Answer:
        """Call `work`, in which `agent` decides, in a thread and return its result.

        Meanwhile pass snapshots of the agent's search report to `show`.
        """
        snapshot: Callable[[], SearchReport | None] = getattr(agent, "snapshot", lambda: None)

        thinking = True

        def poll() -> None:
            with self._failures_end_app():
                report = snapshot() if thinking else None  # the timer may fire once more after the decision
                if report is not None:
                    show(report)

        timer = self.set_interval(_POLL_INTERVAL, poll)
        try:
            return await self.in_thread(work)
        finally:
            thinking = False
            timer.stop()

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a message in the status line; a warning has another color."""
        self._last_message = self._last_message if warning else text
        line = self.query_one("#status", Static)
        line.set_class(warning, "-warning")
        line.update(f" {text}" if text else "")


def _settle(answer: asyncio.Future[Answer], work: Callable[[], Answer]) -> None:
    """Call `work` and set its result or exception on the future `answer`.

    The event loop of the future runs in another thread or has ended.
    """

    def settle(method: Callable[..., None], result: object) -> None:
        if not answer.done():  # the waiting coroutine was not cancelled
            method(result)

    outcome: tuple[Callable[..., None], object]
    try:
        outcome = answer.set_result, work()
    except BaseException as error:
        outcome = answer.set_exception, error
    with suppress(RuntimeError):  # the loop has ended
        answer.get_loop().call_soon_threadsafe(settle, *outcome)
