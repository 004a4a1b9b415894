"""Scripts that each measure figures published in the documentation: `python -m cardgames.bench.experiments.NAME --help`."""
