"""What Python needs beside portable code: settings by name, which in the page its host makes, and a reader's text run
to the numbers of the page."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from functools import reduce
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from operator import add
from types import ModuleType

from lib.portable import primitives

__all__ = ["Changed", "run_bound"]

ORDINARY = "lib.portable.ordinary"
OURS = ("math", "numpy")


class _Bound(ast.NodeTransformer):
    """Powers become calls of `pow`, and `math` and `numpy` are `lib.portable.ordinary`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _power(node.left, node.right) if isinstance(node.op, ast.Pow) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.Assign([node.target], _power(ast.parse(ast.unparse(node.target), mode="eval").body, node.value))

    def visit_Import(self, node: ast.Import) -> ast.AST:
        ours = [alias for alias in node.names if alias.name in OURS]
        for alias in ours:
            alias.name, alias.asname = ORDINARY, alias.asname or alias.name
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        node.module = ORDINARY if node.module in OURS else node.module
        return node


def _power(x: ast.expr, y: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("pow", ast.Load()), [x, y], [])


def _pow(x: float, y: float) -> float:
    """x to the y, whole numbers of whole numbers, as the page has it."""
    from lib.portable.ordinary import pow as power  # the one that a reader may have changed

    return x**y if isinstance(x, int) and isinstance(y, int) and y >= 0 else power(float(x), float(y))


def run_bound(text: str, module: ModuleType, file: str = "") -> ModuleType:
    """Run a reader's text in a module, where powers, sums, `math` and `numpy` are the page's."""
    sys.modules[module.__name__] = module  # dataclasses look their module up
    module.__dict__.update(pow=_pow, sum=lambda values: reduce(add, values, 0))
    tree = ast.fix_missing_locations(_Bound().visit(ast.parse(text.removeprefix("\ufeff"))))
    code = compile(tree, file or module.__name__, "exec", annotations.compiler_flag, dont_inherit=True)
    exec(code, module.__dict__)
    return module


def _book() -> dict[str, ModuleType]:
    """The book's modules that are imported, by name."""
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] in ("lib", "hal")}


class Changed(MetaPathFinder, Loader):
    """A reader's texts in place of modules of the library, for all that is imported from now on.

    Args:
        texts: name of a module -> its text.

    Example:
        >>> with Changed({"lib.portable.small": "def cube(x: float) -> float:\\n    return x**3"}):
        ...     from lib.portable.small import cube
        >>> cube(2.0)
        8.0
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def __enter__(self) -> None:
        self.before = _book()
        for name in self.before:
            if name not in (__name__, primitives.__name__, "lib.errors"):
                del sys.modules[name]
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        for name in _book():
            del sys.modules[name]
        sys.modules.update(self.before)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Where a module of this name comes from: here, if its text is."""
        return ModuleSpec(name, self) if name in self.texts else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text of a module."""
        run_bound(self.texts[module.__name__], module)
