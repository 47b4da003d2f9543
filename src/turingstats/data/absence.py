"""Why a number is missing: the raw file was never public, is not bundled, or is not in this source.

Every raw file that is not read is one row of missing.csv with one of three reasons. Panels, tables and
claims take their wording from here, so that the three are distinguished everywhere.
"""

NOT_PUBLIC = "not public"
NOT_BUNDLED = "public, not bundled"
"""In the public repository, but not among the observed trials that come with this project."""
NOT_HERE = "not in this source"
"""Listed as public, but not in the folder or repository that this run reads."""

FIX = "data.source: public fetches it"
"""How to get a file that is public but not bundled."""

ABSENT = {
    NOT_HERE: "listed as public, but the folder or repository that this run reads lacks it",
    NOT_BUNDLED: f"in the public repository, but not among the trials that come with this project; {FIX}",
    NOT_PUBLIC: "never made public; only the authors could supply it",
}
"""What each reason means, starting with the one that is easiest for a user to resolve."""

IN_WORDS = {
    NOT_HERE: "no data in this source",
    NOT_BUNDLED: "public, not bundled",
    NOT_PUBLIC: "no public data",
}
"""What an empty panel or cell says, starting with the reason that is easiest for a user to resolve. Since
boxes and cells are small, how to get the data is given where files are named (`describe_absent_files`)."""


def explain_absence(missing, all_needed=False):
    """Say in a few words why there are no data.

    Parameters
    ----------
    missing : pandas.DataFrame
        The rows of missing.csv for the files that would be needed.
    all_needed : bool
        Whether all of these files are needed, as for a sum over cohorts. If so, a file that cannot be
        fetched takes precedence; otherwise a file that can be fetched does.

    Returns
    -------
    str
        One of the values of `IN_WORDS`; "no data" where no file is known to be absent.
    """
    reasons = set(missing["why"])
    order = reversed(IN_WORDS) if all_needed else IN_WORDS
    return next((IN_WORDS[why] for why in order if why in reasons), "no data")


def describe_absent_files(paths, why):
    """List absent files in one text with how to get them, for captions and the inventory.

    Parameters
    ----------
    paths : iterable of str
        Duplicates are named once.
    why : str
        What the panel says, such as one of the values of `IN_WORDS`.
    """
    fix = f" ({FIX})" if why == IN_WORDS[NOT_BUNDLED] else ""
    return "; ".join(dict.fromkeys(paths)) + fix


def describe_absent_file(row):
    """Describe an absent file with the reason, for claims.

    Parameters
    ----------
    row : mapping
        Row of missing.csv: path, why.
    """
    fix = f"; {FIX}" if row["why"] == NOT_BUNDLED else ""
    return f"{row['path']} ({row['why']}{fix})"
