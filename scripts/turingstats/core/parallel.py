"""The same work on several things, in several processes."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def call_in_parallel(function, arguments, workers, length=None):
    """Call a function with each of several arguments.

    Processes are forked: what was imported before is imported in all of them.

    Parameters
    ----------
    function : callable
        At the top of a module; what it gets and returns passes between processes.
    arguments : sequence of tuple
    workers : int
        Processes at a time; they change the time taken, never the result.
    length : callable, optional
        Of an argument: how long it takes, in any unit. The longest are begun first, so that none is left
        to run alone.

    Returns
    -------
    list
        What the function returned, in the order of `arguments`.
    """

    if min(workers, len(arguments)) < 2:
        return [function(*own) for own in arguments]
    order = range(len(arguments))
    if length:
        order = sorted(order, key=lambda number: -length(arguments[number]))
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        started = {number: pool.submit(function, *arguments[number]) for number in order}
    return [started[number].result() for number in range(len(arguments))]
