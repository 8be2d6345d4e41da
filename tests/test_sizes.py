"""The size of the project: lines of each part, against the upper bounds of `tests/sizes.json`.

`python -m tests.test_sizes` writes what is there now as the new bounds: after every change that took lines away.
"""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SIZES = Path(__file__).with_name("sizes.json")
#: What others wrote, by a part of its path.
OTHERS = ("vendor", "katex")
PARTS = {
    "src": ("src", "*.py"),
    "src/lib": ("src/lib", "*.py"),
    "JavaScript": ("src", "*.js"),
    "tests": ("tests", "*.py"),
    "benchmarks": ("benchmarks", "*.py"),
}


def lines(part):
    """Lines of all files of a part."""
    folder, pattern = PARTS[part]
    files = [(path, str(path.relative_to(ROOT))) for path in (ROOT / folder).rglob(pattern)]
    ours = [path for path, name in files if not any(word in name for word in OTHERS)]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in ours)


@pytest.mark.parametrize("part", PARTS)
def test_part_has_no_more_lines_than_its_bound(part):
    found, most = lines(part), json.loads(SIZES.read_text())[part]
    assert found <= most, (
        f"{part}: {found:,} lines, {found - most:,} more than the {most:,} of tests/sizes.json. Something enters only "
        "if something leaves: take as many away, and lower the bound with `python -m tests.test_sizes`."
    )


if __name__ == "__main__":
    SIZES.write_text(json.dumps({part: lines(part) for part in PARTS}, indent=1) + "\n")
