"""Tabs of the tests' browser: a new one knows nothing of the tab before, though it shares what was loaded."""

import pytest

pytestmark = pytest.mark.browser
KEEP = "localStorage.kept = sessionStorage.kept = 1; document.cookie = 'kept=1'"
KEPT = "[localStorage.kept, sessionStorage.kept, document.cookie]"
ALLOWED = "navigator.permissions.query({ name: 'clipboard-read' }).then((found) => found.state)"
ASKED = "[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, Date.now() > 1e9]"


def test_a_new_tab_finds_nothing_stored_or_allowed_and_has_its_own_options_and_clock(chromium, serve):
    before = chromium.new_page(viewport={"width": 390, "height": 700}, color_scheme="dark")
    before.goto(f"{serve}404.html")
    refused = before.evaluate(ALLOWED)
    before.context.grant_permissions(["clipboard-read"])
    before.evaluate(KEEP)
    before.reload()
    assert before.evaluate(KEPT) == ["1", "1", "kept=1"]
    assert before.evaluate(ALLOWED) == "granted" != refused
    assert before.evaluate(ASKED) == [390, True, True]
    after, alone = chromium.new_page(), chromium.new_page(alone=True)
    alone.clock.install(time=0)
    for page in (after, alone):
        page.goto(f"{serve}404.html")
    assert after.context is before.context
    assert after.evaluate(KEPT) == [None, None, ""]
    assert after.evaluate(ALLOWED) == refused
    assert [page.evaluate(ASKED)[1:] for page in (after, alone)] == [[False, True], [False, False]]
    for page in (before, after):
        page.close()
    alone.context.close()
