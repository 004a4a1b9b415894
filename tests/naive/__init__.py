"""Slow referees in plain Python, written from the rules pages alone, that the tests play beside the engine."""
