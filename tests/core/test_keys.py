"""What tells two runs apart: of a notebook everything that their functions name, of modules their sources."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from lib import keys
from lib.errors import InputError
from lib.keys import describe_run
from lib.sweep import sweep
from tests.packages import LIB, ROOT

BASE = """
import functools, math
from dataclasses import dataclass, field
from typing import NamedTuple
import numpy as np
from scipy import special
import lib
from lib import optim
from lib.sweep import vectorised

scale = 2.0
table = {"lr": [0.1, np.float64(0.2)], "kinds": ("a", None), "pair": {"one", "two", "three", "four"}}
weights = np.arange(3.0)

class Point(NamedTuple):
    x: float
    y: float = 0.0
    def norm(self): return math.hypot(self.x, self.y)

@dataclass(frozen=True)
class Setting:
    rate: float = 0.5
    layers: list = field(default_factory=list)
    def double(self): return factor * self.rate

class Model:
    depth = 3
    def __init__(self, width): self.width = width
    def forward(self, x): return helper(x) * self.width
    @property
    def size(self): return self.depth
    @staticmethod
    def fresh(): return Model(2)

class Deep(Model):
    def forward(self, x): return super().forward(x)

factor = 3
start = Point(1.0)
setting = Setting(0.25)

def helper(x, offset=0.0): return other(x) + offset
def other(x): return helper(x - 1) if x > 10 else scale * x
@functools.lru_cache
def cached(x): return inner(x)
def inner(x): return x + 1
half = functools.partial(helper, offset=0.5)

def run(seed, a=1):
    # the whole of it
    import lib.sampling as sampling
    from lib.theory import scb
    model = Deep(start.norm())
    rates = [table["lr"][i] * weights[i] for i in range(2)]
    total = model.forward(a) + setting.double() + cached(a) + half(a) + np.sum(rates) + special.expit(a) + len(rates)
    return {"x": np.float64(total) + seed}
run.mark = 1
"""
RUN = "def run(seed, a=1):"

CHANGES = {
    "a global": ("scale = 2.0", "scale = 3.0"),
    "an array": ("np.arange(3.0)", "np.arange(3.0) + 1"),
    "a field of a dataclass": ("Setting(0.25)", "Setting(0.75)"),
    "a factory of a dataclass": ("default_factory=list", "default_factory=dict"),
    "a method of a named tuple": ("math.hypot(self.x, self.y)", "self.x"),
    "a helper": ("scale * x", "scale + x"),
    "a helper behind lru_cache": ("return x + 1", "return x + 2"),
    "a method": ("* self.width", "+ self.width"),
    "an attribute of a class": ("depth = 3", "depth = 4"),
    "a property": ("return self.depth", "return 2 * self.depth"),
    "a static method": ("return Model(2)", "return Model(3)"),
    "a function of a library": ("special.expit", "special.gamma"),
    "a builtin that is no longer one": (RUN, f"def len(x): return 1\n{RUN}"),
    "its own default": ("a=1", "a=2"),
    "its own body": ("+ seed", "- seed"),
}


def space(text):
    """The names of a notebook whose cells hold this text."""
    names = {"__name__": "__main__"}
    exec(compile(textwrap.dedent(text), "<cell>", "exec"), names)
    return names


def key(text, name="run"):
    return json.dumps(describe_run(space(text)[name]))


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES.keys())
def test_what_a_run_of_a_notebook_uses_is_in_the_key(old, new):
    assert old in BASE
    assert key(BASE.replace(old, new)) != key(BASE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("# the whole of it", "# all of it\n"),
        ("scale * x", "(scale *   x)"),
        ("factor = 3", "unused = object()\nfactor = 3"),
    ],
    ids=["nothing", "a comment", "spaces", "what it does not use"],
)
def test_what_changes_nothing_is_not(old, new):
    assert old in BASE
    assert key(BASE.replace(old, new)) == key(BASE)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("def run(seed):\n    from lib.sampling import generators\n    return generators([seed])", "sampling/draws.py"),
        ("import lib\nimport lib.optim.scaling\ndef run(seed): return lib.optim.scaling.clip_by_global_norm(seed)",
         "optim/scaling.py"),
        ("from lib import optim\ndef run(seed): return getattr(optim, 'sgd')(seed)", "optim/scaling.py"),
        ("from lib import optim\nways = [optim]\ndef run(seed): return ways[0].sgd(seed)", "optim/scaling.py"),
    ],
    ids=["imported inside a function", "reached through its package", "by its name as text", "in a list"],
)  # fmt: skip
def test_files_of_all_that_a_run_reaches_are_in_the_key(text, file, monkeypatch):
    before, read = key(text), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"# edited" * (path == LIB / file))
    monkeypatch.setattr(keys, "_first_seen", {})
    assert key(text) != before
    monkeypatch.undo()
    assert key(text) == before


def test_key_is_the_same_in_another_process_with_another_seed_of_hashes():
    program = "from tests.core.test_keys import BASE, key\nprint(key(BASE))"
    found = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": "1"},
                           cwd=ROOT, capture_output=True, text=True, check=True)  # fmt: skip
    assert found.stdout.strip() == key(BASE)


def test_captured_variables_and_lambdas_of_one_line_differ():
    text = "def make(factor):\n    return lambda seed: {'x': factor * seed}\na, b, c = make(1), make(2), make(1)"
    assert key(text, "a") == key(text, "c") != key(text, "b")
    text = "a, b = (lambda seed: {'x': seed + 1}), (lambda seed: {'x': seed + 2})"
    assert key(text, "a") != key(text, "b")


REFUSED = {
    "an object, in a helper": (
        "class Thing: pass\nmodel = Thing()\ndef inside(): return model",
        "inside()",
        "model: .*a Thing of __main__",
    ),
    "a generator": ("rng = np.random.default_rng(0)", "rng", r"rng: .*a Generator of numpy\.random"),
    "a module that is no file": ("import types\nmade = types.ModuleType('made')", "made", "made: .*a module"),
    "hidden names": ("", "globals()['np']", r"run: .*got globals\(\)"),
    "names in text": ("", "(lambda: eval('np'))()", r"run: .*got eval\(\)"),
}


@pytest.mark.parametrize(("given", "used", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_has_no_key_is_refused_by_name(given, used, message, tmp_path):
    run = space(f"import numpy as np\n{given}\ndef run(seed):\n    {used}\n    return {{'x': seed}}")["run"]
    assert not sweep(run, [{}], [0]).errors
    with pytest.raises(InputError, match=message):
        sweep(run, [{}], [0], cache=tmp_path)
    assert list(tmp_path.iterdir()) == []
