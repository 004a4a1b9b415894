"""Tests of the model of auctions."""
