"""The default run and twenty random ones in JavaScriptCore: CPython's numbers, to the last bit."""

import numpy as np
import pytest

from lib.models.scb import textbook
from lib.models.scb.textbook import Settings
from lib.portable import javascript
from tests.portable.engine import bits, literal
from tests.portable.webkit import in_webkit
from tests.scb.test_textbook import some_settings, whole

pytestmark = pytest.mark.browser


def test_the_default_and_twenty_others(tmp_path):
    rng = np.random.default_rng(21)
    runs = [(Settings(), 0), *((some_settings(rng), seed) for seed in range(20))]
    script = (
        javascript(textbook)
        + """
        const M = portable["lib.models.scb.textbook"];
        const whole = (settings, seed) => {
          const state = M.start(settings, seed);
          M.advance(state, M.steps_of(settings));
          return [M.read(state), state.V, state.A, state.random, state.step, state.diverged_at];
        };
    """
    )
    calls = ", ".join(f"whole({literal(settings)}, {seed})" for settings, seed in runs)
    found = in_webkit(tmp_path, script, f"[{calls}]")
    for (settings, seed), theirs in zip(runs, found, strict=True):
        assert bits(theirs) == bits(whole(settings, seed)), settings
