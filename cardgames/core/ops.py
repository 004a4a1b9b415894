"""Verbs: the functions that every game implements as kernels, such as `deal`, `legal_actions` and `apply_action`.

A verb is a function without a body in this file. Each game registers a compiled kernel (`kernels.jit.njit`) for it,
with `@ops.deal.register(UNO_RULES)`. A call runs the kernel registered for the dtype of its first argument, `rules`.
This works from Python and inside other kernels alike, so that a search written once compiles for every game
(`kernels.verb`).

Arguments that most verbs share:

- `rules`: the game's rules as a record of plain numbers, `Game.kernel_rules`.
- `state`: a round as a record of the dtype `Game.state_dtype`, hidden cards included. Its field `rng` is its random
  stream (`kernels.rng`), which only chance events (deals, draws) use.
- `observation`: a record of the same dtype that holds what one seat may know, with every hidden field blank. Verbs that
  read only what a player may know also accept it as `state`. (The whole information set, with the history, is
  `core.observation.Observation`.)
- `particle`: a state record with one guess of the hidden cards, as a particle filter has it.
- `player`, `seat`, `viewer`: a seat number from 0.
- `action`: an action id, an integer in [0, `Game.num_distinct_actions`).
- `policy_id`: the id of one of the game's policies, with `weights`, the parameters of that policy (float32 [n],
  empty if it has none). `Game.policies` maps the names of rule-based policies to ids; `Game.networks` has the id for
  networks.
- `encoding_id`: the id of one of the game's encodings. An encoding is a way to write what a seat sees as numbers,
  the inputs of a network; `Game.encodings` and `Game.action_encodings` map names to ids.
- `rng`: a record with a field `rng`, the random stream to draw from.
"""

from typing import Any

import numpy as np

from cardgames.kernels.jit import njit
from cardgames.kernels.verb import verb, verb_with_default


@verb
def deal(rules: Any, state: Any, seed: Any) -> None:
    """Deal a new round into `state`, whose random stream starts at `seed` (uint64)."""


@verb
def current_player(rules: Any, state: Any) -> int:
    """Return the seat to move, -1 once the round is over."""


@verb
def legal_actions(rules: Any, state: Any, out: Any) -> int:
    """Write the legal action ids in ascending order into `out` (int32 [`Game.max_legal_actions`]).

    Returns:
        The number of legal actions, 0 once the round is over.
    """


@verb
def is_legal(rules: Any, state: Any, action: Any) -> bool:
    """Return whether `action` is legal; False for every action once the round is over."""


@verb
def apply_action(rules: Any, state: Any, action: Any) -> None:
    """Play a legal `action`, changing `state` in place. Chance comes from the random stream of `state`."""


@verb
def is_terminal(rules: Any, state: Any) -> bool:
    """Return whether the round is over."""


@verb
def won(rules: Any, state: Any, seat: Any) -> bool:
    """Return whether `seat` won the round, alone or with partners; False before the end, or if the round is void."""


@verb
def role(rules: Any, state: Any, seat: Any) -> int:
    """Return the role of `seat` in this round as an index into `Game.roles`; 0 if the game has no roles."""


@verb
def returns(rules: Any, state: Any, out: Any) -> None:
    """Write the payoff of each seat into `out` (float64 [players]); zeros before the end of the round."""


@verb
def observe(rules: Any, state: Any, player: Any, out: Any) -> None:
    """Write into `out` what `player` sees of `state`: a copy of the record in which everything hidden from it is blank."""


@verb
def determinize(rules: Any, observation: Any, rng: Any, out: Any) -> None:
    """Fill `out` with a determinization: a state with hidden cards drawn uniformly from those the `observation` allows.

    The cards are drawn from the random stream `rng`. The own random stream of `out`, for later chance, starts at a number
    drawn from it too.
    """


@njit
def no_enumeration(rules, observation, out, weights):  # type: ignore[no-untyped-def]
    """Return -1: a game without a kernel for `enumerate_deals` enumerates no deals."""
    return -1


@verb_with_default(no_enumeration)
def enumerate_deals(rules: Any, observation: Any, out: Any, weights: Any) -> int:
    """Write every determinization that the `observation` allows into `out` (states [n]), if there are no more than n.

    `weights` (float64 [n]) gets the probability of each under `determinize`; they sum to 1. All later chance must be
    known too: searches solve such positions exactly.

    Returns:
        The number of determinizations, or -1 if there are more than n, or if the game does not enumerate them here.
    """


@verb
def policy(rules: Any, state: Any, policy_id: Any, weights: Any, rng: Any) -> int:
    """Return the id of the action that the policy `policy_id` with parameters `weights` chooses for the player to move.

    It uses only what that player may know, and draws from the random stream `rng`.
    """


@verb
def likelihood(rules: Any, state: Any, action: Any, policy_id: Any, weights: Any) -> float:
    """Return the probability that the policy `policy_id` with parameters `weights` chooses `action` for the player to move.

    0 for an illegal action.
    """


@njit
def likelihoods_one_by_one(rules, state, actions, policy_id, weights, out):  # type: ignore[no-untyped-def]
    """Write the policy's probability of each of `actions` into `out`, by one call of the verb `likelihood` for each."""
    for i in range(len(actions)):
        out[i] = likelihood(rules, state, np.int64(actions[i]), policy_id, weights)


@verb_with_default(likelihoods_one_by_one)
def likelihoods(rules: Any, state: Any, actions: Any, policy_id: Any, weights: Any, out: Any) -> None:
    """Write the probability that a policy chooses each of `actions` (int32 [n]) into `out` (float64 [n]).

    A game may leave out this verb; then `likelihood` is called for one action after the other. A game registers a kernel
    for it if that computes all probabilities together in much less time.
    """


@verb
def utility(rules: Any, state: Any, player: Any) -> float:
    """Return the value in [0, 1] of a finished round for `player`, which searches maximize unless `Game.pays_points`."""


@njit
def unit_stakes(rules, state, player):  # type: ignore[no-untyped-def]
    """Return -1 and 1, the payoffs of losing and winning in a game whose stakes never change."""
    return -1.0, 1.0


@verb_with_default(unit_stakes)
def stakes(rules: Any, state: Any, player: Any) -> tuple[float, float]:
    """Return the payoffs that `player` gets by losing and by winning at the present stakes: what is won or lost by now.

    Searches that maximize payoffs measure them by the stakes at the root, and turn a network's probability of winning
    into a payoff by the stakes of the leaf. A game registers a kernel for it if `Game.pays_points` can be true.
    """


@njit
def no_estimates(rules, observation, actions, out):  # type: ignore[no-untyped-def]
    """Return False: a game without a kernel for `estimate_payoffs` has no fitted model."""
    return False


@verb_with_default(no_estimates)
def estimate_payoffs(rules: Any, observation: Any, actions: Any, out: Any) -> bool:
    """Write the expected payoff of each of `actions` for the player to move into `out`, by the game's fitted model.

    Args:
        rules: Rules of the game.
        observation: Observation of the player to move, or state.
        actions: Legal actions (int32 [n]).
        out: Output: payoffs (float64 [n]).

    Returns:
        False, with nothing written, in positions without a fitted model; else True.
    """


@verb
def evaluate_hand(rules: Any, state: Any, player: Any, action: Any, weights: Any) -> float:
    """Return a heuristic value of the hand that `player` has after `action` (-1: of the current hand).

    It uses only what `player` may know. Expectimax evaluates its leaves by it.

    Args:
        rules: Rules of the game.
        state: State or observation.
        player: Seat whose hand is evaluated.
        action: Action that `player` takes first, -1 for none.
        weights: float64 [n], one weight for each entry of `Game.expectimax.evaluation_weights`, in that order.
    """


@verb
def chance_outcomes(rules: Any, observation: Any, action: Any, chance_model_id: Any, outcomes: Any, probs: Any) -> int:
    """Write the possible observations of the player to move at its next decision after `action`, with probabilities.

    A chance model sums up everything that chance and the other players do in between, so that expectimax has one chance
    node between two decisions of a player. An outcome may be the end of the round. Reads only what the player to
    move may know.

    Args:
        rules: Rules of the game.
        observation: Observation of the player to move.
        action: Legal action of that player.
        chance_model_id: Id of the chance model, a value of `Game.expectimax.chance_models`.
        outcomes: Output: observation records [`Game.expectimax.max_outcomes`]; the last one is working memory.
        probs: Output: probability of each outcome (float64, same length); they sum to 1.

    Returns:
        The number of outcomes, at least 1, or -1 if the model does not cover this position.
    """


@verb
def advance_particle(
    rules: Any,
    particle: Any,
    events: Any,
    row: Any,
    viewer: Any,
    mismatch_weight: Any,
    policy_id: Any,
    weights: Any,
    rng: Any,
) -> float:
    """Advance a particle over one event of the history and return the factor by which its weight changes.

    The factor is 1 if the particle's hidden cards are consistent with the event, else `mismatch_weight`; in that case
    the particle is repaired with the smallest change that makes it consistent. If a policy is given, the factor is
    also multiplied by the likelihood of the observed action, given the particle's cards, under a mixture of the policy and
    random play (`core.epsilon_mixture`). At an event of a kind in `Game.belief.reset_events` all hidden cards of the
    particle are drawn again; its weight from before no longer counts, and the factor is its whole new weight.

    Args:
        rules: Rules of the game.
        particle: State record, changed in place.
        events: History as `viewer` saw it (int32 [n, 3], `core.events.view`). The kernel may read later rows, which can
            reveal a hidden card.
        row: Index of the event in `events`.
        viewer: Seat whose view the events are.
        mismatch_weight: Factor for an inconsistent event, in (0, 1).
        policy_id: Id of the policy that the other players are assumed to follow, -1 for none.
        weights: Parameters of that policy.
        rng: Random stream for the repair.
    """


@verb
def project_particle(rules: Any, observation: Any, particle: Any, rng: Any, out: Any) -> None:
    """Fill `out` with a state that the `observation` allows, its hidden hands as close as possible to those of `particle`.

    The rest is drawn from the random stream `rng`.
    """


@verb
def accumulate_card_counts(rules: Any, particle: Any, player: Any, weight: Any, out: Any) -> None:
    """Add to `out` (float64, one entry per card face) `weight` times the number of such cards in the hand of `player`.

    `Game.belief.card_kinds` names the card faces. Called for every particle with its weight, this gives the expected hand.
    """


@njit
def no_certain_win(rules, observation, out):  # type: ignore[no-untyped-def]
    """Return 0: no certain win is found. For games without a search for one."""
    return np.int64(0)


@verb_with_default(no_certain_win)
def certain_win(rules: Any, observation: Any, out: Any) -> int:
    """Write actions of the player to move that win the round whatever the others hold, draw and do; return their number.

    They are that player's own next decisions in order, up to the end of the round. The others may decide in between,
    but nothing that they can do changes the result. A game may leave out this verb; then no certain win is found.

    Args:
        rules: Rules of the game.
        observation: Observation of the player to move. If it is a state, other hands count as unknown.
        out: Output: the actions (int32 [n]); sequences longer than n are not looked for.

    Returns:
        The number of actions written, 0 if no certain win is found. That there is none is certain only if the game says so.
    """


@verb
def encode(rules: Any, state: Any, player: Any, encoding_id: Any, out: Any) -> int:
    """Encode what `player` sees: overwrite `out` (int8 [inputs]) by the encoding `encoding_id` of `Game.encodings`.

    Returns:
        Id of the symmetry under which the position is encoded. `apply_symmetry` with it turns an action id of the game
        into the id that belongs to the encoded position. 0 if all these ids are equal.
    """


@verb
def encode_actions(rules: Any, state: Any, player: Any, encoding_id: Any, actions: Any, out: Any) -> bool:
    """Encode what `player` sees together with each of `actions`, by the encoding `encoding_id` of `Game.action_encodings`.

    Args:
        rules: Rules of the game.
        state: State or observation.
        player: Seat whose view is encoded.
        encoding_id: Id of the encoding.
        actions: Legal actions of `player` (int32 [n]).
        out: Output: one row for each action (int8 [n, inputs]), overwritten entirely.

    Returns:
        False, with nothing written, in a phase of the game that the encoding does not cover; else True.
    """


@verb
def apply_symmetry(rules: Any, symmetry_id: Any, action: Any) -> int:
    """Return the id of the action that `action` becomes under the symmetry `symmetry_id` of the game.


    A symmetry exchanges things that the rules treat alike, such as colors, without changing the game (`core.symmetry`).
    0 is the identity, `-symmetry_id` the inverse.
    """


@njit
def seats_equal(rules, state, seat, other):  # type: ignore[no-untyped-def]
    """Return whether two seats are the same: each plays for itself."""
    return seat == other


@verb_with_default(seats_equal)
def same_side(rules: Any, state: Any, seat: Any, other: Any) -> bool:
    """Return whether two seats win and lose together in this round.

    A game without partners may leave out this verb; then every seat plays for itself.
    """


@njit
def no_hash(rules, state, objective):  # type: ignore[no-untyped-def]
    """Return 0, which stands for a state without a hash."""
    return np.uint64(0)


@verb_with_default(no_hash)
def state_hash(rules: Any, state: Any, objective: Any) -> int:
    """Return a 64-bit hash (uint64) of all that decides how a round can go on and end, and of nothing else; 0 for none.

    States with the same hash count as the same state in the exact solver (`search.exact`), so what only tells how a
    state came about should not be part of it. A game may leave out this verb; then the solver recognizes no state.

    Args:
        rules: Rules of the game.
        state: State.
        objective: 0 if only the winner matters, 1 if the payoffs do (`search.exact.solver_memory.OBJECTIVES`).
    """


@njit
def equal_priorities(rules, state, actions, out):  # type: ignore[no-untyped-def]
    """Write the priority 0 for every action into `out`."""
    for i in range(len(actions)):
        out[i] = 0


@verb_with_default(equal_priorities)
def action_priorities(rules: Any, state: Any, actions: Any, out: Any) -> None:
    """Write a priority for each of the legal `actions` (int32 [n]) into `out` (int64 [n], in (-2^31, 2^31)).

    The exact solver tries actions of greater priority first, and is fast if they decide the game. A game may leave out
    this verb; then all priorities are equal.
    """


@njit
def never(rules, state, action):  # type: ignore[no-untyped-def]
    """Return False: no action is known to win at once."""
    return False


@verb_with_default(never)
def wins_at_once(rules: Any, state: Any, action: Any) -> bool:
    """Return whether a legal action ends the round with a win of the seat to move, whatever chance does.

    The exact solver saves time by it. False is always allowed; a game may leave out this verb.
    """


@njit
def no_payoff_bounds(rules, state, player, out):  # type: ignore[no-untyped-def]
    """Write minus and plus infinity into `out`."""
    out[0], out[1] = -np.inf, np.inf


@verb_with_default(no_payoff_bounds)
def payoff_bounds(rules: Any, state: Any, player: Any, out: Any) -> None:
    """Write bounds into `out` (float64 [2]): at least and at most what `player` can be paid at the end of the round.

    The tighter they are, the faster the exact solver finds payoffs. A game may leave out this verb.
    """


@njit
def keep_chance(rules, state):  # type: ignore[no-untyped-def]
    """Leave the state as it is."""


@verb_with_default(keep_chance)
def fix_chance(rules: Any, state: Any) -> None:
    """Fix future chance events in `state`, such as the order of a draw pile, as its random stream would decide them.

    Actions whose chance events are fixed no longer use the random stream. A game may leave out this verb; then all
    chance events use the stream.
    """
