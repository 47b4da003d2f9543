"""Names of estimated and tested quantities, whose responses each describes, and what is concluded.

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
    "p_HH_all": "human",
    "p_HM_all": "agent",
    "identified": "pair",
}
"""Whose responses a quantity describes: people's (human), a machine's (agent), or both (pair)."""

VERDICTS = ("distinguishable", "equivalent", "undecided", "different, but within the margin")
"""Conclusions about a difference from people or from chance (`turingstats.stats.equivalence`)."""

CALLED_HUMAN = "called human"
"""Share of an agent's responses that were judged human: P(H|H) of people, P(H|M) of a machine."""


def resolve_quantity(quantity: str, agent: str) -> str:
    """Return the name of the quantity for an agent.

    A quantity that describes other responses, or compares an agent with people, raises ValueError.
    """
    if quantity == CALLED_HUMAN:
        return "p_HH" if agent == "human" else "p_HM"
    whose = WHOSE[quantity]
    people = whose == "human"
    # The default, all machines together, is also allowed for a rate of people's responses.
    if people != (agent == "human") and not (people and agent == "all"):
        reason = {
            "human": "describes only people's responses",
            "agent": "describes only a machine's responses",
            "pair": "compares a machine's responses with people's",
        }
        other = {"p_HM": "p_HH", "p_MM": "p_MH", "p_HH": "p_HM", "p_MH": "p_MM"}.get(quantity)
        instead = f"{other} is the corresponding share; " if other in COMPARED else ""
        raise ValueError(
            f"{quantity} is not defined for {agent}: it {reason[whose]}. {instead}"
            f"the share judged human of any agent, including people, is the quantity {CALLED_HUMAN!r}"
        )
    return quantity


COMPARED = ("p_HH", "p_MM", "p_HM", "detectability", "accuracy", CALLED_HUMAN)
"""Quantities that a declared test may compare."""
