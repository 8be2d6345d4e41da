"""The explorers of the built chapters: their sliders by keyboard show what the library computes."""

import pytest

from hal.chapters import written
from hal.explorer.controls import WeightsControl
from tests.chapters import chapters, explorers
from tests.explorer.drawn import slider, state

pytestmark = pytest.mark.browser
CASES = [(path.stem, name, explorer) for path in chapters() for name, explorer in explorers(path.stem).items()]


def test_every_chapter_has_at_least_three_explorers():
    """A chapter on a paper, that is; one of our own has at least one."""
    papers = {row.slug for row in written() if row.arxiv}
    for path in chapters():
        assert sum(chapter == path.stem for chapter, _, _ in CASES) >= (3 if path.stem in papers else 1)


@pytest.fixture(scope="module")
def opened(chromium, serve):
    """opened(chapter): its page, open for all figures of a row, and what it complains of."""
    now = {}

    def go(chapter):
        if chapter not in now:
            close()
            page, problems = chromium.new_page(), []
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
            now[chapter] = page, problems
        return now[chapter]

    def close():
        for page, _ in now.values():
            page.close()
        now.clear()

    yield go
    close()


@pytest.mark.parametrize(("chapter", "name", "explorer"), CASES, ids=[name for _, name, _ in CASES])
def test_both_ends_of_every_slider_are_computed_as_theory_says(opened, serve, chapter, name, explorer):
    page, problems = opened(chapter)
    page.goto(f"{serve}book/{chapter}.html#{name}:")
    which = f"[data-explorer={name}]"
    page.locator(which).scroll_into_view_if_needed()
    tracks = {key: control for key, control in explorer.controls_by_name.items() if not control.slider.hidden}
    weights = [key for key, control in explorer.controls_by_name.items() if isinstance(control, WeightsControl)]
    for key, control in tracks.items():
        knob = slider(page, key, which)
        idle = any(way.applies(explorer.default) for way in control.slider.idle_ways)  # does nothing, and stays
        for press, end in (("Home", control.low), ("End", control.high)):
            knob.press(press)
            found = state(page, which)
            # bars follow the setting that says how many there are
            shown = {name: value for name, value in found["settings"].items() if name not in weights}
            assert shown == {
                name: value
                for name, value in {**explorer.default, **({} if idle else {key: end})}.items()
                if name not in weights
            }
            theory = explorer.compute(found["settings"], runs=0).theory
            assert {k: list(map(str, map(float, v))) for k, v in theory.items()} == {
                k: list(map(str, map(float, v))) for k, v in found["theory"].items()
            }
        page.locator(f"{which} [data-tool=reset]").click()
    # the page goes on to its own first run, at the last of the settings
    slider(page, key, which).press("End")
    page.wait_for_function(f"document.querySelector('{which}').explorerState().count > 0")
    assert state(page, which)["drawn"][key] == control.high
    assert problems == []
