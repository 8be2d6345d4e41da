"""The repository as a whole: pinned versions, imports that go one way, files that tell the truth about each other."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lib
from hal.site.findable import versions
from tests.packages import HAL, LIB, ROOT, SOURCE, modules

# Who may import whom, from the bottom up: a part imports only what stands in layers below it, or in its own. The
# library knows nothing of the book, whose parts may use all of it.
LIB_LAYERS = [
    ["errors", "portable"],
    ["integrate", "sampling", "attention"],
    ["models", "optim"],
    ["train"],
    ["sweep"],
    ["experiments"],  # lib.models.SLUG.experiment: a chapter's model, trained and vectorised, ready to sweep
]
# Theory is a second root: a claim compares two things that know nothing of each other.
THEORY_MAY_IMPORT = {"errors", "integrate", "portable", "theory"}
HAL_LAYERS = [
    ["absent"],  # what hal itself asks before anything else
    ["palette", "tables", "results", "registry", "remember", "engine"],  # registry: of chapters, words and names
    ["claims", "plots"],
    ["explorer"],
    ["live"],
    ["chapters"],
    ["site"],  # imported by nothing
]
# name of a part -> the parts it may import; a part of the library as "lib.optim"
MAY_IMPORT = {
    **{
        f"lib.{part}": {f"lib.{p}" for layer in LIB_LAYERS[: i + 1] for p in layer}
        for i, layer in enumerate(LIB_LAYERS)
        for part in layer
    },
    "lib.theory": {f"lib.{part}" for part in THEORY_MAY_IMPORT},
}
LIBRARY = set(MAY_IMPORT)
MAY_IMPORT |= {
    f"hal.{part}": LIBRARY | {f"hal.{p}" for layer in HAL_LAYERS[: i + 1] for p in layer}
    for i, layer in enumerate(HAL_LAYERS)
    for part in layer
}


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
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {part_of(name) for name in names if name.startswith(("lib.", "hal."))}
    return found


def packages_of(paths):
    """Packages of others that modules import, wherever in the module."""
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"lib", "hal"}


def requires_of(package):
    """What an installed package needs itself, whatever the machine."""
    lines = [line for line in metadata.requires(package) or [] if ";" not in line]
    return {re.split(r"[ \[<>=!~(]", line)[0].lower() for line in lines}


def part_of(name):
    """The part of a dotted name: hal.chapters.scb.runs -> hal.chapters, hal.chapters.written -> hal.registry.

    The registry is a part of its own, below the chapters that it lists.
    """
    if re.match(r"lib\.models\.(experiments|\w+\.experiment)\b", name):
        return "lib.experiments"
    package, part, *rest = name.split(".")
    chapters = HAL / "chapters"
    in_chapters = rest and ((chapters / rest[0]).is_dir() or (chapters / f"{rest[0]}.py").is_file())
    return "hal.registry" if (package, part) == ("hal", "chapters") and not in_chapters else f"{package}.{part}"


def own_part(path):
    """The part that a module belongs to; None for the packages' own `__init__`."""
    package, *inside = path.relative_to(SOURCE).parts
    if inside == ["__init__.py"]:
        return None
    if path == HAL / "chapters" / "__init__.py":
        return "hal.registry"
    if path.name == "experiment.py" or path == LIB / "models" / "experiments.py":
        return "lib.experiments"
    return f"{package}.{inside[0].removesuffix('.py')}"


def test_every_part_has_its_layer():
    assert {own_part(path) for path in modules()} - {None} == set(MAY_IMPORT), "give a new part its place in the layers"


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_imports_go_down(part):
    found = {name for path in modules() if own_part(path) == part for name in imports_of(path)}
    assert found <= MAY_IMPORT[part]


def test_the_library_is_small():
    """At most eleven names, and a core, what no chapter owns but portable, that is an afternoon's reading."""
    names = {path.stem for path in LIB.iterdir() if path.name[0] != "_" and path.suffix != ".typed"}
    assert len(names) <= 11
    apart = ("lib.portable", "lib.models", "lib.experiments", "lib.theory")
    core = [path for path in LIB.rglob("*.py") if own_part(path) not in apart]
    assert sum(len(path.read_text().splitlines()) for path in core) <= 4380


def test_import_lib_is_light():
    heavy = "{'torch', 'matplotlib', 'ipywidgets', 'anywidget', 'sphinx', 'py_mini_racer', 'joblib', 'tqdm'}"
    parts = "lib, hal, hal.claims, hal.explorer, hal.palette, lib.optim, lib.sweep, lib.train, " + ", ".join(
        f"lib.{layer}.{path.name}"
        for layer in ("theory", "models")
        for path in (LIB / layer).iterdir()
        if path.is_dir() and path.name[0] != "_"
    )
    code = f"import sys, {parts}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_versions_are_pinned_without_addresses():
    pinned = constraints()
    assert set(requirements("dev")) <= {canonicalize_name(name) for name in pinned}
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in pinned.values()), "exact public versions only"
    assert len(pinned) > 100


def test_one_version():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (cff["version"], cff["license"]) == (project()["version"], project()["license"])
    assert lib.__version__ == project()["version"]
    newest = versions((ROOT / "CHANGELOG.md").read_text())[0]
    assert (newest.number, newest.date) == (cff["version"], str(cff["date-released"]))


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


def test_actions_are_pinned_by_commit():
    used = re.findall(r"uses: *(\S+)", "".join(p.read_text() for p in (ROOT / ".github" / "workflows").glob("*.yml")))
    assert len(used) >= 3
    assert [action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)] == []


def test_ci_uses_the_commands_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text()
    assert "make book" in script
    assert "make test REQUIRE_BROWSER=1 REQUIRE_HISTORY=" in script
    assert "git fetch --quiet --unshallow" in script
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    assert "run: .ci/run" in workflow
    assert "fetch-depth: 0" in workflow  # the record of statements is held to all commits


def test_running_needs_less_than_building():
    run, build, everything = requirements("run"), requirements("build"), requirements("dev")
    assert run.items() < build.items() < everything.items()
    assert "torch" not in run
    assert set(run) & {"jupyterlab", "jupyter-book", "sphinx", "pytest", "ruff", "mypy", "playwright", "dask"} == set()
    assert set(build) & {"pytest", "ruff", "mypy", "playwright", "dask"} == set()


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
    assert len(brought_by("run")) <= 45
    assert megabytes(brought_by("run")) <= 500


def test_a_reader_s_kernel_has_whatever_the_library_imports():
    used = {name.lower() for name in packages_of(p for p in modules() if own_part(p) not in ("hal.site", "hal.engine"))}
    run = set(requirements("run", "torch"))
    # only for those who ask for them: `to_dataframe`, a Dask cluster that is there already, the bar of a sweep
    used -= {"pandas", "distributed", "tqdm"}
    assert used <= run | {name for package in run for name in requires_of(package)}


def test_requirements_install_the_package_with_all_that_builds_and_runs_notebooks():
    lines = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line[0] != "#"]
    assert lines[1:] == ["-c constraints.txt", "-e .[build,lab,test]"]
    assert {"torch", "jupyter-book", "jupyterlab-myst", "pytest", "nbval"} <= set(requirements("build", "lab", "test"))
    assert (ROOT / "runtime.txt").read_text() == "python-3.11\n"


def test_every_page_of_the_contents_exists():
    contents = (ROOT / "_toc.yml").read_text()
    for name in re.findall(r"(?:file|root): (\S+)", contents):
        assert [p for p in ROOT.glob(f"{name}.*") if p.suffix in (".md", ".ipynb")], name


def test_no_big_or_built_files():
    big = {str(p.relative_to(ROOT)): p.stat().st_size for p in tracked() if p.stat().st_size > 400_000}
    assert big == {}
    assert [p for p in tracked() if {"_build", "__pycache__", ".venv"} & set(p.parts[len(ROOT.parts) :])] == []


def test_timing_a_command_keeps_its_status():
    done = subprocess.run([ROOT / ".ci" / "timed", "name", "false"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "[name: 0 s]\n")
