"""Numbers that two papers on the same data both print, next to the recomputed ones.

Two printed numbers are treated as the same if their claims refer to the same rows of the results (table,
rows, column, combination), or if data/published/<first>/versions.csv says that they are the same statement:
about other trials, since the later paper pools other cohorts, or about a setting for which nothing is
computed.
"""

from decimal import Decimal

import pandas as pd

from turingstats.core.errors import InputError

QUERY = ["table", "rows", "column", "combine"]
COLUMNS = [
    "task", "quantity", "cohort", "group", "first_claim", "first_place", "first", "second_claims",
    "second_places", "second", "same", "matched_by", "recomputed", "recommended", "status", "data",
]  # fmt: skip


def compare_versions(
    first: pd.DataFrame, second: pd.DataFrame, ledger: pd.DataFrame, statements: pd.DataFrame
) -> pd.DataFrame:
    """Join the claims of two papers: one row per number of the first paper that the second also prints.

    `statements` name equal claims (first_claim, and second_claims separated by "; "); one that the papers
    do not have is an error. A number that the second paper prints in several places lists them all;
    `same` is yes if every printed value is the same at the coarser precision, some if only some are, else
    no. `matched_by` is "results" (the same rows) or "statement".
    """
    declared = pair_statements(statements, first, second)
    asked = {}
    for claim in second[second["relation"] == "="].to_dict("records"):
        asked.setdefault(find_query(claim), []).append(claim)
    by_id = {claim["claim_id"]: claim for claim in second.to_dict("records")}
    by_claim = ledger.set_index("claim_id")
    rows = []
    for claim in first.to_dict("records"):
        how, query, others = "results", find_query(claim), []
        if query is not None and claim["relation"] == "=":
            others = asked.get(query, [])
        if not others:
            how = "statement"
            others = [by_id[name] for name in declared.get(claim["claim_id"], ())]
        if not others or claim["claim_id"] not in by_claim.index:
            continue
        equal = [agree_when_rounded(claim, other) for other in others]
        recomputed = by_claim.loc[claim["claim_id"]]
        rows.append(
            {
                **{name: claim[name] for name in ("task", "quantity", "cohort", "group")},
                "first_claim": claim["claim_id"],
                "first_place": claim["location"],
                "first": round_as_printed(claim),
                "second_claims": "; ".join(other["claim_id"] for other in others),
                "second_places": "; ".join(str(other["location"]) for other in others),
                "second": "; ".join(
                    dict.fromkeys(str(round_as_printed(other)) for other in others)
                ),
                "same": "yes" if all(equal) else "some" if any(equal) else "no",
                "matched_by": how,
                **{
                    name: recomputed[name]
                    for name in ("recomputed", "recommended", "status", "data")
                },
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def pair_statements(
    statements: pd.DataFrame, first: pd.DataFrame, second: pd.DataFrame
) -> dict[str, list[str]]:
    """List claims of the second paper by claim of the first, as versions.csv declares them."""
    pairs = {}
    for number, row in enumerate(statements.to_dict("records"), start=2):
        pairs[row["first_claim"]] = row["second_claims"].split("; ")
        for column, names, claims in (
            ("first_claim", [row["first_claim"]], first),
            ("second_claims", pairs[row["first_claim"]], second),
        ):
            for name in set(names) - set(claims["claim_id"]):
                raise InputError(
                    "versions.csv",
                    "the paper has no such claim",
                    row=f"line {number}",
                    column=column,
                    value=name,
                    fix="write a claim_id of claims.csv",
                )
    return pairs


def find_query(claim: dict[str, str]) -> tuple[str, ...] | None:
    """Find the rows of the results that a claim refers to, or None if nothing is computed."""
    query = tuple(claim[name] for name in QUERY)
    return query if all(map(pd.notna, query)) else None


def round_as_printed(claim: dict[str, str]) -> Decimal:
    """Return the number of a claim as printed."""
    return Decimal(str(claim["value"])).quantize(Decimal(1).scaleb(-int(claim["decimals"])))


def agree_when_rounded(one: dict[str, str], other: dict[str, str]) -> bool:
    """Tell whether two printed numbers are the same at the coarser precision."""
    half = Decimal("0.5").scaleb(-min(int(one["decimals"]), int(other["decimals"])))
    if one["decimals"] == other["decimals"]:
        return round_as_printed(one) == round_as_printed(other)
    return abs(round_as_printed(one) - round_as_printed(other)) <= half
