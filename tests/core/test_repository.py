"""The repository as a whole: pinned versions, imports that go one way, files and workflows that tell the truth."""

import ast
import pkgutil
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib import import_module, metadata
from types import ModuleType

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lib
from hal.site.library import pages
from tests.packages import HAL, LIB, ROOT, SOURCE, modules, name_of

# The library knows nothing of the book, and theory nothing of models: a claim compares two independent things.
THEORY_MAY_IMPORT = {"lib.errors", "lib.integrate", "lib.portable", "lib.theory"}


def tracked():
    if not (ROOT / ".git").exists():
        pytest.skip("a copy without git, such as a ZIP, does not say which files are the repository's")
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def requirements(*extras):
    """What the package needs with some of its extras (which name others), as pip is told it, by package."""
    lines = project()["dependencies"] if not extras else []
    for extra in extras:
        for line in project()["optional-dependencies"][extra]:
            own = re.fullmatch(r"how-attention-learns\[([a-z,]+)\]", line)
            lines = lines + (list(requirements(*own[1].split(",")).values()) if own else [line])
    needed = requirements() if extras else {}
    return needed | {canonicalize_name(re.split(r"[\[<>=]", line)[0]): line for line in lines}


def constraints():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.lower().split("==") for line in lines if line and not line.startswith("#"))


def imports_of(path):
    """Parts of both packages that a module imports, wherever in the module: lib.optim.moments -> lib.optim."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {".".join(name.split(".")[:2]) for name in found if name.startswith(("lib.", "hal."))}


def packages_of(paths):
    """Packages of others that modules import, wherever in the module."""
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"lib", "hal"}


def test_library_imports_nothing_of_the_book_and_theory_no_model():
    used = {path: imports_of(path) for path in modules() if path.is_relative_to(LIB)}
    assert {path: parts for path, parts in used.items() if any(part.startswith("hal.") for part in parts)} == {}
    theory = {path: parts for path, parts in used.items() if path.is_relative_to(LIB / "theory")}
    assert {path: parts - THEORY_MAY_IMPORT for path, parts in theory.items() if parts - THEORY_MAY_IMPORT} == {}


@pytest.mark.parametrize("path", [path for path in modules() if path.name == "__init__.py"], ids=name_of)
def test_no_module_is_hidden_behind_a_name_of_its_package(path):
    package = import_module(name_of(path))
    inside = [found.name for found in pkgutil.iter_modules(package.__path__)]
    assert [name for name in inside if not isinstance(getattr(package, name, package), ModuleType)] == []
    assert [name for name in getattr(package, "__all__", []) if not hasattr(package, name)] == []


def test_every_public_module_of_the_library_is_on_a_page():
    listed = {name for text in pages().values() for name in re.findall(r"automodule:: (\S+)", text)}
    for path in [path for path in LIB.rglob("*.py") if path.name != "__init__.py"]:
        parts = name_of(path).split(".")
        own = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        if not any(part[0] == "_" for part in parts) and any(node.name[0] != "_" for node in own):
            assert listed & {".".join(parts[:end]) for end in range(2, len(parts) + 1)}, name_of(path)


def test_every_data_file_below_src_travels_with_its_package():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for path in [path for path in tracked() if path.is_relative_to(SOURCE) and path.suffix != ".py"]:
        package, *inside = path.relative_to(SOURCE).parts
        # a pattern's leading **/ also means no folder at all
        patterns = [short for one in data.get(package, []) for short in (one, one.removeprefix("**/"))]
        assert any(fnmatch("/".join(inside), pattern) for pattern in patterns), path


def test_import_lib_is_light():
    heavy = "{'torch', 'matplotlib', 'ipywidgets', 'anywidget', 'sphinx', 'py_mini_racer', 'joblib'}"
    parts = "lib, hal, hal.claims, hal.figure, hal.palette, lib.optim, lib.sweep, lib.train, " + ", ".join(
        f"lib.{layer}.{path.name}"
        for layer in ("theory", "models")
        for path in (LIB / layer).iterdir()
        if path.is_dir() and path.name[0] != "_"
    )
    code = f"import sys, {parts}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_version():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (cff["version"], cff["license"]) == (project()["version"], project()["license"])
    assert lib.__version__ == project()["version"]
    newest = re.search(r"^## (\d\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert newest.groups() == (cff["version"], str(cff["date-released"]))


def test_one_address_of_the_repository():
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    url, base = config["repository"]["url"], config["html"]["baseurl"]
    assert config["sphinx"]["config"]["ogp_site_url"] == base
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["repository-code"] == url
    repository = url.removeprefix("https://github.com/")
    for name in ("README.md", "index.md"):
        assert f"mybinder.org/v2/gh/{repository}/" in (ROOT / name).read_text(), name
    assert base in (ROOT / "README.md").read_text()


def test_commands_in_the_texts_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    for name in ("README.md", "CONTRIBUTING.md", "index.md", "book/ledger.md"):
        commands = set(re.findall(r"`?\bmake ([a-z]+)\b[` \n]", (ROOT / name).read_text()))
        assert {c for c in commands if f"`make {c}" in (ROOT / name).read_text()} <= targets, name


def brought_by(*extras):
    """Packages that some extras bring, less torch, which has several builds, and what it alone needs."""
    wanted = [Requirement(line) for package, line in requirements(*extras).items() if package != "torch"]
    seen = {}
    while wanted:
        one = wanted.pop()
        asked = canonicalize_name(one.name), frozenset(one.extras)
        if asked not in seen:
            seen[asked] = needs = [Requirement(line) for line in metadata.requires(one.name) or []]
            extras = one.extras or {""}
            wanted += [n for n in needs if not n.marker or any(n.marker.evaluate({"extra": e}) for e in extras)]
    return {package for package, _ in seen}


def megabytes(packages):
    return sum(file.size or 0 for package in packages for file in metadata.files(package) or []) / 1e6


def test_the_readme_s_sizes_of_environments():
    text = " ".join((ROOT / "README.md").read_text().split())
    rows = re.findall(r"`\[([a-z,]+)\]` \| [^|]+ \| (\d+) \| (\d+)", text)
    assert [name for name, *_ in rows] == ["run", "run,lab", "build", "dev"]
    for name, packages, size in rows:
        brought = brought_by(*name.split(","))
        assert int(packages) == pytest.approx(len(brought), abs=1 + 0.05 * len(brought))  # systems differ
        assert int(size) == pytest.approx(megabytes(brought), rel=0.2), name
    assert "torch" not in requirements("run")
    assert len(brought_by("run")) <= 46
    assert megabytes(brought_by("run")) <= 500


def test_a_reader_s_kernel_has_whatever_the_library_imports():
    read = (path for path in modules() if not path.is_relative_to(HAL / "site"))
    used = {name.lower().removeprefix("py_").replace("_", "-") for name in packages_of(read)}
    run = set(requirements("run", "torch"))
    # only for those who ask for them: `to_dataframe`, a Dask cluster that is there already
    used -= {"pandas", "distributed"}
    lines = [line for package in run for line in metadata.requires(package) or [] if ";" not in line]
    assert used <= run | {Requirement(line).name.lower() for line in lines}


def test_no_big_or_built_files():
    big = {str(p.relative_to(ROOT)): p.stat().st_size for p in tracked() if p.stat().st_size > 400_000}
    assert big == {}
    assert [p for p in tracked() if {"_build", "__pycache__", ".venv"} & set(p.parts[len(ROOT.parts) :])] == []


FILES = {extra: ROOT / "hashes" / f"{extra}.txt" for extra in ("run", "dev")}
BLOCK = re.compile(
    r"^([\w.-]+)(?:\[.*?\])?==(\S+)(?: ; [^\\\n]+)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)


def pinned(extra):
    """Package -> its version and its digests."""
    text = FILES[extra].read_text(encoding="utf-8")
    found = {
        canonicalize_name(name): (version, tuple(digests.split())) for name, version, digests in BLOCK.findall(text)
    }
    assert BLOCK.sub("", text).count("\n") == 1, "nothing but a first line and packages with digests"
    return found


def test_all_that_an_extra_names_is_there_in_the_version_of_the_constraints_and_only_torch_is_left_out():
    versions = {canonicalize_name(name): version for name, version in constraints().items()}
    for extra, found in (("run", pinned("run")), ("dev", pinned("dev"))):
        assert set(requirements(extra)) - {"torch"} <= set(found)
        assert {name: version for name, (version, _) in found.items() if versions.get(name, version) != version} == {}
    assert set(versions) - set(pinned("dev")) == {"torch"}
    assert set(pinned("run").items()) <= set(pinned("dev").items())
    assert not {"torch", "triton"} & set(pinned("dev"))


#: What a job may do beyond reading the repository.
MAY = {
    "publish": {"pages": "write", "id-token": "write"},
    "release": {"contents": "write"},
    "tell": {"issues": "write"},
}
#: Written by others, so never text of a script: an expression there would be run.
TRUSTED = {"matrix.python", "matrix.shard"}


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_may_no_more_than_it_needs_and_pins_what_it_uses(path):
    flow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert flow["permissions"] == {"contents": "read"}
    for name, job in flow["jobs"].items():
        assert job.get("permissions", {}) == MAY.get(name, {}), name
        for step in job["steps"]:
            used = step.get("uses", "")
            assert not used or re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", used), used
            assert not used.startswith("actions/checkout") or step["with"]["persist-credentials"] is False, name
            assert set(re.findall(r"\$\{\{ *(.+?) *\}\}", step.get("run", ""))) <= TRUSTED, name


@pytest.mark.parametrize(
    ("version", "fits"), [("3 10", False), ("3 11", True), ("3 13", True), ("3 14", False), ("2 7", False)]
)
def test_make_says_which_python_it_takes(version, fits, tmp_path):
    other = tmp_path / "python"
    other.write_text(f"#!/bin/sh\necho {version}\n")
    other.chmod(0o755)
    done = subprocess.run([ROOT / ".ci" / "python", other], capture_output=True, text=True, check=False)
    assert done.returncode == (not fits)
    said = f"make: expected Python 3.11 to 3.13, got {version.replace(' ', '.')} ({other})"
    assert done.stderr.startswith("" if fits else said)
