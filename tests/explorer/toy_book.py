"""A Jupyter Book with one chapter of figures, small enough to build in a test."""

import os
import subprocess
import sys

import nbformat

from hal.explorer.page import STATIC

CONFIG = """
title: Toy
only_build_toc_files: true
execute: {execute_notebooks: cache, timeout: 120, raise_on_error: true, stderr_output: error}
sphinx:
  recursive_update: true
  config:
    extensions: [myst_nb, jupyter_book, sphinx_external_toc, sphinx_book_theme, sphinx_design, sphinx_copybutton,
                 sphinx_togglebutton, sphinx_comments, hal.site.explorers, hal.site.embeds,
                 hal.site.execution, hal.site.phrases, sphinx_multitoc_numbering]
    nb_ipywidgets_js: {}
    nb_merge_streams: true
    html_context: {default_mode: auto}
    html_theme_options: {navbar_persistent: []}
"""
SECOND = "from hal import show\nfrom tests.explorer import toy_side\nshow(toy_side)"  # the cell of a second figure


def write_notebook(path, *cells, text="Words before the figure.", wide=False):
    """A notebook of these code cells below one of text.

    Args:
        path: of the file.
        cells: their sources.
        text: Markdown below the title.
        wide: whether the first cell takes the page's whole width, without its source, as figures of the book do.
    """
    code = [nbformat.v4.new_code_cell(c) for c in cells]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(f"# Toy chapter\n\n{text}"), *code])
    if wide:
        code[0].metadata["tags"] = ["hide-input", "full-width"]
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)


def build(folder):
    """What Jupyter Book says while it builds the book in `folder`, warnings being errors."""
    env = {name: value for name, value in os.environ.items() if name != STATIC}
    start = "from jupyter_book.cli.main import main; main()"
    command = [sys.executable, "-c", start, "build", str(folder), "-W", "-n", "--keep-going"]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def make_book(folder, page, *cells, **options):
    """Build a book of a root without figures and one page, book/PAGE.html, of these cells.

    Args:
        folder: where; a book that is there is built again.
        page: name of the notebook.
        cells, options: as for `write_notebook`.

    Returns:
        The folder of the built pages.
    """
    (folder / "_config.yml").write_text(CONFIG)
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: index\nchapters:\n- file: book/{page}\n")
    (folder / "index.md").write_text("# Toy\n\nNo figure here.\n")
    (folder / "book").mkdir(exist_ok=True)
    write_notebook(folder / "book" / f"{page}.ipynb", *cells, **options)
    build(folder)
    (folder / "_build" / "html" / "favicon.ico").touch()  # Chromium asks for one over http
    return folder / "_build" / "html"
