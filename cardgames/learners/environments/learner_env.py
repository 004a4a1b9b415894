"""Tables a learner plays at, inside one kernel: every call plays each table on to the next decision of the learner, or of an
agent that no kernel can ask.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.vector_env import has_winner
from cardgames.kernels import masks
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.kernels.rng import below, next_word, uniform
from cardgames.learners.memory.batch_sampling import draw_index

MAX_SEATS = 10
FIRST, ANY, ALL = range(3)
"""Which seats the learner has: the first, one drawn for every round, or all."""
LEARNER = -1
PAST = -1
PYTHON_OPPONENT = -1
"""Instead of a policy's number: an agent decides, which no kernel can ask."""
NO_OPPONENT = -1
NEW, OVER = -2, -1

TABLE = record_type(
    __name__,
    "TABLE",
    [
        ("rng", "u8"),  # all chance: deals, seats, the others' choices, exploring
        ("game_index", "i8"),  # which of the games is played
        ("seat", "i8"),  # to move, the learner's or a guest's; NEW before the first round, OVER after the last
        ("pending_opponent", "i8"),  # the row of the agent that is to move, or NOBODY: the learner is
        ("naming", "i8"),  # the renaming by which its inputs and actions are told (verb `apply_symmetry`)
        ("deal_seed", "u8"),  # the seed of the deal
        ("steps", "i8"),  # actions taken in this round, by all
        ("rounds_left", "i8"),  # rounds still to be dealt, below 0 without end
        ("rows", "i8", (MAX_SEATS,)),  # each seat's policy, or LEARNER
        ("decisions", "i8", (MAX_SEATS,)),  # so many each of the learner's seats has taken in this round
    ],
)
"""One table, beside the state of its round."""

TALLY = record_type(
    __name__, "TALLY", [("rounds", "i8"), ("wins", "i8"), ("voids", "i8"), ("paid", "f8"), ("decisions", "i8")]
)
"""What is counted, over the learner's seats."""


class Others(NamedTuple):
    """Whom the learner's seats may meet at the others."""

    policy_id: NDArray[np.int64]
    """[rows] the policies' numbers for the verb `policy`, or ASKED; the learner's past selves come last."""
    weights: NDArray[np.float32]
    """[rows, most] their parameters."""
    shares: NDArray[np.float64]
    """[names] cumulated, of a mixture."""
    rows: NDArray[np.int64]
    """[games, names] the row of each policy of the mixture, or PAST."""
    past: int
    """The first row of the past selves."""
    num_past: int
    """How many there are."""
    default_policy: int
    """The row of the policy that decides where the learner's network has no answer, or nobody can be asked."""


class View(NamedTuple):
    """What the learner's seats that are to move know."""

    observations: NDArray[np.int8]
    """[tables, inputs]"""
    legal: NDArray[np.uint64]
    """[tables, words] sets of actions (`kernels.masks`)."""
    remarks: NDArray[np.float32]
    """[tables, remarks] what is to be remembered beside their decisions."""


class Decisions(NamedTuple):
    """What was decided in rounds that are not over, the last of each seat's."""

    observations: NDArray[np.int8]
    """[tables, slots, longest, inputs]"""
    legal: NDArray[np.uint64]
    """[tables, slots, longest, words]"""
    actions: NDArray[np.int64]
    """[tables, slots, longest]"""
    remarks: NDArray[np.float32]
    """[tables, slots, longest, remarks]"""


class Options(NamedTuple):
    """How the learner plays and is rewarded."""

    encoding: int
    outputs: int
    seating: int
    """FIRST, ANY or ALL."""
    rewards_wins: bool
    """Rewards are 1 and -1, not what rounds pay."""
    void_reward: float
    """What a void round is worth then."""
    discount: float
    include_forced: bool
    """Decisions without a choice are the learner's too."""


class Counts(NamedTuple):
    """What comes of rounds."""

    tally: Any
    """(`TALLY`)"""
    paid: NDArray[np.float64]
    """[MAX_SEATS] what the last round paid; written over."""


@njit
def choose_all(q, legal, tables, at, epsilon, actions):
    """Write the learner's action at each of the tables `at` into `actions`: a random legal one with chance `epsilon`
    (float64 [n]), else the one of greatest `q` (float32 [n, actions]).
    """
    for i in range(len(at)):
        table, mask = tables[at[i]], legal[at[i]]
        if epsilon[i] > 0.0 and uniform(table) < epsilon[i]:
            actions[i] = masks.nth(mask, below(table, masks.size(mask)))
        else:
            actions[i] = masks.argmax(q[i], mask)


@njit
def _draw_opponent(table, others):
    """Return the policy of one seat: one of the mixture, or one of the learner's past selves."""
    row = others.rows[table.game_index, draw_index(table, others.shares)]
    return others.past + below(table, others.num_past) if row == PAST else row


@njit
def _seat_players(table, players, seating, others):
    table.game_index = below(table, len(players))
    n = players[table.game_index]
    learner_seat = below(table, n) if seating == ANY else 0
    for seat in range(MAX_SEATS):
        table.decisions[seat] = 0
    for seat in range(n):
        if seating == ALL or seat == learner_seat:
            table.rows[seat] = LEARNER
        else:
            table.rows[seat] = _draw_opponent(table, others)
    table.deal_seed, table.steps = next_word(table), 0


@njit
def _slot(seat, decisions):
    """Return where a seat's decisions are kept; a learner of one seat a table has one place for them."""
    return seat if decisions.actions.shape[1] > 1 else 0


@njit
def _record_decision(table, t, action, view, decisions):
    """Append a decision to the running round of the learner's seat that takes it; the last `max_decisions` are kept."""
    slot = _slot(table.seat, decisions)
    i = table.decisions[table.seat] % decisions.actions.shape[2]
    copy_row(decisions.observations[t, slot, i], view.observations[t])
    copy_row(decisions.legal[t, slot, i], view.legal[t])
    copy_row(decisions.remarks[t, slot, i], view.remarks[t])
    decisions.actions[t, slot, i] = action
    table.decisions[table.seat] += 1


@njit
def _write_decisions(decisions, t, slot, n, reward, discount, memory):
    """Append the `n` decisions of one seat, whose round paid `reward`, to a memory."""
    (observations, legal, actions, rewards, last, returns, remarks), cursor = memory
    capacity, max_decisions = len(actions), decisions.actions.shape[2]
    for number in range(max(0, n - max_decisions), n):
        row, i = cursor[0] % capacity, number % max_decisions
        copy_row(observations[row], decisions.observations[t, slot, i])
        copy_row(legal[row], decisions.legal[t, slot, i])
        copy_row(remarks[row], decisions.remarks[t, slot, i])
        actions[row], last[row], rewards[row] = decisions.actions[t, slot, i], number == n - 1, 0.0
        returns[row] = reward * discount ** (n - 1 - number)
        cursor[0] += 1
    rewards[(cursor[0] - 1) % capacity] = reward


@njit
def _reward(rules, state, seat, options, paid, decided):
    if options.rewards_wins:
        return options.void_reward if not decided else 1.0 if ops.won(rules, state, seat) else -1.0
    return paid[seat]


@njit
def _finish_round(rules, state, table, t, seats, options, decisions, memory, counts):
    """Count a finished round and write what the learner decided in it to the memory."""
    tally, paid = counts
    ops.returns(rules, state, paid[:seats])
    decided = has_winner(rules, state, seats)
    for seat in range(seats):
        if table.rows[seat] == LEARNER:
            n = table.decisions[seat]
            if n > 0:
                reward = _reward(rules, state, seat, options, paid, decided)
                _write_decisions(decisions, t, _slot(seat, decisions), n, reward, options.discount, memory)
            tally.wins += ops.won(rules, state, seat)
            tally.paid += paid[seat]
            tally.decisions += n
    tally.rounds += 1
    tally.voids += not decided


@njit
def _encode_legal(rules, state, naming, room, legal, outputs):
    """Write the legal actions below `outputs`, renamed, into the set `legal` and return how many there are."""
    legal[:] = np.uint64(0)
    known = 0
    for i in range(ops.legal_actions(rules, state, room)):
        if room[i] < outputs:
            masks.insert(legal, ops.apply_symmetry(rules, naming, np.int64(room[i])))
            known += 1
    return known


@njit
def _apply_action(rules, state, table, action_history, action):
    """Take an action, and note it where agents will have to be told."""
    if table.steps < len(action_history):
        action_history[table.steps] = action
    table.steps += 1
    ops.apply_action(rules, state, action)


@njit
def _next_round(rules, players, state, table, seating, others):
    """Deal another round and return True; or close the table, if it was the last one."""
    if table.rounds_left == 0:
        table.seat = OVER
        return False
    table.rounds_left -= 1
    _seat_players(table, players, seating, others)
    ops.deal(rules[table.game_index], state, table.deal_seed)
    return True


@njit
def _observe(rules, state, table, seat, options, seen, legal, room):
    """Write what the learner's seat knows into `seen` and `legal`; return whether its network tells of a legal action."""
    naming = ops.encode(rules, state, seat, options.encoding, seen)
    if _encode_legal(rules, state, naming, room, legal, options.outputs) == 0:
        return False
    table.seat, table.naming = seat, naming
    return True


@njit
def play_until_decision(
    actions, at, rules, players, states, tables, action_history, view, decisions, memory, others, options, counts, room
):
    """Take `actions` (int64 [n]) at the tables `at` (int64 [n]) and play each on until the learner or an agent is to decide.

    See `Collector`, which owns the arrays.
    """
    # what is still written out here is dear to hand on: a kernel counts the references of all arrays it is passed
    for i in range(len(at)):
        t = at[i]
        table, state = tables[t], states[t]
        playing = table.seat >= 0
        if playing:
            action = actions[i]
            if table.pending_opponent == NO_OPPONENT:
                _record_decision(table, t, action, view, decisions)
                action = ops.apply_symmetry(rules[table.game_index], -table.naming, action)
            table.pending_opponent = NO_OPPONENT
            _apply_action(rules[table.game_index], state, table, action_history[t], action)
        else:
            playing = _next_round(rules, players, state, table, options.seating, others)
        while playing:
            game_rules = rules[table.game_index]
            if ops.is_terminal(game_rules, state):
                _finish_round(
                    game_rules, state, table, t, players[table.game_index], options, decisions, memory, counts
                )
                playing = _next_round(rules, players, state, table, options.seating, others)
                continue
            seat = ops.current_player(game_rules, state)
            row = table.rows[seat]
            if row == LEARNER:
                if not options.include_forced and ops.legal_actions(game_rules, state, room) == 1:
                    _apply_action(game_rules, state, table, action_history[t], np.int64(room[0]))
                    continue
                if _observe(game_rules, state, table, seat, options, view.observations[t], view.legal[t], room):
                    break
                row = others.default_policy
            elif others.policy_id[row] == PYTHON_OPPONENT:
                if table.steps < action_history.shape[1]:
                    table.seat, table.pending_opponent = seat, row
                    break
                row = others.default_policy
            _apply_action(
                game_rules,
                state,
                table,
                action_history[t],
                ops.policy(game_rules, state, others.policy_id[row], others.weights[row], table),
            )
