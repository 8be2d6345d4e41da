"""The reader changes a figure's model in the page: what trains is what is written, and nothing of it can hurt."""

import base64
import inspect
import itertools
import json
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from docutils import nodes
from hypothesis import given, settings
from hypothesis import strategies as st

from hal import show
from hal.figure import Step
from hal.figure.editor import Start
from hal.figure.page import STATIC
from hal.site.explorers import _changes, offer
from lib.errors import InputError
from tests.figure import toy_computed, toy_run
from tests.figure.drawn import barriers, state, write_page
from tests.figure.engine import engine

FIGURE = toy_computed.explorer(TOUR=4 * [Step("It learns.")])
TOY = "[data-explorer=toy-computed]"
BOOK = inspect.getsource(toy_run)
FASTER = (
    "            state.attention[k * settings.T + t] += 0.3 * rate",
    "            state.attention[k * settings.T + t] += 0.9 * rate",
)
SLOW = (
    "    settings = state.settings\n    rate = settings.lr",
    "    settings = state.settings\n    rate = 0.25 * settings.lr",
)
LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12).map("\n".join)


@pytest.fixture(scope="module")
def page_js():
    return engine("change")


@settings(max_examples=100, deadline=None)
@given(LINES, LINES)
def test_a_patch_gives_the_text_again(page_js, book, mine):
    a, b = json.dumps(book), json.dumps(mine)
    assert page_js.value(f"patched({a}, patchOf({a}, {b}))") == mine
    kinds = [kind for kind, _, _ in page_js.value(f"difference({a}.split('\\n'), {b}.split('\\n'))")]
    assert kinds.count("same") + kinds.count("gone") == len(book.split("\n"))
    assert kinds.count("same") + kinds.count("new") == len(mine.split("\n"))


def test_a_start_changes_lines_that_stand_once():
    start = Start(
        "toy-computed", "Slower", "tests.figure.toy_run", (SLOW,), "It takes longer.", lambda mine, book: True
    )
    assert start.text() == BOOK.replace(*SLOW)
    with pytest.raises(InputError, match=r"lines of 'Slower': expected one place in .*toy_run"):
        start._replace(lines=(("settings", "x"),)).text()


def test_a_printed_model_has_a_button():
    block = nodes.literal_block("", "x = 1", source="/book/src/lib/models/scb/textbook.py")
    other = nodes.literal_block("", "x = 1", source="/book/src/lib/train.py")
    tree = nodes.section("", block, other)
    offer(None, tree)
    assert [type(part).__name__ for part in tree.children] == ["literal_block", "raw", "literal_block"]
    assert 'data-module="lib.models.scb.textbook"' in tree.children[1].astext()


def written(folder, *figures):
    """The address of a page of these figures, with the files of their editors beside it."""
    (folder / "explorers").mkdir()
    named = _changes(folder / "explorers", "book/toy", {figure.name: figure.spec() for figure in figures})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(STATIC, "1")
        html = "".join(
            figure.html().replace(f'data-explorer="{name}"', f'data-explorer="{name}"{named[name]}')
            for name, figure in zip(named, figures, strict=True)
        )
    return write_page(folder, html)


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """The address of the toy figure's page."""
    return written(tmp_path_factory.mktemp("change"), FIGURE)


class Editor:
    """The toy's editor in a tab."""

    def __init__(self, page):
        self.page = page

    def open(self):
        self.page.click(f"{TOY} [data-tool=change-the-model]")
        self.page.wait_for_selector(f"{TOY} textarea")
        return self

    def replace(self, old, new):
        """As a reader does: select, and type over."""
        self.page.evaluate(
            """([old, come]) => {
              const area = document.querySelector('textarea.le-code-text');
              const at = area.value.indexOf(old);
              if (at < 0) throw new Error(`no ${old}`);
              area.focus();
              area.setSelectionRange(at, at + old.length);
              document.execCommand('insertText', false, come);
            }""",
            [old, new],
        )
        return self

    def put(self, text):
        self.page.eval_on_selector("textarea.le-code-text", "(area) => { area.focus(); area.select(); }")
        self.page.evaluate("(text) => document.execCommand('insertText', false, text)", text)
        return self

    def trained(self):
        """The state of the figure once all runs of the reader's version are there: its beginning leaves none."""
        self.page.wait_for_function(
            f"() => {{ const s = document.querySelector('{TOY}').explorerState();"
            " return document.querySelector('.le-code-state').textContent.startsWith('your version, over')"
            " && s.count === 5; }"
        )
        return state(self.page, TOY)

    def wrong(self, words):
        """What the editor says, once it says this."""
        self.page.wait_for_function(
            "(words) => document.querySelector('.le-code-wrong').textContent.includes(words)", arg=words
        )
        return self.page.inner_text(".le-code-wrong")


@pytest.fixture
def page(chromium, toy):
    page = chromium.new_page(
        viewport={"width": 1200, "height": 900}, alone=True, permissions=["clipboard-read", "clipboard-write"]
    )
    page.goto(toy)
    page.wait_for_selector(f"{TOY} [data-tool=change-the-model]")
    yield page
    page.close()


def back(page):
    page.click(f"{TOY} [data-tool=change-back]")
    page.wait_for_function("() => document.querySelector('.le-code-state').textContent === 'the book’s version'")


def copied(page, what):
    """What a button of the editor copies."""
    page.click(f"[data-tool=change-{what}]")
    page.wait_for_function("document.querySelector('.le-code-state').textContent === 'copied'")
    return page.evaluate("navigator.clipboard.readText()")


@pytest.mark.browser
def test_readers_version_trains_to_the_bits_of_its_python_and_reaches_nothing(page, tmp_path):
    """CPython's run of the same text gives them, and so does the script that the editor copies."""
    assert page.evaluate("globalThis.libPortable.change === undefined")
    tour = page.locator(f"{TOY} [data-tool=tour]")
    assert tour.is_visible()
    editor_ = Editor(page).open()
    assert page.locator("script[src*=rest-]").count() == 0  # the modules that are not shown come with the first key
    shown = editor_.replace(*FASTER).trained()
    assert tour.is_hidden()  # it tells of the book's model
    python = show(FIGURE, run=BOOK.replace(*FASTER)).compute(runs=5).runs
    for ours, theirs in zip(shown["runs"], python, strict=True):
        for name in ("V", "A", "attention", "own", "steps"):
            assert ours["readings"][name] == theirs[name], name
    assert "Your version of the model" in shown["reading"]
    assert any("ghost" in role for role in shown["arrays"])  # the book's stands behind it
    assert page.inner_text(".le-code-diff").count("\n") == 2  # the file, what went, what came
    names = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "indexedDB", "caches", "Worker",
             "BroadcastChannel", "navigator"]  # fmt: skip
    asked = f"{json.dumps(names)}.filter((name) => self[name] !== undefined)"
    left = [worker.evaluate(asked) for worker in page.workers]
    assert (left.count([]), len(left)) == (2, 3)  # the translator's and the reader's run; the book's keeps what it has
    script, root = tmp_path / "mine.py", str(Path(__file__).parents[2])
    script.write_text(copied(page, "python"), encoding="utf-8")
    paths = {"PYTHONPATH": ":".join(filter(None, ["", *sys.path, root]))}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=root, env=paths)
    assert done.returncode == 0, done.stderr
    numbers = eval(done.stdout, {"nan": None})
    for name in ("V", "A", "attention"):
        assert numbers[name] == shown["runs"][0]["readings"][name][-1]


@pytest.mark.browser
def test_books_version_comes_back_without_training_and_undo_brings_the_readers(page):
    page.wait_for_function(f"() => document.querySelector('{TOY}').explorerState().count === 5")
    page.evaluate("""() => {
      globalThis.begun = [];
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...more) {
        if (message[0] === "start") begun.push([message[1].run, message[1].runs]);
        return post.call(this, message, ...more);
      };
    }""")
    editor_ = Editor(page).open().replace(*FASTER)
    mine = editor_.trained()["runs"][0]["readings"]["attention"]
    assert page.evaluate("begun") == [[0, 5]]
    back(page)
    again = state(page, TOY)
    assert page.evaluate("begun") == [[0, 5]]
    assert again["runs"][0]["readings"]["attention"] == FIGURE.compute(runs=1).runs[0]["attention"] != mine
    assert "Your version" not in again["reading"]
    page.keyboard.press("Control+z")
    assert "Your version" in editor_.trained()["reading"]
    page.click("[data-tool=change-close]")
    assert "Your version" not in state(page, TOY)["reading"]
    assert page.evaluate("document.activeElement.dataset.tool") == "change-the-model"


@pytest.mark.browser
def test_what_is_refused_is_said_at_its_line(page):
    editor_ = Editor(page).open().replace("0.3 * rate", "0.3 @ rate")
    said = editor_.wrong("@ is not available here")
    line = BOOK[: BOOK.index("0.3 * rate")].count("\n") + 1
    assert said.startswith(f"line {line}: ")
    assert "Instead: write sum(x * y for x, y in zip(a, b))" in said
    assert page.inner_text(".le-code-fault") == str(line)
    assert page.locator(f"{TOY}.le-faded").count() == 1
    assert state(page, TOY)["count"] == 5  # the last version that ran stays
    editor_.replace("0.3 @ rate", "0.9 * rate").trained()
    assert page.locator(f"{TOY}.le-faded").count() == 0
    assert page.inner_text(".le-code-wrong") == ""


STEP, RATE, ROOM = "    state.step += 1\n", "    rate = settings.lr", "zeros(settings.N * settings.T)"
#: What goes wrong: lines of the text, others in their place, and what is said of it; before it runs and while it does.
WRONG = {
    "before": [
        ("def done(", "def over(", "the figure calls done, which is gone"),
        ("import Readings, Vector, zeros", "import Readings, Vector, zeros\nimport os", "os is not available"),
        (RATE, "    fetch = settings.lr\n    rate = window", "window is not known here"),
        (RATE, "    rate = ѕettings.lr", "(U+0455: type it anew)"),
        (RATE, "    speed = settings.lr", "Was it renamed to speed, in line"),
        (STEP, "    X = endless()\n", "there is no function endless here"),
    ],
    "while": [
        (STEP, f"{STEP}    state.V = state.attention[35 + state.step]\n", "index 36 of 36"),
        (STEP, "    state.V = 1.0 / (state.V - state.V)\n", "division by zero"),
        (STEP, f"{STEP}    step(state)\n", "functions call each other without end"),
        (ROOM, "zeros(2147483648)", "it needs more memory than there is"),
        (STEP, "    while state.step >= 0:\n        state.V = 0.0\n", "silent for 3 s"),
        ('"V": [state.V], ', "", "your version records no V"),
        (
            "\n\ndef start(",
            "\n\ndef endless() -> float:\n    while True:\n        pass\n\n\nX = endless()\n\n\ndef start(",
            "silent for 3 s",
        ),
    ],
}


@pytest.mark.browser
@pytest.mark.parametrize("when", WRONG)
def test_what_goes_wrong_is_said_and_the_books_version_goes_on(page, when):
    editor_ = Editor(page).open()
    for old, new, words in WRONG[when]:
        page.wait_for_function(f"() => document.querySelector('{TOY}').explorerState().count === 5")
        drawn = state(page, TOY)["runs"][0]["readings"]["V"]
        editor_.replace(old, new).wrong(words)
        assert (state(page, TOY)["count"], state(page, TOY)["runs"][0]["readings"]["V"]) == (5, drawn)  # the last good
        back(page)
        assert page.inner_text(".le-code-wrong") == ""


@pytest.mark.browser
def test_signs_of_a_text_processor_are_meant_as_python_and_prints_stand_below(page):
    line = "\ufeff    slow = 1.0 − 0.5\r\n\tprint(“slow”, slow)\n\tprint(step)\n    rate =\u00a0slow * settings.lr"
    shown = Editor(page).open().replace(RATE, line.replace("print(step)", "print(state.step, f'{slow:.2f}')")).trained()
    text = BOOK.replace(RATE, "    rate = 0.5 * settings.lr")
    assert shown["runs"][0]["readings"]["V"] == show(FIGURE, run=text).compute(runs=1).runs[0]["V"]
    said = page.inner_text(".le-code-printed").splitlines()
    assert (len(said), said[:3]) == (100, ["slow 0.5", "0 0.50", "slow 0.5"])  # and it goes on
    back(page)
    assert page.inner_text(".le-code-printed") == ""


@pytest.mark.browser
def test_a_new_setting_has_a_box(page):
    text = BOOK.replace("    steps: int = 100\n", "    steps: int = 100\n    slow: float = 0.5\n")
    text = text.replace("rate = settings.lr", "rate = settings.slow * settings.lr")
    editor_ = Editor(page).open().put(text)
    half = editor_.trained()["runs"][0]["readings"]["V"]
    assert page.inner_text(".le-code-fields").strip() == "slow (yours)"
    field = page.locator(".le-code-fields input")
    assert field.input_value() == "0.5"
    field.fill("1")
    field.press("Enter")
    whole = editor_.trained()["runs"][0]["readings"]["V"]
    assert whole == FIGURE.compute(runs=1).runs[0]["V"] != half


@pytest.mark.browser
def test_a_link_shows_the_change_and_waits(page, chromium, toy, page_js):
    Editor(page).open().replace(*FASTER).trained()
    link = copied(page, "link")
    assert "change:toy-computed=" in link
    assert len(link) < 700
    other = chromium.new_page(viewport={"width": 1200, "height": 900})
    other.goto(link)
    other.wait_for_selector(".le-code-came:not([hidden])")
    assert "nothing of it has run" in other.inner_text(".le-code-came")
    assert "0.9 * rate" in other.inner_text(".le-code-diff")
    assert "Your version" not in state(other, TOY)["reading"]
    assert len(other.workers) == 1  # the book's
    other.evaluate(
        "document.querySelector('textarea.le-code-text').dispatchEvent(new Event('input', { bubbles: true }))"
    )
    other.click(f"{TOY} [data-tool=change-the-model]")
    other.wait_for_timeout(400)  # more than the editor waits for the next key
    assert len(other.workers) == 1
    other.click("[data-tool=change-run]")
    assert "Your version" in Editor(other).trained()["reading"]
    edition = page_js.value(f"editionOf({json.dumps(BOOK)})")
    good = ["tests.figure.toy_run", edition, [[0, 0, ["# of a stranger"]]]]
    bad = {
        "cut or damaged": link.partition("change:")[2][:-9],
        "too long": f"toy-computed=0{'A' * 60_000}",
        "it is too long": packed([["tests.figure.toy_run", edition, [[0, 0, [""] * 50_000]] * 100]]),
        "too many lines": packed([["tests.figure.toy_run", edition, [[0, 0, [""] * 9_000]]]]),
        "another edition of the book": packed([good, ["tests.figure.toy_run", 5, []]]),
        **{
            f"another edition {name}"[:15]: packed([good, [name, edition, []]]) for name in ("__proto__", "constructor")
        },
    }
    for words, change in bad.items():  # pasted into the open page, one after the other
        other.evaluate("(hash) => { location.hash = hash; }", f"change:{change}")
        other.wait_for_function(f"document.querySelector('.le-code-came').textContent.includes({json.dumps(words)})")
        assert "stranger" not in other.input_value("textarea.le-code-text")
        assert "0.9 * rate" in other.inner_text(".le-code-diff")  # what the reader ran before
    other.close()


def packed(changes):
    """A change as a link has it."""
    pressed = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = base64.urlsafe_b64encode(pressed.compress(json.dumps(changes).encode()) + pressed.flush()).decode()
    return f"toy-computed=1{text.rstrip('=')}"


@pytest.mark.browser
def test_editor_can_be_used_by_everybody_on_a_phone_and_in_the_dark(chromium, toy):
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(toy)
    Editor(page).open().replace("0.3 * rate", "0.3 @ rate").wrong("not available")
    for width, scheme in itertools.product((1440, 390), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(f"document.documentElement.dataset.theme = '{scheme}'")
        assert barriers(page, ".le-change") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.focus("textarea.le-code-text")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") != "TEXTAREA"
    page.close()
