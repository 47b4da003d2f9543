"""Who judged: ids of workers turned into numbers of people, the same in all files of a study.

Ids can be compared within one register, such as those of one platform. People of different registers can
neither be told apart nor be found again.
"""

from turingstats.data import schema

NUMBERED = r"[A-Za-z0-9_-]+\.p\d{3,}"
"""A person who has a number already (regular expression)."""


class Persons:
    """Numbers of the people of a study, by register, in order of first appearance."""

    def __init__(self):
        self.numbers = {}

    def assign_person_numbers(self, judges, register):
        """Put the numbers of people in the place of the ids of workers.

        Parameters
        ----------
        judges : pandas.DataFrame
            The judges of one file, with the column `schema.WORKER` where ids are known.
        register : str
            Whose ids they are.

        Returns
        -------
        pandas.DataFrame
            `judges` with the column person, and without ids. Numbers that the file gives stay as they are.
        """
        if schema.WORKER not in judges:
            return judges
        person = [
            given if isinstance(given, str) else self.assign_number(worker, register)
            for given, worker in zip(judges["person"], judges[schema.WORKER], strict=True)
        ]
        return judges.drop(columns=schema.WORKER).assign(person=person)

    def assign_number(self, worker, register):
        """The number of a person, such as `mturk.p001`; None for an empty id."""
        name = worker.strip() if isinstance(worker, str) else ""
        if not name:
            return None
        known = self.numbers.setdefault(register, {})
        return f"{register}.p{known.setdefault(name, len(known) + 1):03d}"


def find_worker_id(cells, file):
    """Id of the worker of a session of psiTurk (which names it `worker:assignment`); None if not known."""
    if not file.workers:
        return None
    return cells.get("workerid") or (cells.get("uniqueid") or "").partition(":")[0] or None
