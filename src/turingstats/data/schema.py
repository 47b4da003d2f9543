"""The data contract: the tables that stages pass to each other."""

import functools
from collections.abc import Collection, Hashable, Sequence

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.plain_text import show_plainly
from turingstats.core.yaml_models import READINGS
from turingstats.data.distinct_values import sort_categories

TRUTHS = ("human", "machine")
VERDICTS = ("human", "machine", "unsure")
PHASES = ("train", "test", "catch", "swapped")
JUDGE_KINDS = ("human", "svm", "llm", "detector")
GENDERS = ("female", "male")

JUDGMENTS = {
    "study": "name of the study",
    "task": "name of the task",
    "cohort": "who judged under which protocol",
    "judge_kind": "human, svm, llm, detector",
    "judge": "pseudonym, unique within the study",
    "trial": "number of the trial in the raw file",
    "position": "place in the judge's session",
    "phase": "train, test, catch, swapped",
    "stimulus": "what was judged",
    "variant": "version of the task or type of the stimulus, such as free viewing or H-M",
    "topic": "what a conversation was about",
    "domain": "kind of image, such as near-domain",
    "exchanges": "length of the conversation shown",
    "side": "speaker judged, A or B",
    "agent": "who made the response; human for people; missing where no file tells",
    "truth": "human or machine; missing where no file tells",
    "verdict": "human, machine or unsure",
    "perceived_gender": "gender the judge took the speaker for: female, male; missing where not asked",
    "rating": "rating of the response, or score of a detector; larger values mean a machine; missing where "
    "the source has neither",
    "confidence": "how sure the judge was",
    "rt_ms": "time to the verdict, milliseconds",
    "control_ok": "answer to the control question was right; missing where not collected",
    "defect": "known defect of the source that touches the trial, as the study file names it",
    "trained_on": "agents that a machine judge was trained on, where it judges others",
    "reading": "the reading that the verdict belongs to; empty for both",
}
NUMBERS = {
    "trial": "Int32",
    "position": "Int32",
    "exchanges": "Int32",
    "rating": "Float64",
    "confidence": "Float64",
    "rt_ms": "Int64",
    "control_ok": "boolean",
}
"""Types of the judgments that are not text; those that are text are categories."""
ALLOWED = {
    "judge_kind": JUDGE_KINDS,
    "phase": PHASES,
    "side": ("A", "B"),
    "truth": TRUTHS,
    "verdict": VERDICTS,
    "perceived_gender": GENDERS,
    "reading": READINGS,
}
SMALLEST = {"trial": 0, "position": 0, "exchanges": 0, "rt_ms": 0, "turn": 1}
"""Allowed values of columns, and the smallest allowed number."""
JUDGES = {
    "study": "name of the study",
    "task": "name of the task",
    "cohort": "who judged under which protocol",
    "judge_kind": "human, svm, llm, detector",
    "judge": "pseudonym",
    "person": "who the judge is: one value per person across the cohorts and tasks of the study; missing "
    "where the source does not tell",
    "gender": "as answered",
    "age_band": "canonical age band",
    "education": "as answered",
}
"""One row per judge. A judge is a session, or whoever judged in one cohort; a person may be several."""
WORKER = "worker"
"""Column that adapters add to the judges: the worker's id, from which `person` is derived. It is never
written."""
MACHINE = "machine"
"""Alias of the agent that stands for machines that no file names."""
JUDGED = "person "
"""Start of the name of a stimulus that is a person, as in games of three parties; a pseudonym follows, that
of the judge if the person also judges."""
RESPONSES = {
    "study": "name of the study",
    "task": "name of the task",
    "stimulus": "what was responded to: a cue, an image, or the conversation, as judgments call it",
    "side": "speaker, A or B; missing but in conversations",
    "turn": "place in the conversation, from 1; missing but in conversations",
    "agent": "who made the response; human for people",
    "responder": "which person, where known",
    "response": "a word, a caption, a scan path, the text of one turn",
    "tags": "parts of speech of its words (Penn Treebank); missing where the response was not tagged",
}
"""One row per response. In Conversation a response is one turn: what a speaker says before the other one
continues (an "exchange" in the paper). A judgment with `exchanges` n covers turns 1 to n of its stimulus
and is about the speaker on its `side`, so its text is

    responses[(stimulus == judgment.stimulus) & (side == judgment.side) & (turn <= judgment.exchanges)]

in the order of `turn`; without the condition on `side` it is the whole page that the judge read. Turns
count both speakers; the long conversations have 48. In other tasks a stimulus has one row per response."""
LEFT_OUT = {
    "study": "name of the study",
    "task": "name of the task",
    "cohort": "who judged under which protocol",
    "file": "the file that holds the rows",
    "reason": "why they are not read",
    "rows": "how many rows, or trials",
}
STIMULI = {
    "study": "name of the study",
    "task": "name of the task",
    "stimulus": "what was judged",
    "side": "speaker, A or B",
    "agent": "who spoke; human for people; missing where not known",
    "truth": "human or machine",
    "variant": "type of the conversation",
    "topic": "what it was about",
}
COUNTS = {
    "reading": "published or recommended",
    "study": "name of the study",
    "task": "name of the task",
    "cohort": "who judged under which protocol",
    "judge_kind": "human, svm, llm, detector",
    "judge": "pseudonym; in the recommended reading that of a person's first session in the cohort",
    "person": "who the judge is, as in the judges table; missing where not known",
    "group_by": "condition that the trials were sorted by, such as variant; all for all trials",
    "group": "level of the condition; all for all trials",
    "agent": "who made the response",
    "stimulus": "what was judged; empty where stimuli are not known or no sample",
    "n": "verdicts",
    "n_human": "of these, human",
    "n_machine": "of these, machine",
}

ESTIMATES = (
    "estimate_id study task cohort judge_kind group_by group agent quantity reading value k n n_judges "
    "n_stimuli error_over se df se_judges se_stimuli se_verdicts ci_low ci_high wilson_low wilson_high "
    "method data"
).split()
TESTS = (
    "test_id study task cohort groups quantity test reading unit n1 n2 n_per_group statistic_name statistic "
    "df p statistic_low statistic_high p_low p_high p_adjusted p_fdr correction family family_size "
    "effect_name effect ci_low ci_high crossed_statistic crossed_df "
    "p_independent p_published_trials p_judges p_stimuli p_crossed dropped method note data"
).split()
MODELS = (
    "model_id study task cohort reading kind group term estimate se z df p ci_low ci_high odds_ratio "
    "or_low or_high loglik n n_judges groups dropped engine converged singular notes formula method data"
).split()
MODEL_CONTRASTS = (
    "contrast_id model_id study task cohort reading outcome factor first second estimate se z df p "
    "p_adjusted correction family_size ci_low ci_high odds_ratio or_low or_high probability_first "
    "probability_second probability_difference probability_se probability_low probability_high n "
    "n_judges unit formula method data"
).split()
WHAT_CHANGES = (
    "test_id task cohort agent quantity groups test unit published_statistic published_p recommended_test "
    "recommended_p published_trials_p judges_p crossed_p crossed_change crossed_moved_by hypothesis "
    "crossed_p_holm crossed_p_fdr model_id "
    "mixed_statistic mixed df mixed_p log_odds change mixed_moved_by notes data"
).split()
RANDOM_EFFECTS = (
    "model_id study task cohort reading group level effect value se ci_low ci_high data"
).split()


@functools.lru_cache(2**16, typed=True)
def normalize_spelling(value: Hashable) -> str:
    """Remove case, surrounding blanks and what is not seen, which do not matter in a table."""
    return show_plainly(str(value)).strip().lower()


def check_judgments(
    table: pd.DataFrame,
    file: str,
    conditions: Sequence[str] = (),
    origins: pd.Series | None = None,
) -> pd.DataFrame:
    """Check judgments, with the conditions of their study, and give them the types of the contract."""
    names = (*JUDGMENTS, *conditions)
    types = {name: NUMBERS.get(name, "category") for name in names}
    filled = ("study", "task", "cohort", "judge_kind", "judge", "phase", "verdict")
    return check_cells(table, types, filled, file, origins)


def check_judges(table: pd.DataFrame, answers: Sequence[str] = ()) -> pd.DataFrame:
    """Check judges, with the answers of their study, and give them the types of the contract."""
    types = dict.fromkeys((*JUDGES, *answers), "category") | {"judge": "str", "person": "str"}
    return check_cells(table, types, ("study", "task", "cohort", "judge"), "judges")


def check_responses(table: pd.DataFrame) -> pd.DataFrame:
    """Check responses, and give them the types of the contract."""
    types = dict.fromkeys(RESPONSES, "str") | {"side": "category", "turn": "Int32"}
    return check_cells(
        table, types, ("study", "task", "stimulus", "agent", "response"), "responses"
    )


def check_cells(
    table: pd.DataFrame,
    types: dict[str, str],
    filled: Collection[str],
    file: str,
    origins: pd.Series | None = None,
) -> pd.DataFrame:
    """Give columns their types, and refuse the first cell that the contract does not allow."""
    table = table[list(types)].astype(types)
    wrong = {(name, "an empty cell"): table[name].isna() for name in filled}
    for name in (name for name in ALLOWED if name in types):
        told = f"it is none of {ALLOWED[name]}"
        wrong[name, told] = table[name].notna() & ~table[name].isin(ALLOWED[name])
    for name in (name for name in SMALLEST if types.get(name, "category") != "category"):
        told = f"it is below {SMALLEST[name]}"
        wrong[name, told] = (table[name] < SMALLEST[name]).fillna(False)
    if "verdict" in types:
        agent, truth = table["agent"], table["truth"]
        differs = ((agent == "human") != (truth == "human")) | (agent.isna() != truth.isna())
        wrong["agent", "the truth of its row contradicts it"] = differs
    if "person" in types:
        wrong["judge", "it occurs twice"] = table["judge"].duplicated()
    for (name, problem), rows in wrong.items():
        if rows.any():
            row = rows.idxmax()
            places = [f"{at} {table.at[row, at]}" for at in ("judge", "trial") if at in table]
            raise InputError(
                file if origins is None else origins[row],
                f"the table violates the data contract ({problem})",
                row=", ".join(places) or row,
                column=name,
                value=table.at[row, name],
                fix="see the data contract in src/turingstats/data/schema.py",
            )
    return table


def complete_tables(
    tables: dict[str, pd.DataFrame], study: Study, optional: Collection[str] = ()
) -> tuple[pd.DataFrame, ...]:
    """Complete and check the judgments, judges, responses, rows left out and notes of all files."""
    judgments, judges, responses = (tables[name] for name in ("judgments", "judges", "responses"))
    if judgments.empty:
        asked = [f"{task}.{name}" for task, own in study.tasks.items() for name in own.cohorts]
        raise ConfigError(
            f"There are no judgments to analyze: no available raw file belongs to {', '.join(asked)}.\n"
            "Widen tasks or cohorts, or see data/missing.csv for what the source lacks."
        )
    judgments = complete_judgments(judgments, tables["stimuli"], study)
    conditions, answers = list_study_columns(study)
    require_columns(judgments, set(conditions) - set(optional), "condition")
    require_columns(judges, set(answers) - set(optional), "demographic variable")
    judgments = sort_categories(judgments)
    judgments = check_judgments(judgments, "judgments", conditions, tables["origins"])
    judges, responses = check_judges(judges, answers), check_responses(responses)
    return judgments, judges, responses, tables["left_out"], tables["notes"]


def list_study_columns(study: Study) -> tuple[list[str], list[str]]:
    """List conditions and questionnaire items of a study that the data contract has no column for."""
    named = [
        name
        for task in study.tasks.values()
        for condition in task.conditions
        for name in condition.split("+")
    ]
    named += [name for task in study.tasks.values() for name in task.columns]
    # The number of exchanges is a column of the contract. Groups of judges, with which a condition may be
    # crossed, are questionnaire items; age is an age band.
    known = {*JUDGMENTS, *study.demographics}
    conditions = [name for name in dict.fromkeys(named) if name not in known]
    answers = [name for name in study.demographics if name not in (*JUDGES, "age")]
    return conditions, answers


def require_columns(table: pd.DataFrame, names: Collection[str], what: str) -> None:
    """Check that the raw files have all conditions or items of a study file."""
    absent = [name for name in sorted(names) if name not in table or table[name].isna().all()]
    if absent:
        raise ConfigError(
            f"No raw file holds the {what} {', '.join(absent)} of the study file.\n"
            "  fix:     name its column under `columns` in data/sources/, or remove it from the study"
        )


def complete_judgments(
    judgments: pd.DataFrame, stimuli: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Fill in who and what was judged, where the files with the judgments do not say."""
    unnamed = judgments["agent"].isna()
    if not unnamed.any():
        return judgments
    keys = ["task", "stimulus", "side"]
    stated = judgments.loc[unnamed & judgments["truth"].notna(), [*keys, "truth"]]
    for name in ("truth", "agent"):
        known = pd.concat([stimuli, stated])[[*keys, name]].dropna().drop_duplicates()
        twice = known[known.duplicated(keys, keep=False)]
        if len(twice):
            first = twice.iloc[0]
            raise InputError(
                "raw files",
                f"two files contradict each other on who spoke as {first['side']}",
                row=f"conversation {first['stimulus']}",
                column=name,
                value=" and ".join(twice.loc[twice["stimulus"] == first["stimulus"], name]),
                fix="restore the files from their source",
            )
    facts = stimuli.groupby(keys, sort=False)[["agent", "truth", "variant", "topic"]].first()
    matched = facts.reindex(pd.MultiIndex.from_frame(judgments.loc[unnamed, keys]))
    for name in facts:
        cells = judgments.loc[unnamed, name]
        judgments.loc[unnamed, name] = cells.where(cells.notna(), matched[name].to_numpy())
    nameless = judgments["agent"].isna()
    named = [
        name
        for name, agent in study.agents.items()
        if MACHINE in map(str.lower, (agent.label, *agent.aliases))
    ]
    anonymous = {"human": "human", MACHINE: [*named, MACHINE][0]}
    judgments.loc[nameless, "agent"] = judgments.loc[nameless, "truth"].map(anonymous)
    return judgments
