"""Figure `random_walk-lags`: which ancestor of the target attention settles on, over circle and bias.

Chapter `random_walk`. Source: beyond arXiv 2511.23239; the second step of training from zero raises the scores of all
lags by a signal in closed form. The run, at the chosen place of the map, is the textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models.measures import attended_lag
from hal.chapters.random_walk.models.watch import right_on_new
from hal.figure import Line, Say, Step, bars, heatmap, sliders, waiting
from lib.models.random_walk import textbook
from lib.models.random_walk.textbook import Settings, State, attend
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import largest, numbered
from lib.theory.random_walk.portable import TIE, best_accuracy, best_lag, lag_signal

STEPS = 8
LAGS = 14  # that may win, and are drawn
FIRST_K = 4  # of the map
PRIMARY_SLIDERS = ("K", "p")
SIZES = 27  # numbers of nodes, from 4 to 30
CHANCES = 25  # of a clockwise step, from 0.5 to 0.98
LONG = 3  # longer lags share its colour
MAP, STRIP = "Which lag has the most votes for the target?", "Where the layer in the ringed cell looks"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Does the parent always win?", textbook, 2, 1, 1
SLIDERS = sliders(TABLE, K=(22, 4, 30), p=(0.8, 0.5, 0.98), n=(2000, 100, 2000), N=(151, 15, 301), lr=(1.0, 0.1, 3.0))


def settings(K: int, p: float, n: int, N: int, lr: float) -> Settings:
    """Training from zero, positions of ten times the length of a walk."""
    return Settings(K, N, p, 10 * N, n, lr, STEPS, 0.1, lr)


def laws(settings: Settings) -> Readings:
    """Lags that are drawn; the best, how many are alike; best accuracy."""
    K, p, N, many = settings.K, settings.p, settings.N, min(LAGS, settings.N - 1)
    raised, alike = lag_signal(K, p, N, many), 0
    for i in range(many):
        alike += 1 if raised[i] >= largest(raised) - TIE else 0
    return {
        "lags": numbered(LAGS), "best_per_cent": [100.0 * best_accuracy(p)], "lag": [float(best_lag(K, p, N, many))],
        "alike": [float(alike)],
    }  # fmt: skip


def map_of(settings: Settings) -> Readings:
    """The best lag over nodes (27 rows, most nodes on top) and chance (25 columns), LONG where it is longer."""
    cells, nodes, chances = zeros(SIZES * CHANCES), zeros(SIZES), zeros(CHANCES)
    for r in range(SIZES):
        nodes[r] = float(FIRST_K + SIZES - 1 - r)
    for c in range(CHANCES):
        chances[c] = 0.5 + 0.02 * float(c)
    for r in range(SIZES):
        for c in range(CHANCES):
            lag = best_lag(FIRST_K + SIZES - 1 - r, chances[c], settings.N, min(LAGS, settings.N - 1))
            cells[r * CHANCES + c] = float(min(lag, LONG))
    return {
        "cells": cells, "nodes": nodes, "chances": chances, "rows": [float(SIZES)], "columns": [float(CHANCES)],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Right answers on new walks, the most attended lag, attention by lag (LAGS,), the parent first."""
    attend(state)
    last, attention = state.settings.N - 1, zeros(LAGS)
    for i in range(LAGS):
        attention[i] = state.S[last - 1 - i]
    return {"fresh": [right_on_new(state)], "lag": [float(attended_lag(state.S))], "attention": attention}


def run_metrics(fresh: Vector, lag: Vector) -> Readings:
    """At the end: right answers on new walks in per cent, and the most attended lag."""
    return {"right": [100.0 * fresh[len(fresh) - 1]], "lag": [lag[len(lag) - 1]]}


def panels() -> list[Any]:
    """The map, and attention on the last places."""
    return [
        heatmap("map_of.cells", rows="map_of.rows", columns="map_of.columns", frames=False, idea="attention",
                xlabel="probability p of a clockwise move (no unit)", ylabel="nodes K (nodes)", vmin=1.0, vmax=5.0,
                clabel="winning lag (no unit)", title=MAP,
                classes={1: "the parent wins", LONG: "lag 3 or more wins"}, xticks="map_of.chances",
                yticks="map_of.nodes", pick=("p", "K"), height=260),
        bars("laws.lags", [Line("attention", "attention", idea="attention")], frames=True, title=STRIP, height=260,
             ylabel="attention (share)", ylim=(0, 1.02), xlabel="lag: 1 is the parent (steps before the target)"),
    ]  # fmt: skip


READING = [
    [
        Say("On infinitely many walks several lags lead, lag {laws.lag} among them.", "laws.alike >= 2"),
        Say("On infinitely many walks the parent leads.", "laws.lag == 1"),
        Say("On infinitely many walks lag {laws.lag} leads, not the parent."),
    ],
    [
        *waiting(),
        Say("This layer looks most at lag {lag:0}. Its accuracy is {right:1}%; no predictor can beat "
            "{laws.best_per_cent:1}%.", "right <= laws.best_per_cent"),
        Say("This layer looks most at lag {lag:0}. Its accuracy on 500 new walks is {right:1}%."),
    ],
]  # fmt: skip
TOUR = [
    Step("On a circle of 22 nodes, with four of five moves clockwise, lag 3 has the better votes.", point=MAP),
    Step("From the second step on nearly all attention is there, for good.", time=8, point=STRIP),
    Step("On a small circle the walker soon comes full circle, and the parent wins.", K=6, p=0.8, point=STRIP),
    Step("The parent also wins on an unbiased walk, as in the paper's experiment.", K=20, p=0.5, point=STRIP),
]  # fmt: skip
