"""The shell of the explorer in headless Chromium: one screen, tour, phrases, play bar, barriers."""

from functools import partial

import pytest

from hal.figure import figure_of
from tests.browser import explorer_state, press_tool
from tests.figure import drawn
from tests.figure import toy_flow as flow
from tests.figure.drawn import barriers, slider, write_page
from tests.figure.toy_flow import SLIDERS, make
from tests.rows import as_said, figures, said

pytestmark = pytest.mark.browser
ROOT = "[data-explorer=toy-tour]"
SPOKEN, STEP, READING = (f"{ROOT} .le-{part}" for part in ("spoken", "step", "reading"))
settled, state = partial(drawn.settled, which=ROOT), partial(explorer_state, which=ROOT)


def places(page):
    """Top and height of every part of the figure."""
    parts = ", ".join(f".le-{name}" for name in ("spoken", "side", "panels", "plot", "time"))
    return page.evaluate(
        f"""[...document.querySelectorAll('{ROOT} :is({parts})')]
        .map((part) => [part.className, part.getBoundingClientRect()])
        .map(([name, box]) => [name, Math.round(box.top), Math.round(box.height)])"""
    )


# Parts of controls that stick out of the column of controls.
OVER = f"""[...document.querySelectorAll('{ROOT} .le-control *')].filter((e) => e.getBoundingClientRect().right
  > e.closest('.le-side').getBoundingClientRect().right + 1).map((e) => e.className)"""


def test_chart_says_its_finding_to_a_screen_reader(open_tour):
    page = open_tour()
    said = page.evaluate(
        f"""[...document.querySelectorAll('{ROOT} .le-chart[role=img]')]
        .map((chart) => document.getElementById(chart.getAttribute('aria-describedby')).textContent)"""
    )
    assert len(said) > 1
    assert set(said) == {state(page)["reading"]}


@pytest.mark.parametrize("width", [1440, 1000, 390])
def test_nothing_moves_when_text_changes(open_tour, width):
    page = open_tour(viewport={"width": width, "height": 900})
    # on a phone the sentence, in its whole length, stands below the picture
    still = ("le-panels", "le-plot") if width == 390 else ("le-spoken", "le-side", "le-panels", "le-plot", "le-time")

    def held():
        return [one for one in places(page) if one[0].split()[0] in still]

    first = held()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OVER) == []
    page.evaluate("location.hash = '#toy-tour:T=512,Q=8,skew=1.5,lr=0.2,seed=1'")
    found = settled(page, runs=8, T=512)
    assert "diverged" in found["notice"]
    before = held()  # the room of the sentence is that of its longest so far
    if width != 390:
        assert (first[1][0], first[1][2] < (30 if width == 1440 else 50)) == ("le-spoken", True)
        assert before[1][2] < 75
    page.evaluate("location.hash = '#toy-tour:T=12'")
    settled(page, runs=8, T=12)
    assert held() == before
    page.evaluate("location.hash = '#toy-tour:T=6,Q=3'")
    good = settled(page, runs=8, T=6)
    if width == 390:
        page.locator(f"{ROOT} .le-keeper").click()
    slider(page, "Q", ROOT).press("End")
    page.wait_for_selector(f"{ROOT} .le-refused:visible")
    page.wait_for_timeout(200)
    found = state(page)
    assert found["error"] == "Sparsity Q: expected at least 1 position, at most T, got 8"
    assert (found["drawn"]["Q"], found["settings"]["Q"], found["arrays"]) == (3, 8, good["arrays"])
    page.locator(ROOT).evaluate("(root) => root.scrollIntoView({ behavior: 'instant' })")  # keys scroll to their slider
    if width == 390:  # else the sliders stand above the picture, and a reason below one of them moves it
        assert held() == [one for one in before if one[0].split()[0] in still[-2:]]


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def box(page, part):
    return page.locator(f"{ROOT} {part}").first.bounding_box()


def test_a_phone_has_figure_sentence_and_time_in_this_order_and_sliders_when_asked(open_tour):
    page = open_tour(**PHONE)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")  # where nothing sticks
    tops = [box(page, f".le-{name}")["y"] for name in ("top", "panels", "spoken", "time")]
    assert tops == sorted(tops)
    assert page.locator(f"{ROOT} .le-side").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert box(page, ".le-ui")["height"] <= 1.6 * 844
    small = f"""[...document.querySelectorAll('{ROOT} :is(button, input)')]
      .filter((e) => e.offsetHeight && e.offsetHeight < 44).map((e) => e.outerHTML)"""
    assert page.evaluate(small) == []
    page.locator(f"{ROOT} .le-panels").first.evaluate("(panels) => panels.scrollIntoView()")
    page.locator(f"{ROOT} .le-keeper").click()
    assert page.evaluate(small) == []
    side, time = box(page, ".le-side"), box(page, ".le-time")
    assert side["y"] + side["height"] <= time["y"] + 1 <= 844 - 50, "sliders stand above the bar, which sticks"


def test_the_tour_sets_says_points_and_leaves_the_reader_in_control(open_tour):
    page = open_tour()
    start = places(page)
    page.locator(f"{ROOT} [data-tool=tour]").click()
    assert page.locator(STEP).inner_text() == "At first all is zero."
    assert page.locator(READING).is_hidden()
    assert (state(page)["cursor"], state(page)["tour"]) == (0, 1)
    page.keyboard.press("ArrowRight")
    found = settled(page, runs=8, T=64)
    facts = make().compute(found["settings"], runs=8).facts
    step = page.locator(STEP).inner_text()
    assert said(step, "At step") == as_said(facts["reached"])
    assert step.endswith(" the signal is 0.1.")
    assert abs(found["time"] - 40) < 3
    ringed = page.locator(f"{ROOT} .le-pointed")
    assert "The quiet phase" in ringed.inner_text()
    page.keyboard.press("ArrowRight")
    found = settled(page, runs=8, T=256)
    assert (found["seed"], found["tour"]) == (3, 3)
    assert ringed.locator("[data-setting=T]").count() == 1
    assert places(page) == start
    # A moved slider: the step waits, the reading speaks, nothing is set back.
    slider(page, "N", ROOT).press("ArrowRight")
    found = settled(page, runs=8, N=5)
    assert (found["settings"]["T"], found["tour"]) == (256, 3)
    assert page.locator(STEP).is_hidden()
    assert page.locator(READING).inner_text() == found["reading"]
    assert ringed.count() == 0
    page.locator(f"{ROOT} [data-tour=again]").click()
    settled(page, runs=8, N=4)
    assert page.locator(STEP).inner_text() == "Four times the context."
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")  # there is no fifth
    found = settled(page, runs=8, T=512, N=2)
    assert found["tour"] == 4
    page.keyboard.press("Escape")
    assert (state(page)["tour"], state(page)["settings"]) == (0, found["settings"])
    assert page.locator(READING).inner_text() == state(page)["reading"]
    assert page.evaluate("document.activeElement.dataset.tool") == "tour"


def test_a_link_holds_the_step_and_settings_of_its_own_win(open_tour):
    page = open_tour("#toy-tour:tour=3")
    found = settled(page, runs=8, T=256)
    assert (found["tour"], page.locator(STEP).inner_text()) == (3, "Four times the context.")
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    page.evaluate("location.hash = '#toy-tour:T=20,N=7,tour=3'")
    found = settled(page, runs=8, T=20)
    assert (found["tour"], found["settings"]["N"]) == (3, 7)
    assert page.locator(STEP).is_hidden()
    page.locator(f"{ROOT} [data-tour=next]").click()
    settled(page, runs=8, T=512)
    page.wait_for_function("location.hash.includes('tour=4') && location.hash.includes('T=512')")
    page.go_back()
    assert settled(page, runs=8, T=20)["tour"] == 3


@pytest.mark.parametrize("files", [False, True])
def test_a_phrase_sets_the_figure_goes_there_and_back(open_tour, files):
    page = open_tour("#toy-tour:N=3", files=files)
    before = settled(page, runs=8, N=3)["settings"]
    phrase = page.locator("a.explorer-phrase").first
    assert phrase.inner_text().replace("\n", "").endswith("and a skew")
    phrase.click()
    found = settled(page, runs=8, Q=4)
    assert (found["settings"]["skew"], found["settings"]["N"], found["seed"]) == (0.5, 4, 2)
    assert abs(found["time"] - 60) < 5
    page.wait_for_function(f"Math.abs(document.querySelector('{ROOT}').getBoundingClientRect().top) < 100")
    page.wait_for_function("location.hash.includes('Q=4')")
    page.locator(f"{ROOT} [data-tool=return]").click()
    found = settled(page, runs=0, N=3)  # out of sight it does not train
    assert (found["settings"], found["seed"]) == (before, 0)
    assert page.evaluate("document.activeElement.className").split() == ["explorer-phrase", "reference", "internal"]
    page.wait_for_function("document.activeElement.getBoundingClientRect().top > 0")
    page.wait_for_function("document.activeElement.getBoundingClientRect().bottom < innerHeight")
    assert page.locator(f"{ROOT} [data-tool=return]").is_hidden()


def test_space_and_arrows_play_and_move_and_the_time_is_in_the_link(open_tour):
    page = open_tour()
    bar = page.locator(f"{ROOT} input[data-role=time]")
    play = page.locator(f"{ROOT} .le-play")
    last = state(page)["cursor"]
    bar.press("ArrowLeft")
    assert state(page)["cursor"] == last - 1
    assert bar.get_attribute("aria-valuetext").endswith(" steps")
    page.wait_for_function("location.hash.includes('t=')")
    bar.press("End")
    page.wait_for_function("!location.hash.includes('t=')")
    bar.press(" ")
    assert play.get_attribute("aria-label") == "Pause the training"
    page.wait_for_function(f"document.querySelector('{ROOT}').explorerState().cursor === 5")
    bar.press(" ")
    assert play.get_attribute("aria-label") == "Play the training"
    found = state(page)
    assert 5 <= found["cursor"] < last
    page.wait_for_function(f"location.hash.includes('t={found['time']:g}')")


def watch_film(page):
    """Starts the film; what it returns reads the positions shown so far, with their times in ms."""
    page.evaluate(
        f"""() => {{
          const input = document.querySelector('{ROOT} input[data-role=time]');
          globalThis.seen = [];
          const look = () => {{
            if (input.value !== seen.at(-1)?.[0]) seen.push([input.value, performance.now()]);
            requestAnimationFrame(look);
          }};
          look();
        }}"""
    )
    page.locator(f"{ROOT} .le-play").click()
    return lambda: [(int(place), at) for place, at in page.evaluate("seen")[1:]]


@pytest.mark.parametrize("slow", [False, True])
def test_film_shows_every_position_once_in_some_six_seconds_or_on_slow_machine_when_it_can(open_tour, slow):
    page = open_tour(alone=True)
    last = state(page)["arrays"]["time"]["shape"][0] - 1
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    seen = watch_film(page)
    if slow:
        for _ in range(last + 5):
            page.clock.fast_forward(400)  # a frame in 400 ms
    else:
        page.clock.run_for(7000)
    places, times = zip(*seen(), strict=True)
    assert list(places) == list(range(last + 1))
    if not slow:
        assert 5900 < times[-1] - times[0] < 6100
        page.wait_for_selector(f"{ROOT} .le-play[aria-label='Play the training']")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("phone", [False, True])
def test_axe_finds_nothing_at_all_with_every_rule_on(open_tour, theme, phone):
    page = open_tour("#toy-tour:T=32,Q=3", color_scheme=theme, **(PHONE if phone else {}))
    assert barriers(page, ROOT) == []
    if phone:
        page.locator(f"{ROOT} .le-keeper").click()
    else:
        page.locator(f"{ROOT} [data-tool=tour]").click()
        press_tool(page, ROOT, "python")
        settled(page, runs=8)
    assert barriers(page, ROOT) == []


def test_hero_opens_before_its_answer_and_tells_it_after_play_or_a_slider(tab, tmp_path):
    address = write_page(tmp_path, make(OPENS=None).html())
    for act in (
        lambda page: page.locator(f"{ROOT} .le-play").click(),
        lambda page: slider(page, "T", ROOT).press("ArrowRight"),
    ):
        page = tab(address, reduced_motion="reduce")
        page.goto(address)
        page.wait_for_selector(f"{READING}:has-text('Press Play')")
        assert state(page)["cursor"] == 0
        act(page)
        page.wait_for_selector(f"{READING}:not(:has-text('Press Play'), :has-text('Watch.'))")
        assert state(page)["cursor"] == state(page)["arrays"]["time"]["shape"][0] - 1


def test_button_sets_a_state_and_plays_it_at_the_pace_given(alone):
    early = flow.RUN.steps_of(flow.settings(*(one.default for one in SLIDERS.values())))
    figure = make(PACE=(0.5, early[3]), BUTTONS={"Many": {"N": 6}, "Few": {"N": 3}}, TOUR=(), OPENS=None)
    page = alone(figure, alone=True)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.locator(f"{ROOT} [data-tool=state] >> nth=1").click()
    for wanted in (0, 1, 2):
        page.clock.run_for(490 if wanted else 400)
        assert state(page)["cursor"] == wanted
    page.clock.run_for(8000)
    found = state(page)
    assert (found["settings"]["N"], found["cursor"]) == (3, found["arrays"]["time"]["shape"][0] - 1)
    pressed = page.locator(f"{ROOT} [data-tool=state]").evaluate_all("(all) => all.map((one) => one.ariaPressed)")
    assert pressed == ["false", "true"]


@pytest.mark.parametrize("name", [name for name, (one, _) in figures().items() if "watch" in one.SLIDERS])
def test_another_axis_draws_the_same_runs_at_once(alone, name):
    figure = figure_of(figures()[name][0])
    axes = [key for key, one in figure.controls_by_name.items() if one.slider.axis]
    runs = [figure.built.compute({**figure.default, axes[0]: stop}, 0, 1).runs for stop in (0, 1)]
    assert axes == ["watch"]
    assert repr(runs[0]) == repr(runs[1]), "no run knows of the axis"
    page = alone(figure, runs=1)
    page.locator(f"[data-explorer={name}] [data-setting=watch] >> nth=1").click()
    found = explorer_state(page, f"[data-explorer={name}]")
    assert (found["drawn"]["watch"], found["count"], found["busy"]) == (1, 1, False), "nothing trains"
    assert found["arrays"]["0.y0.x"]["data"] == pytest.approx(runs[0][0]["at1_places1"])


def test_slider_in_a_row_is_one_entry_and_a_cancelled_touch_moves_nothing(open_tour):
    page = open_tour()
    knob, before = slider(page, "T", ROOT), page.evaluate("history.length")
    for _ in range(3):
        knob.press("ArrowRight")
        page.wait_for_timeout(300)
    assert page.evaluate("history.length") == before + 1
    slider(page, "Q", ROOT).press("ArrowRight")
    page.wait_for_timeout(300)
    assert page.evaluate("history.length") == before + 2
    stood = settled(page, runs=8)["settings"]["T"]
    knob.evaluate(
        """(input) => {
          input.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
          input.value = input.max;
          input.dispatchEvent(new Event("input", { bubbles: true }));
          input.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true }));
        }"""
    )
    assert settled(page, runs=8)["settings"]["T"] == stood
