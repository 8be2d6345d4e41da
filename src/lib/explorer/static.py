"""The static host's Python side: every grid point in one payload, and the markup that carries it.

The payload travels inside the cell's output, so that a notebook from the cache still has it; `lib.site.explorers` moves
it to a file of its own. Without that extension the page still works, only heavier.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from typing import TYPE_CHECKING, Any

from lib.errors import InputError, require
from lib.explorer.encode import Item, pack
from lib.explorer.picture import picture

if TYPE_CHECKING:
    from lib.explorer.explorer import Drawn, Explorer

# The host script may load before or after a figure is parsed: whoever comes first leaves a queue.
QUEUE = "<script>(globalThis.libExplorers??=[]).push(document.currentScript.previousElementSibling)</script>"


def drawn_grid(explorer: Explorer) -> list[tuple[Drawn | None, str]]:
    """For every grid point what is drawn there, or why there is nothing.

    Raises:
        InputError: if no point of the grid can be computed.
    """
    points = explorer.points()
    whole = [{**explorer.fixed, **p} for p in points]
    results: list[Any] = []
    many = getattr(explorer.run, "many", None)
    try:
        results = list(many(whole)) if many is not None else []
    except InputError:
        results = []  # one refused point refuses the call: find out which, one by one
    require(not results or len(results) == len(points), "run.many", f"{len(points)} results", len(results))
    out: list[tuple[Drawn | None, str]] = []
    for i, point in enumerate(points):
        try:
            data = results[i] if results else explorer.run(**whole[i])
        except InputError as error:
            out.append((None, str(error)))
            continue
        out.append((explorer.draw(point, data), ""))
    require(any(d for d, _ in out), "grid", "a point that can be computed", f"everywhere: {out[0][1]}")
    return out


def payload(explorer: Explorer) -> bytes:
    """Deflated payload of the whole grid, see `lib.explorer.encode`.

    Raises:
        InputError: if the grid has too few points or the payload is over budget.
    """
    who = f"explorer {explorer.name!r}"
    size = len(explorer.points())
    require(size >= explorer.min_points, who, f"at least {explorer.min_points} grid points", size)
    grid = drawn_grid(explorer)
    # A refused point has nothing to draw; it borrows its neighbour's arrays, which are stored once anyway.
    stand_in = next(d for d, _ in grid if d)
    points: list[dict[str, Item]] = []
    for drawn, _ in grid:
        stand_in = drawn or stand_in
        points.append(stand_in.items)
    texts = {
        "reading": [d.reading if d else "" for d, _ in grid],
        "notice": [d.notice if d else "" for d, _ in grid],
        "error": [why for _, why in grid],
    }
    packed = pack(points, texts)
    wire = len(gzip.compress(base64.b64encode(packed), 9))
    require(wire <= explorer.budget, who, f"at most {explorer.budget:,} bytes of data after gzip", f"{wire:,}")
    return packed


def markup(explorer: Explorer) -> str:
    """The cell's output: the figure of the default point, the spec, the payload, and the line that queues it."""
    packed = payload(explorer)
    drawn, _ = explorer.compute(explorer.default)
    alt = explorer.alt or f"{explorer.title}. {drawn.reading}"
    svg = base64.b64encode(picture(explorer, drawn).encode()).decode()
    spec = json.dumps(explorer.spec(), separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    caption = f"<figcaption>{html.escape(explorer.caption)}</figcaption>" if explorer.caption else ""
    data = base64.b64encode(packed).decode()
    digest = hashlib.sha256(packed).hexdigest()[:12]
    return (
        f'<div class="lib-explorer" data-explorer="{explorer.name}" id="{explorer.name}">'
        f'<script type="application/json" class="le-spec">{spec}</script>'
        f'<script type="text/plain" class="le-payload" data-hash="{digest}">{data}</script>'
        f'<figure class="le-still"><img class="dark-light" alt="{html.escape(alt, quote=True)}" '
        f'src="data:image/svg+xml;base64,{svg}">{caption}</figure></div>{QUEUE}'
    )
