"""What judges were shown and contributors were asked, as far as the data and the study file tell.

A paper's constants (the share of trials on people, conversation lengths, the minimum number of words in a
caption) are claims, too. `measure_protocol` takes them from the trials and responses, `list_settings` from
the study file.
"""

import pandas as pd

from turingstats.config.settings import FIXATIONS
from turingstats.core.scan_paths import parse_scan_path


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
        protocol_id (task.cohort.quantity), study, task, cohort, quantity, value. For human judges, by
        task and cohort, by task (cohort `all`), and for all tasks: share_human (share of verdicts on
        test trials that are on people), n_train (last position of a training trial in any session),
        n_topics, n_lengths and max_exchanges, min_rt_s (fastest verdict), n_stimuli_<level> for
        every level of domain and number of exchanges. For responses, by task: min_answers_human
        (fewest answers by people to a stimulus), min_words_human (shortest answer),
        max_labels_human (most comma-separated labels in an answer), min_fixations and max_fixations
        of people's scan paths. For conversations: n_stimuli_<turns>, the number with that last turn.
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
    """Compute the share of verdicts on test trials that are on people."""
    return (trials.loc[trials["phase"] == "test", "truth"].dropna() == "human").mean()


def measure_trials(trials):
    """Measure the constants of the trials of some judges."""
    constants = {"share_human": measure_share_human(trials)}
    constants["n_train"] = trials.loc[trials["phase"] == "train", "position"].max()
    if trials["topic"].notna().any():
        constants["n_topics"] = trials["topic"].nunique()
    if trials["exchanges"].notna().any():
        constants["n_lengths"] = trials["exchanges"].nunique()
        constants["max_exchanges"] = trials["exchanges"].max()
    if trials["rt_ms"].notna().any():
        constants["min_rt_s"] = trials["rt_ms"].min() / 1000
    for column in ("domain", "exchanges"):
        named = trials.dropna(subset=[column, "stimulus"])
        different = named.groupby(column, observed=True)["stimulus"].nunique()
        constants |= {f"n_stimuli_{level}": count for level, count in different.items()}
    return constants


def measure_answers(answers, form):
    """Measure people's answers in one task; `form` is that of its `Response`, if it declares one."""
    if answers.empty:
        return {}
    constants = {"min_answers_human": answers["stimulus"].value_counts().min()}
    text = answers["response"].astype(str)
    if form == "scan path":
        fixations = text.map(lambda path: len(parse_scan_path(path)))
        return constants | {"min_fixations": fixations.min(), "max_fixations": fixations.max()}
    constants["min_words_human"] = text.str.split().str.len().min()
    constants["max_labels_human"] = text.str.count(",").max() + 1
    return constants


def list_settings(study, confidence, judges=None):
    """List the numbers of the study file and configuration, and the lengths of lists and mappings.

    Parameters
    ----------
    study : dict
        A study file, or a part of one.
    confidence : float
        Level of all intervals; the significance level is 1 - confidence.
    judges : dict, optional
        The configuration's `judges`: how machine judges are trained here. They are listed under `judges`,
        with train_fraction (share used for training in cross-validation) and fixations.<reading>
        (fixations of a scan path that a judge sees).

    Returns
    -------
    pandas.DataFrame
        One row per number: setting_id (path in the study file, with dots between keys; `.count` for a
        number of entries) and value.
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
