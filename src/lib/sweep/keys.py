"""What a run really uses, as text that two runs share only if they compute the same.

Used by the cache. A function of a module counts with that module's file and all that it imports. A function of a
notebook, a nested one or a lambda counts with its code, and with the values of the globals, defaults and captured
variables that the code names, and so on through the functions and classes among them. It is the compiled code that is
read: two functions on one line differ, a new comment changes nothing. What has no such text is refused.
"""

import hashlib
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from lib.errors import InputError
from lib.sweep import sources
from lib.sweep.parts import instructions, parts, uses
from lib.sweep.vectorise import Vectorised

__all__ = ["describe_run", "leave_out"]

# What a run's module imports to draw, to mark the run and to sweep it says nothing about the run's numbers; nor do
# these packages.
_APART = {"lib.sweep"}
_PACKAGES_APART = {"anywidget", "dask", "distributed", "ipywidgets", "joblib", "matplotlib", "tqdm", "traitlets"}
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type(...))


def leave_out(*modules: str) -> None:
    """Register modules, or packages with all below them, that say nothing about a run's numbers: what only draws."""
    _APART.update(modules)


def describe_run(run: Callable[..., Any]) -> dict[str, str]:
    """Everything that decides what a run, anything that can be called and has a text, returns besides its settings.

    A module that was edited after Python loaded it counts as it stands on disk: start the kernel anew first.

    Returns:
        run (its name, for people), code (a hash of what was described), sources (a hash of the files), libraries (with
        versions) and python.

    Raises:
        InputError: if the run uses a value that has no such text; the message names it.
    """
    scribe = _Scribe()
    text = repr(scribe.describe(run, getattr(run, "__qualname__", type(run).__qualname__)))
    modules = sorted(scribe.modules)
    used = {*scribe.libraries, *sources.libraries(modules, _APART), "numpy"} - _PACKAGES_APART
    return {
        "run": f"{getattr(run, '__module__', None)}.{getattr(run, '__qualname__', type(run).__qualname__)}",
        "code": _hash(text),
        "sources": sources.digest(sources.source_files(modules, _APART)),
        "libraries": ", ".join(f"{name} {sources.version(name)}" for name in sorted(used)),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


class _Scribe:
    """Describes values; collects the modules and the installed packages that they lead to."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.libraries: set[str] = set()
        self._names: list[str] = []  # from the run to the value at hand
        self._open: list[Any] = []  # the values on that way, to find the way out of a circle
        self._done: dict[int, tuple[Any, str]] = {}  # id -> value (held, so that the id stays its own) and hash

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
        kind = type(value).__name__
        if isinstance(value, np.generic) and not value.dtype.hasobject:
            return kind, str(value.dtype), value.tobytes().hex()
        if type(value) is np.ndarray and not value.dtype.hasobject:
            return kind, str(value.dtype), value.shape, hashlib.sha256(value.tobytes()).hexdigest()
        if isinstance(value, types.ModuleType):
            if not self._note(value.__name__):
                raise self._refusal(value)
            return kind, value.__name__
        if isinstance(value, Vectorised):
            return self.describe(inspect.unwrap(value), value.__qualname__)
        if self._imported(value):
            return "imported", value.__module__, value.__qualname__
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if type(value) in (set, frozenset):
            return kind, tuple(sorted(repr(self.describe(element, "an element")) for element in value))
        inside = parts(value)
        if inside is None:
            raise self._refusal(value)
        return kind, tuple((name, self.describe(part, name)) for name, part in inside)

    def _function(self, function: types.FunctionType) -> Any:
        code, space = function.__code__, function.__globals__
        used = uses(code)
        for module, level, taken in used.imports:
            base = sources.absolute("." * level + module, str(space.get("__package__") or ""))
            for name in (base, *(f"{base}.{leaf}" for leaf in taken)):
                self._note(name)
        variables = [(name, space[name]) for name in used.names if name in space]
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                variables.append((name, cell.cell_contents))
            except ValueError:  # not assigned yet
                variables.append((name, "no value"))
        for _, value in variables:
            if isinstance(value, types.ModuleType):
                self._submodules(value.__name__, used.attributes)
        defaults = [*enumerate(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items())]
        return (
            self._code(code),
            tuple((str(name), self.describe(value, str(name))) for name, value in defaults),
            tuple((name, self.describe(value, name)) for name, value in variables),
        )

    def _code(self, code: types.CodeType) -> Any:
        constants = (
            self._code(value) if isinstance(value, types.CodeType) else self.describe(value, "a constant")
            for value in code.co_consts
        )
        return instructions(code), tuple(constants)

    def _imported(self, value: Any) -> bool:
        """Whether a value is what its module holds under its name, so that the module's sources say what it is."""
        module, path = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        if not isinstance(module, str) or not isinstance(path, str) or module == "__main__":
            return False
        found: Any = sys.modules.get(module)
        for name in path.split("."):
            found = getattr(found, name, None)
        return (found is value or getattr(found, "__wrapped__", None) is value) and self._note(module)

    def _note(self, name: str) -> bool:
        """Count a module in; whether there is a source, or a version, that says what it is."""
        module = sources.find(name)
        if module is None:
            return name.partition(".")[0] in sys.stdlib_module_names
        if module.library:
            self.libraries.add(name.partition(".")[0])
        else:
            self.modules.add(name)
        return True

    def _submodules(self, package: str, attributes: Iterable[str]) -> None:
        """Count in what is reached as `package.module`, however deep."""
        for name in attributes:
            below = f"{package}.{name}"
            if below in sys.modules and self._note(below):
                self._submodules(below, attributes)

    def _refusal(self, value: Any) -> InputError:
        what = "the run itself" if len(self._names) == 1 else f"`{self._names[-1]}`"
        inside = f" in `{self._names[-2]}`" if len(self._names) > 2 else ""
        kind = f"a {type(value).__qualname__} of {type(value).__module__}"
        return InputError(
            "run: expected a run that uses numbers, text, arrays, functions and modules only, when cached; "
            f"got one that uses {what}{inside}, {kind}: pass it as a setting, or define it in a module"
        )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
