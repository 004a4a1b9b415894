"""A particle filter over the hidden cards (paper 001, 3.2.2 and Algorithm 1): each particle is a whole hidden deal.

The filter replays the history as one seat saw it. A particle that explains an event keeps its weight, one that does
not is multiplied by `mismatch_weight` (the paper's w_a) and mended, so that the filter never starves. When the weights have
become uneven the particles are resampled; of those that are then doubled, some are dealt anew.
"""

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform

RESAMPLE_THRESHOLD = 0.5
"""Resample when the effective sample size falls below this share of the particles."""
REJUVENATION_RATE = 0.1
"""The share of a resampled particle's doubles that are dealt anew."""


@njit
def effective_sample_size(weights):
    """Return (sum w)^2 / sum w^2."""
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
        # an action that no particle allows, since none could be mended so far, tells them apart no more
        weights[i] = weights[i] / total if total > 0.0 else 1.0 / len(weights)


@njit
def systematic_sample(weights, offset, out):
    """Write a systematic sample of indices by weight (normalised) into `out`; `offset` in [0, 1) places its comb."""
    cumulative, source = weights[0], 0
    for i in range(len(out)):
        target = (i + offset) / len(out)
        while cumulative < target and source < len(weights) - 1:
            source += 1
            cumulative += weights[source]
        out[i] = source


@njit
def _resample(rules, viewer, particles, weights, scratch, indices, rng):
    """Replace the particles by a systematic sample of them, all of equal weight, and renew some that are doubled."""
    systematic_sample(weights, uniform(rng), indices)
    for i in range(len(particles)):
        copy_record(scratch[i], particles[indices[i]])
    for i in range(len(particles)):
        weights[i] = 1.0 / len(particles)
        if i > 0 and indices[i] == indices[i - 1] and uniform(rng) < REJUVENATION_RATE:
            # spare[i - 1] has been copied to its place by now
            ops.observe(rules, scratch[i], viewer, scratch[i - 1])
            ops.determinize(rules, scratch[i - 1], rng, particles[i])
        else:
            copy_record(particles[i], scratch[i])


@njit
def draw_particles(rules, origin, particles, weights, rng):
    """Fill `particles` (STATE [n]) and `weights` (float64 [n]) for the moment of `origin`, an observation record."""
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
    """Take the particles from row `first` of `events` (int32 [rows, 3]) to row `end`; the weights sum to 1 after.

    `scratch` is STATE [n], `indices` int64 [n]. `belief_policy_id` is the number of the policy by which the others' choices are
    weighed, -1 for none, `policy_weights` its weights. Return the effective sample size after the last event that changed a
    weight, before resampling; `size` if there is none.
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
    """Write the expected number of cards of each kind in each hand into `out` (float64 [players, kinds])."""
    out[:] = 0.0
    for i in range(len(particles)):
        for seat in range(out.shape[0]):
            ops.belief(rules, particles[i], seat, weights[i], out[seat])


@njit
def align_particles(rules, observation, particles, scratch, rng):
    """Make every particle a state the observation allows, its hidden hands changed no more than that takes."""
    for i in range(len(particles)):
        ops.project_particle(rules, observation, particles[i], rng, scratch[i])
        copy_record(particles[i], scratch[i])
