"""Laws of the labels, separated prompts, scores on them."""

import numpy as np
import pytest

from hal.chapters.one_nn.models import Contexts, draw_contexts, score
from hal.chapters.one_nn.models.separated import separate
from hal.chapters.one_nn.theory import separated_slope
from lib.errors import InputError
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory


def labels(law, N=7, batch=40_000):
    return model.sample_prompts(model.Task(3, N, law), batch, generators([0])).y[0]


def test_walsh_labels_multiply_to_one_on_lines():
    y = labels("walsh")
    np.testing.assert_array_equal(y[:, 0] * y[:, 1] * y[:, 2], 1)  # labels 1, 2, 3: 1 xor 2 = 3
    assert abs(np.mean(y[:, 0] * y[:, 1] * y[:, 3])) < 0.025
    np.testing.assert_array_equal(model.walsh_factors(3), [[1, 0], [0, 1], [1, 1]])


def test_waves_forget_distances_and_linear_labels_do_not():
    for law, low, high in (("highfreq", -0.05, 0.05), ("linear", 0.2, 1.0)):
        prompts = model.sample_prompts(model.Task(3, 2, law), 40_000, generators([0]))
        close = np.einsum("bd,bd->b", *prompts.x[0].transpose(1, 0, 2))
        agree = prompts.y[0].prod(axis=1)
        assert low < agree[(close > 0.3) & (close < 0.9)].mean() < high, law


def test_separated_prompts_are_separated():
    prompts = model.sample_prompts(model.Task(4, 6), 500, generators([0]))
    given = separate(prompts, 0.5)
    x, query, y = (part[0] for part in given)
    distance = np.square(x - query[:, None]).sum(-1)
    near = distance.argmin(axis=1)
    np.testing.assert_array_equal(near, model.nearest(prompts)[0])
    other = y != np.take_along_axis(y, near[:, None], axis=1)
    least = (distance - distance.min(axis=1, keepdims=True))[other].min()
    assert 0.5 - 1e-12 <= least < 0.6  # and no further than asked
    np.testing.assert_array_equal(model.targets(given), model.targets(prompts))
    np.testing.assert_array_equal(separate(prompts, 0.0).y, prompts.y)
    assert np.all(separate(prompts, 4.0).y == model.targets(prompts)[..., None])


def test_scores_are_those_of_the_dense_model():
    prompts = model.sample_prompts(model.Task(3, 5), 300, generators([0]))
    contexts = Contexts(model.products(prompts)[0].T, prompts.y[0].T)
    xi1, xi2 = np.array([2.0, 30.0]), np.array([1.0, -4.0])
    found = score(xi1, xi2, contexts)
    for k in range(2):
        f = model.predict(model.as_matrix(model.Pair(xi1[k : k + 1], xi2[k : k + 1]), 3).W, prompts)
        error = f - model.targets(prompts)
        assert found.loss[k] == pytest.approx(0.5 * np.square(error).mean(), abs=1e-13)
        assert found.accuracy[k] == np.mean(f * model.targets(prompts) > 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: score([np.inf], [1.0], c), "xi1: expected finite numbers"),
        (lambda c: score([1.0], [-np.inf], c), "xi2: expected numbers above minus infinity"),
        (lambda c: score([1.0], [1.0, 2.0], c), r"xi2: expected shape \(1,\), as xi1"),
        (lambda c: theory.prediction_bound(-1.0, 1.0, 0.5, 4, 0.1), "xi1: expected numbers of at least 0"),
        (lambda c: theory.prediction_bound(1.0, 1.0, 0.5, 4, 5.0), "delta: expected squared distances between 0 and 4"),
        (lambda c: separated_slope(0.0, 0.1), "xi1: expected finite values > 0"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=f"^{message}"):
        call(draw_contexts(3, 4, 5, np.random.default_rng(0)))
