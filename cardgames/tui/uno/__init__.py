"""Screens, widgets and texts of Uno in the terminal."""
