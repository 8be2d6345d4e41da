"""What the explorers of the SCB chapter show: slider labels, panels, and the sentence that reads each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.explorer import Field, Line, Mark, Path, Slider, heatmap, lines, plane

Data = Mapping[str, NDArray]

_SLIDERS = {
    "T": Slider("Context T", unit="tokens", integer=True, live=(32, 2048)),
    "N": Slider("Vocabulary N", unit="tokens", integer=True, live=(2, 12)),
    "Q": Slider("Sparsity Q", unit="positions", integer=True, live=(1, 8)),
    "skew": Slider("Skew of μ", unit="no unit", live=(0.0, 1.5)),
    "lr": Slider("Learning rate η", unit="no unit", live=(0.01, 0.06)),
    "batch": Slider("Batch B", unit="samples", integer=True, live=(2, 256)),
    "samples": Slider("Samples", unit="samples", integer=True, live=(16, 32768)),
    "lam": Slider("Threshold λ / η", unit="no unit", live=(0.0, 1.0)),
    "c": Slider("Strength c of P", unit="no unit", live=(0.3, 1.0)),
    "rho": Slider("Correlation ρ", unit="no unit", live=(0.05, 1.0)),
    "seed": Slider("Seed", unit="no unit", integer=True, live=(0, 99)),
}

STEPS = "training time (steps)"


def sliders(*names: str) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter."""
    return {name: _SLIDERS[name] for name in names}


def flow_panels() -> list[Any]:
    """Plane of the two signals, both over time on a log axis, and the distance to the plane."""
    return [
        plane(
            paths=[
                Path("alpha_V", "alpha_A", "three measured runs", idea="signal"),
                Path("flow_V", "flow_A", "population flow", theory=True),
            ],
            field=Field("field_x", "field_y", "field_u", "field_v"),
            curves=[Path("valley_V", "valley_A", "valley"), Path("mirror_V", "mirror_A", "mirrored valley")],
            points=[Path("solution_V", "solution_A", "true and mirrored solution")],
            xlabel="transition signal α_V (no unit)",
            ylabel="attention signal α_A (no unit)",
            title="Where the runs go",
            xlim=(-1.4, 1.4),
            ylim=(-1.8, 1.8),
        ),
        lines(
            x="steps",
            y=[
                Line("alpha_V", "α_V measured", idea="V"),
                Line("alpha_A", "α_A measured", idea="A"),
                Line("flow_V", "flow", theory=True),
                Line("flow_A", "flow of α_A", theory=True),
            ],
            marks=[Mark("tau", "τ₁: theory reaches 0.1")],
            xlabel=STEPS,
            ylabel="signal (no unit)",
            title="The quiet phase",
            ylog=True,
            ylim=(1e-3, 3),
        ),
        lines(
            x="steps",
            y=[Line("off_flow", "‖Δ‖, distance of the runs to the plane of the flow", idea="noise")],
            xlabel=STEPS,
            ylabel="distance (no unit)",
            title="Off the flow",
            ylim=(0, None),
            height=150,
            wide=True,
        ),
    ]


def read_flow(settings: Mapping[str, Any], data: Data) -> str:
    """When the signal reached 0.1, against theory, and how many runs are mirrored."""
    reached, mirrored = np.asarray(data["reached"]), int(np.sum(data["mirrored"]))
    when = f"at step {np.nanmedian(reached):.0f}" if np.isfinite(reached).any() else "not within this run"
    turned = {0: "No run is mirrored.", 1: "One of three runs is mirrored."}.get(
        mirrored, f"{mirrored} of three runs are mirrored."
    )
    return f"The signal reaches 0.1 {when}; theory says {float(data['tau']):.0f}. {turned}"


def stage_panels() -> list[Any]:
    """Attention map over time, and distances with the stages marked."""
    return [
        heatmap(
            "attention",
            xlabel="position in the context (token)",
            ylabel="last token k (token)",
            clabel="attention (fraction)",
            title="Attention A",
            frames="frame_steps",
            xticks="position",
            outline="useful",
            outline_label="true positions",
            diverging=True,
            vmin=-0.6,
            vmax=0.6,
            wide=True,
        ),
        lines(
            x="steps",
            y=[
                Line("distance_V", "‖V − P‖", idea="V"),
                Line("distance_A", "‖A − Q‖", idea="A"),
                Line("rounded_A", "‖A − Q‖ after rounding a copy", idea="prox"),
            ],
            marks=[Mark("switch", "Stage 2"), Mark("end", "Stage 3")],
            xlabel=STEPS,
            ylabel="distance (no unit)",
            title="Distance to the answer",
            ylim=(0, None),
        ),
        lines(
            x="steps",
            y=[Line("alpha_V", "α_V", idea="V"), Line("alpha_A", "α_A", idea="A")],
            marks=[Mark("switch", "Stage 2"), Mark("end", "Stage 3")],
            xlabel=STEPS,
            ylabel="signal (no unit)",
            title="Signal",
        ),
    ]


def read_stages(settings: Mapping[str, Any], data: Data) -> str:
    """Where Stage 2 begins and what is left at the end."""
    end = f"‖V − P‖ = {data['distance_V'][-1]:.2f} and ‖A − Q‖ = {data['distance_A'][-1]:.2f}"
    turned = " The run is mirrored; Stage 3 flips it." if bool(data["mirrored"]) else ""
    return f"Stage 2 begins at step {int(data['switch'])}; after Stage 3, {end}.{turned}"


def compare_panels() -> list[Any]:
    """Distances of V and A under both methods, with the closure."""

    def one(letter: str, target: str) -> Any:
        return lines(
            x="steps",
            y=[
                Line(f"sgd_{letter}", "SGD", idea="sgd"),
                Line(f"prox_{letter}", "proximal", idea="prox"),
                Line(f"closure_{letter}", "SGD predicted (closure)", theory=True),
            ],
            marks=[Mark("switch", "threshold on")],
            xlabel=STEPS,
            ylabel=f"‖{letter} − {target}‖ (no unit)",
            title=f"Distance of {letter} to {target}",
            ylim=(0, None),
        )

    return [one("V", "P"), one("A", "Q")]


def read_compare(settings: Mapping[str, Any], data: Data) -> str:
    """Final distance of both methods and what the closure says."""
    sgd, prox = (float(np.median(data[name][:, -1])) for name in ("sgd_A", "prox_A"))
    better = "the threshold wins" if prox < sgd else "SGD wins"
    flips = int(data["mirrored"])
    turned = f" {flips} of 3 runs took the mirrored sign and are shown flipped." if flips else ""
    said = float(data["closure_A"][-1])
    ends = f"‖A − Q‖ ends at {sgd:.2f} with SGD (predicted {said:.2f}) and at {prox:.2f} with the threshold"
    return f"{ends}: {better}.{turned}"


def sign_panels() -> list[Any]:
    """Paths leaving zero, and the measured share on the curve of the law."""
    return [
        plane(
            paths=[
                Path("time", "true_paths", "true sign", idea="signal"),
                Path("time", "mirror_paths", "mirrored", idea="mirror"),
            ],
            xlabel=STEPS,
            ylabel="transition signal α_V (no unit)",
            title="Twenty-four runs leaving zero",
            equal=False,
        ),
        plane(
            paths=[],
            curves=[Path("log_ratios", "law_curve", "law", theory=True), Path("bar_G", "bar", "standard error")],
            points=[Path("log_G", "share_point", "share of 60 runs")],
            xlabel="log₁₀ of the control number G (no unit)",
            ylabel="share with the true sign (fraction)",
            title="One number decides",
            xlim=(-1.3, 1.5),
            ylim=(0.3, 1.03),
            equal=False,
        ),
    ]


def read_signs(settings: Mapping[str, Any], data: Data) -> str:
    """Measured share against the law."""
    share, error, law = (float(data[name]) for name in ("share", "error", "law"))
    return (
        f"{100 * share:.0f} % of 60 runs take the true sign (± {100 * error:.0f} %); the law says {100 * law:.0f} % "
        f"at G = {float(data['G']):.2f}."
    )


def transfer_panels() -> list[Any]:
    """Scores of the positions after one step, and the share of seeds whose support is found, by batch."""
    return [
        heatmap(
            "score",
            xlabel="position in the context (token)",
            ylabel="last token k (token)",
            clabel="score (fraction of the row's largest)",
            title="Scores after one step",
            xticks="position",
            outline="useful",
            outline_label="true positions",
            vmin=0,
            vmax=1,
            wide=True,
        ),
        lines(
            x="batches",
            y=[Line("share", "support found, of six seeds", idea="transfer")],
            marks=[Mark("law", "law: one half"), Mark("here", "this batch")],
            xlabel="batch of the one step (samples)",
            ylabel="share of runs (fraction)",
            title="How large a batch it takes",
            xlog=True,
            ylim=(0, 1),
            wide=True,
        ),
    ]


def read_transfer(settings: Mapping[str, Any], data: Data) -> str:
    """How many seeds found the support and what the law asks for."""
    return (
        f"With {settings['samples']} samples {int(data['found'])} of 6 runs find the support in one step; "
        f"the law asks for {float(data['law']):.0f}."
    )
