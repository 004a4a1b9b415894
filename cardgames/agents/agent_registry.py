"""The agents that come with the package: what each is, what makes it, and its options, for people."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class AgentSpec:
    """An agent that can be made by name."""

    name: str
    games: tuple[str, ...]
    words: str
    """What it is, in one line."""
    factory: str
    """`module:function`, called with `(game, seed, **options)`."""
    options: dict[str, str] = field(default_factory=dict)
    """Option -> its default and meaning, for people."""


_SEARCH_OPTIONS = {
    "simulations": "500 in all",
    "select": "ucb1 (default, equation 1), ucb-tuned, or puct",
    "c": "the exploration constant: 5 for ucb1, 1 for ucb-tuned, 1.5 for puct",
    "nodes": "own decisions (default, open loop), all players', or seen: all, the others' made by their policy",
    "determinize": "a determinization a tree (default), or a simulation, of so many `particles`",
    "chance": "fresh: the cards to come are shuffled anew for every simulation; or fixed in a determinization",
    "root": "tree (default), or halving: the first action by sequential halving, over flat playouts if nodes=own",
    "playout": "the policy that plays a simulation out; for Uno reflex, for Dou Di Zhu frugal by default",
    "opponents": "the policy of the others in simulations; that of `playout` by default",
    "prior": "the policy whose probabilities puct and bias use; that of `playout` by default",
    "bias": "0, the weight of a progressive bias; with root=halving of the prior's logarithm, in wins",
    "widen": "0; w: a node with n visits has at most w times the root of n children, the first what `prior` would do",
    "particles": "100",
    "cutoff": "after so many further decisions of its own `network` judges a simulation; without it all are played out",
    "network": "the perceptron that does: a file, or one that comes with the game, as actor-critic or, of Dou Di Zhu, dmc",
    "reuse": "false; true: a search begins with what the last one in the round found, so decisions depend on earlier ones",
    "threads": "1",
}
_CHEATING_OPTIONS = {
    name: words for name, words in _SEARCH_OPTIONS.items() if name not in ("determinize", "chance", "particles")
}
"""All determinizations of a yardstick are the true cards."""

BUILT_IN: tuple[AgentSpec, ...] = (
    AgentSpec(
        "random",
        ("uno",),
        "any legal action, uniformly",
        "cardgames.uno.policies.rule_agents:random",
        {"by": "actions (default), or copies: a card held twice counts twice"},
    ),
    AgentSpec("random", ("doudizhu",), "any legal action, uniformly", "cardgames.doudizhu.policies.rule_agents:random"),
    AgentSpec(
        "reflex",
        ("uno",),
        "numbers before symbols before wilds; draws as a last resort (paper 001, 3.4.2)",
        "cardgames.uno.policies.rule_agents:reflex",
        {"color": "most (default): a wild names the colour most held, or random"},
    ),
    AgentSpec(
        "rlcard-rule", ("uno",), "what RLCard's uno-rule-v1 does", "cardgames.uno.policies.rule_agents:rlcard_rule"
    ),
    AgentSpec(
        "rlcard-rule",
        ("doudizhu",),
        "what RLCard's doudizhu-rule-v1 does",
        "cardgames.doudizhu.policies.rule_agents:rlcard_rule",
    ),
    AgentSpec(
        "rhcp",
        ("doudizhu",),
        "splits its hand by fixed values of groups and turns, knows neither roles nor partners (paper 004's yardstick)",
        "cardgames.doudizhu.policies.rule_agents:rhcp",
    ),
    AgentSpec(
        "frugal",
        ("doudizhu",),
        "gives away as little of what its hand is worth as it can, and plays with its partner; made for playouts",
        "cardgames.doudizhu.policies.rule_agents:frugal",
    ),
    AgentSpec(
        "human-rule",
        ("uno",),
        "the Human of paper 002, as its text says",
        "cardgames.uno.policies.rule_agents:human_rule",
    ),
    AgentSpec(
        "linear",
        ("uno",),
        "the best of scores linear in hand-made features, learned in self-play",
        "cardgames.uno.policies.rule_agents:linear",
        {
            "play": "best (default) score, or softmax of the scores",
            "weights": "a file of `cardgames train uno linear` for these players and the preset nearest to these rules",
        },
    ),
    *(
        AgentSpec(
            name,
            ("uno",),
            f"the greatest output of a network that {words} trained",
            f"cardgames.learners.learned_agents:{name.replace('-', '_')}",
            {"weights": f"a file written by `cardgames train uno {name}`; by default what comes with the game, if any"},
        )
        for name, words in (
            ("dqn", "deep Q-learning"),
            ("ddqn", "Double DQN (paper 000, equations 1 and 2)"),
            ("sarsa", "Deep SARSA (paper 003)"),
            ("dmc", "deep Monte Carlo (paper 000)"),
            ("ddqn-mcts", "DDQN with MCTS (paper 000)"),
            ("afdqn", "AFDQN (paper 002, asked what is legal besides)"),
            ("candqn", "CANDQN (paper 002, colour and number of the top card apart)"),
            ("afcandqn", "AFDQN and CANDQN in one"),
            ("actor-critic", "proximal policy optimisation"),
        )
    ),
    AgentSpec(
        "dmc",
        ("doudizhu",),
        "the greatest Q of a network that deep Monte Carlo trained in self-play; strong without a search",
        "cardgames.learners.learned_agents:dmc",
        {"weights": "a file written by `cardgames train doudizhu dmc`; by default what comes with the game"},
    ),
    AgentSpec(
        "cql",
        ("doudizhu",),
        "the best move of the best way to split its hand, by networks that combinational Q-learning trained (paper 004)",
        "cardgames.learners.learned_agents:cql",
        {"weights": "a file written by `cardgames train doudizhu cql`; by default what comes with the game"},
    ),
    AgentSpec(
        "nfsp",
        ("uno",),
        "by chance, as an average policy has it that neural fictitious self-play trained (paper 000)",
        "cardgames.learners.learned_agents:nfsp",
        {"weights": "the network: a file of `cardgames train uno nfsp`; by default what comes with the game, if any"},
    ),
    AgentSpec(
        "expectimax",
        ("uno",),
        "looks its own next decisions ahead, all that others do between them one Markov chain (paper 001, 3.3)",
        "cardgames.search.expectimax_agent:make_expectimax",
        {
            "depth": "2, its own decisions looked ahead",
            "chain": "paper (default): opponents' hands as in Algorithm 2, or dealt: without replacement",
            "colors": "1, what each colour in hand counts",
            "cards": "-2, what each card in hand counts",
            "wilds": "1, what each wild in hand counts",
            "result": "0, what a win adds and a loss takes off",
        },
    ),
    AgentSpec(
        "mcts",
        ("uno", "doudizhu"),
        "open-loop tree search on uniformly drawn hidden cards",
        "cardgames.search.mcts.mcts_agent:make_mcts",
        {
            "trees": "5, each on a determinization of its own",
            **_SEARCH_OPTIONS,
        },
    ),
    AgentSpec(
        "mcts-dbm",
        ("uno", "doudizhu"),
        "the same on hidden cards drawn from a particle filter over the history (paper 001)",
        "cardgames.search.mcts.mcts_agent:make_mcts_dbm",
        {
            "trees": "5, each on a particle of its own",
            **_SEARCH_OPTIONS,
            "mismatch_weight": "0.9, the weight w_a of an event a particle cannot explain (Algorithm 1)",
            "belief_policy": "the policy by whose likelihood the others' choices weigh particles; without it they do not",
        },
    ),
    AgentSpec(
        "ismcts",
        ("uno", "doudizhu"),
        "an information-set tree, entered with other hidden cards by every simulation",
        "cardgames.search.mcts.mcts_agent:make_ismcts",
        {
            **_SEARCH_OPTIONS,
            "simulations": "1000 in all",
            "nodes": "seen (default), own, or all",
            "root": "halving (default): the first action by sequential halving; or tree",
            "c": "0.3, the exploration constant",
            "widen": "0.3; w: a node with n visits has at most w times the root of n children; 0: no limit",
            "bias": "4, the weight of the prior's logarithm at the root, in wins; below it of a progressive bias",
            "mismatch_weight": "0.9, the weight w_a of an event a particle cannot explain (Algorithm 1)",
            "belief_policy": "none; a policy by whose likelihood the others' choices weigh particles",
        },
    ),
    AgentSpec(
        "champion",
        ("uno", "doudizhu"),
        "the strongest known under the rules at hand, whichever that is; some 10 ms a decision at Uno, 50 at Dou Di Zhu",
        "cardgames.agents.agent_factory:make_champion",
    ),
    AgentSpec(
        "mcts-net",
        ("uno",),
        "tree search whose leaves a network judges, many in one call: in kernels, on the CPU or with CUDA",
        "cardgames.search.network_mcts.network_mcts_agent:make_mcts_net",
        {
            "network": "a file or, as actor-critic, a name; without one, or where it has no value, leaves are played out",
            "device": "auto (default), kernel, cpu or cuda",
            "simulations": "500 in all",
            "trees": "5, each on a determinization of its own",
            "leaves": "4, those of each tree judged in one call",
            "c": "1, the exploration constant",
            "playout": "the policy of the others and of play-outs; for Uno reflex by default",
            "particles": "0: hidden cards drawn uniformly; or those of the particle filter",
            "mismatch_weight": "0.9, the weight w_a of an event a particle cannot explain",
        },
    ),
    AgentSpec(
        "q-tree",
        ("uno",),
        "a tree of its own states alone, their values predicted by a Q-network (paper 000, Algorithm 1)",
        "cardgames.search.qtree.qtree_agent:make_q_tree",
        {
            "network": "its Q-network, a file or a name, as dqn; without one new states are played out",
            "device": "auto (default), kernel, cpu or cuda",
            "simulations": "50, the first of which predicts the root",
            "c": "1, the constant c_puct of equation 3, in units of Q",
            "discount": "0.99, the discount of equation 4",
            "opponents": "reflex: the policy of the others in simulations, and of decisions the network has no Q for",
            "true_state": "false; true: it sees all hidden cards and so cheats, for training alone",
            "particles": "0, of the filter hidden cards are drawn from; 0: uniformly",
            "mismatch_weight": "0.9, the weight of an event a particle cannot explain",
        },
    ),
    AgentSpec(
        "cheating-hands",
        ("uno", "doudizhu"),
        "a yardstick: mcts that sees all hands, but not the pile",
        "cardgames.search.mcts.cheating_agents:make_cheating_hands",
        {"trees": "5", **_CHEATING_OPTIONS},
    ),
    AgentSpec(
        "cheating-all",
        ("uno", "doudizhu"),
        "a yardstick: mcts that sees all cards, those to come included",
        "cardgames.search.mcts.cheating_agents:make_cheating_all",
        {"trees": "5", **_CHEATING_OPTIONS},
    ),
)
