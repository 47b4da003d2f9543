"""Write a starting study for a table of verdicts, by looking at its columns.

Every guess is written down where it can be corrected: which column is what, what its values mean, and
which columns are not read and why. Nothing that looks like a name, an address or a browser is read; the
judge's id is read to tell judges apart and is replaced by a pseudonym.
"""

import re
import unicodedata
from pathlib import Path

from turingstats.adapters import columns
from turingstats.errors import ConfigError, InputError

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
        What further words mean as a truth or verdict: {Mensch: human, KI: machine}.
    """

    def __init__(self, path, named=None, words=None):
        self.path = Path(path)
        self.words = WORDS | {plain(word): meaning for word, meaning in (words or {}).items()}
        self.table = columns.read(self.path)
        if self.table.empty:
            raise InputError(path, "the table has no rows")
        self.header = list(self.table)
        self.columns, self.values = {}, {}
        self.not_read, self.remarks = {}, []
        self.choice = False
        self.take_given(named or {})
        self.take("judge", self.named("judge"))
        if "judge" not in self.columns:
            raise self.unknown(
                "judge", "who gave each verdict; verdicts of one person belong together"
            )
        self.leave_out_private()
        self.find_verdicts()
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
        return InputError(
            self.path,
            f"no column is known for {what}: {meaning}",
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
        free = {plain(re.sub(r"[(\[].*?[)\]]", "", name)): name for name in reversed(self.free())}
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
            if PRIVATE_NAMES.search(spelled) and plain(column) not in NAMES["agent"].split():
                self.not_read[column] = "its name is that of something personal"
                continue
            for what, pattern in PRIVATE_VALUES.items():
                if len(values) and values.str.fullmatch(pattern).mean() > 0.5:
                    self.not_read[column] = f"looks like {what}"
                    break

    def meanings(self, column):
        """What the values of a column mean as a truth or verdict; None where they are no such words."""
        words = {value: plain(value) for value in self.levels(column)}
        found = {value: self.words.get(word) for value, word in words.items()}
        for pattern, yes, no in (
            (OF_MACHINES, "machine", "human"),
            (OF_PEOPLE, "human", "machine"),
        ):
            if pattern.fullmatch(plain(column)) and set(words.values()) <= {*YES, *NO}:
                found = {value: yes if word in YES else no for value, word in words.items()}
        known = {value: meaning for value, meaning in found.items() if meaning}
        if len(known) < len(found):
            # Slips of the pen are left to the user where the rest is clear.
            sides = set(known.values()) >= {"human", "machine"}
            cells = self.table.loc[self.table[column] != "", column]
            if not sides or cells.isin(list(known)).mean() < MOSTLY:
                return None
        return known if set(known.values()) - {"unsure"} else None

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
        rest = [column for column in words if column not in (verdict, truth)]
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
        unsure = {
            value: "unsure" for value in sorted(other) if self.words.get(plain(value)) == "unsure"
        }
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
        unsure = {v: "unsure" for v in self.levels(column) if self.words.get(plain(v)) == "unsure"}
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
            people = self.table[agent].map(lambda name: self.words.get(plain(name)) == "human")
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
            people = {v for v in self.levels(column) if self.words.get(plain(v)) == "human"}
            if truth is None:
                if column == named and people:
                    self.take("agent", column)
                    self.values["agent"] = dict.fromkeys(sorted(people), "human")
                    return
                continue
            made_by = {
                side: set(self.table.loc[truth == side, column]) for side in ("human", "machine")
            }
            filled = "" not in made_by["machine"] and len(made_by["machine"]) > 0
            apart = not (made_by["human"] & made_by["machine"])
            if filled and apart and (column == named or made_by["human"] <= {"", *people}):
                self.take("agent", column)
                return
        if given:
            self.take("agent", named)

    def agents(self):
        """Names of the machines."""
        if "agent" not in self.columns:
            return ["machine"]
        column = self.table[self.columns["agent"]]
        if "truth" in self.columns:
            truth = self.table[self.columns["truth"]].map(self.values["truth"])
            column = column[truth == "machine"]
        known = self.values.get("agent", {})
        return [name for name in column.drop_duplicates() if name not in known]

    def check_numbers(self):
        """Leave out columns that should be numbers and are not, or in another unit."""
        import pandas as pd

        for name in ("confidence", "rt_ms", "position", "exchanges"):
            column = self.columns.get(name)
            if column is None:
                continue
            cells = self.table.loc[self.table[column] != "", column]
            numbers = pd.to_numeric(columns.with_points(cells, self.path), errors="coerce")
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
                name = unused(slug(column), {*self.columns, *RESERVED})
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
        import pandas as pd

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


def plain(text):
    """Letters and digits alone, in lower case."""
    return re.sub(r"[\W_]", "", str(text).lower())


def slug(text):
    """A name for the study files: small letters without accents, digits and underscores."""
    letters = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_") or "x"


def unused(name, used):
    """The name, with a number where it is in use already."""
    numbered = (f"{name}_{number}" for number in range(2, len(used) + 3))
    return next(candidate for candidate in (name, *numbered) if candidate not in used)


def quoted(text):
    """A value as YAML, in quotes where YAML would read something else."""
    import yaml

    return (
        yaml.safe_dump(str(text), default_flow_style=True, width=1000).removesuffix("...\n").strip()
    )


def study_text(guess, name):
    """The study file."""
    lines = [
        f"# Written from {guess.path.name} by looking at it: check each line.",
        f"#   snakemake --config study={name}        every table, test and figure into results/{name}/",
        f"title: {quoted(guess.path.stem)}",
        "# Nobody has published these data: every number is computed the sound way alone.",
        "readings: [recommended]",
        "",
        "# Who made responses besides people. The label is what the table says and the figures show.",
        "agents:",
    ]
    used = {"human", "all"}
    for agent in guess.agents():
        name = unused(slug(agent), used)
        used.add(name)
        lines += [f"  {name}: {{label: {quoted(agent)}}}"]
    lines += [
        "",
        "tasks:",
        f"  {TASK}:",
        "    label: Verdicts",
        "    cohorts:",
        f"      {COHORT}: {{label: Judges}}",
    ]
    if guess.choice:
        lines += [
            "    # A trial shows a person's and a machine's response, and the judge chooses.",
            "    choice: true",
        ]
    if guess.conditions:
        lines += [
            "    # What varied between the trials of a judge: matrices of its own for each level.",
            f"    conditions: [{', '.join(guess.conditions)}]",
        ]
    if guess.demographics:
        lines += ["", "# Groups of judges, by their answers; a range of numbers is 18-35 or 46+."]
        lines += ["demographics:"]
        for variable, known in guess.demographics.items():
            lines += [f"  {variable}:"]
            lines += [f"    {quoted(group)}: [{quoted(answer)}]" for group, answer in known.items()]
    if guess.bands:
        limits = ", ".join(f"{limit:g}" for limit in guess.bands)
        lines += [
            "",
            "# Right verdicts are shown by confidence, from one limit up to below the next.",
            f"bands: {{confidence: [{limits}]}}",
        ]
    lines += [
        "",
        "# Regressions of single verdicts, in which judges and stimuli differ at random.",
        "models:",
    ]
    for model, formula in guess.models.items():
        lines += [
            f"  # {MODELS[model]}",
            f"  - id: {TASK}.{model}",
            f"    task: {TASK}",
            f"    cohorts: [{COHORT}]",
            f"    formula: {formula}",
        ]
    return "\n".join(lines) + "\n"


def sources_text(guess, name):
    """The file that says where the table is and what its columns are."""
    folder = guess.path.resolve().parent
    here = Path.cwd()
    shown = folder.relative_to(here) if folder.is_relative_to(here) else folder
    lines = [
        f"# What the columns of {guess.path.name} are. A column that is not named here is never read.",
        f"folder: {quoted(shown)}",
        "files:",
        f"  - path: {quoted(guess.path.name)}",
        "    format: verdict_table",
        f"    task: {TASK}",
        f"    cohort: {COHORT}",
        "    columns:",
    ]
    remark = {"judge": "  # tells judges apart; replaced by a pseudonym"}
    lines += [
        f"      {what}: {quoted(column)}{remark.get(what, '')}"
        for what, column in guess.columns.items()
    ]
    if guess.values:
        lines += [
            "    # What the values mean: human, machine or unsure; null leaves a row out.",
            "    values:",
        ]
        for what, known in guess.values.items():
            pairs = ", ".join(f"{quoted(value)}: {meaning}" for value, meaning in known.items())
            lines += [f"      {what}: {{{pairs}}}"]
    if guess.not_read:
        lines += ["# Not read:"]
        lines += [f"#   {column}: {why}" for column, why in guess.not_read.items()]
    return "\n".join(lines) + "\n"


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
        The study exists already, or its name has other characters than letters, digits and _.
    InputError
        The table cannot be read, or its judge, truth or verdict is not recognized.
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
    for file, text in ((study, study_text), (sources, sources_text)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text(guess, name))
    return told(guess, name, study, sources)


def told(guess, name, study, sources):
    """What was guessed, line by line."""
    wide = max(map(len, [*guess.columns, *guess.not_read, "conditions"])) + 1
    lines = [f"{len(guess.table)} rows of {guess.path} looked at.", "", "Columns:"]
    for what, column in guess.columns.items():
        known = guess.values.get(what, {})
        meant = ", ".join(f"{value} = {meaning}" for value, meaning in known.items())
        lines.append(f"  {what:<{wide}} {column}" + (f"  ({meant})" if meant else ""))
    found = {"agents": guess.agents(), "conditions": guess.conditions, "groups": guess.demographics}
    lines += [f"  {what:<{wide}} {', '.join(names)}" for what, names in found.items() if names]
    lines += [f"  {'model':<{wide}} {formula}" for formula in guess.models.values()]
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
