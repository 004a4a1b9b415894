"""The one exception for what a person got wrong; the command line prints its text as one line and exits with code 2."""


class InvalidInput(ValueError):
    """Something given from outside is wrong; the message says what, and what is allowed, in one line."""


def unknown(what: str, given: object, allowed: object) -> InvalidInput:
    """Return the error for a name that is not among `allowed` (an iterable of names)."""
    names = ", ".join(str(name) for name in allowed)  # type: ignore[attr-defined]
    return InvalidInput(f"unknown {what} {str(given)!r}: choose from {names}")
