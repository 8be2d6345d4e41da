"""Broken formulas: how they are found and applied, and that a hunt tells the noticed from the unnoticed."""

import ast
import subprocess

import pytest

from benchmarks.mutants import child
from benchmarks.mutants.forks import fork
from benchmarks.mutants.hunt import hunt, look_for
from benchmarks.mutants.operators import OPERATORS
from benchmarks.mutants.places import LIBRARY, all_mutants, apply, formula_files, mutants_of, sequence
from benchmarks.mutants.watchers import Watcher
from tests.browser import ROOT


def changes(source, operator):
    return [f"{m.before} -> {m.after}" for m in mutants_of(source, "a.py", {operator: OPERATORS[operator]})]


@pytest.mark.parametrize(
    ("operator", "source", "expected"),
    [
        ("sign", "a + b", ["a + b -> a - b"]),
        ("sign", "x -= -y", ["x -= -y -> x += -y", "-y -> y"]),
        ("sign", "x[-1]", []),
        ("sign", "'a' + b", []),
        ("factor of two", "a * b", ["a * b -> a * b + a * b"]),
        ("factor of two", "draw() / b", ["draw() / b -> 2.0 * (draw() / b)"]),
        ("dropped term", "a + b", ["a + b -> a", "a + b -> b"]),
        ("dropped term", "a - b", ["a - b -> a"]),
        ("swapped axes", "np.sum(a, axis=-1)", ["-1 -> -2"]),
        ("swapped axes", "a @ b.T", ["a @ b.T -> b.T @ a", "b.T -> b"]),
        ("swapped axes", "task.T", []),
        ("swapped axes", "a[i][j]", ["a[i][j] -> a[j][i]"]),
        ("swapped axes", "a[..., None, :]", ["a[..., None, :] -> a[..., :, None]"]),
        ("swapped axes", "einsum('rij,rj->ri', a, b)", ["'rij,rj->ri' -> 'rji,rj->ri'"]),
        ("off by one", "range(2, n)", ["n -> n - 1", "2 -> 3"]),
        ("off by one", "a[1:-1]", ["1 -> 2", "-1 -> -2"]),
        ("off by one", "a[0]", ["a[0] -> a[1]"]),
        ("off by one", "n - 1", ["1 -> 2"]),
        ("wrong normaliser", "a / b", ["a / b -> a", "a / b -> a / (b + 1.0)"]),
        ("wrong normaliser", "a.mean()", ["a.mean() -> a.sum()"]),
        ("wrong normaliser", "np.sqrt(a**2)", ["np.sqrt(a ** 2) -> a ** 2", "a ** 2 -> a"]),
        ("comparison", "a < b", ["a < b -> a <= b"]),
        ("comparison", "np.where(c, a, b)", ["np.where(c, a, b) -> np.where(c, b, a)"]),
        ("comparison", "np.maximum(a, b)", ["np.maximum(a, b) -> np.minimum(a, b)"]),
        ("comparison", "a is None", []),
    ],
)
def test_an_operator_breaks_a_formula(operator, source, expected):
    assert changes(source, operator) == expected


def test_what_is_no_formula_is_left_alone():
    source = '''
"""Text with 1 + 1."""
def f(x: "a + b", n=1) -> "c + d":
    """More text."""
    require(x > 0, "x", f"more than {x - 1}", x)
    if x > n:
        raise ValueError(x + 1)
'''
    assert mutants_of(source, "a.py") == []


def test_a_mutant_is_one_change_in_the_text_with_its_place_and_a_key():
    source = "def f(x):  # é\n    y = (x +\n         x)  # kept\n    return g(x + x) * y\n\n\nclass C:\n"
    source += "    def h(s): return s[0]\n"
    found = mutants_of(source, "part/a.py")
    signs = [m for m in found if m.operator == "sign"]
    assert [m.key for m in signs] == ["part/a.py f: sign: x + x -> x - x", "part/a.py f: sign: x + x -> x - x (2)"]
    assert "y = ((x - x))  # kept\n    return g(x + x) * y" in apply(source, signs[0])
    assert "return g((x - x)) * y" in apply(source, signs[1])
    assert [(m.where, m.line) for m in found if m.operator == "off by one"] == [("C.h", 8)]
    assert all(ast.dump(ast.parse(apply(source, m))) != ast.dump(ast.parse(source)) for m in found)


def test_the_sample_is_that_of_its_seed_and_takes_files_and_operators_in_turn():
    library = ROOT / LIBRARY
    found = all_mutants(library, 1)
    assert len({m.key for m in found}) == len(found) > 300
    with_formulas = {m.file for m in found}
    assert len({m.file for m in found[: len(with_formulas)]}) == len(with_formulas)
    assert {m.operator for m in found[: len(with_formulas)]} == set(OPERATORS)
    assert {"theory/scb/prox.py", "models/scb/textbook.py", "portable/numbers.py"} <= set(formula_files(library))
    names = ("train/loop.py", "optim/scaling.py")
    once, again = ({name: mutants_of((library / name).read_text(), name) for name in names} for _ in range(2))
    assert sequence(once, 1) == sequence(again, 1) != sequence(once, 2)


TOY = {
    "src/lib/__init__.py": "",
    "src/lib/toy.py": "def double(x):\n    while x > 100:\n        x = x - 1\n    return x * 2\n\n\n"
    "def unseen(x):\n    return x * 3\n",
    "tests/test_toy.py": "from lib.toy import double\n\n\ndef test_double():\n    assert double(200) == 200\n"
    "    assert double(1) == 2\n",
    "tests/test_other.py": "import lib.toy\n\n\ndef test_nothing():\n    assert True\n",
    "tests/test_red.py": "def test_red():\n    assert False\n",
}


@pytest.fixture
def toy(tmp_path):
    """A repository with a library of one module, a test that uses it and one that does not."""
    for name, text in TOY.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def watched(toy, unit):
    what, found = fork(child.watch, toy, unit, patience=100.0).last
    assert what == "watched"
    return found


def mutant(operator, before):
    source = TOY["src/lib/toy.py"]
    return next(m for m in mutants_of(source, "toy.py") if (m.operator, m.before) == (operator, before))


def test_a_hunt_on_a_toy(toy, monkeypatch):
    monkeypatch.setattr("benchmarks.mutants.watchers.MARGIN", 1.0)  # for the one that never ends
    found = {unit: watched(toy, unit) for unit in ("tests/test_toy.py", "tests/test_other.py", "tests/test_red.py")}
    assert [entry["passed"] for entry in found.values()] == [True, True, False]
    assert "toy.py:double" in found["tests/test_toy.py"]["runs"]
    assert "toy.py:unseen" not in found["tests/test_toy.py"]["runs"]
    assert "toy.py:double" not in found["tests/test_other.py"]["runs"]
    watchers = [
        Watcher(unit, 0.0, entry["everything"], frozenset(entry["runs"])) for unit, entry in list(found.items())[:2]
    ]
    broken = mutant("dropped term", "x * 2")
    assert [one.sees(broken) for one in watchers] == [True, False]
    assert look_for(broken, toy, watchers) == "tests/test_toy.py::test_double"
    assert look_for(mutant("comparison", "x > 100"), toy, watchers) == "tests/test_toy.py::test_double"
    endless = mutant("sign", "x - 1")
    assert look_for(endless, toy, watchers) == "tests/test_toy.py (did not come to an end)"
    assert look_for(mutant("dropped term", "x * 3"), toy, watchers) == ""
    assert (toy / "src/lib/toy.py").read_text() == TOY["src/lib/toy.py"]
    subprocess.run(["git", "init", "-q"], cwd=toy, check=True)
    both = [broken, mutant("dropped term", "x * 3")]
    results = {entry["key"]: entry["tests"] for entry in hunt(both, toy, {"tests": watchers}, jobs=2)}
    assert results == {broken.key: "tests/test_toy.py::test_double", both[1].key: ""}
