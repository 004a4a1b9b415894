"""Scripts that produce single published figures; run `python -m cardgames.bench.experiments.NAME --help`."""
