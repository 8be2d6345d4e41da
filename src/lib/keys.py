"""What a run really uses, as text that two runs share only if they compute the same.

That is its compiled code and that of the functions and classes that it leads to, as they are loaded, with the values of
what this code names, and the files and versions of all modules met on the way. A value of a notebook that may hold
anything is refused; one of a module that cannot be pickled counts with its kind. A module that was edited after Python
loaded it is refused. What is imported by a text that is computed is not seen. All refusals are an `InputError`.
"""

import contextlib
import dis
import functools
import hashlib
import importlib.util
import inspect
import io
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from importlib import metadata
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from lib.errors import require

__all__ = ["describe", "describe_run"]

_HIDING = {"eval", "exec", "globals"}  # builtins behind which code may use any global
_BY_TEXT = {"getattr", "vars", "__dict__", "attrgetter"}  # by which code may take anything from a module
_CODE = "name argcount posonlyargcount kwonlyargcount flags exceptiontable code names varnames freevars cellvars consts"
_IN_CLASSES = (FunctionType, staticmethod, classmethod, property, functools.cached_property)
_DATA = (type(None), type(...), int, float, complex, str, bytes, range, slice, list, tuple, dict, np.ndarray,
         np.generic, np.dtype, Enum, functools.partial, MethodType, BuiltinFunctionType)  # fmt: skip
_first_seen: dict[str, tuple[Any, bytes]] = {}  # module -> its spec, new with every loading, and what its file said


def describe_run(run: Callable[..., Any], refuse: bool = True) -> dict[str, str]:
    """Everything that decides what a run, anything that can be called, returns besides its settings, by name.

    An edited module is refused, and with `refuse` a value that may hold anything; the message names it.
    """
    scribe, name = _Scribe(), getattr(run, "__qualname__", f"<{type(run).__qualname__}>")
    strict = refuse and ("<" in name or not scribe.place(str(run.__module__)))
    loaded, before = {"": scribe.say(run, name, strict)}, 0
    while before < len(loaded) + len(scribe.modules):  # what is loaded leads to more functions and modules
        before = len(loaded) + len(scribe.modules)
        for full, (value, strict) in scribe.used(refuse).items():
            loaded[full] = loaded.get(full) or scribe.say(value, full, strict)
    files = {name: path.read_bytes() for name, path in scribe.files.items()}
    _require_current(scribe.functions.values(), files)
    return {
        "code": _hash(sorted(loaded.items())),
        "sources": _hash(sorted((name, content.replace(b"\r\n", b"\n")) for name, content in files.items())),
        "libraries": ", ".join(f"{one} {_version(one)}" for one in sorted({*scribe.libraries, "numpy"})),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


def describe(point: Mapping[str, Any]) -> str:
    """Settings as text, the same for equal ones of the same types and no others; refused if they are more than data."""
    scribe = _Scribe()
    said = sorted((name, scribe.say(value, name, True)) for name, value in point.items())
    require(not scribe.functions and not scribe.files, "points", "settings that are data, when cached", point)
    return repr(said)


class _Scribe:
    """Says what values are; collects the functions, the modules, their files and the packages met on the way."""

    def __init__(self) -> None:
        self.functions: dict[int, FunctionType] = {}
        self.modules: set[str] = set()
        self.files: dict[str, Path] = {}
        self.libraries: set[str] = set()

    def say(self, value: Any, name: str, strict: bool) -> str:
        """Text for a value; one that may hold anything is refused if `strict`, and else counts with its kind."""
        writer = _Writer(self, strict)
        try:
            writer.dump(value)
        except Exception as error:  # pickling raises many kinds
            wanted = "numbers, text, arrays, functions and modules, or else settings or what is defined in a module"
            require(not strict, name.rpartition(".")[2], f"{wanted}, when cached", error)
            return f"{type(value)} {getattr(value, '__qualname__', '')}"
        return hashlib.sha256(writer.written.getvalue()).hexdigest()

    def used(self, refuse: bool) -> dict[str, tuple[Any, bool]]:
        """The globals of the functions met, and what these may take from modules, with whether it is a notebook's."""
        found, taken, whole = dict[str, tuple[Any, bool]](), set[str](), set[str]()
        for function in self.functions.values():
            space, (looked_up, names, imports) = function.__globals__, _uses(function.__code__)
            home, hiding = str(space.get("__name__")), _HIDING & looked_up - space.keys()
            strict = refuse and not self.place(home)
            require(
                not (hiding and strict),
                "run",
                "names that are written out, when cached",
                f"{min(hiding, default='')}()",
            )
            used = {name: one for name, one in space.items() if (hiding or name in looked_up) and name[:2] != "__"}
            found |= {f"{home}.{name}": (one, strict) for name, one in used.items()}
            modules = {one.__name__ for one in used.values() if isinstance(one, ModuleType)}
            modules |= {importlib.util.resolve_name(name, space.get("__package__")) for name in imports}
            self.modules |= modules
            whole |= modules if _BY_TEXT & (looked_up | names) else set()
            taken |= {name for name in names if "." not in name and name[:2] != "__"}
        for base in sorted(self.modules):
            if self.place(base) == "source":
                space = vars(importlib.import_module(base))
                inside = {f"{base}.{name}" for name in taken if "__path__" in space}
                self.modules |= {name for name in inside if importlib.util.find_spec(name)}
                named = {f"{base}.{name}": one for name, one in space.items() if base in whole or name in taken}
                found |= {name: (one, False) for name, one in named.items() if getattr(one, "__name__", "") != name}
        return dict(sorted(found.items()))

    def place(self, name: str) -> str:
        """What says what a module is, its "source" or a "version", or nothing; it is counted in."""
        top, found = name.partition(".")[0], None
        if top in sys.stdlib_module_names or name == __name__:  # a key does not depend on how keys are made
            return "version"
        if top == "__main__":  # a notebook; of `python -m` it is the file of the command
            return ""
        with contextlib.suppress(ImportError, ValueError):  # what was made by hand has none
            spec = importlib.util.find_spec(top)
            if spec is not None and "-packages" in f"{spec.origin} {spec.submodule_search_locations}" and top != "lib":
                self.libraries.add(top)  # in site-packages or, on Debian, dist-packages
                return "version"
            found = importlib.util.find_spec(name)
        self.files |= {name: Path(found.origin)} if found and found.has_location and found.origin else {}
        return "source" if found else ""


class _Writer(pickle._Pickler):  # the one in Python, which asks about every value
    """Pickles a value to the same bytes wherever it is equal, and functions, classes and modules as what they do."""

    def __init__(self, scribe: _Scribe, strict: bool) -> None:
        self.written, self.scribe, self.strict, self.open = io.BytesIO(), scribe, strict, set[int]()
        super().__init__(self.written, 4)

    def memoize(self, value: Any) -> None:
        """Equal texts and tuples may be one object here and two elsewhere."""
        if not isinstance(value, str | bytes | tuple):
            super().memoize(value)  # type: ignore[misc]  # it has one

    def reducer_override(self, value: Any) -> Any:
        """How pickle shall write a value; NotImplemented leaves it to pickle."""
        kind, home, path = type(value), getattr(value, "__module__", None), getattr(value, "__qualname__", "<")
        if value is str or value is tuple:
            return NotImplemented
        place = self.scribe.place(home) if isinstance(home, str) else ""
        if isinstance(value, ModuleType) and self.scribe.place(value.__name__):
            self.scribe.modules.add(value.__name__)
            return str, (value.__name__,)
        if kind in (set, frozenset):
            return kind, (sorted(self.scribe.say(one, "an element", self.strict) for one in value),)
        if isinstance(value, np.ufunc):
            return str, (repr(value),)
        if isinstance(value, CodeType):
            return tuple, ([getattr(value, f"co_{one}") for one in _CODE.split()],)
        if isinstance(value, FunctionType | type):
            if (place == "version" and "<" not in path) or id(value) in self.open:
                return str, (f"{home}.{path}",)
            self.open.add(id(value))
            if isinstance(value, FunctionType):
                self.scribe.functions[id(value)] = value
                given = value.__defaults__, value.__kwdefaults__, vars(value), inspect.getclosurevars(value).nonlocals
                return tuple, ([compiled(value.__code__), *given],)
            own = {name for name, one in vars(value).items() if name[0] != "_" and not inspect.isdatadescriptor(one)}
            body = {name: one for name, one in vars(value).items() if name in own or isinstance(one, _IN_CLASSES)}
            return tuple, ([path, value.__bases__, body],)
        if isinstance(value, _IN_CLASSES):
            return tuple, ([getattr(value, one, None) for one in ("__func__", "fget", "fset", "fdel", "func")],)
        if hasattr(value, "__wrapped__") and kind is not MethodType:
            return tuple, ([inspect.unwrap(value)],)  # behind a cache, or marked as vectorised
        frozen = getattr(getattr(kind, "__dataclass_params__", None), "frozen", kind.__module__ == "dataclasses")
        if self.strict and not isinstance(value, _DATA) and not frozen:
            raise TypeError(f"a {kind.__qualname__} of {kind.__module__}")
        return NotImplemented


@functools.cache
def _uses(code: CodeType) -> tuple[set[str], set[str], set[str]]:
    """What code refers to: globals and builtins, all names, and modules that it imports."""
    looked_up, names, imports = set[str](), set[str](), set[str]()
    for part in [code, *_nested(code)]:
        steps = list(dis.get_instructions(part))
        looked_up |= {one.argval for one in steps if one.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM"))}
        names |= set(part.co_names)
        for level, _, one in zip(steps, steps[1:], steps[2:], strict=False):
            imports |= {"." * level.argval + one.argval} if one.opname == "IMPORT_NAME" else set()
    return looked_up, names, imports


@functools.cache
def compiled(code: CodeType) -> str:
    """A hash of what a code object does: bytecode, names and constants; without line numbers and names of files."""
    return _Scribe().say(code, code.co_name, False)


def _nested(code: CodeType) -> Iterator[CodeType]:
    for value in code.co_consts:
        yield from (value, *_nested(value)) if isinstance(value, CodeType) else ()


def _require_current(functions: Iterable[FunctionType], files: dict[str, bytes]) -> None:
    """Refuse if a function in memory is not in its module's file, or a file changed while its module stayed loaded."""
    for name in sorted(files.keys() & sys.modules.keys()):
        spec: Any = sys.modules[name].__spec__
        if name not in _first_seen or _first_seen[name][0] is not spec:
            _first_seen[name] = spec, files[name]
        mine = [one.__code__ for one in functions if one.__globals__.get("__name__") == name]
        # a loader of another kind changes the code
        mine = [one for one in mine if one.co_filename == spec.origin and type(spec.loader) is SourceFileLoader]
        current = _first_seen[name][1] == files[name] and {*map(compiled, mine)} <= _codes(files[name])
        wanted = f"modules as their files say (restart, or importlib.reload({name}) and then all that import from it)"
        require(current, "run", wanted, f"{name}, loaded before its file changed")


@functools.lru_cache(maxsize=4096)
def _codes(content: bytes) -> set[str]:
    """Hashes of all code in a file; none of what is no Python any more."""
    with contextlib.suppress(SyntaxError, ValueError):
        return {compiled(one) for one in _nested(compile(content, "", "exec", dont_inherit=True))}
    return set()


@functools.cache
def _version(library: str) -> str:
    """The version of an installed package by the name it is imported under."""
    with contextlib.suppress(metadata.PackageNotFoundError):  # as for PIL, which is in pillow
        return metadata.version(library)
    return str(getattr(importlib.import_module(library), "__version__", "unknown"))


def _hash(said: Any) -> str:
    return hashlib.sha256(repr(said).encode()).hexdigest()
