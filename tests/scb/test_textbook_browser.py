"""The default run in full, as a page's own classic script in Chromium: CPython's numbers, to the last bit."""

import pytest

from lib.models.scb import textbook
from lib.models.scb.textbook import Settings
from lib.portable import javascript
from tests.portable.engine import SHOW, bits, literal, numbers_shown

pytestmark = pytest.mark.browser


def test_the_default_in_full(chromium):
    page = chromium.new_page()
    page.add_script_tag(content=javascript(textbook) + SHOW)
    shown = page.evaluate(f"""() => {{
        const M = portable["lib.models.scb.textbook"], settings = {literal(Settings())};
        const state = M.start(settings, 0);
        M.advance(state, M.steps_of(settings));
        return $show([M.read(state), state.V, state.A]);
    }}""")
    page.close()
    state = textbook.start(Settings(), 0)
    textbook.advance(state, 600)
    assert bits(numbers_shown(shown)) == bits([textbook.read(state), state.V, state.A])
