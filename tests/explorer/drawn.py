"""What an explorer has drawn, and its sliders; shared by the tests of all explorers."""

from tests.browser import explorer_state


def state(page, which):
    """What the explorer `which` shows, once it is at rest: settings, cursor, sentence, complaints, arrays."""
    page.wait_for_selector(f"{which}[aria-busy=false]")
    return explorer_state(page, which)


def slider(page, name, which):
    """The slider of the setting `name`."""
    return page.locator(f"{which} input[data-setting={name}]")
