"""The ledger: what every claim of a chapter measured, recorded once (`hal.results`), shown as a table.

Checks take minutes together, a page seconds; so pages show the record. With each claim stand how far it moves with the
seeds, the seconds it took, and a digest of its sources: the tests measure a claim again once that is another.
"""

import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from hal import results, sources
from hal.claims.base import BLOCKS, Claim, Part, Result, Spread, check_block, summary
from hal.tables import table_html, words_html
from lib.errors import InputError, require

COMMAND = "python -m hal.claims"
#: Class of an id in a table: on a page of the book it is a link to the ledger's row.
CLAIM = "lib-claim"
#: Modules that say nothing about the numbers of a claim: what draws, builds and sweeps.
APART = ("hal.figure", "hal.palette", "hal.plots", "hal.site", "hal.tables", "lib.keys", "lib.sweep")
#: Records of a chapter that no claim reads.
OUTCOMES = ("benchmarks", "budgets", "claims")


def record(claims: Sequence[Claim], path: Path | str, jobs: int = 1) -> dict[str, Any]:
    """Run check and control of every claim, then the check on all blocks of seeds, and write what came out.

    Other claims in the file stay.

    Args:
        claims: the claims to run.
        path: a JSON file; written in one piece, so that an interruption leaves the old one.
        jobs: processes for the blocks of seeds; with more than one the claims must be those of chapters.

    Raises:
        OSError: if the file cannot be written; nothing is changed then.
    """
    found: dict[str, dict[str, Any]] = {}
    digests = digests_of(claims)
    for claim in claims:
        start = process_time()
        check, control = claim.check(), claim.control()
        found[claim.id] = {
            "check": _plain(check),
            "control": _plain(control),
            "seconds": round(process_time() - start, 2),
            "digest": digests[claim.id],
        }
        if claim.random and jobs == 1:
            others = [claim.check(block) for block in BLOCKS[1:]]
            found[claim.id]["spread"] = asdict(summary(claim, [check, *others]))
    drawn = [claim for claim in claims if claim.random]
    if drawn and jobs > 1:
        from joblib import Parallel, delayed  # here, because every chapter imports this module

        ids = [claim.id for claim in drawn]
        blocks = Parallel(n_jobs=jobs)(delayed(check_block)(ids, block) for block in BLOCKS)
        for claim in drawn:
            found[claim.id]["spread"] = asdict(summary(claim, [block[claim.id] for block in blocks]))
    path = Path(path)  # read only now: another process may have recorded its claims meanwhile
    book = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"claims": {}}
    book["claims"].update(found)
    book["provenance"] = results.provenance(COMMAND)
    path.parent.mkdir(parents=True, exist_ok=True)
    results.write(path, json.dumps(book, indent=1))
    return dict(book)


def digests_of(claims: Iterable[Claim]) -> dict[str, str]:
    """By id, a digest of all sources that decide what a claim measures: the same on every machine.

    That is what its module imports of this project, however far and also inside functions, and the recorded runs of its
    chapter; not the list of chapters, what draws, or this module.
    """
    made: dict[str, str] = {}
    found = {}
    for claim in claims:
        module = claim.function.__module__
        if module not in made:
            files = sources.follow([module] if sources.file_of(module) else (), {*APART, __name__})  # or of a test
            own = {
                name: path
                for name, path in files.items()
                if name != "hal.chapters" and name.startswith(("hal.", "lib."))
            }
            runs = results.FOLDER.joinpath(claim.paper).glob("*.json")
            made[module] = sources.digest(own | {one.name: one for one in runs if one.stem not in OUTCOMES})[:16]
        found[claim.id] = made[module]
    return found


def stamp(claims: Iterable[Claim], path: Path | str) -> None:
    """Write the digests of the present sources into the record of claims that agree with it; nothing else changes.

    Raises:
        OSError: if the file cannot be written; nothing is changed then.
    """
    book = results.read(path, "a recorded ledger", COMMAND)
    for id, digest in digests_of(claims).items():
        if id in book["claims"]:
            book["claims"][id]["digest"] = digest
    results.write(Path(path), json.dumps(book, indent=1))


def disagreements(claim: Claim, old: "Recorded") -> list[str]:
    """Measure a claim and its control again: what is not as declared, or not as recorded, in words."""
    check, control = claim.check(), claim.control()
    found = [] if check.verdict == claim.verdict else [f"declared {claim.verdict!r}, now {check}"]
    if control.good == check.good:
        found.append(f"the control did not come out the other way: {control}")
    if (old.check.verdict, old.control.good) != (check.verdict, control.good):
        found.append(f"recorded {old.check.verdict}, control {old.control.verdict}; now {check}, {control}")
    if [part.name for part in old.check.parts] != [part.name for part in check.parts]:
        return [*found, "the record has other parts"]
    for new, part in zip(check.parts, old.check.parts, strict=True):
        # where training amplifies rounding, what is expected may be of another training
        bound = new if new.drift is None else replace(new, expected=part.expected)
        if not (new.agrees(part) and bound.bounded_as(part)):
            found.append(f"recorded {part}, now {new}")
    return found


class Recorded(NamedTuple):
    """What the ledger holds of one claim."""

    check: Result
    control: Result
    spread: Spread | None  #: of the check over blocks of seeds; None if it draws nothing
    seconds: float  #: of a processor, for check and control
    digest: str  #: see `digests_of`; empty if it has none


def recorded(path: Path | str) -> dict[str, Recorded]:
    """What was recorded of every claim, by id."""
    book = results.read(path, "a recorded ledger", COMMAND)
    found = {}
    for id, entry in (
        book["claims"] if isinstance(book, dict) and isinstance(book.get("claims"), dict) else {}
    ).items():
        try:
            measured = _spread(entry.get("spread"))
            check, control, digest = result_of(entry["check"]), result_of(entry["control"]), entry.get("digest", "")
            found[id] = Recorded(check, control, measured, float(entry["seconds"]), _words(digest))
            require(measured is None or {part.name for part in found[id].check.parts} <= set(measured.parts),
                    "spread", "every part of the check", "fewer")  # fmt: skip
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise InputError(
                f"{path}: expected of claim {id} what `{COMMAND} {id}` records, got {type(error).__name__} {error}"
            ) from None
    return found


class Table:
    """Claims of one chapter with their recorded results; shows as HTML in a page and as text in a terminal.

    Args:
        claims: at least one.
        path: of their record; None takes the chapter's.
    """

    def __init__(self, claims: Sequence[Claim], path: Path | str | None = None) -> None:
        require(len(claims) > 0, "claims", "at least one claim", "none")
        self.claims = list(claims)
        self.found = recorded(path or results.path_of(self.claims[0].paper, "claims"))
        missing = [claim.id for claim in claims if claim.id not in self.found]
        require(not missing, "path", "a ledger with every claim (run `python -m hal.claims`)", f"none of {missing}")

    def __repr__(self) -> str:
        return "\n".join(f"{c.id:8} {self.found[c.id][0].verdict:20} {c.says}" for c in self.claims)

    def _repr_html_(self) -> str:
        head = ("Claim", "What it says, what was measured", "Verdict")
        return table_html(head, [cells(claim, self.found[claim.id]) for claim in self.claims], "Claims", "lib-claims")


def cells(claim: Claim, found: Recorded) -> list[str]:
    """What a table shows of a claim and its record, as HTML: id and place, statement and what was measured, verdict."""
    check, control, spread, *_ = found
    regime = f"<br><small>{words_html(claim.regime)}</small>" if claim.regime else ""
    seeds = f"<p>{len(check.seeds)} seeds.</p>" if check.seeds else ""
    if spread is not None:
        lines = [_range(part, *spread.parts[part.name]) for part in check.parts]
        seeds += f"<p>{spread.blocks} blocks of seeds, the same verdict in {spread.agree}.</p>{_listed(lines)}"
    mark = {"holds": "yes", "holds in a regime": "part", "not reproduced": "part", "fails": "no"}[check.verdict]
    first, *rest = map(str, check.parts)
    return [
        f'<span class="{CLAIM}">{claim.id}</span><br><small>{words_html(claim.where)}</small>',
        f"{words_html(claim.says)}<details><summary>{html.escape(first)}</summary>{_listed(rest)}{seeds}"
        f"<p><em>Control:</em> {words_html(claim.breaks)}.</p>{_listed(map(str, control.parts))}</details>",
        f'<span class="lib-verdict lib-verdict-{mark}">{check.verdict}</span>{regime}',
    ]


def _range(part: Part, low: float, middle: float, high: float) -> str:
    unit = {"relative": " of the expected", "absolute": " from the expected"}.get(part.kind, "")
    return f"{part.name}: {low:.3g} to {high:.3g}{unit}, median {middle:.3g}"


def _listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def _plain(found: Result) -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "parts": [asdict(part) for part in found.parts],
        "seeds": list(found.seeds),
        "regime": found.regime,
    }


def result_of(entry: dict[str, Any]) -> Result:
    """What a check or a control found, of its entry in a record."""
    parts = tuple(_part(**part) for part in entry["parts"])
    return Result(parts, tuple(int(seed) for seed in entry["seeds"]), _words(entry["regime"]))


def _part(name: str, measured: float | None, expected: float, tolerance: float, kind: Any, **more: Any) -> Part:
    """A part of a record, whose numbers are numbers: what is none is no number that a check compared."""
    part = Part(_words(name), _number(measured), float(expected), float(tolerance), kind, **more)
    str(part)  # refuses a kind that there is not
    return part


def _spread(entry: dict[str, Any] | None) -> Spread | None:
    if entry is None:
        return None
    parts = {
        _words(name): (float(low), float(middle), float(high)) for name, (low, middle, high) in entry["parts"].items()
    }
    return Spread(int(entry["blocks"]), int(entry["agree"]), parts)


def _words(value: Any) -> str:
    require(isinstance(value, str), "a record", "words", repr(value))
    return str(value)


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
