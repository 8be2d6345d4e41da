"""The tasks of the atlas: each takes the path of its chapter's textbook, or of the library's fast model."""

import numpy as np
import pytest

from hal.chapters.atlas.models import groups, places, prompts, sentences, textbook_six, walks
from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.runs.tasks import TASKS as MEASURED
from hal.chapters.linear_block.models import drawn as chapter_6
from hal.chapters.random_walk.models import full as chapter_5
from hal.chapters.random_walk.models.full import Settings as Walking
from hal.chapters.scan_snap.figures.attention import common_mass
from lib.models import random_walk as rw
from lib.models.group_sparse import textbook as chapter_4
from lib.models.linear_block.fast import EffectiveParams
from lib.models.scan_snap import Params as Decoding
from lib.models.scan_snap import textbook as chapter_2
from lib.models.scb import textbook as chapter_1
from lib.portable import finish

PLAIN, STEPS, SEED = Rates(0, 1.0, 1.0), 4, 5


def on_the_parent(book):
    """Attention on the parent as the library's fast model of chapter 5 has it, mean over the walks."""
    fast = rw.MinimalTransformer(K=6, N=walks.LENGTH, M=walks.LENGTH)
    params = fast.init(1)._replace(**{name: np.array(getattr(book, name))[None] for name in ("V", "u", "g")})
    drawn = rw.Walks(np.array(book.walks)[None], np.full((1, walks.WALKS), 1 / walks.WALKS))
    return fast.attention(params, drawn)[0, :, -2].mean()


#: Of each task: its module and run, the textbook of its chapter and its settings, parameters, attention there.
PATHS = {
    "places": (places, places.begin(16, 3, 8, PLAIN, SEED), chapter_1,
               chapter_1.Settings(T=16, mu=[1 / 3] * 3, batch=8, stage1=STEPS), "VA",
               lambda book: chapter_1.signal_A(book.A, book.task)),
    "sentences": (sentences, sentences.begin(PLAIN, SEED), chapter_2, chapter_2.Settings(optimiser=0, steps=STEPS),
                  "YZ", lambda book: 1 - common_mass(book)),
    "groups": (groups, groups.begin(PLAIN, groups.draw(SEED)), chapter_4,
               chapter_4.Settings(6, 4, groups.EXAMPLES, 0.05, STEPS), "vW",
               lambda book: chapter_4.measure(book)["attention"][0]),
    "walks": (walks, walks.begin(PLAIN, walks.draw(SEED)), chapter_5,
              Walking(6, walks.LENGTH, 0.5, walks.LENGTH, walks.WALKS, 0.05, 50), "Vug", on_the_parent),
}  # fmt: skip


@pytest.mark.parametrize("name", PATHS)
def test_a_task_takes_the_path_of_its_chapter(name):
    task, run, textbook, settings, parameters, seen = PATHS[name]
    book = textbook.start(settings, SEED)
    for _ in range(STEPS):
        task.advance(run)
        textbook.step(book)
    for one in parameters:
        np.testing.assert_allclose(getattr(run.model, one), getattr(book, one), rtol=1e-11, atol=1e-14)
    task.advance(run)
    assert run.now.seen == pytest.approx(seen(book))


def weights_of(run):
    """The parameters of a run of Sentences or of Prompts as the library's fast model has them."""
    if isinstance(run, sentences.Sentences):
        model, task = run.model, run.model.task
        return Decoding(np.reshape(model.Y, (1, task.C, model.columns)), np.reshape(model.Z, (1, -1, task.C)))
    theta, d = np.array(run.model.theta[0]), prompts.D
    Q = theta[3 * d + 1 :].reshape(1, d, d)
    return EffectiveParams(theta[None, :d], theta[None, d : 2 * d], theta[2 * d : 2 * d + 1], Q,
                           theta[None, 2 * d + 1 : 3 * d + 1])  # fmt: skip


def test_prompts_move_down_the_gradient_of_chapter_6():
    run, book = (prompts.begin(PLAIN, SEED) for _ in range(2))
    (slope,) = chapter_6.gradient(book.model)
    prompts.advance(run)
    rates = np.repeat([0.004, 0.02], [2 * prompts.D + 1, prompts.D + prompts.D**2])
    np.testing.assert_allclose(np.subtract(book.model.theta[0], run.model.theta[0]), rates * slope, atol=1e-17)


@pytest.mark.parametrize("task", [sentences, prompts], ids=["sentences", "prompts"])
def test_clock_in_the_page_is_that_which_the_claims_measure(task):
    """Both are written for themselves; so the claims' spreads and levels are those of the figure of tasks."""
    run, known = task.begin(PLAIN, SEED), MEASURED[task.__name__.rpartition(".")[2]]([0], np.ones(1)).record
    told = 0.0
    for _ in range(12):
        params = weights_of(run)
        told += float(known["out"](params)[0] * known["asked"](params)[0])
        seen = known["seen"](params)[0]
        task.advance(run)
        assert (run.now.clock, run.now.seen) == pytest.approx((told, seen), rel=1e-9)
    assert told > 0.01


def test_a_run_ends_where_it_has_nothing_more_to_say():
    found = finish(textbook_six, textbook_six.Settings(watch=1, optimiser=2, length=0.03), 0)
    assert np.isnan(found["half_step"]).all()
    assert found["span1_groups"][1] == 1.3 * max(found[f"at1_groups{i}"][-1] for i in (1, 2))
