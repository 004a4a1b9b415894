"""The built-in agents: name, games, factory and options of each, with descriptions for the command line's help.

Defaults of options are not repeated here: `agents.option_defaults` reads them where they are written.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class AgentSpec:
    """Description of a built-in agent: name, games, factory, and where its options and their defaults are."""

    name: str
    games: tuple[str, ...]
    """Names of the games that the agent plays."""
    description: str
    """Description of the agent for card players, of at most 43 characters."""
    factory: str
    """Location, as `module:function`, of the function that makes the agent from `(game, seed, **options)`."""
    options: dict[str, str] = field(default_factory=dict)
    """Name of each option -> its description for users, without its default."""
    settings: str = ""
    """Location, as `module:class`, of a dataclass whose fields are options; empty if all are parameters of the factory."""
    defaults: str = ""
    """Location, as `module:mapping`, of defaults that replace those of `settings` and of the factory's parameters.

    Empty if there are none.
    """
    details: str = ""
    """Further description of the agent, which the help shows for this agent alone; empty if there is none."""


_MCTS_SETTINGS = "cardgames.search.mcts.mcts_settings:MctsSettings"
_EXACT = "true or false: no search where a win is certain, one deal is left or the game has fitted values"
_SEARCH_OPTIONS = {
    "simulations": "number of simulations per decision, over all trees",
    "select": "selection of a child: ucb1 (paper 001, equation 1), ucb-tuned or puct",
    "c": "exploration constant, for values in [0, 1]",
    "nodes": "decisions that are nodes: own (open loop), all, or observed (all, but `opponents` decides for the others)",
    "determinize": "when hidden cards are drawn: tree (once for each tree), or simulation (from a pool of `particles`)",
    "chance": "cards still to come: fresh (shuffled again for every simulation), or fixed by the determinization",
    "root": "choice of the first action: tree, or halving (sequential halving, on flat playouts if nodes=own)",
    "playout": "rollout policy",
    "opponents": "policy of the other players in simulations",
    "prior": "policy whose action probabilities puct, bias and widen use",
    "bias": "weight of a progressive bias; with root=halving, weight of the logarithm of the prior, in wins",
    "widen": "w: a node with n visits has at most w * sqrt(n) children, first the action of `prior`; 0: no limit",
    "particles": "number of particles of the filter, or of determinizations in the pool",
    "exact": _EXACT,
    "solve": "largest number of cards in all hands with which leaves are solved exactly; 0: none",
    "objective": "what is maximized: payoff (mean payoff under the rules) or win (probability of winning)",
    "cutoff": "number of own decisions after which `network` evaluates a simulation; without it all are played out",
    "network": "network that evaluates simulations at the cutoff: a file, or a pretrained one such as actor-critic or dmc",
    "reuse": "true or false: start from the subtree of the last search, so that decisions depend on earlier ones",
    "threads": "number of threads",
}
_SETTING = {
    "setting": "what options are if not given: best (the strongest within 50 ms a decision) or paper (as listed)"
}
_TREES = {"trees": "number of trees, each on its own determinization"}
_FILTER_OPTIONS = {
    "mismatch_weight": "weight w_a of an event that a particle cannot explain (paper 001, Algorithm 1)",
    "belief_policy": "policy whose likelihoods of the other players' actions weight the particles",
}
_TRUE_STATE_OPTIONS = _TREES | {
    name: text for name, text in _SEARCH_OPTIONS.items() if name not in ("determinize", "chance", "particles")
}
"""Options of the agents that see hidden cards: search options, except those on how hidden cards are drawn."""

BUILT_IN: tuple[AgentSpec, ...] = (
    AgentSpec(
        "random",
        ("uno",),
        "plays any legal card at random",
        "cardgames.uno.policies.rule_agents:random",
        {"by": "what is drawn uniformly: actions, or copies (a card held twice counts twice)"},
    ),
    AgentSpec(
        "random",
        ("doudizhu",),
        "makes any legal move at random",
        "cardgames.doudizhu.policies.rule_agents:random",
    ),
    AgentSpec(
        "reflex",
        ("uno",),
        "plays numbers first and wilds last",
        "cardgames.uno.policies.rule_agents:reflex",
        {"color": "color named for a wild: most (the one it holds most of) or random"},
        details="plays numbers before symbols before wilds; draws only as a last resort (paper 001, section 3.4.2)",
    ),
    AgentSpec(
        "rlcard-rule",
        ("uno",),
        "plays by the rule agent of RLCard",
        "cardgames.uno.policies.rule_agents:rlcard_rule",
        details="plays like RLCard's uno-rule-v1",
    ),
    AgentSpec(
        "rlcard-rule",
        ("doudizhu",),
        "plays by the rule agent of RLCard",
        "cardgames.doudizhu.policies.rule_agents:rlcard_rule",
        details="plays like RLCard's doudizhu-rule-v1",
    ),
    AgentSpec(
        "rhcp",
        ("doudizhu",),
        "splits its hand well, ignores its partner",
        "cardgames.doudizhu.policies.rule_agents:rhcp",
        details="splits its hand by fixed values of groups and turns, and ignores roles (baseline of paper 004)",
    ),
    AgentSpec(
        "frugal",
        ("doudizhu",),
        "saves strong cards, plays with its partner",
        "cardgames.doudizhu.policies.rule_agents:frugal",
        details="gives up as little of its hand's value as possible, and plays with its partner; made for playouts",
    ),
    AgentSpec(
        "beginner",
        ("doudizhu",),
        "makes a beginner's mistakes",
        "cardgames.doudizhu.policies.rule_agents:beginner",
        details="breaks up groups, beats its partner, plays bombs at once and bids on high cards",
    ),
    AgentSpec(
        "human-rule",
        ("uno",),
        "follows a few rules that people play by",
        "cardgames.uno.policies.rule_agents:human_rule",
        details="the agent Human of paper 002, as its text describes it",
    ),
    AgentSpec(
        "habits",
        ("uno",),
        "has the habits of people new to the game",
        "cardgames.uno.policies.rule_agents:habits",
        {"style": "beginner, casual or careful, from the weakest to the strongest"},
        details="plays with the habits of people of little experience; the levels easy, medium and hard do",
    ),
    AgentSpec(
        "linear",
        ("uno",),
        "scores every card by learned weights",
        "cardgames.uno.policies.rule_agents:linear",
        {
            "play": "best (greatest score), or softmax (draw from the softmax of the scores)",
            "weights": "file written by `cardgames train uno linear`; its weights for these players and the nearest preset "
            "are used",
        },
        details="takes the best score; scores are linear in hand-made features, with weights learned in self-play",
    ),
    *(
        AgentSpec(
            name,
            ("uno",),
            description,
            f"cardgames.learners.learned_agents:{name.replace('-', '_')}",
            {"weights": f"file written by `cardgames train uno {name}`"},
            details=f"takes the greatest output of a network trained by {algorithm}",
        )
        for name, description, algorithm in (
            ("dqn", "network trained by deep Q-learning", "deep Q-learning"),
            ("ddqn", "network trained by double Q-learning", "Double DQN (paper 000, equations 1 and 2)"),
            ("sarsa", "network trained by deep SARSA", "Deep SARSA (paper 003)"),
            ("dmc", "network trained by deep Monte Carlo", "deep Monte Carlo (paper 000)"),
            ("ddqn-mcts", "network trained with the help of searches", "DDQN with MCTS (paper 000)"),
            (
                "afdqn",
                "network that also learns what is legal",
                "AFDQN (paper 002; also predicts which actions are legal)",
            ),
            (
                "candqn",
                "network that sees color and number apart",
                "CANDQN (paper 002; color and number of the top card are separate inputs)",
            ),
            ("afcandqn", "network that is afdqn and candqn in one", "AFDQN and CANDQN combined"),
            ("actor-critic", "network trained by policy gradients", "proximal policy optimization"),
        )
    ),
    AgentSpec(
        "dmc",
        ("doudizhu",),
        "network trained by deep Monte Carlo",
        "cardgames.learners.learned_agents:dmc",
        {"weights": "file written by `cardgames train doudizhu dmc`"},
        details="takes the greatest Q of a network trained by deep Monte Carlo in self-play; strong without a search",
    ),
    AgentSpec(
        "cql",
        ("doudizhu",),
        "network that splits its hand into moves",
        "cardgames.learners.learned_agents:cql",
        {"weights": "file written by `cardgames train doudizhu cql`"},
        details="plays the best move of the best split of its hand, by networks trained by combinational Q-learning "
        "(paper 004)",
    ),
    AgentSpec(
        "nfsp",
        ("uno",),
        "network trained by fictitious self-play",
        "cardgames.learners.learned_agents:nfsp",
        {"weights": "file written by `cardgames train uno nfsp`"},
        details="draws from the average policy trained by neural fictitious self-play (paper 000)",
    ),
    AgentSpec(
        "expectimax",
        ("uno",),
        "looks ahead over its own next turns",
        "cardgames.search.expectimax_agent:make_expectimax",
        {
            "depth": "number of own decisions looked ahead",
            "chain": "model of the opponents' hands: paper (Algorithm 2), or dealt (without replacement)",
            "colors": "value of each color in hand",
            "cards": "value of each card in hand",
            "wilds": "value of each wild in hand",
            "result": "value of a win, subtracted for a loss",
            "exact": _EXACT,
        },
        defaults="cardgames.uno.expectimax.hand_evaluation:EVALUATION_WEIGHTS",
        details="looks its own next decisions ahead; all between two of them is one Markov chain (paper 001, section 3.3)",
    ),
    AgentSpec(
        "mcts",
        ("uno", "doudizhu"),
        "searches, with hidden cards drawn blindly",
        "cardgames.search.mcts.mcts_agent:make_mcts",
        _SETTING | _TREES | _SEARCH_OPTIONS,
        _MCTS_SETTINGS,
        "cardgames.search.mcts.mcts_agent:PAPER",
        details="open-loop tree search on uniformly drawn hidden cards",
    ),
    AgentSpec(
        "mcts-dbm",
        ("uno", "doudizhu"),
        "searches, guesses cards from earlier play",
        "cardgames.search.mcts.mcts_agent:make_mcts_dbm",
        _SETTING | _TREES | _SEARCH_OPTIONS | _FILTER_OPTIONS,
        _MCTS_SETTINGS,
        "cardgames.search.mcts.mcts_agent:PAPER",
        details="mcts on hidden cards drawn from a particle filter over the history (a dynamic Bayesian model, paper 001)",
    ),
    AgentSpec(
        "ismcts",
        ("uno", "doudizhu"),
        "searches one tree over all hidden cards",
        "cardgames.search.mcts.mcts_agent:make_ismcts",
        _SETTING | _SEARCH_OPTIONS | _FILTER_OPTIONS,
        _MCTS_SETTINGS,
        "cardgames.search.mcts.mcts_agent:ISMCTS_PAPER",
        details="one information-set tree, with new hidden cards from the particle filter in every simulation",
    ),
    *(
        AgentSpec(level, ("uno", "doudizhu"), description, f"cardgames.agents.levels:make_{level}")
        for level, description in (
            ("easy", "for first games; makes beginners' mistakes"),
            ("medium", "plays sensibly, but misses much"),
            ("hard", "beats casual players"),
        )
    ),
    AgentSpec(
        "champion",
        ("uno", "doudizhu"),
        "the strongest agent known for the rules",
        "cardgames.search.champion:make_champion",
    ),
    AgentSpec(
        "mcts-net",
        ("uno",),
        "searches, with a network as its judgment",
        "cardgames.search.network_mcts.network_mcts_agent:make_mcts_net",
        {
            "network": "file, or name of a pretrained network such as actor-critic; leaves without a value are played out",
            "device": "where the network runs: auto, kernel, cpu or cuda",
            "simulations": "number of simulations per decision, over all trees",
            **_TREES,
            "leaves": "number of leaves of each tree evaluated per call",
            "c": "exploration constant",
            "playout": "policy of the other players and rollout policy",
            "particles": "number of particles of the filter; 0: hidden cards are drawn uniformly",
            "mismatch_weight": _FILTER_OPTIONS["mismatch_weight"],
            "exact": _EXACT,
        },
        "cardgames.search.network_mcts.batched_search:BatchedSettings",
        "cardgames.search.evaluators:DEVICE_DEFAULT",
        details="tree search with a network that evaluates many leaves per call, in kernels, on the CPU or with CUDA",
    ),
    AgentSpec(
        "q-tree",
        ("uno",),
        "searches its own turns, with a Q-network",
        "cardgames.search.qtree.qtree_agent:make_q_tree",
        {
            "network": "Q-network: a file, or a pretrained one such as dqn; without it new states are played out",
            "device": "where the network runs: auto, kernel, cpu or cuda",
            "simulations": "number of simulations per decision; the first one predicts the root",
            "c": "exploration constant c_puct of equation 3, in units of Q",
            "discount": "discount of equation 4",
            "opponents": "policy of the other players in simulations, and of own decisions in which no action has a Q",
            "true_state": "true or false: see all hidden cards, and so cheat; for training only",
            "particles": "number of particles of the filter; 0: hidden cards are drawn uniformly",
            "mismatch_weight": _FILTER_OPTIONS["mismatch_weight"],
            "exact": _EXACT,
        },
        "cardgames.search.qtree.qtree_agent:QTreeSettings",
        "cardgames.search.evaluators:DEVICE_DEFAULT",
        details="a tree of its own states only, whose values a Q-network predicts (paper 000, Algorithm 1)",
    ),
    AgentSpec(
        "cheating-hands",
        ("uno", "doudizhu"),
        "searches, and sees all hands",
        "cardgames.search.mcts.cheating_agents:make_cheating_hands",
        _TRUE_STATE_OPTIONS,
        _MCTS_SETTINGS,
        details="mcts that sees all hands, but not the order of the draw pile; for comparison",
    ),
    AgentSpec(
        "cheating-all",
        ("uno", "doudizhu"),
        "searches, and sees all cards",
        "cardgames.search.mcts.cheating_agents:make_cheating_all",
        _TRUE_STATE_OPTIONS,
        _MCTS_SETTINGS,
        details="mcts that sees all hands and the order of the draw pile; for comparison",
    ),
    AgentSpec(
        "solver",
        ("uno", "doudizhu"),
        "sees all cards and plays endgames perfectly",
        "cardgames.search.exact.solver_agent:make_solver",
        {
            "objective": "what it plays for: win, or payoff",
            "nodes": "maximum number of nodes searched for a decision",
            "fallback": "policy that decides if the result cannot be proved",
        },
        details="sees all cards and plays exactly where it can prove the result; a perfect opponent in endgames",
    ),
)
"""Descriptions of all built-in agents. The same name may occur once for each game."""
