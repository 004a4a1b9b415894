"""Slow referee for whole rounds of Dou Di Zhu: the text of docs/reference/doudizhu.md in plain Python.

It stores only the deal and the list of actions; everything else is derived from them. An action is text (`pass`, `bid 2`,
...) or a `Reading` of cards. `rules` maps each axis to its value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.referees.doudizhu import Reading, in_order, leads, readings, replies

Said = str | Reading
BIDS = ("bid 1", "bid 2", "bid 3")
FACTORS = {"none": 1, "double": 2, "triple": 3}


def minus(hand: str, cards: str) -> str:
    """Return the hand without some of its cards; fails if it does not hold them."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return "".join(left)


def cards_of(said: Said) -> str:
    """Return the cards of an action, none if it is not a move."""
    return said.main + said.kickers if isinstance(said, Reading) else ""


@dataclass
class Round:
    """One round: three hands of 17 cards and the bottom cards as text, and the seat that acts first."""

    rules: Mapping[str, object]
    dealt: Sequence[str]
    bottom: str
    first: int
    redeals: int = 0
    auction: list[tuple[int, str]] = field(default_factory=list)
    doubling: list[tuple[int, str]] = field(default_factory=list)
    play: list[tuple[int, Said]] = field(default_factory=list)

    # the auction

    @property
    def winning(self) -> tuple[int, str] | None:
        """The last action of the auction that is not a pass, and its seat."""
        return next(((seat, word) for seat, word in reversed(self.auction) if word != "pass"), None)

    def _asked_after_bid(self) -> list[int]:
        """Return the seats still to act in turn after the highest bid so far, as long as nobody bids more."""
        at = max(i for i, (_, word) in enumerate(self.auction) if word != "pass")
        bidder, word = self.auction[at]
        if word == "bid 3":
            return []
        others = [(bidder + 1) % 3, (bidder + 2) % 3]
        if self.rules["auction-end"] == "once":
            return [seat for seat in others if seat not in [who for who, _ in self.auction[: at + 1]]]
        if self.rules["re-entry"] == "banned":
            return [seat for seat in others if (seat, "pass") not in self.auction[:at]]
        return others

    def _asked_after_call(self) -> list[int]:
        """Return the seats to act in turn after the call."""
        at = next(i for i, (_, word) in enumerate(self.auction) if word == "call")
        caller, _ = self.auction[at]
        seats = [seat for seat in ((caller + 1) % 3, (caller + 2) % 3) if (seat, "pass") not in self.auction[:at]]
        answers = self.auction[at + 1 :][: len(seats)]
        return [*seats, caller] if any(word == "rob" for _, word in answers) else seats

    @property
    def bidder(self) -> int | None:
        """Seat to act in the auction, None if it is over."""
        if self.rules["bidding"] == "none":
            return None
        if self.winning is None:
            return (self.first + len(self.auction)) % 3 if len(self.auction) < 3 else None
        opening = "call" if self.rules["bidding"] == "call-rob" else self.winning[1]
        since = len(self.auction) - 1 - [word for _, word in self.auction].index(opening)
        seats = self._asked_after_call() if opening == "call" else self._asked_after_bid()
        return seats[since] if since < len(seats) else None

    @property
    def landlord(self) -> int | None:
        """Seat of the landlord, None until there is one."""
        if self.rules["bidding"] == "none":
            return self.first
        return self.winning[0] if self.winning is not None and self.bidder is None else None

    @property
    def given_up(self) -> bool:
        """True if all seats have passed."""
        return self.bidder is None and self.landlord is None

    @property
    def stake(self) -> int:
        """Stake before any multiplier, 0 until there is one."""
        if self.rules["bidding"] == "score":
            return max((BIDS.index(word) + 1 for _, word in self.auction if word in BIDS), default=0)
        return int(self.rules["bidding"] == "none" or any(word == "call" for _, word in self.auction))

    def _words(self) -> list[str]:
        """Return the legal actions of the auction."""
        if self.rules["bidding"] == "call-rob":
            return ["pass", "rob" if self.winning else "call"]
        return ["pass", *BIDS[self.stake :]]

    # doubling and play

    @property
    def doubler(self) -> int | None:
        """Seat to decide on doubling now, None if there is none."""
        if self.landlord is None or self.rules["doubling"] == "none" or len(self.doubling) == 3:
            return None
        return (self.landlord + 1 + len(self.doubling)) % 3

    @property
    def phase(self) -> str:
        """Name of the phase."""
        if self.bidder is not None:
            return "auction"
        if self.doubler is not None:
            return "doubling"
        return "over" if self.given_up or self.winner is not None else "play"

    @property
    def to_move(self) -> int:
        """Seat to act now, -1 at the end."""
        if self.phase == "over":
            return -1
        if self.bidder is not None:
            return self.bidder
        if self.doubler is not None:
            return self.doubler
        assert self.landlord is not None
        return (self.landlord + len(self.play)) % 3

    @property
    def hands(self) -> list[str]:
        """Cards in each hand."""
        hands = list(self.dealt)
        if self.landlord is not None:
            hands[self.landlord] = in_order(hands[self.landlord] + self.bottom)
        return [minus(hand, played) for hand, played in zip(hands, self.played, strict=True)]

    @property
    def played(self) -> list[str]:
        """Cards played by each seat."""
        played_cards = ["", "", ""]
        for seat, said in self.play:
            played_cards[seat] += cards_of(said)
        return [in_order(cards) for cards in played_cards]

    @property
    def winner(self) -> int | None:
        """Seat that has played its last card, None if there is none."""
        num_left = [len(hand) for hand in self.dealt]
        if self.landlord is not None:
            num_left[self.landlord] += len(self.bottom)
        for seat, said in self.play:
            num_left[seat] -= len(cards_of(said))
        return next((seat for seat, cards in enumerate(num_left) if not cards), None)

    @property
    def to_beat(self) -> tuple[int, Reading] | None:
        """The move to beat and its seat, None if the seat to move leads."""
        if [said for _, said in self.play[-2:]] == ["pass", "pass"]:
            return None
        return next(((seat, said) for seat, said in reversed(self.play) if isinstance(said, Reading)), None)

    def legal(self) -> list[Said]:
        """Return all legal actions; slow with large hands."""
        if self.phase == "auction":
            return [*self._words()]
        if self.phase == "doubling":
            return ["pass", "double", *(["super double"] if self.rules["doubling"] == "super" else [])]
        if self.phase == "over":
            return []
        hand = self.hands[self.to_move]
        if self.to_beat is None:
            return [*leads(hand, self.rules)]
        return ["pass", *replies(hand, self.to_beat[1], self.rules)]

    def allows(self, said: Said) -> bool:
        """Return whether an action is legal now."""
        if isinstance(said, str) or self.phase != "play":
            return said == "pass" and self.to_beat is not None if self.phase == "play" else said in self.legal()
        cards = in_order(cards_of(said))
        if any(self.hands[self.to_move].count(card) < cards.count(card) for card in cards):
            return False
        possible = readings(cards, self.rules)
        return said in (possible if self.to_beat is None else replies(cards, self.to_beat[1], self.rules))

    def apply(self, said: Said) -> None:
        """Apply an action."""
        phase = self.phase
        if phase == "play":
            self.play.append((self.to_move, said))
        else:
            (self.auction if phase == "auction" else self.doubling).append((self.to_move, str(said)))

    def again(self) -> bool:
        """Return whether the cards have to be dealt again."""
        return self.given_up and self.rules["all-pass"] == "redeal" and self.redeals < 100

    def deal_again(self, dealt: Sequence[str], bottom: str, first: int) -> None:
        """Start the auction again with other cards."""
        self.dealt, self.bottom, self.first = dealt, bottom, first
        self.redeals += 1
        self.auction = []

    # payoffs

    def count(self, *categories: str) -> int:
        """Return the number of moves of some categories that were played."""
        return sum(isinstance(said, Reading) and said.category in categories for _, said in self.play)

    def _plays(self, seat: int) -> int:
        """Return the number of times a seat has played cards."""
        return sum(who == seat and said != "pass" for who, said in self.play)

    def multiplier(self) -> int:
        """Return the multiplier of the stake of a finished round, without the seats' own doubling."""
        assert self.landlord is not None
        factor = 2 ** sum(word == "rob" for _, word in self.auction)
        factor *= FACTORS[str(self.rules["bomb-doubling"])] ** self.count("bomb")
        factor *= FACTORS[str(self.rules["rocket-doubling"])] ** self.count("rocket")
        peasants = [seat for seat in range(3) if seat != self.landlord]
        if self.winner == self.landlord and not any(self._plays(seat) for seat in peasants):
            factor *= FACTORS[str(self.rules["spring"])]
        if self.winner != self.landlord and self._plays(self.landlord) == 1:
            factor *= FACTORS[str(self.rules["anti-spring"])]
        if any(self._plays(seat) == 0 for seat in range(3)):
            factor *= FACTORS[str(self.rules["shutout"])]
        return factor

    def returns(self) -> list[float]:
        """Return each seat's payoff."""
        payoffs = [0.0, 0.0, 0.0]
        if self.winner is None or self.landlord is None:
            return payoffs
        won = self.winner == self.landlord
        if self.rules["payoff"] != "points":
            lost = -1.0 if self.rules["payoff"] == "win-loss" else 0.0
            return [1.0 if (seat == self.landlord) == won else lost for seat in range(3)]
        factor_of = {"pass": 1, "double": 2, "super double": 4}
        factors = {seat: factor_of[word] for seat, word in self.doubling}
        for seat in range(3):
            if seat != self.landlord:
                factor = self.multiplier() * factors.get(seat, 1) * factors.get(self.landlord, 1)
                cap = int(str(self.rules["multiplier-cap"]))
                points = self.stake * (min(factor, cap) if cap else factor) * (1 if won else -1)
                payoffs[self.landlord] += points
                payoffs[seat] -= points
        return payoffs
