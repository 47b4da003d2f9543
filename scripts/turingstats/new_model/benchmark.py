"""Score a new model: its responses, one a stimulus, through every judge that is at hand.

The new model's responses join those of people and of the paper's models; then each judge judges all of
them anew, so that the new model and the paper's stand side by side under one and the same judge.
"""

import csv
import io
import json
from pathlib import Path

import jinja2
import numpy as np
import pandas as pd

import turingstats
from turingstats.analysis.estimates import rate
from turingstats.config.study import Agent
from turingstats.config.subset import language_judges
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import schema
from turingstats.figures import pages
from turingstats.judges.llm import language
from turingstats.judges.svm import training
from turingstats.new_model import figure
from turingstats.stats import resampling

AGENT = "submitted"
"""Id of the new model."""
SCREEN = {"x": 1280, "y": 1024}
"""Width and height of the pictures that scan paths lie on, pixels."""
TASKS = {
    "caption": "a caption",
    "word": "a word",
    "color": "a color word",
    "object": "three objects, such as car, tree, dog",
    "attention": "a scan path, a list of [x, y] in pixels",
}
"""Tasks with one response a stimulus, and what a response is."""
DESIGNS = ("folds", "few", "others")
"""Trained judges that score a new model, by how they are trained; see `turingstats.config.study.Trained`."""
MATCHING = "stimulus given matched note".split()
SCORES = (
    "study task judge judge_label judge_source judge_kind cohort reading agent agent_label submitted "
    "quantity value ci_low ci_high n_human n_machine n_stimuli method data"
).split()


# --- what the user brings ----------------------------------------------------------------------


def read(path, task):
    """Read a new model's responses.

    Parameters
    ----------
    path : path-like
        .json: an object {stimulus: response}, as the public repository's benchmark takes it; .csv: a
        header and the columns stimulus, response.
    task : str

    Returns
    -------
    dict of str to str
        Stimulus, as given, to response, in the form of the data contract.

    Raises
    ------
    InputError
        The file, or a row of it, is not of that form.
    ConfigError
        The task does not take one response a stimulus.
    """
    if task not in TASKS:
        raise ConfigError(
            f"task {task}: a model can be scored in {', '.join(TASKS)}, where a stimulus has one "
            "response"
        )
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"responses: there is no file {path}")
    readers = {".json": read_json, ".csv": read_csv}
    if path.suffix.lower() not in readers:
        raise InputError(
            path, "the kind of file is not known", allowed=list(readers), remedy="name it so"
        )
    given = {}
    try:
        pairs = list(readers[path.suffix.lower()](path))
    except UnicodeDecodeError as error:
        raise InputError(
            path, f"not UTF-8 text ({error.reason})", remedy="save it as UTF-8"
        ) from None
    for row, stimulus, value in pairs:
        if stimulus in given:
            raise InputError(
                path,
                "a stimulus has two responses",
                row=row,
                column="stimulus",
                value=stimulus,
                remedy="keep one response a stimulus",
            )
        given[stimulus] = response_of(value, task, path, row)
    if not given:
        raise InputError(path, "no responses", remedy=f"one entry a stimulus: {TASKS[task]}")
    return given


def read_json(path):
    """Entries of a JSON object; yields row, stimulus, value."""
    try:
        # A plain dict would hide a stimulus that occurs twice.
        content = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=list)
    except json.JSONDecodeError as error:
        raise InputError(
            path,
            f"not valid JSON ({error.msg})",
            row=f"line {error.lineno}",
            remedy="mend the file",
        ) from None
    pairs = isinstance(content, list) and all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in content
    )
    if not pairs:
        raise InputError(
            path,
            "expected one object of stimuli and responses",
            value=str(content)[:60],
            remedy='like {"0001.jpg": "a man at a table", "0002.jpg": "two dogs"}',
        )
    for stimulus, value in content:
        yield f"key {stimulus!r}", stimulus.strip(), value


def read_csv(path):
    """Rows of a CSV file; yields row, stimulus, value."""
    with path.open(newline="", encoding="utf-8-sig") as stream:
        rows = csv.reader(stream)
        header = [name.strip().lower() for name in next(rows, [])]
        if sorted(header) != ["response", "stimulus"]:
            raise InputError(
                path,
                "the columns are not as expected",
                row="line 1",
                value=", ".join(header),
                allowed=["stimulus", "response"],
                remedy="start with the line: stimulus,response",
            )
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            where = f"line {rows.line_num}"
            if len(cells) != 2:
                raise InputError(
                    path,
                    f"{len(cells)} cells in place of 2",
                    row=where,
                    value=",".join(cells)[:60],
                    remedy='quote a response that holds a comma: 4186,"car, tree, dog"',
                )
            row = dict(zip(header, cells, strict=True))
            yield where, row["stimulus"].strip(), row["response"]


def response_of(value, task, path, row):
    """A response in the form of the data contract; see `read`."""

    def fault(problem, remedy=None):
        shown = value if isinstance(value, str) else json.dumps(value)
        return InputError(
            path,
            problem,
            row=row,
            column="response",
            value=shown[:80],
            remedy=remedy or f"give {TASKS[task]}",
        )

    if task == "attention":
        return scan_path_of(value, fault)
    if task == "object":
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise fault("not a list of objects")
        words = [word.strip() for word in words]
        if len(words) != 3 or not all(words):
            raise fault(f"{len(list(filter(None, words)))} objects in place of 3")
        return ", ".join(words)
    if not isinstance(value, str):
        raise fault("not a text")
    text = " ".join(value.split())
    if not text:
        raise fault("the response is empty", "leave the stimulus out, or give a response")
    if task in ("word", "color") and len(text.split()) > 3:
        raise fault(f"{len(text.split())} words")
    return text


def scan_path_of(value, fault):
    """A scan path as the data contract has it, from a list or its text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            raise fault("not a list of [x, y]") from None
    if not isinstance(value, list) or not value:
        raise fault("not a list of [x, y]")
    path = []
    for number, point in enumerate(value, start=1):
        numeric = isinstance(point, list | tuple) and all(
            isinstance(part, int | float) and not isinstance(part, bool) for part in point
        )
        if not numeric or len(point) != 2:
            raise fault(f"fixation {number} is not a pair [x, y] of numbers")
        for (axis, limit), place in zip(SCREEN.items(), point, strict=True):
            if not 0 <= place < limit:
                raise fault(
                    f"fixation {number}: {axis} is {place:g}, outside the picture",
                    f"0 <= x < {SCREEN['x']} and 0 <= y < {SCREEN['y']}, in pixels from the top left",
                )
        path.append([round(part) for part in point])
    return json.dumps(path)


def match(given, responses, task, study, path):
    """Find the stimuli that responses are to.

    Parameters
    ----------
    given : dict of str to str
        From `read`.
    responses : pandas.DataFrame
        The data contract's table.
    task : str
    study : Study
    path : path-like
        For messages.

    Returns
    -------
    rows : pandas.DataFrame
        The matched responses as rows of the data contract, of the agent `submitted`.
    matching : pandas.DataFrame
        Columns `MATCHING`: every stimulus given or known; what it was given as, and what became of it.

    Raises
    ------
    InputError
        None of the stimuli is known, or two of them are one.
    """

    known = list(dict.fromkeys(responses.loc[responses["task"] == task, "stimulus"].astype(str)))
    if not known:
        raise ConfigError(f"task {task}: this source has no responses of people to compare with")
    names = {name.lower(): name for name in known}
    found, table = {}, []
    for stimulus, response in given.items():
        name = next(
            (names[key] for key in (stimulus.lower(), Path(stimulus).stem.lower()) if key in names),
            None,
        )
        if name is None:
            table.append((stimulus, stimulus, False, "unknown stimulus, left out"))
        elif name in found:
            raise InputError(
                path,
                "two entries are to one and the same stimulus",
                column="stimulus",
                value=f"{found[name][0]} and {stimulus}",
                remedy="keep one of them",
            )
        else:
            found[name] = stimulus, response
    if not found:
        raise InputError(
            path,
            f"none of its {len(given)} stimuli is one of task {task}",
            column="stimulus",
            value=next(iter(given)),
            allowed=[*known[:5], "..."],
            remedy="name stimuli as the study does; an ending such as .jpg does no harm",
        )
    table += [(name, found[name][0], True, "") for name in known if name in found]
    table += [(name, None, False, "no response") for name in known if name not in found]
    rows = [
        {
            "study": study.study,
            "task": task,
            "stimulus": name,
            "agent": AGENT,
            "response": found[name][1],
        }
        for name in known
        if name in found
    ]
    rows = pd.DataFrame(rows).reindex(columns=list(schema.RESPONSES))
    return rows, pd.DataFrame(table, columns=MATCHING)


# --- judging -----------------------------------------------------------------------------------


def with_agent(study, task, label):
    """The study with the new model as one more agent of a task and of the judges trained here.

    Only those judges are kept that score a new model (`DESIGNS`).
    """

    described = study.tasks[task]
    cohorts = {
        name: cohort.model_copy(update={"agents": (*cohort.agents, AGENT)})
        for name, cohort in described.cohorts.items()
        if cohort.trained is not None and cohort.trained.design in DESIGNS
    }
    described = described.model_copy(
        update={"agents": (*described.agents, AGENT), "cohorts": cohorts}
    )
    return study.model_copy(
        update={
            "agents": {**study.agents, AGENT: Agent(label=label)},
            "tasks": {task: described},
        }
    )


def detectabilities(verdicts, agents, analysis, options):
    """Detectability of agents under one judge, with intervals from a bootstrap of stimuli.

    Responses to one stimulus are not independent, all the less where a judge sees them together.

    Parameters
    ----------
    verdicts : pandas.DataFrame
        stimulus, agent, right (whether the verdict is).
    agents : sequence of str
    analysis : str
        Name of the analysis; seeds its draws.
    options : dict
        seed, n_bootstrap, confidence.

    Yields
    ------
    dict
        agent, value = (P(H|H) + P(M|M)) / 2, ci_low, ci_high, n_human, n_machine, n_stimuli, method.
    """

    stimuli, place = np.unique(verdicts["stimulus"].to_numpy(str), return_inverse=True)
    made_by = verdicts["agent"].to_numpy(str)
    right = verdicts["right"].to_numpy(bool)
    columns = []
    for agent in ("human", *agents):
        own = made_by == agent
        columns += [
            np.bincount(place[own], minlength=len(stimuli)),
            np.bincount(place[own & right], minlength=len(stimuli)),
        ]
    counts = np.stack(columns, axis=1).astype(int)
    total = counts.sum(axis=0)
    draws = resampling.bootstrap_totals(
        counts, options["n_bootstrap"], resampling.generator(options["seed"], analysis)
    )
    tail = 100 * (1 - options["confidence"]) / 2
    for number, agent in enumerate(agents, start=1):
        if not total[0] or not total[2 * number]:
            continue

        def value_of(sums, at=2 * number):
            return (rate(sums[..., 1], sums[..., 0]) + rate(sums[..., at + 1], sums[..., at])) / 2

        drawn = value_of(draws)
        drawn = drawn[np.isfinite(drawn)]
        low, high = np.percentile(drawn, [tail, 100 - tail])
        yield {
            "agent": agent,
            "quantity": "detectability",
            "value": float(value_of(total)),
            "ci_low": float(low),
            "ci_high": float(high),
            "n_human": int(total[0]),
            "n_machine": int(total[2 * number]),
            "n_stimuli": int((counts[:, 2 * number] > 0).sum()),
            "method": f"bootstrap of stimuli, {options['n_bootstrap']} draws, percentile",
        }


def by_trained_judges(responses, study, task, judges, options):
    """Detectabilities by the judges that are trained here.

    Parameters
    ----------
    responses : pandas.DataFrame
        Of people, the paper's models and the new one.
    study : Study
        From `with_agent`.
    task : str
    judges : turingstats.config.settings.Judges
    options : dict
        seed, n_bootstrap, confidence.

    Returns
    -------
    rows : list of dict
    absent : dict of str to str
        Judges that could not be trained, and why.
    """

    made = training.train(responses, study, task, judges, options["seed"], options["confidence"])
    told = made["evaluation"]
    sees = told.dropna(subset="embeddings").set_index(["cohort", "reading"])["embeddings"].to_dict()
    told = told[told["quantity"] == "not trained"]
    cohorts = study.tasks[task].cohorts
    absent = {
        cohorts[cohort].label: reason
        for cohort, reason in zip(told["cohort"], told["method"], strict=True)
    }
    scores = made["scores"]
    scores = scores.assign(right=(scores["score"] > 0) == (scores["truth"] == "machine"))
    rows = []
    for (cohort, reading), own in scores.groupby(["cohort", "reading"], sort=False):
        place = {"judge": cohort, "judge_label": cohorts[cohort].label, "judge_kind": "svm"}
        place |= {"cohort": cohort, "reading": reading}
        place["judge_source"] = f"trained here, sees {seen_as(sees[cohort, reading])}"
        agents = cohorts[cohort].agents
        name = f"benchmark {task} {cohort} {reading}"
        if cohorts[cohort].trained.design != "others":
            rows += [place | row for row in detectabilities(own, agents, name, options)]
            continue
        for agent in agents:  # each by the judge that never met it
            met = own[own["trained_on"] == f"all but {agent}"]
            if len(met):
                rows += [
                    place | row for row in detectabilities(met, [agent], f"{name} {agent}", options)
                ]
    return rows, absent


def seen_as(embeddings):
    """What a trained judge sees, in words."""
    if embeddings == "ngrams":
        return "character n-grams"
    return embeddings if "fixations" in embeddings else f"embeddings ({embeddings})"


def by_language_models(responses, study, task, settings, options):
    """Detectabilities by language models, and who they are; see `by_trained_judges`."""

    if settings.base_url is None:
        return [], {"Language models": "no endpoint to ask (llm.base_url)"}
    single = tuple(name for name in settings.protocols if name != "pairwise")
    if not single:
        return [], {"Language models": "llm.protocols names none that judges single responses"}
    settings = settings.model_copy(update={"tasks": (task,), "protocols": single})
    # Prompts about stimuli that the new model did not respond to would say nothing of it.
    answered = responses.loc[responses["agent"] == AGENT, "stimulus"]
    asked = responses[(responses["task"] == task) & responses["stimulus"].isin(answered)]
    judgments = language.judge(asked, study, settings, options["seed"])["judgments"]
    judgments = judgments.assign(
        right=judgments["verdict"].astype(str) == judgments["truth"].astype(str)
    )
    rows = []
    for cohort, _, _, label in language_judges(task, settings):
        own = judgments[judgments["cohort"] == cohort]
        place = {"judge": cohort, "judge_label": label, "judge_kind": "llm", "cohort": cohort}
        place["judge_source"] = "language model, asked here"
        agents = study.tasks[task].agents
        found = list(detectabilities(own, agents, f"benchmark {task} {cohort}", options))
        rows += [place | {"reading": reading} | row for reading in READINGS_OF_LLM for row in found]
    return rows, {}


READINGS_OF_LLM = ("published", "recommended")
"""A language model's verdicts belong to both readings."""


def by_people(estimates, study, task):
    """Detectabilities of the paper's models by people online, for comparison.

    A model that several cohorts judged is shown with the cohort of most verdicts.
    """
    described = study.tasks[task]
    online = [name for name, cohort in described.cohorts.items() if cohort.setting == "online"]
    place = {"judge": "people", "judge_label": "People online", "judge_kind": "human"}
    place["judge_source"] = "people, who did not see the new model"
    own = known(estimates, task, online).sort_values("n", ascending=False, kind="stable")
    return [place | row for row in shown(own.drop_duplicates(["agent", "reading"]))]


def by_published(estimates, study, task, asked=(), generated=False):
    """Detectabilities of the paper's models by the paper's machine judges, for comparison.

    Parameters
    ----------
    estimates : pandas.DataFrame
    study : Study
    task : str
    asked : collection of str
        Cohorts of language models that are asked here.
    generated : bool
        The predictions are simulated, as all data are.

    Returns
    -------
    list of dict
    """
    source = "simulated as the paper's judge" if generated else "predictions published by the paper"
    rows = []
    for name, cohort in study.tasks[task].cohorts.items():
        if cohort.judge_kind == "human" or cohort.trained or cohort.pools or name in asked:
            continue
        place = {"judge": name, "judge_label": f"Paper's {cohort.label}"}
        place |= {"judge_kind": cohort.judge_kind, "judge_source": source}
        rows += [place | row for row in shown(known(estimates, task, [name]))]
    return rows


def known(estimates, task, cohorts):
    """Detectabilities of single agents by some cohorts, with the verdicts on either kind of response."""
    own = estimates[
        (estimates["task"] == task)
        & estimates["cohort"].isin(cohorts)
        & (estimates["group_by"] == "all")
    ]
    verdicts = own.set_index(["quantity", "cohort", "reading", "agent"])["n"].to_dict()
    own = own[(own["quantity"] == "detectability") & (own["agent"] != "all") & own["value"].notna()]
    places = list(zip(own["cohort"], own["reading"], own["agent"], strict=True))
    return own.assign(
        n_human=[verdicts.get(("p_HH", *place[:2], "human")) for place in places],
        n_machine=[verdicts.get(("p_MM", *place)) for place in places],
    )


def shown(estimates):
    """What of estimates the scores hold."""
    columns = "cohort reading agent quantity value ci_low ci_high n_human n_machine method".split()
    return estimates[columns].to_dict("records")


def score(rows, matched, study, task):
    """All detectabilities as one table.

    Parameters
    ----------
    rows : list of dict
        From `by_people`, `by_published`, `by_trained_judges`, `by_language_models`.
    matched : Study
        With the new model.
    study : Study
    task : str

    Returns
    -------
    pandas.DataFrame
        Columns `SCORES` but `data`.
    """

    place = {"study": study.study, "task": task}
    rows = [
        place
        | row
        | {
            "agent_label": matched.agents[row["agent"]].label,
            "submitted": row["agent"] == AGENT,
        }
        for row in rows
    ]
    return pd.DataFrame(rows).reindex(columns=[name for name in SCORES if name != "data"])


# --- the page ----------------------------------------------------------------------------------

LISTED = 12
"""Stimuli named on the page, at most."""


def findings(scores, name):
    """What the scores say about the new model, a sentence a judge.

    Parameters
    ----------
    scores : pandas.DataFrame
        Of one reading.
    name : str
        Of the new model.

    Returns
    -------
    list of str
    """
    told = []
    for label, own in scores.groupby("judge_label", sort=False):
        new = own[own["submitted"]]
        if new.empty:
            continue
        row = new.iloc[0]
        others = own[~own["submitted"]]
        below = int((others["value"] < row["value"]).sum())
        side = "cannot be told from chance"
        if row["ci_low"] > 0.5:
            side = "is above chance"
        elif row["ci_high"] < 0.5:
            side = "is below chance"
        told.append(
            f"{label}: detectability {row['value']:.3f} ({row['ci_low']:.3f} to "
            f"{row['ci_high']:.3f}), which {side}; {below} of {len(others)} models of the paper are "
            f"harder to tell from people than {name}."
        )
    return told


def page(template, scores, matching, absent, about):
    """The page about a new model.

    Parameters
    ----------
    template : path-like
        Jinja template of the page.
    scores : pandas.DataFrame
        Columns `SCORES`, of the reading to show.
    matching : pandas.DataFrame
        From `match`.
    absent : dict of str to str
        Judges that are not at hand, and why.
    about : dict
        name, task, reference, reading, data, level, seed, draws.

    Returns
    -------
    str
        HTML, with the figure in it.
    """

    picture, judges, sources, table = "", [], [], []
    if len(scores):
        drawn = io.StringIO()
        figure.draw(scores).savefig(drawn, format="svg", **pages.SAVED_WITH["svg"])
        picture = drawn.getvalue()
        picture = picture[picture.index("<svg") :]
        first = scores.drop_duplicates("judge")
        judges = list(first["judge_label"])
        sources = list(first["judge_source"].fillna(""))
        for agent in figure.order_of(scores):
            own = scores[scores["agent"] == agent].set_index("judge_label")
            table.append(
                {
                    "label": own["agent_label"].iloc[0],
                    "new": bool(own["submitted"].iloc[0]),
                    "cells": [cell_of(own, judge) for judge in judges],
                }
            )
    lost = {
        "missing": matching[matching["note"] == "no response"],
        "unknown": matching[matching["note"].str.startswith("unknown")],
    }
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    text = Path(template).read_text(encoding="utf-8")
    return environment.from_string(text).render(
        **about,
        generated=about["data"] == "generated data",
        version=turingstats.__version__,
        picture=jinja2.filters.Markup(picture),
        judges=list(zip(judges, sources, strict=True)),
        rows=table,
        findings=findings(scores, about["name"]),
        absent=absent,
        n_matched=int(matching["matched"].sum()),
        n_known=int((~matching["note"].str.startswith("unknown")).sum()),
        **{f"n_{what}": len(rows) for what, rows in lost.items()},
        **{what: list(rows["stimulus"][:LISTED]) for what, rows in lost.items()},
    )


def cell_of(rows, judge):
    """A number of the page's table, or None."""
    if judge not in rows.index:
        return None
    row = rows.loc[judge]
    interval = (
        f"{row['ci_low']:.3f} to {row['ci_high']:.3f}" if row["ci_low"] == row["ci_low"] else ""
    )
    n = f"n = {row['n_machine']:,.0f}" if row["n_machine"] == row["n_machine"] else ""
    return {"value": row["value"], "small": [part for part in (interval, n) if part]}
