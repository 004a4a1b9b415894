"""The command line `cardgames`: one module per command.

A command parses its options, calls the library and prints the results. Its module imports the library inside functions, so
that `--help` is fast.
"""

import errno
import io
import os
import signal
import sys
import warnings
from typing import Annotated, Any

import typer

import cardgames
from cardgames.cli import agents, arena, curves, information, play, reproduce, search_debug, solve, train
from cardgames.cli.terminal import open_closed_streams
from cardgames.support.errors import InvalidInput
from cardgames.support.interruption import last_signal, signals_as_ctrl_c

app = typer.Typer(
    name="cardgames",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Play Uno and Dou Di Zhu, watch agents play, analyze their searches, and train new agents.",
)
app.command()(play.play)
app.command()(play.watch)
app.command()(arena.arena)
app.command("search-debug")(search_debug.search_debug)
app.command()(solve.solve)
app.command()(agents.agents)
app.command()(information.rules)
app.command()(information.replay)
app.command()(information.warmup)
app.command()(information.bench)
app.command()(train.train)
app.command()(curves.curves)
app.command()(reproduce.reproduce)

# newer versions of Typer contain a copy of click, older ones import click: this lookup works with both
_UsageError: Any = next(cls for cls in typer.BadParameter.__mro__ if cls.__name__ == "ClickException")


_TYPER_INTERRUPTED = 130
"""Exit code that Typer returns after a `KeyboardInterrupt`."""
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EIO, errno.EPIPE)
"""Error numbers (errno) of failed writes to standard output that end a command with a message."""
_UNUSABLE_PATH_ERRORS = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR)
"""Error numbers (errno) of failed attempts to open a file that the user names."""


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    if version:
        print(f"cardgames {cardgames.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Run the command line and exit.

    After a user's mistake, print one line on standard error and exit with code 2. After a signal, exit with 128 plus the
    signal's number (130 for Ctrl-C), unless Ctrl-C only left a game.
    """
    open_closed_streams()
    # agents named module:factory may lie in the working folder; it comes last, so that a csv.py there shadows no library
    sys.path.append("")
    warnings.formatwarning = lambda message, *about, **more: f"cardgames: {message}\n"
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # characters that cannot be encoded or decoded end no command
    try:
        with signals_as_ctrl_c():
            code = app(prog_name="cardgames", standalone_mode=False)
            sys.stdout.flush()
        if code == _TYPER_INTERRUPTED or last_signal() != signal.SIGINT:
            code = 128 + last_signal()
    except InvalidInput as error:
        code = _print_error(str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = 128 + last_signal()
    except MemoryError as error:
        code = _print_error(f"there is not enough memory: {error}".removesuffix(": "))
    except OSError as error:
        if error.filename is not None and error.errno in _UNUSABLE_PATH_ERRORS:
            code = _print_error(f"cannot use {error.filename}: {error.strerror}")
        elif error.filename is None and error.errno in _OUTPUT_ERRORS:
            code = _close_output(error)
        else:
            raise
    except _UsageError as error:
        code = _print_error(f"{error.format_message().rstrip('.')} (see {_command_path(error)} --help)")
    sys.exit(code)


def _command_path(error: Any) -> str:
    """Return the command, such as `cardgames play`, whose --help explains a usage error.

    If the error does not name a command, return the command that the user typed.
    """
    if error.ctx:
        return str(error.ctx.command_path)
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return " ".join(["cardgames", *(word for word in sys.argv[1:2] if word in commands)])


def _close_output(error: OSError) -> int:
    """Discard the remaining standard output, print why it cannot be written, and return the exit code.

    If the program that reads the pipe has closed it, as `head` does, print nothing.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # at exit, Python flushes what is still buffered
    return 1 if error.errno == errno.EPIPE else _print_error(f"cannot write the output: {error.strerror}")


def _print_error(message: str) -> int:
    print("cardgames:", " ".join(message.split()), file=sys.stderr)
    return 2
