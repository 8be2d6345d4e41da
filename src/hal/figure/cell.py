"""How a notebook's cell shows an explorer: `show(flow)`, or `show(flow, run=mine)` with a run of the reader's own."""

import copy
from types import ModuleType
from typing import Any, TypeVar

from hal.figure.computed import Computed
from hal.figure.interactive_sample import InteractiveSample
from hal.figure.reader_run import own_run
from hal.figure.small import Small
from lib.errors import InputError, require

Figure = TypeVar("Figure", Computed, InteractiveSample)


def figure_of(module: ModuleType) -> Any:
    """The figure of a module of `hal.chapters.SLUG.figures`: read by name (`Small`, `Computed`), or of `figure()`."""
    if hasattr(module, "picture"):
        return Small(module)
    if hasattr(module, "settings"):
        return Computed(module)
    make = getattr(module, "figure", None)
    if not callable(make):
        raise InputError(f"figure: expected a module with `settings` or a function `figure`, got {module.__name__}")
    return make()


def show(figure: ModuleType | Figure, run: Any = None, title: str | None = None) -> Figure:
    """The figure of a cell; as the cell's last line it is shown.

    Args:
        figure: a module of `hal.chapters.SLUG.figures`, or a figure.
        run: what trains in place of the figure's own run: a module; the changed text of one, say of
            `inspect.getsource(textbook)`; or an object or dict with the functions start, step, done, read and
            steps_of, some of them perhaps the textbook's. It is translated anew, in the checked form: an index below
            0 or a whole number beyond 2**53 ends the run, and the figure says in which line. What is not portable
            runs in the kernel, and the figure says why. It is shown, not compared: the figure's theory and fast
            model stay those of the chapter.
        title: of the figure with the run; default the book's, with "(changed)" behind it.

    Example:
        >>> from hal.chapters.scb.figures import run
        >>> show(run)
        Computed('scb-run', T, lr_V, lr_A, N, Q, mu, batch, c: any value)
    """
    made: Any = figure_of(figure) if isinstance(figure, ModuleType) else figure
    require(title is None or (run is not None and bool(title.strip())), "title", "words, of a figure with a run", title)
    if run is None:
        return made
    if not isinstance(made, Computed):
        raise InputError(f"figure: expected a figure that computes, to put a run into, got {made!r}")
    mine: Any = copy.copy(made)
    for name in ("program", "widget", "sliders", "box"):  # made for the old run, where they were made at all
        mine.__dict__.pop(name, None)
    mine.name = f"{made.name}-mine"  # both may stand in one page, and an address sets one of them
    mine.title = f"{made.title} (changed)" if title is None else title
    mine.run = own_run(run)
    mine.check_run()
    return mine
