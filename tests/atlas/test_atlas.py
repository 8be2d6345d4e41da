"""The chapter `atlas`: its optimisers are the library's, its links, refusals."""

import re

import numpy as np
import pytest

from hal.chapters import written
from hal.chapters.atlas import runs, theory
from hal.chapters.atlas.figures import clock
from hal.chapters.atlas.models.layers import Rates, layer, learn
from hal.chapters.scan_snap.figures import attention as scan_snap_attention
from hal.chapters.scb.figures import run as scb_run
from lib import optim
from lib.models import scb
from tests.packages import ROOT
from tests.prose import Prose
from tests.refusals import refused


@pytest.mark.parametrize(
    ("number", "rule"),
    [
        (0, optim.sgd(0.1)),
        (1, optim.chain(optim.scale_by_momentum(0.9), optim.scale(-0.01))),
        (2, optim.adam(0.1)),
        (3, optim.adam(0.1, 0.0, 0.0, 0.0)),
    ],
)
def test_updates_are_those_of_the_library(number, rule, rng):
    one = layer(Rates(number, 1.0, 1.0), 1.0, 5, 0.1, 0.1, 1.0)
    x = rng.standard_normal(5).tolist()
    held = scb.Params(np.zeros((1, 2, 2)), np.array(x)[None, None])
    state = rule.init(held)
    for _ in range(4):
        g = rng.standard_normal(5)
        g[0] = 0.0
        learn(one, [x], [g.tolist()])
        step, state = rule.update(scb.Params(np.zeros((1, 2, 2)), g[None, None]), state, held)
        held = optim.apply_updates(held, step)
    np.testing.assert_allclose(x, held.A[0, 0], rtol=1e-12)


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_every_chapter_leads_to_two_others_and_the_atlas_to_all(slug):
    own, *_ = re.findall(r"^\((chapter-[\w-]+)\)=", Prose(slug).text, flags=re.M)
    others = set(re.findall(r"<(chapter-[\w-]+)>", Prose(slug).text)) - {own}
    assert len(others) >= (len(written()) - 1 if slug == "atlas" else 2)


@pytest.mark.parametrize(
    ("module", "chapter"), [(scb_run, 1), (scan_snap_attention, 2), (clock, 7)], ids=["scb", "scan_snap", "atlas"]
)
def test_notation_says_how_long_the_context_may_be(module, chapter):
    text = (ROOT / "book" / "notation.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {chapter} \| \w+ \$T\$, to ([\d,]+) \|", text, flags=re.M)
    assert int(row.replace(",", "")) == module.SLIDERS["T"].ends[1]


test_bad_settings_are_refused = refused(
    [
        (lambda: runs.fan([0], "adam"), "optimiser: expected one of gradient descent, Adam, sign descent"),
        (lambda: runs.fan_of("places", [0]), "task: expected one of groups, walks, prompts, sentences, got 'places'"),
        (lambda: runs.fan_of("walks", [0], "Adam"), "optimiser: expected one of gradient descent, even steps"),
        (lambda: theory.half_clock(0.3, 0.0), "lr_A: expected a learning rate above 0, got 0.0"),
        (lambda: theory.hearing([1.0]), "gradient: expected outputs and tokens as the last two axes"),
        (lambda: theory.hearing(np.zeros((2, 2))), "gradient: expected numbers other than zero"),
    ]
)
