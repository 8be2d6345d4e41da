"""The theory that pages draw: the numbers of `lib.theory.scb`, and the same bits in the page."""

import numpy as np
import pytest

from lib.models import scb
from lib.theory import scb as theory
from lib.theory.scb import portable
from tests.portable.engine import bits, page_of

MODULE = "lib.theory.scb.portable"


def settings(seed=11, count=200):
    """(weights, T, eta, steps, x, y, level) over the ranges of the sliders, rates that diverge among them."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        T, Q = round(4 * 512 ** rng.uniform()), int(rng.integers(1, 9))
        w = scb.even_weights(min(Q, T)).tolist()
        eta = float(10 ** rng.uniform(-3, 0.3))
        yield w, T, eta, int(rng.integers(1, 1000)), *rng.uniform(-2, 2, 2).tolist(), float(rng.uniform(0.02, 0.9))


def everything(w, T, eta, steps, x, y, level):
    K_Q = portable.attention_signal(w, T)
    d = portable.drift_number(K_Q, T)
    run = portable.population_run(d, eta, 0.0, 0.0, steps, 48)
    early = portable.early_growth(float(steps), eta, d)
    velocity, escape = portable.velocity(x, y, d), portable.escape_time(level, eta, d)
    return K_Q, d, run, velocity, early, escape, portable.valley(x), portable.valley_speed(x, d)


def test_same_numbers_at_200_settings():
    diverged = 0
    for w, T, eta, steps, x, y, level in settings():
        K_Q, d, run, velocity, early, escape, valley, speed = everything(w, T, eta, steps, x, y, level)
        assert pytest.approx(sum(p * p for p in w) - 1 / T, rel=1e-12) == K_Q
        if K_Q < 1e-9:
            continue
        assert d == pytest.approx(float(theory.drift_number(K_Q, T)), rel=1e-9)
        assert velocity == pytest.approx([float(v) for v in theory.velocity(x, y, d)], rel=1e-9)
        with np.errstate(over="ignore"):
            assert early == pytest.approx([float(v) for v in theory.early_growth(steps, eta, d)], rel=1e-9)
        if 2 * level / d > 1:
            assert escape == pytest.approx(float(theory.escape_time(level, eta, K_Q, T)), rel=1e-9)
        else:
            assert np.isnan(escape)
        assert valley == pytest.approx(float(theory.hyperbola(x)), rel=1e-9)
        assert speed == pytest.approx(float(theory.valley_speed(x, d)), rel=1e-9)
        at = np.unique(np.array(run["steps"]).astype(int))
        path = theory.population_run(1.0, K_Q, T, eta, steps, record_at=at)
        places = np.searchsorted(at, run["steps"])
        for name, wanted in (("alpha_V", path.alpha_V), ("alpha_A", path.alpha_A)):
            # where rates are too large the recursion doubles every difference: compared until it leaves the picture
            inside = np.cumprod(np.abs(np.nan_to_num(wanted, nan=9.0)) < 3).astype(bool)[places] & (eta < 0.9)
            np.testing.assert_allclose(np.array(run[name])[inside], wanted[places][inside], rtol=1e-9, atol=1e-12)
            assert (np.isfinite(run[name]) == np.isfinite(wanted[places])).all()
        diverged += not np.isfinite(run["alpha_V"]).all()
    assert diverged > 5


def test_same_bits_in_the_page_at_200_settings():
    page = page_of(portable)
    page.do(f"""
        const M = portable["{MODULE}"];
        const everything = (w, T, eta, steps, x, y, level) => {{
          const K_Q = M.attention_signal(Float64Array.from(w), T), d = M.drift_number(K_Q, T);
          return [K_Q, d, M.population_run(d, eta, 0, 0, steps, 48), M.velocity(x, y, d), M.early_growth(steps, eta, d),
                  M.escape_time(level, eta, d), M.valley(x), M.valley_speed(x, d)];
        }};""")
    for case in settings():
        if portable.attention_signal(case[0], case[1]) == 0.0:
            continue
        arguments = ", ".join(map(repr, case))
        assert bits(page.run(f"everything({arguments})")) == bits(list(everything(*case)))
