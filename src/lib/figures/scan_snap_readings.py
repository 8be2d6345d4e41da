"""The sentences under the explorers of the Scan and Snap chapter: what is seen, with its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Data = Mapping[str, NDArray]


def _value_at(times: NDArray, values: NDArray, t: float) -> float:
    """Value of a curve (T,) at time t, interpolated over ln t."""
    return float(np.interp(np.log(t), np.log(times), values))


def _step(t: float) -> str:
    """A time for a reader: whole above ten steps."""
    return f"{t:,.0f}" if t >= 10 else f"{t:.1f}"


def _signed(value: float, digits: int = 2) -> str:
    """A number with a proper minus, none for what rounds to 0."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def read_attention(settings: Mapping[str, Any], data: Data) -> str:
    """Where attention ends: on common tokens, on the winner, and how spread over distinct ones."""
    if not np.isfinite(data["entropy"][-1]):
        return f"The run diverged at step {int(data['diverged_at'][0])}."
    own, mass, entropy = data["distinct"], data["common_mass"], data["entropy"]
    winner = int(np.argmax(own[:, -1]))
    place = "the most frequent" if winner == len(own) - 1 else f"number {winner + 1} of ten, counted from the rarest,"
    first = f"common tokens go from {100 * mass[0]:.0f} % to {100 * mass[-1]:.0f} % of attention"
    first = (
        f"In 100 steps {first}" if settings["common"] else "Without common tokens only sampling noise moves attention"
    )
    return (
        f"{first}; of class A's distinct tokens {place} ends in front, at {100 * own[winner, -1]:.0f} % after "
        f"{100 * own[winner, 0]:.0f} %; entropy goes from {entropy[0]:.2f} to {entropy[-1]:.2f} nats."
    )


def read_snap(settings: Mapping[str, Any], data: Data) -> str:
    """When attention moves fastest, and how much is still to come after the snap, in both tracks."""
    if not np.isfinite(data["peak"]):
        return f"Without common tokens nothing moves: logits stay at 0, entropy at {data['entropy'][-1]:.2f} nats."
    scan, snap = float(data["scan"]), float(data["snap"])
    fast = [f"{float(data[name]) / scan:.2f}" for name in ("peak", "ref_peak")]
    parts = []
    for z in (data["distinct"][-1], data["ref_top"]):
        before = _value_at(data["steps"], z, snap)
        parts.append(f"{before:.2f} by t_0 and {z[-1] - before:.2f} after it")
    return (
        f"t_0′ is step {_step(scan)}; attention moves fastest at {fast[0]} t_0′ (reference: {fast[1]}). "
        f"The most frequent distinct token gains {parts[0]} (reference: {parts[1]})."
    )


def read_ratio(settings: Mapping[str, Any], data: Data) -> str:
    """At which ratio attention is sparsest, beside the released number."""
    middle = np.median(data["entropy"], axis=0)  # NaN where a run diverged
    if not np.isfinite(middle).any():
        return "At every ratio a run diverged."
    best = int(np.nanargmin(middle))
    when = f"After {settings['steps']} step{'' if settings['steps'] == 1 else 's'}"
    said = f"{when} attention is sparsest at ratio {data['ratios'][best]:g}, with {middle[best]:.3f} nats"
    if np.isfinite(data["released"]).any():
        there = int(np.nanargmin(data["released"]))
        said += f" (released: {data['ratios'][there]:g}, {data['released'][there]:.3f} ± {data['spread'][there]:.3f})"
    limit = int(np.argmin(data["population"]))
    return f"{said}; infinitely long sequences have {data['population'][limit]:.3f} at {data['fine'][limit]:.1f}."


def read_growth(settings: Mapping[str, Any], data: Data) -> str:
    """Growth at the end in both tracks, with the bounds, and whether the data are within the paper's assumption."""
    end = {name: float(data[name][-1]) for name in ("chi", "ref_chi", "lower", "upper", "closed")}
    obeys = "obey" if bool(data["allowed"]) else "violate"
    return (
        f"By step 10⁵ the reference dynamics have χ = {end['ref_chi']:.2f}, between {end['lower']:.2f} and "
        f"{end['upper']:.2f} (Theorem 4: {end['closed']:.2f}); joint gradient flow has {end['chi']:.2f}. "
        f"These data {obeys} Assumption 2."
    )


def read_fate(settings: Mapping[str, Any], data: Data) -> str:
    """Side of the threshold, where the token ends, and whether it turned on the way."""
    kappa, star = float(data["here"]), float(data["threshold"])
    above = kappa > star
    side = "above" if above else "below"
    first = "gains at first" if above else "loses at first"
    turned = f", turns at step {_step(float(data['turn']))}" if np.isfinite(data["turn"]) else ""
    z, ref = (_signed(float(data[name][-1]), 3) for name in ("token", "ref_token"))
    end = f"stands at {z} at step 10⁵ (reference: {ref})"
    return f"κ = {kappa:g} is {side} κ★ = {star:.2f}: the token {first}{turned} and {end}."
