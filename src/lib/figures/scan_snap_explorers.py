"""What the explorers of the Scan and Snap chapter show: slider labels and panels; the sentences are in `..._readings`.

Joint gradient flow is solid, the reference dynamics dashed, in the colour of the token or of the track.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lib.explorer import Line, Mark, Slider, bars, heatmap, lines
from lib.figures.scan_snap_readings import read_attention, read_fate, read_growth, read_ratio, read_snap

__all__ = [
    "attention_panels",
    "fate_panels",
    "growth_panels",
    "ratio_panels",
    "read_attention",
    "read_fate",
    "read_growth",
    "read_ratio",
    "read_snap",
    "sliders",
    "snap_panels",
]

OPTIMISERS = {"sgd": "gradient descent", "momentum": "momentum 0.9", "adam": "Adam"}
_SLIDERS = {
    "T": Slider("Sequence length T", unit="tokens", integer=True, live=(8, 1024)),
    "K": Slider("Classes K", unit="classes", integer=True, live=(2, 12)),
    "M": Slider("Vocabulary M", unit="tokens", integer=True, live=(20, 100_000)),
    "common": Slider("Common tokens", unit="tokens", integer=True, live=(0, 60)),
    "lr_Y": Slider("Decoder rate η_Y", unit="no unit", live=(0.05, 20.0)),
    "lr_Z": Slider("Attention rate η_Z", unit="no unit", live=(0.05, 20.0)),
    "optimiser": Slider("Optimiser", names=OPTIMISERS),
    "query": Slider("Query token", names={"own": "one a class", "shared": "one for all"}),
    "queries": Slider("Query tokens", unit="tokens", integer=True, live=(1, 10)),
    "steps": Slider("Training time", unit="steps", integer=True, live=(1, 100)),
    "rho": Slider("Overlap ρ", unit="no unit", live=(0.05, 0.6)),
    "kappa": Slider("Ratio κ", unit="no unit", live=(1.0, 8.0)),
    "seed": Slider("Seed", unit="no unit", integer=True, live=(0, 99)),
}

STEPS = "training time (steps)"
NATS = "entropy (nats)"


def sliders(*names: str, **live: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter.

    Args:
        names: the settings.
        live: narrower ranges in a live kernel, where a run over the whole range would take too long.
    """
    return {name: replace(_SLIDERS[name], live=live.get(name, _SLIDERS[name].live)) for name in names}


def attention_panels() -> list[Any]:
    """Attention of both classes, attention on one class's distinct tokens now and over time, loss and entropy."""
    return [
        heatmap(
            "attention",
            xlabel="common tokens, of A, of B (token number)",
            ylabel="class (no unit)",
            clabel="attention (fraction)",
            title="Attention c_n",
            frames="frame_steps",
            idea="A",
            xticks="token",
            yticks=("A", "B"),
            outline="own",
            outline_label="distinct tokens of the class",
            vmin=0,
            height=150,
            wide=True,
        ),
        bars(
            x="rank",
            y=[Line("start", "before training", idea="theory"), Line("profile", "now", idea="distinct")],
            frames="frame_steps",
            xlabel="distinct token of class A, rarest first (rank)",
            ylabel="attention (fraction)",
            title="Who wins",
            bits=7,
        ),
        lines(
            x="steps",
            y=[
                Line("common_mass", "all common tokens together", idea="common"),
                Line("distinct", "each distinct token of class A", idea="distinct", each=True),
            ],
            xlabel=STEPS,
            ylabel="attention (fraction)",
            title="Scan, then snap",
            ylim=(0, None),
            bits=7,
        ),
        lines(
            x="steps",
            y=[Line("loss", "loss", idea="V"), Line("entropy", "entropy on distinct tokens", idea="A")],
            xlabel=STEPS,
            ylabel="loss and entropy (nats)",
            title="The decoder learns, attention follows",
            ylim=(0, None),
            bits=7,
            height=150,
            wide=True,
        ),
    ]


def _log_time(y: list[Line], ylabel: str, title: str, **more: Any) -> Any:
    """A chart over the logarithm of time with the two transition times."""
    marks = more.pop("marks", [Mark("scan", "t_0′"), Mark("snap", "t_0")])
    return lines(x="steps", y=y, xlabel=STEPS, ylabel=ylabel, title=title, xlog=True, marks=marks, **more)


def _tracks(name: str, ylabel: str, title: str, **more: Any) -> Any:
    """One quantity in both tracks."""
    y = [
        Line(name, "joint flow", idea="joint"),
        Line(f"ref_{name}", "reference dynamics", idea="reference", theory=True),
    ]
    return _log_time(y, ylabel, title, **more)


def snap_panels() -> list[Any]:
    """Logits, speed of attention, entropy and loss over the logarithm of time, both tracks."""
    logits = [
        Line("distinct", "distinct tokens, rarest to most frequent", idea="distinct", each=True),
        Line("common", "common tokens", idea="common"),
        Line("ref_top", "most frequent distinct, reference", idea="distinct", theory=True),
        Line("ref_common", "common, reference", idea="common", theory=True),
    ]
    return [
        _log_time(logits, "attention logit z (nats)", "Logits", bits=9),
        _tracks("speed", "length of dz/dt (fraction of its peak)", "Speed of attention", bits=8),
        _tracks("entropy", "entropy on distinct tokens (nats)", "Entropy", bits=9),
        _tracks("loss", "loss (nats)", "Loss", ylog=True, ylim=(1e-4, 20), bits=9),
    ]


def ratio_panels() -> list[Any]:
    """Entropy against the ratio of rates with the released error bars, and over time at four ratios."""
    course = [Line(f"course_{r}", f"ratio {r}") for r in (1, 2, 5, 10)]
    return [
        lines(
            x="ratios",
            y=[
                Line("entropy", "three runs, median and 10–90 %", idea="A"),
                Line("population", "infinitely long sequences", theory=True, x="fine"),
                Line("released", "released: mean ± s.d. of ten runs", idea="V", error="spread"),
            ],
            xlabel="ratio of rates η_Y / η_Z (no unit)",
            ylabel=NATS,
            title="Entropy against the ratio of rates",
            xlog=True,
        ),
        lines(
            x="course_steps",
            y=course,
            xlabel=STEPS,
            ylabel=NATS,
            title="How it came to that",
            marks=[Mark("reading_at", "read here")],
            bits=9,
        ),
    ]


def growth_panels() -> list[Any]:
    """Growth factor with its bounds, logit of the common token with Theorem 4, and relative gain over Theorem 3."""
    factors = [
        Line("chi", "joint flow", idea="joint"),
        Line("ref_chi", "reference dynamics", idea="reference"),
        Line("closed", "Theorem 4, exp(2B/K)", idea="partly", theory=True),
        Line("upper", "Theorem 3, upper bound", theory=True),
        Line("lower", "Theorem 3, lower bound", theory=True),
    ]
    common = [
        Line("common", "joint flow", idea="joint"),
        Line("ref_common", "reference dynamics", idea="reference"),
        Line("closed_common", "Theorem 4, −B", idea="partly", theory=True),
    ]
    gains = [
        Line("gain", "joint flow, rarest to second most frequent token", idea="joint", each=True),
        Line("ref_gain", "reference dynamics", idea="reference", each=True),
    ]
    return [
        _log_time(factors, "growth factor χ (no unit)", "Growth of the most frequent distinct token"),
        _log_time(common, "logit of the common token (nats)", "Fall of the common token"),
        _log_time(
            gains, "measured over r(0) χ (fraction)", "Relative gain over Theorem 3", bits=9, height=150, wide=True
        ),
    ]


def fate_panels() -> list[Any]:
    """Logits of a partly common token, its first drift against its ratio, the threshold over time, other tokens."""

    def pair(name: str, label: str, idea: str) -> list[Line]:
        dashed = Line(f"ref_{name}", f"{label}, reference", idea=idea, theory=True)
        return [Line(name, label, idea=idea), dashed]

    token = pair("mirror", "its mirror image", "counterpart") + pair("token", "token", "partly")
    others = pair("top", "most frequent distinct token", "distinct") + pair("common", "common token", "common")
    moving = [
        Line("kappa_now", "ratio κ of the token", idea="partly"),
        Line("ref_kappa_now", "ratio κ, reference", idea="partly", theory=True),
        Line("threshold_now", "threshold κ★", idea="joint"),
        Line("ref_threshold_now", "threshold κ★, reference", idea="reference", theory=True),
    ]
    turns = [Mark("turn", "turns"), Mark("ref_turn", "reference turns")]
    drift = [Line("push", "joint flow", idea="joint"), Line("ref_push", "theory", theory=True)]
    return [
        _log_time(token, "attention logit z (nats)", "The token", marks=turns, bits=9),
        lines(
            x="kappas",
            y=drift,
            marks=[Mark("threshold", "κ★"), Mark("here", "κ")],
            xlabel="ratio κ (no unit)",
            ylabel="drift over the top distinct token's (fraction)",
            title="First drift: above 0 it gains",
        ),
        _log_time(moving, "ratio (no unit)", "The threshold moves", marks=turns, ylog=True, bits=9),
        _log_time(others, "attention logit z (nats)", "Other tokens", marks=[], bits=9),
    ]
