"""Scenarios of the move grammar by name: which moves there are under which rules, and which beats which."""

import pytest

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.moves import move_generation
from cardgames.doudizhu.moves.move_table import allowed_moves, move_from_id
from cardgames.doudizhu.notation import action_text, parse_action, readings
from cardgames.doudizhu.rules import BOOK, CLASSIC, JokerKickers
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import leads, reading_of, replies

DISTINCT = CLASSIC | JokerKickers("allowed")
"""Kickers of different ranks, both jokers allowed."""
RULES = {**BOOK.presets, "distinct": DISTINCT}
ALL = frozenset(RULES)
LIBERAL = frozenset({"rlcard", "openspiel", "douzero", "online"})

LANDLORD = "34444566789TJQQAAA22"
"""The landlord's hand in table 2 of paper 004."""


def legal_in(cards: str) -> set[str]:
    """The rule sets under which some cards are a move, in whatever reading."""
    ids = readings(hand_from_text(cards))
    return {name for name, rules in RULES.items() if set(ids) & set(MOVES[name]) and leads(rules, cards)}


MOVES = {name: frozenset(int(action) for action in allowed_moves(rules)) for name, rules in RULES.items()}


@pytest.mark.parametrize("cards", ["34567", "TJQKA", "3456789TJQKA", "334455", "333444", "KKKAAA", "3334445566"])
def test_moves_everywhere(cards: str) -> None:
    assert legal_in(cards) == ALL


def test_d2_chains_have_five_ranks_and_neither_twos_nor_jokers() -> None:
    for cards in ("JQKA2", "23456", "A2345", "QKA2B", "3456", "3344", "KKAA22"):
        assert legal_in(cards) == set()


def test_d4_trios_of_aces_and_twos_are_no_chain() -> None:
    assert legal_in("333444") == ALL
    assert legal_in("AAA222") == set()


def test_d5_the_jokers_are_the_rocket_and_no_pair() -> None:
    assert [reading_of(action).category for action in readings(hand_from_text("BR"))] == ["rocket"]
    assert legal_in("333BR") == set()


def test_d7_two_single_kickers_of_one_rank() -> None:
    assert legal_in("33344455") == LIBERAL


def test_d8_both_jokers_as_kickers() -> None:
    assert legal_in("333444BR") == {"distinct", "douzero", "online"}
    assert legal_in("3334445557BR") == {"cql", "distinct", "douzero", "online"}


def test_d10_three_equal_kickers_apart_from_the_plane() -> None:
    assert legal_in("333444555777") == LIBERAL
    (action,) = readings(hand_from_text("333444555777"))
    move = move_from_id(action)
    assert (move.form.name, move.form.length, reading_of(action).main) == ("plane+solos", 3, "333444555")


@pytest.mark.parametrize(
    ("preset", "texts"),
    [
        ("rlcard", {"333444555666"}),
        ("classic", {"333444555666"}),
        ("openspiel", {"333444555666", "333444555+666", "444555666+333"}),
        ("online", {"333444555666", "333444555+666", "444555666+333"}),
    ],
)
def test_d11_four_trios_have_up_to_three_readings(preset: str, texts: set[str]) -> None:
    whole = [action for action in leads(BOOK.preset(preset), "333444555666") if move_from_id(action).form.size == 12]
    assert {action_text(action) for action in whole} == texts


def test_d13_four_equal_kickers() -> None:
    assert legal_in("3334445556667777") == {"douzero", "online"}


def test_d14_trios_apart_and_mixed_kickers_are_no_planes() -> None:
    assert legal_in("33355567") == set()
    assert legal_in("3334445567") == set()
    assert legal_in("3334445566") == ALL


def test_d16_a_quad_with_two_singles_of_one_rank() -> None:
    assert legal_in("444455") == {"rlcard", "douzero", "online"}


def test_d17_a_quad_with_both_jokers() -> None:
    assert legal_in("4444BR") == {"distinct", "douzero", "online"}


def test_d19_a_quad_with_two_pairs() -> None:
    assert legal_in("44445566") == ALL - {"openspiel"}
    assert legal_in("44445555") == {"online"}


def beats(move: str, other: str) -> bool:
    """Whether a move beats another."""
    return move_generation.beats(parse_action(move), parse_action(other))


def test_d20_kickers_do_not_count() -> None:
    assert beats("4443", "3332")
    assert not beats("333R", "4445")


def test_d22_other_kickers_or_lengths_do_not_compare() -> None:
    assert not beats("66677789", "3334445566")
    assert not beats("5556667788", "33344478")
    assert not beats("555666", "33344478")
    assert not beats("345678", "34567")


def test_d23_a_quad_with_kickers_is_no_bomb() -> None:
    assert beats("3333", "2222AK")
    assert not beats("2222AK", "3333")
    assert beats("444456", "3333AK")


def test_d25_bombs_and_the_rocket() -> None:
    assert beats("4444", "3333")
    assert beats("BR", "2222")
    assert not beats("2222", "BR")
    assert all(replies(rules, "3333444422", parse_action("BR")) == [] for rules in RULES.values())


@pytest.mark.parametrize(
    ("preset", "count"),
    [
        *((name, 132) for name in ("classic", "cql", "distinct")),
        *((name, 136) for name in ("rlcard", "douzero", "online")),
        ("openspiel", 71),
    ],
)
def test_d32_leads_of_the_landlord_in_table_2(preset: str, count: int) -> None:
    assert len(leads(RULES[preset], LANDLORD)) == count


def test_d44_a_chain_may_break_a_bomb() -> None:
    for rules in RULES.values():
        assert parse_action("34567") in leads(rules, "33334567")


def test_d46_a_plane_of_four_with_equal_kickers_can_be_beaten_by_a_higher_one() -> None:
    last = parse_action("333444555666+7779")
    assert parse_action("444555666777+3338") in replies(BOOK.preset("douzero"), "4445556667773338", last)


def test_d47_a_plane_is_ranked_by_its_chain_and_not_by_a_trio_of_kickers() -> None:
    last = parse_action("333444555AAA")
    for name in LIBERAL:
        assert parse_action("66677788899T") in replies(RULES[name], "66677788899T", last)


def test_a_move_that_rules_lack_is_refused_by_name() -> None:
    classic: RuleSet = RULES["classic"]
    with pytest.raises(InvalidInput, match="'33344455' is no move"):
        parse_action("33344455", classic)
