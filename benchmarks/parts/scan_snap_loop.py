"""The training of Scan and Snap in a plain loop over sequences, in NumPy: what a run in the page is compared with.

Source: the model of arXiv 2305.16380, Section 3 and Lemma 1; the code is ours.
"""

from __future__ import annotations

import numpy as np

from lib.models import scan_snap as ss


class Loop:
    """One run from zero, with momentum 0.9 and rates 1.

    Args:
        task: finite L.
    """

    def __init__(self, task: ss.Task) -> None:
        self.task = task
        self.params = {"Y": np.zeros((task.C, task.M)), "Z": np.zeros((task.Q, task.C))}
        self.trace = {name: np.zeros_like(values) for name, values in self.params.items()}

    def draw(self, rng: np.random.Generator) -> tuple[int, np.ndarray]:
        """A class and the counts of the tokens of one sequence of it."""
        n = int(rng.integers(self.task.K))
        tokens = rng.choice(self.task.C, size=self.task.L, p=self.task.P[n])
        return n, np.bincount(tokens, minlength=self.task.C)

    def gradient(self, samples: list[tuple[int, np.ndarray]]) -> tuple[float, dict[str, np.ndarray]]:
        """Mean loss in nats of sequences (class, counts), and its gradient."""
        Y, Z = self.params["Y"], self.params["Z"]
        loss, slope = 0.0, {name: np.zeros_like(values) for name, values in self.params.items()}
        for n, counts in samples:
            query = self.task.query[n]
            weight = counts * np.exp(Z[query] - Z[query].max())
            f = weight / np.linalg.norm(weight)
            logits = f @ Y
            chance = np.exp(logits - logits.max())
            chance /= chance.sum()
            loss -= np.log(chance[n])
            error = -chance
            error[n] += 1.0
            g = Y @ error
            slope["Y"] -= np.outer(f, error)
            slope["Z"][query] -= f * (g - f * (f @ g))
        return loss / len(samples), {name: values / len(samples) for name, values in slope.items()}

    def step(self, samples: list[tuple[int, np.ndarray]]) -> float:
        """One update; returns the loss before it."""
        loss, slope = self.gradient(samples)
        for name, values in slope.items():
            self.trace[name] = 0.9 * self.trace[name] + values
            self.params[name] -= self.trace[name]
        return loss
