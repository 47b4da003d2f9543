"""Figures: they show the numbers they are given, legibly, and come out the same every time."""

from functools import partial
from types import SimpleNamespace

import pandas as pd
import pytest
from drawings import assert_legible, list_words
from project import read_study

from turingstats.config.study import Figure, check_layout
from turingstats.core.errors import ConfigError, InputError
from turingstats.figures import pages
from turingstats.figures.standalone import exclusions, panels_in_rows

TASKS = [
    "Image captioning",
    "Word association",
    "Conversation",
    "Color estimation",
    "Object detection",
    "Attention prediction",
]
AGENTS = {
    "human": "Human",
    "all": "All models",
    "google": "Google",
    "chatgpt": "ChatGPT-4o",
    "dense": "Language Model-XL",
}
GROUPS = {"gender": [0.004, 0.996], "education": [0.3, 0.62, 0.08], "age": [0.9, 0.01, 0.09]}
# What the letters of a task show, by figure.
KINDS = {
    "fig2": ["examples text", "examples text", "conversation"],
    "fig3": ["examples color", "examples text", "examples scan path"],
    "fig4": ["pair"] * 3,
    "fig5": ["matrix"] * 2,
    "fig6": ["matrix"] * 2,
    "fig7": ["pair"] * 4,
    "fig8": ["scatter", "scatter", "parts", "parts"],
    "figS2": ["pie gender", "bars gender", "pie education", "bars education"],
    "figS3": ["bars education"],
    "figS4": ["pie age", "pie gender", "pie education", "matrix"],
    "figS5": ["parts", "parts", *["lines p_HM"] * 4, "lines detectability"],
    "figS6": ["pair"] * 10,
    "figS7": ["lines p_HM", "pie age", "pie gender", "pie education"],
    "figS8": ["bars gender"] * 2,
    "figS9": ["matrix"] * 2,
    "figS10": ["matrix"] * 3,
}
COLUMN_WIDE = ("fig6",)
FIGURES = read_study("zhang2025").figures


def module(name):
    """What draws a figure: panels where the study file places them, or a module of its own."""
    if name == "exclusions":
        return exclusions
    places = {"layout": FIGURES[name].layout, "widths": FIGURES[name].widths}
    return SimpleNamespace(draw=partial(panels_in_rows.draw, **places))


def matrix_rows(agents, reading):
    """A confusion matrix whose numbers all differ."""
    for number, agent in enumerate(agents):
        for quantity in ("p_HH", "p_MH") if agent == "human" else ("p_HM", "p_MM"):
            value = 0.317 + 0.071 * number
            value = value if quantity[2] == "H" else 1 - value
            yield {
                "kind": "matrix",
                "agent": agent,
                "agent_label": AGENTS[agent],
                "quantity": quantity,
                "value": value,
                "se": 0.013 + number / 100,
                "ci_low": value - 0.081,
                "ci_high": value + 0.113,
                "n": 1691 + number,
                "n_judges": 65,
                "mark": "best imitator" if agent == "chatgpt" else None,
            }


def pie_rows(by, reading):
    for number, share in enumerate(GROUPS[by]):
        counted = "trials" if reading == "published" else "judges"
        yield {
            "kind": "pie",
            "role": f"group {number + 1}",
            "group_by": by,
            "group": f"{by} {number}",
            "quantity": f"share of {counted}",
            "value": share,
            "n": round(1000 * share),
        }


def bars_rows(by, reading):
    for agent in list(AGENTS)[1:]:
        label = {"group_by": by, "agent": agent, "agent_label": AGENTS[agent]}
        for number in range(len(GROUPS[by])):
            value = 0.5 + 0.06 * number
            yield label | {
                "kind": "bars",
                "role": f"group {number + 1}",
                "group": f"{by} {number}",
                "quantity": "detectability",
                "value": value,
                "se": 0.05,
                "ci_low": value - 0.1,
                "ci_high": value + 0.1,
                "n": 564,
                "n_judges": 26,
                "p_adjusted": 0.001,
                "test": "wilcoxon",
                "unit": "judge",
                "correction": "holm",
                "family_size": 12,
            }
        yield label | {
            "kind": "group test",
            "p_adjusted": 0.01,
            "test": "kruskal",
            "unit": "judge",
            "correction": "holm",
            "family_size": 12,
        }


def parts_rows(_, reading):
    """A matrix with parts by type of conversation: six models, as in Fig S5."""
    for agent, name in {**AGENTS, "curie": "GPT-3 Curie", "claude": "Claude 3.7"}.items():
        for part in (None, "H-M", "H-H" if agent == "human" else "M-M"):
            if part is None and agent not in ("human", "all"):
                continue
            label = f"in {part}" if agent in ("human", "all") and part else name
            label = label if part is None or agent in ("human", "all") else f"{name} in {part}"
            for quantity in ("p_HH", "p_MH") if agent == "human" else ("p_HM", "p_MM"):
                yield {
                    "kind": "matrix",
                    "group_by": "variant" if part else None,
                    "group": part,
                    "agent": agent,
                    "agent_label": label,
                    "quantity": quantity,
                    "value": 0.45,
                    "se": 0.02,
                    "ci_low": 0.41,
                    "ci_high": 0.49,
                    "n": 1691,
                    "n_judges": 65,
                }


def lines_rows(quantity, reading):
    agents = ("human", "all") if quantity == "p_HM" else list(AGENTS)[2:]
    for number, agent in enumerate(agents):
        shared = {
            "role": None if agent in ("human", "all") else f"agent {number + 1}",
            "group_by": "exchanges",
            "agent": agent,
            "agent_label": AGENTS[agent],
            "quantity": "p_HH" if agent == "human" else quantity,
            "se": 0.05,
            "n_judges": 45,
        }
        for x in (3, 6, 9, 24, 48):
            value = 0.5 + 0.05 * number + x / 1000
            yield shared | {
                "kind": "lines",
                "x": x,
                "value": value,
                "ci_low": value - 0.1,
                "ci_high": value + 0.1,
                "n": 90,
            }
        yield shared | {"kind": "mean", "value": 0.51, "n": 450}


def scatter_rows(_, reading):
    # Two agents stand at the same place: their names must not.
    for place, (agent, x, value) in enumerate(
        (
            ("google", 138.5, 0.545),
            ("chatgpt", 138.5, 0.545),
            ("dense", 81.3, 0.73),
            ("fourth", 100.0, 0.5),
        )
    ):
        yield {
            "kind": "scatter",
            "role": f"agent {place + 1}",
            "agent": agent,
            "agent_label": AGENTS.get(agent, agent),
            "quantity": "detectability",
            "x": x,
            "size": 1_800_000 if agent == "dense" else 43,
            "text": "cider",
            "value": value,
            "se": 0.03,
            "ci_low": value - 0.04,
            "ci_high": value + 0.05,
            "n_judges": 293,
            "n": 900,
        }
    yield {"kind": "correlation", "value": -0.0876, "p": 0.8366, "n": 8, "test": "pearson"}


def examples_rows(show, reading):
    text = {
        "text": "a man in a red shirt stands next to an old bicycle near the market",
        "color": "brown",
        "scan path": "[[640, 512], [-30, 20], [1279, 1000]]",
    }[show]
    for stimulus in ("Image 0017", "memorable"):
        for agent in ("human", "human", *list(AGENTS)[2:]):
            yield {
                "kind": "examples",
                "group_by": "stimulus",
                "group": stimulus,
                "agent": agent,
                "agent_label": AGENTS[agent],
                "quantity": show,
                "text": "none" if agent == "google" and show == "color" else text,
            }


def conversation_rows(_, reading):
    for turn in range(1, 25):
        agent = ("human", "chatgpt")[turn % 2]
        yield {
            "kind": "conversation",
            "group_by": "stimulus",
            "group": "first.003",
            "agent": agent,
            "agent_label": AGENTS[agent],
            "quantity": "turn",
            "x": float(turn),
            "text": f"word{turn} " + "and so on to the very end of it " * (turn % 4),
        }


MAKE = {
    "matrix": matrix_rows,
    "pair": lambda _, reading: matrix_rows(["human", "all"], reading),
    "parts": parts_rows,
    "pie": pie_rows,
    "bars": bars_rows,
    "lines": lines_rows,
    "scatter": scatter_rows,
    "examples": examples_rows,
    "conversation": conversation_rows,
}


def places(name):
    """The letters of a figure in alphabetical order."""
    return sorted(FIGURES[name].placed)


def source_data(name, letters=None, agents=tuple(AGENTS), reading="recommended", generated=True):
    """Source data of a figure as `figure_data.select` makes it, for all its panels or for some."""
    kinds, rows = KINDS[name], []
    for number, letter in enumerate(places(name)):
        if letters is not None and letter not in letters:
            continue
        kind, _, option = kinds[number % len(kinds)].partition(" ")
        task = number % 3 + 3 * (number // 6) if name == "fig4" else number // len(kinds)
        rows += [
            row
            | {
                "figure": name,
                "panel": letter,
                "title": f"Judges of panel {letter}",
                "task_label": TASKS[task % 6],
                "judge_kind": "human",
                "reading": reading,
                "level": 0.9,
                "data": "generated data" if generated else "public data",
            }
            for row in MAKE[kind](option or agents, reading)
        ]
    columns = (
        "role group_by group mark n n_judges note text p_adjusted se ci_low ci_high agent quantity "
        "value"
    )
    table = pd.DataFrame(rows)
    missing = [name for name in columns.split() if name not in table]
    return table.reindex(columns=[*table, *missing])


def account(generated=False):
    """An account of exclusions with every kind of step."""
    rows = []
    for cohort, lost, filters in (
        ("online", 209, {}),
        ("online_feedback", 0, {"wrong answer to the control question": 1307}),
        (
            "expert",
            12,
            {"repeat of an identical verdict at the source": 7, "faster than 200 ms": 9},
        ),
    ):
        for reading in ("published", "recommended"):
            steps = [
                ("source", "wrong answer to the control question, removed early", lost)
            ] * bool(lost)
            if reading == "recommended":
                steps += [("filter", reason, number) for reason, number in filters.items()]
            left = 16025
            for step, reason, number in [*steps, ("analyzed", "", 0)]:
                rows.append(
                    {
                        "task": "color",
                        "task_label": "Color estimation",
                        "cohort": cohort,
                        "cohort_label": f"Judges of the cohort {cohort}",
                        "judge": "all",
                        "reading": reading,
                        "step": step,
                        "reason": reason,
                        "rows_in": left,
                        "excluded": number,
                        "rows_out": left - number,
                        "data": "generated data" if generated else "public data",
                    }
                )
                left -= number
    return pd.DataFrame(rows)


@pytest.mark.parametrize("name", KINDS)
def test_panels_of_all_tasks_are_legible(name):
    figure = module(name).draw(source_data(name))
    assert_legible(figure)
    assert figure.get_figwidth() * 25.4 == pytest.approx(89 if name in COLUMN_WIDE else 183)
    assert any(text.startswith("Generated data:") for text in list_words(figure))


def test_exclusions_show_every_number_and_reason():
    data = account()
    figure = module("exclusions").draw(data)
    assert_legible(figure)
    found = " ".join(list_words(figure))
    assert all(f"{number:,}" in found for number in (16025, 15816, 14718, 15997, 209, 1307, 7, 9))
    assert "repeat of an identical" in found
    assert {"1%", "8%", "<1%"} <= set(list_words(figure))
    # Among many cohorts, those of which nothing is left out are only counted.
    calm = [
        data[data["step"] == "analyzed"].assign(cohort=name, cohort_label=name, excluded=0)
        for name in map("Calm {}".format, range(20))
    ]
    many = module("exclusions").draw(pd.concat([data, *calm]))
    assert_legible(many)
    assert "Nothing is left out of 20 other groups" in " ".join(list_words(many))
    assert many.get_figheight() < figure.get_figheight() + 2
    # Without labels, the names of the configuration do.
    bare = data.drop(columns=["cohort_label", "task_label", "data"])
    assert "expert" in list_words(module("exclusions").draw(bare))


@pytest.mark.parametrize("reading", ["published", "recommended"])
def test_matrix_shows_every_number_of_its_source_data(reading):
    data = source_data("fig6", "A", reading=reading)
    found = list_words(module("fig6").draw(data))
    for row in data.to_dict("records"):
        assert f"{row['value']:.2f}" in found
        spread = f"{row['se']:.2f}"
        if reading == "recommended":
            spread = f"{row['ci_low']:.2f}–{row['ci_high']:.2f}"
        assert f"({spread})" in found
        assert f"n = {row['n']:,}" in found
        assert row["agent_label"] in " ".join(found)
    assert "65 judges" in found


def test_foot_names_the_level_and_the_notes():
    data = source_data("fig6", "AB")
    noted = data.assign(note=data["panel"].map({"B": "first seven judges"}))
    found = " ".join(list_words(module("fig6").draw(noted)))
    assert "90% interval" in found
    assert "B: first seven judges." in found
    assert "A: " not in found


def test_tiny_share_is_never_zero_percent():
    found = " ".join(list_words(module("figS2").draw(source_data("figS2", "A"))))
    assert "gender 0  <1% (4)" in found
    assert "gender 1  >99% (996)" in found


def count_asterisks(figure):
    lines = [line for axes in figure.axes for line in axes.lines]
    return sum(line.get_marker() == (6, 2, 0) for line in lines)


def test_asterisks_follow_the_corrected_p():
    data = source_data("figS2", "B")
    number = (data["kind"] == "bars").sum() + (data["kind"] == "group test").sum()
    assert count_asterisks(module("figS2").draw(data)) == number
    figure = module("figS2").draw(data.assign(p_adjusted=0.05))
    assert count_asterisks(figure) == 0
    assert "none here" in " ".join(list_words(figure))


def test_panels_without_data_are_a_line_that_says_why():
    data = source_data("fig6", "ABCD")
    empty = data["panel"].isin(["B", "C", "D"])
    rows = data[empty].drop_duplicates("panel").assign(kind="no data", note="no public data")
    rows["text"] = "Verdicts.json"
    figure = module("fig6").draw(pd.concat([data[~empty], rows]))
    words = " ".join(list_words(figure))
    tasks = ", ".join(rows["task_label"].unique())
    assert {"B\N{EN DASH}D", f"{tasks}: no public data"} <= set(list_words(figure))
    # The report lists the files; the figure need not.
    assert "Verdicts.json" not in words
    assert "The report names the files that empty panels need" in words
    assert_legible(figure)
    none = module("fig6").draw(rows)
    assert none.get_figheight() * 25.4 < 25


def test_every_mark_of_a_chart_says_its_number():
    data = source_data("figS2", "B")
    figure = module("figS2").draw(data)
    titles = [artist.mark_title for artist in figure.findobj() if hasattr(artist, "mark_title")]
    marks = (data["kind"] == "bars").sum() + (data["kind"] == "group test").sum()
    assert len(titles) == marks
    assert any("detectability 0.56" in title for title in titles)


def test_unplaced_panel_is_an_error():
    with pytest.raises(ConfigError, match="no place for panel Z"):
        module("fig4").draw(source_data("fig4", "A").assign(panel="Z"))


@pytest.mark.parametrize(
    ("layout", "widths", "message"),
    [
        (["A"], [], "layout: B without a place"),
        (["AB", "A"], [], "layout: A placed twice"),
        (["AB"], [80], "widths: 1 widths, but the layout has 2 columns"),
        ([], [80, 80], "widths: 2 widths, but the layout has 0 columns"),
    ],
)
def test_a_layout_that_does_not_fit_its_panels_is_an_error(layout, widths, message):
    panel = {"kind": "matrix", "title": "Judges", "task": "color", "cohort": "amt"}
    figure = Figure(title="", panels={"A": panel, "B": panel}, layout=layout, widths=widths)
    with pytest.raises(ConfigError, match=f"study.yaml: figures.fig1.{message}"):
        check_layout(figure, "study.yaml: figures.fig1")


def test_lines_and_means_are_the_numbers_of_the_source_data():
    data = source_data("figS7", "D")
    figure = module("figS7").draw(data)
    drawn = [line for axes in figure.axes[1:] for line in axes.lines]
    means = [line for line in drawn if set(line.get_ydata()) == {0.51}]
    assert len(means) == 2
    for agent in ("human", "all"):
        own = data[(data["kind"] == "lines") & (data["agent"] == agent)]
        assert any(list(line.get_ydata()) == list(own["value"]) for line in drawn)


def test_scatter_states_the_correlation():
    found = list_words(module("fig8").draw(source_data("fig8", "B")))
    assert "r = \N{MINUS SIGN}0.088, p = 0.84, 8 agents" in found


def test_examples_show_every_response_and_say_that_there_are_no_images():
    found = list_words(module("fig3").draw(source_data("fig3")))
    assert found.count("brown") == 2 * 4
    assert found.count("none") == 2
    assert "images themselves are not available" in " ".join(found)


def test_a_conversation_shows_every_turn_in_order():
    found = list_words(module("fig2").draw(source_data("fig2", "C")))
    told = [text.split()[0] for text in found if text.startswith("word")]
    assert told == [f"word{turn}" for turn in range(1, 25)]
    assert found.count("ChatGPT-4o") == found.count("Human") == 12


def test_scan_path_that_is_none_is_an_error():
    data = source_data("fig3", "F").assign(text="upper left")
    with pytest.raises(InputError, match="scan path"):
        module("fig3").draw(data)


def test_a_page_is_as_wide_as_its_columns_need():
    assert pages.fit_columns(3, 3, 5) == (pages.PAGE, pytest.approx(169 / 3))
    page, column = pages.fit_columns(1, 3, 5)
    assert (page, column) == (pages.COLUMN, pages.COLUMN - 2 * pages.MARGIN)
    page, column = pages.fit_columns(2, 3, 5)
    assert 2 * column + 5 + 2 * pages.MARGIN == pytest.approx(page) and page < 125
