"""Parts of pages without a browser: docstrings, sizes, pictures, the landing figure."""

import re
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import numpy as np
import pytest

from hal.figure import assets as assets_of_figures
from hal.site import assets
from hal.site.docstrings import escape_plain
from hal.site.landing.figure import WEIGHTS, hero_html, learning_path
from hal.site.tidy import folds_by_their_words, lazy_pictures, lighten
from hal.site.weights import weight
from hal.tables import table_html
from tests.packages import ROOT


@pytest.mark.parametrize(
    ("line", "escaped"),
    [
        ("the norm |A - Q| and a * b", r"the norm \|A - Q\| and a \* b"),
        ("one tick `x|y` is code", "one tick ``x|y`` is code"),
        ("two ticks ``a*b`` stay", "two ticks ``a*b`` stay"),
        ("a role :py:func:`lib.train.train` stays", "a role :py:func:`lib.train.train` stays"),
        ("a name_ alone, a_name not", r"a name\_ alone, a_name not"),
        (">>> 2 * 3", ">>> 2 * 3"),
        (r"    \x", r"    \x"),
    ],
)
def test_docstrings_are_plain_text(line, escaped):
    assert escape_plain(line) == escaped


def test_table_escapes_its_head_and_can_be_reached():
    page = ET.fromstring(table_html(["a < b", "c"], [["<b>1</b>", "2"]], "numbers"))
    assert page.attrib["tabindex"] == "0"
    assert page.attrib["aria-label"] == "numbers"
    assert [th.text for th in page.iter("th")][:2] == ["a < b", "c"]
    assert page.find(".//td").text == "2"


def test_site_leaves_out_maps_large_fonts_and_what_points_to_them(tmp_path):
    for name in ("scripts/a.js.map", "fa.ttf", "fa.woff2", "katex.ttf", "locales/de/sphinx.po"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    style = 'src:url(../fontawesome/fa.woff2) format("woff2")'
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "a.css").write_text(
        f'{style},url(../fontawesome/fa.ttf) format("truetype")\n/*# sourceMappingURL=a.map*/'
    )
    (tmp_path / "scripts" / "a.js").write_text("go()\n//# sourceMappingURL=a.js.map")
    lighten(tmp_path)
    left = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.rglob("*.*") if path.is_file()}
    assert left == {"fa.woff2": "", "katex.ttf": "", "styles/a.css": f"{style}\n", "scripts/a.js": "go()\n"}


def test_weight_counts_what_a_page_loads_once(tmp_path):
    noise = np.random.default_rng(0)
    (tmp_path / "_static" / "explorers").mkdir(parents=True)
    for name in ("theme.css", "site.js", "lazy.png"):
        (tmp_path / "_static" / name).write_bytes(noise.bytes(5000))
    (tmp_path / "page.html").write_text(
        '<link rel="stylesheet" href="_static/theme.css?digest=1"><script src="_static/site.js"></script>'
        '<script src="_static/site.js"></script><img src="https://elsewhere/x.png"><img src="data:image/png;base64,AA">'
        '<img src="_static/lazy.png" loading="lazy">'
    )
    everything, ours = weight(tmp_path, "page.html")
    assert 10_000 < everything < 10_500
    assert 5_000 < ours < 5_100


def test_hero_draws_the_path_it_is_given():
    path = learning_path(T=48, steps=300)
    assert path.alpha_A[0] == 0
    page, narrow = hero_html(path, still=int(path.steps[-1])).split('<svg class="hal-hero-narrow"')
    target = np.zeros(48)
    target[[int(share * 48) for share in WEIGHTS]] = list(WEIGHTS.values())
    last = 1 / 48 + path.alpha_A[-1] * (target - 1 / 48)

    def drawn(text):
        widths = re.findall(r'<path class="le-arc" style="--c:#\w+" stroke-width="([\d.]+)"', text)
        return np.sort([(float(width) - 0.8) / 15 for width in widths])

    assert drawn(page) == pytest.approx(np.sort(last), abs=1e-3)
    assert drawn(narrow)[-2:] == pytest.approx(np.sort(last)[-2:], abs=1e-3)  # every second token, the true ones too


def test_hero_has_no_marks_of_its_own():
    """What it draws looks as `marks.css` says; its own style sheet says nothing of shapes."""
    page = hero_html(learning_path(T=20, steps=300), still=100)
    known = set(re.findall(r"\.(le-[a-z-]+)", assets_of_figures.style(("marks",))))
    used = {
        name
        for names in re.findall(r'<(?:path|circle|rect|text|polyline) class="([^"]+)"', page)
        for name in names.split()
    }
    assert {"le-arc", "le-dot", "le-asks", "le-words"} <= used <= known
    own = (ROOT / "src/hal/site/landing/hero.css").read_text(encoding="utf-8").split("/* This sheet")[0]
    assert re.findall(r"\b(?:fill|stroke)[a-z-]*:", own) == []


def test_pictures_load_when_near_and_keep_their_place(tmp_path):
    png = tmp_path / "f.png"
    png.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big"))
    sources = {"a.png": png, "b.png": png, "gone.png": tmp_path / "gone.png"}
    body = (
        '<img alt="x" src="../_images/a.png" /><img alt="x" src="../_images/b.png" style="width: 5em" />'
        '<img src="../_images/gone.png"><img src="data:image/png;base64,AA">'
    )
    first, rest = lazy_pictures(body, sources).split("/>", 1)
    assert first == '<img loading="lazy" width="640" height="480" alt="x" src="../_images/a.png" '
    assert rest == body.split("/>", 1)[1]


def test_a_fold_is_called_what_its_bar_says():
    bar = '<p class="collapsed">Show the code</p><p class="expanded">Hide the code</p></summary>'
    assert folds_by_their_words(f'<summary aria-label="Toggle hidden content">{bar}') == f"<summary>{bar}"


def test_an_edited_style_makes_every_page_new(tmp_path):
    (tmp_path / "site.css").write_text("a {}")
    app = SimpleNamespace(confdir=tmp_path, config=SimpleNamespace(html_static_path=["."]))
    env = SimpleNamespace(found_docs={"index", "book/scb"})
    assert assets.outdated(app, env, [], [], []) == ["book/scb", "index"]  # nothing is known of the last build
    assert assets.outdated(app, env, [], [], []) == []
    (tmp_path / "site.css").write_text("b {}")
    assert assets.outdated(app, env, [], [], []) == ["book/scb", "index"]
