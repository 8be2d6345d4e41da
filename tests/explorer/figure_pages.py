"""Pages of figures that compute, opened from disk, and what they must show; shared by the chapters' browser tests."""

import math

from lib.explorer import assets
from tests.browser import explorer_state


def written_pages(folder, figures, cheap):
    """Write a page NAME.html for each figure; the build's own runs are cut to what a test can wait for.

    Args:
        folder: where.
        figures: name -> explorer.
        cheap: name -> settings of a short run.
    """
    (folder / "explorer.js").write_text(assets.script())
    (folder / "explorer.css").write_text(assets.style())
    head = '<meta charset="utf-8"><title>Toy</title><link rel="stylesheet" href="explorer.css">'
    for name, figure in figures.items():
        compute, figure.first = figure.compute, 1
        figure.compute = lambda settings=None, seed=0, runs=1, own=compute, name=name: own(cheap[name], seed, runs)
        body = f'<main class="full-width">{figure.html()}</main><script src="explorer.js"></script>'
        del figure.compute
        text = f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'
        (folder / f"{name}.html").write_text(text)
    return folder


def written(value):
    """A setting as a link has it."""
    return "/".join(map(str, value)) if isinstance(value, list) else value


def open_figure(chromium, folder, name, settings, errors):
    """The page of a figure at these settings; what it complains about goes to `errors`."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    asked = ",".join(f"{key}={written(value)}" for key, value in settings.items())
    page.goto(f"{(folder / name).as_uri()}.html#{name}:{asked}")
    return page


def came(page, runs):
    """Wait until so many runs are finished at the settings that the sliders show."""
    page.wait_for_function(
        "(() => { const s = document.querySelector('[data-explorer]').explorerState?.();"
        f" return s && !s.busy && s.count >= {runs} && JSON.stringify(s.settings) === JSON.stringify(s.drawn); }})()"
    )


def assert_runs_are_python_s(page, figure, settings):
    """All runs of the figure and its sentence are CPython's, and it fits on a screen."""
    came(page, figure.runs)
    shown, ours = explorer_state(page, "[data-explorer]"), figure.compute(settings, runs=figure.runs)
    for theirs, run in zip(shown["runs"], ours.runs, strict=True):
        wanted = {key: [x if math.isfinite(x) else None for x in values] for key, values in run.items()}
        assert theirs["readings"] == wanted
    assert page.locator(".le-reading").inner_text() == figure.draw(ours).reading
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    assert page.locator(".le-ui").bounding_box()["height"] <= 900
