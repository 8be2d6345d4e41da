"""Claim LTB-29: the theory's numbers at one small task, from an independent computation.

Chapter `linear_block`.
"""

import math

import numpy as np

from hal.claims import Part, Result, claim, result
from lib.models import linear_block as lb
from lib.theory import linear_block as theory


@claim(
    "LTB-29",
    where="beyond the paper",
    says=(
        "At d = 2, H = diag(1, 1/2), $\\beta^*$ = (1, -1), noise 1/2 and M = 10 risks, step, curvature, trap and flow "
        "have the values that another program found."
    ),
    control={"M": 11},
    breaks="one example more",
)
def _check_29(M: int = 10) -> Result:
    task = lb.Task(np.diag([1.0, 0.5]), np.eye(2), [1.0, -1.0], math.sqrt(0.5), M)
    step, attention, path = theory.best_step(task), theory.best_attention(task), theory.step_flow(task, [0.1, 1.0, 5.0])
    Q = np.array([[0.6, 0.1], [-0.2, 0.5]])
    alpha, v, c, q = (np.array(x) for x in ([0.5, 0.2], [-0.3, 0.4], 0.8, [0.05, -0.1]))
    curved = np.linalg.eigvalsh(theory.curvature(task, step))
    exact = {
        "step matrix, first entry": (step[0, 0], 10 / 13),
        "step matrix, last entry": (step[1, 1], 4 / 3),
        "risk of the best step": (theory.best_risk(task), 0.8974359),
        "of the best step from zero": (theory.zero_start_risk(task), 1.2202910),
        "of attention whose virtual mean is the mean": (theory.attention_at(task, task.mean).risk, 1.2034872),
        "of the step matrix 1 from zero": (float(theory.step_risk(task, np.zeros(2), np.eye(2))), 1.4125),
        "of a block": (float(theory.block_risk(task, theory.Effective(alpha, v, c, Q, q))), 1.58935875),
        "least curvature at the end": (curved[0], 0.1295858),
        "risk in the trap": (theory.trap_risk(task), 1.2307692),
        "criterion of the trap": (theory.trap_criterion(task), 0.8520710),
    }
    found = {
        "risk of the best attention": (attention.risk, 1.2004758),
        "its virtual mean, first entry": (attention.omega[0], 0.8944),
        "start at time 1, first entry": (path.beta[1, 0], 0.35854),
        "step at time 0.1, first entry": (path.Gamma[0, 0, 0], 0.29291),
        "risk at time 5": (path.risk[2], 0.90984),
    }
    parts = [Part(name, float(x), known, 1e-6) for name, (x, known) in exact.items()]
    parts += [Part(name, float(x), known, 1e-4) for name, (x, known) in found.items()]
    return result(*parts)
