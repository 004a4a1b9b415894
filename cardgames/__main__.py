"""Entry point of the command `cardgames` and of `python -m cardgames`."""

import sys


def main() -> None:
    """Run the command line. Ctrl-C while it is being imported exits with code 130 and prints no traceback."""
    try:
        from cardgames.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
