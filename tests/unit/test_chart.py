"""The chart of a report's first screen: lines on one axis, and what follows from them at a margin."""

import pytest

from turingstats.report import chart


def place(*numbers, reference=0):
    lines = [chart.make_line(values, "z.0f", name=str(n)) for n, values in enumerate(numbers)]
    drawn = chart.place_lines([{"label": "Color", "id": "color", "lines": lines}], reference, "x")
    return drawn, drawn["groups"][0]["lines"]


def test_lines_stand_at_their_place_on_one_axis():
    drawn, (first, second) = place((-10, -15, -5), (5, None, None))
    assert [label for _, label in drawn["ticks"]] == ["−15", "−10", "−5", "0", "5"]
    assert [first[name] for name in ("left", "center", "right")] == [0, 25, 50]
    assert drawn["reference"] == 75 and drawn["unit"] == 5
    # Without an interval there is a dot alone.
    assert (second["left"], second["center"], second["right"]) == (100, 100, 0)
    assert (first["interval"], second["interval"]) == ("−15 to −5", "")


@pytest.mark.parametrize("value", [-100.0, 0.0, 0.001, 100.0])
def test_axis_holds_extreme_values(value):
    drawn, lines = place((value, None, None))
    places = [drawn["reference"], *(lines[0][name] for name in ("left", "center", "right"))]
    assert all(0 <= one <= 100 for one in places)


@pytest.mark.parametrize(
    ("differs", "gap", "margin", "words"),
    [
        (True, -12, 10, "told apart"),
        (True, 12, 10, "judged more human than people"),
        (True, 12, 15, "told apart, but within 15 points"),
        (False, -12, 15, "equivalent within 15 points"),
        (False, -12, 10, "too few data to tell"),
    ],
)
def test_a_conclusion_depends_on_the_margin(differs, gap, margin, words):
    assert chart.conclude(differs, gap, 14, margin) == words
    assert chart.find_symbol(words) in chart.SYMBOLS.values()


def test_each_conclusion_has_a_sign_of_its_own():
    words = [form.format(margin=5) for form in chart.CONCLUSIONS.values()]
    words += [chart.MORE_HUMAN, "depends on the machine", "depends on who judges"]
    assert len({chart.find_symbol(one) for one in words}) == len(words) == len(chart.SYMBOLS)


def test_the_configured_margin_is_among_those_to_choose_from():
    assert chart.list_margins(10.0) == [5, 10, 15]
    assert chart.list_margins(100 * 0.07) == [5, 7, 10, 15]


def test_a_main_cohort_without_data_is_named():
    study = {"cohorts": {"color": {"amt": "Online judges", "expert": "AI experts"}}}
    missing = [{"task": "color", "cohort": "amt", "why": "not public"}]
    task = {"task": "color", "cohort": "expert", "cohorts": "expert"}
    note = chart.note_missing_cohort(task, missing, study)
    assert note == "the paper's online judges: not public"
    assert chart.note_missing_cohort(task | {"cohorts": "expert; amt"}, missing, study) == ""
    assert chart.note_missing_cohort(task, [], study) == ""


def test_strengths_and_correlations_are_charted_too():
    study = {
        "tasks": {"color": "Color"},
        "cohorts": {"color": {"amt": "Online judges"}},
        "agents": {"a": "Alder", "b": "Birch", "human": "People"},
        "references": {"color": "human"},
        "reading": "recommended",
    }
    row = {"task": "color", "cohort": "amt", "aspect": "all", "agent": "a", "n": "42"}
    row |= {"value": "0.37", "ci_low": "-0.04", "ci_high": "0.78"}
    row |= {"rank": "1", "rank_low": "1", "rank_high": "5", "not_told_apart": "human, b"}
    drawn = chart.chart_strengths([row, row | {"agent": "b", "value": ""}], study)
    # Who lost or won all comparisons has no strength.
    (line,) = drawn["groups"][0]["lines"]
    assert (line["name"], line["number"], line["words"]) == ("Alder", "0.37", "rank 1 (1 to 5)")
    assert line["note"] == "not told apart from People or Birch"
    pair = {"task": "color", "reading": "recommended", "pairs": "all", "value": "0.5"}
    pair |= {"system_a": "human", "system_b": "a", "ci_low": "", "ci_high": ""}
    rows = [pair, pair | {"system_b": "b", "value": "0.9"}, pair | {"system_a": "b"}]
    lines = chart.chart_alignments(rows, study)["groups"][0]["lines"]
    assert [(line["name"], line["number"]) for line in lines] == [
        ("Birch", "0.90"),
        ("Alder", "0.50"),
    ]
