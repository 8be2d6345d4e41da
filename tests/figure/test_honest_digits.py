"""What every explorer's embed page shows, legend, tooltip, table and sentence, is what it computed, to its digits."""

import math

import numpy as np
import pytest

from hal.figure import Computed
from tests.browser import explorer_state, press_tool
from tests.figure.drawn import to_place, unfold
from tests.rows import figures

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


def shows(text, value, digits):
    """Whether the text is this number, rounded to so many significant digits."""
    shown = parsed(text)
    if not math.isfinite(value):
        return math.isnan(shown)
    size = abs(value)
    kept = min(digits, 3) if value and (size >= 1e7 or size < 1e-4) else digits
    unit = 10.0 ** (math.floor(math.log10(size)) - kept + 1) if size else 0.0
    if size < 1e7:
        unit = min(unit, 1.0)  # whole numbers keep all their digits
    return abs(shown - value) <= 0.5 * unit * (1 + 1e-6)


def test_a_wrong_digit_is_no_rounding():
    for text, value in (("0.124", 0.1229), ("1,235", 1234.2), ("3.1×10⁻⁵", 3.21e-5), ("–", 1.0), ("2", math.nan)):
        assert not shows(text, value, 3)
    for text, value in (("0.123", 0.1229), ("1,234", 1234.2), ("3.2×10⁻⁵", 3.2e-5), ("10⁻⁵", 1e-5), ("–", math.nan)):
        assert shows(text, value, 3)


def thinned(count, most):
    """The places of a table: all, or `most` evenly spread."""
    return range(count) if count <= most else [math.floor(i * (count - 1) / (most - 1) + 0.5) for i in range(most)]


def nearest(grid, value):
    """The place of the nearest number of a grid that rises, as the page takes it: of two equally near the later."""
    i = min(int(np.searchsorted(grid, value)), len(grid) - 1)
    return i - 1 if i and value - grid[i - 1] < grid[i] - value else i


class Shown:
    """A figure at rest, the arrays that it draws, of which the bits are asked elsewhere, and where it shows another."""

    def __init__(self, page, explorer):
        self.page, self.explorer, self.found = page, explorer, []
        self.root = page.locator(f"[data-explorer={explorer.name}]")
        self.panels = explorer.spec()["panels"]
        self.state = explorer_state(page, f"[data-explorer={explorer.name}]")
        # a single run has no band beside it
        bands = () if len(self.state["runs"]) > 2 else (".low", ".high")
        self.items = {
            key: np.array([math.nan if v is None else v for v in one["data"]], dtype=float).reshape(one["shape"])
            for key, one in self.state["arrays"].items()
            if not key.endswith(bands)
        }

    def ask(self, text, value, digits, *where):
        if not shows(text, value, digits):
            self.found.append(f"{', '.join(map(str, where))}: {text} is shown for {value}")

    def rows(self, i, j):
        """The rows of a series and the x of each."""
        y, x = self.items[f"{i}.y{j}"], self.items.get(f"{i}.y{j}.x", self.items.get(f"{i}.x"))
        y = np.atleast_2d(y)
        return y, np.broadcast_to(np.atleast_2d(x), y.shape)

    def timed(self, panel):
        name = self.explorer.time.rpartition(".")[2]
        return panel["kind"] == "lines" and panel["sources"]["x"].rpartition(".")[2] == name


def ask_legends_and_tooltips(figure, share):
    """With the cursor at this share of the time."""
    scrubber = figure.root.locator("input[data-role=time]")
    place = round(share * int(scrubber.get_attribute("max")))
    to_place(figure.page, f"[data-explorer={figure.explorer.name}]", place)
    now, checked = figure.items["time"][place], 0
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
            figure.ask(legend[j], float(np.median(known)) if known else math.nan, 3, panel["title"], series["label"])
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
            y, x = figure.rows(i, j)
            values, _, spread = row.locator("b").text_content().partition(" (")
            where = (panel["title"], panel["series"][j]["label"], f"step {step:g}")
            for text, one, places in zip(values.split(" ± ")[0].split(" · "), y, x, strict=True):
                figure.ask(text, one[nearest(places, step)], 3, *where)
                checked += 1
            for text, end in zip(spread.rstrip(")").split(" to ") if spread else [], ("low", "high"), strict=False):
                figure.ask(text, figure.items[f"{i}.y{j}.{end}"][nearest(x[0], step)], 3, *where, end)
    assert checked or not any(map(figure.timed, figure.panels))  # a plane of runs has no curves over time
    figure.page.mouse.move(0, 0)


def ask_tables(figure):
    button = figure.root.locator("[data-tool=table]")
    if button.get_attribute("aria-expanded") != "true":
        press_tool(figure.page, f"[data-explorer={figure.explorer.name}]", "table")
    read = (
        "all => all.map(table => [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)))"
    )
    tables = figure.root.locator(".le-tables table").evaluate_all(read)
    cursor = explorer_state(figure.page, f"[data-explorer={figure.explorer.name}]")["cursor"]
    for i, (panel, body) in enumerate(zip(figure.panels, tables, strict=True)):
        if panel["kind"] == "lines":
            # a shape is not read out
            read = [j for j, one in enumerate(panel["series"]) if one.get("corner") or not one.get("fill")]
            further = [figure.items[k] for j in read if (k := f"{i}.y{j}.x") in figure.items]
            grid = max((np.atleast_2d(one)[0] for one in [figure.items[f"{i}.x"], *further]), key=len)
            for row, k in zip(body, thinned(len(grid), 26), strict=True):
                figure.ask(row[0], grid[k], 4, panel["title"], "x")
                cells = iter(row[1:])
                for j in read:
                    y, x = figure.rows(i, j)
                    where = (panel["title"], panel["series"][j]["label"], k)
                    for text, one, places in zip(next(cells).split(" · "), y, x, strict=True):
                        figure.ask(text, one[nearest(places, grid[k])], 4, *where)
                    for end in ("low", "high") if f"{i}.y{j}.low" in figure.items else ():
                        figure.ask(next(cells), figure.items[f"{i}.y{j}.{end}"][nearest(x[0], grid[k])], 4, *where, end)
        if panel["kind"] == "heatmap":
            z = figure.items[f"{i}.z"]
            frame = z[cursor] if z.ndim == 3 else z
            for row, k in zip(body, thinned(frame.shape[0], 26), strict=True):
                for text, column in zip(row[1:], thinned(frame.shape[1], 24), strict=True):
                    figure.ask(text, frame[k, column], 3, panel["title"], k, column)


@pytest.mark.browser
@pytest.mark.law
@pytest.mark.parametrize("name", figures())
def test_every_number_that_a_figure_shows_is_computed_and_rounded_rightly(tab, serve, name):
    """At short runs, all of them finished."""
    module, row = figures()[name]
    page, explorer, which = tab(serve), Computed(module), f"[data-explorer={name}]"
    page.set_default_timeout(120_000)
    page.goto(f"{serve}embed/{name}.html#{name}:{','.join(f'{k}={v}' for k, v in row.short.items())}")
    page.wait_for_function(f"(document.querySelector('{which}').explorerState?.().count ?? 0) >= {explorer.runs}")
    page.wait_for_selector(f"{which} .le-reading[aria-busy=false]", state="attached")
    unfold(page, which)
    figure = Shown(page, explorer)
    for share in (1.0, 0.4) if figure.root.locator("input[data-role=time]").count() else ():
        ask_legends_and_tooltips(figure, share)
    ask_tables(figure)
    assert not figure.found, "\n".join(figure.found)
