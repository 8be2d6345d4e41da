"""How a notebook's cell shows an explorer: `show(flow)`, or `show(flow, run=mine)` with a run of the reader's own."""

from __future__ import annotations

import copy
from types import ModuleType
from typing import Any, TypeVar

from lib.errors import InputError
from lib.explorer.computed import Computed
from lib.explorer.explorer import Explorer
from lib.explorer.poke_base import PokeBase
from lib.explorer.reader_run import own_run

Figure = TypeVar("Figure", Computed, Explorer, PokeBase)


def show(explorer: ModuleType | Figure, run: Any = None) -> Figure:
    """The figure of a cell; as the cell's last line it is shown.

    Args:
        explorer: a module of `lib.chapters.SLUG.explorers`, or a figure.
        run: what trains in place of the figure's own run: a module; the changed text of one, say of
            `inspect.getsource(textbook)`; or an object or dict with the functions start, advance, read and steps_of,
            some of them perhaps the textbook's. It is translated anew. What is not portable runs in the kernel, and
            the figure says why. It is shown, not compared: the figure's theory and fast model stay those of the
            chapter.

    Raises:
        InputError: if the figure computes nothing itself, or the run lacks a function.

    Example:
        >>> from lib.chapters.scb.explorers import flow
        >>> show(flow)
        Computed('scb-flow', T, N, Q, skew, lr, start_V, start_A: any value)
    """
    figure = explorer.explorer() if isinstance(explorer, ModuleType) else explorer
    if run is None:
        return figure
    if not isinstance(figure, Computed):
        raise InputError(f"explorer: expected a figure that computes, to put a run into, got {figure!r}")
    mine: Any = copy.copy(figure)
    for name in ("program", "widget", "sliders", "box"):  # made for the old run, where they were made at all
        mine.__dict__.pop(name, None)
    mine.run = own_run(run)
    return mine
