"""A Jupyter Book with one chapter of two explorers, small enough to build in a test."""

import os
import subprocess
import sys

import nbformat

from lib.explorer.explorer import STATIC

CONFIG = """
title: Toy
only_build_toc_files: true
execute: {execute_notebooks: cache, timeout: 120, raise_on_error: true, stderr_output: error}
sphinx:
  recursive_update: true
  config:
    extensions: [myst_nb, jupyter_book, sphinx_external_toc, sphinx_book_theme, sphinx_design, sphinx_copybutton,
                 sphinx_togglebutton, sphinx_comments, lib.site.explorers,
                 lib.site.execution, lib.site.phrases, sphinx_multitoc_numbering]
    nb_ipywidgets_js: {}
    html_context: {default_mode: auto}
    html_theme_options: {navbar_persistent: []}
"""


def write_notebook(path, *cells):
    """A notebook of these code cells below one of text."""
    code = [nbformat.v4.new_code_cell(c) for c in cells]
    text = nbformat.v4.new_markdown_cell("# Toy chapter\n\nWords before the figure.")
    notebook = nbformat.v4.new_notebook(cells=[text, *code])
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
