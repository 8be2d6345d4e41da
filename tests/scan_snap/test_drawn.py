"""Every line, bar and map of the chapter's figures, at random positions of the sliders, against the library's own way.

Joint: the flow of the whole model, all its rows and columns. Reference: `reference_run`, which knows no kinds of
token. Closed forms: integrated.
"""

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import attention, growth, snap
from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.runs.dynamics import flow
from hal.chapters.scan_snap.runs.learning import task_of
from hal.chapters.scan_snap.theory.one_common import reduced_run
from hal.chapters.scan_snap.theory.reference import reference_run
from hal.figure import Computed
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory
from tests.sentences.positions import positions

CLOSE = dict(rtol=2e-4, atol=2e-5)  # the page integrates to 1e-6 a step
EVERY = 11  # of the 67 records: that is 7, the last among them


def drawn(module, point):
    """What is drawn at some settings, every 11th record; the times; the facts."""
    result = Computed(module).compute(point, runs=1)
    found = {name: np.array(values) for name, values in {**result.theory, **result.runs[0]}.items()}
    rows = {name: values.reshape(67, -1)[::EVERY].squeeze() for name, values in found.items() if len(values) % 67 == 0}
    return {**found, **rows}, rows["steps"], result.facts


def both(task, point, t):
    """The joint flow of the whole model and the reference dynamics, with the decoder's inputs of both."""
    joint = flow(task, point["lr_Y"], point["lr_Z"], t, tolerance=1e-7)
    path = reference_run(task.P, task.query, task.M, point["lr_Y"], point["lr_Z"], t)
    return joint, theory.decoder_inputs(task.P, joint.params.Z, task.query), path


def some(module, seed, **kept):
    """Random settings; rates at most some hundred times apart, as the whole model's flow is explicit."""
    point = next(positions(Computed(module), np.random.default_rng(seed), 1, corners=0.3)) | kept
    return point | {"lr_Z": min(max(point["lr_Z"], point["lr_Y"] / 20), point["lr_Y"] * 5)}


@pytest.mark.parametrize("seed", range(4))
def test_snap(seed):
    point = some(snap, seed, K=2 + seed, common=1 + 7 * seed, shared=seed % 2, M=(20, 34, 300, 3000)[seed])
    d, t, facts = drawn(snap, point)
    K, M, lr_Y = point["K"], point["M"], point["lr_Y"]
    task = ss.base_task(K, point["common"], 10, "shared" if point["shared"] else "own", M, None)
    joint, f, path = both(task, point, t)
    z, own = joint.params.Z[:, 0], np.flatnonzero(task.distinct[0])
    np.testing.assert_allclose(d["top"], z[:, own[-1]], **CLOSE)
    np.testing.assert_allclose(d["common"], z[:, 0], **CLOSE)
    np.testing.assert_allclose(d["loss"], joint.loss, **CLOSE)
    length = np.linalg.norm(joint.speed[:, 0], axis=-1)
    np.testing.assert_allclose(d["speed"], length, rtol=0.02, atol=1e-4 * length.max())
    np.testing.assert_allclose(d["reference.top"], path.z[:, 0, own[-1]], **CLOSE)
    np.testing.assert_allclose(d["reference.common"], path.z[:, 0, 0], **CLOSE)
    moves = path.gamma[:, None] * [theory.logit_velocity(one, task.query, M)[0] for one in path.inputs]
    np.testing.assert_allclose(d["reference.speed"], point["lr_Z"] * np.linalg.norm(moves, axis=-1), rtol=2e-3)
    chances = []
    for one, now in zip(path.inputs, t, strict=True):  # what the decoder of Theorem 5 says of class 0
        clock = float(theory.h(now, K, M, lr_Y))
        chances.append(softmax(one[0] @ theory.decoder_weights(one, M, clock))[0])
    np.testing.assert_allclose(d["reference.loss"], -np.log(chances), rtol=1e-8, atol=1e-13)
    attention_now = f[:, 0] / f[:, 0].sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(d["attention"], attention_now[:, [0, *own]], rtol=1e-3)
    marks = [facts["times.scan"], facts["times.snap"]]
    np.testing.assert_allclose(marks, np.ravel(theory.transition_times(K, M, lr_Y)), rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_growth(seed):
    point = some(growth, seed, K=2 + seed)
    d, t, facts = drawn(growth, point)
    K, M, lr_Y, lr_Z, rho = (point[name] for name in ("K", "M", "lr_Y", "lr_Z", "rho"))
    task = single_common_task(K, rho, M)
    joint, f, path = both(task, point, t)
    own = np.flatnonzero(task.distinct[0])
    for name, inputs in (("attention", f), ("told.reference", path.inputs)):
        attention_now = inputs[:, 0] / inputs[:, 0].sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(d[name], attention_now[:, [0, *own]], rtol=1e-3)
    places = d["told.words"].astype(int)
    np.testing.assert_allclose(d["told.chances"], task.P[0, [0, *own]][places])
    np.testing.assert_array_equal(d["told.groups"], places > 0)
    chi = np.exp(2 * joint.params.Z[:, 0, own[-1]])
    np.testing.assert_allclose(d["growth"], chi, **CLOSE)
    np.testing.assert_allclose(d["common"], joint.params.Z[:, 0, 0], **CLOSE)
    scores = task.P[0] * np.exp(joint.params.Z[:, 0])
    ahead, first = (np.square(one[..., own[-1:]] / one[..., own[:-1]]) - 1 for one in (scores, task.P[0]))
    seen = np.isfinite(d["lead"]).all(axis=-1)
    assert (seen == (chi >= 1.001)).all()
    np.testing.assert_allclose(d["lead"][seen], (ahead / first / chi[:, None])[seen], rtol=2e-3)
    np.testing.assert_allclose(d["reference.growth"], np.exp(2 * path.z[:, 0, own[-1]]), **CLOSE)
    np.testing.assert_allclose(d["reference.common"], path.z[:, 0, 0], **CLOSE)
    start = theory.decoder_inputs(task.P, np.zeros((1, 1, task.C)), task.query)[0, 0, own[-1]]
    for name, size in (("lower", start**2), ("upper", 1.0)):
        np.testing.assert_allclose(d[f"reference.{name}"], np.exp(2 * size * path.B[:, 0]), **CLOSE)
    fall = reduced_run(t, K, M, lr_Y, lr_Z, 1 / (K * rho**2)).B  # integrated
    np.testing.assert_allclose(d["reference.closed_common"], -fall, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(d["reference.closed"], np.exp(2 * fall / K), rtol=1e-6)
    assert set(d["reference.one"]) == {1.0}
    marks = [facts["reference.scan"], facts["reference.snap"]]
    np.testing.assert_allclose(marks, np.ravel(theory.transition_times(K, M, lr_Y)), rtol=1e-12)


def test_the_words_of_attention_are_tokens_of_the_task():
    settings = attention.settings(128, 34, 7, [0.1] * 8 + [0.05, 0.15], 1.0, 1.0, 0)
    task, shown = task_of(settings), attention.task(settings)
    assert shown["mu"] == pytest.approx(task.P[0, task.distinct[0]] / task.P[0, task.distinct[0]].sum())
    assert (shown["rank"], shown["size"]) == ([*range(1, 11)], [2 * task.C])
    side, token = np.divmod(np.array(shown["places"], dtype=int), task.C)
    np.testing.assert_array_equal(side, attention.LENGTH * [0] + attention.LENGTH * [1])
    assert (task.P[side, token] > 0).all()
    np.testing.assert_allclose(shown["chances"], task.P[side, token])
    np.testing.assert_array_equal(shown["groups"], ~task.common[token])
    words = np.array(shown["words"], dtype=int)
    np.testing.assert_array_equal(words, np.where(task.common[token], token, 53 + token))
