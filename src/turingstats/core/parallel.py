"""Call one function with many arguments in parallel processes."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

Result = TypeVar("Result")


def call_in_parallel(
    function: Callable[..., Result],
    arguments: Sequence[tuple[Any, ...]],
    workers: int,
    length: Callable[[tuple[Any, ...]], float] | None = None,
) -> list[Result]:
    """Call a function once for each set of arguments, in parallel; results keep their order.

    The number of processes affects the run time, never the result. `length` maps one set of arguments to its
    expected run time, in any unit: the longest are started first, so that none runs alone at the end.
    """
    if min(workers, len(arguments)) < 2:
        return [function(*each) for each in arguments]
    order = list(range(len(arguments)))
    if length:
        order.sort(key=lambda number: -length(arguments[number]))
    # Ctrl-C reaches every process: one that it stops while reading its queue would leave the others waiting.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    context = get_context("fork")
    with ProcessPoolExecutor(workers, context, initializer=signal.signal, initargs=ignore) as pool:
        started = {number: pool.submit(function, *arguments[number]) for number in order}
        try:
            return [started[number].result() for number in range(len(arguments))]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
