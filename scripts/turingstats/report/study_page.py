"""The report of a study: one page with its figures, tables, claims and what it was made from.

It is put together from results alone, and computes nothing but sums of counts. Sections without
anything to show are left out. Like the ledger it loads nothing from elsewhere, so that it opens from a
disk; pictures and source data stay where they are, and the page links to them.
"""

import csv
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

from turingstats.claims.ledger_page import MEANINGS, SYMBOLS
from turingstats.core.claim_statuses import STATUSES
from turingstats.core.data_labels import is_generated
from turingstats.core.labels import TESTS, THRESHOLD, either, family_of
from turingstats.data.absence import ABSENT
from turingstats.report import at_a_glance
from turingstats.report.at_a_glance import read

SHOWN = ("svg", "png")
"""Formats that a browser shows, the better first."""

TITLES = {
    "exclusions": "Trials left out, from the source to the analysis",
    "judgeSpread": "How far judges differ",
    "acrossTasks": "How well the same people judge in two tasks",
    "forest": "What mixed models say of each agent",
    "abilities": "Judges and stimuli: bias and difficulty in the mixed models",
    "equivalence": "Agents within the margin of people, and those that are not",
    "signal": "Signal detection: d' and criterion",
    "claims_overview": "Published and recomputed numbers",
    "audit": "What gives responses away before a machine judge is trained",
    "whatChanges": "What changes when judges and stimuli differ at random",
    "versions": "Numbers that both versions of the paper print",
}
"""Figures and tables that are made of every study, and not named in its file."""

LONG = 40
"""Rows of a table that stand open; a longer one opens on demand."""

UNITS = {
    "roc": "responses",
    "auc": "responses",
    "calibration": "responses",
    "learning curve": "responses",
    "correlation": "agents",
}
"""What n counts where it is not verdicts, by kind of panel."""


# --- reading and naming --------------------------------------------------------------------------


CAPTION = (
    "paper panel kind title task_label cohort_label judge_kind system n n_judges level test unit "
    "correction family_size text note interval method reading data"
).split()
"""Columns of source data that a caption tells."""

FILLED = ("se", "ci_low", "low", "p_adjusted")
"""Columns of which it tells only whether there is anything in them."""


def source(path):
    """What a caption needs of source data: distinct rows of `CAPTION` and `FILLED`.

    A figure may have a hundred thousand numbers; who judged what is told by few different rows.
    """
    if path is None or not Path(path).exists():
        return []
    with open(path, encoding="utf-8", newline="") as lines:
        reader = csv.reader(lines)
        places = {name: place for place, name in enumerate(next(reader))}
        told = [name for name in CAPTION if name in places]
        marked = [name for name in FILLED if name in places]
        own, marks = [places[name] for name in told], [places[name] for name in marked]
        found = dict.fromkeys(
            (*(row[i] for i in own), *("yes" if row[i] else "" for i in marks)) for row in reader
        )
    return [dict(zip((*told, *marked), row, strict=True)) for row in found]


def label(name):
    """What a figure or table is called in running text: Fig S10 for figS10; empty for others."""
    found = re.fullmatch(r"(fig|table)(S?\d+\w*)", name)
    return f"{found[1].capitalize()} {found[2]}" if found else ""


def number(text):
    """A number out of a CSV file, or None."""
    return float(text) if text not in ("", None) else None


def short(text):
    """A number out of a CSV file with four significant digits; other text as it is."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return text or ""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:.4g}"


def p_value(text):
    """A p value as `short` has it; one that is smaller than any number of the file is not 0."""
    return "< 1e-300" if number(text) == 0 else short(text)


def span(rows, column):
    """Smallest and largest number of a column as text; empty where there is none."""
    found = {number(row.get(column)) for row in rows} - {None}
    ends = dict.fromkeys(f"{end:,.0f}" for end in (min(found), max(found))) if found else {}
    return "\N{EN DASH}".join(ends)


def distinct(rows, column):
    """Values of a column, each once, in the order in which they come, without empty ones."""
    return list(dict.fromkeys(row[column] for row in rows if row.get(column)))


# --- figures ---------------------------------------------------------------------------------------


def panels(rows):
    """What each panel of a figure shows: letter, title, of what, n, and why it may be empty.

    Parameters
    ----------
    rows : list of dict
        Source data. Figures without panels are told apart by task.

    Returns
    -------
    list of dict
        letter, title, of, n, note, absent.
    """
    by = next((name for name in ("panel", "task_label") if rows and name in rows[0]), None)
    if by is None:
        return []
    groups = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row)
    lettered = by == "panel" and "title" in rows[0]
    told = []
    for key, own in sorted(groups.items()) if lettered else groups.items():
        first = own[0]
        absent = first.get("kind") == "no data"
        title = first["title"] if lettered else key
        note = "; ".join(note.rstrip(".") for note in distinct(own, "note"))
        of = [distinct(own, name) for name in ("task_label", "cohort_label") if name != by]
        of = [", ".join(names) if len(names) <= 3 else f"{len(names)} cohorts" for names in of]
        told.append(
            {
                "letter": key if lettered else "",
                "title": title,
                "of": ", ".join(words for words in of if words and words != title),
                "n": "" if absent else size(own),
                "note": note,
                "absent": absent,
            }
        )
    return told


def size(rows):
    """How many verdicts and judges stand behind each number of a panel."""
    by_unit = {}
    for row in rows:
        if row.get("kind") == "tested":
            continue  # its n stands in its line
        unit = UNITS.get(row.get("kind"), "verdicts")
        unit = "claims" if "paper" in row else "pairs or ratings" if "system" in row else unit
        by_unit.setdefault(unit, []).append(row)
    said = [f"n = {n} {unit}" for unit, own in by_unit.items() if (n := span(own, "n"))]
    judges = span([row for row in rows if row.get("judge_kind", "human") == "human"], "n_judges")
    people = "judge" if judges == "1" else "judges"
    return ", ".join([*said, *([f"{judges} {people}"] if judges else [])])


def methods(rows):
    """How the numbers of a figure were made: errors, tests, corrections, thresholds.

    Parameters
    ----------
    rows : list of dict
        Source data.

    Returns
    -------
    list of str
        Sentences.
    """
    said = []
    reading = "; ".join(distinct(rows, "reading"))
    levels = either(f"{float(level):.0%}" for level in distinct(rows, "level"))
    if any(row.get("ci_low") or row.get("low") for row in rows) and reading != "published":
        how = either(distinct(rows, "interval"))
        said.append(f"Intervals: {levels}{f', {how}' if how else ''}.")
    elif any(row.get("se") for row in rows):
        said.append("Errors: standard errors.")
    if "test" in (rows[0] if rows else {}):
        said += tests_of(rows)
    corrected = {match[1] for row in rows if (match := CORRECTED.match(row.get("text") or ""))}
    if corrected:
        how = "; ".join(words.capitalize() for words in sorted(corrected))
        said.append(f"Correlations: corrected p < {THRESHOLD} ({how}).")
    if len(how := distinct(rows, "method")) <= 2:
        said += [f"{text[:1].upper()}{text[1:]}." for text in how]
    return said


CORRECTED = re.compile(r"(?:p < [\d.]+|n\.s\.), (.+)")
"""What the source data of alignments say of a correlation's test."""


def tests_of(rows):
    """Which tests mark differences, over which unit, how corrected, below which threshold."""
    tested = [row for row in rows if row["test"] and row["p_adjusted"]]
    said = []
    for correction in distinct(tested, "correction"):
        own = [row for row in tested if row["correction"] == correction]
        how = either(TESTS.get(name, name.replace("_", " ")) for name in distinct(own, "test"))
        text = f"Tests: {how} over {either(distinct(own, 'unit'))}s"
        if correction == "none":
            said.append(f"{text}, p not corrected.")
            continue
        family = family_of(float(n) for n in distinct(own, "family_size"))
        said.append(
            f"{text}; marked where p < {THRESHOLD}, {correction.capitalize()}-corrected, {family}."
        )
    return said


def figure(name, files, title, here):
    """A figure as the page shows it.

    Parameters
    ----------
    name : str
        Its id.
    files : dict of str to Path
        Its files by format, source data (csv) among them.
    title : str
    here : path-like
        Folder of the page, to which links are relative.

    Returns
    -------
    dict
        id, label, title, picture, width (CSS pixels, None where not known), links, panels, methods.
    """
    rows = source(files.get("csv"))
    shown = next((files[format] for format in SHOWN if format in files), None)
    return {
        "id": name,
        "label": label(name),
        "title": title,
        "picture": relative(shown, here) if shown else None,
        "width": width(shown) if shown else None,
        "links": {format: relative(path, here) for format, path in files.items()},
        "panels": panels(rows),
        "methods": methods(rows),
        "reading": "; ".join(distinct(rows, "reading")),
        "data": "; ".join(distinct(rows, "data")),
    }


def width(path):
    """Width of a picture at the size it was drawn for, in CSS pixels (96 an inch); None if unknown."""
    if path.suffix == ".svg":
        with open(path, encoding="utf-8") as lines:
            found = re.search(r'<svg[^>]*? width="([\d.]+)pt"', lines.read(2000))
        return round(float(found[1]) * 96 / 72) if found else None
    header = path.read_bytes()[:4096]
    place = header.find(b"pHYs")
    if header[12:16] != b"IHDR" or place < 0:
        return None
    per_meter = int.from_bytes(header[place + 4 : place + 8], "big")
    return round(int.from_bytes(header[16:20], "big") / per_meter / 0.0254 * 96)


def relative(path, here):
    """Link from the page to a file, with spaces and the like escaped."""

    return quote(Path(os.path.relpath(path, here)).as_posix())


# --- tables, accounts, claims ----------------------------------------------------------------------


def table(name, files, title, note, here):
    """A table as the page shows it: its cells as they stand in its CSV file, numbers shortened."""
    rows = read(files["csv"])
    said = {column: distinct(rows, column) for column in ("reading", "data")}
    # What has one value throughout stands in the caption.
    kept = [c for c in (rows[0] if rows else {}) if not (c in said and len(said[c]) <= 1)]
    return {
        "id": name,
        "label": label(name),
        "title": title,
        "note": note,
        "links": {format: relative(path, here) for format, path in files.items()},
        "header": kept,
        "rows": [[short(row[column]) for column in kept] for row in rows],
        "reading": "; ".join(said["reading"]),
        "data": "; ".join(said["data"]),
        "long": len(rows) > LONG,
    }


def account(rows, sizes=()):
    """How many trials each cohort brought, how many were left out and why.

    Parameters
    ----------
    rows : list of dict
        Exclusions with labels (source data of the figure `exclusions`); of a study of ratings,
        data/exclusions.csv.
    sizes : list of dict
        statistics/sizes.csv, which says whether the answers to the control question are the judges' own.

    Returns
    -------
    header : list of str
    lines : list of list of str
    """
    if rows and "step" not in rows[0]:
        header = [c for c in rows[0] if c not in ("data", "system", "other") and c in RATED]
        return [RATED[c] for c in header], [[short(row[c]) for c in header] for row in rows]
    whole = [row for row in rows if row["judge"] == "all"]
    readings = distinct(whole, "reading")
    lines = []
    labels = fixed_answers(sizes)
    cohorts = dict.fromkeys((row["task"], row["cohort"]) for row in whole)
    for task, cohort in cohorts:
        own = [row for row in whole if (row["task"], row["cohort"]) == (task, cohort)]
        first = {reading: [r for r in own if r["reading"] == reading] for reading in readings}
        came = max(int(float(row["rows_in"])) for row in own)
        line = [
            own[0].get("task_label") or task,
            own[0].get("cohort_label") or cohort,
            f"{came:,}",
        ]
        for reading in readings:
            last = [row for row in first[reading] if row["step"] == "analysed"]
            line.append(f"{int(float(last[0]['rows_out'])):,}" if last else "")
        lost = {}
        for row in own:
            if row["reason"] and float(row["excluded"]) > 0:
                lost.setdefault(row["reason"], {})[row["reading"]] = int(float(row["excluded"]))
        reasons = [f"{why}: {counted(n, readings)}" for why, n in lost.items()]
        line.append("; ".join([*reasons, *filter(None, [labels.get((task, cohort))])]))
        lines.append(line)
    header = ["Task", "Judges", "Trials in the source"]
    return [*header, *(f"Analysed, {reading}" for reading in readings), "Left out"], lines


def fixed_answers(sizes):
    """Say of which cohorts the stored answers to the control question are labels of the stimuli.

    They are taken for labels where 95 % of the stimuli asked about more than once have one answer, though
    at most half of them would by chance.

    Parameters
    ----------
    sizes : list of dict
        task, cohort, group, reading, quantity, value.

    Returns
    -------
    dict of (str, str) to str
        By task and cohort.
    """
    found = {}
    for row in sizes:
        if row["group"] == "all" and "control" in row["quantity"]:
            cohort = found.setdefault((row["task"], row["cohort"]), {})
            cohort.setdefault(row["quantity"], float(row["value"]))
    said = {}
    for place, told in found.items():
        asked, same = told.get("n_control_repeated", 0), told.get("n_control_same", 0)
        chance = told.get("control_same_by_chance", asked)
        if asked and same >= 0.95 * asked and chance <= 0.5 * asked:
            said[place] = (
                f"nobody by the control question, whose stored answer is a label: the same for all judges on "
                f"{same:.0f} of {asked:.0f} stimuli that several were asked about ({chance:.0f} by chance), "
                f"wrong on {told['n_control_wrong']:.0f}"
            )
    return said


RATED = {
    "label": "System",
    "kind": "Kind",
    "raters": "Participants",
    "trials": "Trials",
    "rated": "Rated",
    "refused": "Refused",
    "one_sided_pairs": "Pairs in one order",
    "unrated_pairs": "Pairs without rating",
    "reason": "Left out",
}
"""Columns of an account of ratings, and their headings."""


def counted(by_reading, readings):
    """Numbers of both readings as one where they agree."""
    if len(set(by_reading.values())) == 1 and len(by_reading) == len(readings):
        return f"{next(iter(by_reading.values())):,}"
    return ", ".join(f"{n:,} ({reading})" for reading, n in by_reading.items())


def claims(rows, labels):
    """Claims by status: in all, and by task.

    Parameters
    ----------
    rows : list of dict
        claims/summary.csv: paper, task, kind, status, n, data.
    labels : dict of str to str
        Labels of tasks.

    Returns
    -------
    dict or None
        total, counts (by status), tasks (label and counts), data (label and counts, real ones first; empty
        where all claims rest on one kind), tally (`turingstats.report.at_a_glance.tally`).
    """
    if not rows:
        return None
    by_task, by_data = {}, {}
    for row in rows:
        for place in (by_task.setdefault(row["task"], {}), by_data.setdefault(row["data"], {})):
            place.setdefault(row["status"], 0)
            place[row["status"]] += int(row["n"])
    for place in (*by_task.values(), *by_data.values()):
        place |= {status: place.get(status, 0) for status in STATUSES}
    counts = {status: sum(own[status] for own in by_task.values()) for status in STATUSES}
    order = [name for name in (*labels, "all") if name in by_task]
    order += [name for name in by_task if name not in order]
    named = {**labels, "all": "Several tasks"}
    return {
        "papers": distinct(rows, "paper"),
        "total": sum(counts.values()),
        "counts": counts,
        "tasks": [(named.get(name, name), by_task[name]) for name in order],
        "data": sorted(by_data.items(), key=lambda item: is_generated(item[0]))
        * (len(by_data) > 1),
        "tally": at_a_glance.tally(rows),
    }


def inventory(rows, titles=None):
    """Panels by whether they are drawn, in order of figures; `of` is how many have data.

    Figures without a number are named by `titles`.
    """
    titles = titles or {}
    counts = {}
    for row in rows:
        counts[row["drawn"]] = counts.get(row["drawn"], 0) + 1
    listed = [
        row | {"figure": label(row["figure"]) or titles.get(row["figure"], row["figure"])}
        for row in rows
    ]
    other = counts.get("not data-driven", 0) + counts.get("skipped", 0)
    return {"counts": counts, "of": len(rows) - other, "rows": listed} if rows else None


def tests(rows, reading):
    """Declared tests of a reading, as lines of a table."""
    own = [row for row in rows if row["reading"] == reading]
    lines = []
    for row in own:
        interval = ""
        if row["ci_low"]:
            interval = f" [{short(row['ci_low'])}, {short(row['ci_high'])}]"
        effect = f"{row['effect_name']} = {short(row['effect'])}{interval}" if row["effect"] else ""
        df = f" (df {row['df']})" if row["df"] else ""
        n = row["n_per_group"] or ", ".join(filter(None, (short(row["n1"]), short(row["n2"]))))
        p = p_value(row["p"])
        if row["p_adjusted"] and row["correction"] not in ("", "none"):
            family = f"{row['correction']}, {family_of([float(row['family_size'])])}"
            p += f"; {p_value(row['p_adjusted'])} ({family})"
        statistic = f"{row['statistic_name']} = {short(row['statistic'])}{df}"
        named = TESTS.get(row["test"], row["test"].replace("_", " "))
        lines.append(
            [
                row["test_id"],
                named,
                row["unit"],
                n,
                statistic if row["statistic"] else "",
                p,
                effect,
            ]
        )
    return {"rows": lines, "long": len(lines) > LONG} if lines else None


# --- what is in force ------------------------------------------------------------------------------


def in_force(config, reading, readings, design):
    """Settings of a run that numbers depend on, in words.

    Parameters
    ----------
    config : dict
        The merged configuration (provenance.json).
    reading : str
        The reading that figures show.
    readings : sequence of str
        Those that are computed.
    design : {"verdicts", "ratings"}

    Returns
    -------
    dict of str to str
    """
    draws = config["resamples"]
    cleaning, equivalence = config["cleaning"], config["equivalence"]
    kept = "left out" if cleaning["exclude_failed_control"] else "kept"
    part = {name: config[name] for name in ("tasks", "cohorts", "agents", "judge_kinds")}
    subset = "; ".join(
        f"{name}: {', '.join(chosen)}" for name, chosen in part.items() if chosen != "all"
    )
    told = {
        "Reading shown": f"{reading}; computed: {', '.join(readings)}",
        "Part of the study": subset or "all of it",
        "Intervals": f"{config['confidence']:.0%}",
        "Bootstrap draws, permutations": f"{draws['bootstrap']:,}, {draws['permutation']:,}",
        "Seed": str(config["seed"]),
        "Marked differences": f"corrected p < {THRESHOLD}",
    }
    if design == "verdicts":
        told |= {
            "Failed control questions": f"trials {kept} in the recommended reading",
            "Reading time": reading_time(cleaning.get("reading_time")),
            "Fastest verdict": f"{fastest} ms" if (fastest := cleaning["min_rt_ms"]) else "any",
            "Margin of equivalence": f"{equivalence['margin']} of the share judged human",
        }
    group = config.get("judge_group") or {}
    if group:
        only = ", ".join(f"{name} {value}" for name, value in group.items())
        told["Judges"] = f"{only} only"
    return told


def reading_time(limit):
    """What the filter by reading time leaves out."""
    if not limit:
        return "any"
    return (
        f"at least {limit['seconds_per_word']:g} s a word, {limit['words_per_exchange']:g} words an "
        "exchange, in both readings"
    )


def findings(rows):
    """What was found in each task, as cells of a table.

    Parameters
    ----------
    rows : list of dict
        report/findings.csv.

    Returns
    -------
    list of dict
        task, judges, trials, detectability (with its interval), people and machines (shares judged human),
        conclusion, claims.
    """
    return [
        {
            "task": row["task_label"],
            "judges": f"{row['n_judges']}: {row['cohort_label']}",
            "trials": short(row["n_trials"]),
            "detectability": "{:.2f} [{:.2f}, {:.2f}]".format(
                *(number(row[name]) for name in ("detectability", "ci_low", "ci_high"))
            )
            if row["ci_low"]
            else f"{number(row['detectability']):.2f}",
            "people": f"{number(row['people_called_human']):.2f}",
            "machines": f"{number(row['machines_called_human']):.2f}",
            "conclusion": row["conclusion"],
            "claims": f"{row['claims_hold']} of {row['claims_checked']}"
            if number(row["claims_checked"])
            else "",
        }
        for row in rows
    ]


# --- what is missing -------------------------------------------------------------------------------

SHORT = 52
"""Letters of a path that a table shows."""


def shorten(path):
    """A path with its middle left out: first folder and file; other text as it is."""
    first, *between = path.split("/")
    # A sentence in place of a path may have slashes, too.
    if len(path) <= SHORT or len(between) < 2 or " " in first:
        return path
    return f"{first}/\N{HORIZONTAL ELLIPSIS}/{between[-1]}"


def missing(rows, study):
    """Raw files that were not read, by the reason, with what each would supply.

    Parameters
    ----------
    rows : list of dict
        data/missing.csv.
    study : dict
        tasks and cohorts: labels by name.

    Returns
    -------
    list of dict
        reason, meaning and rows (task, file as shown, whole path, what it would supply), the reason that a
        user can do most about first.
    """
    groups = {}
    for row in rows:
        supplies = row["would_supply"]
        if supplies == f"cohort {row['cohort']}":
            label = study["cohorts"].get(row["task"], {}).get(row["cohort"], row["cohort"])
            supplies = f"judgments of {label}"
        elif supplies == "responses":
            supplies = "responses of people and models"
        place = (study["tasks"].get(row["task"], row["task"]), row["path"])
        groups.setdefault(row["why"], {}).setdefault(place, []).append(supplies)
    return [
        {
            "reason": why,
            "meaning": ABSENT[why],
            "rows": [
                (task, shorten(path), path, "; ".join(dict.fromkeys(supplies)))
                for (task, path), supplies in groups[why].items()
            ],
        }
        for why in ABSENT
        if why in groups
    ]


def held(rows, study):
    """Public files whose facts the observed tables hold, by task and table.

    Parameters
    ----------
    rows : list of dict
        data/sources.csv.
    study : dict
        tasks: labels by name.

    Returns
    -------
    list of dict
        task, tables (their names), files.
    """
    by_task = {}
    for row in rows:
        if row.get("public_files"):
            own = by_task.setdefault(row["task"], {"tables": [], "files": {}})
            own["tables"].append(row["path"])
            own["files"] |= dict.fromkeys(row["public_files"].split("; "))
    return [
        {
            "task": study["tasks"].get(task, task),
            "tables": own["tables"],
            "files": list(own["files"]),
        }
        for task, own in by_task.items()
    ]


def made_from(provenance):
    """Source, commit and versions, for the end of the page."""
    source = provenance["source"]
    kinds = {
        "observed": "observed trials that come with this project, from the public repository",
        "public": "the public repository",
        "demo": "generated by this pipeline",
    }
    return {
        "source": kinds.get(source["kind"], source["kind"]),
        "commit": source["commit"],
        "files": source["sha256"],
        "versions": {
            "turingstats": provenance["turingstats"],
            "Python": provenance["python"],
            **provenance["packages"],
        },
        "config": json.dumps(provenance["config"], indent=2, ensure_ascii=False),
    }


def judges_and_people(sizes, reading):
    """Number of human judges of a study, and of the people behind them where that is known.

    Parameters
    ----------
    sizes : list of dict
        Rows of sizes.csv.
    reading : str

    Returns
    -------
    dict or None
        judges, known (judges of whom it is known who they are), people (the different ones among these).
    """
    names = {"n_judges": "judges", "n_judges_known": "known", "n_people": "people"}
    found = {
        names[row["quantity"]]: round(float(row["value"]))
        for row in sizes
        # A study of ratings has no readings there.
        if (row["size_id"], row.get("reading")) == (f"all.all.all.{row['quantity']}", reading)
    }
    return {"known": 0, "people": 0} | found if found.get("judges") else None


# --- the pages -------------------------------------------------------------------------------------


def context(study, made, folder, here):
    """What the page of a study shows.

    Parameters
    ----------
    study : dict
        study, design, title, reference, figures and tables (titles by id), notes (of tables, by id), tasks
        (labels by name), reading, readings, data, called, read_cohorts (see
        `turingstats.report.at_a_glance.basis_of`), cohorts (labels by task and name).
    made : iterable of path-like
        Results to report on: pictures, tables, claims and accounts. What is not among them is left out.
    folder : path-like
        The study's folder of results.
    here : path-like
        Folder of the page.

    Returns
    -------
    dict
        For the template report.html.
    """
    folder = Path(folder)
    by_place = {}
    for path in map(Path, made):
        stage, *name = path.relative_to(folder).parts
        if name:
            by_place.setdefault((stage, path.stem), {})[path.suffix[1:]] = path
    found = SimpleNamespace(
        of=lambda stage, name: by_place.get((stage, name), {}),
        rows=lambda stage, name: read(by_place.get((stage, name), {}).get("csv")),
    )
    titles = {**TITLES, **study["figures"], **study["tables"]}
    pictures = [
        figure(name, files, titles.get(name, name), here)
        for name, files in ordered(by_place, "figures", study["figures"])
        if set(files) - {"csv"}
    ]
    tables = [
        table(name, files, titles.get(name, name), study["notes"].get(name, ""), here)
        for name, files in ordered(by_place, "tables", study["tables"])
        if "csv" in files
    ]
    provenance = json.loads(found.of("data", "provenance")["json"].read_text(encoding="utf-8"))
    exclusions = found.rows("figures", "exclusions") or found.rows("data", "exclusions")
    ledger = claims(found.rows("claims", "summary"), study["tasks"])
    overview = found.of("claims", "claims_overview")
    header, lines = account(exclusions, found.rows("statistics", "sizes"))
    links = dict.fromkeys(LINKED)
    for name, (stage, stem, suffix) in LINKED.items():
        if suffix in found.of(stage, stem):
            links[name] = relative(found.of(stage, stem)[suffix], here)
    made_of = made_from(provenance)
    basis = at_a_glance.basis_of(study, folder)
    if basis["kind"] == "mixed":
        # What is real comes first.
        pictures.sort(key=lambda own: is_generated(own["data"]))
        tables.sort(key=lambda own: is_generated(own["data"]))
    return {
        "study": study,
        "basis": basis,
        "kind": basis["kind"],
        "generated": basis["kind"] == "generated",
        "missing": missing(found.rows("data", "missing"), study),
        "held": held(found.rows("data", "sources"), study),
        "statuses": STATUSES,
        "symbols": SYMBOLS,
        "meanings": MEANINGS,
        "found": findings(found.rows("report", "findings")),
        "claims": ledger,
        "overview": figure("claims_overview", overview, TITLES["claims_overview"], here)
        if overview
        else None,
        "figures": pictures,
        "tables": [own for own in tables if own["rows"]],
        "tests": tests(found.rows("statistics", "tests"), study["reading"]),
        "judges": judges_and_people(found.rows("statistics", "sizes"), study["reading"]),
        "account": {"header": header, "rows": lines} if lines else None,
        "inventory": inventory(found.rows("figures", "inventory"), titles),
        "settings": in_force(
            provenance["config"], study["reading"], study["readings"], study["design"]
        ),
        "provenance": made_of,
        "links": links,
    }


LINKED = {
    "ledger": ("claims", "index", "html"),
    "claims": ("claims", "claims", "csv"),
    "consistency": ("claims", "consistency", "csv"),
    "tests": ("statistics", "tests", "csv"),
    "exclusions": ("data", "exclusions", "csv"),
    "inventory": ("figures", "inventory", "csv"),
    "provenance": ("data", "provenance", "json"),
    "missing": ("data", "missing", "csv"),
    "sources": ("data", "sources", "csv"),
}
"""Files that sections link to: stage, name and format."""


def ordered(by_place, stage, declared):
    """Results of a stage by name: numbered ones by number, then what the study declares, then others."""
    names = [name for place, name in by_place if place == stage and name != "inventory"]
    names = [*(name for name in declared if name in names), *names]
    return [(name, by_place[stage, name]) for name in sorted(dict.fromkeys(names), key=rank)]


def rank(name):
    """Place of a figure or table by its number: those of the text, of the supplement, without one."""
    found = re.fullmatch(r"(?:fig|table)(S?)(\d+)\w*", name)
    return (found[1] == "S", int(found[2])) if found else (2, 0)


def card(study, folder, here):
    """What the page over all studies says of one.

    Parameters
    ----------
    study : dict
        As in `context`.
    folder : path-like
        The study's folder of results.
    here : path-like
        Folder of the page.

    Returns
    -------
    dict
    """
    folder = Path(folder)
    ledger = folder / "claims/index.html"
    return {
        "study": study,
        "basis": (basis := at_a_glance.basis_of(study, folder)),
        "kind": basis["kind"],
        "row": at_a_glance.row_of(study, folder, here),
        "claims": claims(read(folder / "claims/summary.csv"), study["tasks"]),
        "inventory": inventory(read(folder / "figures/inventory.csv")),
        "report": relative(folder / "report/index.html", here),
        "ledger": relative(ledger, here) if ledger.exists() else None,
    }


def overview(cards):
    """What the page over all studies shows, for the template studies.html."""
    kinds = {card["kind"] for card in cards}
    return {
        "cards": cards,
        "generated": kinds == {"generated"},
        "kind": kinds.pop() if len(kinds) == 1 else "several",
        "header": at_a_glance.HEADER,
        "statuses": STATUSES,
        "symbols": SYMBOLS,
        "meanings": MEANINGS,
        "study": None,
    }
