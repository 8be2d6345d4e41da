"""Scripts of the site, made short: local names, space and comments are for those who read `js/`.

What a page trains is left as it was translated: there every sign is held to the Python it comes from.
"""

import importlib.util
from pathlib import Path

__all__ = ["shortened", "write_script"]


def shortened(text: str) -> str:
    """A classic script that does the same in fewer bytes; the same text where the minifier has no build (see `build`).

    Args:
        text: of the script. A comment that begins with `/*!` stays.

    Raises:
        ValueError: if it is no JavaScript.
    """
    if importlib.util.find_spec("minify") is None:
        return text
    import minify

    return str(minify.string("text/javascript", text))


def write_script(path: Path, text: str) -> None:
    """Write a script of the site, shortened."""
    path.write_text(shortened(text), encoding="utf-8")
