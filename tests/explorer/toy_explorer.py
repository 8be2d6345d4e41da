"""A small explorer with everything in it: bands, theory, frames, a plane, bars, divergence, refused points."""

import numpy as np

from lib.errors import require
from lib.explorer import Explorer, Field, Line, Mark, Path, Slider, bars, heatmap, lines, plane

MODULE = "tests.explorer.toy_explorer"  # as a notebook imports it
T = [16, 32, 64, 128, 256]
LR = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
calls = []


def toy(T, lr, Q=1, optimiser="SGD", seed=0):
    """Made-up training curves whose every array depends on some of the settings; shapes depend on T."""
    calls.append((T, lr, Q, optimiser))
    require(Q < T / 8, "Q", f"less than T/8 = {T / 8:g}", Q)
    steps = np.unique(np.r_[0, np.geomspace(1, 40 * np.sqrt(T), 40).astype(int)])
    rng = np.random.default_rng([int(T), int(1e6 * lr), Q, len(optimiser), seed])
    rise = 1 - np.exp(-lr * steps / 4)
    loss = np.exp(-3 * rise) * np.exp(0.1 * rng.normal(size=(5, steps.size)))
    diverged = np.full(5, -1)
    if lr == 0.5 and optimiser == "SGD":
        loss[1, 20:], diverged[1] = np.nan, steps[20]
    frames = np.linspace(0, steps.size - 1, 6).astype(int)
    true = np.zeros((3, 12))
    true[np.arange(3), [1, 5, 9]] = 1
    attention = rise[frames, None, None] * true + rng.uniform(0, 0.1, (6, 3, 12))
    grid = np.linspace(-0.2, 1.2, 8)
    u, v = np.meshgrid(grid, grid)
    return {
        "steps": steps, "loss": loss, "theory": np.exp(-3 * rise), "tau": np.array(4 / lr), "diverged_at": diverged,
        "attention": attention, "frame_steps": steps[frames], "true": true, "row": attention[:, 0], "t": np.arange(12),
        "x": rise + 0.02 * rng.normal(size=(2, steps.size)), "y": rise**2 + 0 * rng.normal(size=(2, steps.size)),
        "gx": grid, "gy": grid, "gu": 1 - u * v, "gv": u - v, "one": np.ones(1),
        "mu": np.full(4, 0.25), "token": np.arange(4), "count": rng.multinomial(100, np.full(4, 0.25)) / 100,
    }  # fmt: skip


def read(settings, data):
    """A sentence with numbers that change with every slider."""
    final = np.nanmedian(data["loss"][:, -1])
    return f"With Q = {settings.get('Q', 1)} α_V rises at step {data['tau']:.0f}; the loss ends at {final:.3f} <nats>."


def panels():
    """One panel of every kind."""
    loss = [Line("loss", "measured", idea="sgd"), Line("theory", "theory", theory=True)]
    steps, fraction = "training time (steps)", "attention (fraction)"
    return [
        lines("steps", loss, xlabel=steps, ylabel="loss (nats)", title="Loss", ylog=True, marks=[Mark("tau", "τ")]),
        heatmap("attention", frames="frame_steps", xlabel="position t (tokens)", ylabel="token k (index)",
                clabel=fraction, title="Attention", outline="true", outline_label="true position"),
        plane([Path("x", "y", "runs")], field=Field("gx", "gy", "gu", "gv"), points=[Path("one", "one", "solution")],
              xlabel="α_V (no unit)", ylabel="α_A (no unit)", title="Plane"),
        lines("t", [Line("row", "row 0")], frames="frame_steps", xlabel="t (tokens)", ylabel=fraction, title="Row"),
        bars("token", [Line("count", "seen"), Line("mu", "μ", theory=True)], xlabel="token (index)",
             ylabel="share (fraction)", title="Tokens"),
    ]  # fmt: skip


def make(name="toy-main", **options):
    """The explorer; options replace its arguments."""
    given = {
        "grid": {"T": T, "lr": LR, "Q": [1, 2, 3], "optimiser": ["SGD", "prox"]},
        "panels": panels(),
        "sliders": {
            "T": Slider("Context length T", unit="tokens"),
            "lr": Slider("Learning rate η", unit="no unit", live=(0.001, 1.0)),
            "Q": Slider("Sparsity Q", unit="positions"),
            "optimiser": Slider("Optimiser", names={"prox": "proximal"}),
        },
        "default": {"T": 64, "lr": 0.05},
        "title": "A toy",
        "reading": read,
        "caption": "Five seeds.",
    }
    return Explorer(toy, **{**given, **options}, name=name)


def second(name="toy-side"):
    """A smaller one, for pages with two."""
    return Explorer(
        toy,
        grid={"T": T, "lr": LR},
        panels=[lines("steps", ["theory"], xlabel="training time (steps)", ylabel="loss (nats)", title="Loss")],
        sliders={"T": Slider("Context length T", "tokens"), "lr": Slider("Learning rate η", "no unit")},
        name=name,
        title="Another toy",
        reading=read,
        min_points=30,
        fixed={"seed": 5},
    )
