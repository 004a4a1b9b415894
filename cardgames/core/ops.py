"""The verbs every game answers. Each is a stub: a game registers its kernel for the type of its rules.

`rules` is a game's record of plain numbers, `state` its state record, `observation` a record of the same type in
which everything the viewer may not know is blank. A state record has a field `rng`, its random stream (`kernels.rng`).
Calling a verb from Python and from inside a kernel is the same.
"""

from typing import Any

import numpy as np

from cardgames.kernels.jit import njit
from cardgames.kernels.verb import verb, verb_with_default


@verb
def deal(rules: Any, state: Any, seed: Any) -> None:
    """Deal a new round into `state` from the random stream that starts at `seed` (uint64)."""


@verb
def current_player(rules: Any, state: Any) -> int:
    """Return the seat that decides now, -1 once the round is over."""


@verb
def legal_actions(rules: Any, state: Any, out: Any) -> int:
    """Write the legal action ids, ascending, into `out` (int32 [Game.most_legal]) and return how many there are: none once
    the round is over.
    """


@verb
def is_legal(rules: Any, state: Any, action: Any) -> bool:
    """Return whether `action` is legal now; none is once the round is over."""


@verb
def apply_action(rules: Any, state: Any, action: Any) -> None:
    """Play a legal `action`, changing `state` in place; chance comes from the state's own random stream."""


@verb
def is_terminal(rules: Any, state: Any) -> bool:
    """Return whether the round is over."""


@verb
def won(rules: Any, state: Any, seat: Any) -> bool:
    """Return whether `seat` won the round, alone or with partners; nobody has before its end, or in a void round."""


@verb
def role(rules: Any, state: Any, seat: Any) -> int:
    """Return which of `Game.roles` a seat has in this round, 0 where all seats are alike."""


@verb
def returns(rules: Any, state: Any, out: Any) -> None:
    """Write each seat's pay-off into `out` (float64 [players]); zeros before the end."""


@verb
def observe(rules: Any, state: Any, player: Any, out: Any) -> None:
    """Write into `out` what `player` may know of `state`; everything hidden is blank."""


@verb
def determinize(rules: Any, observation: Any, rng: Any, out: Any) -> None:
    """Fill `out` with a state in which a deal drawn uniformly from those the `observation` allows has come, its chance
    reseeded from `rng`.
    """


@verb
def policy(rules: Any, state: Any, policy_id: Any, weights: Any, rng: Any) -> int:
    """Return the action of the game's policy number `policy_id`, which looks at the mover's knowledge alone; `weights`
    (float32, flat) are its parameters, empty where it has none.
    """


@verb
def likelihood(rules: Any, state: Any, action: Any, policy_id: Any, weights: Any) -> float:
    """Return the probability that policy `policy_id` takes `action`: 0 for one that is not legal."""


@njit
def likelihoods_one_by_one(rules, state, actions, policy_id, weights, out):  # type: ignore[no-untyped-def]
    """Ask for the `likelihood` of one action after the other."""
    for i in range(len(actions)):
        out[i] = likelihood(rules, state, np.int64(actions[i]), policy_id, weights)


@verb_with_default(likelihoods_one_by_one)
def likelihoods(rules: Any, state: Any, actions: Any, policy_id: Any, weights: Any, out: Any) -> None:
    """Write the `likelihood` of each of some actions (int32 [n]) into `out` (float64 [n]).

    A game need not register it: they are asked for one by one then. It does where that takes many times as long.
    """


@verb
def utility(rules: Any, state: Any, player: Any) -> float:
    """Return how good a finished round is for `player`, in [0, 1]: what searches maximise."""


@verb
def evaluate_hand(rules: Any, state: Any, player: Any, action: Any, weights: Any) -> float:
    """Return by a rule of thumb how good what `player` holds is for him once he has taken `action` (-1: as it is).

    `weights` (float64) are those of `Game.expectimax`, in that order. Reads only what `player` may know.
    """


@verb
def chance_outcomes(rules: Any, observation: Any, action: Any, chain_id: Any, outcomes: Any, probs: Any) -> int:
    """Write what the player to move may find when he decides again after `action`, and return how many outcomes, one at
    least.

    Each is a record of the observation's type in `outcomes` [n], its probability in `probs` (float64 [n]); they sum to
    1. Everything others do and chance until then is folded in, by model number `chain_id` of `Game.expectimax`. An outcome
    may be the end of the round. `outcomes` has room for `Game.expectimax.max_outcomes`; its last place is scratch. Returns -1
    where the model has no answer. Reads only what the player to move may know.
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
    """Carry a particle over row `row` of `viewer`'s view of the events (int32 [n, 3]) and return its weight.

    The weight is 1 if the particle's hidden cards explain what was seen, else `mismatch_weight` (0 < mismatch_weight < 1); the
    particle is then mended with the smallest change that explains it. Rows may be looked ahead for what a hidden card
    turned out to be. If `policy_id` is the number of a policy (with its `weights`) and not -1, the weight is multiplied by
    how likely a player who mostly follows it was to take a decision with the particle's cards. Over an event of
    `Game.belief.reset_events` the particle is dealt anew, and its weight is then of all that happened until there.
    """


@verb
def project_particle(rules: Any, observation: Any, particle: Any, rng: Any, out: Any) -> None:
    """Fill `out` with a state the `observation` allows whose hidden hands are those of `particle` as far as they can
    be.
    """


@verb
def belief(rules: Any, particle: Any, player: Any, weight: Any, out: Any) -> None:
    """Add `weight` times the number of each kind in `player`'s hand to `out` (float64 [kinds])."""


@verb
def encode(rules: Any, state: Any, player: Any, encoding_id: Any, out: Any) -> int:
    """Write encoding number `encoding_id` of what `player` sees into `out` (int8, flat), overwriting all of it.

    Return the number of the renaming it is written under (`apply_symmetry`): 0 where nothing goes by another name.
    """


@verb
def encode_actions(rules: Any, state: Any, player: Any, encoding_id: Any, actions: Any, out: Any) -> bool:
    """Write, for each of `actions` that `player` may take now (int32 [n]), choice encoding number `encoding_id` of what he sees
    and of that action into a row of `out` (int8 [n, inputs]), overwriting all of it.

    Return whether that can be: False, and nothing is written, in a phase of the game that the encoding knows nothing of.
    """


@verb
def apply_symmetry(rules: Any, symmetry_id: Any, action: Any) -> int:
    """Return the id an action goes by under renaming number `symmetry_id`; `-naming` undoes what `symmetry_id` does, 0 nothing."""
