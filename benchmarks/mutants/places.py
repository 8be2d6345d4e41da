"""All mutants of the library's formulas, and the order in which a seed takes them.

A mutant replaces one expression of one file. Its key, file, function, operator and change, says which one it is as long
as the formula stands, wherever lines move.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

from benchmarks.mutants.operators import OPERATORS, Operator

LIBRARY = Path("src", "lib")  # in the repository; the book shows, draws and claims what stands there
#: What of the library holds no formulas, by the beginning of its path; all else does.
WITHOUT = {
    "errors.py": "words of refusals",
    "sweep/": "which settings are run where, and what is remembered of them",
    "portable/translation/": "a compiler: its formulas are other people's programs",
}
REFUSALS = ("require", "InputError", "DivergedError", "isinstance", "warn")


class Mutant(NamedTuple):
    """One broken formula."""

    file: str  # below the library, "theory/scb/prox.py"
    where: str  # the function or method, outermost; "" at the level of the module
    operator: str
    before: str
    after: str
    nth: int  # 1, or which of several equal ones in that function
    line: int
    span: tuple[int, int]  # bytes of the source that are replaced
    text: str  # what stands there instead

    @property
    def key(self) -> str:
        """Which one it is, in one line."""
        again = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.file} {self.where or 'module'}: {self.operator}: {self.before} -> {self.after}{again}"

    @property
    def function(self) -> str:
        """The function as a watcher names it: file and name."""
        return f"{self.file}:{self.where}"


def mutants_of(source: str, file: str, operators: Mapping[str, Operator] = OPERATORS) -> list[Mutant]:
    """All mutants of one file, in the order of its text.

    Args:
        source: the text of the file.
        file: its path below the library.
        operators: by name.

    Raises:
        SyntaxError: if the source is not Python.
    """
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found: list[Mutant] = []
    seen: dict[tuple[str, ...], int] = defaultdict(int)
    for node, where in _formulas(ast.parse(source)):
        for name, operator in operators.items():
            for old, new in operator(node):
                before, after = _one_line(old), _one_line(new)
                if before == after:
                    continue
                seen[where, name, before, after] += 1
                span = tuple(
                    starts[line - 1] + column
                    for line, column in ((old.lineno, old.col_offset), (old.end_lineno, old.end_col_offset))
                )
                text = after if isinstance(old, ast.stmt) else f"({after})"
                nth = seen[where, name, before, after]
                found.append(Mutant(file, where, name, before, after, nth, old.lineno, span, text))
    return found


def apply(source: str, mutant: Mutant) -> str:
    """The text of the file with the formula broken."""
    content, (start, end) = source.encode(), mutant.span
    return (content[:start] + mutant.text.encode() + content[end:]).decode()


def formula_files(library: Path) -> list[str]:
    """The files that hold formulas, as paths below the library, sorted."""
    found = [path.relative_to(library).as_posix() for path in library.rglob("*.py")]
    return sorted(name for name in found if not name.startswith(tuple(WITHOUT)))


def sequence(by_file: Mapping[str, Sequence[Mutant]], seed: int) -> list[Mutant]:
    """All mutants in the order in which a seed takes them: files in turn, within a file operators in turn.

    Each order is that of hashes of the seed with a name, so that a new file, or a new formula in an old one, leaves
    nearly all of a sample as it is.

    Args:
        by_file: the mutants of each file.
        seed: of the order of files, operators and places.
    """

    def place(name: str) -> str:
        return sha256(f"{seed} {name}".encode()).hexdigest()

    rows = []
    for file in sorted(by_file, key=place):
        kinds: dict[str, list[Mutant]] = defaultdict(list)
        for mutant in sorted(by_file[file], key=lambda mutant: place(mutant.key)):
            kinds[mutant.operator].append(mutant)
        rows.append(_in_turn([kinds[name] for name in sorted(kinds, key=lambda name: place(f"{file} {name}"))]))
    return _in_turn(rows)


def all_mutants(library: Path, seed: int) -> list[Mutant]:
    """The mutants of the library's formulas in the order of a seed."""
    return sequence({file: mutants_of((library / file).read_text(), file) for file in formula_files(library)}, seed)


def _in_turn(rows: Sequence[Sequence[Mutant]]) -> list[Mutant]:
    return [mutant for turn in zip_longest(*rows) for mutant in turn if mutant is not None]


def _formulas(node: ast.AST, where: tuple[str, ...] = (), inner: bool = False) -> Iterator[tuple[ast.AST, str]]:
    """Every node that may be part of a formula, and the outermost function it stands in."""
    for child in _parts(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef) and not inner:
            yield from _formulas(child, (*where, child.name), isinstance(child, ast.FunctionDef))
        else:
            yield child, ".".join(where)
            yield from _formulas(child, where, inner)


def _parts(node: ast.AST) -> list[ast.AST]:
    """The children of a node without annotations, decorators, documentation, refusals and their conditions."""
    if isinstance(node, ast.FunctionDef):
        defaults = [value for value in (*node.args.defaults, *node.args.kw_defaults) if value is not None]
        return [child for child in chain(defaults, node.body) if not _refuses(child)]
    if isinstance(node, ast.ClassDef):
        return [child for child in node.body if not _refuses(child)]
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value is not None else []
    return [child for child in ast.iter_child_nodes(node) if not _refuses(child)]


def _refuses(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or _refuses(node.value)
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", getattr(node.func, "attr", "")) in REFUSALS
    if isinstance(node, ast.If):
        return isinstance(node.body[0], ast.Raise)
    return isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom)


def _one_line(node: ast.AST) -> str:
    return " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
