"""What is not installed, or hidden by something of the reader's, is said in one line."""

import subprocess
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

from hal import absent
from tests.packages import SOURCE


@pytest.mark.parametrize(("name", "hides"), [("lib.py", "lib.py"), ("lib/__init__.py", "lib"), ("lib/words.txt", None)])
def test_a_lib_of_the_reader_s_that_hides_the_library_is_named(name, hides, tmp_path):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("")
    path = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(SOURCE)!r}]; import hal"
    done = subprocess.run([sys.executable, "-I", "-c", path], capture_output=True, text=True, check=False)
    said = f"ImportError: lib: expected the library of this book in {SOURCE}, got {tmp_path / str(hides)}, which hides"
    assert said in done.stderr if hides else done.returncode == 0


@pytest.fixture
def shell(monkeypatch):
    """An IPython of a reader who has no torch."""
    monkeypatch.setattr(absent, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    one = InteractiveShell()
    one.history_manager.enabled = False
    absent.in_notebooks(one)
    absent.in_notebooks(one)
    return one


def test_a_cell_that_needs_torch_says_so_and_the_others_run(shell, capsys):
    deep = "from hal.chapters.scan_snap.runs.published import draw_stream\ndraw_stream(None, 0)\nprint('on')"
    for cell in ("import torch\n\nx = torch.zeros(3)", "if True:\n    from torch import nn", deep):
        assert shell.run_cell(cell).success
        assert capsys.readouterr().out == f"{absent.SAYS}\n"
    assert shell.run_cell("print('import torch')").success


@pytest.mark.parametrize("cell", ["import no_such_module", "raise ModuleNotFoundError('torch')", "1 / 0", "nothing"])
def test_any_other_error_is_shown_and_stops(cell, shell, capsys):
    assert not shell.run_cell(cell).success
    shown = capsys.readouterr().out
    assert absent.SAYS not in shown
    assert "Error" in shown
