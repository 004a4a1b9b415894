"""Scripts that measure how strong agents are: matches, ratings, levels, and positions whose right answer is known.

Each runs as `python -m cardgames.bench.strength.NAME`; the tables of `docs/research/strength.md` come from them.
"""
