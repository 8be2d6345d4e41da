"""The ledger: totals, rows with an address, the form that finds some of them."""

import re

import pytest

from hal import claims
from hal.chapters import written
from hal.claims.ledger import recorded
from hal.results import path_of
from hal.site.ledger import VERDICTS, count_html

SLUGS = [row.slug for row in written()]
RECORDS = {slug: path_of(slug, "claims") for slug in SLUGS}


def test_the_landing_page_counts_every_verdict():
    verdicts = [found.check.verdict for slug in SLUGS for found in recorded(RECORDS[slug]).values()]
    said = re.sub(r"<[^>]+>", "", count_html(verdicts, "book/ledger.html"))
    assert [int(number) for number in re.findall(r"\d+", said)] == [len(verdicts), *map(verdicts.count, VERDICTS)]
    assert re.search(r"\d+ claims: \d+ hold, \d+ hold under a stated condition, \d+ could not be reproduced and", said)


@pytest.fixture
def ledger(chromium, site):
    """The ledger, from its file."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.goto((site / "book" / "ledger.html").as_uri())
    yield page
    assert page.problems == []
    page.close()


def shown(page):
    return page.locator("tr[data-verdict]:visible").evaluate_all("rows => rows.map((row) => row.id)")


def said(page, text):
    page.locator(".lib-ledger-form [role=status]").get_by_text(text, exact=True).wait_for()


@pytest.mark.browser
def test_the_page_opens_on_what_does_not_simply_hold_and_the_form_finds_the_rest(ledger):
    everything = [claim.id for claim in claims.all()]
    verdicts = {id: found.check.verdict for slug in SLUGS for id, found in recorded(RECORDS[slug]).items()}
    opened = [id for id in everything if verdicts[id] != "holds"]
    assert shown(ledger) == opened
    said(ledger, f"{len(opened)} of {len(everything)} claims.")
    ledger.get_by_label("Verdict").select_option("all")
    assert shown(ledger) == everything
    said(ledger, f"All {len(everything)} claims.")
    ledger.get_by_label("Verdict").select_option("fails")
    failing = [id for id in everything if verdicts[id] == "fails"]
    assert shown(ledger) == failing
    said(ledger, f"{len(failing)} of {len(everything)} claims.")
    ledger.get_by_label("Paper").select_option(SLUGS[0])
    assert shown(ledger) == [id for id in failing if id in RECORDS[SLUGS[0]].read_text()]
    ledger.get_by_role("button", name="Clear").press("Enter")
    said(ledger, f"{len(opened)} of {len(everything)} claims.")
    assert shown(ledger) == opened
    ledger.get_by_label("Verdict").select_option("all")
    ledger.get_by_label("Words").fill("scb-3")
    assert shown(ledger)[:1] == ["SCB-3"]
    ledger.get_by_label("Words").fill("no claim has these words")
    assert shown(ledger) == []
    said(ledger, f"0 of {len(everything)} claims.")
    # a link to a row that the form hides shows it
    ledger.evaluate("location.hash = '%53CB-2'")
    ledger.locator("[id='SCB-2']:visible").wait_for()
    assert shown(ledger) == everything
    ledger.reload()
    ledger.locator("[id='SCB-2']:visible").wait_for()


@pytest.mark.browser
def test_without_a_script_all_rows_stand(chromium, site):
    page = chromium.new_page(java_script_enabled=False)
    page.goto((site / "book" / "ledger.html").as_uri())
    assert page.locator("tr[data-verdict]:visible").count() == len(claims.all())
    assert page.locator(".lib-ledger-form:visible").count() == 0
    page.close()


@pytest.mark.browser
def test_the_ledger_sets_its_formulas_and_links_what_does_not_simply_hold_to_its_section(site):
    text = (site / "book" / "ledger.html").read_text()
    rows = re.findall(r'data-verdict="([^"]+)">(.*?)</tr>', text, re.S)
    assert len(rows) == len(claims.all())
    assert [row for verdict, row in rows if verdict != "holds" and "lib-places" not in row] == []
    dollars = sum(claim.says.count("$") for claim in claims.all())
    assert dollars > 50
    assert 'class="lib-tex"' not in text
    assert text.count('<span class="katex">') >= dollars // 2
