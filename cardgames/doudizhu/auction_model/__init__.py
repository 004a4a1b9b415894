"""Fitted model of auctions and doubling: distribution of a round's outcome, and the expected payoff of each bid.

`outcomes` sorts finished rounds into classes, `encoding` writes what a seat knows as inputs of a network, `model` evaluates
that network, and `payoffs` looks ahead over the rest of the auction. `bench.strength.auction_deals` plays the deals, and
`auction_fit` fits the network.
"""

__all__ = ["encoding", "outcomes", "payoffs"]
