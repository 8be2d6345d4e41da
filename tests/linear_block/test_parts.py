"""The parts of an output, the price of a cut: portable as in the library, matrices as written, the figure's words."""

import itertools

import numpy as np
import pytest

from lib.chapters.linear_block.explorers import sees
from lib.chapters.linear_block.runs import textbook_parts, told_apart
from lib.errors import InputError
from lib.explorer.sentences import say
from lib.models import linear_block as lb
from lib.models.linear_block import textbook_weights
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.theory.linear_block import portable_cut, portable_parts
from tests.portable.engine import bits, literal, page_of

SMALL = textbook_parts.Settings(d=3, M=5, norm=1.3, sigma=0.7, prompts=48)
SWITCHES = list(itertools.product((0, 1), repeat=3))


def random_block(rng, d, lead=()):
    shapes = [(*lead, d), (*lead, d), lead, (*lead, d, d), (*lead, d)]
    return theory.Effective(*(0.7 * rng.standard_normal(shape) for shape in shapes))


def test_parts_and_the_mask_s_price_are_the_library_s(rng):
    for _ in range(200):
        d, M, psi = int(rng.integers(1, 7)), int(rng.integers(1, 90)), float(rng.uniform(0.1, 2))
        h, mean, sigma = rng.uniform(0.1, 2, d), rng.standard_normal(d), float(rng.uniform(0, 2))
        task, block = lb.Task(np.diag(h), psi * np.eye(d), mean, sigma, M), random_block(rng, d)
        given = (h.tolist(), psi, mean.tolist(), sigma, float(M), *(np.asarray(x).tolist() for x in block))
        np.testing.assert_allclose(portable_parts.part_squares(*given), theory.part_squares(task, block), rtol=1e-9)
        known = theory.unmasked_cost(task, block)
        assert portable_parts.unmasked_cost(*given) == pytest.approx(known, rel=1e-9, abs=1e-12)


def test_leading_axes_are_blocks(rng):
    task, blocks = lb.random_task(rng), random_block(rng, 4, (3,))
    for work in (theory.part_squares, theory.unmasked_cost):
        one = [work(task, theory.Effective(*(x[i] for x in blocks))) for i in range(3)]
        np.testing.assert_allclose(work(task, blocks), one, rtol=1e-12)


def test_parts_are_those_of_the_formula_and_add_up(rng):
    task = lb.random_task(rng)
    prompts = task.sample(7, generators([1, 2]))
    weights = lb.Weights(*(rng.standard_normal((2, 5, 5)) for _ in range(6)))
    found = told_apart(lambda p: lb.literal_output(weights, p, mask=False), prompts)
    np.testing.assert_allclose(found.sum(axis=0), lb.literal_output(weights, prompts, mask=False), rtol=1e-10)
    alpha, v, c, Q, q = (x[:, None] for x in lb.effective_of(weights))
    X, y, x, _ = prompts
    inside = np.einsum("rbmi,rbij,rbj->rbm", X, np.broadcast_to(Q, (2, 7, 4, 4)), x)
    vX, qx = np.einsum("rbmi,rbi->rbm", X, np.broadcast_to(v, (2, 7, 4))), np.sum(q * x, axis=-1)
    known = [
        np.sum(alpha * x, axis=-1),
        np.mean(c[..., None] * y * inside + vX * y * qx[..., None], axis=-1),
        np.mean(vX * inside, axis=-1),
        c * np.mean(y**2, axis=-1) * qx,
        np.sum(v * x, axis=-1) * np.einsum("rbi,rbij,rbj->rb", x, np.broadcast_to(Q, (2, 7, 4, 4)), x) / task.M,
    ]
    np.testing.assert_allclose(found, known, rtol=1e-8, atol=1e-8)


def test_what_is_best_with_what_is_left(rng):
    for _ in range(15):
        d, M, sigma = int(rng.integers(2, 9)), int(rng.integers(2, 65)), float(rng.uniform(0.1, 4))
        norm = float(rng.choice([0, rng.uniform(0, 6)]))
        task = lb.power_task(d, M, sigma, norm)
        risk = {}
        for alpha, mask in itertools.product((1, 0), (1, 0)):
            cut = theory.best_cut(task, bool(alpha), bool(mask))
            search = portable_cut.search_of(d, float(M), sigma, norm, alpha, mask)
            risk[alpha, mask] = portable_cut.best_cut_risk(search)
            assert risk[alpha, mask] == pytest.approx(cut.risk, rel=1e-10)
            own = theory.block_risk(task, cut.block)
            assert own + (0 if mask else theory.unmasked_cost(task, cut.block)) == pytest.approx(cut.risk, rel=1e-9)
        assert risk[1, 1] == pytest.approx(theory.best_risk(task), rel=1e-12)
        assert risk[0, 1] == pytest.approx(theory.best_attention(task).risk, rel=1e-9)
        assert risk[1, 1] <= risk[1, 0] * (1 + 1e-12)
        if norm == 0:
            np.testing.assert_allclose(list(risk.values()), risk[1, 1], rtol=1e-9)


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (lb.power_task(d=3, decay=1.0), "H: expected the identity"),
        (lb.Task(np.eye(2), np.diag([1.0, 2.0]), np.ones(2)), "Psi: expected a multiple of the identity"),
        (lb.power_task(d=1), "task: expected at least 2 features, got 1"),
    ],
)
def test_only_isotropic_tasks_are_cut(task, message):
    with pytest.raises(InputError, match=message):
        theory.best_cut(task)


def weights_in(state):
    n = state.settings.d + 1
    return lb.Weights(*np.array(state.W).reshape(6, 1, n, n))


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_the_textbook_runs_the_block_of_the_library(kind, switches):
    residual, mlp, mask = switches
    settings = SMALL._replace(kind=kind, residual=residual, mlp=mlp, mask=mask)
    state = textbook_parts.start(settings, 4)
    weights, Z, now = weights_in(state), [], []
    for _ in range(5):
        textbook_parts.step(state)
        Z.append(np.array(state.Z))
        now.append(state.now[:])
    Z = np.array(Z)[None]
    prompts = lb.Prompts(Z[..., :-1, :-1], Z[..., :-1, -1], Z[..., -1, :-1], Z[..., -1, -1])

    def run(given):
        return lb.literal_output(weights, given, bool(mlp), bool(mask), bool(residual))

    known = told_apart(run, prompts)[:, 0].T
    np.testing.assert_allclose(now, known, rtol=1e-10, atol=1e-10 * np.abs(known).max())
    errors = (run(prompts) - prompts.target) ** 2
    assert state.error == pytest.approx(errors.sum(), rel=1e-10)
    own, wanted = sees.seen(settings, state.W), lb.effective_of(weights, bool(mlp), bool(residual))
    for name, value in wanted._asdict().items():
        np.testing.assert_allclose(getattr(own, name), value[0], rtol=1e-10, atol=1e-10)


def test_matrices_of_a_block_have_its_parameters(rng):
    block = sees.new_block(3)
    for values in (block.alpha, block.v, block.q, *block.Q):
        values[:] = rng.standard_normal(3).tolist()
    block.c = 0.7
    W = [[9.0] * 4 for _ in range(24)]
    textbook_weights.weights_of(block, W)
    again = sees.new_block(3)
    textbook_weights.reduce(W, 1, textbook_weights.new_rows(3), again)
    assert vars(again) == vars(block)


def test_what_is_drawn_is_the_library_s(rng):
    for kind, switches in itertools.product((0, 1, 2), SWITCHES):
        residual, mlp, mask = switches
        M, d, norm, sigma = int(rng.integers(2, 65)), int(rng.integers(2, 9)), rng.uniform(0, 6), rng.uniform(0.1, 4)
        settings = sees.settings(residual, mlp, mask, kind, M, d, float(norm), float(sigma))
        drawn, state = sees.laws(settings), textbook_parts.start(settings, 0)
        task, alive = lb.power_task(d, M, float(sigma), float(norm)), bool(residual and mlp)
        block = theory.Effective(*(x[0] for x in lb.effective_of(weights_in(state), bool(mlp), bool(residual))))
        squares = theory.part_squares(task, block) * [1, 1, 1, 1, 1 - mask]
        np.testing.assert_allclose(drawn["sizes"], np.sqrt(squares), rtol=1e-9, atol=1e-7)
        cost = 0 if mask else theory.unmasked_cost(task, block)
        assert drawn["own"][0] == pytest.approx(float(theory.block_risk(task, block) + cost), rel=1e-10)
        assert drawn["left_now"][0] == pytest.approx(theory.best_cut(task, alive, bool(mask)).risk, rel=1e-10)
        assert drawn["best_now"][0] == pytest.approx(theory.best_risk(task), rel=1e-10)
        np.testing.assert_allclose(drawn["empty"], state.empty, rtol=1e-9, atol=1e-9)
        if kind == 0:
            assert drawn["own"][0] == pytest.approx(drawn["left_now"][0], rel=1e-9)
        else:
            assert drawn["own"][0] >= drawn["left_now"][0] * (1 - 1e-12)
        by_mean = sees.by_mean(settings._replace(norm=by_mean_norm()))
        here = sees.laws(settings._replace(norm=by_mean_norm(), kind=1))
        for name, known in (("cut", "own"), ("left", "left_now"), ("best", "best_now")):
            assert by_mean[name][5] == pytest.approx(here[known][0], rel=1e-9)


def by_mean_norm():
    return 2.5  # the sixth on the curve


@pytest.mark.parametrize(
    "settings",
    [
        SMALL,
        SMALL._replace(kind=1, mlp=0),
        SMALL._replace(residual=0, mask=0),
        SMALL._replace(kind=3, mask=0),
        SMALL._replace(mask=0, norm=0.0, d=2),
    ],
)
def test_the_same_bits_in_the_page(settings):
    here = textbook_parts.start(settings, 3)
    textbook_parts.advance(here, textbook_parts.steps_of(settings))
    page = page_of(textbook_parts, checked=True)
    page.do(f'const T = portable["{textbook_parts.__name__}"];')
    page.do(f"const s = T.start({literal(settings)}, 3); T.advance(s, 99);")
    assert bits(page.run("T.read(s)")) == bits(textbook_parts.read(here))
    assert bits(textbook_parts.run(3, **settings._asdict())) == bits(textbook_parts.read(here))


def test_the_theory_has_the_same_bits_in_the_page(rng):
    page = page_of(portable_cut, portable_parts, checked=True)
    name = portable_cut.__name__
    for alpha, mask in itertools.product((1, 0), (1, 0)):
        given = (4, 7.0, float(rng.uniform(0.1, 4)), float(rng.uniform(0, 6)), alpha, mask)
        mine = portable_cut.best_cut_risk(portable_cut.search_of(*given))
        call = ", ".join(map(literal, given))
        assert bits(page.run(f'portable["{name}"].best_cut_risk(portable["{name}"].search_of({call}))')) == bits(mine)
    h, mean = rng.uniform(0.1, 2, 3).tolist(), rng.standard_normal(3).tolist()
    given = (h, 0.7, mean, 0.4, 5.0, *(np.asarray(x).tolist() for x in random_block(rng, 3)))
    for work in (portable_parts.part_squares, portable_parts.unmasked_cost):
        assert bits(page.call(portable_parts.__name__, work.__name__, *given)) == bits(work(*given))


def test_records_are_the_means_of_their_prompts():
    run = textbook_parts.run(2, **SMALL._asdict())
    at = textbook_parts.records(48)
    assert (at[0], at[1], at[-1]) == (2, 4, 48)
    assert np.all(np.diff(at) > 0)
    shown = np.array(run["shown"]).reshape(5, 12)
    sizes = np.array(run["sizes"]).reshape(-1, 5)
    for k in (0, 3, 5):
        np.testing.assert_allclose(sizes[k], np.sqrt(np.mean(shown[:, : int(at[k])] ** 2, axis=1)), rtol=1e-12)
    assert len(run["risk"]) == len(at)
    for prompts in (24, 49, 100, 480):
        assert len(textbook_parts.run(0, d=2, M=2, prompts=prompts)["risk"]) == textbook_parts.RECORDS


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": -1}, "kind: expected a whole number of at least 0, got -1"),
        ({"d": 1}, "d: expected at least 2 features, got 1"),
        ({"prompts": 23}, "prompts: expected at least 24, one a record, got 23"),
        ({"M": 0}, "M: expected at least 1 example, got 0"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        textbook_parts.run(0, **settings)


ENDS = {"M": (2, 64), "d": (2, 8), "norm": (0.0, 6.0), "sigma": (0.1, 4.0)}


@pytest.mark.parametrize("end", [{}, *({key: value} for key, ends in ENDS.items() for value in ends)], ids=str)
def test_the_sentence_is_true_at_the_ends(end, monkeypatch):
    monkeypatch.setattr(sees, "PROMPTS", 48)
    figure = sees.explorer()
    for kind, (residual, mlp, mask) in itertools.product((0, 1, 2, 3), SWITCHES):
        found = figure.compute({"kind": kind, "residual": residual, "mlp": mlp, "mask": mask, **end}, seed=1)
        text, facts = say(figure.reading, found.facts), found.facts
        figure.draw(found)
        assert ("α is dead" in text) == (not (residual and mlp))
        if "α is dead" in text:
            assert np.abs(np.array(found.runs[0]["shown"])[:12]).max() < 1e-9
            assert ("residual" in text.split("α is dead")[0]) == (not residual)
            assert ("MLP" in text.split("α is dead")[0]) == (not mlp)
        assert ("counts as an example" in text) == (not mask)
        if "harmless" in text:
            assert facts["laws.cube"] < 1e-6
            assert facts["laws.left_now"] == pytest.approx(facts["laws.best_now"], rel=1e-9)
        if "the best α is zero" in text:
            assert facts["laws.alpha"] < 1e-6
        if "Nothing is cut" in text:
            assert facts["laws.own"] == pytest.approx(facts["laws.best_now"], rel=1e-9)
            assert residual == mlp == mask == 1
        assert ("random" in text) == (kind >= 2)


def at(**changed):
    figure = sees.explorer()
    return sees.laws(figure.settings_of(**figure.check(changed)))


def test_what_the_tour_says():
    whole, cut = np.array(at(mlp=1)["sizes"]), np.array(at()["sizes"])
    assert whole[0] > 1
    assert np.all(whole[3:] == 0)
    np.testing.assert_allclose(cut, [0, *whole[1:]], atol=1e-9)
    np.testing.assert_allclose(at(mlp=1, residual=0)["sizes"], cut, atol=1e-9)
    anew = at(kind=0)
    assert anew["sizes"][0] == 0
    assert anew["sizes"][3] > 0.5
    assert at()["own"][0] > 4 > anew["own"][0]
    for kind in (2, 3):
        rows = at(kind=kind)["sizes"]
        assert rows[0] == 0
        assert min(rows[1:4]) > 0.1
    bent = at(mlp=1, mask=0, M=6)
    assert np.abs(np.diff(bent["empty"], 2)).max() > 0.1
    assert np.abs(np.diff(at(mlp=1, M=6)["empty"], 2)).max() < 1e-12
    none = at(norm=0)
    assert none["own"][0] == pytest.approx(none["best_now"][0], rel=1e-9)
