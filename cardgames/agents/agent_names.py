"""Lists of agent names with options, as people write them on the command line."""

from cardgames.support.errors import InvalidInput


def split_agents(text: str) -> list[str]:
    """Split `a,b:x=1,y=2,c` into agents: a part `y=2` is a further option of the agent before it.

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
