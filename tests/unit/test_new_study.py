"""A starting study is written from a table, with what was guessed and what is not read."""

import csv
import io
import re

import pandas as pd
import pytest
import yaml
from project import read_example, read_said

from turingstats.config import raw_files, settings
from turingstats.config.subset import load_study
from turingstats.core import files
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import adapters, counts
from turingstats.new_study import starting_study, vocabulary

TABLE = """\
Worker ID,model,is_AI,Response,certainty,IP,user agent,Name,email,group,round,notes
A1B2C3D4E5F6G7,gpt-4,1,AI,80,10.1.2.3,Mozilla/5.0,Ann,a@b.org,told,1,a remark that is long enough to be text
A1B2C3D4E5F6G7,,0,human,20,10.1.2.3,Mozilla/5.0,Ann,a@b.org,told,2,another remark that is long enough
A2B2C3D4E5F6G7,llama,1,don't know,55,10.1.2.4,Mozilla/5.0,Bob,c@d.org,not told,1,and one more long remark
A2B2C3D4E5F6G7,,0,AI,55,10.1.2.4,Mozilla/5.0,Bob,c@d.org,not told,2,the next remark that is long enough
A3B2C3D4E5F6G7,llama,1,AI,90,10.1.2.5,Mozilla/5.0,Cyd,e@f.org,told,1,a fifth one that is long enough
A3B2C3D4E5F6G7,,0,AI,10,10.1.2.5,Mozilla/5.0,Cyd,e@f.org,told,2,the last remark that is long enough
"""


def write(folder, text, name="mine", **said):
    """Write a study for a table; return it, its file as in the sources, and what was told.

    The table is text, or a header and rows; both files are read and checked as a run does.
    """
    if not isinstance(text, str):
        stream = io.StringIO()
        csv.writer(stream).writerows([text[0], *text[1]])
        text = stream.getvalue()
    (folder / "table.csv").write_text(text, encoding="utf-8")
    told = starting_study.write_study(folder / "table.csv", name, folder, **said)
    study = load_study(folder / f"config/studies/{name}.yaml")
    (file,) = raw_files.load_sources(folder / f"data/sources/{name}.yaml").files
    return study, file, told


def cycle(n, **columns):
    """A header and n rows: values of each column in turn, or what a function makes of the row's number."""
    make = [
        own if callable(own) else lambda k, own=own: own[k % len(own)] for own in columns.values()
    ]
    return [*columns], [[one(k) for one in make] for k in range(n)]


def hold(times, *values):
    """Values that each stand in some rows, one after the other."""
    return [value for value in values for _ in range(times)]


def read(file, folder, study):
    return adapters.read_with_left_out([file], folder, study)[:2]


def list_unread(told):
    lines = told.split("Not read:\n")[1].split("\n\n")[0].splitlines()
    return [line.split("  ")[1] for line in lines]


def test_columns_are_guessed(tmp_path):
    study, file, told = write(tmp_path, TABLE)
    assert file.columns == {
        **{"judge": "Worker ID", "truth": "is_AI", "verdict": "Response", "agent": "model"},
        **{"confidence": "certainty", "group": "group", "round": "round"},
    }
    assert file.values["truth"] == {"1": "machine", "0": "human"}
    assert file.values["verdict"] == {"AI": "machine", "human": "human", "don't know": "unsure"}
    assert set(study.agents) == {"human", "gpt_4", "llama"}
    # What a judge saw throughout groups judges; what changed is a condition.
    assert list(study.demographics) == ["group"]
    assert study.tasks["verdicts"].conditions == ("round",)
    assert study.readings == ("recommended",)
    assert study.bands == {"confidence": (0, 20, 40, 60, 80, 101)}
    assert file.limits == {"confidence": (0, 100)}
    assert {model.id: model.formula for model in study.models} == {
        "verdicts.agents": "said_machine ~ agent + (1 | judge) + (1 | judge:made_by)",
        "verdicts.correct": "correct ~ agent + (1 | judge)",
        "verdicts.correct_by_round": "correct ~ agent + round + (1 | judge)",
    }
    # Nothing personal is read.
    assert {"IP", "user agent", "Name", "email", "notes"} <= set(list_unread(told))
    for path in tmp_path.rglob("*.yaml"):
        text = path.read_text()
        for secret in ("10.1.2", "Ann", "@", "A1B2", "Mozilla"):
            assert secret not in text
    # Rows of every kind are shown as they were understood.
    shown = told[told.index("Rows:") : told.index("Written:")]
    assert shown.split("\n\n")[0] == "Rows:\n  6 rows of verdicts\n  6 analyzed"
    lines = [line.split() for line in shown.split("understood:\n")[1].split("\n") if line]
    assert lines[0] == ["judge", "stimulus", "agent", "truth", "verdict", "correct"]
    assert lines[1] == ["verdicts.judges.w001", "gpt_4", "machine", "machine", "yes"]
    assert {tuple(line[2:]) for line in lines[1:]} == {
        ("machine", "machine", "yes"),
        ("machine", "unsure", "unsure"),
        ("human", "human", "yes"),
        ("human", "machine", "no"),
    }


@pytest.mark.parametrize("name", ["trials", "games", "pairs", "ratings", "scores"])
def test_generated_tables_say_so_wherever_they_are_copied(tmp_path, name):
    table = read_example(name).map(str)

    def label(table):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        table.to_csv(folder / "mine.csv", index=False)
        starting_study.write_study(folder / "mine.csv", "mine", folder, **read_said(name))
        sources = raw_files.load_sources(folder / "data/sources/mine.yaml")
        return raw_files.label_data(sources, settings.Data())

    assert label(table) == label(table[::-1]) == "generated data"
    # One row of another origin is enough.
    marks = table.columns[table.eq(table.iloc[0]).all() & table.iloc[0].str.contains("generated")]
    table.loc[0, marks] = "another"
    assert label(table) == "observed data"


@pytest.mark.parametrize(
    ("answers", "limits"),
    [("1 2 3 7", [*range(1, 9)]), ("0.5 1 0.9 0", [0, 0.2, 0.4, 0.6, 0.8]), ("10 200 30 4", None)],
)
def test_confidence_has_bands_of_its_scale(tmp_path, answers, limits):
    rows = [f"w,{side},{side},{sure}" for side in ("human", "AI") for sure in answers.split()]
    study, _, _ = write(tmp_path, "\n".join(["judge,truth,verdict,confidence [0-100]", *rows, ""]))
    cuts = list(study.bands["confidence"])
    assert cuts == limits if limits else cuts == sorted(cuts) and cuts[0] == 4


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("192.168.0.7", "an address of a computer"),
        ("x@y.net", "holds e-mail addresses"),
        ("Mozilla/5.0 (X11)", "a browser string"),
        ("5f2b9c0d1e3a4b5c6d7e8f90", "an identifier"),
        ("2021-03-04 10:11:12", "a date"),
    ],
)
def test_private_values_are_known_under_any_name(tmp_path, value, why):
    rows = "".join(f"j{n // 4},bot,AI,{value}\nj{n // 4},human,AI,{value}\n" for n in range(8))
    _, file, told = write(tmp_path, "judge,agent,verdict,field7\n" + rows)
    assert "field7" not in file.columns.values()
    assert why in told


@pytest.mark.parametrize("of_visit", [True, False])
def test_ids_of_submissions_tell_second_visits(tmp_path, of_visit):
    ids = {
        "PROLIFIC_PID": hold(8, *(f"5f{judge:022x}" for judge in (1, 2, 3, 1))),
        "SESSION_ID": lambda n: f"6a{n // 8 if of_visit else n:022x}",
    }
    texts = {
        "text": lambda n: f"t{n % 8}",
        "author": ("gpt", "human"),
        "answer": hold(2, "AI", "human"),
    }
    _, file, told = write(tmp_path, cycle(32, **ids, **texts))
    if of_visit:
        assert file.columns["session"] == "SESSION_ID"
        assert "8 left out: a later session of the same judge" in told
    else:
        # The id of a single verdict is no visit.
        assert re.search(r"SESSION_ID +looks like an identifier", told)


def test_what_names_single_judges_is_no_group(tmp_path):
    people = {"judge": "aabbccdd", "Vorname": hold(2, "Ann", "Bob", "Cyd", "Dan")}
    people["site"] = hold(2, "old", "new", "new", "old")
    study, _, told = write(tmp_path, cycle(8, **people, agent=("bot", "human"), verdict=["AI"]))
    assert list(study.demographics) == ["site"]
    assert "most of its values belong to a single judge" in told.split("Vorname")[1]


def test_files_shown_by_psychopy_are_the_stimuli(tmp_path):
    shown = {"participant": hold(20, *"abcd"), "stimFile": lambda n: f"t{n % 20}.txt"}
    answered = {"author": ("person", "GPT-4o"), "key_resp.keys": "hmh", "expName": ["turing"]}
    words = {"h": "human", "m": "machine"}
    _, file, told = write(tmp_path, cycle(80, **shown, **answered), words=words)
    assert file.columns["stimulus"] == "stimFile"
    assert re.search(r"expName +one value in all rows", told)


GAMES = cycle(
    48,
    **{"judge": "abcd", "dialogue": lambda n: f"{n // 2:016x}", "turn": range(3)},
    **{"entity": ("e0", "e1"), "name": hold(4, "wiki", "news"), "confidence": range(5)},
    **{"is_human_true": ("True", "False"), "verdict": hold(3, "human", "AI")},
)


def test_columns_are_combined_left_out_and_added(tmp_path):
    columns = {"stimulus": ("dialogue", "entity"), "confidence": None}
    columns |= {"corpus": "name", "turn": "turn"}
    study, file, told = write(tmp_path, GAMES, named=columns)
    read_columns = {"judge": "judge", "truth": "is_human_true", "verdict": "verdict"}
    assert file.columns == read_columns | {k: v for k, v in columns.items() if v}
    # A name that looks personal is read if the user says what it is.
    assert study.tasks["verdicts"].conditions == ("turn", "corpus")
    assert re.search(r"Not read:(?s:.*)confidence +left out, as you said", told)
    judgments, _ = read(file, tmp_path, study)
    assert judgments["stimulus"][0] == "0000000000000000/e0"
    assert file.values["truth"] == {"True": "human", "False": "machine"}
    with pytest.raises(InputError, match=r"(?s)dialog\b.*allowed: judge, dialogue"):
        write(tmp_path, GAMES, "other", named={"stimulus": "dialog"})


def test_a_column_of_many_names_is_a_word_if_it_is_asked_for(tmp_path):
    lines = TABLE.splitlines()
    text = "\n".join([f"{lines[0]},maker", *(f"{line},m{n}" for n, line in enumerate(lines[1:]))])
    long = "\n".join([text, *(f"{lines[-1]},m{n}" for n in range(20, 60))]) + "\n"
    study, file, _ = write(tmp_path, long, named={"maker": "maker"})
    assert study.tasks["verdicts"].columns["maker"] == "word" and file.columns["maker"] == "maker"
    # So that makers can be a third sample.
    judgments, _ = read(file, tmp_path, study)
    assert judgments["maker"].iloc[-1] == "m59"


def test_columns_and_words_of_other_languages_are_given(tmp_path):
    table = cycle(12, Wer="abc", Von=("Automat", "Kind"), Urteil=("Kind", "Automat", "Kind"))
    with pytest.raises(InputError) as refused:
        write(tmp_path, table)
    # Whatever is not known is said at once.
    told = str(refused.value)
    assert all(f"no column is known for {part}" in told for part in ("judge", "truth", "verdict"))
    assert 'columns="{judge: its column, truth: its column, verdict: its column}"' in told
    assert "columns of the table: Wer, Von, Urteil" in told
    named = {"judge": "Wer", "truth": "Von", "verdict": "Urteil"}
    asked = r"values=\"\{Von: \{Automat: human or machine, Kind: .*Urteil: "
    with pytest.raises(InputError, match=asked):
        write(tmp_path, table, named=named)
    words = {"Kind": "human", "Automat": "machine"}
    _, file, _ = write(tmp_path, table, named=named, words=words)
    assert file.columns == named
    assert file.values["truth"] == file.values["verdict"] == words
    # A given agent has people among its names.
    named = {"judge": "Wer", "agent": "Von", "verdict": "Urteil"}
    study, _, _ = write(tmp_path, table, "agents", named=named, words=words)
    assert set(study.agents) == {"human", "automat"}


@pytest.mark.parametrize(
    ("human", "machine"),
    [
        ("Mensch", "Maschine"),
        ("Humano", "Máquina"),
        ("human", "not human"),
        ("Probably human", "Definitely AI"),
        ("human", "A.I."),
        ("human", "a i"),
    ],
)
def test_common_words_are_understood(tmp_path, human, machine):
    table = cycle(24, judge="abcd", agent=("human", "gpt"), verdict=hold(3, human, machine))
    _, file, told = write(tmp_path, table)
    assert file.values["verdict"] == {human: "human", machine: "machine"}
    assert f"{machine} = machine (12)" in told


def test_a_column_whose_words_are_not_understood_is_named(tmp_path):
    images = {"img_id": range(30), "source": ("ffhq", "stylegan3", "stylegan2")}
    table = cycle(30, subj_id="abcde", **images, response=("real", "fake"))
    with pytest.raises(
        InputError,
        match=r"(?s)column source was found for truth.*'ffhq' \(10\), 'stylegan3' \(10\).*"
        r"values=\"\{source: \{ffhq: human or machine, stylegan3: .*names of machines",
    ):
        write(tmp_path, table)
    # Whoever is not human is a machine by its name.
    study, _, _ = write(tmp_path, table, "names", words={"ffhq": "human"})
    assert set(study.agents) == {"human", "stylegan2", "stylegan3"}
    both = {"source": {"ffhq": "human", "stylegan3": "machine", "stylegan2": None}}
    _, file, told = write(tmp_path, table, "sides", words=both)
    assert file.values["truth"] == both["source"]
    assert "  10 left out: source is stylegan2 (null under values)" in told
    assert "  20 analyzed" in told


def test_one_code_may_mean_different_things_in_two_columns(tmp_path):
    made = {"made by": (0, 1), "verdict": (1, 1, 2, 2), "sex": (1, 2)}
    table = cycle(24, rater="abcd", item="stuvwx", **made)
    with pytest.raises(InputError, match=r"column made by was found for truth.*'0' \(12\)"):
        write(tmp_path, table)
    words = {
        "made by": {"0": "human", "1": "machine"},
        "verdict": {"1": "machine", "2": "human"},
        "gender": {"1": "female", "2": "male"},
    }
    study, file, _ = write(tmp_path, table, words=words)
    assert file.values == {"truth": words.pop("made by"), **words}
    assert list(study.demographics["gender"]) == ["female", "male"]
    with pytest.raises(ConfigError, match=r"(?s)values: no column 'origins'.*allowed: rater"):
        write(tmp_path, table, "other", words={"origins": {"1": "human"}})


def test_what_the_command_line_passes_is_read():
    given = {"-99": "null", "KI": "machine", "rating": {"99": "null", "7": "7"}}
    config = settings.Config(
        values=given,
        table={"wide": {"whole": "true", "name": "item"}},
        columns={"entity": "null", "stimulus": ["corpus", "text"]},
    )
    assert config.values == {"-99": None, "KI": "machine", "rating": {"99": None, "7": "7"}}
    assert config.table == {"wide": {"whole": True, "name": "item"}}
    assert config.columns == {"entity": None, "stimulus": ("corpus", "text")}


@pytest.mark.parametrize(("truth", "verdict", "yes", "no", "means"), [
    ("est_humain", "reponse", "VRAI", "FAUX", ("human", "human")),
    ("Wahrheit", "ist KI", "WAHR", "FALSCH", ("machine", "machine")),
    ("es humano", "ia", "VERDADERO", "FALSO", ("human", "machine")),
])  # fmt: skip
def test_yes_in_other_languages(truth, verdict, yes, no, means, tmp_path):
    said = {truth: (yes, no, yes), verdict: hold(3, yes, no)}
    table = cycle(12, judge="ab", text=hold(2, *"stuvwx"), **said)
    values = write(tmp_path, table, named={"truth": truth, "verdict": verdict})[1].values
    assert (values["truth"][yes], values["verdict"][yes]) == means
    assert {values["truth"][no], means[0]} == {"human", "machine"}


def test_verdict_of_none_is_no_answer(tmp_path):
    said = ["AI", "AI", "human", "None", "human", "human", "AI", "AI"]
    table = cycle(8, judge="abcdefgh", text="stuv", truth=("human", "AI"), verdict=said)
    study, file, told = write(tmp_path, table)
    assert file.values["verdict"]["None"] is None and "None = left out (1)" in told
    assert len(read(file, tmp_path, study)[0]) == 7


def test_is_human_is_the_verdict_where_the_agent_is_known(tmp_path):
    text = "judge,source,is human\na,human,FALSE\na,gpt,TRUE\nb,human,TRUE\nb,gpt,FALSE\n"
    _, file, told = write(tmp_path, text)
    assert file.columns == {"judge": "judge", "verdict": "is human", "agent": "source"}
    assert file.values["verdict"] == {"FALSE": "machine", "TRUE": "human"}
    assert "is human taken for the verdict" in told
    # Where it is the truth in other words, nobody's verdict is known.
    true = text.replace("human,FALSE", "human,TRUE", 1).replace("a,gpt,TRUE", "a,gpt,FALSE")
    with pytest.raises(InputError, match="no column is known for verdict"):
        write(tmp_path, true, "other")


def test_slips_of_the_pen_are_named_with_their_rows(tmp_path):
    said = {"Ground truth": ("AI", "Human"), "Verdict": ("Human", "AI", "AI")}
    header, rows = cycle(60, Judge="abcde", **said)
    rows[3][1] = "Hunan"
    rows.insert(1, [])
    _, file, told = write(tmp_path, (header, rows))
    assert file.values["truth"] == {"AI": "machine", "Human": "human"}
    assert "Hunan = not understood (1)" in told
    assert re.search(r"a run would stop at this: .*row: +6;.*'Hunan'", told)


@pytest.mark.parametrize(
    ("text", "columns", "values"),
    [
        (
            "judge,model,human_side,choice\na,gpt,left,right\na,gpt,right,right\nb,gpt,left,tie\n",
            {"human_at": "human_side", "chosen": "choice"},
            {"chosen": {"tie": "unsure"}},
        ),
        (
            "judge,model,correct\na,gpt,1\na,gpt,0\nb,gpt,tie\n",
            {"right": "correct"},
            {"right": {"tie": "unsure"}},
        ),
    ],
)
def test_choices_between_two_responses_are_known(tmp_path, text, columns, values):
    study, file, told = write(tmp_path, text)
    assert study.tasks["verdicts"].choice
    assert file.columns == {"judge": "judge", "agent": "model", **columns}
    assert file.values == values
    assert "taken for a choice" in told


JUDGED = {"judge": "abcd", "correct": hold(3, "yes", "no")}
RATED = {"rater": "abcd", "text": range(42), "author": ("human", "AI")}


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (cycle(2, agent=("bot", "human"), verdict=["AI"]), "no column is known for judge"),
        (cycle(2, judge="ab", verdict=("AI", "human")), "no column is known for truth"),
        (cycle(2, judge="ab", truth=("AI", "human"), color=["red"]), "is known for verdict"),
        (cycle(0, judge="", truth="", verdict=""), "no rows"),
        # Genders and single values are never the truth.
        (cycle(24, **JUDGED, gender=("man", "woman")), "no column is known for truth"),
        (cycle(24, **JUDGED, Geschlecht=["man"]), "no column is known for truth"),
        (cycle(24, **JUDGED, role=["user"]), "no column is known for truth"),
        # Yes may mean either.
        (
            cycle(12, judge="ab", truth=("TRUE", "FALSE"), verdict=hold(3, "TRUE", "FALSE")),
            "not understood",
        ),
        # An example of a scale has the ends and the direction of the answers.
        (cycle(42, **RATED, rating=range(1, 21)), "human: 1-10, machine: 11-20"),
        (cycle(42, **RATED, rating=range(1, 8)), "human: 1-3, unsure: 4, machine: 5-7"),
        (cycle(42, **RATED, humanlike=range(1, 11)), "human: 6-10, unsure: 5, machine: 0-4"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path, table, problem):
    with pytest.raises(InputError, match=problem):
        write(tmp_path, table)
    assert not (tmp_path / "config").exists()


def test_a_single_value_is_the_truth_if_it_is_named(tmp_path):
    _, file, _ = write(tmp_path, cycle(24, **JUDGED, role=["user"]), named={"truth": "role"})
    assert file.values["truth"] == {"user": "human"}


def test_truth_that_contradicts_the_author_is_refused_with_rows(tmp_path):
    made = {"written_by": ("gpt", "human", "llama", "human"), "truth": ("AI", "human")}
    header, rows = cycle(40, judge="abcde", **made, verdict=["AI"])
    study, file, _ = write(tmp_path, (header, rows))
    assert file.columns["agent"] == "written_by"
    assert set(study.agents) == {"human", "gpt", "llama"}
    for row, truth in ((6, "human"), (9, "AI")):
        rows[row][2] = truth
    told = r"(?s)truth and written_by contradict each other in 2 rows.*row: +8, 11\n"
    with pytest.raises(InputError, match=told):
        write(tmp_path, (header, rows), "other")
    study, _, _ = write(tmp_path, (header, rows), "by_author", named={"truth": None})
    assert set(study.agents) == {"human", "gpt", "llama"}


@pytest.mark.parametrize("truth", [True, False])
def test_an_agent_without_a_name_is_asked_for(tmp_path, truth):
    made = {"model": ("gpt", "human", "", "llama")}
    made |= {"made by": ("AI", "human", "AI", "AI")} if truth else {}
    table = cycle(4, judge="aabb", **made, verdict=("AI", "AI", "AI", "human"))
    with pytest.raises(InputError, match=r"(?s)no agent.*row: +4\n.*model.*human.*null"):
        write(tmp_path, table)
    study, file, _ = write(tmp_path, table, words={"": None})
    assert file.values["agent"][""] is None
    assert read(file, tmp_path, study)[0]["agent"].tolist() == ["gpt", "human", "llama"]
    if not truth:
        study, file, _ = write(tmp_path, table, "other", words={"": "human"})
        agents = read(file, tmp_path, study)[0]["agent"].tolist()
        assert agents == ["gpt", "human", "human", "llama"]


def test_machines_that_judge_keep_their_names(tmp_path):
    documents = {"document_id": hold(3, *range(10)), "label": hold(3, "human", "AI-generated")}
    said = {"detector": ("GPTZero", "Binoculars", "R2-D2"), "prediction": ("human", "machine")}
    header, rows = cycle(30, **documents, **said)
    study, file, told = write(tmp_path, (header, rows))
    cohorts = study.tasks["verdicts"].cohorts
    labels = {"gptzero": "GPTZero", "binoculars": "Binoculars", "r2_d2": "R2-D2"}
    assert {name: cohort.label for name, cohort in cohorts.items()} == labels
    assert {cohort.judge_kind for cohort in cohorts.values()} == {"detector"}
    judgments, _ = read(file, tmp_path, study)
    assert judgments.groupby("cohort", observed=True).size().to_dict() == dict.fromkeys(cohorts, 10)
    assert study.models == ()
    assert "detector taken for machines that judge" in told
    # Language models that judge, in a column that might also name those who are judged.
    header[2] = "model"
    study, _, _ = write(tmp_path, (header, rows), "llms", named={"detector": "model"})
    assert {c.judge_kind for c in study.tasks["verdicts"].cohorts.values()} == {"llm"}


@pytest.mark.parametrize("answers", [True, False])
def test_evaluation_logs_are_read_as_they_are_exported(tmp_path, answers):
    """Columns of Inspect's `samples_df`, with the scores' answers or with their values alone."""
    log = {"eval_id": hold(24, "e0", "e1"), "log": ["a.eval"]}
    log |= {"model": hold(24, "openai/gpt-4o", "mine"), "id": lambda n: f"t{n % 24}"}
    # Equal verdicts of a second epoch are no copies.
    log |= {"epoch": hold(48, 1, 2), "input": ["Who?"], "target": ("human", "machine", "machine")}
    log["metadata_author"] = ("human", "llama", "gpt")
    log["score_match"] = lambda n: "C" if n % 48 % 5 else "I"
    if answers:
        log["score_match_answer"] = lambda n: ("human", "machine")[(n % 3 > 0) == (n % 48 % 5 > 0)]
    table = cycle(96, sample_id=lambda n: f"x{n % 48}q", **log, error=[""])
    study, file, _ = write(tmp_path, table)
    cohorts = study.tasks["verdicts"].cohorts.values()
    kinds = {one.label: one.judge_kind for one in cohorts}
    assert kinds == {"openai/gpt-4o": "llm", "mine": "llm"}
    assert set(study.agents) == {"human", "llama", "gpt"} and file.columns["stimulus"] == "id"
    assert file.columns["trial"] == "epoch" and not study.tasks["verdicts"].conditions
    judgments, _ = read(file, tmp_path, study)
    right = (judgments["verdict"].astype(str) == judgments["truth"].astype(str)).sum()
    assert (len(judgments), right) == (96, 76)


def test_cohorts_of_people_and_machines_come_from_a_column(tmp_path):
    kinds = ("crowd", "crowd", "gpt-4o", "experts", "experts", "model", "model")
    texts = {"text": hold(7, *range(12)), "author": hold(7, "human", "bot")}
    table = cycle(84, rater="abmcdno", kind=kinds, **texts, answer=("human", "AI"))
    study, file, told = write(tmp_path, table, named={"cohort": "kind", "judge": "rater"})
    cohorts = study.tasks["verdicts"].cohorts
    kinds = {name: cohort.judge_kind for name, cohort in cohorts.items()}
    assert kinds == {"crowd": "human", "gpt_4o": "llm", "experts": "human", "model": "llm"}
    assert all(set(model.cohorts) == {"crowd", "experts"} for model in study.models)
    judgments, _ = read(file, tmp_path, study)
    sizes = judgments["cohort"].astype(str).value_counts().to_dict()
    assert sizes == {"crowd": 24, "experts": 24, "gpt_4o": 12, "model": 24}
    assert "gpt-4o has one judge" in told and "model taken for machines" in told


def test_what_follows_from_the_verdict_is_a_check_and_no_predictor(tmp_path):
    """A table with columns that follow from the verdict."""
    sides = "AI", "human"
    said = [sides[n // 2 % 2 if n % 3 else 0] for n in range(72)]
    judged = {"judge": "abcdef", "text": range(9), "truth": sides, "verdict": said}
    judged["correct"] = lambda n: int(said[n] == sides[n % 2])
    judged[".pred_class"] = [f"class {side}" for side in said]
    beside = {"reason": hold(5, "style", "tone", "facts"), "witness_a": hold(7, "gpt", "human")}
    study, file, told = write(tmp_path, cycle(72, **judged, **beside, lights=hold(4, 0, 1)))
    task = study.tasks["verdicts"]
    assert task.conditions == ("lights",)
    assert task.columns == {"correct_in_table": "check", "pred_class": "check", "reason": "word"}
    assert "correct follows from truth and verdict: it checks them" in told
    assert "contradicts" not in told
    assert list_unread(told) == ["witness_a"]
    assert [model.formula.split(" + ")[1] for model in study.models][-1] == "lights"
    assert "made_by" not in file.columns


def test_numbers_become_covariates_of_models(tmp_path):
    numbers = {"words": range(10, 27), "row": range(60), "when": lambda n: 1.6e9 + n}
    said = {"judge": "abcde", "agent": ("gpt", "human"), "verdict": ["AI"]}
    table = cycle(60, **said, **numbers, scribble=lambda n: "x" * (n % 14))
    study, _, told = write(tmp_path, table)
    assert study.tasks["verdicts"].columns == {"words": "number"}
    assert list_unread(told) == ["row", "when", "scribble"]


def test_an_answer_is_in_one_group_though_another_looks_like_a_range(tmp_path):
    answers = ["1-3", "2", "4+", "5"]
    judged = {"judge": hold(2, *"abcdefgh"), "agent": ("bot", "human"), "verdict": ["AI"]}
    study, file, _ = write(tmp_path, cycle(16, **judged, visits=hold(2, *answers)))
    _, judges = read(file, tmp_path, study)
    groups = counts.assign_groups(judges, study.demographics)
    assert groups["group"].value_counts().to_dict() == dict.fromkeys(answers, 2)


def test_shapes_of_tables_are_written_as_the_user_said(tmp_path):
    (tmp_path / "items.csv").write_text("text_id,by,words\nt1,GPT-4,12\nt2,human,30\nt3,Llama,7\n")
    shape = {
        "wide": {"name": "text_id", "columns": {"answer": "said_*"}},
        "join": {"table": "items.csv", "by": "text_id"},
        "missing": [-9],
    }
    text = (
        "participant,age,said_t1,said_t2,said_t3\na,30,AI,human,AI\nb,-9,human,,AI\nc,55,AI,AI,\n"
    )
    with pytest.raises(InputError, match=r"(?s)3 columns of the same kind.*verdict: said_t\*"):
        write(tmp_path, text)
    with pytest.raises(ConfigError, match="table: unknown key sheets; known here: sheet, wide"):
        write(tmp_path, text, shape={"sheets": "a"})
    study, file, told = write(tmp_path, text, named={"agent": "by"}, shape=shape)
    assert "  9 rows of verdicts\n  2 left out: nothing in answer (not shown" in told
    assert file.missing == ("-9",)
    judgments, judges = read(file, tmp_path, study)
    agents = ["gpt_4", "human", "llama", "gpt_4", "llama", "gpt_4", "human"]
    assert judgments["agent"].tolist() == agents
    assert judges["age_band"].astype(object).fillna("").tolist() == ["30", "", "55"]


def test_ratings_need_their_scale_and_are_then_read(tmp_path):
    texts = {"text": range(7), "source": [*hold(3, "human"), *hold(4, "gpt")]}
    table = cycle(21, rater=hold(7, *"abc"), **texts, rating=lambda n: n % 7 + 1 if n else 99)
    with pytest.raises(InputError, match=r"(?s)from 1 to 99.*rating: \{column: rating, human"):
        write(tmp_path, table)
    scale = {"column": "rating", "human": "1-3", "unsure": "4", "machine": "5-7"}
    words = {"rating": {"99": None}}
    _, file, told = write(tmp_path, table, words=words, shape={"rating": scale})
    assert "1 left out: rating is 99" in told
    assert file.rating.machine == (5, 6, 7)
    assert file.values["rating"] == {"99": None}
    assert "rating" not in file.columns


def test_scores_of_detectors_are_written_with_their_threshold(tmp_path):
    texts = {"doc": hold(2, *range(7)), "source": [*hold(6, "human"), *hold(8, "gpt")]}
    scored = texts | {"detector": ("one", "two"), "score": lambda n: f"0.{n // 2 + 1}5"}
    table = cycle(14, **scored, **{".pred": [*hold(8, "human"), *hold(6, "AI")]})
    with pytest.raises(InputError, match=r"(?s)score: \{column: score, machine: '>= 0.5'\}"):
        write(tmp_path, cycle(14, **scored))
    with pytest.raises(InputError, match="lacks a column that was named"):
        write(tmp_path, table, shape={"score": {"column": "scor", "machine": ">= 0.5"}})
    shape = {"score": {"column": "score", "machine": ">= 0.5"}}
    study, file, _ = write(tmp_path, table, shape=shape, named={"agent": "source"})
    assert file.score.threshold == 0.5
    assert set(study.tasks["verdicts"].cohorts) == {"one", "two"}
    # The detector's own verdict checks that of the threshold.
    assert study.tasks["verdicts"].columns == {"pred": "check"}


def test_a_study_is_never_written_over_nor_a_column_read_twice(tmp_path):
    write(tmp_path, CHAT)
    twice = {"gender": "participant", "age": "participant"}
    for name, named, problem in (
        ("mine", {}, "already exists"),
        ("my-study", {}, "letters, digits"),
        ("other", twice, "gender and age are both participant"),
    ):
        with pytest.raises(ConfigError, match=problem):
            write(tmp_path, CHAT, name, named=named)


NASTY = [
    *("no", "1", "2024", "on", "Llama, 3", "a: b", "#x", "'q'", "High school, GED", "- x", "{a}"),
    *("Größe 模型 🤖", "~", "true", "1e5", "1:30", "=", "[b]", '"', "\\", "N", "0x1F", "*y", "&z"),
    *("!t", "human?", "all", "100 %", "2021", "inf", "é", "x | y", "`c`", "@d"),
]


@pytest.mark.parametrize("truth", [True, False])
def test_names_of_any_kind_are_written_and_read(tmp_path, truth):
    made = {"agent": [*NASTY, "human"], "is by": [*hold(len(NASTY), "AI"), "human"]}
    made["no"] = [*NASTY[:5], *["x"] * (len(NASTY) - 5)]
    size = len(NASTY) + 1
    judged = {"judge": hold(size, *"abcdefgh"), "schooling": hold(size, *NASTY[:4])}
    header, rows = cycle(8 * size, **made, **judged, verdict=["human"])
    named = {"truth": "is by"} if truth else {}
    study, file, told = write(tmp_path, (header, rows), named=named)
    assert "Written" in told and "a run would stop" not in told
    labels = {agent: described.label for agent, described in study.agents.items()}
    assert sorted(set(labels.values()) - {"Human"}) == sorted(NASTY)
    judgments, judges = read(file, tmp_path, study)
    assert len(judgments) == len(rows)
    agents = judgments["agent"].astype(str).map(labels)
    assert agents.tolist() == ["Human" if row[0] == "human" else row[0] for row in rows]
    # Groups and conditions hold everybody and everything.
    groups = counts.assign_groups(judges, study.demographics)
    assert len(groups[groups["group_by"] == "schooling"]) == 8
    (condition,) = study.tasks["verdicts"].conditions
    assert judgments[condition].tolist() == [row[2] for row in rows]
    # No table of results takes a name for a number or for nothing.
    table = pd.DataFrame({"agent": list(labels), "agent_label": list(labels.values())})
    files.write_frame(table, tmp_path / "t.csv")
    assert files.read_frame(tmp_path / "t.csv").to_dict("list") == table.to_dict("list")
    files.write_frame(table.iloc[3:4].assign(agent_label="2024"), tmp_path / "t.csv")
    assert files.read_frame(tmp_path / "t.csv")["agent_label"].tolist() == ["2024"]


CHAT = "participant,partner,verdict\n" + "".join(
    f"P{n},{('person', 'GPT-4')[n % 2]},{('human', 'AI', 'AI')[n % 3]}\n" for n in range(12)
)


def test_people_beside_names_are_the_agents_and_slips_are_noted(tmp_path):
    study, file, told = write(tmp_path, CHAT)
    assert file.columns["agent"] == "partner"
    assert set(study.agents) == {"human", "gpt_4"}
    assert "partner taken for who made the responses: person for people" in told
    _, _, told = write(tmp_path, CHAT.replace("P2,person", "P2,persn"), "other")
    assert "persn is spelled almost like person" in told


@pytest.mark.parametrize(
    ("made_by", "note"),
    [("human", "everything is by humans"), ("GPT-4", "is one of these a person")],
)
def test_people_or_machines_alone_are_read_with_a_note(tmp_path, made_by, note):
    table = cycle(12, rater="abc", text=range(12), author=[made_by], answer=("human", "AI"))
    _, _, told = write(tmp_path, table)
    assert note in told and "a run would stop" not in told


def test_ranks_summaries_topics_and_ratings_beside_the_verdict_are_no_predictors(tmp_path):
    texts = {"text": hold(5, *range(10)), "author": hold(5, "human", "GPT")}
    said = {"rater": "abcde", "answer": ("human", "AI", "human"), "rank": (1, 2, 3, 4)}
    said["trust"] = lambda n: n * n // 7 % 5 + 1
    beside = {"summary": lambda n: f"{n} of" * (n < 2), "": lambda n: "x" * (n < 3), "hint": (0, 1)}
    # A domain is a condition; a topic of its own in each row is none.
    topics = {"domain": hold(3, *"ab"), "topic": lambda n: f"about {n}"}
    study, file, told = write(tmp_path, cycle(50, **texts, **said, **beside, **topics))
    task = study.tasks["verdicts"]
    assert task.conditions == ("hint", "domain")
    assert dict(task.columns) == {"rank": "word", "trust": "scale"}
    assert not {"summary", "Unnamed: 7"} & set(map(str, file.columns.values()))
    assert "filled in 2 of 50 rows" in told
    assert not any("rank" in model.formula for model in study.models)


TIMES = [("rt_ms", 0.9, "rt_ms"), ("rt (s)", 250, "rt_s"), ("rt", 12, "rt_s"), ("rt", 950, "rt_ms")]


@pytest.mark.parametrize(("column", "times", "name"), TIMES)
def test_the_unit_of_times_is_in_the_name_of_their_column(tmp_path, column, times, name):
    header, *lines = CHAT.splitlines()
    text = "\n".join([f"{header},{column}", *(f"{line},{times}" for line in lines), ""])
    _, file, told = write(tmp_path, text)
    assert file.columns.get(name) == column
    assert ("taken for seconds: its median is 12" in told) == (times == 12)


def test_answers_that_are_missing_or_codes_are_left_out_and_said(tmp_path):
    said = {"answer": ("human", "AI", "n/a"), "confidence": [1, 5, 99, 3, 2, 99, 4, 1, 5, 99, 2, 3]}
    table = cycle(12, rater="abcd", text=range(12), author=("human", "GPT"), **said)
    study, file, told = write(tmp_path, table)
    assert file.values["verdict"][""] is None and "answer: 4 rows without an answer" in told
    assert file.values["confidence"] == {"99": ""} and "99 (3) taken for no answer" in told
    assert file.limits["confidence"] == (1, 5)
    judgments, _ = read(file, tmp_path, study)
    assert len(judgments) == 8 and judgments["confidence"].max() == 5


def test_the_only_other_column_of_few_words_is_proposed_as_the_truth(tmp_path):
    """Faces by machines alone, with words for them that no one knows."""
    faces = {
        "face": range(10),
        "shown_as": ("Reality", "Fiction"),
        "answer": hold(3, "real", "fake"),
    }
    table = cycle(60, rater=hold(10, *"abcdef"), **faces)
    with pytest.raises(InputError) as raised:
        write(tmp_path, table, named={"judge": "rater"})
    assert 'columns="{judge: rater, truth: shown_as}" values="{shown_as: {' in raised.value.fix
    said = {"shown_as": {"Reality": "machine", "Fiction": "machine"}}
    study, file, _ = write(tmp_path, table, named={"truth": "shown_as"}, words=said)
    # Where nothing is by people, no other column is taken for the names of machines.
    assert file.columns["stimulus"] == "face" and [*study.agents] == ["human", "machine"]


def test_a_remedy_repeats_what_the_user_said(tmp_path):
    text = "rater,item,model_a,model_b,v1,v2\nR1,i1,A,B,1,2\nR1,i2,B,A,2,1\n"
    shape = {"wide": {"name": "judge", "columns": {"winner": "v*"}}}
    with pytest.raises(InputError) as raised:
        write(tmp_path, text, shape=shape, words={"judge": {"no": None}})
    assert """values="{judge: {'no': null}, winner: {'1': option_a""" in raised.value.fix
    assert 'table="{wide: {name: judge, columns: {winner: v*}}}"' in raised.value.fix


def test_a_remedy_joins_what_was_said_of_a_column_before(tmp_path):
    table = cycle(4, judge=("j1", "j2"), model_a="ABAA", model_b="BABB", winner="xyzA")
    with pytest.raises(InputError) as refused:
        write(tmp_path, table, words={"winner": {"x": "tie"}, "n/a": None})
    said = re.search(r'values="(.*?)"', str(refused.value))[1]
    asked = "option_a or tie"
    assert yaml.safe_load(said) == {"n/a": None, "winner": {"x": "tie", "y": asked, "z": asked}}
    assert said.count("winner") == 1


def test_ratings_beside_the_verdict_are_scales_of_numbers(tmp_path):
    texts = {"text": hold(4, *range(6)), "source": hold(4, "human", "GPT-4o"), "answer": ["human"]}
    table = cycle(24, rater="abcd", **texts, humanlike=range(7), trust=("low", "high"))
    said = {"named": {"scales": ["humanlike", "trust"]}}
    with pytest.raises(InputError, match=r"(?s)a scale holds numbers.*trust.*low"):
        write(tmp_path, table, **said)
    words = {"trust": {"low": "1", "high": "3"}}
    study, file, _ = write(tmp_path, table, words=words, **said)
    assert study.tasks["verdicts"].columns == {"humanlike": "scale", "trust": "scale"}
    judgments = read(file, tmp_path, study)[0]
    assert set(judgments["trust"]) == {"1", "3"}


def test_no_name_is_what_the_table_calls_another_level():
    names = vocabulary.name_all(["GPT-4", "gpt_4", "all"], "agent", used=("all_2",))
    assert names == {"gpt_4_2": "GPT-4", "gpt_4": "gpt_4", "all_3": "all"}
