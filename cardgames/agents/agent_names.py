"""`split_agents`: splits a list of agents with options, as people write it on the command line, into single agents."""

from cardgames.support.errors import InvalidInput


def split_agents(text: str) -> list[str]:
    """Split a text such as `a,b:x=1,y=2,c` into one text for each agent: `a`, `b:x=1,y=2` and `c`.

    A piece between commas with `=` and no colon before it, such as `y=2`, is an option of the agent before it.

    Raises:
        InvalidInput: If a name is missing.
    """
    agents: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        more_options = "=" in part.partition(":")[0]
        if more_options and agents:
            agents[-1] += f",{part}"
        else:
            agents.append(part)
    if not all(agents):
        raise InvalidInput(f"an agent's name is missing in {text!r}")
    return agents
