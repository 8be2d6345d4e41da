"""The chart module, put together from its parts: an ES module for the live host, a classic script for the page.

The parts are plain script text without imports, so that no build step stands between an author and the page.
"""

from __future__ import annotations

import functools
from pathlib import Path

HERE = Path(__file__).parent
# Order matters only for reading: functions are hoisted, constants are in the first part.
PARTS = ("tools", "axes", "tooltip", "lines", "heatmap", "plane", "table", "controls", "timebar", "view")


@functools.cache
def _parts() -> str:
    texts = [(HERE / "vendor" / "d3.min.js").read_text(encoding="utf-8")]
    texts += [(HERE / "js" / f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    return "\n".join(texts)


def module() -> str:
    """The ES module of the widget."""
    return _parts() + "\n" + (HERE / "js" / "live.js").read_text(encoding="utf-8")


def script() -> str:
    """The classic script of the static page: works from `file://`, where module scripts do not load."""
    extra = "\n".join((HERE / "js" / f"{name}.js").read_text(encoding="utf-8") for name in ("store", "address", "page"))
    return f"(() => {{\n{_parts()}\n{extra}\n}})();\n"


def style() -> str:
    """The style sheet of both hosts."""
    return (HERE / "explorer.css").read_text(encoding="utf-8")
