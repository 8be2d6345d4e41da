"""The theory of the page: its flow by another quadrature, and its laws, and what they refuse."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import expit
from scipy.stats import norm

from hal.chapters.group_sparse.figures import selection
from lib.models.group_sparse import textbook


def flow_by_gauss(D, sigma, flips, others, times):
    """Attention and loss of the flow, by Gauss' rules and another integrator."""
    xi, share = np.polynomial.hermite_e.hermegauss(61)
    nodes, weight = np.polynomial.legendre.leggauss(200)
    g = 8 * ((nodes + 1) / 2) ** 2.5
    both = (2 * norm.pdf(g) * weight * 10 * ((nodes + 1) / 2) ** 1.5)[:, None] * share / share.sum()

    def margin(alpha, b):
        s = expit(b - np.log(D - 1))
        tau = others * (1 - s) / np.sqrt(D - 1)
        return s, tau, alpha * D * sigma * (s * g[:, None] + tau * xi)

    def speed(_, place):
        s, tau, m = margin(*place)
        p = both * (expit(-m) - flips)
        signal, noise = (p * g[:, None]).sum(), tau * (p * xi).sum()
        front = ((D + 1) / 2) ** 2 * D / (D - 1) * place[0] * s * sigma
        return D * sigma * (s * signal + noise), front * ((1 - s) * signal - noise)

    found = solve_ivp(speed, (0, times[-1]), [0, 0], t_eval=times, rtol=1e-8, atol=1e-10, method="LSODA").y.T
    ends = [margin(*place) for place in found]
    return np.array([s for s, _, _ in ends]), np.array(
        [(both * (np.logaddexp(0, -m) + flips * m)).sum() for _, _, m in ends]
    )


def test_the_population_beside_a_run_at_any_sliders():
    rng = np.random.default_rng(7)
    chosen = [
        (int(rng.integers(2, 9)), rng.uniform(0.02, 2), 2 ** rng.uniform(-1, 1), q, 4 ** rng.uniform(-1, 1))
        for q in (0, 0.2)
    ]
    for D, lr, sigma, flips, others in [*chosen, (8, 2.0, 2.0, 0.4, 1.0), (6, 0.3, 1.0, 0.0, 0.25)]:
        settings = selection.settings(D, 3, 100, lr, others, sigma, flips)
        drawn = selection.flow(settings)
        attention, loss = flow_by_gauss(D, sigma, flips, others, lr * np.array(textbook.steps_of(settings)))
        np.testing.assert_allclose(drawn["attention"], attention, atol=0.01, err_msg=str(settings))
        np.testing.assert_allclose(drawn["loss"], loss, rtol=0.005, err_msg=str(settings))
