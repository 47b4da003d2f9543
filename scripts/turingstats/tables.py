"""The tables of the paper, filled with recomputed numbers.

A cell whose number needs a raw file that is not public, or not in the source at hand, says so.
"""

from turingstats import files
from turingstats.texts import MEASURES

NOT_PUBLIC = "no public data"
NOT_HERE = "no data in this source"
LONG = 40
"""Rows that fit on a page of LaTeX."""


class Numbers:
    """The results of one task in one reading, looked up by name; None where there is none.

    Parameters
    ----------
    task : str
    estimates, sizes, missing : pandas.DataFrame
    reading : {"published", "recommended"}
    """

    def __init__(self, task, estimates, sizes, missing, reading):
        self.task = task
        self.lacking = why_absent(task, missing)
        self.sizes = sizes[sizes["reading"] == reading].set_index("size_id")["value"]
        self.estimates = estimates[estimates["reading"] == reading].set_index("estimate_id")

    def size(self, cohort, quantity):
        """A size of a whole cohort."""
        return self.sizes.get(f"{self.task}.{cohort}.all.{quantity}")

    def estimate(self, key, column="value"):
        """A column of an estimate, by its id without the task."""
        name = f"{self.task}.{key}"
        return self.estimates.loc[name, column] if name in self.estimates.index else None

    def shown(self, number, form=",.0f"):
        """A number as text, or why it cannot be had."""
        return self.lacking if number is None else f"{number:{form}}"


def why_absent(task, missing):
    """What to say in place of a number of a task that there is not."""
    absent = missing[(missing["task"] == task) & (missing["why"] == "not in this source")]
    return NOT_PUBLIC if absent.empty else NOT_HERE


def build(name, study, estimates, sizes, texts, missing, reading, rates=None):
    """Fill one table.

    Parameters
    ----------
    name : str
        Id of the table: one of `ROWS`, or tableS5; a study with `rates` has these in any.
    study : Study
    estimates, sizes, texts, missing : pandas.DataFrame
    reading : {"published", "recommended"}
    rates : pandas.DataFrame, optional
        success_rates.csv of a study whose paper prints counts.

    Returns
    -------
    pandas.DataFrame
        One row a task (of success rates: an agent; of texts: a task and agent), cells as text.
    """
    import pandas as pd

    if name == "tableS5":
        return pd.DataFrame(texts_by_agent(study, texts, missing, reading))
    if rates is not None:
        return pd.DataFrame(rates_by_agent(study, rates))
    rows, known = [], []
    for task_name, task in study.tasks.items():
        numbers = Numbers(task_name, estimates, sizes, missing, reading)
        rows.append({"Task": task.label} | ROWS[name](task, numbers, study))
        known.append(counts_of_task(task, numbers))
    if name == "tableS1" and len(known) > 1:
        sums = {key: total(counts[key] for counts in known) for key in known[0]}
        shown = {key: "not all known" if n is None else f"{n:,.0f}" for key, n in sums.items()}
        rows.append({"Task": "Total"} | shown | {"AI agents": "", "AI judges": ""})
    return pd.DataFrame(rows)


def rates_by_agent(study, rates):
    """Success rate and number of trials of each agent in each subset: as printed, and of the judgments."""
    known = rates.set_index(["source", "subset", "agent"])
    for agent in (*(a for a in study.agents if a != "human"), "human"):
        row = {"Witness": study.agents[agent].label}
        for source in rates["source"].unique():
            for subset in study.subsets:
                key = (source, subset, agent)
                own = known.loc[key] if key in known.index else None
                cell = "not printed" if source == "published counts" else "no trials"
                if own is not None:
                    cell = f"{own['value']:.2f} [{own['ci_low']:.2f}, {own['ci_high']:.2f}] ({own['n']:,.0f})"
                row[f"{source}, {subset} games".capitalize()] = cell
        yield row


def people(task):
    """Names of the cohorts of human judges; pools of them would count twice."""
    return [
        name
        for name, cohort in task.cohorts.items()
        if cohort.judge_kind == "human" and not cohort.pools
    ]


def size_of_task(task, numbers, study):
    """Row of Table S1."""
    machines = [name for name, cohort in task.cohorts.items() if cohort.judge_kind != "human"]
    present = [name for name in machines if numbers.size(name, "n_judges") is not None]
    labels = "; ".join(task.cohorts[name].label for name in present)
    return {name: numbers.shown(n) for name, n in counts_of_task(task, numbers).items()} | {
        "AI agents": ", ".join(study.agents[agent].label for agent in task.agents),
        "AI judges": labels or numbers.lacking,
    }


def counts_of_task(task, numbers):
    """The numbers of Table S1, None where one is not known."""
    return {
        "Num. stimuli": numbers.size("responses", "n_stimuli"),
        "Num. human agents": numbers.size("responses", "n_responders"),
        "Num. human judges": total(
            numbers.size(name, "n_judges_in_source") for name in people(task)
        ),
        "Num. Turing tests": total(numbers.size(name, "n_shown") for name in people(task)),
    }


def specification(task, numbers, study):
    """Row of Table 1 of the version of 2022."""
    return {
        "Num. stimuli": numbers.shown(numbers.size("responses", "n_images")),
        "Num. responses": numbers.shown(numbers.size("responses", "n_answers")),
        "Num. Turing tests": numbers.shown(
            total(
                numbers.size(name, "n_shown") or numbers.size(name, "n_in_source")
                for name in people(task)
            )
        ),
        "AI models": ", ".join(study.agents[agent].label for agent in task.agents),
    }


def settings_of_task(task, numbers, study):
    """Row of Table S2."""
    cells = {}
    for setting in ("online", "in-lab", "feedback"):
        own = [name for name in people(task) if task.cohorts[name].setting == setting]
        judges = total(numbers.size(name, "n_judges_in_source") for name in own)
        shown = total(numbers.size(name, "n_shown") for name in own)
        mean = None if judges is None or shown is None else shown / judges
        cells[f"{setting}: judges"] = numbers.shown(judges)
        cells[f"{setting}: trials per judge"] = numbers.shown(mean, ".1f")
    return cells | {"people": people_known(task, numbers)}


def people_known(task, numbers):
    """How many people the judges of a task are, as far as the source tells."""
    judges, known, different = (
        numbers.size("all", f"n_{what}") for what in ("judges", "judges_known", "people")
    )
    if judges is None or not different:
        return "not known"
    if known == judges:
        return f"{different:,.0f}"
    return f"{different:,.0f} in {known:,.0f} of {judges:,.0f} judges, others not known"


def catch_trials(task, numbers, study):
    """Row of Table S3."""
    trials = {name: numbers.size(name, "n_catch_trials") for name in people(task)}
    known = [name for name, number in trials.items() if number is not None]
    if not known:
        return dict.fromkeys(("Num. human judges", "Num. catch trials", "P(M|M)"), NOT_PUBLIC)
    right = sum(numbers.size(name, "n_catch_right") for name in known)
    number = sum(trials[name] for name in known)
    judges = sum(numbers.size(name, "n_catch_judges") for name in known)
    return {
        "Num. human judges": numbers.shown(judges),
        "Num. catch trials": numbers.shown(number),
        "P(M|M)": numbers.shown(right / number, ".2f"),
    }


def chatgpt(task, numbers, study):
    """Row of Table S4."""
    cohort = next((name for name in people(task) if "chatgpt" in task.cohorts[name].agents), None)
    key = f"{cohort}.all.chatgpt"
    return {
        "Num. human judges": numbers.shown(numbers.size(cohort, "n_judges")),
        "Num. trials": numbers.shown(numbers.estimate(f"{key}.p_MM", "n")),
        "Imitation detectability": numbers.shown(numbers.estimate(f"{key}.detectability"), ".2f"),
    }


def texts_by_agent(study, texts, missing, reading):
    """Rows of Table S5: mean and standard deviation over responses, by task and agent."""
    cells = texts[texts["reading"] == reading].set_index("text_id")
    rows = []
    for name, task in study.tasks.items():
        if task.texts is None:
            continue
        lacking = why_absent(name, missing)
        for agent in ("human", *(a for a in task.texts.agents if a in task.agents)):
            row = {"Task": task.label, "Agent": study.agents[agent].label}
            found = {m: f"{name}.{agent}.{m}" for m in MEASURES}
            row["Responses"] = lacking
            if found["words"] in cells.index:
                row["Responses"] = f"{cells.loc[found['words'], 'n']:,.0f} {task.texts.unit}s"
            for measure, key in found.items():
                row[MEASURES[measure]] = ""
                if key in cells.index:
                    form = ".1e" if measure == "frequency" else ".3f"
                    mean, sd = cells.loc[key, "value"], cells.loc[key, "sd"]
                    row[MEASURES[measure]] = f"{mean:{form}} ± {sd:{form}}"
            rows.append(row)
    return rows


ROWS = {
    "table1": specification,
    "tableS1": size_of_task,
    "tableS2": settings_of_task,
    "tableS3": catch_trials,
    "tableS4": chatgpt,
}


def total(numbers):
    """Sum, or None where a part is not known: a sum of some cohorts would pass for that of all."""
    numbers = list(numbers)
    return None if not numbers or any(n is None for n in numbers) else sum(numbers)


def write(frame, title, reading, data, csv, tex, html):
    """Write a table as CSV (source data), LaTeX and HTML, each naming the data and the reading.

    Parameters
    ----------
    frame : pandas.DataFrame
    title, reading, data : str
    csv, tex, html : path-like
    """
    files.write(frame.assign(reading=reading, data=data), csv)
    caption = f"{title}. Recomputed from {data}, {reading} reading."
    plain = frame.style.hide(axis="index")
    # Tables longer than a page run on.
    long = "longtable" if len(frame) > LONG else None
    latex = plain.format(escape="latex").to_latex(
        hrules=True, caption=escaped(caption), position=None if long else "htbp", environment=long
    )
    files.write_text(latex, tex)
    files.write_text(plain.set_caption(caption).to_html(table_uuid="table") + "\n", html)


def escaped(text):
    """Text safe for LaTeX."""
    return "".join(f"\\{letter}" if letter in "%&_#$" else letter for letter in text)
