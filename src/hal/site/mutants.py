"""Sphinx extension: the directive `mutants`, how many broken formulas the tests and the claims notice.

`make mutants` breaks formulas of the library, one at a time, and writes hal/results/site/mutants.json: for each its key
(file, function, operator, change), the first test and the first claim that failed ("" where none did, no entry where
none was run yet), and how many of each run the broken function. A survivor passed all that was run. One that changes
nothing has a reason in hal/results/site/mutants.txt: its key on a line, the reason in the indented lines below. A
survivor without one is open.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import results
from hal.tables import table_html
from lib.errors import require

COMMAND = "make mutants"
RECORD, REASONS = "mutants.json", "mutants.txt"


def recorded(folder: Path) -> list[dict[str, Any]]:
    """The mutants that were looked for, from the record in a folder.

    Raises:
        InputError: if there is no record.
    """
    return list(results.read(folder / RECORD, "recorded mutants", COMMAND)["mutants"])


def reasons(folder: Path) -> dict[str, str]:
    """By key, why a mutant is no other formula; empty if the folder has no such file.

    Raises:
        InputError: if a key has no reason, or a reason no key.
    """
    path = folder / REASONS
    found: dict[str, str] = {}
    key = ""
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith(" "):
            require(key, REASONS, "a mutant's key before the first reason", repr(line))
            found[key] = f"{found[key]} {line.strip()}".strip()
        elif line:
            key = line
            found[key] = ""
    bare = [key for key, reason in found.items() if not reason]
    require(not bare, REASONS, "a reason, indented, below each key", f"none for {bare}")
    return found


def still_open(mutants: Sequence[Mapping[str, Any]], why: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """The survivors without a reason."""
    return [found for found in mutants if not (_noticed(found) or found["key"] in why)]


def add(folder: Path, found: Mapping[str, Any], sample: Collection[str], seed: int) -> None:
    """Add what was found for one mutant to the record in a folder; what is no more in the sample goes.

    Args:
        folder: of the record.
        found: key, file, operator, line, and tests or claims or both; of another run of it the other one stays.
        sample: the keys of the whole sample, drawn with this seed.
        seed: of the sample.
    """
    path = folder / RECORD
    entries = {entry["key"]: entry for entry in (recorded(folder) if path.exists() else []) if entry["key"] in sample}
    entries[found["key"]] = {**entries.get(found["key"], {}), **found}
    content = {
        "mutants": [entries[key] for key in sorted(entries)],
        "sample": {"size": len(sample), "seed": seed},
        "provenance": results.provenance(COMMAND),
    }
    results.write(path, json.dumps(content, indent=1))


def mutants_html(record: Mapping[str, Any], why: Mapping[str, str]) -> str:
    """The scores by part of the library, and every survivor with its reason (`why`, by key).

    Raises:
        InputError: if the record has no mutants.
    """
    mutants = record["mutants"]
    require(mutants, "record", "at least one mutant", "none")
    parts = sorted({_part(found) for found in mutants})
    rows = [_scores(part, [found for found in mutants if _part(found) == part], why) for part in parts]
    rows.append(_scores("all", mutants, why))
    head = ("Part", "Broken formulas", "Noticed", "By tests", "By claims alone", "Change nothing", "Open")
    html = table_html(head, rows, "Broken formulas")
    alive = [found for found in mutants if not _noticed(found)]
    if alive:
        lines = [[f"<code>{escape(found['key'])}</code>", escape(_state(found, why))] for found in alive]
        html += table_html(
            ("Survivor", "Why it is the same formula"), lines, "Broken formulas that nothing notices", "lib-words"
        )
    size, where = record["sample"]["size"], record["provenance"]
    return (
        f"{html}<p>{len(mutants)} of a sample of {size} (seed {record['sample']['seed']}), by "
        f"<code>{escape(where['command'])}</code>, {escape(where['date'])}.</p>"
    )


def _part(found: Mapping[str, Any]) -> str:
    return str(found["file"]).partition("/")[0]


def _noticed(found: Mapping[str, Any]) -> bool:
    return bool(found.get("tests") or found.get("claims"))


def _scores(part: str, mutants: Sequence[Mapping[str, Any]], why: Mapping[str, str]) -> list[str]:
    noticed, left = sum(map(_noticed, mutants)), len(still_open(mutants, why))
    share = f"{100 * noticed / len(mutants):.0f} %"
    formulas = [found for found in mutants if _noticed(found) or found["key"] not in why]
    tests, claims = _alone(formulas, "tests"), _alone(formulas, "claims")
    return [escape(part), str(len(mutants)), share, tests, claims, str(len(mutants) - noticed - left), str(left)]


def _state(found: Mapping[str, Any], why: Mapping[str, str]) -> str:
    """Why a survivor is the same formula, or that it is open and who was asked."""
    missing = [kind for kind in ("tests", "claims") if kind not in found]
    return why.get(found["key"], f"open; {missing[0]} not run yet" if missing else "open")


def _alone(mutants: Sequence[Mapping[str, Any]], kind: str) -> str:
    """Share that tests, or claims, notice by themselves; of claims also the share of those that some claim runs.

    Of mutants that change something: nobody can notice the others.
    """
    tried = [found for found in mutants if kind in found]
    if not tried:
        return "not run"
    noticed = sum(bool(found[kind]) for found in tried)
    run = sum(bool(found[kind]) or found.get(f"{kind} asked", 1) > 0 for found in tried)
    of_run = f"; {100 * noticed / run:.0f} % of {run} that one runs" if 0 < run < len(tried) else ""
    return f"{100 * noticed / len(tried):.0f} % of {len(tried)}{of_run}"


class Mutants(SphinxDirective):
    """What `make mutants` found."""

    def run(self) -> list[nodes.Node]:
        """Return both tables.

        Raises:
            InputError: if there is no record; the text has the command that makes it.
        """
        folder = results.FOLDER / "site"
        for name in (RECORD, REASONS):
            self.env.note_dependency(str(folder / name))
        record = results.read(folder / RECORD, "recorded mutants", COMMAND)
        return [nodes.raw("", mutants_html(record, reasons(folder)), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("mutants", Mutants)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
