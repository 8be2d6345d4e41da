"""The workflow files: least permissions, actions by commit, limits of time, scripts that parse and exist."""

import re
import subprocess

import pytest
import yaml

from tests.packages import ROOT

FOLDER = ROOT / ".github" / "workflows"
#: What a job may do beyond reading the repository.
MAY = {
    "publish": {"pages": "write", "id-token": "write"},
    "release": {"contents": "write"},
    "tell": {"issues": "write"},
}
#: Written by others, so never text of a script: an expression there would be run.
TRUSTED = {"matrix.python", "matrix.shard"}
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40}")


def wrong(text):
    """What is wrong with a workflow, in words."""
    flow = yaml.safe_load(text)
    told = {"permissions of the whole are more than to read": flow.get("permissions") != {"contents": "read"}}
    for name, job in flow["jobs"].items():
        told[f"{name}: no limit of time"] = "timeout-minutes" not in job and name not in ("publish", "tell")
        told[f"{name}: needs no such permission"] = job.get("permissions", {}) != MAY.get(name, {})
        for step in job["steps"]:
            used, script = step.get("uses", ""), step.get("run", "")
            keeps = step.get("with", {}).get("persist-credentials") is not False
            given = set(re.findall(r"\$\{\{ *(.+?) *\}\}", script))
            parsed = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
            told[f"{name}: {used} is not pinned"] = used and not PINNED.fullmatch(used)
            told[f"{name}: {used} keeps its token"] = used.startswith("actions/checkout") and keeps
            told[f"{name}: an expression inside a script, {given}"] = given - TRUSTED
            told[f"{name}: {parsed.stderr} in {script}"] = parsed.returncode
            for one in re.findall(r"(?<!\S)(\.ci/\w+)", script):
                told[f"{name}: no {one}"] = not (ROOT / one).is_file()
    return [words for words, is_so in told.items() if is_so]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_is_sound(path):
    assert wrong(path.read_text(encoding="utf-8")) == []


def test_what_scripts_of_the_repository_say_parses():
    for path in (ROOT / ".ci").iterdir():
        shell = path.read_text(encoding="utf-8").splitlines()[0].rpartition("/")[2]
        if shell in ("env bash", "bash", "sh"):
            subprocess.run([shell.removeprefix("env "), "-n", path], check=True)


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
