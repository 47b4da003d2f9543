"""Names of what is estimated and tested, and on whose responses each says something.

`turingstats.stats.quantities` computes them.
"""

WHOSE = {
    "p_HH": "human",
    "p_MH": "human",
    "p_MM": "agent",
    "p_HM": "agent",
    "detectability": "pair",
    "accuracy": "pair",
    "d_prime": "pair",
    "criterion": "pair",
    "p_UH": "human",
    "p_UM": "agent",
    "identified": "pair",
}
"""On whose responses: people's (human), a machine's (agent), or both, one set against the other (pair)."""

CALLED_HUMAN = "called human"
"""Share of an agent's responses that were judged human: P(H|H) of people, P(H|M) of a machine."""


def resolve_quantity(quantity, agent):
    """Name the quantity that is meant for an agent.

    Raises
    ------
    ValueError
        It is not defined for the agent: it says something about others' responses, or about a pair of
        which people are one side already.
    """
    if quantity == CALLED_HUMAN:
        return "p_HH" if agent == "human" else "p_HM"
    whose = WHOSE[quantity]
    people = {"human": True, "agent": False, "pair": False}[whose]
    # The default, all machines together, names no agent: a rate of people's responses needs none.
    if people != (agent == "human") and not (people and agent == "all"):
        reason = {
            "human": "is about people's responses alone",
            "agent": "is about a machine's responses alone",
            "pair": "sets a machine's responses against people's",
        }
        other = {"p_HM": "p_HH", "p_MM": "p_MH", "p_HH": "p_HM", "p_MH": "p_MM"}.get(quantity)
        instead = f"{other} is the share that corresponds; " if other in COMPARED else ""
        raise ValueError(
            f"{quantity} is not defined for {agent}: it {reason[whose]}. {instead}"
            f"the share judged human of any agent, people among them, is the quantity {CALLED_HUMAN!r}"
        )
    return quantity


COMPARED = ("p_HH", "p_MM", "p_HM", "detectability", "accuracy", CALLED_HUMAN)
"""What a declared test may compare."""
