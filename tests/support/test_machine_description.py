"""Description of the machine in words."""

import os
import platform

import pytest

from cardgames.support import machine_description
from cardgames.support.machine_description import describe_machine


def test_description_names_processor_cores_and_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_description, "_processor", lambda: "AMD EPYC")
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    for cores, words in (
        (1, "AMD EPYC, 1 core, Linux"),
        (8, "AMD EPYC, 8 cores, Linux"),
        (None, "AMD EPYC, 1 core, Linux"),
    ):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert describe_machine() == words
    assert machine_description._processor()
