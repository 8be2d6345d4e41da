"""What tells two runs apart: of a notebook everything that their functions name, of modules their sources."""

import json
import textwrap

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import growth
from lib import sources
from lib.errors import InputError
from lib.keys import describe_run
from lib.sweep import sweep
from tests.core.sweep_runs import plain, stored, walk

BASE = """
import functools, math
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
import numpy as np
from scipy import special
import lib
from lib import optim
from lib.sweep import vectorised

scale = 2.0
table = {"lr": [0.1, np.float64(0.2)], "kinds": ("a", None), "pair": {1, 2}}
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

class Colour(Enum):
    RED = 1

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
"""
RUN = "def run(seed, a=1):"

CHANGES = {
    "a global": ("scale = 2.0", "scale = 3.0"),
    "a global of a method": ("factor = 3", "factor = 4"),
    "the kind of a global": ("scale = 2.0", "scale = 2"),
    "an element of a global": ("np.float64(0.2)", "np.float64(0.3)"),
    "an array": ("np.arange(3.0)", "np.arange(3.0) + 1"),
    "the dtype of an array": ("np.arange(3.0)", "np.arange(3)"),
    "a field of a dataclass": ("Setting(0.25)", "Setting(0.75)"),
    "a default of a dataclass": ("rate: float = 0.5", "rate: float = 0.6"),
    "a factory of a dataclass": ("default_factory=list", "default_factory=dict"),
    "a field of a named tuple": ("start = Point(1.0)", "start = Point(1.5)"),
    "a default of a named tuple": ("y: float = 0.0", "y: float = 1.0"),
    "a method of a named tuple": ("math.hypot(self.x, self.y)", "self.x"),
    "a helper": ("scale * x", "scale + x"),
    "a default of a helper": ("offset=0.0", "offset=1.0"),
    "a helper behind lru_cache": ("return x + 1", "return x + 2"),
    "an argument of partial": ("offset=0.5", "offset=0.6"),
    "a method": ("* self.width", "+ self.width"),
    "an attribute of a class": ("depth = 3", "depth = 4"),
    "a property": ("return self.depth", "return 2 * self.depth"),
    "a static method": ("return Model(2)", "return Model(3)"),
    "a base": ("class Deep(Model):", "class Wide(Model): pass\nclass Deep(Wide):"),
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
        ("class Colour(Enum):\n    RED = 1", ""),
    ],
    ids=["nothing", "a comment", "spaces", "what it does not use", "a class that it does not use"],
)
def test_what_changes_nothing_is_not(old, new):
    assert old in BASE
    assert key(BASE.replace(old, new)) == key(BASE)


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        (BASE, {"lib.sampling", "lib.theory.scb"}),
        (
            "import lib\nimport lib.optim.scaling\ndef run(seed): return lib.optim.scaling.clip_by_global_norm(seed)",
            {"lib", "lib.optim", "lib.optim.scaling"},
        ),
    ],
    ids=["imported inside a function", "reached through its package"],
)
def test_modules_that_a_run_uses_are_followed(text, followed, monkeypatch):
    seen = {}
    monkeypatch.setattr(sources, "follow", lambda modules, without: seen.setdefault("modules", modules) and ({}, set()))
    key(text)
    assert followed <= set(seen["modules"])


def test_captured_variables_and_lambdas_of_one_line_differ():
    text = "def make(factor):\n    return lambda seed: {'x': factor * seed}\na, b, c = make(1), make(2), make(1)"
    assert key(text, "a") == key(text, "c") != key(text, "b")
    text = "a, b = (lambda seed: {'x': seed + 1}), (lambda seed: {'x': seed + 2})"
    assert key(text, "a") != key(text, "b")


REFUSED = {
    "an object": ("class Thing: pass\nmodel = Thing()", "model", "`model`, a Thing of __main__"),
    "a generator": ("rng = np.random.default_rng(0)", "rng", r"`rng`, a Generator of numpy\.random"),
    "a method of a generator": (
        "draw = np.random.default_rng(0).normal",
        "draw()",
        "`__self__`, a Generator",
    ),
    "a mutable record": (
        "@dataclass\nclass Box:\n    x: int = 1\nbox = Box()",
        "box",
        "`box`, a Box of __main__",
    ),
    "an array of objects": ("odd = np.array([None, {}], dtype=object)", "odd", "`odd`, a ndarray of numpy"),
    "an open file": ("import io\nfile = io.StringIO()", "file", "`file`, a StringIO of _io"),
    "inside a helper": (
        "class Thing: pass\nmodel = Thing()\ndef inside(): return model",
        "inside()",
        "`model`, a Thing",
    ),
    "a module that is no file": ("import types\nmade = types.ModuleType('made')", "made", "`made`, a module"),
}


@pytest.mark.parametrize(("given", "used", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_has_no_key_is_refused_by_name(given, used, message, tmp_path):
    head = "import numpy as np\nfrom dataclasses import dataclass\n"
    run = space(f"{head}{given}\ndef run(seed):\n    {used}\n    return {{'x': seed}}")["run"]
    assert not sweep(run, [{}], [0]).errors
    with pytest.raises(InputError, match=f"run: expected .* when cached; got one that uses {message}.*pass it as a"):
        sweep(run, [{}], [0], cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_changed_global_or_helper_is_computed_again_and_an_old_one_found(tmp_path):
    cells = space("scale = 1\ndef helper(): return 1\ndef run(seed): return {'x': scale * helper()}")
    assert sweep(cells["run"], [{}], [0], cache=tmp_path)["x"] == 1
    for scale, found in ((2, 2), (1, 1)):
        cells["scale"] = scale
        assert sweep(cells["run"], [{}], [0], cache=tmp_path)["x"] == found
    assert stored(tmp_path) == 2
    exec("def helper(): return 5", cells)
    assert sweep(cells["run"], [{}], [0], cache=tmp_path)["x"] == 5


# --- modules


def test_runs_of_one_module_differ():
    first, second = describe_run(walk), describe_run(plain)
    assert first["code"] != second["code"]
    assert first["sources"] == second["sources"]
    assert first["run"] == "tests.core.sweep_runs.walk"
    assert first["libraries"] == f"numpy {np.__version__}"


def test_what_draws_and_builds_is_in_no_key(monkeypatch):
    seen = {}
    real = sources.follow

    def spy(modules, without):
        seen["files"] = [path.as_posix() for path in real(modules, without)[0].values()]
        return real(modules, without)

    monkeypatch.setattr(sources, "follow", spy)
    describe_run(growth.reference)
    assert any(path.endswith("/figures/growth.py") for path in seen["files"])
    apart = ("/hal/explorer/", "/hal/site/", "/hal/plots.py", "/hal/palette.py", "/lib/sweep/")
    assert [path for path in seen["files"] if any(part in path for part in apart)] == []
