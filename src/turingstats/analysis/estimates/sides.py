"""The two sides of a quantity: verdicts on people's and on an agent's responses, and who gave them."""

import numpy as np


def count_units(
    judged: np.ndarray, with_all_people: np.ndarray, choice: bool
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Count the distinct units (judges, or stimuli) behind quantities of people, agents and pairs.

    `judged`, shape (units, tables, agents), is which units have a trial. The first result counts the
    units of a pair with a trial on either side, the second those on the side that has fewer; shapes are
    (tables, 1) for people, else (tables, agents - 1).
    """
    people, agents = judged[:, :, :1], judged[:, :, 1:]
    opposite = np.where(with_all_people[:, None], people[:, :1], people)
    if choice:
        opposite = agents
    number = {"human": people, "agent": agents, "pair": opposite | agents}
    number = {of: units.sum(axis=0) for of, units in number.items()}
    fewer = np.minimum(opposite.sum(axis=0), number["agent"])
    return number, number | {"pair": fewer}


def split_sides(
    whose: str, right: np.ndarray, n: np.ndarray, with_all_people: np.ndarray, choice: bool
) -> list[np.ndarray]:
    """Split totals into the four counts that a quantity is a function of.

    The four are correct verdicts and trials on people's responses, shape (tables, 1, ...), and on each
    agent's, shape (tables, agents - 1, ...), or on people's again for a quantity of people. The agents of
    `right` and `n`, shape (tables, agents, ...), are human, all and each AI agent. `with_all_people` is
    where agents are compared with people's responses in the first table, which holds all trials; in a
    `choice` an agent is compared with itself.
    """
    people_counts = [right[:, :1], n[:, :1]]
    if whose == "human":
        return people_counts + people_counts
    if choice:
        return [right[:, 1:], n[:, 1:], right[:, 1:], n[:, 1:]]
    shape = (-1,) + (1,) * (right.ndim - 1)
    people = [np.where(with_all_people.reshape(shape), part[:1], part) for part in people_counts]
    return [*people, right[:, 1:], n[:, 1:]]


def pool_sides(four: list[np.ndarray], choice: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pool correct verdicts and trials on people's and an agent's responses; a choice counts once."""
    people_right, people_n, agent_right, agent_n = np.broadcast_arrays(*four)
    if choice:
        return agent_right, agent_n
    return people_right + agent_right, people_n + agent_n
