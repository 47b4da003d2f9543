"""Write a starting study for a table of verdicts, by looking at its columns.

Every guess is written down where it can be corrected: which column is what, what its values mean, and
which columns are not read and why. Nothing that looks like a name, an address or a browser is read; the
judge's id is read to tell judges apart and is replaced by a pseudonym.
"""

import re
import tempfile
import unicodedata
from pathlib import Path

import pandas as pd
import yaml

from turingstats.config import raw_files
from turingstats.config.load import load_study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, InputError, TuringError
from turingstats.data import adapters
from turingstats.data.adapters import columns
from turingstats.data.adapters.columns import spelled

# Names of columns, without case, signs and what is in brackets, by what they hold; the first that fits
# is taken.
NAMES = {
    "judge": "judge judgeid participant participantid subject subjectid worker workerid rater raterid "
    "annotator annotatorid evaluator interrogator respondent prolificpid prolificid user userid pid",
    "verdict": "verdict judgment judgement judged decision guess answer response choice prediction "
    "perceived said",
    "truth": "truth groundtruth actual actually real target label truelabel madeby writtenby source author",
    "right": "correct iscorrect right accuracy acc hit",
    "human_at": "humanat humanside humanposition humanlocation",
    "chosen": "chosen choice chose pick picked selected selection response answer verdict",
    "agent": "agent model modelname system llm bot generator machine writtenby madeby source author "
    "speaker",
    "stimulus": "stimulus stimulusid stimid stim item itemid itemno image imageid question cue "
    "conversation conversationid dialog dialogue pair pairid text textid",
    "confidence": "confidence conf certainty sure howsure",
    "rt_ms": "rtms rt rts rtsec responsetimems reactiontimems responsetime reactiontime "
    "responsetimes reactiontimes",
    "position": "position order trial trialnumber trialindex trialno",
    "exchanges": "exchanges nexchanges turns nturns",
    "gender": "gender sex",
    "age": "age ageband agegroup years",
    "education": "education edu degree",
    "native": "native nativespeaker",
    "topic": "topic",
    "domain": "domain",
}
ASKED = ("gender", "age", "education", "native")
HUMAN = "human humans person people user man real authentic handmade manmade"
MACHINE = "machine ai bot computer robot model llm artificial algorithm fake generated synthetic aigenerated"
UNSURE = (
    "unsure idk idn dk dontknow donotknow notsure unknown undecided cannottell canttell neither "
    "tie equal both"
)
WORDS = {
    word: meaning
    for meaning, words in (("human", HUMAN), ("machine", MACHINE), ("unsure", UNSURE))
    for word in words.split()
}
# Who the judges or the speakers were is not who made the responses, whatever words it is said in.
OF_GENDERS = re.compile(r".*(gender|sex|geschlecht|genero|sesso).*|sexo|genre")
GENDERS = set(
    "man men male males m woman women female females f w diverse nonbinary other mann frau maennlich "
    "weiblich".split()
)
# A yes in a column of such a name means a machine, or a person.
OF_MACHINES = re.compile(
    r"(is|was|said|judged|guessed|thinks?|thought)*(ai|bot|machine|generated)$"
)
OF_PEOPLE = re.compile(r"(is|was|said|judged|guessed|thinks?|thought)*(human|person|real)$")
YES, NO = ("yes", "1", "true", "y"), ("no", "0", "false", "n")

PRIVATE_NAMES = re.compile(
    r"(^|_)(ip|ips|email|e_mail|mail|phone|name|first_?name|last_?name|surname|username|nick|address|"
    r"browser|user_?agent|device|latitude|longitude|lat|lon|zip|postcode|birth\w*|dob|session\w*|cookie|"
    r"referr?er|url|\w*token|\w*password|\w*_?pid|worker\w*|assignment\w*|hit_?id|mturk\w*|prolific\w*|"
    r"comments?|feedback|country|city|uuid)(_|$)"
)
PRIVATE_VALUES = {
    "an address of a computer": r"(\d{1,3}\.){3}\d{1,3}(:\d+)?",
    "a browser string": r"mozilla/.*|.*applewebkit.*|.*gecko/.*",
    "an identifier": r"[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|a[0-9a-z]{12,14}",
    "a web address": r"https?://.*",
    "a date": r"\d{4}-\d\d-\d\d.*|\d\d?[./]\d\d?[./]\d{2,4}.*",
}
# Names that YAML or a CSV table reads as something else than text.
NO_NAMES = set("y n yes no on off true false null none nil na nan n_a inf infinity".split())
# Names that mean something else in the study files or the data contract.
RESERVED = (
    "study task cohort judge_kind trial position phase side stimulus agent truth verdict control_ok defect "
    "trained_on reading perceived_gender person worker".split()
)
EMAIL = r"[^@\s]+@[^@\s]+\.[a-z]+"
MOST_AGENTS, MOST_LEVELS, LONG = 60, 12, 30
# Share of rows whose truth or verdict must be a known word; the rest may be slips.
MOSTLY = 0.95
TASK, COHORT = "verdicts", "judges"
MODELS = {
    "agents": "How well each agent is told from people, whatever the judges' bias (log odds, 0 is chance).",
    "correct": "How often verdicts on each agent are right, compared with those on people.",
}


class Guess:
    """What a table seems to hold.

    Parameters
    ----------
    path : path-like
        CSV or parquet, a row a verdict.
    named : dict, optional
        Columns that are known, by what they hold: {judge: Beurteiler}.
    words : dict, optional
        What further words mean as a truth or verdict: {Mensch: human, KI: machine}; None leaves rows out.
    """

    def __init__(self, path, named=None, words=None):
        self.path = Path(path)
        self.given = {spelled(word): meaning for word, meaning in (words or {}).items()}
        self.table = columns.read(self.path)
        if self.table.empty:
            raise InputError(path, "the table has no rows")
        self.header = list(self.table)
        self.columns, self.values = {}, {}
        self.not_read, self.not_understood, self.remarks = {}, {}, []
        self.choice = False
        self.take_given(named or {})
        self.take("judge", self.named("judge"))
        if "judge" not in self.columns:
            raise self.unknown(
                "judge", "who gave each verdict; verdicts of one person belong together"
            )
        self.leave_out_private()
        self.find_verdicts()
        self.check_agents()
        for name in ("stimulus", "confidence", "rt_ms", "position", "exchanges", "topic", "domain"):
            self.take(name, self.named(name))
        self.check_numbers()
        self.demographics, self.conditions = {}, []
        self.find_groups()
        self.bands = self.find_bands()
        self.models = self.find_models()
        repeated = self.table.index[self.table.duplicated()]
        if len(repeated):
            self.remarks.append(
                f"{len(repeated)} rows repeat an earlier one in every column, the first in row "
                f"{repeated[0]}: remove them if they were saved twice"
            )

    def take_given(self, named):
        """Take the columns that are known."""
        for what, column in named.items():
            if what not in NAMES:
                raise ConfigError(
                    f"columns: {what!r} is nothing that a table of verdicts holds\n"
                    f"  allowed: {', '.join(NAMES)}\n"
                    "  remedy:  correct it; groups and conditions are found without it"
                )
            if column not in self.header:
                raise InputError(
                    self.path,
                    "the table lacks a column that is named",
                    column=column,
                    allowed=self.header,
                    remedy=f"correct columns: {what}",
                )
            self.columns[what] = column

    def unknown(self, what, meaning):
        """The error that a column cannot be told."""
        strange = "".join(
            f"; {column} is not understood where it is {cells}"
            for column, cells in self.not_understood.items()
        )
        return InputError(
            self.path,
            f"no column is known for {what}: {meaning}{strange}",
            allowed=[f"{', '.join(NAMES[what].split())} (case, blanks and signs do not matter)"],
            remedy=f'say which it is: --config csv={self.path} columns="{{{what}: its name}}", and what '
            'words such as KI mean: values="{KI: machine}"; or write the two files by hand '
            f"(docs/your_own_data.md); columns found: {', '.join(self.header)}",
        )

    def free(self):
        """Columns that are not taken nor left out."""
        return [n for n in self.header if n not in {*self.columns.values(), *self.not_read}]

    def named(self, what):
        """The column that is given, else the first free one of a known name, or None."""
        if what in self.columns:
            return self.columns[what]
        free = {bare(re.sub(r"[(\[].*?[)\]]", "", name)): name for name in reversed(self.free())}
        return next((free[name] for name in NAMES[what].split() if name in free), None)

    def take(self, what, column):
        """Say what a column is."""
        if column is not None:
            self.columns[what] = column

    def levels(self, column):
        """Different values of a column, most frequent first, without empty cells."""
        return [value for value in self.table[column].value_counts().index if value]

    def leave_out_private(self):
        """Leave out what could tell who somebody is."""
        for column in self.free():
            spelled = re.sub(
                r"[^a-z0-9]+", "_", re.sub(r"([a-z])([A-Z])", r"\1_\2", column).lower()
            )
            values = self.table.loc[self.table[column] != "", column].str.lower()
            if values.str.contains(EMAIL).any():
                self.not_read[column] = "holds e-mail addresses"
                continue
            if PRIVATE_NAMES.search(spelled) and bare(column) not in NAMES["agent"].split():
                self.not_read[column] = "its name is that of something personal"
                continue
            for what, pattern in PRIVATE_VALUES.items():
                if len(values) and values.str.fullmatch(pattern).mean() > 0.5:
                    self.not_read[column] = f"looks like {what}"
                    break

    def meaning(self, value):
        """What a value means as a truth or verdict: as it is given, else as a known word; or None."""
        return self.given.get(spelled(value), WORDS.get(plain(value)))

    def understood(self, column):
        """What the values of a column mean, of those that are understood; None where rows are left out."""
        values = self.levels(column)
        if "" in self.given and (self.table[column] == "").any():
            values = ["", *values]
        words = {value: plain(value) for value in values}
        known = {value: WORDS[word] for value, word in words.items() if word in WORDS}
        for pattern, yes, no in (
            (OF_MACHINES, "machine", "human"),
            (OF_PEOPLE, "human", "machine"),
        ):
            said = {value: word for value, word in words.items() if word in (*YES, *NO)}
            if pattern.fullmatch(bare(column)) and said:
                known = {value: yes if word in YES else no for value, word in said.items()}
        # A value is not taken for another one that it only looks like: with AI in the table, A-I is none.
        literal = {word for value, word in words.items() if spelled(value) == word}
        known = {
            value: meaning
            for value, meaning in known.items()
            if words[value] not in literal or spelled(value) == words[value]
        }
        given = {
            value: self.given[spelled(value)] for value in values if spelled(value) in self.given
        }
        return known | given

    def meanings(self, column):
        """What the values of a column mean as a truth or verdict; None where they are no such words."""
        if self.is_of_genders(column):
            return None
        known, levels = self.understood(column), self.levels(column)
        strange = [value for value in levels if value not in known]
        if strange:
            # Slips of the pen are left to the user where the rest is clear.
            sides = set(known.values()) >= {"human", "machine"}
            cells = self.table.loc[self.table[column] != "", column]
            if not sides or cells.isin(list(known)).mean() < MOSTLY:
                if {"human", "machine"} & set(known.values()):
                    counts = cells.value_counts()
                    shown = [f"{value!r} ({counts[value]})" for value in strange[:8]]
                    self.not_understood[column] = ", ".join(shown)
                return None
        return known if set(known.values()) & {"human", "machine"} else None

    def is_of_genders(self, column):
        """Whether a column says whether somebody is a man or a woman, by its name or by its values."""
        words = {plain(value) for value in self.levels(column)}
        return bool(OF_GENDERS.fullmatch(bare(column))) or (bool(words) and words <= GENDERS)

    def find_verdicts(self):
        """Find truth, verdict (or whether it was right) and agent."""
        if self.find_choice():
            return
        open_to = [
            *self.free(),
            *(self.columns[n] for n in ("verdict", "truth") if n in self.columns),
        ]
        words = {column: self.meanings(column) for column in open_to}
        words = {column: known for column, known in words.items() if known}
        verdict, truth, right = self.named("verdict"), self.named("truth"), self.find_right()
        said = [c for c in words if re.match(r"(said|judged|guessed|perceived|thought)", c.lower())]
        verdict = verdict if verdict in words else next(iter(said), None)
        truth = truth if truth in words and truth != verdict else None
        # What is the same in all rows tells nothing apart; it may be about anything.
        several = [column for column in words if len(self.levels(column)) > 1]
        rest = [column for column in several if column not in (verdict, truth)]
        unsure = [column for column in rest if "unsure" in words[column].values()]
        if verdict is None and unsure:
            verdict = unsure[0]
            self.remarks.append(f"{verdict} taken for the verdict: it may be unsure")
        rest = [column for column in rest if column != verdict]
        if verdict is None and right is None:
            verdict = self.not_the_truth(rest, words, truth)
            rest = [column for column in rest if column != verdict]
        if truth is None and rest and (verdict or right):
            truth = rest[0]
            self.remarks.append(f"{truth} taken for the truth, by its values")
        for what, column in (("truth", truth), ("verdict", verdict)):
            if column is not None:
                self.take(what, column)
                self.values[what] = words[column]
                self.remark_slips(what, column)
        if truth is not None and len(self.levels(truth)) == 1:
            (value,) = self.levels(truth)
            self.remarks.append(
                f"{truth} taken for the truth, by its name, though it is {value!r} in all rows: everything "
                f"is by {'people' if words[truth][value] == 'human' else 'machines'} then; if that is "
                "wrong, name the column of the truth"
            )
        self.find_agent()
        if not {"truth", "agent"} & set(self.columns) and right and self.named("agent"):
            self.choice = True
            self.take("right", right)
            self.take("agent", self.named("agent"))
            self.remarks.append(
                "nothing is by people: each row taken for a choice between a person's and a machine's "
                "response; if judges saw machines alone, remove choice: true from the task"
            )
            return
        if "truth" not in self.columns and "agent" not in self.columns:
            raise self.unknown(
                "truth",
                "who made each response, in words such as human and machine (or human_at, where the "
                "person's response stood in a choice between two)",
            )
        if verdict is None:
            self.take("right", right)
            if right is None:
                raise self.unknown("verdict", "what each judge said, such as human and machine")
            self.remarks.append(
                "the verdict follows from the truth and from whether the judge was right; if a trial "
                "showed a person's and a machine's response and the judge chose, add choice: true to the task"
            )

    def find_choice(self):
        """Whether each row is a choice between a person's and a machine's response, with its columns."""
        places, chosen = self.named("human_at"), self.named("chosen")
        if places is None or chosen is None:
            return False
        other = set(self.levels(chosen)) - set(self.levels(places))
        if len(other) >= len(self.levels(chosen)):
            return False
        self.choice = True
        self.take("human_at", places)
        self.take("chosen", chosen)
        unsure = {value: "unsure" for value in sorted(other) if self.meaning(value) == "unsure"}
        if unsure:
            self.values["chosen"] = unsure
        self.take("agent", self.named("agent"))
        self.remarks.append(
            f"each row taken for a choice between a person's and a machine's response: {chosen} is what "
            "the judge took for the person's"
        )
        return True

    def find_right(self):
        """The column that says whether judges were right, in words such as yes and 0."""
        column = self.named("right")
        if column is None:
            return None
        unsure = {v: "unsure" for v in self.levels(column) if self.meaning(v) == "unsure"}
        unsure |= {
            value: None
            for value in (*self.levels(column), "")
            if spelled(value) in self.given and self.given[spelled(value)] is None
        }
        if not {plain(v) for v in self.levels(column) if v not in unsure} <= {*YES, *NO}:
            return None
        if unsure:
            self.values["right"] = unsure
        return column

    def not_the_truth(self, candidates, words, truth):
        """The first column of human and machine that differs from who made the responses, or None."""
        agent = self.named("agent")
        if truth is not None:
            people = self.table[truth].map(words[truth]) == "human"
        elif agent is not None:
            people = self.table[agent].map(lambda name: self.meaning(name) == "human")
        else:
            return None
        for column in candidates:
            said = self.table[column].map(words[column]) == "human"
            if column != agent and people.any() and (said != people).any():
                self.remarks.append(f"{column} taken for the verdict, by its values")
                return column
        return None

    def remark_slips(self, what, column):
        """Say which values of a truth or verdict are not understood, and where."""
        cells = self.table.loc[self.table[column] != "", column]
        slips = cells[~cells.isin(list(self.values[what]))].drop_duplicates()
        empty = self.table.index[self.table[column] == ""]
        if len(empty) and "" not in self.values[what]:
            self.remarks.append(
                f"{column}: {len(empty)} empty, the first in row {empty[0]}; correct the table, or say "
                f'under values: {what}: what "" means (null leaves the rows out)'
            )
        if len(slips):
            where = ", ".join(f"{value!r} (row {row})" for row, value in slips.items())
            self.remarks.append(
                f"{column}: not understood is {where}; correct the table, or say under values: {what}: "
                "what it means (null leaves the rows out)"
            )

    def find_agent(self):
        """Find which machine made each response; people may have any name or none there."""
        given = "agent" in self.columns
        truth = None
        if "truth" in self.columns:
            truth = self.table[self.columns["truth"]].map(self.values["truth"])
        named = self.named("agent")
        self.columns.pop("agent", None)
        for column in [*([named] if named else []), *self.free()]:
            if column in self.columns.values() or len(self.levels(column)) > MOST_AGENTS:
                continue
            people = {v for v in self.levels(column) if self.meaning(v) == "human"}
            if truth is None:
                if column == named and (people or self.given.get("") == "human"):
                    self.take("agent", column)
                    self.values["agent"] = dict.fromkeys(sorted(people), "human")
                    return
                continue
            made_by = {
                side: {spelled(cell) for cell in self.table.loc[truth == side, column]}
                for side in ("human", "machine")
            }
            filled = made_by["machine"] - {""}
            if column != named and "" in made_by["machine"]:
                continue
            apart = not (made_by["human"] & filled)
            nameless = made_by["human"] <= {"", *map(spelled, people)}
            if filled and apart and (column == named or nameless):
                self.take("agent", column)
                return
        if given:
            self.take("agent", named)

    def check_agents(self):
        """Say where no agent is named, and leave out what the words that are given leave out.

        Raises
        ------
        InputError
            A machine's response has no name in a table that names machines.
        """
        if "agent" not in self.columns:
            return
        column = self.columns["agent"]
        cells = self.of_machines(column)
        known = self.values.get("agent", {})
        for value in cells.unique():
            if spelled(value) in self.given and self.given[spelled(value)] is None:
                known[value] = None
        empty = cells.index[cells == ""]
        if len(empty) and "" in self.given:
            known[""] = self.given[""]
        elif len(empty):
            raise InputError(
                self.path,
                f"no agent: nobody knows who made the response ({len(empty)} such rows)",
                row=empty[0],
                column=column,
                value="",
                remedy="fill it in, or say what an empty cell means: --config "
                f"csv={self.path} values=\"{{'': human}}\" (null in place of human leaves such rows out)",
            )
        if known:
            self.values["agent"] = known

    def of_machines(self, column):
        """Cells of a column in rows that are by machines, or all where a truth does not say which are."""
        cells = self.table[column]
        if "truth" in self.columns:
            cells = cells[cells.index.map(self.truth_of_rows()) == "machine"]
        return cells

    def truth_of_rows(self):
        """Whether each row is by a person or a machine, by its number."""
        return self.table[self.columns["truth"]].map(self.values["truth"])

    def agents(self):
        """The machines: ids in the study file, and their names in the table.

        Case does not tell agents apart when a table is read. An id is nothing that the table calls another
        agent, nor what YAML or a table of results would take for a number or for nothing.
        """
        names = ["machine"]
        if "agent" in self.columns:
            known = {spelled(name) for name in self.values.get("agent", {})}
            cells = self.of_machines(self.columns["agent"]).drop_duplicates()
            names = {spelled(name): name for name in reversed(list(cells))}
            names = [name for key, name in reversed(names.items()) if key not in known]
        found, taken = {}, {spelled(name) for name in names}
        for name in names:
            used = {"human", "all", *found, *(taken - {spelled(name)})}
            found[unused(identifier(name, "agent"), used)] = name
        return found

    def check_numbers(self):
        """Leave out columns that should be numbers and are not, or in another unit."""

        for name in ("confidence", "rt_ms", "position", "exchanges"):
            column = self.columns.get(name)
            if column is None:
                continue
            cells = self.table.loc[self.table[column] != "", column]
            numbers = pd.to_numeric(columns.with_points(cells, self.path), errors="coerce")
            numbers = numbers.where(numbers.abs() != float("inf"))
            whole = name in ("confidence", "rt_ms") or (numbers % 1 == 0).all()
            if numbers.isna().any() or not whole:
                self.not_read[column] = "not all of it are numbers"
                del self.columns[name]
            elif name == "rt_ms" and numbers.median() < 100:
                self.columns["rt_s"] = self.columns.pop("rt_ms")
                self.remarks.append(
                    f"{column} taken for seconds: half of it is below {numbers.median():g}"
                )

    def find_groups(self):
        """Sort what is left into groups of judges, conditions, and columns that are not read."""
        by_judge = self.table.groupby(self.columns["judge"])
        for name in ASKED:
            column = self.named(name)
            if column is not None and (by_judge[column].nunique() <= 1).all():
                self.take(name, column)
                self.demographics[name] = self.groups(name, column)
        for column in self.free():
            levels = self.levels(column)
            if len(levels) < 2:
                self.not_read[column] = "one value in all rows"
            elif self.table[column].str.len().mean() > LONG:
                self.not_read[column] = "free text"
            elif len(levels) > MOST_LEVELS:
                self.not_read[column] = "too many different values for a condition"
            else:
                constant = (by_judge[column].nunique() <= 1).all()
                alone = self.table.groupby(column)[self.columns["judge"]].nunique() == 1
                if constant and alone.drop("", errors="ignore").mean() > 0.5:
                    self.not_read[column] = "most of its values are of one judge alone"
                    continue
                name = unused(identifier(column, "column"), {*self.columns, *RESERVED})
                self.columns[name] = column
                if constant:
                    self.demographics[name] = {level: level for level in sorted(levels)}
                else:
                    self.conditions.append(name)
        if (
            "exchanges" in self.columns
            and len(self.levels(self.columns["exchanges"])) <= MOST_LEVELS
        ):
            self.conditions.append("exchanges")

    def find_bands(self):
        """Lower limits of the bands of confidence, the last one above all answers; none without the column.

        A scale of a few whole numbers has a band each; shares and percentages have five.
        """

        if "confidence" not in self.columns:
            return []
        cells = columns.with_points(self.table[self.columns["confidence"]], self.path)
        known = pd.to_numeric(cells, errors="coerce").dropna()
        low, high = known.min(), known.max()
        if (known % 1 == 0).all() and high - low < MOST_LEVELS:
            return list(range(int(low), int(high) + 2))
        if low >= 0 and high <= 1:
            return [0, 0.2, 0.4, 0.6, 0.8]
        if low >= 0 and high <= 100:
            return [0, 20, 40, 60, 80, 101]
        cuts = [float(f"{known.quantile(share):.3g}") for share in (0.2, 0.4, 0.6, 0.8)]
        return sorted({float(low), *(cut for cut in cuts if cut > low)})

    def find_models(self):
        """Formulas of mixed models by name, with the random terms that the columns allow."""
        rows = len(self.table)
        judges = len(self.levels(self.columns["judge"]))
        stimuli = len(self.levels(self.columns["stimulus"])) if "stimulus" in self.columns else rows
        judge = ["(1 | judge)"] * (1 < judges <= rows / 2)
        stimulus = ["(1 | stimulus)"] * (1 < stimuli <= rows / 2)
        found = {}
        if "verdict" in self.columns:
            sensitivity = ["(1 | judge:made_by)"] * bool(judge)
            found["agents"] = " + ".join(["said_machine ~ agent", *judge, *sensitivity, *stimulus])
        found["correct"] = " + ".join(["correct ~ agent", *judge, *stimulus])
        return found

    def groups(self, name, column):
        """Groups of judges by their answers; ages that are numbers in three bands."""
        levels = self.levels(column)
        if name == "age" and all(re.fullmatch(r"\d+(\.\d+)?", level) for level in levels):
            return {"18-35": "18-35", "36-45": "36-45", "46 and over": "46+"}
        return {level: level for level in sorted(levels)}


def bare(text):
    """Letters and digits alone, in lower case: how the names of columns are compared."""
    return re.sub(r"[\W_]", "", str(text).lower())


def plain(text):
    """A value without what stands between the letters of a word: "don't know", A.I., not_sure.

    All other signs tell values apart: -1 is not 1, and "human?" is not human.
    """
    letter = r"[^\W\d_]"
    return re.sub(rf"(?<={letter})([\s_.'\u2019-]+(?={letter})|\.$)", "", spelled(text))


def slug(text):
    """A name for the study files: small letters without accents, digits and underscores."""
    letters = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_") or "x"


def unused(name, used):
    """The name, with a number where it is in use already."""
    numbered = (f"{name}_{number}" for number in range(2, len(used) + 3))
    return next(candidate for candidate in (name, *numbered) if candidate not in used)


def identifier(text, prefix):
    """A slug that nothing reads as a number, as nothing, or as yes or no."""
    name = slug(text)
    return name if name[0].isalpha() and name not in NO_NAMES else f"{prefix}_{name}"


class Short(dict):
    """A mapping that is written on one line."""


class Line(list):
    """A list that is written on one line."""


def as_yaml(values):
    """Values as YAML, in quotes where YAML would read something else."""

    class Tidy(yaml.SafeDumper):
        """Lists are indented; some things stand on one line."""

        def increase_indent(self, flow=False, indentless=False):
            return super().increase_indent(flow, False)

        def ignore_aliases(self, data):
            return True

    for kind, tag, represent in (
        (Short, "map", yaml.SafeDumper.represent_mapping),
        (Line, "seq", yaml.SafeDumper.represent_sequence),
    ):

        def on_one_line(dumper, data, tag=tag, represent=represent):
            data = data.items() if tag == "map" else data
            return represent(dumper, f"tag:yaml.org,2002:{tag}", data, flow_style=True)

        Tidy.add_representer(kind, on_one_line)
    return yaml.dump(
        values,
        Dumper=Tidy,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=10**6,
    )


def as_comment(text):
    """Text as one line of a comment."""
    return "# " + "".join(sign if sign.isprintable() else " " for sign in text)


def study_sections(guess, name):
    """The study file: comments, and the keys that each is about."""
    tasks = {"label": "Verdicts", "cohorts": {COHORT: Short(label="Judges")}}
    about_tasks = []
    if guess.choice:
        about_tasks += [
            "choice: a trial shows a person's and a machine's response, and the judge chooses."
        ]
        tasks["choice"] = True
    if guess.conditions:
        about_tasks += [
            "conditions: what varied between the trials of a judge; matrices of its own for each level."
        ]
        tasks["conditions"] = Line(guess.conditions)
    agents = {agent: Short(label=label) for agent, label in guess.agents().items()}
    yield (
        [
            f"Written from {guess.path.name} by looking at it: check each line.",
            f"  snakemake --config study={name}        every table, test and figure into results/{name}/",
        ],
        {"title": guess.path.stem},
    )
    yield (
        ["Nobody has published these data: every number is computed the sound way alone."],
        {"readings": Line(["recommended"])},
    )
    yield (
        [
            "",
            "Who made responses besides people. The label is what the table says and the figures show.",
        ],
        {"agents": agents},
    )
    yield ["", *about_tasks], {"tasks": {TASK: tasks}}
    if guess.demographics:
        groups = {
            variable: {group: Line([answer]) for group, answer in known.items()}
            for variable, known in guess.demographics.items()
        }
        yield (
            ["", "Groups of judges, by their answers; a range of numbers is 18-35 or 46+."],
            {"demographics": groups},
        )
    if guess.bands:
        yield (
            ["", "Right verdicts are shown by confidence, from one limit up to below the next."],
            {"bands": Short(confidence=Line(guess.bands))},
        )
    about = [f"  {TASK}.{model}: {MODELS[model]}" for model in guess.models]
    models = [
        {"id": f"{TASK}.{model}", "task": TASK, "cohorts": Line([COHORT]), "formula": formula}
        for model, formula in guess.models.items()
    ]
    yield (
        [
            "",
            "Regressions of single verdicts, in which judges and stimuli differ at random.",
            *about,
        ],
        {"models": models},
    )


def sources_sections(guess, name):
    """The file that says where the table is and what its columns are, as `study_sections`."""
    folder = guess.path.resolve().parent
    here = Path.cwd()
    shown = folder.relative_to(here) if folder.is_relative_to(here) else folder
    file = {
        "path": guess.path.name,
        "format": "verdict_table",
        "task": TASK,
        "cohort": COHORT,
        "columns": guess.columns,
    }
    about = [
        "columns: name here, then name in the table. The judge tells judges apart and is replaced by a "
        "pseudonym."
    ]
    if guess.values:
        about += ["values: what the values mean: human, machine or unsure; null leaves a row out."]
        file["values"] = {what: Short(known) for what, known in guess.values.items()}
    yield (
        [
            f"What the columns of {guess.path.name} are. A column that is not named here is never read."
        ],
        {"folder": str(shown)},
    )
    yield about, {"files": [file]}
    if guess.not_read:
        yield ["Not read:", *(f"  {column}: {why}" for column, why in guess.not_read.items())], {}


def as_text(sections):
    """Comments and keys as the text of a file, and what it says as plain values."""
    lines, meant = [], {}
    for comments, values in sections:
        lines += [as_comment(comment) if comment else "" for comment in comments]
        lines += [as_yaml(values).rstrip("\n")] if values else []
        meant |= values
    return "\n".join(lines) + "\n", meant


def write(path, name, root=".", named=None, words=None):
    """Write a study and its sources for a table.

    Parameters
    ----------
    path : path-like
        CSV or parquet, a row a verdict.
    name : str, optional
        Name of the study; by default that of the table.
    root : path-like
        Top of the project.
    named, words : dict, optional
        Columns and words that are known, as in `Guess`.

    Returns
    -------
    str
        What was written and guessed, for the user to read.

    Raises
    ------
    ConfigError
        The study exists already, its name has other characters than letters, digits and _, or the
        files that would be written say something else than what was found; nothing is written then.
    InputError
        The table cannot be read, its judge, truth or verdict is not recognized, or it names no agent in
        some row.
    """
    name = name or slug(Path(path).stem)
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ConfigError(f"name: {name!r} may have letters, digits and _ alone")
    study = Path(root) / f"config/studies/{name}.yaml"
    sources = Path(root) / f"data/sources/{name}.yaml"
    for file in (study, sources):
        if file.exists():
            raise ConfigError(
                f"{file} exists already and is left as it is\n"
                f"  remedy: remove it, or give another name: --config csv={path} name=another"
            )
    guess = Guess(path, named, words)
    texts = {}
    with tempfile.TemporaryDirectory() as drafts:
        for file, sections in ((study, study_sections), (sources, sources_sections)):
            texts[file], meant = as_text(sections(guess, name))
            draft = Path(drafts) / file.parent.name / file.name
            draft.parent.mkdir()
            draft.write_text(texts[file], encoding="utf-8")
            check_draft(draft, meant, file)
        try_out(
            guess, Path(drafts) / "studies" / study.name, Path(drafts) / "sources" / sources.name
        )
    try:
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError:
        for file in texts:
            file.unlink(missing_ok=True)
        raise
    return told(guess, name, study, sources)


def check_draft(draft, meant, file):
    """Read a file back and see that it says what was meant.

    Raises
    ------
    ConfigError
        It says something else, or no run would take it.
    """
    try:
        found = yaml_models.read_yaml(draft)
        if found != meant:
            wrong = [key for key in meant if found.get(key) != meant[key]]
            raise ConfigError(f"read back, it says something else under {', '.join(wrong)}")
        (load_study if draft.parent.name == "studies" else raw_files.load_sources)(draft)
    except ConfigError as error:
        raise ConfigError(
            f"{file} cannot be written for this table: {error}\n"
            "  remedy:  rename the column or value in the table, or write the two files by hand "
            "(docs/your_own_data.md); nothing was written"
        ) from None


def try_out(guess, study, sources):
    """Read the table as a run will, and note what would stop it."""
    try:
        adapters.read(
            raw_files.load_sources(sources).files, guess.path.resolve().parent, load_study(study)
        )
    except TuringError as error:
        reason = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
        guess.remarks.append(f"a run would stop at this: {reason}")


def applied(guess):
    """What each value of a truth, verdict or agent means once the table is read, and how often it occurs.

    Yields
    ------
    what, value, meaning : str
    number : int
    """
    for what in ("truth", "verdict", "right", "chosen", "agent"):
        if what not in guess.columns:
            continue
        column = guess.columns[what]
        cells = guess.of_machines(column) if what == "agent" else guess.table[column]
        known = {spelled(value): meaning for value, meaning in guess.values.get(what, {}).items()}
        own = {spelled(label): agent for agent, label in guess.agents().items()}
        implied = {
            "agent": own,
            "right": columns.YES_NO,
            "chosen": {spelled(value): "as it is" for value in guess.levels(column)},
        }.get(what, {word: word for word in columns.WORDS.get(what, ())})
        for value, number in cells.value_counts().items():
            meaning = (implied | known).get(spelled(value), "not understood")
            yield what, value or "(empty)", meaning or "left out", number


def told(guess, name, study, sources):
    """What was guessed, line by line."""
    wide = max(map(len, [*guess.columns, *guess.not_read, "conditions"])) + 1
    lines = [f"{len(guess.table)} rows of {guess.path} looked at.", "", "Columns:"]
    lines += [f"  {what:<{wide}} {column}" for what, column in guess.columns.items()]
    found = {"agents": guess.agents(), "conditions": guess.conditions, "groups": guess.demographics}
    lines += [f"  {what:<{wide}} {', '.join(names)}" for what, names in found.items() if names]
    lines += [f"  {'model':<{wide}} {formula}" for formula in guess.models.values()]
    lines += ["", "Values, what they mean, and how often they occur:"]
    lines += [
        f"  {what:<{wide}} {value} = {meaning} ({number})"
        for what, value, meaning, number in applied(guess)
    ]
    lines += [f"  note: {remark}" for remark in guess.remarks]
    if guess.not_read:
        lines += ["", "Not read:"]
        lines += [f"  {column:<{wide}} {why}" for column, why in guess.not_read.items()]
    lines += [
        "",
        f"Written: {study}, {sources}. Check them, then:",
        f"  snakemake --config study={name}",
    ]
    return "\n".join(lines)
