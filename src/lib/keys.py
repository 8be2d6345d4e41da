"""What a run really uses, as text that two runs share only if they compute the same.

Two things count: the files of all modules that the run imports, and what is loaded of it: its compiled code and that
of the functions that it leads to, with the values of the globals, defaults, attributes and captured variables that this
code names. Of a notebook, a value without such a text is refused, since it may hold anything; of a module it counts
with its kind. A module that was edited after Python loaded it is refused.
"""

import ast
import contextlib
import dis
import functools
import hashlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, is_dataclass
from enum import Enum
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import numpy as np

from lib import sources
from lib.errors import InputError

__all__ = ["describe_run", "leave_out"]

# What a module imports to draw, to mark a run and to sweep it says nothing about the run's numbers.
APART = {"lib.keys", "lib.sources", "lib.sweep"}
_PACKAGES_APART = {"anywidget", "dask", "distributed", "ipywidgets", "joblib", "matplotlib", "traitlets"}
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type(...))
_HIDING = {"eval", "exec", "globals"}  # builtins behind which code may use any global
_MEMO = r"(\w+\.)*({}|\[\]|(dict|list|set|Counter|OrderedDict|Weak\w+Dictionary)\(\)|defaultdict\(\w+\))"
_INSIDE: dict[type, tuple[str, ...]] = {
    slice: ("start", "stop", "step"),
    types.MethodType: ("__self__", "__func__"),
    functools.partial: ("func", "args", "keywords"),
    functools.cached_property: ("func",),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
}
_BUILT_IN = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
_CODE = "argcount posonlyargcount kwonlyargcount flags exceptiontable code names varnames freevars cellvars"
_WANTED = "run: expected a run that uses numbers, text, arrays, functions and modules only, by name, when cached"
_first_seen: dict[str, tuple[Any, bytes]] = {}  # module -> its spec, new with every loading, and what its file said


def leave_out(*modules: str) -> None:
    """Register modules, or packages with all below them, that say nothing about a run's numbers: what only draws."""
    APART.update(modules)


def describe_run(run: Callable[..., Any], refuse: bool = True) -> dict[str, Any]:
    """Everything that decides what a run, anything that can be called, returns besides its settings, by name.

    An edited module is refused (InputError), and with `refuse` a value without a text; the message names it.
    """
    scribe, name = _Scribe(refuse), getattr(run, "__qualname__", type(run).__qualname__)
    code = scribe.say(run, name)
    files, installed = sources.follow(sorted(scribe.modules), APART)
    _require_current(scribe.functions, files)
    used = sorted({*scribe.libraries, *installed, "numpy"} - _PACKAGES_APART)
    return {
        "run": f"{getattr(run, '__module__', None)}.{name}",
        "code": str(code),
        "sources": sources.digest(files.values()),
        "libraries": ", ".join(f"{library} {sources.version(library)}" for library in used),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


class _Scribe:
    """Says what values are; collects the functions, modules and packages met on the way."""

    def __init__(self, refuse: bool) -> None:
        self.modules: set[str] = set()
        self.libraries: set[str] = set()
        self.functions: list[types.FunctionType] = []
        self._refuse, self._strict = refuse, refuse  # strict: in a notebook
        self._name = ""  # of the value at hand
        self._met: dict[int, tuple[int, Any]] = {}  # id -> a number, and the value, held so that the id stays its own

    def say(self, value: Any, name: str) -> Any:
        """Text, or a tuple of text, for a value that is known as `name`."""
        kind = type(value)
        if kind in _PLAIN:
            return kind.__name__, repr(value)
        if id(value) in self._met:
            return "met", self._met[id(value)][0]
        if kind not in (tuple, frozenset):  # equal ones may be one object here and two elsewhere
            self._met[id(value)] = len(self._met), value
        before, self._name = self._strict, name
        said = _hash(repr(self._said(value)))
        self._strict = before
        return said

    def _said(self, value: Any) -> Any:
        home, path = str(getattr(value, "__module__", None)), getattr(value, "__qualname__", "<")
        kind = type(value)
        if hasattr(value, "__wrapped__") and not isinstance(value, types.FunctionType | type | types.MethodType):
            return self.say(inspect.unwrap(value), path)  # behind a cache, or marked as vectorised
        if isinstance(value, types.ModuleType) and self._note(value.__name__):
            return "module", value.__name__
        if isinstance(value, types.FunctionType | type | types.BuiltinFunctionType) and self._note(home):
            if home not in self.modules and "<" not in path:  # of a package or of Python: its version says what it is
                return "in", home, path
            self._strict = False
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if (isinstance(value, np.generic) or kind is np.ndarray) and not value.dtype.hasobject:
            return kind.__name__, str(value.dtype), value.shape, value.tobytes().hex()
        if kind in (set, frozenset):
            return kind.__name__, sorted(repr(self.say(element, "an element")) for element in value)
        inside = _parts(value)
        if inside is None and self._strict:
            got = f"one that uses `{self._name}`, a {kind.__qualname__} of {kind.__module__}"
            raise InputError(f"{_WANTED}; got {got}: pass it as a setting, or define it in a module")
        return kind.__qualname__, [(str(name), self.say(part, str(name))) for name, part in inside or ()]

    def _function(self, function: types.FunctionType) -> Any:
        code, space = function.__code__, function.__globals__
        self._strict = self._refuse and not self._note(str(space.get("__name__")))
        self.functions.append(function)
        looked_up, attributes, imports = _uses(code)
        hiding = sorted(_HIDING & looked_up - space.keys())
        if hiding and self._strict:
            got = f"one with {hiding[0]}() in `{function.__qualname__}`"
            raise InputError(f"{_WANTED}; got {got}: write out the names it uses, or define it in a module")
        names = space.keys() if hiding else looked_up & space.keys()
        memos = _file_says(str(space.get("__name__")))[1]  # a run fills them, and they say nothing of it
        given = [(name, space[name]) for name in sorted(names - memos) if not name.startswith("__")]
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # not assigned yet
                given.append((name, cell.cell_contents))
        for module in [value for _, value in given if isinstance(value, types.ModuleType)]:
            given += self._of(module, attributes)
        for name, level, taken in imports:
            base = sources.absolute("." * level + name, str(space.get("__package__") or ""))
            for one in (base, *(f"{base}.{leaf}" for leaf in taken)):
                self._note(one)
            given += self._of(__import__(base, fromlist=["*"]), set(taken)) if base in self.modules else []
        given += [(str(i), value) for i, value in enumerate(function.__defaults__ or ())]
        given += [*sorted((function.__kwdefaults__ or {}).items()), *sorted(vars(function).items())]
        return compiled(code), [(name, self.say(value, name)) for name, value in given]

    def _of(self, module: types.ModuleType, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """What code may take from a module by an attribute; of installed packages only what was put in their place."""
        own = self._note(module.__name__) and module.__name__ in self.modules
        for name in sorted({*names} & vars(module).keys()):
            value, full = vars(module)[name], f"{module.__name__}.{name}"
            if isinstance(value, types.ModuleType):
                yield from self._of(value, names) if own and value.__name__ == full else ()
            elif hasattr(value, "__wrapped__") or isinstance(value, (types.FunctionType, type, np.ndarray, *_PLAIN)):
                yield from [(full, value)] if own or sources.is_own(str(getattr(value, "__module__", ""))) else ()

    def _note(self, name: str) -> bool:
        """Count a module in; whether there is a source, or a version, that says what it is."""
        if any(name == other or name.startswith(f"{other}.") for other in APART):
            return True
        module, top = sources.find(name), name.partition(".")[0]
        if module is None:
            return top in sys.stdlib_module_names
        (self.libraries if module.library else self.modules).add(top if module.library else name)
        return True


def _parts(value: Any) -> Iterable[tuple[Any, Any]] | None:
    """The parts of a value, each with its name; None if they would not say what it is."""
    kind = type(value)
    if kind in (list, tuple):
        return enumerate(value)
    if kind is dict:
        return [*enumerate(value), *((repr(key), one) for key, one in value.items())]
    if isinstance(value, type):
        return _of_class(value)
    if isinstance(value, Enum):
        return [("kind", kind), ("name", value.name)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [("kind", kind), *enumerate(value)]
    if is_dataclass(value) and kind.__dataclass_params__.frozen:
        return [("kind", kind), *((name, getattr(value, name)) for name in kind.__dataclass_fields__)]
    if isinstance(value, _BUILT_IN):  # of Python itself by name, a method of a value with the value
        owner = getattr(value, "__self__", None)
        return [(value.__qualname__, None if isinstance(owner, types.ModuleType | type) else owner)]
    if isinstance(value, np.ufunc | np.dtype):
        return [("repr", repr(value))]
    return [(name, getattr(value, name)) for name in _INSIDE[kind]] if kind in _INSIDE else None


def _of_class(cls: type) -> Iterator[tuple[str, Any]]:
    """Bases, fields and what is written in the body of a class, but not what Python generated."""
    yield from ((base.__qualname__, base) for base in cls.__bases__)
    yield "params", repr(vars(cls).get("__dataclass_params__"))
    for name, field in vars(cls).get("__dataclass_fields__", {}).items():
        yield name, tuple("none" if one is MISSING else one for one in (field.default, field.default_factory))
    for name, value in vars(cls).items():
        code = getattr(getattr(value, "__wrapped__", value), "__code__", None)
        data = name.startswith("__") or name == "_abc_impl" or inspect.isdatadescriptor(value)
        if isinstance(value, tuple(_INSIDE)) or (
            not code.co_qualname.startswith("__create_fn__") if code else not data
        ):
            yield name, value


@functools.cache
def _uses(code: types.CodeType) -> tuple[set[str], set[str], list[tuple[str, int, tuple[str, ...]]]]:
    """What code refers to: globals and builtins, all other names, and imports with the names that they take."""
    names, attributes, imports = set[str](), set[str](), []
    for part in _nested(code):
        steps = list(dis.get_instructions(part))
        names |= {one.argval for one in steps if one.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT"))}
        attributes |= set(part.co_names)
        for i, step in enumerate(steps):
            if step.opname == "IMPORT_NAME":  # two constants before it: the level, and the names
                imports.append((step.argval, steps[i - 2].argval, steps[i - 1].argval or ()))
    return names, attributes, imports


@functools.cache
def compiled(code: types.CodeType) -> str:
    """A hash of what a code object does: bytecode, names and constants; without line numbers and names of files."""
    return _hash(
        repr(([getattr(code, f"co_{one}") for one in _CODE.split()], [_constant(value) for value in code.co_consts]))
    )


def _constant(value: Any) -> Any:
    if isinstance(value, types.CodeType):
        return compiled(value)
    if isinstance(value, frozenset):  # its elements have no order
        return sorted(repr(_constant(element)) for element in value)
    return [_constant(one) for one in value] if isinstance(value, tuple) else (type(value).__name__, repr(value))


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for value in code.co_consts:
        yield from _nested(value) if isinstance(value, types.CodeType) else ()


def _require_current(functions: list[types.FunctionType], files: Mapping[str, Path]) -> None:
    """Refuse if a function in memory is not in its module's file, or a file changed while its module stayed loaded."""
    edited = []
    for function in functions:
        name, code = str(function.__globals__.get("__name__")), function.__code__
        spec: Any = getattr(sys.modules.get(name), "__spec__", None)
        # a loader of another kind changes the code
        if type(getattr(spec, "loader", None)) is SourceFileLoader and code.co_filename == spec.origin:
            edited += [] if (code.co_qualname, compiled(code)) in _file_says(name)[0] else [name]
    for name in files.keys() & sys.modules.keys():
        now = sys.modules[name].__spec__, files[name].read_bytes()
        seen = _first_seen.setdefault(name, now)
        edited += [name] if seen[0] is now[0] and seen[1] != now[1] else []
        _first_seen[name] = seen if seen[0] is now[0] else now
    if edited:
        file = sys.modules[edited[0]].__file__
        raise InputError(
            f"run: expected modules as their files say, got {edited[0]}, loaded before {file} changed: restart the "
            f"kernel, or importlib.reload({edited[0]}) and then every module that imports from it"
        )


def _file_says(name: str) -> tuple[set[tuple[str, str]], set[str]]:
    """Of a module's file its functions with hashes of their code, and its globals that begin empty."""
    module = sources.find(name)
    if module is None or module.library or module.file is None:
        return set(), set()
    try:
        return _text_says(module.file.read_bytes())
    except (OSError, SyntaxError, ValueError):  # gone, or no Python any more: nothing loaded is in it
        return set(), set()


@functools.lru_cache(maxsize=4096)
def _text_says(content: bytes) -> tuple[set[tuple[str, str]], set[str]]:
    tree = ast.parse(content)
    begun = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and node.value]
    empty = [node for node in begun if re.fullmatch(_MEMO, ast.unparse(node.value or node))]
    memos = {ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target) for node in empty}
    return {(one.co_qualname, compiled(one)) for one in _nested(compile(tree, "", "exec", dont_inherit=True))}, memos


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
