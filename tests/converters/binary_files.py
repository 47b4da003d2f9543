"""psiTurk's databases and exports, and zips of pages, made of the trials that come with the project.

They have the layout of the public ones: 18 columns, trials in JSON, and people's ids, addresses and browsers,
none of which may come out.
"""

import csv
import json
import sqlite3
import zipfile

from project import OBSERVED

from converters.zhang2025 import psiturk
from turingstats.data import package_reader

ASKED = {"age": "36-40", "gender": "male", "education": "master", "ai-experience": "1"}
SECRETS = ("SECRET", "203.0.113")
LETTERS = {"human": "a", "azure": "b", "mccq": "c", "google": "d", "catch": "e"}
PAGE = '<html><body><img src="{n}.jpg"><h4> Speaker Response: <b>{answer}</b>\n</h4></body></html>'


def list_trials(*judges):
    """The bundled test trials of judges of colors after feedback, by judge, as psiTurk recorded them."""
    table = package_reader.load_table(OBSERVED, "color_trials.csv")
    table = table[(table["cohort"] == "feedback") & table["judge"].isin(judges)]
    table = table[table["phase"] == "test"]
    trials = {judge: {} for judge in judges}
    for row in table.to_dict("records"):
        made = make_trial(
            row["position"], row["stimulus"], row["agent"], row["verdict"], row["rt_ms"]
        )
        made["topic"] = "2" if row["control_ok"] == "yes" else "1"
        trials[row["judge"]][int(row["position"])] = made
    return trials


def make_trial(position, stimulus, agent, verdict, rt):
    """A trial of a page, whose control question is answered correctly."""
    return {
        "phase": "TEST",
        "trial": int(position),
        "rt": int(rt),
        "Aclass": {"human": "Human", "machine": "Machine"}[verdict],
        "page_name": f"{stimulus}_{LETTERS[agent]}_0.html/",
        "imageID": f"https://SECRET.example/{stimulus}.jpg",
        "oneWord_curr": "1",
        "topic": "2",
    }


def make_sessions(*judges, change=lambda judge, trials: trials):
    """Sessions of judges after feedback: training, test and catch trials; and one that was not finished."""
    sessions = []
    for number, (judge, shown) in enumerate(list_trials(*judges).items()):
        trials = [
            shown.get(position) or make_trial(position, position, "catch", "machine", 5000)
            for position in range(1, 101)
        ]
        for position in range(40):
            trials[position]["page_name"] = f"{position}_b_0.html/"
        sessions.append(make_session(number, change(judge, trials)))
    return [*sessions, make_session(999, [], status=1)]


def make_session(number, trials, **cells):
    session = f"SECRET{number}:SECRET{number}"
    data = [{"uniqueid": session, "trialdata": {"phase": "INSTRUCTIONS"}}]
    data += [{"uniqueid": session, "trialdata": trial} for trial in trials]
    held = {"data": data, "questiondata": ASKED, "useragent": "SECRET", "workerId": "SECRET"}
    row = dict.fromkeys(psiturk.SESSION_COLUMNS, "SECRET") | {
        "uniqueid": session,
        "ipaddress": "203.0.113.9",
    }
    row |= {"workerid": f"SECRET{number}", "cond": 0, "status": 5, "mode": "live"}
    return row | {"datastring": json.dumps(held) if trials else ""} | cells


def write_csv(path, sessions):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as lines:
        table = csv.DictWriter(lines, psiturk.SESSION_COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(sessions)


def write_database(
    path, sessions, columns=psiturk.SESSION_COLUMNS, tables=("tablechairDB",), more=""
):
    """Write sessions as psiTurk's database, whose cells may be null."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    for table in tables:
        kinds = (f"{name} {'INTEGER' if name == 'status' else 'TEXT'}" for name in columns)
        database.execute(f'CREATE TABLE "{table}" ({", ".join(kinds)})')
        cells = [
            [row.get(name) if row.get(name) != "" else None for name in columns] for row in sessions
        ]
        places = ", ".join("?" * len(columns))
        database.executemany(f'INSERT INTO "{table}" VALUES ({places})', cells)
    database.executescript(more)
    database.commit()
    database.close()


def write_pages(path, answers, page=PAGE):
    """Write a zip of pages from (number, letter, answer), with what else a zip may hold."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("responses/style.css", "h4 {}")
        for place, (number, letter, answer) in enumerate(answers):
            name = f"responses/{number}_{letter}_{place if letter == 'w' else 0}.html"
            zipped.writestr(name, page.format(n=number, answer=answer))
