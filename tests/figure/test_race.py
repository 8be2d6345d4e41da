"""Guessing games: the page plays as Python does, players answer before they are told, hands, ears, refusals."""

import itertools
import json
from dataclasses import replace

import pytest

from hal.chapters.random_walk.figures import guess as walks
from hal.chapters.scan_snap.figures import guess as tokens
from hal.chapters.scb.figures import guess
from hal.figure import Player, Race, Say
from lib.errors import InputError
from tests.figure.drawn import barriers
from tests.figure.drawn import sample_height as height
from tests.figure.drawn import sample_state as state
from tests.figure.engine import engine

GAMES = {"scb-guess": guess, "scan_snap-guess": tokens, "random_walk-guess": walks}


def every(test):
    """A test of each game."""
    return pytest.mark.law(pytest.mark.parametrize("module", GAMES.values(), ids=GAMES)(test))


FIRST = guess.figure()


def page_of(game):
    """A page's game of it, without a page."""
    page = engine("race")
    page.eval(f"const spec = {json.dumps(game.spec())}; const played = raceGame(spec, ({game.program})());")
    return page


def tasks(game, first=1):
    """A task of each level, the first ones after `first` rounds of the levels."""
    return range(first * len(game.levels), (first + 1) * len(game.levels))


@every
def test_the_page_plays_as_python_does(module):
    game = module.figure()
    page, rounds = page_of(game), 60
    page.eval(f"var portableSample = (a, b) => ({game.program})()['{game.module}'].{game.sample.__name__}(a, b)")
    for task in tasks(game):
        page.eval(
            f"played.begin({task}); for (let i = 0; i < {rounds}; i++) {{ if (i) played.next(); played.give(i % 2); }}"
        )
        found = page.value("played.players.map(({ right, last }) => ({ right, last }))")
        for player, one in zip(game.players, found, strict=True):
            ours = game.play(player, task, rounds)
            assert (one["right"], one["last"]) == (ours.right, ours.answers[-1])
        mine = [game.sample(task, number).label == number % 2 for number in range(rounds)]
        assert page.value("played.mine") == mine
        layer = game.play(game.layer, task, rounds)
        looks = game.looks(layer.state) if game.looks else game.report(task, layer.state)
        assert page.value("Array.from(played.looks())") == list(looks["attention"])
        assert page.eval("sayAll([spec.say], played.facts())") == game.sentence(task, layer)
        assert page.value("played.rules.best") == game.level(task).best
        for number in range(20):
            drawn = game.sample(task, number)
            told = page.eval(f"raceRevealed(played.rules, portableSample({task}, {number}))")
            assert told == game.revealed(drawn, task)


@every
def test_players_answer_before_they_are_told(module):
    """The label and what decided it can be anything: the answer is the same."""
    game = module.figure()
    for task in tasks(game):
        for player in game.players:
            state = game.play(player, task, 30).state
            for number in range(30, 50):
                drawn = game.sample(task, number)
                hidden = replace(drawn, label=(drawn.label + 1) % len(game.answers), right=[0.0] * len(drawn.right))
                assert player.answer(state, drawn) == player.answer(state, hidden)


@every
def test_none_is_better_than_the_best_possible(module):
    """The share of right answers of one who knows the task, on many samples, is what the board says."""
    game = module.figure()
    for task in tasks(game, 2):
        likeliest, many = {}, 500 if game.level(task).best == 1 else 2000
        for one in (game.sample(task, number) for number in range(many)):
            place = one.right.index(max(one.right))
            likeliest.setdefault(one.cells[place], []).append(one.label)
        right = sum(max(labels.count(label) for label in set(labels)) for labels in likeliest.values())
        assert right / many == pytest.approx(game.level(task).best, abs=0.02)
    assert game.chance == 1 / len(game.answers)


def test_what_is_heard_and_what_the_card_says():
    page = page_of(FIRST)
    players = [{"name": "You", "right": [True] * 5 + [False]}, {"name": "The layer", "right": [False] * 30 + [True]}]

    def heard(answer):
        return page.eval(f"raceHeard('abcd', 3, {answer}, {json.dumps(players)})")

    assert heard(3) == "Right, d. You 5 of 6, The layer 1 of 20."
    assert heard(0) == "No, it was d. You 5 of 6, The layer 1 of 20."
    won, lost = [True] * 16 + [False] * 4, [True] * 5 + [False] * 15
    said = f"raceCard(spec, {json.dumps(won)}, {json.dumps(lost)}, {{}})"
    assert page.eval(said.format(16)) == "You 16 of 20, the layer 5 of its last 20, best possible 17."
    assert page.eval(said.format(18)).endswith(" Your best on this page: 18.")
    assert page.eval("raceShare([true, false, true])") == "67%"


PLAYER = FIRST.players[0]
GIVEN = dict(
    sample=guess.sample, players=[PLAYER], looks=FIRST.looks, report=guess.report, say=[Say("x")],
    name="toy-race", title="Toy", hint="Go.", letters="abcd", question="?", reveal="{found}", chance=0.25, best=0.85,
)  # fmt: skip


def no_cell(task, number):
    return replace(guess.sample(task, number), right=[0.0] * guess.T)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (dict(name="No Name"), "name: expected lower case"),
        (dict(players=[PLAYER, PLAYER]), "players: expected one that trains"),
        (dict(chance=0.9), "chance, best: expected shares above 0, chance the smaller"),
        (dict(rounds=0), "rounds, more, streak: expected at least 1"),
        (dict(players=[PLAYER._replace(learn=guess.layer)]), "learn: expected a function of 2 parameters"),
        (dict(sample=no_cell), "sample: expected a label, and a cell that is right"),
        (dict(looks=lambda state: {"attention": [0.0]}), "looks: expected 4 x 16 numbers, got 1"),
        (dict(looks=None), "report: expected 4 numbers, got 0"),
        (dict(say=[Say("{nobody} of them")]), "say: expected numbers among"),
    ],
)
def test_refusals(changed, message):
    with pytest.raises(InputError, match=message):
        Race(**{**GIVEN, **changed})
    assert Player("x", *PLAYER[1:4]).trains is False


@pytest.fixture
def opened(alone):
    """opened(module): a page of a game alone, its answers in focus."""

    def go(module=guess):
        page = alone(module.figure(), width=800)
        dark = "[data-theme=dark] body { background: #121212; color: #eee }"
        page.add_style_tag(content=f"body {{ margin: 8px; font-family: sans-serif }} {dark}")
        page.locator(".le-race-answer").first.focus()
        return page

    return go


def bars(where):
    return where.evaluate_all("all => all.map((one) => +one.getAttribute('height'))")


@pytest.mark.browser
def test_it_is_played_by_letters_and_enter_to_the_card(opened):
    page, mine = opened(), []
    before = height(page)
    assert before <= 412  # 386, and a line that wraps where the system has a wider font
    for number in range(20):
        page.keyboard.press("abcd"[number % 4])
        drawn = FIRST.sample(0, number)
        mine.append(drawn.label == number % 4)
        page.keyboard.press("abcd"[number % 4])  # one answer a sample
        found = state(page)
        assert (found["number"], found["mine"]) == (number, mine)
        assert page.locator(".le-race-arcs path").count() == 1
        assert page.locator("[role=status]").inner_text().endswith(FIRST.revealed(drawn))
        if number < 19:
            assert page.locator(".le-race-card").is_hidden()
            page.keyboard.press("Enter")
    assert page.locator(".le-race-card p").inner_text().startswith(f"You {sum(mine)} of 20, the layer ")
    found, layer = state(page), FIRST.play(FIRST.layer, 0, 20)
    assert (found["players"][0]["right"], found["sentence"]) == (layer.right, FIRST.sentence(0, layer))
    assert page.locator(".le-race-strip").first.get_attribute("aria-label") == f"You: {sum(mine)} of the last 20 right"
    assert height(page) == before


@pytest.mark.browser
def test_labels_only_shows_no_place_begins_another_task_and_the_layer_may_watch_on(opened):
    page = opened()
    for _ in range(3):
        page.locator(".le-race-answer").first.click()
        page.keyboard.press("Enter")
    assert page.locator(".le-race-grid .le-outline").count() >= 1
    page.get_by_role("radio", name="labels only").click()
    found = state(page)
    assert (found["task"], found["number"], found["mine"], found["blind"]) == (1, 0, [], True)
    page.locator(".le-race-answer").first.focus()
    for _ in range(4):
        page.keyboard.press("b")
        assert page.locator(".le-race-arcs, .le-race-right").count() == 0
        assert "position" not in page.locator("[role=status]").inner_text()
        page.keyboard.press("Enter")
    assert not page.locator(".le-race-grid").is_visible()
    assert page.locator(".le-race-grid .le-outline").count() == 0
    assert page.locator(".le-race-strip").count() == 2
    page.get_by_role("button", name="Let the layer watch 100 more").click()
    page.wait_for_function("document.querySelector('.lib-sample').sampleState().number === 104")
    assert len(state(page)["mine"]) == 4
    assert state(page)["players"][0]["right"] == FIRST.play(FIRST.layer, 1, 104).right


@pytest.mark.browser
def test_a_game_of_kinds_has_a_column_for_each_and_levels_that_are_closed_until_they_are_won(opened):
    game, page = tokens.figure(), opened(tokens)
    assert height(page) <= 418  # with its frame
    assert page.locator(".le-race-asks").inner_text() == "?"
    levels, known = page.get_by_role("radiogroup", name="level").get_by_role("radio"), set()
    assert levels.all_inner_texts() == [level.name for level in game.levels]
    levels.nth(1).click(force=True)
    assert (state(page)["task"], levels.nth(1).get_attribute("aria-disabled")) == (0, "true")
    page.locator(".le-race-answer").first.focus()
    for number in range(12):
        drawn = game.sample(0, number)
        page.keyboard.press("xy"[drawn.label - (number == 1)])  # the second is wrong
        known |= {kind for kind, weight in zip(drawn.cells, drawn.right, strict=True) if weight}
        assert page.locator(".le-race-right").count() == sum(weight > 0 for weight in drawn.right)
        told = page.locator("[role=status]").inner_text()
        assert game.revealed(drawn) in told
        assert told.endswith(" 10 in a row: level 2 is open.") == (number == 11)
        assert page.locator(".le-race-grid .le-outline").count() == len(known)
        if number < 11:
            page.keyboard.press("Enter")
    found = state(page)
    assert found["mine"] == [number != 1 for number in range(12)]
    assert found["attention"] == list(tokens.shares(0, game.play(game.layer, 0, 12).state))
    high = [52 * share / max(found["attention"]) for share in found["attention"]]
    assert bars(page.locator(".le-race-grid .le-ink")) == pytest.approx(high, abs=0.06)
    levels.nth(0).focus()
    page.keyboard.press("ArrowRight")
    assert (state(page)["task"], levels.nth(1).get_attribute("aria-checked")) == (4, "true")
    assert page.locator(".le-hint").inner_text() == game.levels[1].hint
    assert state(page)["sentence"] == game.sentence(4, game.play(game.layer, 4, 0))
    assert height(page) <= 428


@every
@pytest.mark.browser
def test_axe_finds_nothing_and_text_can_be_read_wide_and_narrow_in_light_and_dark(opened, module):
    page = opened(module)
    for answered, width, theme in itertools.product((False, True), (784, 374), ("light", "dark")):
        if answered and (width, theme) == (784, "light"):
            page.locator(".le-race-answer").first.click()
        page.set_viewport_size({"width": width + 16, "height": 844})
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert barriers(page, ".lib-sample") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        sizes = page.evaluate("""[...document.querySelectorAll(".lib-sample *")]
          .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
          .filter((one) => one.getBoundingClientRect().width > 1)
          .map((one) => parseFloat(getComputedStyle(one).fontSize))""")
        assert min(sizes) >= 12
        assert height(page) <= 844
