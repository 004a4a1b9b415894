"""Screens, widgets and texts of Dou Di Zhu in the terminal."""
