"""Searches that know no game by name: trees, particle filters, reports."""
