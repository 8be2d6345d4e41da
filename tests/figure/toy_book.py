"""A Jupyter Book of toys, small enough to build once in a run of tests, and what it is made of."""

import fcntl
import os
import subprocess
import sys

import nbformat

from hal.figure.page import STATIC

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
SECOND = "from hal import show\nfrom tests.figure import toy_side\nshow(toy_side)"  # the cell of a second figure


def write_notebook(path, *cells, text="Words before the figure.", wide=False):
    """A notebook of these code cells below one of text; the first takes the page's whole width if it is `wide`."""
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


def make_book(folder, **pages):
    """The built pages of a book of a root and these: NAME from cells, or from a dict of what `write_notebook` takes."""
    (folder / "_config.yml").write_text(CONFIG)
    chapters = "".join(f"- file: book/{name}\n" for name in pages)
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: index\nchapters:\n{chapters}")
    (folder / "index.md").write_text("# Toy\n\nNo figure here.\n")
    (folder / "book").mkdir(exist_ok=True)
    for name, page in pages.items():
        options = dict(page) if isinstance(page, dict) else {"cells": page}
        write_notebook(folder / "book" / f"{name}.ipynb", *options.pop("cells"), **options)
    build(folder)
    (folder / "_build" / "html" / "favicon.ico").touch()  # Chromium asks for one over http
    return folder / "_build" / "html"


SPACE = 'from IPython.display import HTML\nHTML("<div style=height:5000px></div>")'
PHRASES = "Try [`Q = 4` and a *skew*](#toy-tour:Q=4,skew=0.5,seed=2,t=60), or [what is folded](#toy-folds:skew=0.5)."
TOUR = "from tests.figure import toy_flow\ntoy_flow."
SMALL = "from tests.figure.toy_smalls import small\nsmall"
PAGES = {
    # words with phrases; a figure with a tour; far down another of its runs that folds the most of it
    "tour": {
        "cells": [f"{TOUR}make()", SPACE, f"{TOUR}folds()"],
        "text": f"## The figures\n\n{'Words. ' * 300}\n\n{PHRASES}\n\n{'More words. ' * 300}",
        "wide": True,
    },
    # one with a panel of every kind; far down another, and two small ones
    "toy": [
        "from tests.figure.toy_computed import explorer\nexplorer()",
        SPACE, SECOND, f"{SMALL}('stems')", f"{SMALL}('columns')",
    ],
}  # fmt: skip


def shared_book(base):
    """The built pages of `PAGES`: the first process of a run that asks builds them, the others wait for it."""
    folder = base / "toy-book"
    with (base / "toy-book.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "_build" / "html" / "favicon.ico").exists():
            folder.mkdir(exist_ok=True)
            make_book(folder, **PAGES)
    return folder / "_build" / "html"
