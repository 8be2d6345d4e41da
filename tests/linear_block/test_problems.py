"""Every problem of the chapter: exact gradients, runs apart, what may not move stays; settings that are refused."""

import numpy as np
import pytest

from hal.chapters.atlas.models.effective_block import EffectiveBlock
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.models.gpt import GptBlocks
from hal.chapters.linear_block.models.one_step import OneStep, random_task
from hal.chapters.linear_block.models.stacks import NORMS, Stack
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.sampling import generators

TASK = random_task(np.random.default_rng(0), d=2, M=4)
GPT = {"width": 8, "layers": 2, "heads": 2, "double": True}
STACK = {"attention": "softmax", "layers": 2, "readout": True, "hidden": 3}


def idle(norm, mlp):
    """Fields of a stack that nothing moves."""
    inside, end = norm in ("inside", "both"), norm in ("end", "both")
    lives = {"W1": mlp, "W2": mlp, "norm1": inside, "norm2": inside and mlp, "norm": end}
    return " ".join(field for field, here in lives.items() if not here)


# a problem, and the fields of its parameters that nothing moves
PROBLEMS = {
    "block": (lb.LinearBlock(TASK, scale=0.5), ""),
    "attention": (lb.LinearBlock(TASK, mlp=False, scale=0.5), "W1 W2"),
    "effective block": (EffectiveBlock(TASK, start=0.5), ""),
    "step": (OneStep(TASK), ""),
    "block, all prompts": (runs.PopulationBlock(TASK), ""),
    "attention, all prompts": (runs.PopulationBlock(TASK, mlp=False), "W1 W2"),
    "step, all prompts": (runs.PopulationStep(TASK), ""),
    **{
        f"stack, LayerNorm {norm}, MLPs {mlp}": (Stack(TASK, mlp, norm=norm, **STACK), idle(norm, mlp))
        for norm in NORMS
        for mlp in (True, False)
    },
    "stack, no read-out": (Stack(TASK, norm="both", hidden=3), "read"),
    "GPT-style": (GptBlocks(TASK, **GPT), ""),
    "GPT-style without MLPs": (GptBlocks(TASK, mlp=False, **GPT), "norm2 up up_bias down down_bias"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_gradients_are_exact_and_runs_apart(name, rng):
    problem, held = PROBLEMS[name][0], PROBLEMS[name][1].split()
    start, batch = problem.init(2, generators([3, 4], 2)), problem.sample(5, generators([1, 2]))
    free = [field for field in start._fields if field not in held]
    shaken = {field: getattr(start, field) + 0.3 * rng.standard_normal(getattr(start, field).shape) for field in free}
    params = start._replace(**shaken)  # of ordinary size, so that every part matters
    loss, gradient = problem.loss_and_gradient(params, batch)
    if hasattr(problem, "output"):
        np.testing.assert_allclose(loss, lb.squared_error(problem.output(params, batch), batch), rtol=1e-12)
    assert [field for field in params._fields if not getattr(gradient, field).any()] == held
    for field in free:
        x = getattr(params, field)
        way = rng.standard_normal(x.shape)
        ends = [problem.loss_and_gradient(params._replace(**{field: x + s * way}), batch)[0] for s in (1e-6, -1e-6)]
        slope = (getattr(gradient, field) * way).reshape(2, -1).sum(axis=1)
        np.testing.assert_allclose((ends[0] - ends[1]) / 2e-6, slope, atol=1e-6 * (1 + np.abs(slope).max()))
    second = type(batch)(*(x[1:] for x in batch)) if len(batch) else batch
    alone = problem.loss_and_gradient(type(params)(*(x[1:] for x in params)), second)
    assert alone[0][0] == pytest.approx(loss[1], rel=1e-12)
    for one, both in zip(alone[1], gradient, strict=True):
        np.testing.assert_allclose(one[0], both[1], atol=1e-10)


@pytest.mark.parametrize(
    ("problem", "arguments", "message"),
    [
        (lb.LinearBlock, {"start": "zero"}, "start: expected one of generic, near identity, got 'zero'"),
        (lb.LinearBlock, {"scale": 0}, "scale: expected a finite number above 0, got 0"),
        (EffectiveBlock, {"start": -1}, "start: expected a finite number of at least 0, got -1"),
        (Stack, {"attention": "cosine"}, "attention: expected one of linear, softmax, got 'cosine'"),
        (Stack, {"norm": True}, "norm: expected one of none, inside, end, both, got True"),
        (Stack, {"layers": 0}, "layers: expected a whole number >= 1, got 0"),
        (GptBlocks, {"width": 9, "heads": 2}, "width: expected a multiple of heads = 2, got 9"),
        (GptBlocks, {"layers": 0}, "layers: expected a whole number >= 1, got 0"),
        (GptBlocks, {"heads": 0}, "heads: expected a whole number >= 1, got 0"),
        (GptBlocks, {"device": "tpu"}, "device: expected cpu, cuda, or a GPU by its index as in cuda:1, got 'tpu'"),
    ],
)
def test_bad_settings_are_refused(problem, arguments, message):
    with pytest.raises(InputError, match=message):
        problem(TASK, **arguments)


def test_an_absent_device_is_refused(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="device: expected cpu, as torch finds no cuda here, got cuda"):
        GptBlocks(TASK, device="cuda")
