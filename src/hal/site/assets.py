"""Sphinx extension: an edited style or script of `assets/` reaches the built pages.

Sphinx copies such files only when it writes a page, and a page names the content of its styles (`site.css?v=...`). So
when one of them changed, every page is read again; notebooks come from their cache.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def digest(folders: list[Path]) -> str:
    """A hash of all files below some folders, with their names."""
    hashed = sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        hashed.update(f"{path.name} {path.stat().st_size}\n".encode() + path.read_bytes())
    return hashed.hexdigest()


def outdated(app: Sphinx, env: BuildEnvironment, added: Any, changed: Any, removed: Any) -> list[str]:
    """Every page, if a file of `html_static_path` is another than at the last build."""
    now = digest([Path(app.confdir, entry) for entry in app.config.html_static_path])
    before, env.assets_digest = getattr(env, "assets_digest", None), now  # type: ignore[attr-defined]  # kept by Sphinx
    return [] if before == now else sorted(env.found_docs)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("env-get-outdated", outdated)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
