"""Every number among the README's results, recomputed with pandas and nothing of the library."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from project import GOLDEN, ROOT
from scipy import stats

DATA, ACCEPTED = ROOT / "data/observed/zhang2025", GOLDEN / "observed"
README = ROOT / "README.md"
COHORTS = {
    "Image captioning, AI experts": ("caption", "expert"),
    "Word association, Online judges": ("word", "amt"),
    "Conversation, Online judges": ("conversation", "amt"),
    "Conversation, Online Turing test": ("conversation", "online"),
    "Conversation, Prolific judges, models of 2025": ("conversation", "prolific2025"),
    "Color estimation, Online judges": ("color", "amt"),
    "Object detection, Online judges": ("object", "amt"),
    "Attention prediction, Online judges": ("attention", "amt"),
    "Attention prediction, Online judges, ablated agents": ("attention", "ablated"),
}
NOTE = re.compile(
    r"(\w+) judged human less often .*? by (\d+) points among (.*?), (\d+) among (.*?) \("
)
WHO = {"online judges": "amt", "AI experts": "expert"}


def split_block(text):
    """Rows of the table by task and judges, the paragraph below it, and the list."""
    block = text.split("<!-- results: written by make docs -->")[1].split("<!-- end")[0]
    rows = [re.split(r" *\| *", line)[1:-1] for line in block.splitlines() if line[:1] == "|"]
    parts = re.split(r"\n\n|\n- ", block[block.rindex("|\n") :])
    _, below, *points = (" ".join(part.split()) for part in parts)
    return {f"{row[0]}, {row[1].partition(':')[0]}": row for row in rows[2:]}, below, points


TABLE, BELOW, POINTS = split_block(README.read_text())
pytestmark = pytest.mark.skipif(
    "what follows" not in README.read_text(), reason="make docs has yet to renew the README"
)


def read(name):
    return pd.read_csv(DATA / f"{name}.csv", dtype=str, keep_default_na=False)


def read_verdicts(task, cohort):
    rows = read(f"{task}_trials").query("cohort == @cohort and phase == 'test'")
    if task == "conversation":
        rows = rows.merge(read("conversation_stimuli"), on="stimulus")
        sides = [{"agent": rows[f"agent_{s}"], "verdict": rows[f"verdict_{s}"]} for s in "ab"]
        rows = pd.concat([rows.assign(**side) for side in sides])
    # In Attention prediction the stored answer says nothing about the judge.
    if "control_ok" in rows and task != "attention":
        rows = rows[rows["control_ok"] != "no"]
    judges = read(f"{task}_judges").query("cohort == @cohort").set_index("judge")
    people = {name: person for name, person in judges.get("person", {}).items() if person}
    human = rows["agent"] == "human"
    return rows.assign(
        trial=rows["judge"] + " " + rows["trial"],
        judge=[people.get(judge, judge) for judge in rows["judge"]],
        human=human,
        right=human == (rows["verdict"] == "human"),
    )[rows["agent"] != ""]


# Errors over judges and stimuli, V = V_judges + V_stimuli - V_common. Of T verdicts on a side (people's or
# machines' responses) a unit gave the share h. With w = h (1 + r (h T - 1)), its sum is multiplied by
# a = (w / (w (1 - 2 h) + h^2 sum w))^(1/2); r, the correlation of a unit's verdicts, is what V shows, found
# in three rounds. Degrees of freedom (Satterthwaite) are those of the covariance C of the sums, the geometric
# mean of those with r and with 0. V_common is that of verdicts, less r_judges + r_stimuli of what is crossed.
def correct(h, total, r):
    w = h * (1 + r * (h * total - 1)).clip(0)
    squared = w * (1 - 2 * h) + h**2 * w.sum(0)
    return w / w.sum(0), np.sqrt(np.divide(w, squared, out=np.zeros_like(w), where=squared > 0))


def count_freedom(h, total, r, variances):
    w, a = correct(h, total, r)
    parts = zip(a.T, h.T, (w * variances).T, variances, strict=True)
    c = sum(
        np.outer(a, a) * (np.diag(w) - np.outer(h, w) - np.outer(w, h) + np.outer(h, h) * v)
        for a, h, w, v in parts
    )
    return variances.sum() ** 2 / (c**2).sum()


def estimate(rows):
    """Detectability, its error over judges and stimuli with degrees of freedom, both shares, judges."""
    side = rows.groupby("human")["right"]
    moved = (rows["right"] - side.transform("mean")) / side.transform("size") / 2
    sides = pd.get_dummies(rows["human"], dtype=float)
    moved, total = sides.mul(moved, axis=0), sides.sum().to_numpy()
    pairs = moved.groupby([rows["judge"], rows["stimulus"]]).sum().to_numpy()
    alone, verdicts = (pairs**2).sum(0), (pairs.sum(1) ** 2).sum()
    sums = [moved.groupby(rows[unit]).sum().to_numpy() for unit in ("judge", "stimulus")]
    shares = [
        (sides.groupby(rows[unit]).sum() / total).to_numpy() for unit in ("judge", "stimulus")
    ]
    others = [total * (h**2).sum(0) - 1 for h in shares]
    related = [0.0, 0.0]
    for _ in range(3):
        corrected = [
            u * correct(h, total, r)[1] for u, h, r in zip(sums, shares, related, strict=True)
        ]
        v = np.array([(u.sum(1) ** 2).sum() for u in corrected])
        reach = [(alone * more).sum() for more in others]
        related = np.clip((v - verdicts) / reach, 0, 1)
    df = [
        np.prod([count_freedom(h, total, one, (u**2).sum(0)) for one in (0, r)]) ** 0.5
        for h, r, u in zip(shares, related, corrected, strict=True)
    ]
    crossed = total * np.prod([(h**2).sum(0) for h in shares], axis=0)
    common = ((pairs * np.sqrt((1 - sum(related) * crossed).clip(0, 1))).sum(1) ** 2).sum()
    floor = verdicts / (1 + sum(2 / one for one in df) ** 0.5)
    variance = max(v.sum() - common, floor)
    df = variance**2 / (v**2 / df).sum()
    machines, people = side.mean()
    return (people + machines) / 2, variance**0.5, df, people, 1 - machines, len(sums[0])


def conclude(rows):
    """Gaps with p corrected by Holm over all rows, and the margins from which machines are equivalent."""
    columns = ["value", "se", "df", "people", "machines", "judges"]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns)
    gap, se = 1 - 2 * table["value"], 2 * table["se"]
    p = 2 * stats.t.sf((gap / se).abs(), table["df"])
    order = np.argsort(p)
    table.loc[table.index[order], "p"] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    left, margin = list(table.index), 0
    while left:
        quantile = stats.t.isf(0.05 / len(left), table.loc[left, "df"])
        ends = gap[left].abs() + quantile * se[left]
        margin = max(margin, ends.min())
        table.loc[ends.idxmin(), "margin"] = 100 * margin
        left.remove(ends.idxmin())
    half = stats.t.ppf(0.975, table["df"]) * se
    return table.assign(gap=100 * gap, low=100 * (gap - half), high=100 * (gap + half))


@pytest.fixture(scope="module")
def gaps():
    return conclude({name: estimate(read_verdicts(*COHORTS[name])) for name in TABLE})


@pytest.fixture(scope="module")
def machines():
    """All machines of all rows, except the only one of a row."""
    estimates = {}
    for name in TABLE:
        rows = read_verdicts(*COHORTS[name])
        agents = sorted({*rows["agent"]} - {"human"})
        if len(agents) > 1:
            of = {agent: rows[rows["agent"].isin(["human", agent])] for agent in agents}
            estimates |= {f"{name}/{agent}": estimate(own) for agent, own in of.items()}
    return conclude(estimates)


@pytest.mark.parametrize("name", TABLE)
def test_rows_of_the_table(name, gaps):
    _, counted, gap, conclusion = TABLE[name]
    row, rows = gaps.loc[name], read_verdicts(*COHORTS[name])
    trials = f"{rows['trial'].nunique():,}"
    assert counted.endswith(f": {row['judges']:.0f} judges, {trials} trials")
    assert list_numbers(gap) == [round(row[column]) for column in ("gap", "low", "high")]
    different, equivalent = row["p"] < 0.05, row["margin"] < 10
    words = {
        (True, False): "told apart",
        (False, True): "equivalent within 10 points",
        (True, True): "told apart, but within 10 points",
        (False, False): "too few data to tell",
    }
    first, *notes = conclusion.split("; ")
    assert first == words[different, equivalent]
    # The main cohort of captions has no public trials.
    assert ("the paper's online judges: not public" in notes) == name.startswith("Image")
    for note in notes:
        if found := NOTE.match(note):
            agent = found[1].lower().replace("iii", "3")
            for points, who in ((found[2], found[3]), (found[4], found[5])):
                own = read_verdicts(COHORTS[name][0], WHO[who])
                value, *_ = estimate(own[own["agent"].isin(["human", agent])])
                assert int(points) == round(abs(100 * (1 - 2 * value)))
            # The test of cohorts has four sides, and its family all tasks: the accepted p stands for it.
            tests = pd.read_csv(ACCEPTED / "statistics/tests.csv").query("reading == 'recommended'")
            of = tests["test_id"].str.match(rf"{COHORTS[name][0]}\..*who_judges\.{agent}$")
            p = tests.loc[of, "p_adjusted"].item()
            assert note.endswith("(p < 0.001)" if p < 0.001 else f"(p = {p:.3f})")


@pytest.mark.parametrize("name", TABLE)
def test_machines_that_a_row_names(name, gaps, machines):
    named = dict.fromkeys(("less", "more", "within"), 0)
    for note in TABLE[name][-1].split("; ")[1:]:
        if found := re.match(
            r"(.*?) (?:judged human (less|more) often than people|(within) 10 .*)$", note
        ):
            named[found[2] or found[3]] = len(re.split(", | and ", found[1]))
    own = machines[machines.index.str.startswith(f"{name}/")]
    different, told = own["p"] < 0.05, gaps.loc[name, "p"] < 0.05
    alike = ~different & (own["margin"] < 10) & told
    side = np.sign(own["gap"]) * different
    if told:
        side[side == np.sign(gaps.loc[name, "gap"])] = 0
    assert list(named.values()) == [(side < 0).sum(), (side > 0).sum(), alike.sum()]


def list_numbers(text):
    return [float(n.replace("−", "-")) for n in re.findall(r"(?<![\w.])−?\d+(?:\.\d+)?", text)]


def test_margins_below_the_table(gaps):
    n, at = len(TABLE), {m: (gaps["margin"] < m).sum() for m in (5, 10, 15)}
    assert list_numbers(BELOW) == [95, 5, at[5], n, 10, at[10], 15, at[15]]


def test_claims_that_hold():
    whole = pd.read_csv(ROOT / "data/published/zhang2025/claims.csv", dtype=str)
    claims = pd.read_csv(ACCEPTED / "claims/claims.csv", dtype=str, keep_default_na=False)
    claims = claims.merge(whole, on="claim_id")
    status, texts = claims["status"].value_counts(), claims["table"] == "texts"
    hold = claims["status"].isin(["reproduced", "close"])
    off = Counter()
    for row in claims[claims["status"] == "differs"].to_dict("records"):
        printed, found = float(row["value"]), float(row["recomputed"])
        unit = 10.0 ** -len(row["value"].partition(".")[2])
        near = abs(printed - found) < 1.001 * unit and (
            unit < 1 or 10 * abs(printed - found) <= printed
        )
        if row["table"] == "settings":
            off["settings"] += 1
        elif row["quantity"] == "p" and (printed <= 0.05) != (found < 0.05):
            off["significant"] += 1
        else:
            off["digit" if near and row["relation"] in "=~" else "other"] += 1
    differ, status_of = status["differs"], claims["status"]
    about = claims[hold | (status_of == "differs")].index
    numbers = [hold.sum() + differ, hold.sum()]
    for subject in (~texts, texts):
        numbers += [(hold & subject).sum(), subject[about].sum()]
    numbers += [differ, *filter(None, map(off.get, ("digit", "significant", "other", "settings")))]
    numbers += [status["impossible"], status["adds up"]]
    *found, without_data = list_numbers(POINTS[0])
    # Accepted results hold no claim without a number.
    assert found == numbers and without_data <= len(whole) - len(claims)


def test_zero_shot_judge_of_captions():
    rows = read_verdicts("caption", "zeroshot")
    found, published = [], rows["published_agent"].where(lambda name: name != "", rows["agent"])
    for human, digits in ((rows["human"], 2), (published == "human", 3)):
        right = (rows["verdict"] == "human") == human
        found.append(round(right.groupby(human).mean().mean(), digits))
    assert list_numbers(POINTS[2]) == found


def test_published_tests():
    tests = pd.read_csv(ACCEPTED / "statistics/what_changes.csv")
    tests = tests.dropna(subset=["published_p", "crossed_p"]).sort_values(
        "published_p", kind="stable"
    )
    keys = tests[["task", "agent", "quantity", "groups"]].assign(p=tests["crossed_p"].round(12))
    one = tests[~keys.duplicated()].sort_values("crossed_p")
    before, after = one["published_p"] < 0.05, one["crossed_p"] < 0.05
    changes = [before & after, before & ~after, ~before & after, ~before & ~after]
    numbers = [len(tests), len(one), *(change.sum() for change in changes), 0.05]
    # Holm's and Benjamini and Hochberg's p, from the smallest on.
    p, m = one["crossed_p"].to_numpy(), len(one)
    holm = np.maximum.accumulate(p * (m - np.arange(m))) < 0.05
    false = np.minimum.accumulate((p * m / (1 + np.arange(m)))[::-1])[::-1] < 0.05
    kept = [(corrected & changes[k]).sum() for corrected in (holm, false) for k in (0, 2)]
    assert list_numbers(POINTS[1]) == [*numbers, m, *kept[:2], 5, *kept[2:]]
