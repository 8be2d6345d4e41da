"""Processes that are forked from one which has the large packages loaded, and nothing of this library."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from typing import Any, NamedTuple

from benchmarks.mutants.child import PRELOADED


class Answer(NamedTuple):
    """What a process said."""

    last: tuple[str, Any]  # its last message, ("silent", "") if there was none
    ended: bool  # by itself and without an error


def fork(work: Callable[..., None], *given: Any, patience: float) -> Answer:
    """Call `work(*given, pipe)` in a process of its own and wait for its last message.

    Args:
        work: a function of a module.
        given: its arguments but the last.
        patience: seconds of the clock between two messages, after which the process is ended.
    """
    ours, theirs = _context().Pipe(duplex=False)
    process = _context().Process(target=work, args=(*given, theirs), daemon=False)
    process.start()
    theirs.close()
    last: tuple[str, Any] = ("silent", "")
    try:
        while ours.poll(patience):
            last = ours.recv()
    except EOFError:  # it has ended
        process.join(10.0)
    finally:
        ended = process.exitcode == 0
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # and what it started
        process.join()
        ours.close()
    return Answer(last, ended)


@cache
def _context() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context
