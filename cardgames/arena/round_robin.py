"""Round robins: a match between every pair of agents."""

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
    """Add up the matches of a round robin played so far (`pairs`) to one result with a row per agent.

    `pairings[i]` are the indices in `names` of the two agents of match i.
    """
    results_by_agent: list[list[AgentResult]] = [[] for _ in names]
    for pair, places in zip(pairs, pairings, strict=False):
        for place, result in zip(places, pair.agents, strict=True):
            results_by_agent[place].append(result)
    totals = [
        replace(AgentResult.total(results), name=name) if results else AgentResult(name, 0, 0, 0.0)
        for name, results in zip(names, results_by_agent, strict=True)
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
        deal_scores=(),
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
    """Play a round robin: a match between every pair of agents.

    Each pair has its own deals, so the matches of an agent are independent of each other.

    Args:
        game: Game for two players, or with two sides.
        agents: Participants, at least two.
        games: Number of games of each pair, rounded up so that each deal is played with all seatings.
        seed: Seed of all deals and agents.
        jobs: Number of processes (see `play_match`).
        limit: Limit of each decision.
        progress: Called with the result so far after each chunk of games.
        match: Let each game consist of several rounds (see `play_match`).

    Returns:
        The sum of the matches; its `pairs` are the matches in the order (0, 1), (0, 2), ..., (1, 2), ...

    Raises:
        InvalidInput: If two agents cannot play the game, another argument is wrong, or an agent fails or chooses an illegal
            action.
    """
    check_participants(game, agents)
    seed = rng.check_seed(seed)
    if len(agents) < 2:
        raise InvalidInput(f"a round robin needs at least 2 agents, not {len(agents)}")
    try:
        game.seatings(2)
    except InvalidInput:
        raise InvalidInput(
            f"a round robin needs a game for two, not for {game.num_players}: make the game with players=2"
        ) from None
    names = [participant_name(participant, make_participant(participant, game, seed)) for participant in agents]
    pairings = list(itertools.combinations(range(len(agents)), 2))
    finished: list[MatchResult] = []
    for places in pairings:

        def report_progress(result: MatchResult) -> None:
            if progress:
                progress(_sum([*finished, result], pairings, names, seed))

        pair, pair_seed = [agents[place] for place in places], rng.derive(seed, *places)
        finished.append(play_match(game, pair, games, pair_seed, jobs, limit, report_progress, match))
    return _sum(finished, pairings, names, seed)
