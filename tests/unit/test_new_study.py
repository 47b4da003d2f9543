"""A starting study is written from a table, with what was guessed and what is not read."""

import csv
import io
import time
from pathlib import Path

import pandas as pd
import pytest

from demo import own_data
from turingstats.config import raw_files, settings
from turingstats.config.load import load_study
from turingstats.core import files
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import adapters, counts
from turingstats.new_study import starting_study
from turingstats.new_study.asking import Dialogue
from turingstats.new_study.privacy import explain_privacy

TABLE = """\
Worker ID,model,is_AI,Response,certainty,IP,user agent,Name,email,group,round,notes
A1B2C3D4E5F6G7,gpt-4,1,AI,80,10.1.2.3,Mozilla/5.0,Ann,a@b.org,told,1,a remark that is long enough to be text
A1B2C3D4E5F6G7,,0,human,20,10.1.2.3,Mozilla/5.0,Ann,a@b.org,told,2,another remark that is long enough
A2B2C3D4E5F6G7,llama,1,dunno,55,10.1.2.4,Mozilla/5.0,Bob,c@d.org,not told,1,and one more that is long enough
A2B2C3D4E5F6G7,,0,AI,55,10.1.2.4,Mozilla/5.0,Bob,c@d.org,not told,2,the next remark that is long enough
A3B2C3D4E5F6G7,llama,1,AI,90,10.1.2.5,Mozilla/5.0,Cyd,e@f.org,told,1,a fifth one that is long enough
A3B2C3D4E5F6G7,,0,AI,10,10.1.2.5,Mozilla/5.0,Cyd,e@f.org,told,2,the last remark that is long enough
"""


def written(folder, text, name="mine"):
    """Study and sources written for a table, read and checked as a run does, and what was told."""
    table = folder / "table.csv"
    table.write_text(text)
    told = starting_study.write_study(table, name, folder)
    study = load_study(folder / f"config/studies/{name}.yaml")
    return study, raw_files.load_sources(folder / f"data/sources/{name}.yaml"), told


def test_columns_are_guessed(tmp_path):
    study, sources, _ = written(tmp_path, TABLE.replace("dunno", "don't know"))
    (file,) = sources.files
    assert file.columns == {
        "judge": "Worker ID",
        "truth": "is_AI",
        "verdict": "Response",
        "agent": "model",
        "confidence": "certainty",
        "group": "group",
        "round": "round",
    }
    assert file.values["truth"] == {"1": "machine", "0": "human"}
    assert file.values["verdict"] == {"AI": "machine", "human": "human", "don't know": "unsure"}
    assert set(study.agents) == {"human", "gpt_4", "llama"}
    # What a judge saw throughout groups judges; what changed is a condition.
    assert list(study.demographics) == ["group"]
    assert study.tasks["verdicts"].conditions == ("round",)
    assert study.readings == ("recommended",)
    assert study.bands == {"confidence": (0, 20, 40, 60, 80, 101)}
    formulas = {model.id: model.formula for model in study.models}
    assert formulas == {
        "verdicts.agents": "said_machine ~ agent + (1 | judge) + (1 | judge:made_by)",
        "verdicts.correct": "correct ~ agent + (1 | judge)",
        "verdicts.correct_by_round": "correct ~ agent + round + (1 | judge)",
    }


@pytest.mark.parametrize(
    ("answers", "limits"),
    [("1 2 3 7", [*range(1, 9)]), ("0.5 1 0.9 0", [0, 0.2, 0.4, 0.6, 0.8]), ("10 200 30 4", None)],
)
def test_confidence_has_bands_of_its_scale(tmp_path, answers, limits):
    rows = [f"w,{side},{side},{sure}" for side in ("human", "AI") for sure in answers.split()]
    text = "\n".join(["judge,truth,verdict,confidence", *rows, ""])
    study, _, _ = written(tmp_path, text)
    found = list(study.bands["confidence"])
    assert found == limits if limits else found == sorted(found) and found[0] == 4


def test_models_have_the_terms_that_columns_allow(tmp_path):
    rows = [f"w{n % 3},i{n % 4},{n % 2},{n % 2}" for n in range(24)]
    study, _, _ = written(tmp_path, "judge,item,is_ai,correct\n" + "\n".join(rows) + "\n")
    (model,) = study.models
    assert model.formula == "correct ~ agent + (1 | judge) + (1 | stimulus)"
    assert study.bands == {}


def test_nothing_personal_is_read(tmp_path):
    _, sources, told = written(tmp_path, TABLE.replace("dunno", "unsure"))
    (file,) = sources.files
    for column in ("IP", "user agent", "Name", "email", "notes"):
        assert column not in file.columns.values()
        assert column in told.split("Not read:")[1]
    for path in (tmp_path / "config", tmp_path / "data"):
        for file in path.rglob("*.yaml"):
            text = file.read_text()
            assert not [
                secret for secret in ("10.1.2", "Ann", "@", "A1B2", "Mozilla") if secret in text
            ]


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
    _, sources, told = written(tmp_path, "judge,agent,verdict,field7\n" + rows)
    assert "field7" not in sources.files[0].columns.values()
    assert why in told


def test_what_names_single_judges_is_no_group(tmp_path):
    people = {"a": ("Ann", "old"), "b": ("Bob", "new"), "c": ("Cyd", "new"), "d": ("Dan", "old")}
    rows = [
        f"{who},{vor},{site},{made},AI"
        for who, (vor, site) in people.items()
        for made in ("bot", "human")
    ]
    study, sources, told = written(
        tmp_path, "\n".join(["judge,Vorname,site,agent,verdict", *rows, ""])
    )
    assert list(study.demographics) == ["site"]
    assert "Vorname" not in sources.files[0].columns.values()
    assert "most of its values belong to a single judge" in told.split("Vorname")[1]


def test_columns_and_words_of_other_languages_are_given(tmp_path):
    rows = [
        f"p{n % 3};{'KI' if n % 2 else 'Mensch'};{'Mensch' if n % 4 else 'KI'}" for n in range(12)
    ]
    text = "\n".join(["Wer;Von;Urteil", *rows, ""])
    with pytest.raises(
        InputError, match=r"(?s)no column is known for judge.*columns=.*Wer, Von, Urteil"
    ):
        written(tmp_path, text)
    table = tmp_path / "table.csv"
    named = {"judge": "Wer", "truth": "Von", "verdict": "Urteil"}
    words = {"Mensch": "human", "KI": "machine"}
    starting_study.write_study(table, "mine", tmp_path, named, words)
    (file,) = raw_files.load_sources(tmp_path / "data/sources/mine.yaml").files
    assert file.columns == named
    assert file.values["truth"] == file.values["verdict"] == words
    with pytest.raises(InputError, match=r"(?s)Wem.*allowed: Wer, Von, Urteil"):
        starting_study.write_study(table, "other", tmp_path, {"judge": "Wem"})
    with pytest.raises(ConfigError, match=r"'jugde'.*\n.*judge"):
        starting_study.write_study(table, "other", tmp_path, {"jugde": "Wer"})
    # A given agent has people among its names.
    agents = {"judge": "Wer", "agent": "Von", "verdict": "Urteil"}
    starting_study.write_study(table, "agents", tmp_path, agents, words)
    assert set(load_study(tmp_path / "config/studies/agents.yaml").agents) == {"human", "ki"}


def test_is_human_is_the_verdict_where_the_agent_is_known(tmp_path):
    text = "judge,source,is human\na,human,FALSE\na,gpt,TRUE\nb,human,TRUE\nb,gpt,FALSE\n"
    _, sources, told = written(tmp_path, text)
    assert sources.files[0].columns == {"judge": "judge", "verdict": "is human", "agent": "source"}
    assert sources.files[0].values["verdict"] == {"FALSE": "machine", "TRUE": "human"}
    assert "is human taken for the verdict" in told
    # Where it is the truth in other words, nobody's verdict is known.
    true = text.replace("human,FALSE", "human,TRUE", 1).replace("a,gpt,TRUE", "a,gpt,FALSE")
    with pytest.raises(InputError, match="no column is known for verdict"):
        written(tmp_path, true, "other")


def test_slips_of_the_pen_are_named_with_their_rows(tmp_path):
    rows = [
        f"j{n % 5},{'Human' if n % 2 else 'AI'},{'AI' if n % 3 else 'Human'}" for n in range(60)
    ]
    rows[3] = rows[3].replace("Human", "Hunan", 1)
    rows.insert(1, "")
    _, sources, told = written(tmp_path, "\n".join(["Judge,Ground truth,Verdict", *rows, ""]))
    assert sources.files[0].values["truth"] == {"AI": "machine", "Human": "human"}
    assert "Ground truth: not understood is 'Hunan' (row 6)" in told
    assert "rows repeat an earlier one in every column" in told


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
    study, sources, told = written(tmp_path, text)
    assert study.tasks["verdicts"].choice
    assert sources.files[0].columns == {"judge": "judge", "agent": "model", **columns}
    assert sources.files[0].values == values
    assert "taken for a choice" in told


def test_seconds_and_units_in_the_names_of_columns(tmp_path):
    text = "judge,agent,verdict,response time (s),confidence [0-100]\n" + "".join(
        f"j{n % 2},{'bot' if n % 3 else 'human'},AI,{n}.5,{10 * n}\n" for n in range(1, 9)
    )
    study, sources, told = written(tmp_path, text)
    assert sources.files[0].columns["rt_s"] == "response time (s)"
    assert sources.files[0].columns["confidence"] == "confidence [0-100]"
    assert study.bands["confidence"][-1] == 101
    assert "taken for seconds: half of it is below 5" in told


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("agent,verdict\nbot,AI\nhuman,AI\n", "no column is known for judge"),
        ("judge,verdict\na,AI\nb,human\n", "no column is known for truth"),
        ("judge,truth,color\na,AI,red\nb,human,red\n", "no column is known for verdict"),
        ("judge,truth,verdict\n", "no rows"),
    ],
)
def test_what_cannot_be_told_is_asked_for(tmp_path, text, problem):
    with pytest.raises(InputError, match=problem):
        written(tmp_path, text)
    assert not (tmp_path / "config").exists()


def test_a_study_is_never_written_over(tmp_path):
    text = "judge,agent,verdict\na,bot,AI\na,human,AI\n"
    written(tmp_path, text)
    with pytest.raises(ConfigError, match="already exists"):
        written(tmp_path, text)
    with pytest.raises(ConfigError, match="letters, digits"):
        written(tmp_path, text, "my-study")


def test_the_file_of_the_tutorial_is_the_generated_one(tmp_path):
    table = own_data.generate_trials()
    path = tmp_path / "trials.csv"
    table.to_csv(path, index=False, lineterminator="\n")
    shipped = Path(__file__).parents[2] / "docs/example/trials.csv"
    assert shipped.read_bytes() == path.read_bytes()
    told = starting_study.write_study(path, "example", tmp_path)
    study = load_study(tmp_path / "config/studies/example.yaml")
    assert list(study.demographics) == ["gender", "age", "uses_chatbots"]
    assert "ip_address" in told.split("Not read:")[1]


def test_a_table_that_is_not_there_or_none_is_named(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        starting_study.write_study(tmp_path / "nowhere.csv", None, tmp_path)
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(InputError, match="cannot be read as a table"):
        starting_study.write_study(tmp_path / "empty.csv", None, tmp_path)
    (tmp_path / "sheet.xlsx").write_bytes(b"PK\x03\x04\x00\x81\xff\x00")
    with pytest.raises(InputError):
        starting_study.write_study(tmp_path / "sheet.xlsx", None, tmp_path)
    (tmp_path / "ragged.csv").write_text("judge,truth,verdict\na,AI,AI\na,AI,AI,0,5\n")
    with pytest.raises(InputError, match=r"(?s)5 cells, where there are 3 columns.*row: +3"):
        starting_study.write_study(tmp_path / "ragged.csv", None, tmp_path)


NASTY = [
    *("no", "1", "2024", "null", "Llama, 3", "a: b", "#x", "'q'", "High school, GED", "- x", "{a}"),
    *(
        "Größe 模型 🤖",
        "~",
        "true",
        "1e5",
        "1:30",
        "=",
        "[b]",
        '"',
        "\\",
        "NA",
        "0x1F",
        "*y",
        "&z",
        "!t",
    ),
    *("human?", "all", "100 %", "2021", "nan", "é", "a\tb", "x | y", "`c`", "@d"),
]


def as_csv(header, rows):
    """A table with every cell in quotes where it needs them."""
    stream = io.StringIO()
    csv.writer(stream).writerows([header, *rows])
    return stream.getvalue()


@pytest.mark.parametrize("truth", [True, False])
def test_names_of_any_kind_are_written_and_read(tmp_path, truth):
    rows = [
        (f"j{n}", name, "AI", "human", NASTY[n % 4], NASTY[len(name) % 5])
        for n in range(8)
        for name in (*NASTY, "human")
    ]
    rows = [(j, a, "human" if a == "human" else "AI", *rest) for j, a, _, *rest in rows]
    header = ["judge", "agent", "is by", "verdict", "schooling", "no"]
    text = as_csv(header, rows)
    named = {"truth": "is by"} if truth else {}
    (tmp_path / "table.csv").write_text(text, encoding="utf-8")
    told = starting_study.write_study(tmp_path / "table.csv", "mine", tmp_path, named)
    assert "Written" in told and "a run would stop" not in told
    study = load_study(tmp_path / "config/studies/mine.yaml")
    (file,) = raw_files.load_sources(tmp_path / "data/sources/mine.yaml").files
    labels = {agent: described.label for agent, described in study.agents.items()}
    assert sorted(set(labels.values()) - {"Human"}) == sorted(NASTY)
    judgments, judges, _ = adapters.read_raw_files([file], tmp_path, study)
    assert len(judgments) == len(rows)
    found = judgments["agent"].astype(str).map(labels)
    assert found.tolist() == ["Human" if row[1] == "human" else row[1] for row in rows]
    # Groups and conditions hold everybody and everything.
    groups = counts.assign_groups(judges, study.demographics)
    assert len(groups[groups["group_by"] == "schooling"]) == 8
    (condition,) = study.tasks["verdicts"].conditions
    assert judgments[condition].tolist() == [row[-1] for row in rows]
    # No table of results takes a name for a number or for nothing.
    table = pd.DataFrame({"agent": list(labels), "agent_label": list(labels.values())})
    files.write_frame(table, tmp_path / "t.csv")
    assert files.read_frame(tmp_path / "t.csv").to_dict("list") == table.to_dict("list")
    files.write_frame(table.iloc[3:4].assign(agent_label="2024"), tmp_path / "t.csv")
    assert files.read_frame(tmp_path / "t.csv")["agent_label"].tolist() == ["2024"]


@pytest.mark.parametrize("first", range(4))
def test_answers_of_any_kind_have_a_group(tmp_path, first):
    answers = NASTY[first::4]
    rows = [
        (f"j{judge}-{place}", agent, "AI", answer)
        for judge in range(2)
        for place, answer in enumerate(answers)
        for agent in ("bot", "human")
    ]
    study, sources, told = written(tmp_path, as_csv(["judge", "agent", "verdict", "edu"], rows))
    assert "a run would stop" not in told
    _, judges, _ = adapters.read_raw_files(sources.files, tmp_path, study)
    groups = counts.assign_groups(judges, study.demographics)
    sizes = groups[groups["reading"] == "recommended"]["group"].value_counts()
    assert sizes.to_dict() == dict.fromkeys(answers, 2)


def test_agents_are_one_by_case_alone_and_never_collide(tmp_path):
    names = ["GPT 4", "gpt_4", "gpt-4", "GPT 4 ", "gpt 4", "gpt_4_2", "machine", "bot"]
    rows = [(f"j{n % 2}", name, "AI") for n, name in enumerate([*names, "human"] * 2)]
    study, sources, _ = written(tmp_path, as_csv(["judge", "agent", "verdict"], rows))
    labels = {agent: described.label for agent, described in study.agents.items()}
    assert len(labels) == 7
    judgments, _, _ = adapters.read_raw_files(sources.files, tmp_path, study)
    found = judgments["agent"].astype(str).map(labels).str.lower().tolist()
    assert found == [row[1].strip().lower() for row in rows]


@pytest.mark.parametrize("truth", [True, False])
def test_an_agent_without_a_name_is_asked_for(tmp_path, truth):
    text = (
        "judge,model,made by,verdict\na,gpt,AI,AI\na,human,human,AI\nb,,AI,AI\nb,llama,AI,human\n"
    )
    if not truth:
        text = "\n".join(
            ",".join(cells[:2] + cells[3:])
            for cells in (line.split(",") for line in text.splitlines())
        )
    with pytest.raises(InputError, match=r"(?s)no agent.*row: +4\n.*model.*human.*null"):
        written(tmp_path, text)
    assert not (tmp_path / "config").exists()
    table = tmp_path / "table.csv"
    starting_study.write_study(table, "mine", tmp_path, words={"": None})
    study = load_study(tmp_path / "config/studies/mine.yaml")
    files = raw_files.load_sources(tmp_path / "data/sources/mine.yaml").files
    assert files[0].values["agent"][""] is None
    judgments, _, _ = adapters.read_raw_files(files, tmp_path, study)
    assert judgments["agent"].tolist() == ["gpt", "human", "llama"]
    if not truth:
        starting_study.write_study(table, "other", tmp_path, words={"": "human"})
        files = raw_files.load_sources(tmp_path / "data/sources/other.yaml").files
        judgments, _, _ = adapters.read_raw_files(files, tmp_path, study)
        assert judgments["agent"].tolist() == ["gpt", "human", "human", "llama"]


def test_signs_tell_values_apart(tmp_path):
    rows = [(f"j{n % 4}", "human" if n % 2 else "gpt", n % 2 or "0") for n in range(40)]
    rows[5] = ("j1", "human", "-1")
    rows[7] = ("j3", "human", "+1")
    _, sources, told = written(tmp_path, as_csv(["judge", "agent", "is human"], rows * 2))
    assert sources.files[0].values["verdict"] == {"0": "machine", "1": "human"}
    assert "-1 = not understood (2)" in told
    assert "'-1' (row 7)" in told and "a run would stop at this" in told
    # With many of them, the column is not understood at all.
    text = as_csv(["judge", "agent", "is human"], [*rows, *rows[5:6] * 9])
    with pytest.raises(InputError, match=r"is human is not understood where it is '-1' \(10\)"):
        written(tmp_path, text, "other")
    (tmp_path / "table.csv").write_text(text)
    told = starting_study.write_study(
        tmp_path / "table.csv", "third", tmp_path, words={"-1": None, "+1": "unsure"}
    )
    (file,) = raw_files.load_sources(tmp_path / "data/sources/third.yaml").files
    meant = {"0": "machine", "1": "human", "-1": None, "+1": "unsure"}
    assert file.values["verdict"] == meant
    assert "-1 = left out (10)" in told and "+1 = unsure (1)" in told


@pytest.mark.parametrize(
    ("value", "meant"),
    [("A.I.", True), ("a i", True), ("A-I", True), ("AI?", False), ("!AI", False), ("(AI)", False)],
)
def test_words_are_known_by_their_letters_but_not_under_other_signs(tmp_path, value, meant):
    rows = [(f"j{n % 4}", "human" if n % 2 else "gpt", "human") for n in range(78)]
    rows += [("j1", "gpt", value)] * 2
    text = as_csv(["judge", "agent", "verdict"], rows)
    if meant:
        _, sources, told = written(tmp_path, text)
        assert sources.files[0].values["verdict"][value] == "machine"
        assert f"{value} = machine (2)" in told
        # Beside the word itself, another spelling of it is another value.
        rows += [("j2", "gpt", "AI")] * 3
        _, sources, told = written(tmp_path, as_csv(["judge", "agent", "verdict"], rows), "other")
        assert sources.files[0].values["verdict"] == {"human": "human", "AI": "machine"}
        assert f"{value} = not understood (2)" in told
    else:
        with pytest.raises(InputError, match="not understood where it is"):
            written(tmp_path, text)


@pytest.mark.parametrize("name", ["gender", "Sex of participant", "Geschlecht", "who is it"])
@pytest.mark.parametrize("answers", [("man",), ("man", "woman"), ("male", "female")])
def test_genders_are_never_the_truth(tmp_path, name, answers):
    rows = [
        (f"j{n % 4}", f"t{n}", answers[n % 4 % len(answers)], "yes" if n % 3 else "no")
        for n in range(24)
    ]
    with pytest.raises(InputError, match="no column is known for truth"):
        written(tmp_path, as_csv(["judge", "item", name, "correct"], rows))


def test_one_value_in_all_rows_is_no_truth_by_itself(tmp_path):
    rows = [(f"j{n % 4}", "user", "AI" if n % 3 else "human") for n in range(24)]
    with pytest.raises(InputError, match="no column is known for truth"):
        written(tmp_path, as_csv(["judge", "role", "verdict"], rows))
    _, sources, told = written(tmp_path, as_csv(["judge", "truth", "verdict"], rows))
    assert sources.files[0].columns["truth"] == "truth"
    assert "'user' in all rows: everything is by people then" in told


def test_an_answer_is_in_one_group_though_another_looks_like_a_range(tmp_path):
    answers = ["1-3", "2", "4+", "5"]
    rows = [(f"j{n}", agent, "AI", answers[n % 4]) for n in range(8) for agent in ("bot", "human")]
    study, sources, _ = written(tmp_path, as_csv(["judge", "agent", "verdict", "visits"], rows))
    _, judges, _ = adapters.read_raw_files(sources.files, tmp_path, study)
    groups = counts.assign_groups(judges, study.demographics)
    assert groups["group"].value_counts().to_dict() == dict.fromkeys(answers, 2)


# --- tables as they come --------------------------------------------------------------------------


def test_a_column_whose_words_are_not_understood_is_named(tmp_path):
    rows = [
        (f"s{n % 5}", f"i{n}", ("ffhq", "stylegan3", "stylegan2")[n % 3], ("real", "fake")[n % 2])
        for n in range(30)
    ]
    text = as_csv(["subj_id", "img_id", "source", "response"], rows)
    with pytest.raises(
        InputError,
        match=r"(?s)column source was found for truth.*'ffhq' \(10\), 'stylegan3' \(10\).*"
        r"values=\"\{source: \{ffhq: human or machine, stylegan3: .*names of machines",
    ):
        written(tmp_path, text)
    table = tmp_path / "table.csv"
    # Whoever is not human is a machine by its name.
    starting_study.write_study(table, "names", tmp_path, words={"ffhq": "human"})
    study = load_study(tmp_path / "config/studies/names.yaml")
    assert set(study.agents) == {"human", "stylegan2", "stylegan3"}
    both = {"source": {"ffhq": "human", "stylegan3": "machine", "stylegan2": None}}
    told = starting_study.write_study(table, "sides", tmp_path, words=both)
    (file,) = raw_files.load_sources(tmp_path / "data/sources/sides.yaml").files
    assert file.values["truth"] == both["source"]
    assert "  10 left out: source is stylegan2 (null under values)" in told
    assert "  20 analyzed" in told


def test_one_code_may_mean_different_things_in_two_columns(tmp_path):
    rows = [(f"r{n % 4}", f"i{n % 6}", n % 2, 1 + n // 2 % 2, 1 + n % 2) for n in range(24)]
    text = as_csv(["rater", "item", "made by", "verdict", "sex"], rows)
    with pytest.raises(InputError, match=r"column made by was found for truth.*'0' \(12\)"):
        written(tmp_path, text)
    words = {
        "made by": {"0": "human", "1": "machine"},
        "verdict": {"1": "machine", "2": "human"},
        "gender": {"1": "female", "2": "male"},
    }
    starting_study.write_study(tmp_path / "table.csv", "mine", tmp_path, words=words)
    (file,) = raw_files.load_sources(tmp_path / "data/sources/mine.yaml").files
    assert file.values == {
        "truth": words["made by"],
        "verdict": words["verdict"],
        "gender": words["gender"],
    }
    study = load_study(tmp_path / "config/studies/mine.yaml")
    assert list(study.demographics["gender"]) == ["female", "male"]
    words = {"origins": {"1": "human"}}
    with pytest.raises(ConfigError, match=r"(?s)values: no column 'origins'.*allowed: rater"):
        starting_study.write_study(tmp_path / "table.csv", "other", tmp_path, words=words)


def test_machines_that_judge_keep_their_names(tmp_path):
    rows = [
        (f"d{n // 3}", ("human", "AI-generated")[n // 3 % 2], name, ("human", "machine")[n % 2])
        for n in range(30)
        for name in [("GPTZero", "Binoculars", "R2-D2")[n % 3]]
    ]
    text = as_csv(["document_id", "label", "detector", "prediction"], rows)
    study, sources, told = written(tmp_path, text)
    cohorts = study.tasks["verdicts"].cohorts
    assert {name: cohort.label for name, cohort in cohorts.items()} == {
        "gptzero": "GPTZero",
        "binoculars": "Binoculars",
        "r2_d2": "R2-D2",
    }
    assert {cohort.judge_kind for cohort in cohorts.values()} == {"detector"}
    judgments, _, _ = adapters.read_raw_files(sources.files, tmp_path, study)
    assert judgments.groupby("cohort", observed=True).size().to_dict() == dict.fromkeys(cohorts, 10)
    assert study.models == ()
    assert "detector taken for machines that judge" in told
    # Language models that judge, in a column that might also name those who are judged.
    (tmp_path / "table.csv").write_text(text.replace("detector", "model"))
    named = {"detector": "model"}
    starting_study.write_study(tmp_path / "table.csv", "llms", tmp_path, named)
    cohorts = load_study(tmp_path / "config/studies/llms.yaml").tasks["verdicts"].cohorts
    assert {cohort.judge_kind for cohort in cohorts.values()} == {"llm"}


def test_shapes_of_tables_are_written_as_the_user_said(tmp_path):
    (tmp_path / "items.csv").write_text("text_id,by,words\nt1,GPT-4,12\nt2,human,30\nt3,Llama,7\n")
    shape = {
        "wide": {"name": "text_id", "columns": {"answer": "said_*"}},
        "join": {"table": "items.csv", "by": "text_id"},
        "missing": {"age": [-9]},
    }
    (tmp_path / "table.csv").write_text(
        "participant,age,said_t1,said_t2,said_t3\na,30,AI,human,AI\nb,-9,human,,AI\nc,55,AI,AI,\n"
    )
    with pytest.raises(InputError, match=r"(?s)3 columns of the same kind.*verdict: 'said_t\*'"):
        starting_study.write_study(tmp_path / "table.csv", "mine", tmp_path)
    with pytest.raises(ConfigError, match="table: unknown key sheets; known here: sheet, wide"):
        starting_study.write_study(tmp_path / "table.csv", "x", tmp_path, shape={"sheets": "a"})
    named = {"agent": "by"}
    told = starting_study.write_study(tmp_path / "table.csv", "mine", tmp_path, named, shape=shape)
    assert "  9 rows of verdicts\n  2 left out: nothing in answer (not shown" in told
    study = load_study(tmp_path / "config/studies/mine.yaml")
    (file,) = raw_files.load_sources(tmp_path / "data/sources/mine.yaml").files
    assert file.missing == {"age": ("-9",)}
    judgments, judges, _ = adapters.read_raw_files([file], tmp_path, study)
    assert judgments["agent"].tolist() == [
        "gpt_4",
        "human",
        "llama",
        "gpt_4",
        "llama",
        "gpt_4",
        "human",
    ]
    assert judges["age_band"].astype(object).fillna("").tolist() == ["30", "", "55"]


def test_what_was_understood_is_shown_before_it_is_written(tmp_path):
    _, _, told = written(tmp_path, TABLE.replace("dunno", "don't know"))
    shown = told[told.index("Rows:") : told.index("Written:")]
    assert shown.split("\n\n")[0] == "Rows:\n  6 rows of verdicts\n  6 analyzed"
    lines = [line.split() for line in shown.split("understood:\n")[1].split("\n") if line]
    assert lines[0] == ["judge", "stimulus", "agent", "truth", "verdict", "correct"]
    assert lines[1] == ["verdicts.judges.w001", "gpt_4", "machine", "machine", "yes"]
    assert len(lines[1:]) == 5
    # Rows of every kind are shown.
    assert {tuple(line[2:]) for line in lines[1:]} == {
        ("machine", "machine", "yes"),
        ("machine", "unsure", "unsure"),
        ("human", "human", "yes"),
        ("human", "machine", "no"),
    }
    assert "A1B2" not in shown


def test_numbers_become_covariates_of_models(tmp_path):
    rows = [
        (
            f"j{n % 5}",
            "human" if n % 2 else "gpt",
            "AI",
            10 + n % 17,
            n,
            1.6e9 + n,
            "x" * (n % 14),
        )
        for n in range(60)
    ]
    text = as_csv(["judge", "agent", "verdict", "words", "row", "when", "scribble"], rows)
    study, _, told = written(tmp_path, text)
    assert study.tasks["verdicts"].columns == {"words": "number"}
    unread = told.split("Not read:")[1]
    assert [line.split()[0] for line in unread.split("Rows:")[0].splitlines() if line.strip()] == [
        "row",
        "when",
        "scribble",
    ]


def test_who_changed_something_did_not_make_it(tmp_path):
    rows = [(f"j{n % 4}", ("human", "machine")[n % 2], n // 2 % 2) for n in range(24)]
    _, sources, told = written(tmp_path, as_csv(["judge", "altered_by", "correct"], rows))
    assert sources.files[0].columns["truth"] == "altered_by"
    assert "altered_by may only say who changed a response" in told


# --- questions ------------------------------------------------------------------------------------


class Typist:
    """Types prepared answers, and keeps what was asked."""

    def __init__(self, *answers):
        self.answers, self.shown = list(answers), ""

    def write(self, folder, text):
        """Write a study with these answers; return the sources."""
        (folder / "table.csv").write_text(text)
        dialogue = Dialogue(lambda: f"{self.answers.pop(0)}\n" if self.answers else "", self.show)
        starting_study.write_study(folder / "table.csv", "mine", folder, dialogue=dialogue)
        assert not self.answers
        (file,) = raw_files.load_sources(folder / "data/sources/mine.yaml").files
        return file

    def show(self, text):
        self.shown += text


def test_a_clear_table_needs_no_questions(tmp_path):
    typist = Typist()
    typist.write(tmp_path, "judge,agent,verdict\na,bot,AI\na,human,AI\n")
    assert typist.shown == ""


def test_columns_and_words_are_asked_for(tmp_path):
    rows = [
        f"p{n % 3};{('KI', 'Mensch', '')[n % 3]};{'Mensch' if n % 4 else 'weiß nicht'}"
        for n in range(12)
    ]
    text = "\n".join(["Wer;Von;Urteil", *rows, ""])
    answers = ("Niemand", "Wer", "Von", "m", "h", "Urteil", "h", "xx", "u", "-")
    typist = Typist(*answers)
    file = typist.write(tmp_path, text)
    assert file.columns == {"judge": "Wer", "truth": "Von", "verdict": "Urteil"}
    assert file.values["truth"] == {"KI": "machine", "Mensch": "human", "": None}
    assert file.values["verdict"] == {"Mensch": "human", "weiß nicht": "unsure"}
    for part in (
        "There is no column Niemand",
        "'KI' (4 rows)",
        "'xx' is none of these",
        "'(empty)' (4",
    ):
        assert part in typist.shown


def test_names_of_machines_are_kept(tmp_path):
    rows = [
        (f"s{n % 5}", ("ffhq", "gan3", "gan2")[n % 3], ("real", "fake")[n % 2]) for n in range(30)
    ]
    typist = Typist("h", "name", "n")
    file = typist.write(tmp_path, as_csv(["subj", "source", "response"], rows))
    assert file.columns["agent"] == "source"
    assert set(load_study(tmp_path / "config/studies/mine.yaml").agents) == {
        "human",
        "gan2",
        "gan3",
    }


def test_guesses_are_confirmed_and_slips_explained(tmp_path):
    rows = [("j1", "human", "FALSE"), ("j2", "gpt", "TRUE"), ("j2", "human", "TRUE")] * 20
    rows[4] = ("j2", "gpt", "FALSEE")
    header = ["judge", "made by", "is human"]
    typist = Typist("yes", "m")
    file = typist.write(tmp_path, as_csv(header, rows))
    assert "Is is human the column that says what the judge said (verdict)?" in typist.shown
    assert file.values["verdict"] == {"FALSE": "machine", "TRUE": "human", "FALSEE": "machine"}


def test_without_an_answer_nothing_is_written(tmp_path):
    with pytest.raises(InputError, match="no column is known for judge"):
        Typist("").write(tmp_path, "Wer,agent,verdict\na,bot,AI\na,human,AI\n")
    assert not (tmp_path / "config").exists()


RATED = "rater,text,source,rating\n" + "".join(
    f"{judge},t{text},{'human' if text < 4 else 'gpt'},{99 if judge == text == 1 else text}\n"
    for judge in (1, 2, 3)
    for text in range(1, 8)
)
SCALE = {"column": "rating", "human": "1-3", "unsure": "4", "machine": "5-7"}


def test_ratings_need_their_scale_and_are_then_read(tmp_path):
    (tmp_path / "rated.csv").write_text(RATED, encoding="utf-8")
    with pytest.raises(
        InputError, match=r"(?s)numbers from 1 to 99.*rating: \{column: rating, human"
    ):
        starting_study.write_study(tmp_path / "rated.csv", "rated", tmp_path)
    summary = starting_study.write_study(
        tmp_path / "rated.csv",
        "rated",
        tmp_path,
        words={"rating": {"99": None}},
        shape={"rating": SCALE},
    )
    assert "1 left out: rating is 99" in summary
    (file,) = raw_files.load_sources(tmp_path / "data/sources/rated.yaml").files
    assert file.rating.machine == (5, 6, 7)
    assert file.values["rating"] == {"99": None}
    assert "rating" not in file.columns


def test_scores_of_detectors_are_written_with_their_threshold(tmp_path):
    table = "doc,source,detector,score\n" + "".join(
        f"d{doc},{'human' if doc < 4 else 'gpt'},{name},0.{doc}5\n"
        for doc in range(1, 8)
        for name in ("one", "two")
    )
    (tmp_path / "scores.csv").write_text(table, encoding="utf-8")
    with pytest.raises(InputError, match=r"(?s)score: \{column: score, machine: '>= 0.5'\}"):
        starting_study.write_study(tmp_path / "scores.csv", "scores", tmp_path)
    with pytest.raises(InputError, match="lacks a column that was named"):
        starting_study.write_study(
            tmp_path / "scores.csv",
            "scores",
            tmp_path,
            shape={"score": {"column": "scor", "machine": ">= 0.5"}},
        )
    starting_study.write_study(
        tmp_path / "scores.csv",
        "scores",
        tmp_path,
        shape={"score": {"column": "score", "machine": ">= 0.5"}},
    )
    (file,) = raw_files.load_sources(tmp_path / "data/sources/scores.yaml").files
    assert file.score.threshold == 0.5
    study = load_study(tmp_path / "config/studies/scores.yaml")
    assert set(study.tasks["verdicts"].cohorts) == {"one", "two"}


def test_null_on_the_command_line_leaves_rows_out():
    given = {"-99": "null", "KI": "machine", "rating": {"99": "null", "7": "7"}}
    read = settings.Config.read_meanings(given)
    table = settings.Config.read_table({"wide": {"whole": "true", "name": "item"}})
    assert table == {"wide": {"whole": True, "name": "item"}}
    assert read == {"-99": None, "KI": "machine", "rating": {"99": None, "7": "7"}}


def test_long_cells_are_looked_at_in_time_that_grows_with_their_length():
    cells = pd.Series([letters * 25_000 for letters in ("QUJD", "1.2-", "a@a@")])
    started = time.process_time()
    assert explain_privacy("blob", cells) is None
    assert time.process_time() - started < 1
    assert explain_privacy("blob", pd.Series(["Write to a.b@c.org!"])) == "holds e-mail addresses"
