"""A figure on the static page: its markup, with the default settings drawn, and the modules that the page runs."""

from __future__ import annotations

import html
import json
from typing import Any
from urllib.parse import quote

from hal.figure.assets import part
from hal.figure.declared import Declared
from hal.figure.facts import packed
from hal.figure.program import digest

STATIC = "LIB_EXPLORER_STATIC"  # in the environment where a page is built: a cell's output is markup, and no widget
MOST_NUMBERS = 3500  # of the first runs that travel in a page; heavier ones, with heat maps, the page trains anew

# What an SVG in an attribute may hold unescaped; as text it compresses to two thirds of what base64 does.
SVG_AS_IT_IS = " !$'()*+,/:;=?@[]^`{|}~-_."


def queued(name: str) -> str:
    """The line after a figure that hands it to the chart script: whichever of them comes first leaves a queue."""
    return f"<script>(globalThis.{name}??=[]).push(document.currentScript.previousElementSibling)</script>"


def spec_script(spec: dict[str, Any]) -> str:
    """What the page reads of a figure."""
    text = json.dumps(spec, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" class="le-spec">{text}</script>'


def module_script(key: str, text: str) -> str:
    """One module of a program: figures that need the same share it, under its name and content."""
    return f'<script class="le-module" data-key="{key}">(globalThis.libPortable??={{}})["{key}"]={text};</script>'


def markup(explorer: Declared) -> str:
    """The cell's output: the figure of the default settings, its runs, spec and modules, the line that queues it."""
    # a still has the last axis, the one that answers: the same runs
    axes = {name: one.spec()["stops"][-1] for name, one in explorer.controls_by_name.items() if one.slider.axis}
    point = {**explorer.default, **axes}
    result = explorer.built.compute(point, 0, explorer.precomputed_runs)
    explorer.check_arrays(result)
    alt = f"{explorer.title}. {explorer.built.said(explorer.reading)}"
    svg = quote(explorer.built.still(point), safe=SVG_AS_IT_IS)
    spec: dict[str, Any] = explorer.spec()
    measured = {"diverged_at", *filter(None, [explorer.middle]), *spec["computes"]["measured"]}
    used = measured | explorer.drawn_names
    first = [{name: values for name, values in run.items() if name in used} for run in result.runs]
    if sum(len(values) for run in first for values in run.values()) <= MOST_NUMBERS:
        spec["computes"]["first"] = packed(first)
    parts = {f"{name}-{digest(text)}": (name, text) for name, text in explorer.program.items()}
    spec["computes"]["program"] = [[name, key] for key, (name, _) in parts.items()]
    for kind in explorer.parts:
        key = f"part-{kind}-{digest(part(kind))}"
        spec.setdefault("parts", {})[kind] = key
        parts[key] = (kind, part(kind))
    small = " data-small" if spec.get("small") else ""
    return (
        f'<div class="lib-explorer" data-explorer="{explorer.name}" id="{explorer.name}"{small}>'
        f"{spec_script(spec)}"
        f"{''.join(module_script(key, text) for key, (_, text) in parts.items())}"
        f'<figure class="le-still" tabindex="0"><img class="dark-light" alt="{html.escape(alt, quote=True)}" '
        f'src="data:image/svg+xml,{svg}"></figure></div>{queued("libExplorers")}'
    )
