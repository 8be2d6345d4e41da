"""`python -m hal.chapters.records [SLUG [NAME ...]]`: make the recorded runs of chapters.

What takes too long for a page is run here and kept as hal/results/SLUG/NAME.json. A record of many settings goes on
where it was, and has nothing to do when it is whole; `--anew` forgets what is there first. Each such run is a module
`hal.chapters.SLUG.records.NAME` with one function `record(path, jobs, cache)`, which writes the file and returns a line
to print.
"""

import argparse
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

from hal import results
from hal.chapters import chapter, written
from lib.errors import require


def names(slug: str) -> list[str]:
    """Names of a chapter's recorded runs, in alphabetical order; none if it has no folder `records`."""
    package = f"hal.chapters.{chapter(slug).slug}"
    spec = find_spec(f"{package}.records") if find_spec(package) else None
    found = iter_modules(spec.submodule_search_locations or []) if spec else []
    return sorted(module.name for module in found)


def make(
    slug: str, name: str, folder: Path = results.FOLDER, jobs: int = 1, cache: str | None = None, anew: bool = False
) -> str:
    """Make one record, or what it lacks.

    Args:
        slug: the chapter.
        name: the record, which names its module and its file.
        folder: of all records; the file goes to its folder `slug`.
        jobs: processes, where a run can use more than one.
        cache: directory of finished runs, to go on after an interruption, where a run can use it.
        anew: whether what the file holds is forgotten first.

    Returns:
        A line that says what was written.
    """
    require(name in names(slug), "name", f"a record of {slug}: {', '.join(names(slug)) or 'it has none'}", repr(name))
    path = results.path_of(slug, name, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    if anew:
        path.unlink(missing_ok=True)
    module = import_module(f"hal.chapters.{slug}.records.{name}")
    return f"{path}: {module.record(path, jobs, cache)}"


def main() -> None:
    """Make the records that were asked for, one line each."""
    parser = argparse.ArgumentParser(description="Make the recorded runs of chapters: minutes, or hours for all.")
    parser.add_argument("slug", nargs="?", help="the chapter; all when none is given")
    parser.add_argument("names", nargs="*", help="its records; all when none is given")
    parser.add_argument("--results", type=Path, default=results.FOLDER, help="the folder of all records")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--cache", help="directory of finished runs, to go on after an interruption")
    parser.add_argument("--anew", action="store_true", help="forget what the records hold, and begin again")
    args = parser.parse_args()
    for slug in [args.slug] if args.slug else [row.slug for row in written()]:
        for name in args.names or names(slug):
            print(make(slug, name, args.results, args.jobs, args.cache, args.anew), flush=True)


if __name__ == "__main__":
    main()
