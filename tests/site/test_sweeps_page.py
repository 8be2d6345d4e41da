"""The page of sweeps: its tables and its estimate are those of the record, its programs can be read by Python."""

import ast
import json
import re
import xml.etree.ElementTree as ET
from importlib import import_module
from importlib.util import find_spec

import pytest

from hal.chapters import written
from hal.site import sweeps
from lib.sweep import duration
from tests.packages import ROOT

RECORD = json.loads(sweeps.RECORD.read_text())
PAGE = (ROOT / "book" / "sweeps.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```py(?:thon)?\n(.*?)```", PAGE, re.S)


def rows(html):
    page = ET.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in next(page.iter("tbody"))], "".join(page.itertext())


def test_the_page_shows_every_part_of_the_record():
    assert re.findall(r"```\{sweeps\} (\w+)", PAGE) == list(sweeps.SHOWN)


def test_every_chapter_has_both_ratios():
    table, _ = rows(sweeps.vectorised_html(RECORD))
    measured = [row for row in written() if row.slug in RECORD["vectorised"]]
    assert len(measured) >= 6
    assert [row[0] for row in table] == [row.title for row in measured]
    for row, chapter in zip(table, measured, strict=True):
        for at, size in ((1, "small"), (4, "defaults")):
            took = RECORD["vectorised"][chapter.slug][size]
            assert row[at : at + 3] == [
                f"{1e3 * took['together']:.1f}",
                f"{1e3 * took['alone']:.1f}",
                f"{took['alone'] / took['together']:.1f}",
            ]


def test_what_the_text_says_of_company_is_what_was_measured():
    ratios = {size: [took[size]["alone"] / took[size]["together"] for took in RECORD["vectorised"].values()]
              for size in ("small", "defaults")}  # fmt: skip
    assert all(small > large for small, large in zip(*ratios.values(), strict=True))  # "depends on the size of a run"
    assert min(ratios["defaults"]) < 1.1  # "no gain at all"


def test_a_million_points_by_hand():
    table, text = rows(sweeps.million_html(RECORD))
    few, many = (RECORD["overhead"][f"{sweeps.CLUSTER}, {count}"] for count in (10_000, 100_000))
    # 1600 workers: a task lasts a hundredth of a second for each of them, and has as many points of a second
    runs, busy = 10**6 / 1600, 10**6 * many["computed"] / 100_000 + 10**6 / 16 * RECORD["task"][sweeps.CLUSTER]
    megabytes = few["megabytes"] + (many["megabytes"] - few["megabytes"]) / 90_000 * 990_000
    assert f"take {max(runs, busy) / 60:.0f} minutes" in text
    needs = {row[0]: row[1] for row in table}
    assert needs == {
        "time of the process that sweeps": f"{busy / 60:.2g}",
        "memory of that process": f"{megabytes / 1000:.2g}",
    }
    shares = [float(row[4].removesuffix(" %")) for row in table]
    assert shares == sorted(shares, reverse=True)
    assert f"What breaks first is the {table[0][0]};" in text


def test_it_breaks_where_the_page_says():
    costs, workers = sweeps.own(RECORD), 1600
    (time,) = [limit for limit in sweeps.limits(RECORD) if limit.unit == "minutes"]
    seconds, machines = (float(found.replace(",", "")) for found in re.findall(r"than ([\d.,]+)", time.breaks))
    for factor, breaks in ((1.1, False), (0.9, True)):
        short = seconds * factor
        assert (duration(10**6, short, workers, costs) > duration(10**6, short, workers)) is breaks
        many = round(machines / factor) * 16
        assert (costs.seconds(10**6, 1.0, many) > 10**6 / many) is breaks


def test_when_a_sweep_ends_early_is_what_the_text_says():
    pool, dask = import_module("lib.sweep.pool"), pytest.importorskip("joblib._dask")
    parameters = import_module("inspect").signature(dask.DaskDistributedBackend).parameters
    assert f"If {pool.DEATHS} points in a row" in PAGE
    assert f"`, {parameters['wait_for_workers_timeout'].default} by default" in PAGE


def test_forecasts_are_those_of_the_record_and_within_a_quarter():
    table, _ = rows(sweeps.forecasts_html(RECORD))
    assert [row[0] for row in table] == list(RECORD["forecasts"])
    for found in RECORD["forecasts"].values():
        assert len(found["runs"]) >= 2
        for run in found["runs"]:
            assert run["others"] <= 0.1
            assert abs(run["forecast"] / run["took"] - 1) <= 0.25
            assert run["tried"] <= 0.15 * 10_000
    names = " ".join(kind for kind, found in RECORD["forecasts"].items() if len(found["runs"]) >= 3)
    assert all(kind in names for kind in ("same cost", "grows with a setting", "two processes", "Dask"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: re.findall(r"\w+Cluster|forecast", program)[0])
def test_programs_name_what_the_packages_have(program):
    """They compile; of packages that are installed the names, and the arguments that they are given, are there."""
    tree = ast.parse(program)
    compile(tree, "sweeps.md", "exec")
    for node in [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]:
        if find_spec(node.module.partition(".")[0]) is not None:
            for name in node.names:
                module = import_module(node.module)
                assert hasattr(module, name.name) or import_module(f"{node.module}.{name.name}")


def test_the_ssh_cluster_takes_what_the_page_gives_it():
    inspect, deploy = import_module("inspect"), pytest.importorskip("distributed.deploy.ssh")
    (program,) = [program for program in PROGRAMS if "SSHCluster(" in program]
    (call,) = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call)]
    given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    inspect.signature(deploy.SSHCluster).bind(*call.args, **given)
    from distributed import Nanny

    takes = set(inspect.signature(Nanny).parameters) | {"n_workers"}  # which the deployer's own class adds
    assert set(given["worker_options"]) <= takes
    assert 'self.kwargs.pop("n_workers"' in inspect.getsource(deploy)
