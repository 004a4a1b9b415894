"""Dou Di Zhu: its cards and moves, the course of a round, and who plays it without a search."""
