"""Every pair of some agents in a match."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

from cardgames.agents.agent import Limit
from cardgames.arena.match import play_match
from cardgames.arena.participants import Participant, check_participants, make_participant, participant_name
from cardgames.arena.results import AgentResult, MatchResult
from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput


def _sum(
    pairs: Sequence[MatchResult], pairings: Sequence[tuple[int, int]], names: Sequence[str], seed: int
) -> MatchResult:
    """Add up the matches between `pairings`, pairs of places in `names`, of a round robin from `seed`."""
    played: list[list[AgentResult]] = [[] for _ in names]
    for pair, places in zip(pairs, pairings, strict=False):
        for place, result in zip(places, pair.agents, strict=True):
            played[place].append(result)
    totals = [
        replace(AgentResult.total(results), name=name) if results else AgentResult(name, 0, 0, 0.0)
        for name, results in zip(names, played, strict=True)
    ]
    return replace(
        pairs[0],
        seed=seed,
        games=sum(p.games for p in pairs),
        seconds=sum(p.seconds for p in pairs),
        steps=sum(p.steps for p in pairs),
        voids=sum(p.voids for p in pairs),
        agents=totals,
        pairs=list(pairs),
    )


def play_round_robin(
    game: Game,
    agents: Sequence[Participant],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    limit: Limit | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    match: bool = False,
) -> MatchResult:
    """Let every pair of `agents` play at least `games` games of a game for two, or with two sides, each pair on deals of
    its own, so that what an agent's matches add up to is of independent matches.

    Returns the sum, its `pairs` the matches in the order (0, 1), (0, 2), ..., (1, 2), ...; otherwise as `play_match`.
    """
    check_participants(game, agents)
    seed = rng.check_seed(seed)
    if len(agents) < 2:
        raise InvalidInput(f"a round robin is for at least 2 agents, not {len(agents)}")
    try:
        game.seatings(2)
    except InvalidInput:
        raise InvalidInput(
            f"a round robin seats two at a table, not {game.num_players}: make the game for two"
        ) from None
    names = [participant_name(participant, make_participant(participant, game, seed)) for participant in agents]
    pairings = list(itertools.combinations(range(len(agents)), 2))
    finished: list[MatchResult] = []
    for places in pairings:

        def report_progress(result: MatchResult) -> None:
            if progress:
                progress(_sum([*finished, result], pairings, names, seed))

        pair, own = [agents[place] for place in places], rng.derive(seed, *places)
        finished.append(play_match(game, pair, games, own, jobs, limit, report_progress, match))
    return _sum(finished, pairings, names, seed)
