"""Uno in the terminal."""
