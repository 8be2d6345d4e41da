"""Names at the ends of curves, in every figure of the built book at three widths: none lies over another."""

import pytest

from tests.chapters import chapters

pytestmark = pytest.mark.browser
# Pairs of names of one picture that share more than the air between two lines.
OVER = """(root) => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const both = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  return [...root.querySelectorAll('.le-ends')].filter(seen).flatMap((ends) => {
    const names = [...ends.querySelectorAll('.le-end')].filter(seen).map((one) => [one, one.getBoundingClientRect()]);
    return names.flatMap(([one, a], i) => names.slice(i + 1).map(([other, b]) => [one, other, a, b]))
      .filter(([, , a, b]) => both(a, b, 'top', 'bottom') > 3 && both(a, b, 'left', 'right') > 1)
      .map(([one, other]) => `${one.textContent} | ${other.textContent}`);
  });
}"""


@pytest.mark.parametrize("width", [390, 784, 1440])
@pytest.mark.parametrize("chapter", [path.stem for path in chapters()])
def test_no_name_lies_over_another(chromium, serve, chapter, width):
    page = chromium.new_page(viewport={"width": width, "height": 844})
    page.goto(f"{serve}book/{chapter}.html")
    seen = 0
    for figure in page.locator("[data-explorer]:not([data-small]):has(.le-spec)").all():
        figure.evaluate("(root) => root.scrollIntoView({ behavior: 'instant' })")
        figure.locator(".le-ui").wait_for()
        page.wait_for_function(
            "(root) => !root.explorerState || root.explorerState().drawn", arg=figure.element_handle()
        )
        assert figure.evaluate(OVER) == []
        seen += figure.locator(".le-end").count()
    assert seen > 0
    page.close()


def test_where_names_are_many_the_read_out_has_those_near_the_pointer(chromium, serve):
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{serve}book/linear_block.html")
    figure = page.locator("[data-explorer=linear_block-risk]")
    figure.evaluate("(root) => root.scrollIntoView({ behavior: 'instant' })")
    figure.locator(".le-ui").wait_for()
    page.wait_for_function("(root) => root.explorerState().drawn", arg=figure.element_handle())
    panel = figure.locator(".le-panel").first
    assert panel.locator(".le-legend li:not(.le-unseen)").count() == 6
    plot = panel.locator(".le-plot").bounding_box()
    told = set()
    for down in (0.3, 0.5, 0.7):
        page.mouse.move(plot["x"] + 0.8 * plot["width"], plot["y"] + down * plot["height"])
        rows = panel.locator(".le-tip-row span").all_inner_texts()
        assert 1 <= len(rows) < 6
        told |= set(rows)
    assert len(told) > 1
    page.close()
