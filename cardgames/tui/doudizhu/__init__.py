"""Dou Di Zhu in the terminal."""
