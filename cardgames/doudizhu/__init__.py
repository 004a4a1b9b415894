"""Dou Di Zhu: cards, the grammar of moves and what may be played from a hand."""
