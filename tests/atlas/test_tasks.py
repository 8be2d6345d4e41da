"""The six tasks of the atlas: each takes the path of its chapter's textbook, or of the library's fast model."""

import numpy as np
import pytest

from hal.chapters.atlas.models import groups, neighbours, places, prompts, sentences, tasks, textbook_six, walks
from hal.chapters.atlas.models.layers import Rates
from hal.chapters.atlas.runs.tasks import TASKS as MEASURED
from hal.chapters.linear_block.models import drawn as chapter_6
from hal.chapters.random_walk.models import full as chapter_5
from hal.chapters.random_walk.models.full import Settings as Walking
from hal.chapters.scan_snap.figures.attention import common_mass
from lib.models import linear_block as lb
from lib.models import random_walk as rw
from lib.models.group_sparse import textbook as chapter_4
from lib.models.linear_block.fast import EffectiveParams, block_loss_and_gradient
from lib.models.one_nn.fast import Pair, Rows, pair_loss_and_gradient
from lib.models.scan_snap import Params as Decoding
from lib.models.scan_snap import textbook as chapter_2
from lib.models.scb import textbook as chapter_1
from lib.portable import finish

PLAIN, STEPS, SEED = Rates(0, 1.0, 1.0), 4, 5


def trained(textbook, settings):
    state = textbook.start(settings, SEED)
    for _ in range(STEPS):
        textbook.step(state)
    return state


def moved(task, run):
    for _ in range(STEPS):
        task.advance(run)
    return run


def weights_of(run):
    """The parameters of a run of Sentences or of Prompts as the library's fast model has them."""
    if isinstance(run, sentences.Sentences):
        model, task = run.model, run.model.task
        return Decoding(np.reshape(model.Y, (1, task.C, model.columns)), np.reshape(model.Z, (1, -1, task.C)))
    theta, d = np.array(run.model.theta[0]), prompts.D
    Q = theta[3 * d + 1 :].reshape(1, d, d)
    return EffectiveParams(theta[None, :d], theta[None, d : 2 * d], theta[2 * d : 2 * d + 1], Q,
                           theta[None, 2 * d + 1 : 3 * d + 1])  # fmt: skip


def test_places_take_the_path_of_chapter_1():
    mine = moved(places, places.begin(16, 3, 8, PLAIN, SEED)).model
    book = trained(chapter_1, chapter_1.Settings(T=16, mu=[1 / 3] * 3, batch=8, stage1=STEPS))
    for name in ("V", "A"):
        np.testing.assert_allclose(getattr(mine, name), getattr(book, name), rtol=1e-12)


def test_sentences_take_the_path_of_chapter_2():
    mine = moved(sentences, sentences.begin(PLAIN, SEED))
    book = trained(chapter_2, chapter_2.Settings(optimiser=0, steps=STEPS))
    for name in ("Y", "Z"):
        np.testing.assert_allclose(getattr(mine.model, name), getattr(book, name), rtol=1e-12)
    common = common_mass(book)
    assert sentences.attention(mine) == pytest.approx(1 - common)


def test_groups_take_the_path_of_chapter_4():
    run = moved(groups, groups.begin(PLAIN, groups.draw(SEED)))
    book = trained(chapter_4, chapter_4.Settings(6, 4, groups.EXAMPLES, 0.05, STEPS))
    for name in ("v", "W"):
        np.testing.assert_allclose(getattr(run.model, name), getattr(book, name), rtol=1e-12, atol=1e-15)
    groups.advance(run)
    assert run.now.seen == pytest.approx(chapter_4.measure(book)["attention"][0])


def test_walks_take_the_path_of_chapter_5():
    own = Walking(6, walks.LENGTH, 0.5, walks.LENGTH, walks.WALKS, 0.05, 50)
    run, book = moved(walks, walks.begin(PLAIN, walks.draw(SEED))), trained(chapter_5, own)
    for name in ("V", "u", "g"):
        np.testing.assert_allclose(getattr(run.model, name), getattr(book, name), rtol=1e-11, atol=1e-14)
    fast = rw.MinimalTransformer(K=6, N=walks.LENGTH, M=walks.LENGTH)
    params = fast.init(1)._replace(**{name: np.array(getattr(book, name))[None] for name in ("V", "u", "g")})
    drawn = rw.Walks(np.array(book.walks)[None], np.full((1, walks.WALKS), 1 / walks.WALKS))
    walks.advance(run)
    assert run.now.seen == pytest.approx(fast.attention(params, drawn)[0, :, -2].mean())


def test_prompts_move_down_the_gradient_of_chapter_6():
    run = moved(prompts, prompts.begin(PLAIN, SEED))
    model, d = run.model, prompts.D
    theta, params, drawn = np.array(model.theta[0]), weights_of(run), []
    shadow = chapter_6.start(model.settings, SEED)
    for _ in range(prompts.BATCH * (STEPS + 1)):
        chapter_6.draw_prompt(shadow)
        drawn.append((np.array(shadow.Z), np.array(shadow.query)))
    Z, query = (np.array(part)[None] for part in zip(*drawn[-prompts.BATCH :], strict=True))
    batch = lb.Prompts(Z[..., :d], Z[..., d], query[..., :d], query[..., d])
    _, slope = block_loss_and_gradient(params, batch)
    prompts.advance(run)
    after = np.array(run.model.theta[0])
    read = np.concatenate([slope.alpha[0], slope.v[0], slope.c])
    rest = np.concatenate([slope.q[0], slope.Q[0].ravel()])
    np.testing.assert_allclose(theta - after, np.concatenate([0.004 * read, 0.02 * rest]), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("task", [sentences, prompts], ids=["sentences", "prompts"])
def test_clock_in_the_page_is_that_which_the_claims_measure(task):
    """Both are written for themselves; so the claims' spreads and levels are those of the figure of six tasks."""
    run, known = task.begin(PLAIN, SEED), MEASURED[task.__name__.rpartition(".")[2]]([0], np.ones(1)).record
    told = 0.0
    for _ in range(12):
        params = weights_of(run)
        told += float(known["out"](params)[0] * known["asked"](params)[0])
        seen = known["seen"](params)[0]
        task.advance(run)
        assert (run.now.clock, run.now.seen) == pytest.approx((told, seen), rel=1e-9)
    assert told > 0.01


@pytest.mark.parametrize(("xi", "mask"), [(0.0, 3.0), (2.5, 1.0), (9.0, 4.0)])
def test_neighbours_have_the_gradient_of_chapter_3(xi, mask):
    run = neighbours.begin(PLAIN, SEED)
    assert np.square(run.tests).mean() == pytest.approx(1 / neighbours.D, rel=0.06)  # of even points of the sphere
    run.xi[0], run.mask[0] = xi, mask
    z = np.array(run.tests[:7]).T[None]
    for row in run.tests[:7]:
        neighbours.add_prompt(run, row, 1 / 7)
    _, slope = pair_loss_and_gradient(Pair(np.array([xi]), np.array([mask])), Rows(z, z.max(axis=1), None))
    assert (run.slope[0], run.mask_slope[0]) == pytest.approx((slope.xi1[0], slope.xi2[0]), rel=1e-10)


def test_a_run_ends_where_it_has_nothing_more_to_say():
    found = finish(textbook_six, textbook_six.Settings(watch=1, optimiser=2, length=0.03), 0)
    assert found["neighbours1"][-1] < tasks.tops()[tasks.NEIGHBOURS]
    assert np.isnan(found["half_step"][:2]).all()
    assert found["at1_places1"][-1] == 1.0
