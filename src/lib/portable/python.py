"""What Python needs beside portable code: settings by name, which in the page its host makes, and a reader's text run
to the numbers of the page."""

import ast
import importlib
import sys
from collections.abc import Iterable, Mapping
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, ClassVar, TypeVar, get_type_hints

from lib.errors import InputError, is_whole, require
from lib.portable import primitives

__all__ = ["Changed", "run_bound", "settings_from"]

Settings = TypeVar("Settings", bound=tuple[Any, ...])


def settings_from(kind: type[Settings], values: Mapping[str, Any]) -> Settings:
    """A NamedTuple of settings (int, float, Vector) from some values, name -> number; the others keep their defaults.

    A whole number for a float becomes one, as it is in the page; an unknown name, or what is no number of its kind, is
    refused.

    Example:
        >>> from typing import NamedTuple
        >>> class Sizes(NamedTuple):
        ...     T: int = 64
        ...     lr: float = 0.1
        >>> settings_from(Sizes, {"lr": 1})
        Sizes(T=64, lr=1.0)
    """
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for name, value in values.items():
        require(name in hints, "settings", f"some of {', '.join(hints)}", name)
        if hints[name] is int:
            require(is_whole(value), name, "a whole number", value)
            given[name] = int(value)
        elif hints[name] == list[float]:
            given[name] = [float(v) for v in value]
        else:
            try:
                given[name] = float(value)
            except (TypeError, ValueError):
                raise InputError(f"{name}: expected a number, got {value!r}") from None
    return kind(**given)


class _Bound(ast.NodeTransformer):
    """Powers, and what is imported of `math` and `numpy`, become the functions of `lib.portable.ordinary`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.copy_location(ast.Call(ast.Name("pow", ast.Load()), [node.left, node.right], []), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        old = ast.parse(ast.unparse(node.target), mode="eval").body
        new = ast.Call(ast.Name("pow", ast.Load()), [old, node.value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([node.target], new), node))

    def visit_Import(self, node: ast.Import) -> ast.AST:  # noqa: N802
        kept = [alias for alias in node.names if alias.name not in ("math", "numpy")]
        ours = [alias for alias in node.names if alias.name in ("math", "numpy")]
        names = [ast.alias("SPACE", alias.asname or alias.name) for alias in ours]
        lines: list[ast.stmt] = [ast.Import(kept)] if kept else []
        return [ast.copy_location(line, node) for line in [*lines, ast.ImportFrom(__name__, names, 0)] if line.names]  # type: ignore[return-value, attr-defined]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:  # noqa: N802
        if node.module not in ("math", "numpy"):
            return node
        lines = [f"{alias.asname or alias.name} = {__name__}.SPACE.{alias.name}" for alias in node.names]
        return [ast.copy_location(line, node) for line in ast.parse("; ".join([f"import {__name__}", *lines])).body]  # type: ignore[return-value]


def _pow(x: float, y: float) -> float:
    """x to the y, whole numbers of whole numbers, as the page has it."""
    return x**y if isinstance(x, int) and isinstance(y, int) and y >= 0 else SPACE.power(float(x), float(y))


def _sum(values: Iterable[float]) -> float:
    """The sum, added from the first to the last; Python's own adds otherwise since 3.12."""
    result: float = 0
    for x in values:
        result += x
    return result


class _Space:
    """`math` and `numpy`, for a reader's numbers; looked up when it is asked, in what is imported then."""

    own: ClassVar[dict[str, Any]] = {
        "abs": abs, "fabs": abs, "absolute": abs, "max": max, "maximum": max, "min": min, "minimum": min, "sum": _sum,
        "pow": _pow, "round": round, "ndarray": list, "float64": float,
    }  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name in self.own:
            return self.own[name]
        ordinary = importlib.import_module("lib.portable.ordinary")
        return getattr(ordinary if hasattr(ordinary, name) else primitives, name)


SPACE = _Space()


def run_bound(text: str, module: ModuleType, file: str = "") -> ModuleType:
    """Run a reader's text in a module, with powers, sums, and the functions of `math` and `numpy` as the page has them."""
    module.__dict__.update(pow=_pow, sum=_sum)
    tree = ast.fix_missing_locations(_Bound().visit(ast.parse(text.removeprefix("\ufeff"))))
    exec(compile(tree, file or module.__name__, "exec", dont_inherit=True), module.__dict__)
    return module


class Changed(MetaPathFinder, Loader):
    """A reader's texts in place of modules of the library, for all that is imported from now on.

    Args:
        texts: name of a module -> its text.

    Example:
        >>> with Changed({"lib.portable.small_example": "HALF = 0.5 ** 1"}):
        ...     importlib.import_module("lib.portable.small_example").HALF
        0.5
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def __enter__(self) -> None:
        self.before = {name: made for name, made in sys.modules.items() if name.startswith(("lib.", "hal."))}
        for name in self.before:
            if name not in (__name__, primitives.__name__, "lib.errors"):
                del sys.modules[name]
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        for name in [name for name in sys.modules if name.startswith(("lib.", "hal."))]:
            del sys.modules[name]
        sys.modules.update(self.before)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Where a module of this name comes from: here, if its text is."""
        return ModuleSpec(name, self) if name in self.texts else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text of a module."""
        run_bound(self.texts[module.__name__], module)
