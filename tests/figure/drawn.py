"""A page of one figure, what an explorer has drawn, and its sliders; shared by the tests of all explorers."""

from hal.figure.assets import script, style
from tests import browser
from tests.browser import explorer_state

OPEN = "(all) => all.forEach((one) => (one.open = true))"


def write_page(folder, html):
    """The address of a page of these figures alone, as the book has them, on disk."""
    head = f'<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>Toy</title><style>{style()}'
    (folder / "index.html").write_text(f"{head}</style><main>{html}</main><script>{script()}</script>", "utf-8")
    return (folder / "index.html").as_uri()


def state(page, which):
    """What the explorer `which` shows, once it is at rest: settings, cursor, sentence, complaints, arrays."""
    page.wait_for_selector(f"{which}[aria-busy=false]")
    return explorer_state(page, which)


def settled(page, which, runs=1, **settings):
    """What the explorer `which` shows once so many runs are finished at the settings that it has, these among them."""
    page.wait_for_function(
        """([which, runs, wanted]) => {
          const found = document.querySelector(which)?.explorerState?.();
          return found && !found.busy && found.count >= runs
            && Object.entries({ ...found.settings, ...wanted }).every(([name, value]) =>
              JSON.stringify(found.drawn[name]) === JSON.stringify(value));
        }""",
        arg=[which, runs, settings],
    )
    return explorer_state(page, which)


def sample_state(page):
    """What an interactive sample or a game, alone on its page, shows."""
    return page.evaluate("document.querySelector('.lib-sample').sampleState()")


def sample_height(page):
    return page.evaluate("document.querySelector('.lib-sample').getBoundingClientRect().height")


def to_place(page, which, place):
    """Move the time to a place of its bar."""
    page.locator(f"{which} input[data-role=time]").evaluate(
        "(input, at) => { input.value = at; input.dispatchEvent(new Event('input', {bubbles: true})); }", place
    )


def dragged(page, handle, across, down):
    """Drag what a locator finds, by its middle, over so many pixels."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=4)
    page.mouse.up()


def unfold(page, which):
    """Open "More curves"; once the next frame is there they are drawn."""
    page.locator(f"{which} .le-more-curves").evaluate_all(OPEN)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def slider(page, name, which):
    """The slider of the setting `name`, or what of its switch has the focus; what folds it away is opened."""
    page.locator(f"{which} [data-setting={name}]").first.wait_for(state="attached")  # a figure that is awake
    page.locator(f"{which} details:has([data-setting={name}])").evaluate_all(OPEN)
    return page.locator(f"{which} [data-setting={name}]:not([tabindex='-1'])")


def typed(page, which, name, value):
    """Type a value beside a slider."""
    field = page.locator(f"{which} .le-control:has([data-setting={name}]) input[type=number]")
    field.fill(value)
    field.press("Enter")
    return field


def panel(page, which, title):
    """The panel of a figure with this title."""
    return page.locator(f"{which} .le-panel").filter(has=page.locator(f".le-panel-title > span:text-is('{title}')"))


def barriers(page, which):
    """What axe-core finds in a part of the page with all of its rules."""
    return [[one["id"], [node["html"][:200] for node in one["nodes"]]] for one in browser.barriers(page, which)]
