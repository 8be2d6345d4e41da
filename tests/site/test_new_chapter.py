"""A new chapter by one command, in a copy of the repository: it is whole, and no shared code was touched."""

import os
import shutil
import subprocess
import sys

import pytest

from hal.chapters import CHAPTERS, Chapter
from hal.chapters.new import CONTENTS, REGISTRY, new_row, write
from lib.errors import InputError
from tests.browser import ROOT

pytestmark = pytest.mark.deep
SLUG, TITLE = "tiny", "A mean through noise"
# the slug's own places, the two lines outside them, and the pages that the build writes anew
OWN = ("book/tiny.", "book/references/tiny.", "benchmarks/tiny.", "tests/tiny/")
OWN_CODE = tuple(f"src/{part}/tiny/" for part in ("lib/models", "lib/theory", "hal/chapters", "hal/results"))
# What knows nothing of chapters and takes long: workers, time limits, the building of pages, JupyterLab,
# this file.
ALIKE = (
    "tests/core/test_stale.py",
    "tests/core/test_sweep.py",
    "tests/core/test_train.py",
    "tests/site/test_execution.py",
    "tests/site/test_mentions.py",
    "tests/site/test_new_chapter.py",
)


def run(copy, *command, **more):
    env = {**os.environ, "PYTHONPATH": str(copy / "src"), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *command], cwd=copy, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def files(folder):
    if not (folder / ".git").exists():
        pytest.skip("a copy without git, such as a ZIP, does not say which files are the repository's")
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


@pytest.fixture
def announced(monkeypatch):
    """A chapter of which only the row is written."""
    row = Chapter("tomorrow", 7, "A chapter to come", "Soon.", "TMRW", "3001.00001", "somebody3001tomorrow", False)
    monkeypatch.setattr("hal.chapters.new.CHAPTERS", (*CHAPTERS, row))
    return row


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the repository in which the command was run."""
    folder = tmp_path_factory.mktemp("repository")
    for name, content in files(ROOT).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        (folder / name).chmod((ROOT / name).stat().st_mode)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    assert f"tests/{SLUG}" in run(folder, "-m", "hal.chapters.new", SLUG, TITLE)
    return folder


def test_no_shared_file_is_touched_but_the_registry_and_the_contents(copy):
    before, after = files(ROOT), files(copy)
    assert set(before) <= set(after)
    assert {name for name in before if before[name] != after[name]} == {REGISTRY, CONTENTS}
    new = set(after) - set(before)
    assert new
    assert [name for name in new if not name.startswith(OWN + OWN_CODE)] == []
    for name in (REGISTRY, CONTENTS):  # lines are added, none is changed
        old, now = (text[name].decode().splitlines() for text in (before, after))
        assert [line for line in now if line in set(old)][: len(old)] == old or set(old) <= set(now)


def test_the_linters_find_nothing_in_it(copy):
    run(copy, "-m", "ruff", "check", ".")
    run(copy, "-m", "ruff", "format", "--check", ".")


@pytest.mark.timeout(1800)  # the suite of a whole book
def test_every_test_is_green_with_it_and_no_shared_file_was_edited(copy):
    """What is of one other chapter alone is left out."""
    folders = [f"tests/{name}" for name in ("core", "figure", "portable", "site", SLUG)]
    out = [word for name in ALIKE for word in ("--ignore", name)]
    others = " or ".join(word for row in CHAPTERS for word in (row.slug, f"{row.prefix}-"))
    chosen = ["-m", "not browser", "-k", f"{SLUG} or not ({others})"]
    tier = ["--tier", "fast", "--turn", "0", "--touched", SLUG]
    found = run(copy, "-m", "pytest", "-v", "-n", "0", "-p", "no:cacheprovider", *tier, *folders, *out, *chosen)
    claims = [f"as_recorded[{SLUG}-TINY-{number}" for number in (1, 2)]
    for name in (f"tests/{SLUG}/", "test_repository.py", "test_registry.py", "test_budgets.py", *claims):
        assert name in found, name


@pytest.mark.timeout(1800)  # a whole book is built
@pytest.mark.browser
def test_the_book_with_this_chapter_alone_builds_without_a_warning_and_is_read(copy):
    contents = copy / CONTENTS
    others = [f"  - file: book/{path.stem}\n" for path in (ROOT / "book").glob("*.ipynb")]
    text = contents.read_text()
    for line in others:
        assert line in text
        text = text.replace(line, "")
    contents.write_text(text)
    run(copy, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n", "--keep-going")
    page = (copy / "_build" / "html" / "book" / f"{SLUG}.html").read_text()
    assert TITLE in page
    assert f'data-explorer="{SLUG}-descent"' in page
    shared = {"index": TITLE, "book/ledger": "TINY-1", "book/notation": "the estimate of the mean"}
    for name, words in shared.items():
        assert words in (copy / "_build" / "html" / f"{name}.html").read_text(), name
    run(copy, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "tests", "-m", "browser", "-k", SLUG)
    shutil.rmtree(copy / "_build")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("scb", "A title"), "slug: expected one that no written chapter has, got 'scb'"),
        (("2nd", "A title"), "slug: expected a name of lower-case letters, digits and underscores, got '2nd'"),
        (("Tiny", "A title"), "slug: expected a name of lower-case letters"),
        (("class", "A title"), "slug: expected a name of lower-case letters"),
        (("tiny",), "title: expected a few words"),
        (("tiny", 'A "title"'), "title: expected a few words without quotes"),
        (("tiny", "A title", "scb"), "prefix: expected capital letters and digits, got 'scb'"),
        (("tiny", "A title", "SCB"), "prefix: expected another than SCB, .*got 'SCB'"),
        (("tomorrow", "Another title"), "title: expected 'A chapter to come', as announced"),
    ],
)
def test_what_is_refused(given, message, announced):
    with pytest.raises(InputError, match=message):
        new_row(*given)


def test_an_announced_chapter_keeps_its_row_and_files_that_exist_are_kept(tmp_path, announced):
    row = new_row("tomorrow")
    assert row == announced._replace(written=True)
    for name in (REGISTRY, CONTENTS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    reference = tmp_path / "book/references/tomorrow.bib"  # stands since the chapter was announced
    reference.parent.mkdir(parents=True)
    reference.write_text("the paper")
    written = write(row, tmp_path)
    assert reference.read_text() == "the paper"
    assert reference not in written
    with pytest.raises(InputError, match="slug: expected a chapter that has no files yet, got "):
        write(row, tmp_path)
    assert all(path.is_file() for path in written)
