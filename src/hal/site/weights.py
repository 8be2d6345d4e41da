"""The size of a page of the built site as a server sends it."""

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

#: Files of the site that this book brings; the rest comes with the theme.
OURS = re.compile(r"_static/(explorers?[/.-]|hero\.|site\.)")
_LOADED = re.compile(
    r"<link[^>]+rel=[\"'](?:stylesheet|preload)[\"'][^>]*>|<script[^>]+src=[^>]*>|<img[^>]+src=[^>]*>", re.I
)
#: Fonts of formulas, and the classes in KaTeX's markup that use them.
_FONTS = {
    "Main-Regular": "katex",
    "Math-Italic": "mathnormal",
    "Main-Bold": "mathbf|textbf",
    "Math-BoldItalic": "boldsymbol",
    "AMS-Regular": "mathbb|amsrm",
    "Caligraphic-Regular": "mathcal",
    "Size1-Regular": "size1|small-op",
    "Size2-Regular": "size2|large-op",
    "Size3-Regular": "size3",
    "Size4-Regular": "size4|delim-size4",
}


@cache
def zipped(path: Path) -> int:
    """Bytes of a file as a server sends it, gzip."""
    return len(gzip.compress(path.read_bytes(), 9))


def weight(site: Path, page: str) -> tuple[int, int]:
    """Bytes of a page's first load, gzip, of the built site: (everything, ours).

    Counted are the page, its styles, scripts and pictures, the fonts of text and of the formulas that it has. The
    programs of its explorers, which load on nearing the first, count too.
    """
    text = (site / page).read_text(encoding="utf-8")
    found = {site / page}
    for tag in _LOADED.findall(text):
        address = re.search(r"(?:src|href)=[\"']([^\"']+)", tag)
        if address and not re.match(r"(?:[a-z]+:)?//|data:", address[1]) and 'loading="lazy"' not in tag:
            found.add((site / page).parent / unquote(re.split("[?#]", address[1])[0]))
    if programs := re.search(r'data-programs="([^"]+)"', text):
        found.add(site / "_static" / "explorers" / f"{programs[1]}.js")
    fonts = [name for name, uses in _FONTS.items() if re.search(rf'class="[^"]*\b(?:{uses})\b', text)]
    found |= {site / f"_static/katex/fonts/KaTeX_{name}.woff2" for name in fonts}
    text_fonts = {
        "hal-serif": "<p",
        "hal-sans": "<p",
        "hal-serif-italic": "<em>",
        "hal-sans-greek": 'class="lib-explorer',
    }
    found |= {site / f"_static/vendor/fonts/{name}.woff2" for name, sign in text_fonts.items() if sign in text}
    files = {path.resolve() for path in found}
    return sum(map(zipped, files)), sum(zipped(path) for path in files if OURS.search(path.as_posix()))
