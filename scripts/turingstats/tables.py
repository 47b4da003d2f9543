"""The tables of the paper, filled with recomputed numbers.

A cell whose number needs a raw file that the public source lacks says so.
"""

from turingstats import files

NO_DATA = "no public data"


def build(name, study, estimates, sizes, reading):
    """Fill one table.

    Parameters
    ----------
    name : str
        Id of the table, such as "tableS1".
    study : Study
    estimates, sizes : pandas.DataFrame
    reading : {"published", "recommended"}

    Returns
    -------
    pandas.DataFrame
        One row a task, cells as text.
    """
    import pandas as pd

    size_of = sizes[sizes["reading"] == reading].set_index("size_id")["value"]
    estimate_of = estimates[estimates["reading"] == reading].set_index("estimate_id")["value"]
    n_of = estimates[estimates["reading"] == reading].set_index("estimate_id")["n"]
    rows = []
    for task_name, task in study.tasks.items():

        def size(cohort, quantity, task_name=task_name):
            return size_of.get(f"{task_name}.{cohort}.all.{quantity}")

        def estimate(key, of=estimate_of, task_name=task_name):
            return of.get(f"{task_name}.{key}")

        single = {n: c for n, c in task.cohorts.items() if not c.pools}
        people = {n: c for n, c in single.items() if c.judge_kind == "human"}
        machines = {n: c for n, c in single.items() if c.judge_kind != "human"}
        present = [c for n, c in machines.items() if size(n, "n_judges") is not None]
        if name == "tableS1":
            cells = {
                "Num. stimuli": whole(size("responses", "n_answers")),
                "Num. human agents": NO_DATA,
                "Num. human judges": whole(total(size(c, "n_judges") for c in people)),
                "Num. Turing tests": whole(total(size(c, "n_shown") for c in people)),
                "AI agents": ", ".join(study.agents[a].label for a in task.agents),
                "AI judges": "; ".join(c.label for c in present) or NO_DATA,
            }
        elif name == "tableS2":
            cells = {}
            for setting in ("online", "in-lab", "feedback"):
                own = [c for c, described in people.items() if described.setting == setting]
                judges = total(size(c, "n_judges") for c in own)
                shown = total(size(c, "n_shown") for c in own)
                mean = None if judges is None or shown is None else shown / judges
                cells[f"{setting}: judges"] = whole(judges)
                cells[f"{setting}: trials per judge"] = NO_DATA if mean is None else f"{mean:.1f}"
        elif name == "tableS3":
            judges = total_of_known(size(c, "n_catch_judges") for c in people)
            trials = total_of_known(size(c, "n_catch_trials") for c in people)
            right = total_of_known(
                None
                if size(c, "n_catch_trials") is None
                else size(c, "n_catch_trials") * size(c, "catch_p_MM")
                for c in people
            )
            cells = {
                "Num. human judges": whole(judges),
                "Num. catch trials": whole(trials),
                "P(M|M)": NO_DATA if trials is None else f"{right / trials:.2f}",
            }
        else:
            key = "gpt4o_agent.all.chatgpt"
            value = estimate(f"{key}.detectability")
            cells = {
                "Num. human judges": whole(size("gpt4o_agent", "n_judges")),
                "Num. trials": whole(estimate(f"{key}.p_MM", n_of)),
                "Imitation detectability": NO_DATA if value is None else f"{value:.2f}",
            }
        rows.append({"Task": task.label} | cells)
    return pd.DataFrame(rows)


def whole(number):
    """A count with thousands separators, or the note that it cannot be had."""
    return NO_DATA if number is None else f"{number:,.0f}"


def total(numbers):
    """Sum, or None where a part is not known: a sum of some cohorts would pass for that of all."""
    numbers = list(numbers)
    return None if not numbers or any(n is None for n in numbers) else sum(numbers)


def total_of_known(numbers):
    """Sum of the parts that are known, or None where none is."""
    numbers = [n for n in numbers if n is not None]
    return sum(numbers) if numbers else None


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
    latex = plain.format(escape="latex").to_latex(
        hrules=True, caption=escaped(caption), position="htbp"
    )
    files.write_text(latex, tex)
    files.write_text(plain.set_caption(caption).to_html(table_uuid="table") + "\n", html)


def escaped(text):
    """Text safe for LaTeX."""
    return "".join(f"\\{letter}" if letter in "%&_#$" else letter for letter in text)
