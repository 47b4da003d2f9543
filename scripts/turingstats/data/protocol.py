"""What judges were shown and contributors were asked, as far as data and study file tell.

A paper's constants (how many trials on people, which lengths, how many words a caption has at least) are
claims, too. `measure_protocol` reads them off the trials and responses, `list_settings` off the study file.
"""

import json

import pandas as pd

from turingstats.config.settings import FIXATIONS


def measure_protocol(judgments, responses, study):
    """Measure constants of the protocol.

    Parameters
    ----------
    judgments : pandas.DataFrame
        The data contract's table: every trial of the source, analyzed or not.
    responses : pandas.DataFrame
        The data contract's table.
    study : Study

    Returns
    -------
    pandas.DataFrame
        protocol_id (task.cohort.quantity), study, task, cohort, quantity, value. Of human judges, by
        task and cohort, and by task for cohort `all`, and for all tasks: share_human (of verdicts on
        test trials, those on people), n_train (last place of a training trial in any session),
        n_topics, n_lengths and max_exchanges, min_rt_s (fastest verdict), n_stimuli_<level> for
        every level of domain and number of exchanges. Of responses, by task: min_answers_human
        (fewest answers of people to a stimulus), min_words_human (shortest answer),
        max_labels_human (most labels in an answer, between commas), min_fixations, max_fixations
        of people's scan paths. Of conversations: n_stimuli_<turns>, those whose last turn that is.
    """

    people = judgments[judgments["judge_kind"] == "human"]
    rows = []

    def add(task, cohort, quantities):
        for quantity, value in quantities.items():
            if pd.notna(value):
                where = {"study": study.study, "task": task, "cohort": cohort}
                identity = {"protocol_id": f"{task}.{cohort}.{quantity}"}
                rows.append(identity | where | {"quantity": quantity, "value": float(value)})

    add("all", "all", {"share_human": measure_share_human(people)})
    for task, trials in people.groupby("task", observed=True):
        add(task, "all", measure_trials(trials))
        for cohort, own in trials.groupby("cohort", observed=True):
            add(task, cohort, measure_trials(own))
    for task, answers in responses.groupby("task", observed=True):
        form = study.tasks[task].response
        by_people = answers[answers["agent"] == "human"]
        add(task, "responses", measure_answers(by_people, form and form.form))
        if answers["turn"].notna().any():
            turns = answers.groupby("stimulus", observed=True)["turn"].max().value_counts()
            turns = turns.sort_index()
            add(task, "responses", {f"n_stimuli_{n}": count for n, count in turns.items()})
    columns = ["protocol_id", "study", "task", "cohort", "quantity", "value"]
    return pd.DataFrame(rows, columns=columns)


def measure_share_human(trials):
    """Share of the verdicts on test trials that are on people."""
    return (trials.loc[trials["phase"] == "test", "truth"] == "human").mean()


def measure_trials(trials):
    """Constants of the trials of some judges."""
    found = {"share_human": measure_share_human(trials)}
    found["n_train"] = trials.loc[trials["phase"] == "train", "position"].max()
    if trials["topic"].notna().any():
        found["n_topics"] = trials["topic"].nunique()
    if trials["exchanges"].notna().any():
        found["n_lengths"] = trials["exchanges"].nunique()
        found["max_exchanges"] = trials["exchanges"].max()
    if trials["rt_ms"].notna().any():
        found["min_rt_s"] = trials["rt_ms"].min() / 1000
    for column in ("domain", "exchanges"):
        named = trials.dropna(subset=[column, "stimulus"])
        different = named.groupby(column, observed=True)["stimulus"].nunique()
        found |= {f"n_stimuli_{level}": count for level, count in different.items()}
    return found


def measure_answers(answers, form):
    """Constants of people's answers in one task; `form` is that of its `Response`, if it declares one."""
    if answers.empty:
        return {}
    found = {"min_answers_human": answers["stimulus"].value_counts().min()}
    text = answers["response"].astype(str)
    if form == "scan path":
        fixations = text.map(lambda path: len(json.loads(path)))
        return found | {"min_fixations": fixations.min(), "max_fixations": fixations.max()}
    found["min_words_human"] = text.str.split().str.len().min()
    found["max_labels_human"] = text.str.count(",").max() + 1
    return found


def list_settings(study, confidence, judges=None):
    """Numbers of study file and configuration, one a row, and how many entries lists and mappings have.

    Parameters
    ----------
    study : dict
        A study file; a part of it will do.
    confidence : float
        Level of all intervals; 1 - confidence is the level of significance.
    judges : dict, optional
        The configuration's `judges`: how machine judges are trained here. They stand under `judges`,
        with train_fraction (what cross-validation trains on) and fixations.<reading> (of a scan path
        that a judge sees).

    Returns
    -------
    pandas.DataFrame
        setting_id (place in the study file, dots between keys; `.count` for a number of entries) and
        value.
    """

    rows = {"confidence": confidence}

    def walk(value, place):
        if isinstance(value, dict | list | tuple):
            rows[f"{place}.count"] = len(value)
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, entry in items:
                walk(entry, f"{place}.{key}")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            rows[place] = value

    for section, value in study.items():
        walk(value, section)
    if judges:
        shares = {"train_fraction": 1 - 1 / judges["folds"], "fixations": FIXATIONS}
        walk(judges | shares, "judges")
    return pd.DataFrame({"setting_id": list(rows), "value": list(rows.values())})
