"""Table 1 at its own scale: interrupted runs equal whole ones, its Adam is the library's, refusals, records."""

import json

import numpy as np
import pytest
import torch

from hal.chapters.linear_block import table1
from hal.chapters.linear_block.runs import table1 as scale
from hal.chapters.linear_block.runs import trainer
from lib.errors import InputError

TINY = scale.Settings(layers=2, heads=2, width=8, d=2, M=4, steps=12, batch=8, lr=0.01, tests=20, every=4, seeds=2)
COMMAND = [f"--{name}={value}" for name, value in TINY._asdict().items()]


def trained(folder, mlp=True, settings=TINY, **more):
    """Measurements of one model, without the time that they took."""
    found = scale.train_models(settings, "cpu", folder, models=[(3.0, mlp)], **more)[3.0, mlp]
    return {name: found[name] for name in ("steps", "error")}


def checkpoint(folder, mlp=True):
    return folder / f"mean3-{'mlp' if mlp else 'plain'}.pt"


@pytest.mark.parametrize("mlp", [True, False])
def test_an_interrupted_run_ends_at_the_same_numbers(tmp_path, mlp):
    whole = trained(tmp_path / "whole", mlp)
    assert whole["steps"] == [0, 4, 8, 12]
    trained(tmp_path / "half", mlp, stop=6)  # steps 5 and 6 are lost, and done again
    assert trained(tmp_path / "half", mlp) == whole
    assert trained(tmp_path / "half", mlp) == whole  # nothing is left to do
    known, found = (
        torch.load(checkpoint(tmp_path / name, mlp), weights_only=True)["params"] for name in ("whole", "half")
    )
    assert all(torch.equal(one, two) for one, two in zip(known, found, strict=True))


def test_models_side_by_side_end_where_each_would_alone(tmp_path):
    models = [(0.0, True), (3.0, False)]
    both = scale.train_models(TINY, "cpu", tmp_path / "both", models=models)
    assert {name: both[3.0, False][name] for name in ("steps", "error")} == trained(tmp_path / "alone", mlp=False)
    scale.train_models(TINY, "cpu", tmp_path / "apart", models=models[:1], stop=8)  # one is ahead, and waits
    apart = scale.train_models(TINY, "cpu", tmp_path / "apart", models=models)
    assert [one["error"] for one in apart.values()] == [one["error"] for one in both.values()]


def test_prompts_have_the_law_of_the_task():
    tokens, targets = trainer.prompts(TINY, 3.0, 20_000, [torch.Generator().manual_seed(1)], "cpu")
    assert tokens.shape == (1, 20_000, 5, 3)
    assert not tokens[0, :, -1, -1].any()
    x, y = tokens[0, :, 0, :2], tokens[0, :, 0, 2]
    np.testing.assert_allclose((x * y[:, None]).mean(dim=0), [3, 3], atol=0.15)
    assert float(targets.var()) == pytest.approx(2 * (1 + 9), rel=0.05)
    task = torch.linalg.solve(tokens[0, :, :2, :2].double(), tokens[0, :, :2, 2:].double())[..., 0]
    guess = (tokens[0, :, -1, :2] * task).sum(dim=-1)  # no noise: two examples tell the task
    assert float((guess - targets[0]).abs().median()) < 1e-4


def test_the_command_records_and_goes_on(tmp_path):
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
    given = found["provenance"]["command"].split()
    assert " ".join(given[:3]) == scale.COMMAND
    assert set(given[3:]) == {one for one in COMMAND if not one.startswith(("--products", "--compiled"))}  # as they are
    with pytest.raises(InputError, match="path: expected runs of Settings"):
        scale.recorded_table1(tmp_path / "table1.json")


def test_a_record_is_read_where_it_is_whole_and_its_longest_runs_are_taken(tmp_path):
    path = tmp_path / "table1.json"
    rows = [
        {"setting": {**scale.Settings()._asdict(), "mean": mean, "mlp": mlp}, "error": [[9.0, 0.5 + mean]]}
        for mean, mlp in scale.MODELS
    ]
    shorter = [{**row, "setting": {**row["setting"], "steps": 4, "products": "tf32"}} for row in rows]
    for held, steps in ((rows[:3], None), (rows, 500_000), ([*rows, *shorter], 500_000)):
        path.write_text(json.dumps({"runs": held}))
        found = scale.recorded_table1(path)
        assert (found and found[0]) == steps


def test_refusals(tmp_path):
    for changed, message in (
        ({"every": 5}, "every: expected a divisor of steps = 12, got 5"),
        ({"lr": 0.0}, "lr: expected a finite number above 0, got 0.0"),
        ({"products": "half"}, "products: expected one of .*, got 'half'"),
        ({"products": "tf32"}, "products: expected single, where the device is cpu, got 'tf32'"),
        ({"compiled": -1}, "compiled: expected a whole number >= 0, got -1"),
    ):
        with pytest.raises(InputError, match=message):
            trained(tmp_path, settings=TINY._replace(**changed))
    checkpoint(tmp_path).write_text("no checkpoint")
    with pytest.raises(InputError, match="checkpoint: expected a checkpoint of this command, got"):
        trained(tmp_path)
