"""The first screen of a report."""

import pandas as pd
import pytest

from turingstats.figures.notes import Facts
from turingstats.report import cells, front

ROW = {
    **{"task": "color", "task_label": "Color estimation", "cohort_label": "Online judges"},
    **{"agent": "all", "agent_label": "all machines"},
    **{"n_judges": "65", "n_people": "60.0", "n_trials": "1416.0", "detectability": "0.58"},
    **{"ci_low": "0.55", "ci_high": "0.61", "people_called_human": "0.55"},
    **{"machines_called_human": "0.386", "answer": "told apart", "conclusion": "less often"},
    **{"claims_checked": "26", "claims_hold": "24", "margin": "0.1"},
}
OTHER = ROW | {"task_label": "Word association", "answer": "not told apart", "ci_low": "0.41"}
TALLY = {"checked": 26, "hold": 24, "tried": 0, "recovered": 0, "impossible": 1}


def test_the_best_machine_judge_is_named_with_those_it_is_not_shown_to_surpass():
    cohorts = {"texts": {"a": "RADAR", "b": "GLTR", "c": "LRR"}}
    study = {"tasks": {"texts": "Texts"}, "cohorts": cohorts}
    head = ("judge", "other", "difference", "p_adjusted")
    pairs = [("a/a", "b/b", "-0.1", "0.001"), ("a/a", "c/c", "0.02", "0.5")]
    pairs += [("b/b", "c/c", "0.12", "0.001")]
    rows = [dict(zip(head, pair, strict=True)) for pair in pairs]
    rows = [row | {"task": "texts", "test": "mcnemar"} for row in rows]
    whole = {"task": "texts", "test": "cochran_q", "difference": ""}
    (sentence,) = front.describe_best_machine([whole, *rows], study, 0.05)
    assert sentence == (
        "Texts: of 3 machine judges, GLTR is right more often than all others, by 10 to 12 points."
    )
    rows[0]["p_adjusted"] = "0.2"
    (sentence,) = front.describe_best_machine(rows, study, 0.05)
    assert sentence.endswith(" most often, but not shown to be right more often than RADAR.")
    assert front.describe_best_machine([whole], study, 0.05) == []


def test_summary_counts_the_answers_of_many_tasks_and_states_those_of_few():
    assert front.write_summary([ROW, OTHER], TALLY, False) == (
        "Color estimation: less often. Word association: less often."
    )
    assert front.write_summary([ROW, OTHER, ROW, ROW | {"agent": "azure"}], TALLY, False) == (
        "In 2 of 3 comparisons, judges tell machines from people; in 1, the two are equivalent within 10 "
        "points."
    )
    recovered = TALLY | {"checked": 0, "tried": 26, "recovered": 20}
    assert front.write_summary([ROW], recovered, True) == (
        "Simulation returns 20 of 26 printed numbers; this tests the code, not the paper."
    )
    assert front.write_summary([ROW], None, True) == ""


def test_the_synthesis_counts_corrected_differences_by_their_direction():
    names = ["study", "task", "agent", "odds_ratio", "p_adjusted"]
    rows = [("s", "a", "x", 0.5, 0.01), ("s", "b", "x", 0.6, 0.04), ("t", "a", "x", 2.0, 0.01)]
    rows += [("t", "a", "y", 0.4, 0.2)]
    effects = pd.DataFrame(rows, columns=names).assign(level=0.95)
    assert cells.write_sentence("synthesis", Facts(effects)) == (
        "Of 4 comparisons of 4 machines with people, in 3 tasks of 2 studies, 2 show a machine judged human "
        "less often and 1 more often (corrected by Holm's method); for the other 1, there are too few data "
        "to tell."
    )
    assert cells.write_sentence("synthesis", Facts(effects[:0])).startswith("No study has")


def test_aspects_that_disagree_are_named():
    pairs = [{"Alder": ["wit", "tone"], "Birch": ["facts"]}, {"Cedar": ["wit"], "Alder": ["tone"]}]
    assert cells.write_sentence("aspects", pairs) == (
        "Aspects disagree, so read each by itself: judges chose Alder for wit and tone but Birch for facts "
        "(2 pairs of agents)."
    )


def test_changes_are_summed_up_over_distinct_hypotheses():
    rows = [
        ("a", "a", "still significant", "", "0.06", "0.001"),
        ("b", "a", "still significant", "", "0.001", "0.001"),
        ("c", "c", "becomes significant", "test", "0.2", "0.04"),
        ("d", "d", "becomes significant", "data, error", "0.2", "0.06"),
        ("e", "e", "no longer significant", "error", "1", "0.5"),
        ("f", "f", "still not significant", "", "1", "0.5"),
        ("g", "", "not comparable", "", "", ""),
    ]
    names = ("test_id", "hypothesis", "crossed_change", "crossed_moved_by", "crossed_p_holm")
    rows = [dict(zip((*names, "crossed_p_fdr"), row, strict=True)) for row in rows]
    assert front.sum_up_changes(rows, 0.05) == (
        "The 6 published tests that can be repeated with judges and stimuli as random samples ask 5 distinct "
        "questions: 1 stay significant, 1 lose significance, 2 become significant and 1 stay not "
        "significant at 0.05, before correction. "
        "Corrected over the 5, 0 of those that stay significant and 0 of those that become significant are "
        "significant (Holm); with false discoveries kept at 5%, 1 of those that stay significant and 1 of "
        "those that become significant (Benjamini and Hochberg). "
        "Of those that become significant, 1 because of the test used and 1 because of trials that the paper "
        "leaves out and stimuli as a sample together. "
        "Of those that lose significance, 1 because of stimuli as a sample."
    )
    assert front.sum_up_changes(rows[6:], 0.05) == ""


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ("same response by two agents", "gpt3, gpt2", "", "1.0", "150"),
            "GPT3, large and GPT2 gave the same response to 100% of the stimuli that both answered; one "
            "model's responses may be filed under both names.",
        ),
        *(
            (
                ("feature of few responses", "all", "stray spaces: 1 or more", value, "109"),
                f"109 responses have stray spaces, {by}.",
            )
            for value, by in (
                ("0.0", "all by people"), ("1.0", "all by machines"),
                ("0.25", "25% by machines at equal numbers of responses"),
                ("0.996", "100% by machines at equal numbers of responses"),
            )
        ),
        (
            ("words of one side", "all", "machines: none, teal", "0.25", "30"),
            "25% of the responses by machines (30) contain words that people hardly use: none, teal.",
        ),
        (
            ("one feature alone", "all", "number of letters", "0.72", "1200"),
            "number of letters alone tells people from machines in 72% of responses.",
        ),
    ],
)  # fmt: skip
def test_giveaways_are_the_flagged_rows_of_the_audit(cells, said):
    row = dict(zip(("check", "agents", "what", "value", "n"), cells, strict=True))
    row |= {"task": "word", "note": "x", "flagged": "True"}
    study = {"tasks": {"word": "Words"}, "agents": {"gpt3": "GPT3, large", "gpt2": "GPT2"}}
    assert front.list_giveaways([row, row | {"flagged": "False"}], study) == [f"Words: {said}"]


def test_cohorts_whose_readings_part_are_named():
    study = {
        "tasks": {"caption": "Image captioning"},
        "cohorts": {"caption": {"amt": "Online judges", "own": "SVM judge trained here"}},
    }
    numbers = {"published": (0.505, "", ""), "recommended": (0.7134, 0.7, 0.73)}

    def rows(cohort, published=0.505, **fields):
        return [
            {"task": "caption", "cohort": cohort, "group": "all", "agent": "all"}
            | {"quantity": "detectability", "reading": reading}
            | {"value": str(published if reading == "published" else value)}
            | {"ci_low": str(low), "ci_high": str(high)}
            | fields
            for reading, (value, low, high) in numbers.items()
        ]

    (sentence,) = front.list_reading_gaps(rows("amt"), study)
    assert sentence.startswith("Image captioning, Online judges: detectability is 0.713 (0.700 to")
    assert sentence.endswith(" 0.730), not 0.505 as published.")
    blip, alike = rows("amt", agent="blip"), rows("amt", published=0.72)
    for other in (alike, rows("own"), blip, rows("amt")[:1]):
        assert front.list_reading_gaps(other, study) == []
