"""Every figure of the built book on a phone of 390 × 844: how long it is, what its dock covers, how large its text."""

import pytest

from tests.chapters import chapters, explorers

pytestmark = pytest.mark.browser
CASES = [(path.stem, name) for path in chapters() for name in explorers(path.stem)]
SCREEN, SCREENS = 844, 1.6
SMALLEST = 12  # pixels of text in a picture; what is set low or high, as in α_V, may be smaller


@pytest.fixture(scope="module")
def opened(chromium, serve):
    """opened(chapter): its page on a phone, open for all figures of a row."""
    now = {}

    def go(chapter):
        if chapter not in now:
            for page in now.values():
                page.close()
            now.clear()
            now[chapter] = chromium.new_page(viewport={"width": 390, "height": SCREEN}, has_touch=True, is_mobile=True)
            now[chapter].goto(f"{serve}book/{chapter}.html")
        return now[chapter]

    yield go
    for page in now.values():
        page.close()


def awake(page, which):
    page.locator(which).evaluate("(root) => root.scrollIntoView({ behavior: 'instant' })")
    page.wait_for_selector(f"{which}[aria-busy=false] .le-ui")
    page.wait_for_function(f"document.querySelector('{which}').explorerState().drawn")


@pytest.mark.parametrize(("chapter", "name"), CASES, ids=[name for _, name in CASES])
def test_a_figure_fits_a_phone(opened, chapter, name):
    page, which = opened(chapter), f"[data-explorer={name}]"
    awake(page, which)

    def box(part):
        return page.locator(f"{which} {part}").first.bounding_box()

    assert box(".le-ui")["height"] <= SCREENS * SCREEN
    plot = page.locator(f"{which} .le-plot").first
    plot.evaluate(
        "(one) => window.scrollTo({ top: one.getBoundingClientRect().top + scrollY - 110, behavior: 'instant' })"
    )
    picture, bar, dock = box(".le-plot"), box(".le-time"), box(".le-dock-of")
    assert picture["y"] + picture["height"] <= bar["y"] + 1
    assert bar["y"] + bar["height"] <= dock["y"] + 1
    assert dock["height"] <= 104
    outside = f"""[...document.querySelectorAll('{which} .le-spoken > p')].filter((p) => !p.hidden)
      .filter((p) => p.getBoundingClientRect().right > p.closest('.le-dock-of').getBoundingClientRect().right).length"""
    assert page.evaluate(outside) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize(("chapter", "name"), CASES, ids=[name for _, name in CASES])
def test_its_text_can_be_read(opened, chapter, name):
    page, which = opened(chapter), f"[data-explorer={name}]"
    awake(page, which)
    small = f"""[...document.querySelectorAll('{which} .le-chart text')].filter((one) => one.textContent.trim())
      .map((one) => [one, one.getScreenCTM() ?? {{ a: 1, b: 0 }}])
      .map(([one, {{ a, b }}]) => [parseFloat(getComputedStyle(one).fontSize), Math.hypot(a, b), one.textContent])
      .filter(([size, scale]) => size * scale < {SMALLEST})"""
    assert page.evaluate(small) == []
