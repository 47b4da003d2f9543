"""The generated raw files have the public formats, the design's counts, and the model's rates."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from demo import write_study, zhang2025
from demo.zhang2025 import color, model
from turingstats.core.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "data/published/zhang2025"
DESIGN = PUBLISHED / "design.csv"
DEMOGRAPHICS = PUBLISHED / "demographics.csv"
COHORT_OF = {
    color.COLOR_AMT: "amt",
    color.COLOR_EXPERT: "expert",
    color.COLOR_FEEDBACK: "feedback",
    color.COLOR_CHATGPT: "gpt4o_agent",
    color.COLOR_SVM_FEEDBACK: "svm_feedback",
    color.COLOR_ZEROSHOT: "zeroshot",
    **{path: cohort for cohort, path in color.COLOR_ABLATED.items()},
}
HUMAN_JUDGES = [path for path, cohort in COHORT_OF.items() if cohort in color.FIRST_WORKER]
CONTROLLED = [color.COLOR_FEEDBACK, color.COLOR_CHATGPT]
FIRST_WAVE = {
    color.COLOR_AMT: ("mturk", "live", 25),
    color.COLOR_EXPERT: ("AIexperts", "debug", 40),
}
CANONICAL = {"": "human", "histogram": "mccq"}
QUESTIONNAIRE = {
    "country", "age", "engagement", "difficulty", "mode", "gender", "education", "condition",
    "native",
}  # fmt: skip
VOCABULARY = {
    "age": {"18-20", "21-25", "26-30", "31-35", "36-40", "41-45", "45-50", "46-50", "51"},
    "education": {"middle school", "high school", "bachelor", "master", "pg"},
    "gender": {"male", "female", "non_binary"},
    "native": {"yes", "no"},
    "ai-experience": {"0", "1", "2", "3"},
    "engagement": {str(i) for i in range(11)},
    "difficulty": {str(i) for i in range(11)},
}
LETTER = {"human": "a", "azure": "b", "mccq": "c", "google": "d", "chatgpt": "e"}


def rows_of(path, **options):
    """The color rows of a table of published numbers."""
    table = pd.read_csv(path, **options)
    return table[table["task"] == "color"].reset_index(drop=True)


def tables():
    return [rows_of(path, dtype=str, keep_default_na=False) for path in (DESIGN, DEMOGRAPHICS)]


def records(path, content):
    return content[FIRST_WAVE[path][0]] if path in FIRST_WAVE else content


def rows(path, content):
    """One row a verdict: cohort, agent, page, judge, machine (0/1)."""
    out = []
    for record in records(path, content).values():
        data = record["trialData"]
        agent = data["machine_groundtruth"].lower()
        out.append(
            {
                "cohort": COHORT_OF[path],
                "agent": CANONICAL.get(agent, agent),
                "page": data.get("page_name"),
                "judge": record.get("workerID"),
                "machine": int(data["response_speaker"] == "machine"),
            }
        )
    return out


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Files of seed 1 as written: path inside the repository -> content."""
    out = tmp_path_factory.mktemp("demo")
    written = zhang2025.write_demo(DESIGN, DEMOGRAPHICS, out, 1, ["color"])
    return {p.relative_to(out).as_posix(): json.loads(p.read_text()) for p in written}


@pytest.fixture(scope="module")
def pooled():
    """All verdicts of six seeds, and their number."""
    seeds = range(100, 106)
    table = [
        row | {"seed": seed}
        for seed in seeds
        for path, content in color.generate_files(*tables(), seed).items()
        if path in COHORT_OF
        for row in rows(path, content)
    ]
    return pd.DataFrame(table), len(seeds)


def test_files_and_counts_are_those_of_the_design(demo):
    assert set(demo) == {*COHORT_OF, color.COLOR_DICTIONARY, color.COLOR_MORE}
    design = rows_of(DESIGN)
    counts = Counter(
        (row["cohort"], row["agent"])
        for path, content in demo.items()
        if path in COHORT_OF
        for row in rows(path, content)
    )
    expected = {(d.cohort, d.agent): d.n_trials for d in design.itertuples()}
    assert counts == expected


def test_published_counts_are_consistent():
    design = rows_of(DESIGN)
    assert list(design) == (
        "task cohort agent n_judges trials_per_judge n_trials judged_machine source".split()
    )
    assert (design["judged_machine"] <= design["n_trials"]).all()
    ablated = design[design["cohort"].isin(color.COLOR_ABLATED)]
    assert (ablated["n_trials"] % 5 == 0).all() and (ablated["judged_machine"] % 5 == 0).all()
    totals = design.groupby("cohort")["n_trials"].sum()
    assert totals.to_dict() == {
        "amt": 1416, "expert": 416, "feedback": 2659, "gpt4o_agent": 2000, "svm_feedback": 2659,
        "zeroshot": 872 * 4, "svm_full": 890, "svm_layer5": 890, "svm_word": 890,
    }  # fmt: skip


@pytest.mark.parametrize("path", FIRST_WAVE)
def test_first_wave_format(demo, path):
    top, mode, shown = FIRST_WAVE[path]
    assert list(demo[path]) == [top]
    for key, record in demo[path][top].items():
        assert set(record) == {"workerID", "workerData", "trialData"}
        assert set(record["workerData"]) == QUESTIONNAIRE
        assert record["workerData"]["mode"] == mode
        assert record["workerData"]["condition"] == 0
        data = record["trialData"]
        assert set(data) == {
            "rt", "hit", "trial", "response_speaker", "machine_groundtruth", "imageID", "page_name",
            "counterbalance", "groundtruth", "human_groundtruth", "response_gender",
        }  # fmt: skip
        assert (
            type(data["rt"]) is int and type(data["trial"]) is int and data["counterbalance"] == 0
        )
        assert data["imageID"] == f"static/dataset/coco_val_set/{data['hit']}.jpg"
        agent = data["machine_groundtruth"] or "human"
        assert agent in {"human", "azure", "mccq", "google"}
        assert data["page_name"] == f"{data['hit']}_{LETTER[agent]}_0.html/"
        assert data["groundtruth"] == ("human" if agent == "human" else "machine")
        assert data["human_groundtruth"] == ("human" if agent == "human" else "")
        assert data["response_gender"] in {"male", "female"}
        assert (int(key.removeprefix("Trial_")) - 1) % shown + 1 == data["trial"]
    numbers = [int(key.removeprefix("Trial_")) for key in demo[path][top]]
    assert numbers == sorted(numbers)
    assert len(numbers) < max(numbers)  # gaps: wrong control answers


def test_response_times_are_plausible(demo):
    times = np.array([r["trialData"]["rt"] for r in demo[color.COLOR_AMT]["mturk"].values()])
    assert 8000 < np.median(times) < 10500
    assert (times < 100).sum() == 2 and (times > 90_000).sum() >= 2


def test_later_format(demo):
    common = {
        "rt", "Aclass", "imageID", "trial", "page_name", "phase", "response_gender",
        "response_speaker", "response_object", "groundtruth", "object_groundtruth",
        "machine_groundtruth",
    }  # fmt: skip
    classes = {
        color.COLOR_FEEDBACK: {"human": "Human", "machine": "Machine"},
        color.COLOR_CHATGPT: {"human": "H", "machine": "AI"},
    }
    spelled = {"": "a", "Azure": "b", "Histogram": "c", "Google": "d", "ChatGPT": "e"}
    for path in CONTROLLED:
        assert list(demo[path]) == [f"Trial_Color_{k}" for k in range(1, len(demo[path]) + 1)]
        for record in demo[path].values():
            assert set(record["workerData"]) == QUESTIONNAIRE | {"ai-experience"}
            data = record["trialData"]
            assert common <= set(data) <= common | {"hit", "imgtype"}
            assert data["Aclass"] == classes[path][data["response_speaker"]]
            image = re.fullmatch(r"https://example\.org/color_det/(\d+)\.jpg", data["imageID"])[1]
            letter = spelled[data["machine_groundtruth"]]
            assert data["page_name"] == f"{image}_{letter}_0.html/"
            assert data["groundtruth"] == ("human" if letter == "a" else "machine")
            assert data["phase"] == "TEST" and data["response_gender"] == "NA"
            assert data["object_groundtruth"] in {"0", "1"}
            assert data["response_object"] in {"1", "2"}


def test_feedback_sessions(demo):
    trials = [r["trialData"] for r in demo[color.COLOR_FEEDBACK].values()]
    assert min(t["trial"] for t in trials) == 41 and max(t["trial"] for t in trials) <= 100
    with_hit = [t for t in trials if "hit" in t]
    assert 0 < len(with_hit) < len(trials)
    assert sum(t["imageID"].endswith(f"/{t['hit']}.jpg") for t in with_hit) < 0.02 * len(with_hit)
    per_judge = Counter(r["workerID"] for r in demo[color.COLOR_FEEDBACK].values())
    assert len(per_judge) == 50 and len(set(per_judge.values())) > 3


def test_chatgpt_sessions_are_balanced(demo):
    per_judge = Counter(
        (r["workerID"], r["trialData"]["machine_groundtruth"])
        for r in demo[color.COLOR_CHATGPT].values()
    )
    assert len(per_judge) == 50 * 5
    assert all(n == (5 if agent else 20) for (_, agent), n in per_judge.items())


@pytest.mark.parametrize("path", CONTROLLED)
def test_control_questions(demo, path):
    right = pd.DataFrame(
        {
            "judge": r["workerID"],
            "right": int(r["trialData"]["response_object"])
            == int(r["trialData"]["object_groundtruth"]) + 1,
        }
        for r in demo[path].values()
    )
    assert right["right"].mean() == pytest.approx(0.887, abs=0.04)
    assert right.groupby("judge")["right"].mean().min() >= 7 / 12


def test_machine_judge_format(demo):
    for path, cohort in COHORT_OF.items():
        if path in HUMAN_JUDGES:
            continue
        prefix = "Trial_" if cohort == "zeroshot" else "Trial_Color_"
        assert list(demo[path]) == [f"{prefix}{k}" for k in range(1, len(demo[path]) + 1)]
        for record in demo[path].values():
            assert list(record) == ["trialData"]
            data = record["trialData"]
            assert list(data) == ["response_speaker", "groundtruth", "machine_groundtruth"]
            assert data["machine_groundtruth"] in {"", "azure", "histogram", "google"}
            assert (data["groundtruth"] == "human") == (data["machine_groundtruth"] == "")
            assert data["response_speaker"] in {"human", "machine"}


def test_feedback_classifiers_judge_the_trials_of_the_people(demo):
    people, machine = (
        [r["trialData"]["machine_groundtruth"].lower() for r in demo[path].values()]
        for path in (color.COLOR_FEEDBACK, color.COLOR_SVM_FEEDBACK)
    )
    assert people == machine


def test_ablated_judges_repeat_one_split_five_times(demo):
    for path in color.COLOR_ABLATED.values():
        predictions = [r["trialData"] for r in demo[path].values()]
        assert predictions == predictions[:178] * 5
        assert [p["machine_groundtruth"] for p in predictions[:178]] == (
            [""] * 88 + ["azure"] * 30 + ["histogram"] * 30 + ["google"] * 30
        )


def test_dictionary_and_zeroshot_order(demo):
    dictionary = demo[color.COLOR_DICTIONARY]
    assert len(dictionary) == 873 and "548.jpg" in dictionary
    orders, words = set(), {}
    for name, candidates in dictionary.items():
        agents = [c["machine_groundtruth"] for c in candidates]
        assert sorted(agents) == ["", "azure", "google", "histogram"]
        orders.add(tuple(agents))
        for c in candidates:
            assert list(c) == (
                "imageID response groundtruth human_groundtruth machine_groundtruth".split()
            )
            assert c["imageID"] == name and c["human_groundtruth"] == ""
            words.setdefault(c["machine_groundtruth"], set()).add(c["response"])
    assert len(orders) == 24
    allowed = set(color.COLOR_WORDS)
    assert all(said <= allowed for said in words.values())
    assert [agent for agent, said in words.items() if "none" in said] == ["google"]

    shown = [
        c["machine_groundtruth"]
        for name, candidates in dictionary.items()
        if name != "548.jpg"
        for c in candidates
    ]
    judged = [r["trialData"]["machine_groundtruth"] for r in demo[color.COLOR_ZEROSHOT].values()]
    assert judged == shown


@pytest.mark.parametrize("path", HUMAN_JUDGES)
def test_judges(demo, path):
    """Ids are recognizable, a judge's questionnaire is constant, no picture is seen twice."""
    by_judge = {}
    for record in records(path, demo[path]).values():
        by_judge.setdefault(record["workerID"], []).append(record)
    demographics = rows_of(DEMOGRAPHICS, dtype=str)
    mine = demographics[demographics["cohort"] == COHORT_OF[path]]
    for worker, theirs in by_judge.items():
        assert re.fullmatch(r"AGENERATED[A-Z0-9]{4}", worker)
        assert all(r["workerData"] == theirs[0]["workerData"] for r in theirs)
        assert len({r["trialData"]["imageID"] for r in theirs}) == len(theirs)
        for variable, allowed in VOCABULARY.items():
            assert theirs[0]["workerData"].get(variable, min(allowed)) in allowed
    for variable, rows_ in mine.groupby("variable"):
        counts = Counter(theirs[0]["workerData"][variable] for theirs in by_judge.values())
        assert counts == dict(zip(rows_["value"], rows_["n_judges"].astype(int), strict=True))


def test_some_people_took_part_twice(demo):
    people = {
        COHORT_OF[path]: {r["workerID"] for r in records(path, demo[path]).values()}
        for path in HUMAN_JUDGES
    }
    assert {cohort: len(ids) for cohort, ids in people.items()} == {
        "amt": 65, "expert": 12, "feedback": 50, "gpt4o_agent": 50,
    }  # fmt: skip
    assert len(people["amt"] & people["feedback"]) == 5
    assert len(people["feedback"] & people["gpt4o_agent"]) == 4
    assert not people["expert"] & (people["amt"] | people["feedback"] | people["gpt4o_agent"])


def test_same_seed_same_bytes_other_seed_other_bytes(tmp_path):
    folders = {"one": 5, "again": 5, "other": 6}
    files = {
        folder: {
            p.relative_to(tmp_path / folder): p.read_bytes()
            for p in zhang2025.write_demo(DESIGN, DEMOGRAPHICS, tmp_path / folder, seed, ["color"])
        }
        for folder, seed in folders.items()
    }
    assert files["one"] == files["again"]
    assert files["one"].keys() == files["other"].keys()
    assert all(files["one"][p] != files["other"][p] for p in files["one"])
    assert not list(tmp_path.rglob("*.partial"))


def test_a_change_in_one_cohort_leaves_other_files_alone(demo):
    design, demographics = tables()
    design.loc[design["cohort"] == "expert", "judged_machine"] = "30"
    changed = color.generate_files(design, demographics, 1)
    assert [path for path in demo if changed[path] != demo[path]] == [color.COLOR_EXPERT]


def test_unknown_task(tmp_path):
    with pytest.raises(ValueError, match=r"unknown task 'colour'; allowed are .*color"):
        zhang2025.write_demo(DESIGN, DEMOGRAPHICS, tmp_path, 1, ["colour"])
    assert not list(tmp_path.iterdir())


def test_tables_that_disagree():
    design, demographics = tables()
    design.loc[design["cohort"] == "amt", "n_judges"] = "64"
    with pytest.raises(ValueError, match=r"cohort 'amt', variable 'gender'.*add up to 65.*64"):
        color.generate_files(design, demographics, 1)


@pytest.mark.parametrize("rate", [0.05, 0.38, 0.5, 0.72, 0.97])
@pytest.mark.parametrize("sd", [0.0, 1.0, 2.0])
def test_intercept_gives_the_rate(rate, sd):
    """Checked against adaptive quadrature."""
    from scipy.integrate import quad
    from scipy.stats import norm

    b = model.solve_intercept(rate, sd)
    value, _ = quad(lambda z: norm.pdf(z) / (1 + np.exp(-(b + sd * z))), -9, 9)
    assert value == pytest.approx(rate, abs=1e-5)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_intercept_refuses_certainty(rate):
    with pytest.raises(ValueError, match="between 0 and 1"):
        model.solve_intercept(rate, 1.0)


def test_rates_are_those_of_the_design(pooled):
    """Pooled over seeds, within 4 standard errors: binomial, judges, and stimuli seen repeatedly.

    A random effect of variance v moves a rate p by about p (1 - p) sqrt(v).
    """
    verdicts, n_seeds = pooled
    design = rows_of(DESIGN).set_index(["cohort", "agent"])
    judge_variance = model.JUDGE_BIAS_SD**2 + model.JUDGE_SENSITIVITY_SD**2 / 4
    for key, group in verdicts.groupby(["cohort", "agent"]):
        row = design.loc[key]
        p = row["judged_machine"] / row["n_trials"]
        pq = p * (1 - p)
        n = len(group)
        repeats = 5 if key[0] in color.COLOR_ABLATED else 1
        variance = pq * repeats / n + pq**2 * model.STIMULUS_SD**2 / (873 * n_seeds)
        if key[0] in color.FIRST_WORKER:
            variance += pq**2 * judge_variance / (row["n_judges"] * n_seeds)
        assert abs(group["machine"].mean() - p) < 4 * np.sqrt(variance), key


def chi_square_per_df(groups):
    """Spread of the shares judged machine between groups of trials, 1 if there is only chance."""
    table = groups["machine"].agg(["sum", "count"])
    p = table["sum"].sum() / table["count"].sum()
    chi2 = ((table["sum"] - p * table["count"]) ** 2 / (p * (1 - p) * table["count"])).sum()
    return chi2 / (len(table) - 1)


def test_judges_differ_more_than_by_chance(pooled):
    verdicts, _ = pooled
    for cohort, floor in (("amt", 1.4), ("feedback", 2.5), ("gpt4o_agent", 2.0)):
        of_cohort = verdicts[verdicts["cohort"] == cohort]
        assert chi_square_per_df(of_cohort.groupby(["seed", "judge"])) > floor
    shuffled = verdicts[verdicts["cohort"] == "feedback"].copy()
    shuffled["machine"] = np.random.default_rng(1).permutation(shuffled["machine"].to_numpy())
    assert chi_square_per_df(shuffled.groupby(["seed", "judge"])) < 1.2


def test_stimuli_differ_more_than_by_chance(pooled):
    """Verdicts of different people on the same page agree: covariance well above 0."""
    verdicts, _ = pooled
    people = verdicts[verdicts["cohort"].isin(color.FIRST_WORKER)].copy()
    people["rest"] = people["machine"] - people.groupby(["cohort", "agent"])["machine"].transform(
        "mean"
    )
    people["squared"] = people["rest"] ** 2
    pages = people.groupby(["seed", "page"])
    by_page = pages["rest"].agg(["sum", "count"]).assign(squares=pages["squared"].sum())
    pairs = (by_page["count"] * (by_page["count"] - 1)).sum()
    covariance = (by_page["sum"] ** 2 - by_page["squares"]).sum() / pairs
    assert 0.03 < covariance < 0.06


# --- generators and library --------------------------------------------------------------------


def imported(folder):
    """What the files of a folder import, by the name of the file: `a.b` for `from a import b` too."""
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        statements = [*ast.walk(ast.parse(path.read_text()))]
        named = [(s.module or "", s.names) for s in statements if isinstance(s, ast.ImportFrom)]
        found[str(path.relative_to(ROOT))] = {
            *(f"{module}.{alias.name}" for module, names in named for alias in names),
            *(a.name for s in statements if isinstance(s, ast.Import) for a in s.names),
        }
    return found


def test_generators_take_nothing_from_the_adapters_that_read_their_files():
    used = {
        ".".join(name.split(".")[:2])
        for names in imported("demo").values()
        for name in names
        if name.startswith("turingstats")
    }
    assert used == {"turingstats.core", "turingstats.stats"}


def test_only_the_script_that_generates_raw_files_uses_generators():
    users = [
        path
        for path, names in imported("scripts").items()
        if any(name.split(".")[0] == "demo" for name in names)
    ]
    assert users == ["scripts/generate.py"]


def test_an_unknown_generator_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"unknown generator 'jones2042\.games'"):
        write_study("jones2042.games", [], tmp_path, 1)
