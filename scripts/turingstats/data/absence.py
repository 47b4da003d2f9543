"""Why a number is absent: the raw file was never public, is not bundled, or is not in this source.

Every raw file that is not read is one row of missing.csv with one of three reasons. Panels, tables and
claims take their words from here, so that the three are told apart everywhere.
"""

NOT_PUBLIC = "not public"
NOT_BUNDLED = "public, not bundled"
"""In the public repository, but not among the observed trials that come with this project."""
NOT_HERE = "not in this source"
"""Listed as public, and not in the folder or repository that this run reads."""

FIX = "data.source: public fetches it"
"""What brings a file that is public and not bundled."""

ABSENT = {
    NOT_HERE: "listed as public, but the folder or repository that this run reads lacks it",
    NOT_BUNDLED: f"in the public repository, but not among the trials that come with this project; {FIX}",
    NOT_PUBLIC: "never made public; only the authors could supply it",
}
"""What each reason means, the one that a user can do most about first."""

IN_WORDS = {
    NOT_HERE: "no data in this source",
    NOT_BUNDLED: "public, not bundled",
    NOT_PUBLIC: "no public data",
}
"""What an empty panel or cell says, the reason that a user can do most about first; what brings the data
stands where files are named (`describe_absent_files`), since boxes and cells are small."""


def explain_absence(missing, all_needed=False):
    """Say in a few words why there is nothing.

    Parameters
    ----------
    missing : pandas.DataFrame
        The rows of missing.csv that tell what would be needed.
    all_needed : bool
        Whether it takes all of these files, as a sum over cohorts does. Then one that nobody can fetch
        decides; else one that can be fetched would bring something.

    Returns
    -------
    str
        One of the values of `IN_WORDS`; "no data" where no file is known to be absent.
    """
    found = set(missing["why"])
    order = reversed(IN_WORDS) if all_needed else IN_WORDS
    return next((IN_WORDS[why] for why in order if why in found), "no data")


def describe_absent_files(paths, why):
    """Name absent files in one text, with what brings them, as captions and the inventory do.

    Parameters
    ----------
    paths : iterable of str
        Each is named once.
    why : str
        What the panel says, such as one of the values of `IN_WORDS`.
    """
    fix = f" ({FIX})" if why == IN_WORDS[NOT_BUNDLED] else ""
    return "; ".join(dict.fromkeys(paths)) + fix


def describe_absent_file(row):
    """Name an absent file with the reason, as claims do.

    Parameters
    ----------
    row : mapping
        Of missing.csv: path, why.
    """
    fix = f"; {FIX}" if row["why"] == NOT_BUNDLED else ""
    return f"{row['path']} ({row['why']}{fix})"
