"""Kernels of the particle filter over hidden cards (paper 001, 3.2.2 and Algorithm 1); a particle is a complete deal.

The filter replays the event history as one seat saw it. A particle that is consistent with an event keeps its weight. If it
contradicts the event, its weight is multiplied by `mismatch_weight` (the paper's w_a), and its cards are changed to fit the
event, so that the filter never runs out of particles. When the weights become uneven, the particles are resampled, and some
of the duplicates are replaced by new deals.
"""

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform

RESAMPLE_THRESHOLD = 0.5
"""Particles are resampled when the effective sample size falls below this share of their number."""
REJUVENATION_RATE = 0.1
"""Probability that a duplicate particle produced by resampling is replaced by a new random deal."""


@njit
def effective_sample_size(weights):
    """Return the effective sample size (sum w)^2 / sum w^2 of `weights`."""
    total, squares = 0.0, 0.0
    for w in weights:
        total += w
        squares += w * w
    return total * total / squares


@njit
def _normalize(weights):
    total = 0.0
    for w in weights:
        total += w
    for i in range(len(weights)):
        # all weights are 0 if no particle could be changed to allow an action: then all become equal
        weights[i] = weights[i] / total if total > 0.0 else 1.0 / len(weights)


@njit
def systematic_sample(weights, offset, out):
    """Draw len(out) indices by systematic sampling with the probabilities `weights`, and write them into `out` (ascending).

    The sample points are (i + offset) / len(out), with `offset` in [0, 1).
    """
    cumulative, source = weights[0], 0
    for i in range(len(out)):
        target = (i + offset) / len(out)
        while cumulative < target and source < len(weights) - 1:
            source += 1
            cumulative += weights[source]
        out[i] = source


@njit
def _resample(rules, viewer, particles, weights, scratch, indices, rng):
    """Replace the particles by a systematic sample of them with equal weights.

    A duplicate is replaced with probability `REJUVENATION_RATE` by a new deal that seat `viewer` cannot distinguish from it.
    """
    systematic_sample(weights, uniform(rng), indices)
    for i in range(len(particles)):
        copy_record(scratch[i], particles[indices[i]])
    for i in range(len(particles)):
        weights[i] = 1.0 / len(particles)
        if i > 0 and indices[i] == indices[i - 1] and uniform(rng) < REJUVENATION_RATE:
            # scratch[i - 1] is free: it has been copied to its place
            ops.observe(rules, scratch[i], viewer, scratch[i - 1])
            ops.determinize(rules, scratch[i - 1], rng, particles[i])
        else:
            copy_record(particles[i], scratch[i])


@njit
def draw_particles(rules, origin, particles, weights, rng):
    """Fill `particles` (states [n]) with deals that the observation record `origin` allows, and `weights` with 1/n each."""
    for i in range(len(particles)):
        ops.determinize(rules, origin, rng, particles[i])
        weights[i] = 1.0 / len(particles)


@njit
def filter_events(
    rules,
    events,
    first,
    end,
    viewer,
    mismatch_weight,
    belief_policy_id,
    policy_weights,
    particles,
    weights,
    size,
    scratch,
    indices,
    rng,
):
    """Process rows `first` to `end` (exclusive) of `events`: advance, reweight and resample the particles.

    Args:
        rules: Kernel rules of the game.
        events: Event history (int32 [rows, 3]).
        first: Index of the first row to process.
        end: Index of the row after the last one to process.
        viewer: Seat from whose view the events are recorded.
        mismatch_weight: Factor w_a by which a particle's weight is multiplied at each event that the particle contradicts.
        belief_policy_id: Id of the policy whose probabilities of the other players' actions multiply the weights, -1 for
            none.
        policy_weights: Weights of the policy `belief_policy_id`.
        particles: States [n], changed in place.
        weights: Weights of the particles (float64 [n]), changed in place; they sum to 1 afterwards.
        size: Effective sample size before the first row.
        scratch: Scratch array of states [n].
        indices: Scratch array (int64 [n]).
        rng: Random stream.

    Returns:
        The effective sample size after the last event that changed a weight, before resampling; `size` if no event did.
    """
    n = len(particles)
    for row in range(first, end):
        reweighted = False
        for i in range(n):
            weight = ops.advance_particle(
                rules, particles[i], events, row, viewer, mismatch_weight, belief_policy_id, policy_weights, rng
            )
            if weight != 1.0:
                weights[i] *= weight
                reweighted = True
        if reweighted:
            _normalize(weights)
            size = effective_sample_size(weights)
            if size < RESAMPLE_THRESHOLD * n:
                _resample(rules, viewer, particles, weights, scratch, indices, rng)
    return size


@njit
def expected_counts(rules, particles, weights, out):
    """Write the weighted mean number of cards of each kind in each hand into `out` (float64 [players, card kinds])."""
    out[:] = 0.0
    for i in range(len(particles)):
        for seat in range(out.shape[0]):
            ops.accumulate_card_counts(rules, particles[i], seat, weights[i], out[seat])


@njit
def align_particles(rules, observation, particles, scratch, rng):
    """Turn every particle into a state that the observation allows, changing its hidden hands as little as possible."""
    for i in range(len(particles)):
        ops.project_particle(rules, observation, particles[i], rng, scratch[i])
        copy_record(particles[i], scratch[i])
