"""Tests of the `DouDiZhu` game class: conformance, records, decks, seatings, roles."""

import pathlib
import random

import pytest

import cardgames
from cardgames.core.conformance import check_game
from cardgames.doudizhu.game import DouDiZhu
from cardgames.records.record import read, replay, state_at
from cardgames.records.recorder import Recorder
from cardgames.support.errors import InvalidInput
from tests.differences import assert_same_round
from tests.doudizhu.hand_helpers import PRESETS, choose_rules
from tests.doudizhu.rounds import random_playthrough


@pytest.mark.parametrize("preset", PRESETS)
def test_game_conforms_under_presets(preset: str) -> None:
    check_game(DouDiZhu(rules=preset), games=2)


def test_game_conforms_under_random_rules() -> None:
    for seed in range(8):
        check_game(DouDiZhu(rules=choose_rules(random.Random(seed).choice)), games=1, seed=seed)


@pytest.mark.parametrize("preset", PRESETS)
def test_replay_of_record_gives_same_states(tmp_path: pathlib.Path, preset: str) -> None:
    game, path, ends = DouDiZhu(rules=preset), tmp_path / "game.jsonl", []
    with Recorder(path, game, ["ann", "bob", "cyd"], 7) as recorder:
        for seed in range(4):
            state, chance = game.new_initial_state(seed=seed), random.Random(seed)
            recorder.begin(state)
            while not state.is_terminal():
                # in the first round all seats pass until it has been dealt again three times
                again = seed == 0 and state.record.phase == 0 and state.record.redeals < 3
                action = state.legal_actions()[0] if again else chance.choice(state.legal_actions())
                state.apply_action(action)
                recorder.step(state, action)
            recorder.end(state)
            ends.append(state)
    for number, (written, end) in enumerate(zip(read(path), ends, strict=True)):
        assert_same_round(replay(written), end, f"{path.name}, round {number}")
        assert written.game.rules == game.rules
    assert state_at(path, 5, 1).to_dict()["decisions"] == 5


def test_deck_of_set_up_position_has_all_cards() -> None:
    state = DouDiZhu().position(hands=["34567J", "88Q", 3], landlord=0, bottom="355")
    read_back = state.game.from_dict(state.to_dict())
    assert state.game.deck_of(read_back) == state.game.deck_of(state)
    assert sorted(state.game.deck_of(state)) == sorted("3456789TJQKA2" * 4 + "BR")


def test_same_seed_deals_same_cards_under_all_rules() -> None:
    """Rules of the play do not change the cards dealt, the seat that acts first, or later chance."""
    decks, chance = set(), set()
    for preset in PRESETS:
        state = DouDiZhu(rules=preset).new_initial_state(seed=5)
        decks.add("".join(sorted(state.game.deck_of(state)[-3:])))
        chance.add(int(state.record.rng))
    assert len(decks) == len(chance) == 1


def test_illegal_action_error_lists_legal_actions() -> None:
    state = DouDiZhu().new_initial_state(seed=1)
    with pytest.raises(InvalidInput, match=r"super double is not legal now: choose from pass, bid 1, bid 2, bid 3$"):
        state.apply_action(7)
    with pytest.raises(InvalidInput, match=r"9 is not legal now: choose from"):
        state.apply_action(9)  # no action has this number
    state = DouDiZhu(rules="rlcard").new_initial_state(seed=1)
    with pytest.raises(InvalidInput, match=r"pass is not legal now: choose from .* and \d+ more$"):
        state.apply_action(0)


@pytest.mark.parametrize(("text", "action"), [("PASS", 0), ("bid  2", 2), ("call", 4), ("super double", 7)])
def test_parse_action_ignores_case_and_spaces(text: str, action: int) -> None:
    assert DouDiZhu().parse_action(text) == action


def test_seatings_of_two_agents_alternate_sides() -> None:
    assert DouDiZhu(rules="rlcard").seatings(2).tolist() == [[0, 1, 1], [1, 0, 0]]
    seats = DouDiZhu().seatings(2)
    assert len(seats) == 6 and (seats.sum(axis=0) == 3).all() and set(seats.sum(axis=1)) == {1, 2}
    with pytest.raises(InvalidInput, match="doudizhu takes 2 or 3 agents, not 4"):
        DouDiZhu().seatings(4)


@pytest.mark.parametrize("rules", ["rlcard", "classic"])
def test_match_counts_games_by_role(rules: str) -> None:
    game = DouDiZhu(rules=rules)
    result = cardgames.play_match(game, ["random", "random"], games=60, seed=1)
    first, second = result.agents
    if rules == "rlcard":  # where the auction decides, an agent may sit on both sides
        assert first.wins + second.wins == result.games
    assert [role.name for role in first.roles] == ["landlord", "peasant down", "peasant up"]
    assert sum(role.games for role in first.roles) + sum(role.games for role in second.roles) == 3 * result.games


def test_peasants_win_together() -> None:
    for state in random_playthrough(DouDiZhu(rules="rlcard").new_initial_state(seed=4), random.Random(4)):
        winners = state.winners()
        assert winners == [] or (state.is_terminal() and winners in ([0], [1, 2]))
