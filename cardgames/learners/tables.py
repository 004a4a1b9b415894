"""Tables a learner plays at, inside one kernel: every call plays each table on to the learner's next decision."""

import numpy as np

from cardgames.core import masks, ops
from cardgames.core.jit import njit
from cardgames.core.rng import below, next_word, uniform
from cardgames.core.vector import is_decided
from cardgames.learners.draws import draw_share

MAX_SEATS = 10
FIRST, ANY, ALL = range(3)
"""Which seats the learner has: the first, one drawn for every round, or all."""
LEARNER = -1
PAST = -1
NEW, OVER = -2, -1

TABLE = np.dtype(
    (
        np.record,
        [
            ("rng", "u8"),  # all chance: deals, seats, the others' choices, exploring
            ("kind", "i8"),  # which of the games is played
            ("seat", "i8"),  # the learner's seat that is to move; NEW before the first round, OVER after the last
            ("naming", "i8"),  # the renaming by which its inputs and actions are told (verb `renamed`)
            ("left", "i8"),  # rounds still to be dealt, below 0 without end
            ("rows", "i8", (MAX_SEATS,)),  # each seat's policy, or LEARNER
            ("decisions", "i8", (MAX_SEATS,)),  # so many each of the learner's seats has taken in this round
        ],
    )
)
"""One table, beside the state of its round."""

TALLY = np.dtype((np.record, [("rounds", "i8"), ("wins", "i8"), ("voids", "i8"), ("paid", "f8"), ("decisions", "i8")]))
"""What is counted, over the learner's seats."""


@njit
def choose_all(q, legal, tables, at, epsilon, actions):
    """Write the learner's action at each of the tables `at` into `actions`: a random legal one with chance `epsilon`, else
    the one of greatest `q` (float32 [n, actions]).
    """
    for i in range(len(at)):
        table, mask = tables[at[i]], legal[at[i]]
        if epsilon > 0.0 and uniform(table) < epsilon:
            actions[i] = masks.nth(mask, below(table, masks.size(mask)))
        else:
            actions[i] = masks.best(q[i], mask)


@njit
def _draw_row(table, shares, rows, past, n_past):
    """Return the policy of one seat: one of the mixture, or one of the learner's past selves."""
    row = rows[table.kind, draw_share(table, shares)]
    return past + below(table, n_past) if row == PAST else row


@njit
def _sit_down(table, players, seating, shares, rows, past, n_past):
    table.kind = below(table, len(players))
    n = players[table.kind]
    mine = below(table, n) if seating == ANY else 0
    for seat in range(MAX_SEATS):
        table.decisions[seat] = 0
    for seat in range(n):
        if seating == ALL or seat == mine:
            table.rows[seat] = LEARNER
        else:
            table.rows[seat] = _draw_row(table, shares, rows, past, n_past)


@njit
def _note(table, slot, action, observation, legal, remark, seen, could, did, said):
    """Append a decision to the running round of the learner's seat that takes it; the last `len(did)` are kept."""
    i = table.decisions[table.seat] % len(did[slot])
    seen[slot, i], could[slot, i], did[slot, i], said[slot, i] = observation, legal, action, remark
    table.decisions[table.seat] += 1


@njit
def _write(seen, could, did, said, n, reward, discount, columns, cursor):
    """Append the `n` decisions of one seat, whose round paid `reward`, to a memory."""
    observations, legal, actions, rewards, last, returns, remarks = columns
    capacity, longest = len(actions), len(did)
    for number in range(max(0, n - longest), n):
        row, i = cursor[0] % capacity, number % longest
        observations[row], legal[row], actions[row], remarks[row] = seen[i], could[i], did[i], said[i]
        last[row], rewards[row] = number == n - 1, 0.0
        returns[row] = reward * discount ** (n - 1 - number)
        cursor[0] += 1
    rewards[(cursor[0] - 1) % capacity] = reward


@njit
def _reward(rules, state, seat, paid, how, decided):
    by_wins, void = how
    if by_wins:
        return void if not decided else 1.0 if ops.won(rules, state, seat) else -1.0
    return paid[seat]


@njit
def _finish(rules, state, table, seats, how, discount, running, memory, tally, paid):
    """Count a finished round and write what the learner decided in it to the memory."""
    seen, could, did, said = running
    columns, cursor = memory
    ops.returns(rules, state, paid[:seats])
    decided = is_decided(rules, state, seats)
    for seat in range(seats):
        if table.rows[seat] == LEARNER:
            n, slot = table.decisions[seat], seat if len(did) > 1 else 0
            if n > 0:
                reward = _reward(rules, state, seat, paid, how, decided)
                _write(seen[slot], could[slot], did[slot], said[slot], n, reward, discount, columns, cursor)
            tally.wins += ops.won(rules, state, seat)
            tally.paid += paid[seat]
            tally.decisions += n
    tally.rounds += 1
    tally.voids += not decided


@njit
def _list_legal(rules, state, naming, room, legal, outputs):
    """Write the legal actions below `outputs`, renamed, into the set `legal` and return how many there are."""
    legal[:] = np.uint64(0)
    known = 0
    for i in range(ops.legal_actions(rules, state, room)):
        if room[i] < outputs:
            masks.insert(legal, ops.renamed(rules, naming, np.int64(room[i])))
            known += 1
    return known


@njit
def play_on(
    actions,
    at,
    rules,
    players,
    states,
    tables,
    observations,
    legal,
    remarks,
    running,
    memory,
    which,
    weights,
    shares,
    rows,
    past,
    n_past,
    pacemaker,
    options,
    tally,
    room,
    paid,
):
    """Take `actions` (int64 [n]) at the tables `at` (int64 [n]) and play each on until the learner is to decide again.

    See `Collector`, which owns the arrays. `options` are encoding, outputs, seating, whether rewards are wins and
    what a void round pays then, discount and whether decisions without a choice are the learner's.
    """
    encoding, outputs, seating, how, discount, forced = options
    seen, could, did, said = running
    for i in range(len(at)):
        t = at[i]
        table, state = tables[t], states[t]
        mine = seen[t], could[t], did[t], said[t]
        dealt = table.seat >= 0
        if dealt:
            slot = table.seat if did.shape[1] > 1 else 0
            _note(table, slot, actions[i], observations[t], legal[t], remarks[t], *mine)
            ops.apply_action(rules[table.kind], state, ops.renamed(rules[table.kind], -table.naming, actions[i]))
        while True:
            if dealt and ops.is_terminal(rules[table.kind], state):
                seats = players[table.kind]
                _finish(rules[table.kind], state, table, seats, how, discount, mine, memory, tally, paid)
                dealt = False
            if not dealt:
                if table.left == 0:
                    table.seat = OVER
                    break
                table.left -= 1
                _sit_down(table, players, seating, shares, rows, past, n_past)
                ops.deal(rules[table.kind], state, next_word(table))
                dealt = True
                continue
            seat = ops.current_player(rules[table.kind], state)
            row = table.rows[seat]
            if row == LEARNER:
                if not forced and ops.legal_actions(rules[table.kind], state, room) == 1:
                    ops.apply_action(rules[table.kind], state, np.int64(room[0]))
                    continue
                naming = ops.encode(rules[table.kind], state, seat, encoding, observations[t])
                if _list_legal(rules[table.kind], state, naming, room, legal[t], outputs) > 0:
                    table.seat, table.naming = seat, naming
                    break
                row = pacemaker
            ops.apply_action(
                rules[table.kind],
                state,
                ops.policy(rules[table.kind], state, which[row], weights[row], table),
            )
