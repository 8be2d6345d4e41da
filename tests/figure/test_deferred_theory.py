"""A figure of theory that is slow waits for a pause of the slider, as a whole."""

import pytest

from lib.errors import InputError
from tests.figure import toy_computed
from tests.figure.drawn import state
from tests.figure.toy_smalls import small


@pytest.mark.parametrize(
    "make",
    [lambda: toy_computed.explorer(DEFERRED_THEORY=("flow",)), lambda: small("grid", DEFERRED_THEORY=("nobody",))],
)
def test_only_all_theory_of_a_figure_without_runs_can_wait(make):
    with pytest.raises(InputError, match="DEFERRED_THEORY: expected all theory functions of a figure without runs"):
        make()


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
def test_a_figure_that_waits_as_a_whole_is_pale_until_a_pause(alone):
    figure, root = small("long", DEFERRED_THEORY=("look",)), "[data-explorer=toy-long]"
    page = alone(figure, alone=True)
    before = state(page, root)
    found = dragged(page, root, "at", ".le-waits")
    assert (found["busy"], found["seen"]) == ("true", 1)
    after = state(page, root)  # at rest again
    first, last = (figure.compute({**before["settings"], "at": round(1 + 399 * share)}).theory for share in (0.2, 0.9))
    for now, theory in ((found, first), (after, last)):
        assert [float(v) for v in now["theory"]["look.weights"]] == theory["look.weights"]
    assert found["reading"] != after["reading"]
    assert page.locator(f"{root} .le-waits").count() == 0
