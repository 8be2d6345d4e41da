"""Every figure of the built book in a low window of 1350 × 680, and on a screen: no plot is lower than its labels, and
none is narrower.
"""

import pytest

from tests.chapters import chapters

pytestmark = pytest.mark.browser
LEAST = 120  # pixels of a plot: 60 of them are ticks, the titles of its axes and the air between them
# Words in view that reach beyond their plot by more than the gap between two plots, 20 pixels, can hide.
BEYOND = """(root) => [...root.querySelectorAll('svg.le-plot, .le-plot svg')].flatMap((plot) => {
  const box = plot.getBoundingClientRect();
  return [...plot.querySelectorAll('text')].filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, at]) => at.width && at.right > 0 && (at.left < box.left - 16 || at.right > box.right + 16))
    .map(([word]) => word);
})"""


@pytest.mark.parametrize("size", [(1350, 680), (1280, 800), (1440, 900)], ids=str)
@pytest.mark.parametrize("chapter", [path.stem for path in chapters()])
def test_no_plot_is_lower_or_narrower_than_its_labels(chromium, serve, chapter, size):
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
        assert figure.evaluate(BEYOND) == []
    page.close()
