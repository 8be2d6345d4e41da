"""Runs in the kernel, slice by slice, for a figure whose run the browser cannot translate.

The browser asks for one slice after the other. Between two of them the kernel does what else it is asked, so a moved
slider or a cell waits for one slice at most; an interrupt ends the slice and the run. JupyterLab sends what widgets ask
to a thread beside the cells, where no interrupt arrives, so slices are handed to the main thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from hal.figure.declared import Declared
from hal.figure.facts import packed
from hal.figure.reader_run import line_of
from lib.errors import InputError
from lib.portable.textbooks import settings_from

SLICE = 0.3  # seconds


class KernelRuns:
    """The runs of one figure."""

    def __init__(self, explorer: Declared) -> None:
        self.explorer = explorer
        self._loop = _running_loop()
        self._at: tuple[int, int] | None = None  # job and run that the state belongs to
        self._state: Any = None

    def ask(self, job: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        """Send the next slice of a job, from the main thread, after what it is doing now."""
        if self._loop is None or threading.current_thread() is threading.main_thread():
            send(self.slice(job))
        else:
            self._loop.call_soon_threadsafe(lambda: send(self.slice(job)))

    def slice(self, job: dict[str, Any]) -> dict[str, Any]:
        """Go on with a job for some 0.3 s.

        Args:
            job: id, settings, seed and run, as in `js/trainer.js`.

        Returns:
            The trainer's message: job, run, readings and whether the run is finished; or job and error, in words.
        """
        try:
            with _interruptible():
                return {"job": job["id"], "run": job["run"], **self._slice(job)}
        except KeyboardInterrupt:
            self._at = None
            return {"job": job["id"], "error": "it was interrupted; move a slider to start again"}
        # A reader's own code may raise anything; the figure says what.
        except Exception as error:
            self._at = None
            return {"job": job["id"], "error": _words(error, line_of(error, self.explorer.run))}

    def _slice(self, job: dict[str, Any]) -> dict[str, Any]:
        run, kind = self.explorer.recorder(), type(self.explorer.settings_of(**self.explorer.check({})))
        arrays = {name: value for name, value in job["settings"].items() if isinstance(value, list)}
        numbers = {name: value for name, value in job["settings"].items() if name not in arrays}
        settings = settings_from(kind, numbers)._replace(**arrays)
        if self._at != (job["id"], job["run"]):
            self._state = run.start(settings, job["seed"] + job["run"])
            self._at = job["id"], job["run"]
        start = time.perf_counter()
        while not run.done(self._state) and time.perf_counter() - start < SLICE:
            run.step(self._state)
        found = run.read(self._state)
        readings = packed([{name: list(values) for name, values in found.items()}])[0]
        return {"readings": readings, "finished": run.done(self._state)}


def _words(error: Exception, line: str) -> str:
    """An exception as a sentence for a reader; `line` is that of her run."""
    text = str(error) or type(error).__name__
    return text if isinstance(error, InputError) else f"{type(error).__name__}: {text}{line}"


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop of the kernel's main thread, from within a cell; None where there is no kernel."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let an interrupt raise KeyboardInterrupt; a kernel ignores it outside its cells."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
