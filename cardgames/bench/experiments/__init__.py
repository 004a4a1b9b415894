"""Experiments behind single published figures: `python -m cardgames.bench.experiments.NAME --help`."""
