"""What a run really uses, as text that two runs share only if they compute the same.

Used by the cache, and by workers to see that they have loaded the same. It is the compiled code in memory that is
read, the run's and that of all functions that it leads to, with the values of the globals, defaults, attributes and
captured variables that the code names: two functions on one line differ, a new comment changes nothing. What a module
holds under its own name is a row of a table, so that another process can look the row up and compare. Of a notebook,
what has no such text is refused. Of a module it counts with its kind; the files that the run imports count as well.
"""

import contextlib
import hashlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from lib.errors import InputError
from lib.sweep import loaded, sources
from lib.sweep.parts import compiled, parts, uses
from lib.sweep.vectorise import Vectorised

__all__ = ["Described", "describe", "describe_run", "differing", "leave_out"]

# What a run's module imports to draw, to mark the run and to sweep it says nothing about the run's numbers; nor do
# these packages.
APART = {"lib.sweep"}
_PACKAGES_APART = {"anywidget", "dask", "distributed", "ipywidgets", "joblib", "matplotlib", "tqdm", "traitlets"}
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type(...))
_HIDING = {"eval", "exec", "globals"}  # builtins behind which code may use any global


class Described(NamedTuple):
    """What a run leads to, as it is loaded in this process."""

    code: str  # hash of the run itself and of what it carries along
    table: dict[str, str]  # "module:name" -> hash of what the module holds there
    modules: list[str]
    libraries: set[str]
    functions: list[types.FunctionType]


def leave_out(*modules: str) -> None:
    """Register modules, or packages with all below them, that say nothing about a run's numbers: what only draws."""
    APART.update(modules)


def describe_run(run: Callable[..., Any]) -> dict[str, str]:
    """Everything that decides what a run, anything that can be called and has a text, returns besides its settings.

    Returns:
        run (its name, for people), code (a hash of what is loaded), sources (a hash of the files), libraries (with
        versions) and python.

    Raises:
        InputError: if the run uses a value that has no such text, or if a module that it uses was edited after Python
            loaded it; the message names it.
    """
    found = describe(run)
    files, installed = sources.follow(found.modules, APART)
    loaded.require_current(found.functions, files)
    used = {*found.libraries, *installed, "numpy"} - _PACKAGES_APART
    return {
        "run": f"{getattr(run, '__module__', None)}.{getattr(run, '__qualname__', type(run).__qualname__)}",
        "code": _hash(repr((found.code, sorted(found.table.items())))),
        "sources": sources.digest(files.values()),
        "libraries": ", ".join(f"{name} {sources.version(name)}" for name in sorted(used)),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


def describe(run: Callable[..., Any], strict: bool = True) -> Described:
    """What is loaded here of a run and of all that it leads to.

    Args:
        run: anything that can be called.
        strict: refuse values without a text, which else count with their kind alone.

    Raises:
        InputError: if strict and the run carries a value that has no text; the message names it.
    """
    scribe = _Scribe(strict)
    code = _hash(repr(scribe.describe(run, getattr(run, "__qualname__", type(run).__qualname__))))
    table: dict[str, str] = {}
    while scribe.reached:
        place, value = scribe.reached.popitem()
        if place not in table:
            table[place] = scribe.row(value)
    return Described(code, table, sorted(scribe.modules), scribe.libraries, scribe.functions)


def differing(table: dict[str, str]) -> list[str]:
    """The rows of another process's table that are otherwise in this one, sorted; modules are imported as needed."""
    names = []
    for place, theirs in table.items():
        try:
            same = _Scribe(False).row(_held(place, load=True)) == theirs
        except ImportError:
            same = False
        if not same:
            names.append(place)
    return sorted(names)


_NOTHING = object()


def _held(place: str, load: bool = False) -> Any:
    """What stands in "module:path" of this process, `_NOTHING` if there is nothing."""
    module, _, path = place.partition(":")
    if load and module not in sys.modules:
        __import__(module)
    found: Any = sys.modules.get(module)
    for name in path.split("."):
        found = inspect.getattr_static(found, name, _NOTHING) if isinstance(found, type) else _attribute(found, name)
        if isinstance(found, staticmethod):
            found = found.__func__
    return found


def _attribute(value: Any, name: str) -> Any:
    return vars(value).get(name, _NOTHING) if isinstance(value, types.ModuleType) else getattr(value, name, _NOTHING)


class _Scribe:
    """Describes values; collects what stands in modules on the way, and the modules and packages themselves."""

    def __init__(self, strict: bool) -> None:
        self.modules: set[str] = set()
        self.libraries: set[str] = set()
        self.functions: list[types.FunctionType] = []
        self.reached: dict[str, Any] = {}  # "module:path" -> value, not yet in the table
        self._strict = strict
        self._begin()

    def _begin(self) -> None:
        self._names: list[str] = []  # from the run to the value at hand
        self._open: list[Any] = []  # the values on that way, to find the way out of a circle
        self._done: dict[int, tuple[Any, str]] = {}  # id -> value (held, so that the id stays its own) and hash

    def row(self, value: Any) -> str:
        """The hash of what a module holds, the same wherever in a description it is met."""
        self._begin()
        with self._leniently():
            self._open.append(value)
            return _hash(repr(self._contents(value)))

    def describe(self, value: Any, name: str) -> Any:
        """Text, or tuples of text, for a value that is known as `name`."""
        if type(value) in _PLAIN:
            return type(value).__name__, repr(value)
        for depth, other in enumerate(self._open):
            if other is value:
                return "again", depth
        if id(value) not in self._done:
            self._names.append(name)
            self._open.append(value)
            self._done[id(value)] = value, _hash(repr(self._described(value)))
            self._names.pop()
            self._open.pop()
        return self._done[id(value)][1]

    def _described(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return self._module(value)
        place = _place(value)
        if place is not None and self._note(place.partition(":")[0]):
            if place.partition(":")[0] in self.modules:
                self.reached[place] = value
            return "in", place
        return self._contents(value)

    def _contents(self, value: Any) -> Any:
        kind = type(value).__name__
        if isinstance(value, np.generic) and not value.dtype.hasobject:
            return kind, str(value.dtype), value.tobytes().hex()
        if type(value) is np.ndarray and not value.dtype.hasobject:
            return kind, str(value.dtype), value.shape, hashlib.sha256(value.tobytes()).hexdigest()
        if isinstance(value, Vectorised):
            return self.describe(inspect.unwrap(value), value.__qualname__)
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if type(value) in (set, frozenset):
            return kind, tuple(sorted(repr(self.describe(element, "an element")) for element in value))
        inside = parts(value)
        if inside is None:
            if self._strict:
                raise self._refusal(value)
            # of a module's own objects the fields, of those of packages the kind: they differ between processes
            own = sources.is_own(type(value).__module__)
            inside = sorted(getattr(value, "__dict__", {}).items()) if own else []
            kind = f"{type(value).__module__}.{kind}"
        return kind, tuple((name, self.describe(part, str(name))) for name, part in inside)

    def _function(self, function: types.FunctionType) -> Any:
        code, space = function.__code__, function.__globals__
        self.functions.append(function)
        used = uses(code)
        for module, level, taken in used.imports:
            base = sources.absolute("." * level + module, str(space.get("__package__") or ""))
            for name in (base, *(f"{base}.{leaf}" for leaf in taken)):
                self._note(name)
            for leaf in taken:
                self._reach(vars(sys.modules[base]).get(leaf) if base in sys.modules else None)
        names = [name for name in used.names if name in space]
        if hiding := sorted(_HIDING & set(used.names) - space.keys()):
            if self._strict:
                raise InputError(
                    f"run: expected a run whose code names what it uses, when cached; got one with {hiding[0]}() in "
                    f"`{function.__qualname__}`: write the names out, or define it in a module"
                )
            names = sorted(name for name in space if not name.startswith("__"))
        memos = loaded.memos(space)
        variables = [(name, space[name]) for name in names if name not in memos]
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                variables.append((name, cell.cell_contents))
            except ValueError:  # not assigned yet
                variables.append((name, "no value"))
        held = [
            found for _, value in variables if isinstance(value, types.ModuleType) for found in self._of(value, used)
        ]
        defaults = [*enumerate(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items())]
        given = [*defaults, *sorted(vars(function).items())]
        return (
            compiled(code),
            tuple((str(name), self.describe(value, str(name))) for name, value in given),
            tuple((name, self.describe(value, name)) for name, value in variables),
            tuple(held),
        )

    def _of(self, module: types.ModuleType, used: Any, below: str = "") -> Iterator[tuple[str, Any]]:
        """What code may take from a module by an attribute; of installed packages only what was put in their place."""
        own = self._note(module.__name__) and module.__name__ in self.modules
        for name in sorted(used.attributes & vars(module).keys()):
            value, label = vars(module)[name], f"{below}{module.__name__}.{name}"
            if isinstance(value, types.ModuleType):
                if own and value.__name__ == f"{module.__name__}.{name}" and self._note(value.__name__):
                    yield from self._of(value, used)
            elif own or (isinstance(value, types.FunctionType | type) and sources.is_own(value.__module__)):
                with self._leniently():
                    yield label, self.describe(value, name)

    def _module(self, module: types.ModuleType) -> Any:
        if not self._note(module.__name__) and self._strict:
            raise self._refusal(module)
        return "module", module.__name__

    def _reach(self, value: Any) -> None:
        """Put a function or class that a module holds into the table, wherever it is imported."""
        place = _place(value) if isinstance(value, types.FunctionType | type | Vectorised) else None
        if place and self._note(place.partition(":")[0]) and place.partition(":")[0] in self.modules:
            self.reached[place] = value

    def _note(self, name: str) -> bool:
        """Count a module in; whether there is a source, or a version, that says what it is."""
        if any(name == other or name.startswith(f"{other}.") for other in APART):
            return True
        module = sources.find(name)
        if module is None:
            return name.partition(".")[0] in sys.stdlib_module_names
        if module.library:
            self.libraries.add(name.partition(".")[0])
        else:
            self.modules.add(name)
        return True

    @contextlib.contextmanager
    def _leniently(self) -> Iterator[None]:
        before, self._strict = self._strict, False
        yield
        self._strict = before

    def _refusal(self, value: Any) -> InputError:
        what = "the run itself" if len(self._names) == 1 else f"`{self._names[-1]}`"
        inside = f" in `{self._names[-2]}`" if len(self._names) > 2 else ""
        kind = f"a {type(value).__qualname__} of {type(value).__module__}"
        return InputError(
            "run: expected a run that uses numbers, text, arrays, functions and modules only, when cached; "
            f"got one that uses {what}{inside}, {kind}: pass it as a setting, or define it in a module"
        )


def _place(value: Any) -> str | None:
    """The "module:path" under which a module holds this very value by its own name; None if none does."""
    module, path = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(path, str) or module == "__main__" or "<" in path:
        return None
    return f"{module}:{path}" if _held(f"{module}:{path}") is value else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
