"""Theory that is dear waits for a pause of the slider; what a sentence or a mark needs may not wait."""

import pytest

from hal.explorer import Computed
from lib.errors import InputError
from tests.browser import Watch
from tests.explorer import toy_computed, toy_late
from tests.explorer.changed import changed
from tests.explorer.drawn import slider, state, write_page
from tests.explorer.toy_smalls import small

ROOT = "[data-explorer=toy-late]"


@pytest.mark.parametrize(
    ("later", "message"),
    [
        (("nobody",), "LATER: expected theory functions among"),
        (("quick",), "LATER: expected functions of which only curves are drawn, got 'quick"),
    ],
)
def test_what_is_needed_at_once_cannot_wait(later, message):
    with pytest.raises(InputError, match=message):
        Computed(changed(toy_late, LATER=later))


@pytest.mark.parametrize("name", ["flow", "task", "scene"])
def test_neither_times_nor_sizes_nor_fields_can_wait(name):
    with pytest.raises(InputError, match="LATER: expected functions of which only curves are drawn"):
        toy_computed.explorer(LATER=(name,))


def dragged(page, root, setting, seen):
    """What `seen` says of the figure, in JavaScript, while its slider moves; then it moves on and comes to rest."""
    return page.evaluate(f"""async () => {{
      const root = document.querySelector("{root}");
      const input = root.querySelector("input[data-setting={setting}]");
      const wait = globalThis.setTimeout;
      // A pause of a minute: on a slow machine two frames may take longer than the pause of the page.
      globalThis.setTimeout = (call, time, ...rest) => wait(call, time === 120 ? 60_000 : time, ...rest);
      const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const move = async (share) => {{
        input.value = Number(input.min) + share * (input.max - input.min);
        input.dispatchEvent(new Event("input", {{ bubbles: true }}));
        await painted();
      }};
      await move(0.2);
      await move(0.9);
      const {{ theory, reading }} = root.explorerState();
      const found = {{ theory, reading, busy: root.ariaBusy, seen: root.querySelectorAll("{seen}").length }};
      globalThis.setTimeout = wait;
      await move(0.2);
      await move(0.9);
      return found;
    }}""")


@pytest.mark.browser
def test_while_a_slider_moves_the_last_curves_stay_and_the_right_ones_come_when_it_pauses(chromium, tmp_path):
    figure = Computed(toy_late)
    page = chromium.new_page(viewport={"width": 1300, "height": 900}, alone=True)
    page.set_default_timeout(10_000)
    address = write_page(tmp_path, figure.html())
    watch = Watch(page, address)
    page.goto(address)
    page.wait_for_selector(f"{ROOT} .le-ui")
    before = state(page, ROOT)
    found = dragged(page, ROOT, "lr", ".le-late")
    assert found["busy"] == "true"
    assert found["seen"] == 1
    first = figure.compute(
        {
            **before["settings"],
            "lr": page.evaluate(f"Number(document.querySelector('{ROOT}').explorerState().settings.lr)"),
        },
        runs=0,
    ).theory
    assert found["theory"]["quick.curve"] == first["quick.curve"]
    assert found["theory"]["slow.curve"] != first["slow.curve"]
    after = state(page, ROOT)  # at rest again
    for name, values in first.items():
        assert [float(v) for v in after["theory"][name]] == pytest.approx(values, rel=0, abs=0, nan_ok=True), name
    assert page.locator(f"{ROOT} .le-late").count() == 0
    slider(page, "lr", ROOT).focus()
    page.close()
    assert watch.problems == []


@pytest.mark.browser
def test_a_figure_that_waits_as_a_whole_is_pale_until_a_pause(chromium, tmp_path):
    figure, root = small("long", LATER=("look",)), "[data-explorer=toy-long]"
    page = chromium.new_page(viewport={"width": 1300, "height": 900}, alone=True)
    page.set_default_timeout(10_000)
    address = write_page(tmp_path, figure.html())
    watch = Watch(page, address)
    page.goto(address)
    page.wait_for_selector(f"{root} .le-ui")
    before = state(page, root)
    found = dragged(page, root, "at", ".le-waits")
    assert (found["busy"], found["seen"]) == ("true", 1)
    after = state(page, root)  # at rest again
    first, last = (figure.compute({**before["settings"], "at": round(1 + 399 * share)}).theory for share in (0.2, 0.9))
    for now, theory in ((found, first), (after, last)):
        assert [float(v) for v in now["theory"]["look.weights"]] == theory["look.weights"]
    assert found["reading"] != after["reading"]
    assert page.locator(f"{root} .le-waits").count() == 0
    page.close()
    assert watch.problems == []
