"""Numbers that two papers on the same data both print, side by side with the recomputed one.

Two printed numbers are the same one where their claims ask for the same result (table, rows, column,
combination), or, where nothing is computed, where task, judge, cohort, group and quantity agree and
neither paper has another claim of which that could be said.
"""

from decimal import Decimal

QUERY = ["table", "ids", "column", "combine"]
MEANING = ["task", "judge", "cohort", "group", "quantity", "test"]
COLUMNS = (
    "task quantity cohort group first_claim first_place first second_claims second_places second "
    "same recomputed recommended status data"
).split()


def beside(first, second, ledger):
    """Join the claims of two papers.

    Parameters
    ----------
    first, second : pandas.DataFrame
        claims.csv of either paper.
    ledger : pandas.DataFrame
        From `turingstats.claims.check`: the recomputed numbers of the first paper's claims.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`; a row for each number of the first paper that the second prints too. A number
        that the second paper prints in several places has them all; `same` is yes where every printed
        value is the same at the coarser precision, some where only some are, else no.
    """
    import pandas as pd

    first, second = (table[table["relation"] == "="] for table in (first, second))
    elsewhere, asked = {}, {}
    for table, claims in ((first, asked), (second, elsewhere)):
        for claim in table.to_dict("records"):
            claims.setdefault(key_of(claim), []).append(claim)
    found = ledger.set_index("claim_id")
    rows = []
    for claim in first.to_dict("records"):
        key = key_of(claim)
        others = elsewhere.get(key, [])
        vague = key[0] == "meaning" and (len(others) > 1 or len(asked[key]) > 1)
        if not others or vague or claim["claim_id"] not in found.index:
            continue
        equal = [agree(claim, other) for other in others]
        recomputed = found.loc[claim["claim_id"]]
        rows.append(
            {
                **{name: claim[name] for name in ("task", "quantity", "cohort", "group")},
                "first_claim": claim["claim_id"],
                "first_place": claim["location"],
                "first": printed(claim),
                "second_claims": "; ".join(other["claim_id"] for other in others),
                "second_places": "; ".join(str(other["location"]) for other in others),
                "second": "; ".join(dict.fromkeys(str(printed(other)) for other in others)),
                "same": "yes" if all(equal) else "some" if any(equal) else "no",
                **{
                    name: recomputed[name]
                    for name in ("recomputed", "recommended", "status", "data")
                },
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def key_of(claim):
    """What identifies the number of a claim: its query, or its meaning where it has none."""
    query = tuple(claim[name] for name in QUERY)
    if all(map(known, query)):
        return "query", *query
    meaning = (str(claim[name]).lower() if known(claim[name]) else "" for name in MEANING)
    return "meaning", *meaning


def known(value):
    """Whether a cell is filled."""
    return value is not None and value == value


def printed(claim):
    """The number as printed."""
    return Decimal(str(claim["value"])).quantize(Decimal(1).scaleb(-int(claim["decimals"])))


def agree(one, other):
    """Whether two printed numbers are the same at the coarser precision."""
    half = Decimal("0.5").scaleb(-min(int(one["decimals"]), int(other["decimals"])))
    if one["decimals"] == other["decimals"]:
        return printed(one) == printed(other)
    return abs(printed(one) - printed(other)) <= half
