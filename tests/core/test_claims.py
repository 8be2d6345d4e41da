"""Every claim comes out as the book says, its control comes out the other way, and the ledger tells the truth."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from shutil import copytree, ignore_patterns
from subprocess import PIPE

import numpy as np
import pytest

from hal import claims
from hal.chapters import written
from hal.claims import Part, claim, result, seed_block
from hal.claims.__main__ import measured_again
from hal.claims.base import BLOCKS, SETTING, TRIAL, value_of
from hal.claims.ledger import Table, digests_of, disagreements, record, recorded
from hal.results import path_of
from lib.errors import InputError
from tests.packages import SOURCE
from tests.refusals import refused

RECORD = {id: entry for row in written() for id, entry in recorded(path_of(row.slug, "claims")).items()}
DIGESTS = digests_of(claims.all())
QUICK = 0.3  # seconds that a claim may take, as recorded, to be measured every time


def chosen(one):
    """A claim; if it takes its time and its sources are those of the record, a twelfth of such claims in turn."""
    old = RECORD.get(one.id)
    same = old is not None and old.digest == DIGESTS[one.id] and old.seconds >= QUICK
    return pytest.param(one, id=f"{one.paper}-{one.id}", marks=[pytest.mark.law(every=12)] if same else [])


@pytest.mark.parametrize("one", [chosen(one) for one in claims.all()])
def test_claim_measured_again_is_as_declared_and_as_recorded(one):
    assert one.id in RECORD, f"run `python -m hal.claims {one.id}`"
    assert disagreements(one, RECORD[one.id]) == [], f"run `python -m hal.claims {one.id}`"


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_ledger_has_no_claim_that_is_gone(slug):
    assert set(recorded(path_of(slug, "claims"))) == {claim.id for claim in claims.of(slug)}


@pytest.mark.parametrize(
    ("part", "good"),
    [
        (Part("a", 1.0, 1.2, 0.1), False),
        (Part("a", 110, 100, 0.1, "relative"), True),
        (Part("a", 111, 100, 0.1, "relative"), False),
        (Part("a", 0.3, 0.2, 0.0, "at most"), False),
        (Part("a", 0.2, 0.2, 0.0, "at most"), True),
        (Part("a", 0.1, 0.2, 0.0, "at least"), False),
        (Part("a", -3e-13, 1e-12, kind="rounding"), True),
        (Part("a", -3e-12, 1e-12, kind="rounding"), False),
        (Part("a", math.nan, 0.0, math.inf), False),
    ],
)
def test_part(part, good):
    assert part.good is good


@pytest.mark.parametrize(
    ("part", "recorded", "same"),
    [
        (Part("rounding doubled", 4.97e-7, 2e-6, kind="rounding"), 3.27e-7, True),
        (Part("rounding vanished", 0.0, 1e-12, kind="rounding"), 8e-16, True),
        (Part("no rounding any more", 3e-6, 2e-6, kind="rounding"), 3.27e-7, False),
        (Part("no rounding then", 3.27e-7, 2e-6, kind="rounding"), 3e-6, False),
        (Part("another bound that failed", 0.5, 1e-12, kind="rounding"), 0.5 + 1e-9, True),
        (Part("sums in another order", 0.7 + 1e-5, 0.72, 0.05), 0.7, True),
        (Part("another run", 0.701, 0.72, 0.05), 0.7, False),
        (Part("well within the bound, another run", 0.011, 0.06, kind="at most"), 0.010, False),
        (Part("a difference that cancels", 4e-16, 0.0, 1e-12, "at least"), 0.0, True),
        (Part("training amplifies rounding", 0.711, 0.72, 0.05, drift=0.02), 0.7, True),
        (Part("by more than is allowed", 0.721, 0.72, 0.05, drift=0.02), 0.7, False),
        (Part("one run of 240", 200 / 240, 0.85, 0.07, drift=1 / 240), 201 / 240, True),
        (Part("two runs of 240", 199 / 240, 0.85, 0.07, drift=1 / 240), 201 / 240, False),
        (Part("not finite any more", math.inf, 0.72, 0.05), 0.7, False),
        (Part("never finite", math.nan, 0.72, 0.05), math.nan, True),
    ],
    ids=lambda value: value.name if isinstance(value, Part) else "",
)
def test_a_record_of_another_machine(part, recorded, same):
    assert part.agrees(replace(part, measured=recorded)) is same


def test_a_part_with_another_bound_asks_something_else():
    part, rounding = Part("a", 1.01, 1.0, 0.05, "relative"), Part("a", 1e-16, 1e-12, kind="rounding")
    assert replace(part, measured=2.0, name="in other words", drift=0.1, expected=1 + 1e-5).bounded_as(part)
    others = ({"expected": 1.001}, {"tolerance": 0.051}, {"kind": "absolute"})
    assert not any(replace(part, **change).bounded_as(part) for change in others)
    assert not replace(rounding, expected=1.01e-12).bounded_as(rounding)


def test_a_published_number_that_does_not_come_out_is_not_reproduced_and_one_of_ours_fails():
    ours, theirs = Part("ours", 2.2, 2.2, 0.1), Part("the paper's", 2.2, 682.0, 0.5, "relative", published=True)
    assert result(ours).verdict == "holds"
    assert result(ours, replace(theirs, measured=700.0)).verdict == "holds"
    missed = result(ours, theirs)
    assert (missed.good, missed.verdict) == (True, "not reproduced")
    broken = result(replace(ours, measured=1.0), theirs)
    assert (broken.good, broken.verdict) == (False, "fails")
    assert result(replace(theirs, measured=700.0)).verdict == "fails"  # nothing of ours was measured
    with pytest.raises(InputError, match=r"regime: expected words for what was found where the verdict is 'not repro"):
        claim("X-1", where="", says="", control={"a": 1}, breaks="", verdict="not reproduced")(lambda a=0: missed)


@claim("X-1", where="Lemma <1>", says="One is one.", control={"one": 2.0}, breaks="two", verdict="holds")
def _constant(one: float = 1.0):
    return result(Part("x <unit>", one, 1.0, 0.1), seeds=[1, 2])


@claim("X-2", where="Lemma 2", says="A mean.", control={"shift": 9.0}, breaks="the law of the draws")
def _drawn(shift: float = 0.0, block: int = 0):
    seeds = seed_block(block, 10)
    return result(Part("mean", np.mean(seeds) / (10 * block + 4.5) + shift, 1.0, 0.1, "relative"), seeds=seeds)


def test_record_and_table(tmp_path):
    record([_constant, _drawn], tmp_path / "ledger.json")
    table = Table([_constant, _drawn], tmp_path / "ledger.json")
    assert "holds" in repr(table)
    page = table._repr_html_()
    assert "x &lt;unit&gt;: 1 (expected 1 ± 0.1)" in page
    assert "2 seeds" in page
    assert page.count("blocks of seeds") == 1
    assert "16 blocks of seeds, the same verdict in 16." in page
    assert "mean: 1 to 1 of the expected, median 1" in page
    with pytest.raises(InputError, match="path: expected a recorded ledger"):
        Table([_constant], tmp_path / "none.json")


def test_digests_depend_on_sources_and_recorded_runs_alone(tmp_path):
    """In a copy elsewhere, with other line ends: the same; then after a change of one module, and of one record."""
    copytree(SOURCE, tmp_path / "src", ignore=ignore_patterns("__pycache__", "*.egg-info"))
    for path in (*tmp_path.rglob("*.py"), *tmp_path.rglob("*.json")):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    script = """
import json
from pathlib import Path
from hal import claims
from hal.claims.ledger import digests_of

some = [*claims.of("one_nn"), *claims.of("scb"), *claims.of("atlas")]
found = [digests_of(some)]
for name in ("hal/claims/ledger.py", "lib/theory/one_nn/__init__.py", "hal/results/atlas/grid.json"):
    with Path("src", name).open("a") as file:
        file.write("\\n")
    found.append(digests_of(some))
print(json.dumps(found))
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    said = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, stdout=PIPE, check=True).stdout
    here, unread, theory, run = json.loads(said)
    assert here == unread == {id: DIGESTS[id] for id in here}
    for before, after, slug in ((unread, theory, "one_nn"), (theory, run, "atlas")):
        changed = {id for id in before if before[id] != after[id]}
        assert {one.id for one in claims.of(slug)} & changed
        assert not {one.id for one in claims.of("scb")} & changed


def test_a_claim_whose_sources_changed_is_stamped_if_it_agrees_with_its_record(tmp_path, capsys):
    path = tmp_path / "ledger.json"
    record([_constant, _drawn], path)
    book = json.loads(path.read_text())
    for entry in book["claims"].values():
        entry["digest"] = "0" * 16
    book["claims"]["X-2"]["check"]["parts"][0]["measured"] = 0.9
    path.write_text(json.dumps(book))
    (wrong,) = measured_again([_constant, _drawn], path)
    assert wrong.startswith("X-2: recorded mean: 0.9")
    assert capsys.readouterr().out == "X-1: as recorded\n"
    assert [entry.digest == "0" * 16 for entry in recorded(path).values()] == [False, True]
    assert list(measured_again([_constant], path)) == []
    assert capsys.readouterr().out == ""  # it was not measured again


NO_CONTROL = "control: expected arguments of the check, of shift, got"


test_what_is_no_claim_or_no_control_is_refused_by_name = refused(
    [
        (lambda: claims.of("nope"), f"paper: expected one of {claims.all()[0].paper}"),
        (lambda: claims.get("NONE-999"), f"id: expected a claim id such as {claims.all()[0].id}"),
        (lambda: _constant.check(1), "block: expected 0, as X-1 draws nothing, got 1"),
        (lambda: claims.spread(_constant), "claim: expected one whose check takes a block of seeds, got X-1"),
        (lambda: controlled({}), NO_CONTROL),
        (lambda: controlled({"two": 1}), NO_CONTROL),
        (lambda: controlled({"block": 1}), NO_CONTROL),
    ]
)


def controlled(control):
    return claim("X-3", where="here", says="nothing", breaks="nothing", control=control)(_drawn.function)


def test_spread_counts_the_blocks_that_agree():
    @claim("X-4", where="here", says="Every block.", control={"broken": True}, breaks="all")
    def lucky(broken: bool = False, block: int = 0):
        return result(Part("distance", 10.0 * broken + block, 5.0, 5.0), Part("bound", block, 20, 0, "at most"))

    found = claims.spread(lucky)
    assert (found.blocks, found.agree) == (16, 11)  # blocks 0 to 10
    assert found.parts == {"distance": (-5.0, 2.5, 10.0), "bound": (0.0, 7.5, 15.0)}
    assert (len(SETTING), len(TRIAL), sorted(BLOCKS)) == (8, 8, list(range(16)))


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_other_seeds_change_no_verdict(slug):
    """What `make results` found on sixteen blocks of seeds, and that it is the record of these claims."""
    found = recorded(path_of(slug, "claims"))
    for one in claims.of(slug):
        spread = found[one.id].spread
        assert (spread is not None) == one.random, f"{one.id}: run `python -m hal.claims {one.id}`"
        if spread is not None:
            assert (spread.blocks, spread.agree) == (len(BLOCKS), len(BLOCKS)), one.id
            for part in found[one.id].check.parts:
                low, _, high = spread.parts[part.name]
                assert low <= value_of(part) <= high, f"{one.id}: run `python -m hal.claims {one.id}`"


def changed(part, factor):
    """The part with a formula that is wrong by a factor: what is expected, or, of a bound, what is measured."""
    if part.kind in ("absolute", "relative"):
        return replace(part, expected=part.expected * factor)
    return replace(part, measured=part.measured * factor)


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_a_factor_of_two_in_a_formula_fails_the_claim(slug):
    """Each part that expects a number; of bounds alone one that is near enough, or that only rounding keeps from 0."""
    found = recorded(path_of(slug, "claims"))
    loose, idle = [], []
    for one in claims.of(slug):
        check = found[one.id].check
        if not check.good:
            continue
        # a published number that came out is held like ours; one that did not is not to come out by a factor of two
        equal = [part for part in check.parts if part.kind in ("absolute", "relative") and part.expected != 0]
        loose += [f"{one.id}: {part}" for part in equal for factor in (2.0, 0.5) if changed(part, factor).good]
        bounds = [part for part in check.parts if part.kind in ("at most", "at least") and not part.published]
        near = [part for part in bounds if not all(changed(part, factor).good for factor in (2.0, 0.5))]
        ours = [part for part in equal if not part.published]
        if not (ours or near or any(part.kind == "rounding" for part in check.parts)):
            idle.append(one.id)
    assert not loose, "\n".join(loose)
    assert not idle, f"claims that no factor of two fails: {idle}"
