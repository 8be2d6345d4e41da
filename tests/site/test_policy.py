"""The policy of a page lets everything work that it brings, and nothing that is put into it; its scripts are short."""

import re

import pytest

from hal.site.policy import STORAGE, digests, policy, with_policy
from hal.site.scripts import shortened, write_script
from lib.errors import InputError
from lib.portable.engine import Engine

PAGE = '<html><head><meta charset="utf-8"><script>one()</script></head><body><p onclick="two()">3</p></body></html>'
LISTEN = """addEventListener("securitypolicyviolation", (e) => {
  (globalThis.refused ??= []).push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`);
});"""
EVIL = """
const script = document.createElement("script");
script.textContent = "globalThis.ran = 'inline'";
document.body.append(script);
const button = document.createElement("button");
button.setAttribute("onclick", "globalThis.ran = 'handler'");
document.body.append(button);
button.click();
const picture = document.createElement("img");
picture.src = "https://example.org/a.png";
const base = document.createElement("base");
base.href = "https://example.org/";
document.head.append(base);
"""


def test_a_page_s_own_scripts_and_handlers_are_named_by_their_digests():
    said = policy(PAGE)
    assert digests(["one()"])[0] in said
    assert digests(["two()"])[0] in said
    assert "'unsafe-hashes'" in said
    assert "'unsafe-hashes'" not in policy(PAGE.replace("onclick", "class"))


@pytest.mark.parametrize("word", ["unsafe-eval", "*", "https:", "http:"])
def test_nothing_of_others_is_let_in(word):
    assert word not in policy(PAGE)
    assert "'unsafe-inline'" not in re.search("script-src([^;]*)", policy(PAGE))[1]


def test_the_policy_stands_once_before_all_that_is_loaded():
    once = with_policy(PAGE)
    assert with_policy(once) == once
    assert once.index("Content-Security-Policy") < once.index("<script")
    with pytest.raises(InputError, match="page: expected a <meta charset> in its head"):
        with_policy("<p>")


def test_every_page_has_its_own(built):
    pages = [path for path in built.rglob("*.html") if "_static" not in path.parts]
    assert [path.name for path in pages if with_policy(text := path.read_text(encoding="utf-8")) != text] == []


@pytest.mark.browser
@pytest.mark.parametrize("name", ["index.html", "embed/scb-run.html"])
def test_what_is_put_into_a_page_is_refused(tab, serve, name):
    page = tab(serve, silent=False)
    page.add_init_script(LISTEN)
    page.goto(serve + name)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("globalThis.refused ?? []") == []
    ran = page.evaluate(f"(() => {{ {EVIL} return [globalThis.ran ?? null, document.baseURI]; }})()")
    assert ran == [None, serve + name]
    page.wait_for_function("(globalThis.refused ?? []).length >= 4")
    kinds = {line.split()[0] for line in page.evaluate("globalThis.refused")}
    assert {"script-src-elem", "script-src-attr", "img-src", "base-uri"} <= kinds


def test_a_denied_storage_has_a_stand_in_that_forgets():
    denied = "get() { throw new Error('denied'); }, configurable: true"
    engine = Engine(f"""
        const window = {{}};
        for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {{ {denied} }});
        {STORAGE}
        window.localStorage.setItem("mode", 1);
        const found = [window.localStorage.getItem("mode"), window.localStorage.length, window.localStorage.key(0)];
        window.localStorage.removeItem("mode");
    """)
    assert engine.value("[...found, window.localStorage.getItem('mode'), window.sessionStorage.length]") == [
        "1", 1, "mode", None, 0,
    ]  # fmt: skip


@pytest.mark.browser
def test_in_a_sandboxed_frame_a_chapter_has_its_icons_and_formulas_without_a_complaint(tab, serve, built):
    page = tab(serve)
    page.set_content(f'<iframe sandbox="allow-scripts" src="{serve}book/scb.html" width="390" height="800"></iframe>')
    frame = page.frames[1]
    frame.wait_for_selector(".katex >> visible=true")
    frame.wait_for_load_state("networkidle")
    loaded = frame.evaluate("[...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family)")
    assert {"Font Awesome 6 Free", "KaTeX_Main", "KaTeX_Math"} <= {re.sub(r'["\\]', "", name) for name in loaded}
    frame.locator(".primary-toggle").click()
    frame.locator(".bd-sidebar-primary a[href='scan_snap.html']").click()
    frame.wait_for_url("**/scan_snap.html")


pytest.importorskip("minify", reason="the minifier has no build for this processor: scripts stay as they are")


TOY = "/*! licence */(() => {\n// a remark\nconst text = 'tau  //  5';\nglobalThis.told = text;\n})();\n"


def test_a_short_script_keeps_texts_and_the_licence_and_what_is_none_is_refused():
    """That its numbers are the same to the last bit is asked of the translator and of every page."""
    short = shortened(TOY)
    assert Engine(short).value("told") == "tau  //  5"
    assert short.startswith("/*! licence */")
    assert "remark" not in short
    with pytest.raises(ValueError, match="unexpected"):
        shortened("const = 1;")


def test_a_place_without_the_minifier_has_the_same_script_at_length(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    write_script(tmp_path / "toy.js", TOY)
    assert (tmp_path / "toy.js").read_text(encoding="utf-8") == TOY
