"""Stacks between the linear block and GPT-2: models that are known, gradients, refusals, a piece of the record."""

import json

import numpy as np
import pytest

from hal.chapters.linear_block import figures, runs
from hal.chapters.linear_block.records import ingredients as records
from hal.chapters.linear_block.runs import ingredients as added
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.sampling import generators

TASK = lb.power_task(d=2, M=4, sigma=0.3, norm=1.0)


def shaken(params, rng):
    return lb.StackParams(*(x + 0.3 * rng.standard_normal(x.shape) for x in params))


@pytest.mark.parametrize("attention", lb.ATTENTIONS)
def test_one_layer_without_mlp_is_the_small_block(rng, attention):
    stack, small = lb.Stack(TASK, mlp=False, attention=attention), lb.SmallBlock(TASK, attention, "none")
    params, batch = stack.init(2, generators([0, 1])), TASK.sample(5, generators([2, 3]))
    idle = np.zeros((2, 20, 3))
    weights = lb.Weights(*(getattr(params, name)[:, 0] for name in "KQPV"), idle, idle)
    np.testing.assert_allclose(stack.output(params, batch), small.output(weights, batch), rtol=1e-12)


def test_a_read_out_is_the_mlp_of_the_linear_block(rng):
    stack = lb.Stack(TASK, mlp=False, readout=True)
    params, batch = shaken(stack.init(2, generators([0, 1])), rng), TASK.sample(5, generators([2, 3]))
    first = np.zeros((2, 1, 3))
    first[..., -1] = 1.0
    weights = lb.Weights(*(getattr(params, name)[:, 0] for name in "KQPV"), params.read[:, None], first)
    np.testing.assert_allclose(stack.output(params, batch), lb.literal_output(weights, batch), rtol=1e-9)


@pytest.mark.parametrize("norm", lb.NORMS)
@pytest.mark.parametrize("mlp", [True, False])
def test_gradients_are_exact_and_runs_apart(rng, norm, mlp):
    problem = lb.Stack(TASK, mlp, "softmax", norm, layers=2, readout=True, hidden=3)
    params, batch = shaken(problem.init(2, generators([0, 1])), rng), TASK.sample(5, generators([2, 3]))
    loss, gradient = problem.loss_and_gradient(params, batch)
    np.testing.assert_allclose(loss, lb.squared_error(problem.output(params, batch), batch), rtol=1e-12)
    way = lb.StackParams(*(rng.standard_normal(x.shape) for x in params))
    ends = [
        problem.loss_and_gradient(lb.StackParams(*(x + s * w for x, w in zip(params, way, strict=True))), batch)[0]
        for s in (1e-6, -1e-6)
    ]
    slope = sum((g * w).reshape(2, -1).sum(axis=1) for g, w in zip(gradient, way, strict=True))
    np.testing.assert_allclose((ends[0] - ends[1]) / 2e-6, slope, rtol=1e-4)
    alone = problem.loss_and_gradient(lb.StackParams(*(x[1:] for x in params)), lb.Prompts(*(x[1:] for x in batch)))
    for one, both in zip(alone[1], gradient, strict=True):
        np.testing.assert_allclose(one[0], both[1], atol=1e-12)


def test_where_layer_norm_stands(rng):
    outputs = {}
    batch = TASK.sample(1, generators([2]))
    for norm in lb.NORMS:
        problem = lb.Stack(TASK, norm=norm, readout=True)
        params = problem.init(1, generators([0]))
        far = lb.Prompts(10 * batch.X, 10 * batch.y, 10 * batch.x, batch.target)
        outputs[norm] = (problem.output(params, batch).item(), problem.output(params, far).item())
    assert len({one for one, _ in outputs.values()}) == 4
    assert abs(outputs["none"][1]) > 10 * abs(outputs["none"][0])
    assert max(abs(outputs[norm][1]) for norm in ("end", "both")) < 5  # what is normed is no larger than its scale


def test_a_read_out_that_is_not_trained_stays():
    problem = lb.Stack(TASK)
    params = problem.init(2, generators([0, 1]))
    np.testing.assert_array_equal(params.read, [[0, 0, 1], [0, 0, 1]])
    assert not problem.loss_and_gradient(params, problem.sample(3, generators([2, 3])))[1].read.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"attention": "hard"}, "attention: expected one of linear, softmax, got 'hard'"),
        ({"norm": True}, "norm: expected one of none, inside, end, both, got True"),
        ({"layers": 0}, "layers: expected a whole number >= 1, got 0"),
        ({"hidden": 0}, "hidden: expected a whole number >= 1, got 0"),
        ({"scale": 0.0}, "scale: expected a finite number above 0, got 0.0"),
    ],
)
def test_bad_settings_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        lb.Stack(TASK, **arguments)


def test_a_piece_of_the_record_is_remade():
    found = added.ingredient_errors("a read-out", False, [0, 1])
    np.testing.assert_allclose(found, runs.recorded_ingredients()["a read-out", False][:2], rtol=0.02)
    with pytest.raises(InputError, match=r"added: expected one of the linear block, a read-out, .*, got 'salt'"):
        added.ingredient_errors("salt", True, [0])
    assert added.ingredient_errors("all of them", True, [0], stop=2).shape == (1,)


def test_the_record_goes_on_where_it_was(tmp_path, monkeypatch):
    seen, path = [], tmp_path / "ingredients.json"

    def quick(added, mlp, seeds):
        seen.append((added, mlp))
        if len(seen) == 3:
            raise KeyboardInterrupt
        return np.full(len(seeds), 1.0 + mlp)

    monkeypatch.setattr(added, "ingredient_errors", quick)
    with pytest.raises(KeyboardInterrupt):
        records.record(path)
    with pytest.raises(InputError, match=r"path: expected a whole record \(`.*` goes on with it\)"):
        runs.recorded_ingredients(path)
    assert records.record(path) == "16 settings"
    assert seen[2] == seen[3]
    assert len(seen) == 17
    assert runs.recorded_ingredients(path)["all of them", True].tolist() == [2.0] * 10
    assert "provenance" in json.loads(path.read_text())


def test_the_figure_shows_every_run():
    (ax,) = figures.ingredients().axes
    drawn = sorted(x for line in ax.lines[:-2] for x in line.get_xdata())
    assert drawn == sorted(np.concatenate(list(runs.recorded_ingredients().values())).tolist())
    assert [text.get_text() for text in ax.get_yticklabels()] == list(added.INGREDIENTS)
