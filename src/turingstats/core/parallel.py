"""Call one function with many arguments in parallel processes."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def call_in_parallel(function, arguments, workers, length=None):
    """Call a function once for each set of arguments, in parallel, with results in the order of the
    arguments.

    Processes are forked, so modules that are already imported are available in all of them; the function
    is defined at module level, and its arguments and results are passed between processes. The number of
    processes affects the run time, never the result. `length` maps one set of arguments to its expected
    run time, in any unit: the longest are started first, so that none runs alone at the end.
    """
    if min(workers, len(arguments)) < 2:
        return [function(*each) for each in arguments]
    order = range(len(arguments))
    if length:
        order = sorted(order, key=lambda number: -length(arguments[number]))
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        started = {number: pool.submit(function, *arguments[number]) for number in order}
    return [started[number].result() for number in range(len(arguments))]
