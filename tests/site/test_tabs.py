"""Tabs of the tests' browser: a new one knows nothing of the tab before, though it shares what was loaded."""

import pytest

pytestmark = pytest.mark.browser
KEEP = "localStorage.kept = sessionStorage.kept = 1; document.cookie = 'kept=1'"
KEPT = "[localStorage.kept, sessionStorage.kept, document.cookie]"
ALLOWED = "navigator.permissions.query({ name: 'clipboard-read' }).then((found) => found.state)"


def test_a_new_tab_finds_nothing_stored_or_allowed(chromium, serve):
    before = chromium.new_page()
    before.goto(f"{serve}index.html")
    refused = before.evaluate(ALLOWED)
    before.context.grant_permissions(["clipboard-read"])
    before.evaluate(KEEP)
    before.reload()
    assert before.evaluate(KEPT) == ["1", "1", "kept=1"]
    assert before.evaluate(ALLOWED) == "granted" != refused
    before.close()
    after = chromium.new_page()
    assert after.context is before.context
    after.goto(f"{serve}index.html")
    assert after.evaluate(KEPT) == [None, None, ""]
    assert after.evaluate(ALLOWED) == refused
    after.close()


def test_a_tab_alone_has_a_clock_of_its_own(chromium, serve):
    alone, other = chromium.new_page(alone=True), chromium.new_page()
    alone.clock.install(time=0)
    for page in (alone, other):
        page.goto(f"{serve}index.html")
    assert alone.evaluate("Date.now()") < 10**9 < other.evaluate("Date.now()")
    alone.context.close()
    other.close()


def test_options_are_the_tab_s(chromium, serve):
    page = chromium.new_page(viewport={"width": 390, "height": 700}, color_scheme="dark", reduced_motion="reduce")
    page.goto(f"{serve}index.html")
    assert page.evaluate("[innerWidth, innerHeight]") == [390, 700]
    asked = ("prefers-color-scheme: dark", "prefers-reduced-motion: reduce")
    assert all(page.evaluate(f"matchMedia('({what})').matches") for what in asked)
    page.close()
    page = chromium.new_page()
    page.goto(f"{serve}index.html")
    assert not any(page.evaluate(f"matchMedia('({what})').matches") for what in asked)
    page.close()
