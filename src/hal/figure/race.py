"""A guessing game: the reader against players that learn from the same samples.

What it draws and what the players do comes from portable functions that travel in the page. `js/race.js` is the
page's side of `Race`, and wakes like all interactive samples.
"""

from __future__ import annotations

import functools
import html
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hal.figure.guesses import Sample
from hal.figure.interactive_sample import HUES, InteractiveSample
from hal.figure.marks import colour
from hal.figure.names import check_name
from hal.figure.program import add_part
from hal.figure.sentences import Say, say
from lib.errors import require
from lib.portable.translation import Module, load
from lib.portable.translation import program as script_of

_PLACE = re.compile(r"\{(\w+)\}")
NAMES = ("query", "place", "found", "label")
STRIP = 20  # answers of a player that the board shows, and that its share is counted from


class Player(NamedTuple):
    """One who plays besides the reader.

    Args:
        name: on the board.
        start, answer, learn: portable functions, see `hal.figure.guesses`.
        idea: colour, a key of `hal.palette.IDEAS`.
        trains: it can watch more samples than the reader has seen; exactly one player does, and the sentences and
            the picture are its own.
        blind: on the board only where the reader, too, is told the label and nothing else.
    """

    name: str
    start: Callable[[int], Any]
    answer: Callable[[Any, Any], int]
    learn: Callable[[Any, Any], None]
    idea: str = "attention"
    trains: bool = False
    blind: bool = False


class Level(NamedTuple):
    """One of the levels of a game: its name, and what it has in place of the game's own `hint`, `reveal` and `best`."""

    name: str
    hint: str
    reveal: str
    best: float


@dataclass(frozen=True)
class Round:
    """What a player has done: `answers` and `right`, one a sample, and its state at the end."""

    answers: list[int]
    right: list[bool]
    state: Any


class Race(InteractiveSample):
    """A game of rounds: a sample, an answer, the label; all players answer and learn from it.

    Told where, the reader sees after each answer which cells decided; told labels only, the reader sees what the
    players see. After `rounds` rounds a card counts, and offers the other way to play and another task.

    Args:
        sample: portable function (task, number) of two whole numbers; its result is a `Sample`.
        players: each a `Player`; one of them trains.
        looks: portable function of that player's state: `attention` (kinds x cells), a row for each kind that asks, or
            one row with a `mark`; None where it looks at kinds, wherever they stand: then `report` has `attention`
            (kinds,).
        report: portable function (task, state) of that player: single numbers for the sentences, and `frames`, as many
            as `attention` has, 1 where it should look.
        say: alternatives of one sentence; besides the numbers of `report` it has `seen`, the samples that the player
            has taken, and `recent`, how many of its last 20 answers are right, known from 20 on.
        name, title: as for `InteractiveSample`.
        hint: what to do, in one line.
        letters: names of the kinds, a letter or a word each, and of the answers where `answers` names none.
        question: before the answers.
        reveal: told where, said after an answer; may hold {query}, {place} (from 1), {found} (the kind there), {label}.
        chance, best: the share of right answers of one who guesses, and of one who knows the task.
        answers: names of the answers.
        mark: in the cell that asks, where no kind does.
        asks: what the cell that asks is, "last token".
        rounds: until the card.
        levels: where there are several, the level of a task is the rest of its number divided by theirs; a level opens
            after `streak` right answers in a row on the one before. They stand for `hint`, `reveal` and `best`.
        streak: so many right answers in a row.
        more: samples that the layer may watch at a press.
        meters: (words, a percentage of `report`, idea) each, drawn in place of the axis; the picture waits until
            attention is somewhere at least a tenth.

    Example:
        >>> from hal.chapters.scb.figures import guess
        >>> game = guess.figure()
        >>> len(game.play(game.players[0], task=0, rounds=5).answers)
        5
    """

    kind = "race"
    told = (
        "letters",
        "answers",
        "mark",
        "hint",
        "question",
        "reveal",
        "asks",
        "chance",
        "best",
        "rounds",
        "more",
        "streak",
        "meters",
    )

    def __init__(
        self,
        sample: Callable[[int, int], Sample],
        *,
        players: Sequence[Player],
        looks: Callable[[Any], Mapping[str, Sequence[float]]] | None = None,
        report: Callable[[int, Any], Mapping[str, Sequence[float]]],
        say: Sequence[Say],
        name: str,
        title: str,
        letters: Sequence[str],
        question: str,
        chance: float,
        hint: str = "",
        reveal: str = "",
        best: float = 1.0,
        levels: Sequence[Level] = (),
        answers: str = "",
        mark: str = "",
        asks: str = "last token",
        rounds: int = 20,
        more: int = 100,
        streak: int = 10,
        meters: Sequence[tuple[str, str, str]] = (),
    ) -> None:
        check_name("name", name)
        self.meters = [(words, fact, colour(idea, 0)) for words, fact, idea in meters]
        self.levels, self.streak = tuple(levels) or (Level("", hint, reveal, best),), streak
        self.module, self.name, self.title = sample.__module__, name, title
        self.sample, self.players, self.looks, self.report, self.say = sample, tuple(players), looks, report, tuple(say)
        self.letters, self.question, self.asks = letters, question, asks
        self.answers, self.mark = answers or "".join(letters), mark
        self.chance, self.rounds, self.more = chance, rounds, more
        _, self.hint, self.reveal, self.best = self.levels[0]
        training = [player.name for player in self.players if player.trains]
        require(len(training) == 1, "players", "one that trains", training)
        for _, _, told, best in self.levels:
            require(0 < chance < best <= 1, "chance, best", "shares above 0, chance the smaller", (chance, best))
            unknown = sorted(set(_PLACE.findall(told)) - set(NAMES))
            require(not unknown, "reveal", f"braces with {', '.join(NAMES)}", unknown)
        least = min(rounds, more, streak)
        require(least >= 1, "rounds, more, streak", "at least 1", (rounds, more, streak))
        for role, function, count in self._functions():
            taken = list(inspect.signature(function).parameters)
            require(len(taken) == count, role, f"a function of {count} parameters", f"{function.__name__} of {taken}")
        self.layer = next(player for player in self.players if player.trains)
        self._check()

    def _functions(self) -> list[tuple[str, Callable[..., Any], int]]:
        """(what it is, portable function, number of its parameters)."""
        roles: list[tuple[str, Callable[..., Any], int]] = [("sample", self.sample, 2), ("report", self.report, 2)]
        roles += [("looks", self.looks, 1)] if self.looks else []
        for player in self.players:
            roles += [("start", player.start, 1), ("answer", player.answer, 2), ("learn", player.learn, 2)]
        return roles

    def _check(self) -> None:
        """Raise `InputError` unless the first sample is one, and picture and sentences have their numbers."""
        drawn, state = self.sample(0, 0), self.layer.start(0)
        kinds, places = [*drawn.cells, *([] if self.mark else [drawn.query])], len(drawn.cells)
        known = all(0 <= kind < len(self.letters) for kind in kinds)
        require(known, "sample", f"kinds from 0 to {len(self.letters) - 1}", kinds)
        fits = len(drawn.right) == places and max(drawn.right) > 0 and 0 <= drawn.label < len(self.answers)
        require(fits, "sample", "a label, and a cell that is right", (drawn.label, drawn.right))
        reported = self.report(0, state)
        rows = 1 if self.looks and self.mark else len(self.letters)
        columns = f" x {places}" if self.looks else ""
        size = rows * (places if self.looks else 1)
        shown, source = (self.looks(state), "looks") if self.looks else (reported, "report")
        for role, found in ((source, shown.get("attention", [])), ("report", reported.get("frames", []))):
            require(len(found) == size, role, f"{rows}{columns} numbers", len(found))
        facts = {"seen", "recent", *(name for name, values in reported.items() if len(values) == 1)}
        unknown = sorted(set().union(*(way.names for way in self.say)) - facts)
        require(not unknown, "say", f"numbers among {sorted(facts)}", unknown)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        told = {name: getattr(self, name) for name in ("kind", "name", "title", *self.told)}

        def where(function: Callable[..., Any]) -> list[str]:
            return [function.__module__, function.__name__]

        players = [
            {"name": p.name, "colour": colour(p.idea, 0), "trains": p.trains, "blind": p.blind}
            | {role: where(getattr(p, role)) for role in ("start", "answer", "learn")}
            for p in self.players
        ]
        own = {role: where(getattr(self, role)) for role in ("sample", "looks", "report") if getattr(self, role)}
        more = {
            "players": players,
            "say": [way.spec() for way in self.say],
        }
        levels = {"levels": [level._asdict() for level in self.levels]} if len(self.levels) > 1 else {}
        return {**told, **HUES, **own, **more, **levels}

    @functools.cached_property
    def program(self) -> str:
        """The JavaScript function that gives the page the functions."""
        known: dict[str, Module] = {}
        functions = list(dict.fromkeys(function for _, function, _ in self._functions()))
        for function in functions:
            if function.__module__ != self.module:
                load(function.__module__, known)
        add_part([function for function in functions if function.__module__ == self.module], known)
        return f"function () {{\n{script_of(known)}return portable;\n}}"

    def play(self, player: Player, task: int, rounds: int, first: int = 0) -> Round:
        """What a player does on the samples of a task from number `first` on, answer before label."""
        state, answers, right = player.start(task), [], []
        for number in range(first, first + rounds):
            one = self.sample(task, number)
            answers.append(player.answer(state, one))
            right.append(answers[-1] == one.label)
            player.learn(state, one)
        return Round(answers, right, state)

    def sentence(self, task: int, played: Round) -> str:
        """What is said of the player that trains, after these rounds."""
        facts = {name: values[0] for name, values in self.report(task, played.state).items() if len(values) == 1}
        facts["seen"] = float(len(played.right))
        if len(played.right) >= STRIP:
            facts["recent"] = float(sum(played.right[-STRIP:]))
        return say([self.say], facts)

    def revealed(self, drawn: Sample, task: int = 0) -> str:
        """What is said of a sample of a task to one who is told where."""
        place = drawn.right.index(max(drawn.right))
        found, label = self.letters[drawn.cells[place]], self.answers[drawn.label]
        facts = {"query": self.asker(drawn), "place": str(place + 1), "found": found, "label": label}
        return _PLACE.sub(lambda match: facts[match[1]], self.level(task).reveal)

    def level(self, task: int) -> Level:
        """The level of a task."""
        return self.levels[task % len(self.levels)]

    def asker(self, drawn: Sample) -> str:
        """What stands in the cell that asks."""
        return self.mark or self.letters[drawn.query]

    def still(self) -> str:
        """The first sample as text, with its answer."""
        drawn = self.sample(0, 0)
        cells = " ".join(self.letters[kind] for kind in drawn.cells)
        row = f"<code>{html.escape(cells)}{html.escape(self.mark)}</code>"
        comes = f"{self.answers[drawn.label]} comes next."
        who = "" if self.mark else f" {self.asks.capitalize()}: {self.asker(drawn)}."
        asked = f"{self.hint}{who} {self.question}"
        answer = f"{comes} {self.revealed(drawn)}"
        lines = (
            f"Guessing gets {100 * self.chance:.0f}% right",
            f"knowing the task, {100 * self.best:.0f}%",
        )
        return (
            f"<p>{html.escape(asked)}</p><p>{row}</p>"
            f"<details><summary>Answer</summary>{html.escape(answer)}</details><p>{'; '.join(lines)}.</p>"
        )
