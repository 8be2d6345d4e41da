"""The GPT-style model: torch's own layers, exact gradients, runs apart, masks, refusals, and a piece of the record."""

import json

import numpy as np
import pytest

from hal.chapters.linear_block.records import gpt as records
from hal.chapters.linear_block.runs import gpt
from lib import optim
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.train import train

TASK = lb.power_task(d=2, M=4, sigma=0.3, norm=1.0)


def model(**more):
    return lb.GptBlocks(TASK, **{"width": 8, "layers": 2, "heads": 2, "double": True, **more})


def shaken(params, rng):
    """Parameters of ordinary size, so that every part matters."""
    return lb.GptParams(*(x + 0.3 * rng.standard_normal(x.shape) for x in params))


@pytest.mark.parametrize("mlp", [True, False])
def test_gradients_are_exact_and_runs_apart(rng, mlp):
    problem, batch = model(mlp=mlp), TASK.sample(5, generators([1, 2]))
    params = shaken(problem.init(2, generators([3, 4], 2)), rng)
    loss, gradient = problem.loss_and_gradient(params, batch)
    np.testing.assert_allclose(loss, lb.squared_error(problem.output(params, batch), batch), rtol=1e-12)
    way = lb.GptParams(*(rng.standard_normal(x.shape) for x in params))
    ends = [
        problem.loss_and_gradient(lb.GptParams(*(x + s * w for x, w in zip(params, way, strict=True))), batch)[0]
        for s in (1e-5, -1e-5)
    ]
    slope = sum((g * w).reshape(2, -1).sum(axis=1) for g, w in zip(gradient, way, strict=True))
    np.testing.assert_allclose((ends[0] - ends[1]) / 2e-5, slope, rtol=1e-5)
    alone = problem.loss_and_gradient(lb.GptParams(*(x[1:] for x in params)), lb.Prompts(*(x[1:] for x in batch)))
    assert alone[0][0] == pytest.approx(loss[1], rel=1e-12)
    for one, both in zip(alone[1], gradient, strict=True):
        np.testing.assert_allclose(one[0], both[1], atol=1e-10)


def test_it_is_torch_s_own_encoder(rng):
    import torch

    problem, batch = model(), TASK.sample(3, generators([1]))
    params = shaken(problem.init(1, generators([3], 2)), rng)
    p = lb.GptParams(*(torch.tensor(x[0]) for x in params))
    tokens = np.concatenate([batch.X[0], batch.y[0][..., None]], axis=-1)
    query = np.concatenate([batch.x[0], np.zeros((3, 1))], axis=-1)[:, None]
    h = torch.from_numpy(np.concatenate([tokens, query], axis=1)) @ p.read_in + p.position
    for i in range(2):
        layer = torch.nn.TransformerEncoderLayer(
            8, 2, 32, 0.0, lambda x: torch.nn.functional.gelu(x, approximate="tanh"), batch_first=True, norm_first=True
        ).double()
        layer.eval()
        with torch.no_grad():
            layer.self_attn.in_proj_weight.copy_(p.qkv[i].T)
            layer.self_attn.in_proj_bias.copy_(p.qkv_bias[i])
            layer.self_attn.out_proj.weight.copy_(p.out[i].T)
            layer.self_attn.out_proj.bias.copy_(p.out_bias[i])
            layer.linear1.weight.copy_(p.up[i].T)
            layer.linear1.bias.copy_(p.up_bias[i])
            layer.linear2.weight.copy_(p.down[i].T)
            layer.linear2.bias.copy_(p.down_bias[i])
            for own, mine in ((layer.norm1, p.norm1[i]), (layer.norm2, p.norm2[i])):
                own.weight.copy_(mine[0])
                own.bias.copy_(mine[1])
            h = layer(h, src_mask=torch.nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64))
    last = torch.nn.functional.layer_norm(h[:, -1], (8,), p.norm[0], p.norm[1])
    known = (last @ p.read_out + p.bias).numpy()
    np.testing.assert_allclose(problem.output(params, batch)[0], known, rtol=1e-9)


def test_single_precision_follows_double(rng):
    batch = TASK.sample(5, generators([1]))
    params = shaken(model().init(1, generators([3], 2)), rng)
    known = model().output(params, batch)
    np.testing.assert_allclose(model(double=False).output(params, batch), known, rtol=1e-4, atol=1e-4)


def test_an_interrupted_run_goes_on_to_the_same_numbers():
    problem, steps = model(layers=1, double=False), 6
    optimiser = optim.adam(0.01)

    def start():
        return problem.init(2, generators([0, 1], 2))

    whole = train(problem, start(), optimiser, steps, 4, generators([0, 1]))
    rngs = generators([0, 1])
    half = train(problem, start(), optimiser, 3, 4, rngs)
    rest = train(problem, half.params, optimiser, 3, 4, rngs, state=half.state, first_step=3)
    for one, two in zip(whole.params, rest.params, strict=True):
        np.testing.assert_array_equal(one, two)


def test_starts_shrink_with_the_residual_branches():
    with_mlp, without = (lb.GptBlocks(TASK, mlp, width=64, layers=4).init(1, generators([0])) for mlp in (True, False))
    assert without.up.size == 0
    assert with_mlp.out.std() == pytest.approx(0.02 / np.sqrt(8), rel=0.05)
    assert without.out.std() == pytest.approx(0.02 / np.sqrt(4), rel=0.05)
    assert with_mlp.qkv.std() == pytest.approx(0.02, rel=0.05)


def test_the_beginning_of_the_record_is_remade():
    for mean, mlp in ((10.0, True), (10.0, False)):
        known = gpt.recorded_errors(mean, mlp)[:2, :2]
        found = gpt.gpt_errors(mean, mlp, [0, 1], stop=500)["error"]
        np.testing.assert_allclose(found[:, 0], known[:, 0], rtol=1e-4)
        np.testing.assert_allclose(found[:, 1], known[:, 1], rtol=0.2)  # single precision, amplified by training


def test_a_record_goes_on_where_it_was(tmp_path, monkeypatch):
    seen, path = [], tmp_path / "gpt.json"

    def quick(mean, mlp, seeds):
        seen.append((mean, mlp, seeds[0]))
        if len(seen) == 3:
            raise KeyboardInterrupt
        return {"steps": np.array([0, 1]), "error": np.full((5, 2), mean + mlp + seeds[0])}

    monkeypatch.setattr(gpt, "gpt_errors", quick)
    with pytest.raises(KeyboardInterrupt):
        records.record(path)
    with pytest.raises(InputError, match=r"path: expected a whole record \(`.*` goes on with it\)"):
        gpt.recorded_errors(0.0, True, path=path)
    assert records.record(path) == "6 settings"
    assert seen[2:] == [(0.0, True, 0), (0.0, True, 0), (0.0, False, 0), (10.0, True, 5), (10.0, False, 5)]
    assert gpt.recorded_errors(0.0, True, path=path)[0, 1] == 1.0
    assert gpt.recorded_errors(10.0, False, 1, path)[0, 1] == 15.0
    assert "provenance" in json.loads(path.read_text())
    with pytest.raises(InputError, match="the recorded GPT-style runs"):
        gpt.recorded_errors(0.0, True, path=tmp_path / "none.json")
    with pytest.raises(InputError, match=r"mean, block: expected one of .*, got \(0\.0, 1\)"):
        gpt.recorded_errors(0.0, True, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 9}, "width: expected a multiple of heads = 2, got 9"),
        ({"layers": 0}, "layers: expected a whole number >= 1, got 0"),
        ({"heads": 0}, "heads: expected a whole number >= 1, got 0"),
        ({"device": "tpu"}, "device: expected cpu or cuda, got 'tpu'"),
    ],
)
def test_bad_sizes_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        model(**arguments)


def test_an_absent_device_is_refused(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="device: expected cpu, as torch finds no cuda here, got cuda"):
        model(device="cuda")
