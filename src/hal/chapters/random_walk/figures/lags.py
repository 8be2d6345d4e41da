"""Figure `random_walk-lags`: which ancestor of the target attention settles on, over circle and bias.

Chapter `random_walk`. Source: beyond arXiv 2511.23239; the second step of training from zero raises the scores of all
lags by a signal in closed form. The run, at the chosen place of the map, is the
textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models.measures import attended_lag
from hal.chapters.random_walk.models.watch import right_on_new
from hal.chapters.random_walk.theory.lags import lag_leads
from hal.figure import Line, Say, Step, bars, heatmap, sliders, waiting
from lib.models.random_walk import textbook
from lib.models.random_walk.textbook import Settings, State, attend
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.vectors import largest, numbered
from lib.theory.random_walk.portable import TIE, best_accuracy, best_lag, lag_signal

STEPS = 8
LAGS = 14  # that may win, and are drawn
FIRST_K = 4  # of the map
SIZES = 27  # numbers of nodes, from 4 to 30
CHANCES = 20  # of a clockwise step, from 0.5 to 0.975
MAP, STRIP = "Orange: an older lag beats the parent", "Where the layer looks"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "The parent can lose", textbook, 2, 7, 1
MEDIAN = "lag"
SLIDERS = sliders(TABLE, K=(30, 4, 30), p=(0.75, 0.5, 0.975), n=(1200, 100, 2000), N=(151, 15, 301), lr=(1.0, 0.1, 3.0))


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
    """By how much an older lag leads over nodes (27 rows, most nodes on top) and chance (20 columns), 0 where the
    parent leads; our place.
    """
    here, cells, nodes, chances = zeros(SIZES * CHANCES), zeros(SIZES * CHANCES), zeros(SIZES), zeros(CHANCES)
    for r in range(SIZES):
        nodes[r] = float(FIRST_K + SIZES - 1 - r)
    for c in range(CHANCES):
        chances[c] = 0.5 + 0.025 * float(c)
    column = min(CHANCES - 1, floor((settings.p - 0.5) / 0.025 + 0.5))
    row = max(0, min(SIZES - 1, FIRST_K + SIZES - 1 - settings.K))
    here[row * CHANCES + column] = 1.0
    leads = lag_leads(FIRST_K, SIZES, chances, settings.N, settings.M, settings.lr, settings.epsilon)
    for r in range(SIZES):
        for c in range(CHANCES):
            cells[r * CHANCES + c] = max(0.0, -leads[(SIZES - 1 - r) * CHANCES + c])
    return {
        "cells": cells, "here": here, "nodes": nodes, "chances": chances, "rows": [float(SIZES)],
        "columns": [float(CHANCES)],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Right answers on new walks, the most attended lag, attention by lag (LAGS,), the parent first."""
    attend(state)
    last, attention = state.settings.N - 1, zeros(LAGS)
    for i in range(LAGS):
        attention[i] = state.S[last - 1 - i]
    return {"fresh": [right_on_new(state)], "lag": [float(attended_lag(state.S))], "attention": attention}


def run_metrics(fresh: Vector, lag: Vector) -> Readings:
    """Of one run, at its end: right answers on new walks in per cent; whether it reads the parent."""
    last = len(lag) - 1
    return {"right": [100.0 * fresh[last]], "near": [1.0 if lag[last] == 1.0 else 0.0]}


def panels() -> list[Any]:
    """The map, and attention on the last places."""
    return [
        heatmap("map_of.cells", rows="map_of.rows", columns="map_of.columns", frames=False, idea="attention",
                xlabel="clockwise chance p (share)", ylabel="nodes K (nodes)", vmin=0.0, vmax=2.5,
                clabel="lead of an older lag (no unit)", title=MAP, xticks="map_of.chances",
                yticks="map_of.nodes", pick=("p", "K"), outline="map_of.here", outline_label="here", height=260),
        bars("laws.lags", [Line("attention", "attention", idea="attention")], frames=True, title=STRIP, height=260,
             xlabel="lag: 1 is the parent (steps before the target)", ylabel="attention (share)", ylim=(0, 1.02)),
    ]  # fmt: skip


READING = [
    [
        Say("On infinitely many walks several lags lead, lag {laws.lag} among them.", "laws.alike >= 2"),
        Say("On infinitely many walks the parent leads.", "laws.lag == 1"),
        Say("On infinitely many walks lag {laws.lag} leads, not the parent."),
    ],
    [
        *waiting(),
        Say("{sum.near} of {runs} runs read the parent. Their median accuracy is {right:1}%; no predictor can beat "
            "{laws.best_per_cent:1}%.", "right <= laws.best_per_cent"),
        Say("{sum.near} of {runs} runs read the parent. Their median accuracy on 500 new walks is {right:1}%."),
    ],
]  # fmt: skip
TOUR = [
    Step("On a circle of 30 nodes, with three of four moves clockwise, an older lag has the better votes.", point=MAP),
    Step("From the second step on nearly all attention is there, for good.", time=8, point=STRIP),
    Step("A small circle is safe: the walk comes round, and only the parent is close.", K=6, p=0.75, point=STRIP),
    Step("So is an unbiased walk: that is what was tried in print.", K=20, p=0.5, point=STRIP),
    Step("Longer walks do not help. With N = 301 the map has the same region.", K=30, p=0.75, N=301, point=MAP),
]  # fmt: skip
