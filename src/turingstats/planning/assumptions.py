"""What a plan assumes: how often responses are judged human, and how judges and stimuli vary."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.planning import STATED, Plan
from turingstats.core.data_labels import GENERATED
from turingstats.core.errors import ConfigError
from turingstats.stats.power.draws import Rate, Spreads
from turingstats.stats.power.simulation import Goals

GROUPS = ("judge", "judge:made_by", "stimulus", "stimulus:made_by")
"""Random intercepts that a plan knows, in the order of `Spreads`."""
NAMES = {"people": "people", "agent": "the agent", "other": "the other agent"}
OUTCOMES = {"said_machine": False, "said_human": True}
"""Outcomes of models, and whether their probability is that of a response judged human."""


@dataclass(frozen=True)
class Assumptions:
    """What is assumed of a planned study."""

    plan: Plan
    goals: Goals
    seed: int
    # Shares judged human, or of ratings, of `SIDES`; nan for another agent that is not asked about.
    rates: tuple[Rate, ...]
    # Names of `SIDES`.
    names: tuple[str, ...]
    spreads: Spreads
    spread_errors: Spreads  # 0 for those taken as they are
    # None: no two trials have the same stimulus.
    stimuli: int | None
    # The fitted model, its formula, and its judges and verdicts; empty if all is stated.
    model: str
    formula: str
    based_on: str
    # Label of everything that is computed from these.
    data: str
    # What is not simulated, with reasons: random effects, questions, numbers of trials.
    left_out: tuple[str, ...]
    questions: tuple[str, ...]
    # Numbers of trials per judge to try.
    trials: tuple[int, ...]
    # Agents that share the trials without people's responses.
    agents: int

    @property
    def means(self) -> list[float]:
        """Mean verdict of each side: share judged human, or mean rating from 0 to 1."""
        return [float(np.mean(rate)) for rate in self.rates]

    @property
    def stated(self) -> list[str]:
        """Keys whose values replace the model's."""
        rates = [f"rates.{side}" for side in self.plan.ratings or self.plan.rates]
        return rates + [f"spreads.{group}" for group in self.plan.spreads]


def refuse(key: str, problem: str, fix: str) -> ConfigError:
    """Return the error that says which key of the plan cannot be, why, and what to do."""
    file = "config/config.yaml, --configfile or --config"
    return ConfigError(f"plan.{key}: {problem}\n  file:    {file}\n  fix:     {fix}")


def assume(
    plan: Plan,
    models: pd.DataFrame | None,
    labels: dict[str, str],
    study: str,
    options: dict[str, Any],
) -> Assumptions:
    """Assume what the plan states, and the rest from rows of models.csv, with confidence, margin and seed."""
    names: dict[str, str] = {}
    rates: dict[str, Rate] = {}
    spreads = errors = dict.fromkeys(GROUPS, 0.0)
    fitted = dict.fromkeys(("model", "formula", "based_on"), "")
    stimuli, left_out, source = plan.stimuli, [], "stated values"
    if plan.model != STATED:
        rows = choose_model(plan.model, models, study)
        first = rows.iloc[0]
        fitted = {"model": first["model_id"], "formula": first["formula"]}
        fitted["based_on"] = f"{first['n_judges']:.0f} judges and {first['n']:,.0f} verdicts"
        rates, names = read_rates(rows, plan, labels)
        spreads, errors, left_out = read_spreads(rows)
        stimuli = stimuli or count_stimuli(first["groups"])
        source = f"the model {first['model_id']} of {first['data']}"
    if plan.ratings:
        # Shares above each point but the last.
        rates = {side: tuple(1 - np.cumsum(own)[:-1]) for side, own in plan.ratings.items()}
    rates.update(plan.rates.items())
    spreads, errors = spreads | plan.spreads, errors | dict.fromkeys(plan.spreads, 0.0)
    questions, not_asked = select_questions(plan, "other" in rates)
    trials, too_many = select_trials(plan, stimuli, fitted["model"])
    asked_other = "agents" in questions
    level = options["confidence"]
    alpha = round((1 - level) / plan.tests, 12)
    return Assumptions(
        plan=plan,
        goals=Goals(alpha, level, options["margin"], plan.width, plan.d_prime_width),
        seed=options["seed"],
        rates=(rates["people"], rates["agent"], rates["other"] if asked_other else np.nan),
        names=tuple((NAMES | names).values()),
        spreads=Spreads(*(float(spreads[group]) for group in GROUPS)),
        spread_errors=Spreads(*(float(errors[group]) for group in GROUPS)),
        stimuli=None if plan.own_stimuli else stimuli,
        **fitted,
        data=f"{GENERATED}, studies simulated from {source}",
        left_out=(*left_out, *not_asked, *too_many),
        questions=questions,
        trials=trials,
        agents=plan.agents or (2 if asked_other else 1),
    )


def select_questions(plan: Plan, has_other: bool) -> tuple[tuple[str, ...], list[str]]:
    """Select the questions that can be asked, and describe the others."""
    why = {}
    if plan.agents == 1:
        why["agents"] = "plan.agents is 1"
    if not has_other:
        why["agents"] = "there is no other agent"
    if plan.ratings:
        others = (each for each in plan.questions if each not in ("people", "agents"))
        why |= dict.fromkeys(others, "it is not asked of ratings")
    asked = tuple(question for question in plan.questions if question not in why)
    not_asked = [f"the question {each}: {why[each]}" for each in plan.questions if each in why]
    if not asked:
        fix = "ask about people, chance, same_as_people or width, or state plan.rates.other and two agents"
        raise refuse("questions", f"none can be asked: {not_asked[-1]}", fix)
    return asked, not_asked


def select_trials(plan: Plan, stimuli: int | None, model: str) -> tuple[tuple[int, ...], list[str]]:
    """Select the numbers of trials for which there are enough stimuli, and describe the others."""
    if plan.own_stimuli:
        return plan.trials, []
    if stimuli is None:
        problem = f"the model {model} has no random effect of stimuli, so their number is not known"
        raise refuse("stimuli", problem, "state how many there are, or own_stimuli: true")
    trials = tuple(number for number in plan.trials if number <= stimuli)
    problem = f"no judge sees a stimulus twice, and there are {stimuli} stimuli"
    if not trials:
        more_stimuli = "use more stimuli: plan.stimuli or plan.own_stimuli"
        fix = f"try fewer than {plan.trials[0]} trials, or {more_stimuli}"
        raise refuse("trials", problem, fix)
    more = ", ".join(str(number) for number in plan.trials[len(trials) :])
    return trials, [f"{more} trials per judge: {problem}"] if more else []


def choose_model(name: str | None, models: pd.DataFrame, study: str) -> pd.DataFrame:
    """Choose the rows of the model `name`, or of the first one, that compares agents with people."""
    compared = models[(models["kind"] == "probability") & (models["group"] == "agent")]
    with_people = set(compared.loc[compared["term"] == "human", "model_id"])
    candidates = [
        model
        for model, formula in models.drop_duplicates("model_id")[["model_id", "formula"]].to_numpy()
        if model in with_people and formula.split("~")[0].strip() in OUTCOMES
    ]
    stating = (
        "state the numbers: plan={model: stated, rates: {people: 0.55, agent: 0.45}, "
        "spreads: {judge: 0.6}, stimuli: 100}"
    )
    if not candidates:
        problem = f"no fitted model of {study} compares agents with people"
        raise refuse("model", problem, stating)
    if name is None:
        name = candidates[0]
    if name not in candidates:
        named = models[models["model_id"] == name]
        problem = f"there is no fitted model {name} of {study} that compares agents with people"
        if len(named) and named.iloc[0]["kind"] == "not fitted":
            problem = f"the model {name} of {study} has no estimates ({named.iloc[0]['notes']})"
        raise refuse("model", problem, f"choose {', '.join(candidates)}, or {stating}")
    return models[models["model_id"] == name]


def read_rates(
    rows: pd.DataFrame, plan: Plan, labels: dict[str, str]
) -> tuple[dict[str, Rate], dict[str, str]]:
    """Read the shares judged human of people and of two agents from the probabilities of a model."""
    shown = rows[(rows["kind"] == "probability") & (rows["group"] == "agent")].set_index("term")
    says_human = OUTCOMES[rows.iloc[0]["formula"].split("~")[0].strip()]
    human = shown["estimate"] if says_human else 1 - shown["estimate"]
    machines = human.drop("human")
    for key, name in (("agent", plan.agent), ("other", plan.other)):
        if name is not None and name not in machines:
            problem = f"the model {rows.iloc[0]['model_id']} has no agent {name!r}"
            raise refuse(key, problem, f"choose one of {', '.join(machines.index)}")
    agent = plan.agent or (machines - human["human"]).abs().idxmin()
    rest = machines.drop(agent)
    rates: dict[str, Rate] = {"people": human["human"], "agent": machines[agent]}
    names = {"agent": labels.get(agent, agent)}
    if plan.other == agent:
        raise refuse("other", f"{agent} cannot be compared with itself", "name another agent")
    if len(rest):
        other = plan.other or (rest - machines[agent]).abs().idxmax()
        rates["other"] = rest[other]
        names["other"] = labels.get(other, other)
    return rates, names


def read_spreads(rows: pd.DataFrame) -> tuple[dict[str, float], dict[str, float], list[str]]:
    """Read standard deviations of random intercepts and their errors; list other effects with a reason."""
    spreads, errors = dict.fromkeys(GROUPS, 0.0), dict.fromkeys(GROUPS, 0.0)
    left_out = []
    for row in rows[rows["kind"].isin(["sd", "correlation"])].to_dict("records"):
        group = "judge" if row["group"] == "person" else row["group"]
        if row["kind"] == "sd" and group in GROUPS and row["term"] == "(Intercept)":
            spreads[group] = row["estimate"]
            # The error of one near 0 is too large: the likelihood is not quadratic there.
            errors[group] = row["se"] if row["se"] < row["estimate"] else 0.0
        else:
            left_out.append(f"the random effect {row['term']} of {row['group']}: not simulated")
    if not any(spreads[group] for group in GROUPS[2:]):
        why = "the model finds none, or has no term for them"
        left_out.append(f"differences between stimuli: {why}")
    return spreads, errors, left_out


def count_stimuli(groups: str) -> int | None:
    """Count the stimuli of a model from its groups, such as "judge 65; stimulus:made_by 300"; or None."""
    sizes = dict(re.findall(r"(\S+) (\d+)", groups))
    if "stimulus" in sizes:
        return int(sizes["stimulus"])
    both = sizes.get("stimulus:made_by")
    return -(-int(both) // 2) if both else None
