"""Scenarios of the move grammar: moves that exist under each rule set, and moves that beat each other."""

import pytest

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.moves import move_generation
from cardgames.doudizhu.moves.move_table import allowed_moves, move_from_id
from cardgames.doudizhu.notation import action_text, parse_action, readings
from cardgames.doudizhu.rules import BOOK, CLASSIC, JokerKickers, TrioKickers
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
    """Return the names of the rule sets under which some cards form a move."""
    ids = readings(hand_from_text(cards))
    return {name for name, rules in RULES.items() if set(ids) & set(MOVES[name]) and leads(rules, cards)}


MOVES = {name: frozenset(int(action) for action in allowed_moves(rules)) for name, rules in RULES.items()}


@pytest.mark.parametrize("cards", ["34567", "TJQKA", "3456789TJQKA", "334455", "333444", "KKKAAA", "3334445566"])
def test_moves_legal_under_all_rules(cards: str) -> None:
    assert legal_in(cards) == ALL


def test_solo_chain_has_five_ranks_without_twos_and_jokers() -> None:
    for cards in ("JQKA2", "23456", "A2345", "QKA2B", "3456", "3344", "KKAA22"):
        assert legal_in(cards) == set()


def test_trio_chain_excludes_twos() -> None:
    assert legal_in("333444") == ALL
    assert legal_in("AAA222") == set()


def test_both_jokers_are_rocket_and_not_pair() -> None:
    assert [reading_of(action).category for action in readings(hand_from_text("BR"))] == ["rocket"]
    assert legal_in("333BR") == set()


def test_two_equal_single_kickers() -> None:
    assert legal_in("33344455") == LIBERAL


def test_both_jokers_as_plane_kickers() -> None:
    assert legal_in("333444BR") == {"distinct", "douzero", "online"}
    assert legal_in("3334445557BR") == {"cql", "distinct", "douzero", "online"}


def test_three_equal_kickers_not_next_to_plane() -> None:
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
def test_four_trios_form_up_to_three_moves(preset: str, texts: set[str]) -> None:
    whole = [action for action in leads(BOOK.preset(preset), "333444555666") if move_from_id(action).form.size == 12]
    assert {action_text(action) for action in whole} == texts


def test_four_equal_kickers() -> None:
    assert legal_in("3334445556667777") == {"douzero", "online"}


def test_plane_needs_consecutive_trios_and_kickers_of_one_kind() -> None:
    assert legal_in("33355567") == set()
    assert legal_in("3334445567") == set()
    assert legal_in("3334445566") == ALL


def test_quad_with_two_equal_single_kickers() -> None:
    assert legal_in("444455") == {"rlcard", "douzero", "online"}


def test_quad_with_both_jokers() -> None:
    assert legal_in("4444BR") == {"distinct", "douzero", "online"}


def test_quad_with_two_pairs() -> None:
    assert legal_in("44445566") == ALL - {"openspiel"}
    assert legal_in("44445555") == {"online"}


@pytest.mark.parametrize(("value", "legal"), [("allowed", {"3334", "33344"}), ("solos", {"3334"}), ("none", set())])
def test_trio_kickers(value: str, legal: set[str]) -> None:
    rules = CLASSIC | TrioKickers(value)
    moves = set(map(int, allowed_moves(rules)))
    for cards in ("3334", "33344"):
        assert bool(set(readings(hand_from_text(cards))) & moves) == (cards in legal)
    for cards in ("333", "33344456", "333345"):  # trios, planes and quads are not concerned
        assert set(readings(hand_from_text(cards))) & moves
    assert (rules.hash == CLASSIC.hash) == (value == "allowed")


def beats(move: str, other: str) -> bool:
    """Return whether a move beats another, both as text."""
    return move_generation.beats(parse_action(move), parse_action(other))


def test_beats_ignores_kickers() -> None:
    assert beats("4443", "3332")
    assert not beats("333R", "4445")


def test_moves_of_different_kickers_or_lengths_do_not_beat_each_other() -> None:
    assert not beats("66677789", "3334445566")
    assert not beats("5556667788", "33344478")
    assert not beats("555666", "33344478")
    assert not beats("345678", "34567")


def test_quad_with_kickers_is_not_a_bomb() -> None:
    assert beats("3333", "2222AK")
    assert not beats("2222AK", "3333")
    assert beats("444456", "3333AK")


def test_higher_bomb_beats_bomb_and_rocket_beats_all() -> None:
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
def test_number_of_leads_of_landlord_in_table_2(preset: str, count: int) -> None:
    assert len(leads(RULES[preset], LANDLORD)) == count


def test_chain_may_break_a_bomb() -> None:
    for rules in RULES.values():
        assert parse_action("34567") in leads(rules, "33334567")


def test_plane_of_four_with_equal_kickers_is_beaten_by_higher_plane() -> None:
    last = parse_action("333444555666+7779")
    assert parse_action("444555666777+3338") in replies(BOOK.preset("douzero"), "4445556667773338", last)


def test_plane_compares_by_its_trios_and_not_by_kickers() -> None:
    last = parse_action("333444555AAA")
    for name in LIBERAL:
        assert parse_action("66677788899T") in replies(RULES[name], "66677788899T", last)


def test_parse_of_move_forbidden_by_rules_raises() -> None:
    classic: RuleSet = RULES["classic"]
    with pytest.raises(InvalidInput, match="'33344455' is not a move"):
        parse_action("33344455", classic)
