"""What has to be done once, before the suite is shared out among processes."""

from contextlib import suppress

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Import RLCard, which unpacks tables into its own folder the first time, and fails where two processes do."""
    if not hasattr(config, "workerinput"):
        with suppress(ImportError):
            import rlcard.games.doudizhu  # noqa: F401
