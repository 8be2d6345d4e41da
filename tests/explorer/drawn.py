"""What an explorer has drawn, held to the numbers of the library; shared by the tests of all explorers."""

import numpy as np

from lib.explorer.encode import clean
from tests.browser import explorer_state

MAIN, SIDE = "[data-explorer=toy-main]", "[data-explorer=toy-side]"  # the two figures of the toy book


def tolerance(item):
    """Largest error of a stored array: half a step of its range, in decimal orders on a log axis; float32 if exact."""
    values, codec = clean(item).astype(float), item.codec
    values = values[np.isfinite(values)]
    if codec.bits is None or not values.size:
        return 1e-6 * (1 + np.abs(values).max(initial=0))
    values = np.log10(values) if codec.log else values
    return (values.max() - values.min()) / (2**codec.bits - 2) * 0.51 + 1e-6 * (1 + np.abs(values).max())


def assert_same(stored, item, name=""):
    """An array that was stored or drawn is the one that the library found, within the quantisation of its codec."""
    expected = clean(item).astype(float)
    assert stored.shape == expected.shape, name
    np.testing.assert_array_equal(np.isnan(stored), np.isnan(expected), err_msg=name)
    scale = np.log10 if item.codec.log else np.asarray
    seen = np.isfinite(expected)
    assert np.abs(scale(stored[seen]) - scale(expected[seen])).max(initial=0) <= tolerance(item), name


def state(page, which=MAIN):
    """What the explorer `which` shows, once it is at rest: settings, cursor, sentence, complaints, arrays."""
    page.wait_for_selector(f"{which}[aria-busy=false]")
    return explorer_state(page, which)


def assert_drawn(found, explorer, settings):
    """The numbers on the page are those of the library at these settings, within the quantisation of each array."""
    assert found["settings"] == found["drawn"] == settings
    drawn, _ = explorer.compute(settings)
    assert found["reading"] == drawn.reading
    assert found["arrays"].keys() == drawn.items.keys()
    for key, item in drawn.items.items():
        one = found["arrays"][key]
        shown = np.array([np.nan if v is None else v for v in one["data"]]).reshape(one["shape"])
        assert_same(shown, item, key)


def slider(page, name, which=MAIN):
    """The slider of the setting `name`."""
    return page.locator(f"{which} input[data-setting={name}]")
