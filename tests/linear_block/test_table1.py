"""Table 1 at its own scale: interrupted runs equal whole ones, its Adam is the library's, refusals, the page."""

import json

import numpy as np
import pytest
import torch

from hal.chapters.linear_block import figures, table1
from hal.chapters.linear_block.runs import table1 as scale
from lib import optim
from lib.errors import InputError
from lib.models import linear_block as lb

TINY = scale.Settings(layers=2, heads=2, width=8, d=2, M=4, steps=12, batch=8, lr=0.01, tests=20, every=4, seeds=2)
COMMAND = [f"--{name}={value}" for name, value in TINY._asdict().items()]


def trained(path, mlp=True, settings=TINY, **more):
    return scale.train_model(settings, 3.0, mlp, "cpu", path, **more)


@pytest.mark.parametrize("mlp", [True, False])
def test_an_interrupted_run_ends_at_the_same_numbers(tmp_path, mlp):
    whole = trained(tmp_path / "whole.pt", mlp)
    assert whole["steps"] == [0, 4, 8, 12]
    trained(tmp_path / "half.pt", mlp, stop=6)  # steps 5 and 6 are lost, and done again
    assert trained(tmp_path / "half.pt", mlp) == whole
    assert trained(tmp_path / "half.pt", mlp) == whole  # nothing is left to do
    known, found = (torch.load(tmp_path / name, weights_only=True)["params"] for name in ("whole.pt", "half.pt"))
    assert all(torch.equal(one, two) for one, two in zip(known, found, strict=True))


def test_runs_are_apart(tmp_path):
    both, alone = trained(tmp_path / "a.pt"), trained(tmp_path / "b.pt", settings=TINY._replace(seeds=1))
    np.testing.assert_allclose(both["error"][0], alone["error"][0], rtol=1e-5)
    assert both["error"][1] != both["error"][0]


@pytest.mark.parametrize("fused", [False, True])  # as on a GPU
def test_its_adam_is_the_library_s(rng, fused):
    model = lb.GptBlocks(lb.power_task(d=2, M=4), width=8, heads=2, double=True)
    params = model.init(1, [rng])
    leaves, mine = [torch.from_numpy(x.copy()).requires_grad_() for x in params], optim.adam(0.01)
    adam, state = torch.optim.Adam(leaves, lr=0.01, fused=fused), mine.init(params)
    for _ in range(5):
        slopes = lb.GptParams(*(rng.standard_normal(x.shape) for x in params))
        for leaf, slope in zip(leaves, slopes, strict=True):
            leaf.grad = torch.from_numpy(slope)
        adam.step()
        updates, state = mine.update(slopes, state, params)
        params = optim.apply_updates(params, updates)
    for leaf, own in zip(leaves, params, strict=True):
        np.testing.assert_allclose(leaf.detach(), own, rtol=1e-6, atol=1e-9)


def test_prompts_have_the_law_of_the_task():
    tokens, targets = scale._prompts(TINY, 3.0, 20_000, [torch.Generator().manual_seed(1)], "cpu")
    assert tokens.shape == (1, 20_000, 5, 3)
    assert not tokens[0, :, -1, -1].any()
    x, y = tokens[0, :, 0, :2], tokens[0, :, 0, 2]
    np.testing.assert_allclose((x * y[:, None]).mean(dim=0), [3, 3], atol=0.15)
    assert float(targets.var()) == pytest.approx(2 * (1 + 9), rel=0.05)
    task = torch.linalg.solve(tokens[0, :, :2, :2].double(), tokens[0, :, :2, 2:].double())[..., 0]
    guess = (tokens[0, :, -1, :2] * task).sum(dim=-1)  # no noise: two examples tell the task
    assert float((guess - targets[0]).abs().median()) < 1e-4


def test_the_command_records_and_goes_on(tmp_path, capsys):
    where = ["--device=cpu", f"--record={tmp_path / 'table1.json'}", f"--checkpoints={tmp_path / 'points'}"]
    try:
        assert table1.main([*where, *COMMAND]).endswith("table1.json: 4 settings")
        assert table1.main([*where, *COMMAND]).endswith("table1.json: 4 settings")
        with pytest.raises(InputError, match=r"checkpoint: expected one with \{'lr': 0.5\} \(or another folder\), got"):
            table1.main([*where, *COMMAND, "--lr=0.5"])
    finally:
        torch.use_deterministic_algorithms(False)
    found = json.loads((tmp_path / "table1.json").read_text())
    assert [(row["setting"]["mean"], row["setting"]["mlp"]) for row in found["runs"]] == list(scale.MODELS)
    assert found["provenance"]["command"] == scale.COMMAND
    with pytest.raises(InputError, match="path: expected runs of Settings"):
        scale.recorded_table1(tmp_path / "table1.json")


def test_the_page_shows_a_record_and_says_when_there_is_none(tmp_path):
    path = tmp_path / "table1.json"
    assert figures.table_1(path).rows[1] == ["ours, six layers", *["not run"] * 4]
    rows = [
        {"setting": {**scale.Settings()._asdict(), "mean": mean, "mlp": mlp}, "error": [[9.0, 0.5 + mean]]}
        for mean, mlp in scale.MODELS
    ]
    path.write_text(json.dumps({"runs": rows[:3]}))
    assert scale.recorded_table1(path) is None
    path.write_text(json.dumps({"runs": rows}))
    assert figures.table_1(path).rows[1][1:] == ["0.500", "0.500", "10.500", "10.500"]
    assert figures.table_1(path).rows[0][1:] == ["0.003", "0.024", "0.013", "8.871"]


def test_refusals(tmp_path, monkeypatch):
    path = tmp_path / "a.pt"
    for changed, message in (
        ({"every": 5}, "every: expected a divisor of steps = 12, got 5"),
        ({"lr": 0.0}, "lr: expected a finite number above 0, got 0.0"),
        ({"batch": 0}, "batch: expected a whole number >= 1, got 0"),
        ({"heads": 3}, "width: expected a multiple of heads = 3, got 8"),
    ):
        with pytest.raises(InputError, match=message):
            trained(path, settings=TINY._replace(**changed))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="device: expected cpu, as torch finds no cuda here"):
        scale.train_model(TINY, 0.0, True, "cuda", path)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    for device, message in (
        ("cuda:2", "device: expected cuda:0 to cuda:1, got cuda:2"),
        ("gpu", "device: expected cpu, cuda, or a GPU by its index as in cuda:1, got 'gpu'"),
        ("cuda:x", "device: expected cpu, cuda, or a GPU by its index as in cuda:1, got 'cuda:x'"),
    ):
        with pytest.raises(InputError, match=message):
            scale.train_model(TINY, 0.0, True, device, path)
    path.write_text("no checkpoint")
    with pytest.raises(InputError, match="checkpoint: expected a checkpoint of this command, got"):
        trained(path)


def test_memory_that_runs_out_is_said(tmp_path, monkeypatch):
    def full(*args):
        raise torch.OutOfMemoryError("tried to allocate 80 GiB")

    monkeypatch.setattr(scale, "_prompts", full)
    with pytest.raises(
        InputError, match="batch: expected a step that fits the memory of cpu, got batch = 8, seeds = 2"
    ):
        trained(tmp_path / "a.pt")


def test_a_truncated_checkpoint_costs_one_measurement(tmp_path):
    whole, path = trained(tmp_path / "whole.pt"), tmp_path / "cut.pt"
    trained(path, stop=8)
    path.write_bytes(path.read_bytes()[:1000])
    before = tmp_path / "cut.pt.before"
    assert torch.load(before, weights_only=True)["steps"] == [0, 4]
    with pytest.warns(UserWarning, match=r"got .*cut\.pt: .*; going on from .*cut\.pt\.before"):
        assert trained(path) == whole
    path.write_bytes(b"")
    before.write_bytes(b"")
    with pytest.raises(InputError, match=r"checkpoint: expected a checkpoint of this command, got .*cut.pt"):
        trained(path)
