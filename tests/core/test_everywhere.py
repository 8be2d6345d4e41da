"""Every module of both packages is within every check: types, examples, links, and what is installed."""

import ast
import re
import tomllib
from fnmatch import fnmatch

import pytest
import yaml

from hal.site.library import pages
from tests.core.test_repository import tracked
from tests.packages import LIB, PACKAGES, ROOT, SOURCE, modules, name_of

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
DATA = SETTINGS["setuptools"]["package-data"]


def outside(path, folders):
    """Whether a file is in none of some folders of the repository."""
    return not any(path.is_relative_to(ROOT / folder) for folder in folders)


def left_behind(path):
    """Whether a file below src is no module and no data of its package."""
    package, *inside = path.relative_to(SOURCE).parts
    name = "/".join(inside)
    # a pattern's leading **/ also means no folder at all
    patterns = [short for one in DATA.get(package, []) for short in (one, one.removeprefix("**/"))]
    return path.suffix != ".py" and not any(fnmatch(name, pattern) for pattern in patterns)


def test_the_packages_are_all_that_is_below_src():
    assert {path.parent for path in SOURCE.glob("*/__init__.py")} == set(PACKAGES)


def test_types_and_examples_are_checked_everywhere():
    for folders in (SETTINGS["mypy"]["files"], SETTINGS["pytest"]["ini_options"]["testpaths"]):
        assert [path for path in modules() if outside(path, folders)] == []
        assert outside(ROOT / "elsewhere" / "one.py", folders)
    assert {"exclude", "overrides"}.isdisjoint(SETTINGS["mypy"])
    options = SETTINGS["pytest"]["ini_options"]
    assert "--doctest-modules" in options["addopts"]
    assert {"norecursedirs", "collect_ignore", "collect_ignore_glob"}.isdisjoint(options)


def test_all_that_is_no_module_travels_as_data():
    assert [path for path in tracked() if path.is_relative_to(SOURCE) and left_behind(path)] == []
    assert left_behind(SOURCE / "hal" / "site" / "words.csv")


@pytest.mark.parametrize("package", [path.name for path in PACKAGES])
def test_links_to_every_name_must_resolve(package):
    ignored = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"]["nitpick_ignore_regex"]
    for name in [name_of(path) for path in modules() if path.is_relative_to(SOURCE / package)]:
        for kind in ("func", "class", "mod", "obj"):
            for role, pattern in ignored:
                assert not (re.fullmatch(role, f"py:{kind}") and re.fullmatch(pattern, f"{name}.some_name")), name


def test_every_module_of_the_library_is_on_a_page():
    listed = {name for text in pages().values() for name in re.findall(r"automodule:: (\S+)", text)}
    for path in LIB.rglob("*.py"):
        parts = name_of(path).split(".")
        own = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        private = any(part[0] == "_" for part in parts)
        if private or path.name == "__init__.py" or not [node for node in own if node.name[0] != "_"]:
            continue
        assert listed & {".".join(parts[:end]) for end in range(2, len(parts) + 1)}, name_of(path)
