"""Sphinx extension: for each figure a small page of its own, embed/NAME.html, that other sites show in a frame.

It has the figure, its code and nothing else of the chapter's page. `?embed=NAME` on that page leads to it. Whoever adds
`sandbox` to the frame gets the same over http; from a file no script loads in such a frame, and then the still picture,
which is part of the page, and the link stand there.
"""

import gzip
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from hal import chapters
from hal.figure import assets
from hal.figure.page import spec_script
from hal.site.explorers import MODULE, ROOT, programs_file
from hal.site.scripts import write_script

FOLDER = "embed"
ROOM = 30_000  # bytes, gzip, of a figure with its first runs; a heavier one trains them anew
SPEC = re.compile(r'<script type="application/json" class="le-spec">(.*?)</script>', re.S)

#: The reader's colours, and what is there without the style sheet.
STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; padding: 8px; font-family: system-ui, sans-serif; background: #fff; }
main { max-width: 1066px; margin: 0 auto; }
main img { max-width: 100%; }
main [data-explorer].lib-explorer { margin: 0 auto; }
footer { max-width: 1066px; margin: 6px auto 0; font-size: 13px; text-align: right; }
footer a { color: #084a80; }
html[data-theme="dark"] body { background: #121212; }
html[data-theme="dark"] footer a { color: #6cb6f5; }
"""

# The link leads to the figure as it stands. A sandbox may forbid new tabs: then the chapter opens in the frame.
SCRIPT = """
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => (document.documentElement.dataset.theme = dark.matches ? "dark" : "light");
follow();
dark.addEventListener("change", follow);
document.addEventListener("click", (event) => {
  const link = event.target.closest("footer a");
  if (!link) return;
  if (location.hash) link.hash = location.hash;
  if (origin !== "null") return;
  event.preventDefault();
  if (!open(link.href)) location.assign(link.href);
});
"""


def prepare(app: Sphinx) -> None:
    """Write the script and the styles that these pages share."""
    out = Path(app.outdir)
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    (out / "_static").mkdir(exist_ok=True)
    write_script(out / "_static" / "embed.js", assets.script(samples=False))
    (out / "_static" / "embed.css").write_text(assets.style(assets.FIGURES), encoding="utf-8")


def page_of(figure: str, programs: str, home: str, source: str) -> str:
    """The page of one figure.

    Args:
        figure: its markup without modules, `hal.figure.page.markup`.
        programs: name of the file with its modules.
        home: address of its chapter, from here.
        source: where it is from, in words; markup.
    """
    start = ROOT.search(figure)
    assert start is not None
    if len(gzip.compress(figure.encode())) > ROOM:
        figure = SPEC.sub(_without_runs, figure, count=1)
    title = json.loads(SPEC.search(figure)[1])["title"]  # type: ignore[index]  # every figure has one
    figure = figure.replace(start[0], f'{start[0]} data-programs="{programs}"', 1)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f'<style>{STYLE}</style><link rel="stylesheet" href="../_static/embed.css"><script>{SCRIPT}</script></head>'
        f'<body><main aria-label="{escape(title, quote=True)}">{figure}</main>'
        f'<footer><a href="{home}#{start[1]}" target="_blank">From {source}</a></footer>'
        '<script async src="../_static/embed.js"></script></body></html>\n'
    )


def _without_runs(found: re.Match[str]) -> str:
    spec = json.loads(found[1])
    spec["computes"].pop("first", None)
    return spec_script(spec)


def write(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the pages of a chapter's figures, each with a file of its own programs."""
    if app.builder.format != "html":
        return
    numbers = {f"book/{row.slug}": f", chapter {row.number}" for row in chapters.written()}
    source = f"<cite>{escape(app.config.html_title)}</cite>{numbers.get(docname, '')}"
    for node in doctree.findall(nodes.raw):
        text = node.astext()
        if found := ROOT.search(text):
            programs = programs_file(app, dict(MODULE.findall(text)))
            page = page_of(MODULE.sub("", text), programs, f"../{docname}.html", source)
            (Path(app.outdir) / FOLDER / f"{found[1]}.html").write_text(page, encoding="utf-8")


def lead(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Put the way from `?embed=NAME` to the head of a chapter's page, before anything else of it loads."""
    names = doctree.get("explorers") if doctree is not None else None
    if names:
        folder = context["pathto"](FOLDER, 1)
        code = (
            '{const name=new URLSearchParams(location.search).get("embed");'
            f"if({json.dumps(names)}.includes(name))location.replace(`{folder}/${{name}}.html${{location.hash}}`)}}"
        )
        context["metatags"] = f"<script>{code}</script>{context.get('metatags', '')}"


def sweep_away(app: Sphinx, exception: Exception | None) -> None:
    """Delete the pages of figures that no page has any more."""
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    pages = (path for path in out.rglob("*.html") if path.parent.name != FOLDER)
    names = {name for path in pages for name in ROOT.findall(path.read_text(encoding="utf-8"))}
    for path in (out / FOLDER).glob("*.html"):
        if path.stem not in names:
            path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", prepare)
    app.connect("doctree-resolved", write, priority=400)  # while the programs stand in the page
    app.connect("html-page-context", lead)
    app.connect("build-finished", sweep_away, priority=400)  # before the programs that no page asks for go
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
