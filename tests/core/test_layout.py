"""The layout of the library: no module hidden behind a function of its name, packages that say what they offer."""

import ast
import importlib
import pkgutil
from collections.abc import Iterable

import pytest

from tests.packages import modules, name_of

PACKAGES = [path for path in modules() if path.name == "__init__.py"]


def shadowed(source: str, package: str, modules: Iterable[str]) -> list[str]:
    """Submodules whose name an `__init__` gives to something else, told by its text: an import would hide the fault."""
    imports = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom) and node.module != package]
    names = {alias.asname or alias.name for node in imports for alias in node.names}
    return sorted(names & set(modules))


def offers(source: str, package: str) -> list[str]:
    """What is wrong with what an `__init__` offers; nothing is asked of one that imports nothing of its own package."""
    body = ast.parse(source).body
    own = [n for n in body if isinstance(n, ast.ImportFrom) and (n.level or f"{n.module}.".startswith(f"{package}."))]
    names = {alias.asname or alias.name for node in own for alias in node.names}
    if not names:
        return []
    given = [n.value for n in body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
    if not given:
        return ["no __all__"]
    if not isinstance(given[0], ast.List) or not all(isinstance(e, ast.Constant) for e in given[0].elts):
        return ["__all__ is computed"]
    missing = sorted({name for name in names if not name.startswith("_")} - set(ast.literal_eval(given[0])))
    return [f"{name} is imported and not offered" for name in missing]


@pytest.mark.parametrize("path", PACKAGES, ids=name_of)
def test_no_module_is_hidden_behind_a_function_of_its_name(path):
    package = importlib.import_module(name_of(path))
    inside = [found.name for found in pkgutil.iter_modules(package.__path__)]
    assert shadowed(path.read_text(), name_of(path), inside) == []


@pytest.mark.parametrize("path", PACKAGES, ids=name_of)
def test_packages_say_what_they_offer(path):
    assert offers(path.read_text(), name_of(path)) == []
    package = importlib.import_module(name_of(path))
    offered = getattr(package, "__all__", [])
    assert [name for name in offered if not hasattr(package, name)] == []
    assert len(set(offered)) == len(offered)


def test_a_hidden_module_is_found():
    source = "from hiding.walk import walk\nfrom hiding.run import start\nfrom hiding import still\n"
    assert shadowed(source, "hiding", ["walk", "run", "still"]) == ["walk"]


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("from lib.errors import require", []),
        ("from lib.part.one import a\n__all__ = ['a']", []),
        ("from lib.part.one import a", ["no __all__"]),
        ("from .one import a\n__all__ = [n for n in dir()]", ["__all__ is computed"]),
        ("from lib.part import one, two\n__all__ = ['one']", ["two is imported and not offered"]),
    ],
)
def test_what_a_package_offers_is_judged(source, wrong):
    assert offers(source, "lib.part") == wrong
