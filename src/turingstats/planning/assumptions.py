"""What a plan assumes: how often responses are judged human, and how judges and stimuli vary."""

import re
from dataclasses import dataclass

import numpy as np

from turingstats.config.planning import STATED
from turingstats.core.data_labels import GENERATED
from turingstats.core.errors import ConfigError
from turingstats.stats.power.draws import SIDES, Spreads

WHERE = "config/config.yaml, --configfile or --config"
GROUPS = ("judge", "judge:made_by", "stimulus", "stimulus:made_by")
"""Random intercepts that a plan knows, in the order of `Spreads`."""
OUTCOMES = {"said_machine": -1, "said_human": 1}
"""Outcomes of models, and whether their probability is that of a response judged human."""


@dataclass(frozen=True)
class Assumptions:
    """What is assumed of a study to come.

    Attributes
    ----------
    rates : tuple of float
        Share judged human of `SIDES`; nan for another agent that is not asked about.
    names : tuple of str
        Names of `SIDES`.
    spreads : Spreads
    stimuli : int or None
        None: every trial has a stimulus of its own.
    model, formula : str
        Empty if all is stated.
    based_on : str
        Judges and verdicts of the model.
    data : str
        Label of everything that is computed from these.
    stated : tuple of str
        Keys that take the place of the model's numbers.
    left_out : tuple of str
        What is not simulated, with reasons: random effects, questions, numbers of trials.
    questions : tuple of str
    trials : tuple of int
        Numbers of trials per judge to try.
    agents : int
        Agents that share the trials without people's responses.
    """

    rates: tuple[float, ...]
    names: tuple[str, ...]
    spreads: Spreads
    stimuli: int | None
    model: str
    formula: str
    based_on: str
    data: str
    stated: tuple[str, ...]
    left_out: tuple[str, ...]
    questions: tuple[str, ...]
    trials: tuple[int, ...]
    agents: int


def refuse(key, problem, found=None, allowed=None, fix=None):
    """Return the error that says which key of the plan cannot be, what was found, and what to do."""
    lines = [f"plan.{key}: {problem}", f"  file:    {WHERE}", f"  key:     plan.{key}"]
    if found is not None:
        lines.append(f"  found:   {found}")
    if allowed is not None:
        lines.append(f"  allowed: {allowed}")
    return ConfigError("\n".join([*lines, f"  fix:     {fix}"]))


def assume(plan, models, labels, study):
    """Assume what the plan states, and the rest from a fitted model.

    Parameters
    ----------
    plan : turingstats.config.planning.Plan
    models : pandas.DataFrame or None
        Columns of models.csv of the study; None if the plan states everything.
    labels : dict of str to str
        Labels of agents.
    study : str
        Name of the study.

    Returns
    -------
    Assumptions

    Raises
    ------
    ConfigError
        No model, agent or number of stimuli to plan with.
    """
    rates = dict.fromkeys(SIDES, np.nan)
    names = {"people": "people", "agent": "the agent", "other": "the other agent"}
    spreads = dict.fromkeys(GROUPS, 0.0)
    stimuli, model, formula, based_on, left_out = plan.stimuli, "", "", "", []
    data = f"{GENERATED}, studies simulated from stated values"
    if plan.model != STATED:
        rows = choose_model(plan.model, models, study)
        first = rows.iloc[0]
        model, formula = first["model_id"], first["formula"]
        based_on = f"{first['n_judges']:.0f} judges and {first['n']:,.0f} verdicts"
        found, known = read_rates(rows, plan, labels)
        rates, names = rates | found, names | known
        spreads, more = read_spreads(rows)
        left_out += more
        stimuli = stimuli or count_stimuli(first["groups"])
        data = f"{GENERATED}, studies simulated from the model {model} of {first['data']}"
    questions = []
    for question in plan.questions:
        if question == "agents" and np.isnan((rates | plan.rates)["other"]):
            left_out.append("the question agents: there is no other agent")
        elif question == "agents" and plan.agents == 1:
            left_out.append("the question agents: plan.agents is 1")
        else:
            questions.append(question)
    if not questions:
        fix = "ask about people, chance, same_as_people or width, or state plan.rates.other and two agents"
        raise refuse(
            "questions", f"none can be asked: {left_out[-1]}", list(plan.questions), fix=fix
        )
    trials = plan.trials
    if plan.own_stimuli:
        stimuli = None
    elif stimuli is None:
        problem = f"the model {model} has no random effect of stimuli, so their number is not known"
        fix = "state how many stimuli there are, or own_stimuli: true"
        raise refuse("stimuli", problem, "null", "5 or more", fix)
    elif trials[-1] > stimuli:
        problem = f"no judge sees a stimulus twice, and there are {stimuli} stimuli"
        trials = tuple(number for number in plan.trials if number <= stimuli)
        if not trials:
            least = plan.trials[0]
            fix = f"try fewer trials, use more stimuli (plan.stimuli: {least}), or plan.own_stimuli: true"
            raise refuse("trials", problem, list(plan.trials), f"up to {stimuli}", fix)
        more = ", ".join(str(number) for number in plan.trials[len(trials) :])
        left_out.append(f"{more} trials per judge: {problem}")
    rates |= plan.rates
    if "agents" not in questions:
        rates["other"] = np.nan
    keys = [*(f"rates.{key}" for key in plan.rates), *(f"spreads.{key}" for key in plan.spreads)]
    return Assumptions(
        tuple(float(rates[side]) for side in SIDES),
        tuple(names[side] for side in SIDES),
        Spreads(*(float((spreads | plan.spreads)[group]) for group in GROUPS)),
        stimuli,
        model,
        formula,
        based_on,
        data,
        tuple(keys),
        tuple(left_out),
        tuple(questions),
        trials,
        plan.agents or (2 if "agents" in questions else 1),
    )


def choose_model(name, models, study):
    """Choose the rows of a fitted model that compares agents with people.

    Raises
    ------
    ConfigError
        There is none, or not the one that is named; says why it was not fitted, and which ones there are.
    """
    compared = models[(models["kind"] == "probability") & (models["group"] == "agent")]
    with_people = set(compared.loc[compared["term"] == "human", "model_id"])
    known = [
        model
        for model, formula in models.drop_duplicates("model_id")[["model_id", "formula"]].to_numpy()
        if model in with_people and formula.split("~")[0].strip() in OUTCOMES
    ]
    stating = (
        "state the numbers: plan={model: stated, rates: {people: 0.55, agent: 0.45}, "
        "spreads: {judge: 0.6}, stimuli: 100}"
    )
    if not known:
        problem = f"no fitted model of {study} compares agents with people"
        raise refuse("model", problem, name or "null", fix=stating)
    if name is None:
        name = known[0]
    if name not in known:
        own = models[models["model_id"] == name]
        problem = f"there is no fitted model {name} of {study} that compares agents with people"
        if len(own) and own.iloc[0]["kind"] == "not fitted":
            problem = f"the model {name} of {study} has no estimates ({own.iloc[0]['notes']})"
        raise refuse(
            "model", problem, name, ", ".join([*known, STATED]), f"choose one, or {stating}"
        )
    return models[models["model_id"] == name]


def read_rates(rows, plan, labels):
    """Read the shares judged human of people and of two agents from the probabilities of a model."""
    shown = rows[(rows["kind"] == "probability") & (rows["group"] == "agent")].set_index("term")
    sign = OUTCOMES[rows.iloc[0]["formula"].split("~")[0].strip()]
    human = shown["estimate"] if sign > 0 else 1 - shown["estimate"]
    machines = human.drop("human")
    for key, name in (("agent", plan.agent), ("other", plan.other)):
        if name is not None and name not in machines:
            problem = f"the model {rows.iloc[0]['model_id']} has no agent {name!r}"
            raise refuse(key, problem, name, ", ".join(machines.index), "choose one of these")
    agent = plan.agent or (machines - human["human"]).abs().idxmin()
    rest = machines.drop(agent)
    rates = {"people": human["human"], "agent": machines[agent]}
    names = {"agent": labels.get(agent, agent)}
    if plan.other == agent:
        raise refuse(
            "other", "an agent cannot be compared with itself", agent, fix="name another one"
        )
    if len(rest):
        other = plan.other or (rest - machines[agent]).abs().idxmax()
        rates["other"] = rest[other]
        names["other"] = labels.get(other, other)
    return rates, names


def read_spreads(rows):
    """Read the standard deviations of random intercepts; other random effects are listed with a reason."""
    spreads, left_out = dict.fromkeys(GROUPS, 0.0), []
    for row in rows[rows["kind"].isin(["sd", "correlation"])].to_dict("records"):
        group = "judge" if row["group"] == "person" else row["group"]
        if row["kind"] == "sd" and group in GROUPS and row["term"] == "(Intercept)":
            spreads[group] = row["estimate"]
        else:
            left_out.append(f"the random effect {row['term']} of {row['group']}: not simulated")
    if not any(spreads[group] for group in GROUPS[2:]):
        left_out.append(
            "differences between stimuli: the model finds none, or has no term for them"
        )
    return spreads, left_out


def count_stimuli(groups):
    """Count the stimuli of a model from its groups, such as "judge 65; stimulus:made_by 300"; or None."""
    found = dict(re.findall(r"(\S+) (\d+)", groups))
    if "stimulus" in found:
        return int(found["stimulus"])
    both = found.get("stimulus:made_by")
    return -(-int(both) // 2) if both else None
