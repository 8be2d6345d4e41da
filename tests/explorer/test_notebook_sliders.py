"""In a kernel every explorer of the book moves with an ipywidgets slider: its own cell, run by nbval."""

import ast
import json
import os
import subprocess
import sys
from importlib import import_module

import nbformat
import pytest

from hal.explorer import Computed, show
from hal.explorer.page import STATIC
from tests.chapters import chapters, explorers

# The slider of a number that goes furthest from its default, or any other; else a switch; some small figures have none.
MOVED = """ranged = [name for name, box in figure.sliders.items() if hasattr(box, "max") and box.max != box.min]
before = figure.settings
for name in [*ranged, *figure.sliders][:1]:
    box = figure.sliders[name]
    far = [box.max, box.min] if ranged else [value for _, value in box.options]
    box.value = next(value for value in far if value != box.value)
    assert figure.settings[name] != before[name]
    assert abs(figure.settings[name] - box.value) <= 1e-6 * abs(box.value)
    assert {k: v for k, v in figure.settings.items() if k != name} == {k: v for k, v in before.items() if k != name}
"""


def shown(path):
    """The book's cells that show an explorer, with `figure` for what they show."""
    for cell in json.loads(path.read_text())["cells"]:
        source, package = "".join(cell["source"]), f"hal.chapters.{path.stem}.figures"
        if cell["cell_type"] == "code" and f"from {package} import" in source:
            name = source.partition(f"from {package} import ")[2].split()[0]
            if not isinstance(show(import_module(f"{package}.{name}")), Computed):
                continue  # a sample to poke has no sliders of a kernel
            last = ast.parse(source).body[-1]
            lines = source.splitlines()
            lines[last.lineno - 1] = f"figure = {lines[last.lineno - 1]}"
            yield "\n".join([*lines, "figure"])


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.deep] * bool(i)) for i, path in enumerate(chapters())],
)
def test_every_explorer_moves_with_a_slider(path, tmp_path):
    cells = list(shown(path))
    assert len(cells) >= len(explorers(path.stem))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for one in cells for c in (one, MOVED)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    # as in the book, records lie beside the notebook's folder
    (tmp_path / "book").mkdir()
    nbformat.write(notebook, tmp_path / "book" / "sliders.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "--nbval-current-env", "-q", "-c", os.devnull]
    env = {name: value for name, value in os.environ.items() if name != STATIC}
    for _ in range(2):  # kernels that start at one moment may be given one port: one of them dies, and tries again
        done = subprocess.run(
            [*command, "sliders.ipynb"], cwd=tmp_path / "book", env=env, capture_output=True, text=True
        )
        if "Kernel died before replying" not in done.stdout:
            break
    assert f"{2 * len(cells)} passed" in done.stdout, done.stdout[-3000:]
