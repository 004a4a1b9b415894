"""Exact solver."""
