"""Machine judges: what they see, that they judge only what they did not learn, what the audit finds."""

import json

import numpy as np
import pandas as pd
import pytest
from project import read_study

from turingstats.config import settings
from turingstats.core.errors import InputError
from turingstats.data import cleaning, counts, exclusion_log, schema
from turingstats.judges.svm import audit, classifier, evaluation, features, kept_judges, training

STUDY = read_study("zhang2025")
QUICK = {"max_responses": 100, "seeds": 2, "folds": 5, "cache": None}


def responses(answers, task="word"):
    table = pd.DataFrame(answers, columns=["stimulus", "agent", "response"])
    return table.assign(study="zhang2025", task=task).reindex(columns=list(schema.RESPONSES))


def answers(n=40, people=2, agents=("word2vec", "gpt2"), tell=0.0, seed=0):
    """Answers to n cues: random words; with `tell`, so many of the machines' end in "zz"."""
    rng = np.random.default_rng(seed)

    def word():
        return "".join(rng.choice(list("abcdefgh"), 6))

    rows = []
    for cue in range(n):
        for agent in ("human",) * people + tuple(agents):
            marked = agent != "human" and rng.random() < tell
            rows.append((f"cue{cue}", agent, word() + "zz" * marked))
    return responses(rows)


def items(*args, agents=("word2vec", "gpt2"), **kwargs):
    return features.select_items(answers(*args, agents=agents, **kwargs), agents)


def setup(reading="recommended", **options):
    return classifier.Setup("word.trained", reading, settings.Judges(**QUICK | options), seed=1)


def embedded(table):
    return features.embed_texts(table["response"])


def generator(seed=0):
    return np.random.default_rng(seed)


def test_people_and_machines_are_drawn_in_equal_numbers_and_agents_share():
    table = items(60, agents=("word2vec", "gpt2", "gpt3_embedding"))
    drawn = table.iloc[features.draw_balanced_items(table, 90, generator())]
    assert drawn["machine"].value_counts().to_dict() == {0: 90, 1: 90}
    assert drawn.loc[drawn["machine"] == 1, "agent"].value_counts().tolist() == [30, 30, 30]
    # No more than there is, and only from what is asked for.
    among = table["stimulus"].isin(["cue0", "cue1"]).to_numpy()
    drawn = features.draw_balanced_items(table, 100, generator(), among)
    assert among[drawn].all() and len(drawn) == 8


def test_speakers_are_the_units_of_conversations_in_the_collections_of_the_agents():
    # Nine conversations of a person (A) and a machine (B), and one in another collection.
    turns = [(f"c.{c}", who, t) for c in range(9) for who in ("human", "curie") for t in "ab"]
    table = responses([*turns, ("2025.1", "human", "x")])
    table["side"] = [*["A", "A", "B", "B"] * 9, "A"]
    table = features.select_items(table, ["curie"])
    assert table["unit"].tolist()[:4] == ["c.0 A", "c.0 A", "c.0 B", "c.0 B"]
    assert set(table["block"]) == {""} and len(table) == 36


def test_scan_paths_are_scaled_and_short_ones_not_filled_up_in_the_recommended_reading():
    corner, middle = [0, 0], [640, 512]
    texts = [json.dumps([corner, middle] * 6), json.dumps([middle] * 3)]
    sound = features.stack_scan_paths(texts, "recommended")
    assert sound.shape == (2, 20)
    assert sound[0, :4].tolist() == [-1, -1, 0, 0]
    assert np.isnan(sound[1]).all()
    published = features.stack_scan_paths(texts, "published")
    assert published.shape == (2, 30)
    assert published[1].tolist() == [0] * 6 + [1] * 24
    with pytest.raises(InputError, match="not a list of"):
        features.stack_scan_paths(["[[1, 2"], "published")


def by_people(n=50, people=12):
    """Answers to n cues, each of two of some people, and of two models."""
    table = answers(n)
    human = table["agent"] == "human"
    who = np.random.default_rng(3).integers(people, size=human.sum())
    return features.select_items(
        table.assign(responder=pd.Series(who, table.index[human]).map("p{}".format)),
        ("word2vec", "gpt2"),
    )


def test_grouped_parts_share_neither_stimulus_nor_person():
    table = by_people()
    judged = []
    for parts in classifier.split_folds(table, 5, True, 1):
        train, test = (table.iloc[part] for part in parts)
        assert not set(train["number"]) & set(test["number"])
        assert not set(train["person"]) & set(test["person"]) - {-1}
        assert set(train["machine"]) == set(test["machine"]) == {0, 1}
        judged += test.index.tolist()
    assert sorted(judged) == list(range(len(table)))


@pytest.mark.parametrize("reading", ["published", "recommended"])
def test_nobody_judges_what_it_was_trained_on(monkeypatch, reading):
    asked = []
    original = classifier.compute_decisions

    def watched(kernel, features, labels, train, test, apart=None):
        asked.append((train, test))
        return original(kernel, features, labels, train, test, apart)

    monkeypatch.setattr(classifier, "compute_decisions", watched)
    table = items(30)
    stimulus, own = table["stimulus"].to_numpy(), embedded(table)
    (found,) = classifier.cross_validate_judge(table, own, setup(reading, seeds=1))
    assert all(not set(train) & set(test) for train, test in asked)
    assert sorted(np.concatenate([test for _, test in asked])) == found.positions.tolist()
    asked.clear()
    list(classifier.train_on_few_examples(table, own, setup(), 8, 3))
    list(classifier.confront_unseen_agents(table, own, setup(), "gpt2", alone=True))
    assert len(asked) == 4
    for train, test in asked:
        assert not set(stimulus[train]) & set(stimulus[test])


def test_the_radial_judge_decides_as_the_library_s():
    from sklearn.svm import SVC

    rng = np.random.default_rng(3)
    own, labels = rng.normal(size=(120, 7)), rng.integers(0, 2, 120)
    ours = classifier.compute_decisions("rbf", own, labels, np.arange(80), np.arange(80, 120))
    theirs = SVC(class_weight="balanced").fit(own[:80], labels[:80]).decision_function(own[80:])
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def measure(table, reading):
    (found,) = classifier.cross_validate_judge(table, embedded(table), setup(reading))
    judged = table.iloc[found.positions].assign(score=found.scores)
    measured = evaluation.measure_quality(judged, 50, 0.95, generator())
    return {row["quantity"]: row["value"] for row in measured}


@pytest.mark.parametrize("reading", ["published", "recommended"])
def test_separable_responses_are_told_apart_and_shuffled_labels_are_not(reading):
    table = items(80, tell=1.0)
    assert measure(table, reading)["auc"] > 0.999
    assert measure(table, reading)["accuracy"] > 0.97
    mixed = table.assign(machine=np.random.default_rng(5).permutation(table["machine"]))
    mixed["agent"] = np.where(mixed["machine"] == 1, "gpt2", "human")
    mixed["code"] = mixed["machine"]
    assert abs(measure(mixed, reading)["auc"] - 0.5) < 0.15


def test_area_under_the_curve_equals_the_library_s_with_ties_and_weights():
    from sklearn.metrics import roc_auc_score

    rng = generator(1)
    score, truth = rng.integers(0, 8, 200), rng.integers(0, 2, 200)
    weights = rng.integers(0, 4, (3, 200)).astype(float)
    ours = evaluation.compute_areas(score, truth, weights)
    theirs = [roc_auc_score(truth, score, sample_weight=w) for w in weights]
    np.testing.assert_allclose(ours, theirs)


def found(table, check, kind="text"):
    selected = features.select_items(table, ("word2vec", "gpt2"))
    made = audit.audit_items(selected, kind, setup())
    return made[made["check"].str.startswith(check)]


def test_audit_finds_one_agent_under_two_names_and_filler():
    table = answers(40)
    assert not found(table, "same response")["flagged"].any()
    again = table[table["agent"] == "word2vec"].assign(agent="gpt2")
    rows = found(pd.concat([table[table["agent"] != "gpt2"], again]), "same response")
    assert rows[rows["flagged"]]["agents"].tolist() == ["word2vec, gpt2"]
    table = answers(40, people=3)
    assert not found(table, "people of one")["flagged"].any()
    people = table["agent"] == "human"
    table.loc[people, "response"] = "molecular" + table.loc[people, "stimulus"]
    row = found(table, "people of one").iloc[0]
    assert row["flagged"] and row["value"] == 1 and row["n"] == 40


def test_audit_finds_stimuli_and_people_on_both_sides_of_ungrouped_folds_only():
    for grouped, expected in ((False, True), (True, False)):
        rows = audit.measure_fold_leakage(by_people(), 5, grouped, 1)
        shares = {row.what: row.value for row in rows}
        for what in ("stimulus", "person"):
            share = shares[f"share of responses with the {what} in training too"]
            assert share > 0.9 if expected else share == 0


def test_audit_finds_length_that_gives_the_agent_away():
    rows = found(answers(60), "one feature").set_index("what")
    assert abs(rows.loc["number of letters", "value"] - 0.5) < 0.15
    rows = found(answers(60, tell=1.0), "one feature").set_index("what")
    assert rows.loc["number of letters", "value"] == 1 and rows.loc["number of letters", "flagged"]
    # Nothing has stray spaces it: a constant tells nothing.
    assert rows.loc["stray spaces", "value"] == 0.5


def test_audit_finds_signs_that_few_responses_have():
    table = answers(400)
    text, human = table["response"], table["agent"] == "human"
    few = table["stimulus"].isin([f"cue{number}" for number in range(20)])
    text = text.mask(few & human, text + " ")
    text = text.mask(few & ~human, "[ unused0 ] by the sea by the sea")
    rows = found(table.assign(response=text), "feature of few").set_index("what")
    rows.index = rows.index.str.partition(":").get_level_values(0)
    ones = dict.fromkeys(["punctuation marks", "repeated phrases", "stray tokens"], 1)
    assert rows["value"].to_dict() == {"stray spaces": 0, **ones}
    assert rows["flagged"].all() and (rows["n"] == 40).all()
    assert found(answers(400), "feature of few").empty


def scan_paths(draw):
    """Paths of two people and two agents on 40 images, as `draw` makes them for people or not."""
    return responses(
        (str(image), agent, json.dumps(draw(agent == "human").tolist()))
        for image in range(40)
        for agent in ("human", "human", "word2vec", "gpt2")
    )


def test_audit_finds_the_length_of_scan_paths_and_grids():
    rng = generator(4)
    paths = scan_paths(
        lambda human: rng.integers(0, 1000, (rng.integers(5, 15) if human else 30, 2))
    )
    made = found(paths, "one feature", "scan path").set_index("what")
    assert made.loc["number of fixations", "value"] == 1
    paths = scan_paths(lambda human: rng.integers(0, 500, (10, 2)) * (1 if human else 2))
    made = found(paths, "one feature", "scan path").set_index("what")
    assert made["flagged"].to_dict() == {
        "number of fixations": False,
        "fixations off the picture": False,
        "repeated last fixation": False,
        "odd coordinates": True,
    }
    assert made.loc["odd coordinates", "value"] == 1
    # Right of the picture, or above it.
    for point in ([1281, 5], [5, -1]):
        beside = scan_paths(lambda human, at=point: np.full((10, 2), at if human else [640, 512]))
        made = found(beside, "one feature", "scan path").set_index("what")
        assert made.loc["fixations off the picture", "value"] == 1


WORDS = {"None": 30, "teal": 35, "ocher": 39, "red": 100}


def test_audit_finds_words_that_one_side_does_not_use():
    rows = []
    for number in range(100):
        # Responses with None are machines' alone. The ten with teal are, too, but may be so by chance, as
        # two of three responses are machines'; the eight with ocher, or ecru, are too few to look at.
        word = next(w for w, end in WORDS.items() if number < end)
        rows += [(str(number), agent, word) for agent in ("word2vec", "gpt2")]
        word = "crimson red" if number < 20 else "ecru red" if number < 28 else "red"
        rows.append((str(number), "human", word))
    made = found(responses(rows), "words of one side")
    made = made.set_index("what")
    assert made["n"].to_dict() == {"machines: none": 60, "people: crimson": 20}
    assert made["value"].to_dict() == {"machines: none": 0.3, "people: crimson": 0.2}
    assert made["flagged"].all()
    assert found(answers(100), "words of one side").empty


def test_a_judge_of_words_sees_how_far_each_is_from_its_cue():
    items = pd.DataFrame(
        {"stimulus": ["river", "boat", "river"], "response": ["sea", "sea", "oar"]}
    )
    cues, words = map(features.embed_texts, (items["stimulus"], items["response"]))
    seen = features.compute_features(items, "cue", "published")
    np.testing.assert_array_equal(seen, (cues - words) ** 2)


def test_texts_are_embedded_as_unit_vectors_of_their_n_grams():
    embedded_texts = features.embed_texts(["a kayak", "A  kayak", "grass", ""])
    assert (embedded_texts[0] == embedded_texts[1]).all()
    assert np.linalg.norm(embedded_texts, axis=1) == pytest.approx([1, 1, 1, 0])
    assert embedded_texts[0] @ embedded_texts[2] < 0.5


def trained(table, task="word", **options):
    only = STUDY.model_copy(update={"tasks": {task: STUDY.tasks[task]}})
    return kept_judges.train_all(
        table.assign(task=task), only, settings.Judges(**QUICK | options), 1, 0.95
    )


@pytest.fixture(scope="module")
def made():
    """Judges of words, by all agents that the study names."""
    return trained(answers(40, agents=STUDY.tasks["word"].cohorts["trained"].agents, tell=0.5))


@pytest.fixture(scope="module")
def verdicts(made):
    return schema.check_judgments(made["judgments"], "trained")


def test_a_task_gives_verdicts_in_the_table_of_judgments(made, verdicts):
    cohorts = {f"trained{which}" for which in ("", "_few", "_one", "_others")}
    assert set(verdicts["cohort"]) == cohorts
    assert set(verdicts["judge_kind"]) == {"svm"}
    whole = verdicts[verdicts["cohort"] == "trained"]
    # One verdict a response and reading, however many seeds.
    scores = made["scores"].query("cohort == 'trained'")
    assert not scores.duplicated(["reading", "stimulus", "agent", "score"]).all()
    assert (whole.groupby("reading", observed=True).size() <= 40 * 7).all()
    assert set(whole["judge"]) == {"word.trained.rbf", "word.trained.linear"}
    assert set(made["evaluation"]["quantity"]) == {"accuracy", "auc"}
    assert len(made["audit"])


def test_judges_are_trained_once_on_the_same_responses_by_the_same_code(tmp_path, monkeypatch):
    """In a run of one task, too, whatever else the study has; another answer, key or code trains anew."""
    trainings, train = [], training.train_cohort
    monkeypatch.setattr(
        training, "train_cohort", lambda *of: trainings.append(of[3:5]) or train(*of)
    )
    table, options = answers(40), {"cache": str(tmp_path), "seeds": 1}
    fresh = trained(table, seeds=1)
    first, again = (trained(table, **options) for _ in range(2))
    assert len(trainings) == 2 * len(set(trainings)) > 2
    for name in fresh:
        pd.testing.assert_frame_equal(first[name], fresh[name])
        pd.testing.assert_frame_equal(again[name], fresh[name])
    changed = table.assign(response=table["response"].iloc[::-1].to_numpy())
    for number, change in enumerate([(table, {"folds": 4}), (changed, {})], start=3):
        trained(change[0], **options | change[1])
        assert len(trainings) == number * len(set(trainings))
    monkeypatch.setattr(kept_judges, "describe_code", lambda *of: {"code": "other"})
    trained(table, **options)
    assert len(trainings) == 5 * len(set(trainings))


def test_what_cannot_be_trained_says_why():
    nobody = trained(answers(40, people=0))
    assert nobody["judgments"].empty
    told = nobody["evaluation"].set_index("quantity")["method"]
    assert set(told.items()) == {
        ("not trained", "there are not both people's and machines' responses")
    }


def test_each_reading_counts_its_own_judge(verdicts):
    own = cleaning.append_judged_here(verdicts.iloc[:0], verdicts)
    marked = cleaning.mark_exclusions(own, STUDY, settings.Cleaning())
    assert (marked["kept_published"] != marked["kept_recommended"]).all()
    table = counts.count_verdicts(marked, STUDY)
    judges = table[table["cohort"] == "trained"].groupby("reading")["judge"].unique()
    assert judges["published"].tolist() == ["word.trained.rbf"]
    assert judges["recommended"].tolist() == ["word.trained.linear"]
    account = exclusion_log.log_exclusions(marked, STUDY)
    whole = account.query("cohort == 'trained' and judge == 'all'").set_index("reading")
    assert whole["step"].tolist() == ["analyzed", "analyzed"]
    of_readings = verdicts[verdicts["cohort"] == "trained"].groupby("reading", observed=True)
    for reading, rows in of_readings:
        assert whole.loc[reading, "rows_out"] == len(rows)
