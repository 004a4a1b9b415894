"""Where the command begins: `cardgames`, and `python -m cardgames` for when the script is not on the path."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C before it is there says no more than after."""
    try:
        from cardgames.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
