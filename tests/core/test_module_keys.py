"""What tells two runs of modules apart: their sources, and those of all that they import to compute."""

import numpy as np

from hal.chapters.scan_snap.figures import growth
from lib.sweep import sources
from lib.sweep.keys import describe_run
from tests.core.sweep_runs import plain, walk


def test_a_run_of_a_module_counts_with_its_imports(tmp_path, monkeypatch):
    (tmp_path / "my_steps.py").write_text("def step(x): return x + 1\n")
    (tmp_path / "my_style.py").write_text("COLOUR = 'red'\n")
    (tmp_path / "my_study.py").write_text("from my_steps import step\ndef run(seed): return {'x': step(seed)}\n")
    monkeypatch.syspath_prepend(tmp_path)
    import my_study

    first = describe_run(my_study.run)
    (tmp_path / "my_style.py").write_text("COLOUR = 'blue'\n")
    assert describe_run(my_study.run) == first
    (tmp_path / "my_steps.py").write_text("def step(x): return x + 2\n")
    changed = describe_run(my_study.run)
    assert changed["sources"] != first["sources"]
    assert {**changed, "sources": ""} == {**first, "sources": ""}


def test_runs_of_one_module_differ():
    first, second = describe_run(walk), describe_run(plain)
    assert first["code"] != second["code"]
    assert first["sources"] == second["sources"]
    assert first["run"] == "tests.core.sweep_runs.walk"
    assert first["libraries"] == f"numpy {np.__version__}"


def test_what_draws_and_builds_is_in_no_key(monkeypatch):
    seen = {}
    real = sources.source_files

    def spy(modules, without):
        seen["files"] = [path.as_posix() for path in real(modules, without)]
        return real(modules, without)

    monkeypatch.setattr(sources, "source_files", spy)
    describe_run(growth.reference)
    assert any(path.endswith("/figures/growth.py") for path in seen["files"])
    apart = ("/hal/explorer/", "/hal/site/", "/hal/plots.py", "/hal/palette.py", "/lib/sweep/")
    assert [path for path in seen["files"] if any(part in path for part in apart)] == []
