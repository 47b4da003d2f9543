"""Names may hold any sign, and one may begin with another: every number stays with its name."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.analysis.estimates.estimate import conclude_equivalence, estimate_rates
from turingstats.analysis.findings import summarize_tasks
from turingstats.analysis.machine_judges import compare_machine_judges
from turingstats.analysis.models import counterparts
from turingstats.analysis.models.asked import parse_fit_summaries
from turingstats.analysis.models.fits import fit_models
from turingstats.analysis.people_and_machines import compare_people_with_machines
from turingstats.analysis.responses import select_first_verdicts
from turingstats.config.study import Study
from turingstats.config.study.panels import HeatmapPanel, LinesPanel
from turingstats.core.names import join_names, split_level, split_names
from turingstats.core.yaml_models import build_model
from turingstats.data import counts as counting
from turingstats.figures.kinds.heatmap import Heatmap
from turingstats.figures.kinds.lines import Lines
from turingstats.figures.model_source_data import select_forest
from turingstats.figures.source_data import select_reading
from turingstats.tables.models import tabulate_changes, tabulate_contrasts
from turingstats.tables.people_and_machines import list_pairs

SIGNS = (", ", "; ", "/", " vs ", " + ", "@")
NASTY = {
    "agent": ("gpt-4", "gpt-4.1", "gpt-4.1-all"),
    "task": ("word", "word_p"),
    "cohort": ("amt", "amt_amt"),
    "machine": ("amt_word",),
    "detector": ("GLTR", 'GLTR/2 + x, y; "é" vs 模@=:|'),
    "group": ("a vs b", "a"),
    "domain": ("news/sport", "news"),
    "comparison": ("x", "x.gpt-4"),
}
"""Tasks, cohorts and agents have the signs that a study file allows; all else is what people wrote."""
PLAIN = {kind: [f"{kind}{at}" for at in range(len(names))] for kind, names in NASTY.items()}
OPTIONS = {"confidence": 0.95, "seed": 1, "n_bootstrap": 50, "n_permutation": 50}
OPTIONS |= {"correction": "holm", "margin": 0.1, "power": 0.8}
PEOPLE, STIMULI = 10, 8


@given(st.lists(st.text('ab"\\ ' + "".join(SIGNS), min_size=1)), st.sampled_from(SIGNS))
@example(["a vs", "b"], " vs ")
def test_names_in_a_cell_come_back(names, sign):
    assert split_names(join_names(names, sign), sign) == names


def test_ordinary_names_are_joined_as_they_are():
    assert join_names(["GPT-4.1", "a/b"], ", ") == "GPT-4.1, a/b"
    assert split_level("human@H-M", ["human"]) == ("human", "H-M")
    assert split_level("long@2", ["long", "long@2"]) == ("long@2", "")
    assert split_level('"long@2"@a@b', []) == ("long@2", "a@b")


def declare(names):
    """A study of two tasks, two cohorts of people and detectors, three agents and crossed conditions."""
    agents, (first_id, second_id) = [*names["agent"]], names["comparison"]
    cohorts = {name: {"label": name, "agents": agents} for name in names["cohort"]}
    judged = {"label": "Detectors", "agents": agents, "judge_kind": "detector"}
    cohorts |= {names["machine"][0]: judged}
    shared = {"cohorts": cohorts, "agents": agents, "conditions": ["domain", "domain+exchanges"]}
    place = {"task": names["task"][0], "cohorts": [names["cohort"][0]]}

    def compare(name, published, recommended="crossed_t", **keys):
        tests = {"published": {"test": published}, "recommended": {"test": recommended}}
        return place | tests | {"id": name, "quantity": "p_MM", "agents": agents} | keys

    return {
        "study": "toy",
        "title": "Toy",
        "agents": {"human": {"label": "People"}} | {name: {"label": name} for name in agents},
        "tasks": {name: {"label": name} | shared for name in names["task"]},
        "demographics": {"team": {name: [name] for name in names["group"]}},
        "comparisons": [
            compare(first_id, "wilcoxon", against=0.5),
            compare(second_id, "wilcoxon", against=0.5, by="team"),
            compare("y", "kruskal", by="team"),
            compare("z", "slopes", "slopes", by="domain+exchanges", level=names["domain"][0]),
        ],
        "models": [
            place | {"id": name, "formula": f"said_machine ~ {terms}", "counterpart_of": answered}
            for name, terms, answered in (
                ("x", "agent + (1 | judge)", [first_id]),
                ("y", "agent * team + (1 | judge)", [second_id, "y"]),
            )
        ],
    }


def simulate(names):
    """Judgments in the order of the names of `PLAIN`, whatever the names are."""
    draws, rows = np.random.default_rng(3), []
    whose = ("human", *names["agent"])
    crowds = [(cohort, "human", [f"w{i:02}" for i in range(PEOPLE)]) for cohort in names["cohort"]]
    crowds.append((names["machine"][0], "detector", names["detector"]))
    for task, (cohort, kind, judges) in itertools.product(names["task"], crowds):
        for (place, judge), stimulus in itertools.product(enumerate(judges), range(STIMULI * 4)):
            made_by = stimulus % 4
            said = draws.random() < (0.35, 0.5, 0.65, 0.8)[made_by]
            rows.append(
                {"task": task, "cohort": cohort, "judge_kind": kind}
                | {"judge": f"{task}.{cohort}.{judge}", "agent": whose[made_by]}
                | {"stimulus": f"s{stimulus:02}", "truth": "machine" if made_by else "human"}
                | {"verdict": "machine" if said else "human"}
                | {"domain": names["domain"][stimulus // 8 % 2], "exchanges": stimulus // 4 % 2 + 1}
                | {"trial": f"{stimulus}", "position": stimulus, "place": place}
            )
    table = pd.DataFrame(rows).assign(study="toy", side="", phase="test", variant="")
    return table.assign(kept_published=True, kept_recommended=True)


def analyze(names):
    """All tables whose rows are found by names, with the names of `PLAIN` in place of others."""
    study, table = build_model(Study, declare(names), "study"), simulate(names)
    judgments = table.astype(dict.fromkeys(table.select_dtypes("object"), "category"))
    people = table[table["judge_kind"] == "human"].drop_duplicates("judge")
    team = [names["group"][place % 2] for place in people["place"]]
    parts = [
        people[["judge"]].assign(reading=reading, group_by="team", group=team)
        for reading in study.readings
    ]
    groups = pd.concat(parts, ignore_index=True)
    counts = counting.count_verdicts(judgments, study, groups)
    responses = table.assign(response="r", turn="").drop_duplicates(["task", "stimulus"])
    results = {
        "estimates": estimate_rates(counts, groups, study, OPTIONS),
        "tests": run_comparisons(counts, groups, study, OPTIONS),
    }
    estimates, tests = results["estimates"], results["tests"]
    results["equivalence"] = judged = conclude_equivalence(estimates, study, OPTIONS)
    fitted = fit_models(judgments, groups, {}, study, OPTIONS, 1)
    models, contrasts = fitted["models"], fitted["model_contrasts"]
    summaries = parse_fit_summaries(json.loads(fitted["fits"]))
    changes = counterparts.build_counterparts(study, summaries, tests, 0.95)
    verdicts = select_first_verdicts(judgments, study)
    both = compare_people_with_machines(verdicts, responses, study, OPTIONS)
    sizes = pd.DataFrame(columns=["size_id", "reading", "value"])
    crossed = {"task": names["task"][0], "cohort": names["cohort"][0], "by": "domain+exchanges"}
    crossed |= {"title": "T", "agents": names["agent"], "quantity": "called human"}
    lines = LinesPanel(**crossed, kind="lines", level=names["domain"][1])
    heat = HeatmapPanel(**crossed | {"agents": names["agent"][1:2]}, kind="heatmap")
    shown = select_reading(results, "recommended")
    results |= {
        "models": models,
        "changes": changes,
        "changes_shown": tabulate_changes(changes, study),
        "contrasts": contrasts,
        "contrasts_shown": tabulate_contrasts(contrasts.assign(reading="recommended"), study),
        "machine_judges": compare_machine_judges(verdicts, study, 0.95),
        "people_and_machines": both,
        "pairs": list_pairs(both, study, 0.95, "data"),
        "forest": select_forest(models, estimates, judged, study),
        "findings": summarize_tasks(estimates, judged, tests, sizes, None, study, "data", 0.95),
        "lines": pd.DataFrame(Lines().select(lines, shown, study, "recommended")),
        "heatmap": pd.DataFrame(Heatmap().select(heat, shown, study, "recommended")),
    }
    return results


@pytest.fixture(scope="module")
def both_named():
    return analyze(PLAIN), analyze(NASTY)


TABLES = "estimates tests equivalence models changes contrasts machine_judges people_and_machines"
TABLES += " pairs forest findings lines heatmap"
DRAWN = {"estimates": "se", "people_and_machines": "se|ci_.*", "pairs": "winning_rate_0.10_.*"}
"""Numbers that come from draws, whose order is that of names."""
LEVELS = ("domain", "exchanges")
KEYS = ("reading", "quantity", "test", "kind")
NAMED = ("task", "cohort", "agent", "group", "machine", "judge", "other", "first", "second")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", TABLES.split())
def test_every_number_stays_with_its_name(both_named, table):
    plain, nasty = (results[table] for results in both_named)
    assert len(plain) == len(nasty) > 0
    names = [name for name in NAMED if name in plain]
    numbers = plain.select_dtypes("number").columns.difference(names)
    numbers = numbers[~numbers.str.fullmatch(DRAWN.get(table, ""))]
    keys = [*(name for name in KEYS if name in plain), *names]
    frames = [
        frame[[*keys, *numbers]]
        .astype(dict.fromkeys(names, object))
        .fillna(dict.fromkeys(names, ""))
        for frame in (plain, nasty)
    ]
    frames[0] = frames[0].assign(**{name: frames[0][name].map(translate) for name in names})
    order = [frame.sort_values([*keys, *numbers], ignore_index=True) for frame in frames]
    pd.testing.assert_frame_equal(*order, check_dtype=False, rtol=1e-6)


WORDS = {
    one: other
    for kind, plain in PLAIN.items()
    for one, other in zip(plain, NASTY[kind], strict=True)
}


def translate(cell):
    """Give the cell that has nasty names where this one has plain ones."""
    if cell in WORDS:
        return WORDS[cell]
    for sign in (" + ", "/", " vs "):
        parts = cell.split(sign)
        if len(parts) > 1:
            return join_names([WORDS.get(part, part) for part in parts], sign)
    return cell


@pytest.mark.filterwarnings("ignore")
def test_numbers_at_a_level_are_those_of_its_trials(both_named):
    _, nasty = both_named
    trials = simulate(NASTY)
    (task, _), (cohort, _) = NASTY["task"], NASTY["cohort"]
    trials = trials[(trials["task"] == task) & (trials["cohort"] == cohort)]
    human = trials["verdict"].eq("human").groupby([trials[name] for name in ("agent", *LEVELS)])
    share = human.mean()
    lines = nasty["lines"].query("kind == 'lines'")
    assert len(lines) == 2 * len(NASTY["agent"])
    for row in lines.to_dict("records"):
        assert row["value"] == pytest.approx(share[row["agent"], NASTY["domain"][1], row["x"]])
    for row in nasty["heatmap"].to_dict("records"):
        assert row["value"] == pytest.approx(share[row["agent"], row["group"], row["x"]])
    # Trends are along the level that was declared.
    trends = nasty["tests"].query("test == 'slopes' and reading == 'recommended'")
    trend = trends.set_index("agent")["effect"][NASTY["agent"][0]]
    one, two = (human.get_group((NASTY["agent"][0], NASTY["domain"][0], x)) for x in (1, 2))
    assert trend == pytest.approx(one.mean() - two.mean())
    answered = nasty["changes"].set_index(["comparison", "agent", "group"])["model_id"]
    assert set(answered["x"]) == {"x"} and set(answered["x.gpt-4"]) == {"y"}
    assert set(nasty["forest"]["source"]) == {"mixed model", "pooled trials"}
    assert not nasty["forest"].duplicated(["cohort", "agent", "source"]).any()
