"""What a figure shows in the browser, legend, tooltip, table, sentence and CSV, is what it computed, to its digits.

The page's own theory and runs are drawn again in Python, and every number that a reader sees is held to them; that
they have the bits of Python's is a law of `test_figures`.
"""

import csv
import io
import math

import numpy as np
import pytest

from hal.explorer import figure_of
from hal.explorer.facts import Result, facts_of, middle_run
from tests.browser import Watch, explorer_state
from tests.explorer.drawn import unfold
from tests.rows import figures, short_runs

NO_SUBSCRIPTS = str.maketrans("", "", "_{}")
SUPERSCRIPT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def parsed(text):
    """The number that a text shows; NaN for a dash or nothing."""
    text = text.strip().replace("−", "-").replace(",", "")
    if text in ("", "–"):
        return math.nan
    head, power, exponent = text.partition("10") if set(text) & set("×⁻⁰¹²³⁴⁵⁶⁷⁸⁹") else (text, "", "")
    if not power:
        return float(text)
    return float(head.strip("×") or 1) * 10.0 ** int(exponent.translate(SUPERSCRIPT))


def assert_shows(text, value, digits, where):
    """The text is this number, rounded to so many significant digits."""
    shown = parsed(text)
    if not math.isfinite(value):
        assert math.isnan(shown), where
        return
    size = abs(value)
    kept = min(digits, 3) if value and (size >= 1e7 or size < 1e-4) else digits
    unit = 10.0 ** (math.floor(math.log10(size)) - kept + 1) if size else 0.0
    if size < 1e7:
        unit = min(unit, 1.0)  # whole numbers keep all their digits
    assert abs(shown - value) <= 0.5 * unit * (1 + 1e-6), (*where, text, value)


def test_the_measure_of_this_test_refuses_a_wrong_digit():
    for text, value in (("0.124", 0.1229), ("1,235", 1234.2), ("3.1×10⁻⁵", 3.21e-5), ("–", 1.0), ("2", math.nan)):
        with pytest.raises(AssertionError):
            assert_shows(text, value, 3, ())
    for text, value in (("0.123", 0.1229), ("1,234", 1234.2), ("3.2×10⁻⁵", 3.2e-5), ("10⁻⁵", 1e-5), ("–", math.nan)):
        assert_shows(text, value, 3, ())


def thinned(count, most):
    """The places of a table: all, or `most` evenly spread."""
    return range(count) if count <= most else [math.floor(i * (count - 1) / (most - 1) + 0.5) for i in range(most)]


class Figure:
    """A figure at rest, and what it should show."""

    def __init__(self, page, explorer):
        self.page, self.explorer = page, explorer
        self.root = page.locator(f"[data-explorer={explorer.name}]")
        found = self.state()
        restored = [
            {k: [math.nan if v is None else v for v in values] for k, values in run["readings"].items()}
            for run in found["runs"]
        ]
        theory = {k: [float(v) for v in values] if values else values for k, values in self.theory(found).items()}
        facts = facts_of(explorer.outcome, theory, restored, explorer.summary)
        self.result = Result(theory, restored, facts, middle_run(restored, explorer.middle))
        self.drawn = explorer.draw(self.result)
        self.panels = explorer.spec()["panels"]
        # a single run has no band beside it
        kept = [key for key in self.drawn.items if len(restored) > 2 or not key.endswith((".low", ".high"))]
        self.items = {key: self.drawn.items[key] for key in kept}

    def state(self):
        return explorer_state(self.page, f"[data-explorer={self.explorer.name}]")

    @staticmethod
    def theory(found):
        names = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
        return {k: [names.get(v, v) if isinstance(v, str) else v for v in vs] for k, vs in found["theory"].items()}

    def rows(self, i, j):
        """The rows of a series and the x of each."""
        y, x = self.items[f"{i}.y{j}"], self.items.get(f"{i}.y{j}.x", self.items.get(f"{i}.x"))
        y = np.atleast_2d(y)
        return y, np.broadcast_to(np.atleast_2d(x), y.shape)

    def timed(self, panel):
        name = self.explorer.time.rpartition(".")[2]
        return panel["kind"] == "lines" and not panel["frames"] and panel["sources"]["x"].rpartition(".")[2] == name


def nearest(grid, value):
    """The place of the nearest number of a grid that rises, as the page takes it: of two equally near the later."""
    i = min(int(np.searchsorted(grid, value)), len(grid) - 1)
    return i - 1 if i and value - grid[i - 1] < grid[i] - value else i


def sentence(figure):
    """What the page says of itself, and shows, is the sentence of its numbers."""
    assert figure.state()["reading"] == figure.drawn.reading
    text = figure.root.locator(".le-reading").text_content()
    if figure.explorer.at < 1:  # the cursor stands before the end, of which the sentence speaks
        assert text.startswith("Of the whole run: ")
        text = text.removeprefix("Of the whole run: ")
    assert text.replace("_", "") == figure.drawn.reading.replace("_", "")


def legends_and_tooltips(figure, share):
    """The values of curves at this share of the time, and of those under a pointer."""
    scrubber = figure.root.locator("input[data-role=time]")
    place = round(share * int(scrubber.get_attribute("max")))
    scrubber.evaluate(
        "(input, at) => { input.value = at; input.dispatchEvent(new Event('input', {bubbles: true})); }", place
    )
    now = figure.items["time"][place]
    checked = 0
    for i, panel in enumerate(figure.panels):
        if not figure.timed(panel):
            continue
        root = figure.root.locator(".le-panel").nth(i)
        figure.page.mouse.move(0, 0)  # values follow a pointer in any panel
        legend = root.locator(".le-legend .le-value").all_text_contents()
        for j, series in enumerate(panel["series"]):
            y, x = figure.rows(i, j)
            if series.get("error") or (series["each"] and len(y) > 1):
                continue
            at = [row[max(0, np.searchsorted(places, now, side="right") - 1)] for row, places in zip(y, x, strict=True)]
            known = [v for v in at if not math.isnan(v)]
            assert_shows(
                legend[j], float(np.median(known)) if known else math.nan, 3, (panel["title"], series["label"])
            )
            checked += 1
        root.scroll_into_view_if_needed()
        box = root.locator(".le-catcher").bounding_box()
        figure.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
        tip = root.locator(".le-tip")
        if not tip.is_visible():  # the place is not yet reached
            continue
        step = parsed(tip.locator(".le-tip-title").text_content().removeprefix("step "))
        labels = [series["label"].translate(NO_SUBSCRIPTS) for series in panel["series"]]
        for row in tip.locator(".le-tip-row").all():  # all series, or of many those near the pointer
            j = labels.index(row.locator("span").text_content())
            said = row.locator("b").text_content()
            y, x = figure.rows(i, j)
            values, _, spread = said.partition(" (")
            for text, row, places in zip(values.split(" ± ")[0].split(" · "), y, x, strict=True):
                assert_shows(text, row[nearest(places, step)], 3, (panel["title"], panel["series"][j]["label"], step))
                checked += 1
            for text, end in zip(spread.rstrip(")").split(" to ") if spread else [], ("low", "high"), strict=False):
                band = figure.items[f"{i}.y{j}.{end}"]
                assert_shows(text, band[nearest(x[0], step)], 3, (panel["title"], end))
    assert checked >= 2 or not any(map(figure.timed, figure.panels))  # a plane of runs has no curves over time
    figure.page.mouse.move(0, 0)


def table(figure):
    """The table of the numbers, at the time where the figure stands."""
    figure.root.locator("[data-tool=table]").click()
    read = "table => [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent))"
    tables = [figure.root.locator(".le-tables table").nth(i).evaluate(read) for i in range(len(figure.panels))]
    assert len(tables) == figure.root.locator(".le-tables table").count()
    for i, (panel, body) in enumerate(zip(figure.panels, tables, strict=True)):
        if panel["kind"] == "lines":
            grids = [
                figure.items[f"{i}.x"],
                *(figure.items[k] for k in figure.items if k.startswith(f"{i}.y") and k.endswith(".x")),
            ]
            grid = max((np.atleast_2d(g)[0] for g in grids), key=len)
            for row, k in zip(body, thinned(len(grid), 26), strict=True):
                assert_shows(row[0], grid[k], 4, (panel["title"], "x"))
                cells = iter(row[1:])
                for j, series in enumerate(panel["series"]):
                    y, x = figure.rows(i, j)
                    for text, one, places in zip(next(cells).split(" · "), y, x, strict=True):
                        assert_shows(text, one[nearest(places, grid[k])], 4, (panel["title"], series["label"], k))
                    ends = ("low", "high") if f"{i}.y{j}.low" in figure.items else ()
                    for end in ends:
                        assert_shows(
                            next(cells),
                            figure.items[f"{i}.y{j}.{end}"][nearest(x[0], grid[k])],
                            4,
                            (panel["title"], end),
                        )
        if panel["kind"] == "heatmap":
            z = figure.items[f"{i}.z"]
            frame = z[figure.state()["cursor"]] if z.ndim == 3 else z
            for row, k in zip(body, thinned(frame.shape[0], 26), strict=True):
                for text, column in zip(row[1:], thinned(frame.shape[1], 24), strict=True):
                    assert_shows(text, frame[k, column], 3, (panel["title"], k, column))


def csv_file(figure):
    """The file has every number in full."""
    with figure.page.expect_download() as download:
        figure.root.locator("[data-tool=csv]").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    for i, panel in enumerate(figure.panels):
        if panel["kind"] not in ("lines", "heatmap"):
            continue
        if panel["kind"] == "heatmap":
            groups = [(panel["clabel"], figure.items[f"{i}.z"])]
        else:
            groups = [(series["label"], figure.items[f"{i}.y{j}"]) for j, series in enumerate(panel["series"])]
        for label, values in groups:
            wanted = [r for r in rows if (r["panel"], r["series"], r["part"]) == (panel["title"], label, "")]
            found = [float(r["value"]) if r["value"] else math.nan for r in wanted]
            known = np.where(np.isfinite(values), values, np.nan).ravel()
            np.testing.assert_allclose(found, known, rtol=1e-12, err_msg=f"{panel['title']}, {label}")
    assert len(rows) >= 4 * len(figure.panels)


@pytest.mark.browser
@pytest.mark.law
@pytest.mark.parametrize("name", figures())
def test_every_number_shown_is_the_computed_one_to_its_digits(tab, serve, name):
    """On the figure's page for frames, at short runs, all of them finished."""
    page = tab(serve, silent=False, accept_downloads=True)
    page.set_default_timeout(120_000)
    watch = Watch(page, serve)
    page.goto(f"{serve}embed/{name}.html#{name}:{','.join(f'{k}={v}' for k, v in short_runs(name).items())}")
    explorer = figure_of(figures()[name][0])
    page.wait_for_function(
        f"(document.querySelector('[data-explorer={name}]').explorerState?.().count ?? 0) >= {explorer.runs}"
    )
    page.wait_for_selector(f"[data-explorer={name}] .le-reading[aria-busy=false]", state="attached")
    unfold(page, f"[data-explorer={name}]")
    figure = Figure(page, explorer)
    sentence(figure)
    legends_and_tooltips(figure, 1.0)
    legends_and_tooltips(figure, 0.4)
    table(figure)
    csv_file(figure)
    no_icon = "console error: Failed to load resource"  # of the page; what the page itself lacks is a response, too
    assert [one for one in watch.problems if not one.startswith(no_icon)] == []
