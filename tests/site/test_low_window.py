"""Every figure of the built book in a low window of 1350 × 680, and on a screen: no plot is lower than its labels."""

import pytest

from tests.chapters import chapters

pytestmark = pytest.mark.browser
LEAST = 120  # pixels of a plot: 60 of them are ticks, the titles of its axes and the air between them


@pytest.mark.parametrize("size", [(1350, 680), (1280, 800), (1440, 900)], ids=str)
@pytest.mark.parametrize("chapter", [path.stem for path in chapters()])
def test_no_plot_is_lower_than_its_labels(chromium, serve, chapter, size):
    page = chromium.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    page.goto(f"{serve}book/{chapter}.html")
    for figure in page.locator("[data-explorer]:not([data-small]):has(.le-spec)").all():
        figure.evaluate("(root) => root.scrollIntoView({ behavior: 'instant' })")
        figure.locator(".le-ui").wait_for()
        heights = "(root) => [...root.querySelectorAll('.le-plot')].map((one) => one.offsetHeight).filter(Boolean)"
        assert min(figure.evaluate(heights)) >= LEAST
        over = """(root) => {
          const plots = [...root.querySelectorAll('.le-plot')].filter((one) => one.offsetHeight);
          const lowest = Math.max(...plots.map((one) => one.getBoundingClientRect().bottom));
          return lowest - root.querySelector('.le-foot').getBoundingClientRect().top;
        }"""
        assert figure.evaluate(over) <= 0, "nothing lies over the play bar"
    page.close()
