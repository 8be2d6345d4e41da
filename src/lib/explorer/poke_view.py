"""The widget of a sample to poke, in a notebook: it is drawn in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anywidget
import traitlets

from lib.explorer.assets import poke_module, style

if TYPE_CHECKING:
    from lib.explorer.poke_base import PokeBase


class PokeView(anywidget.AnyWidget):
    """The widget of a sample to poke.

    Args:
        poke: what it shows.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Dict().tag(sync=True)

    def __init__(self, poke: PokeBase) -> None:
        super().__init__(_esm=poke_module(poke.program), _css=style(), spec=poke.spec())
