"""Figure `random_walk-lags`: which ancestor of the target attention settles on, over circle and bias.

Chapter `random_walk`. Source: beyond arXiv 2511.23239; the second step of training from zero raises the scores of all
lags by a signal in closed form, and on drawn walks by their own. The run, at the chosen place of the map, is the
textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models.measures import attended_lag
from hal.chapters.random_walk.models.watch import right_on_new
from hal.chapters.random_walk.theory.lags import lag_leads
from hal.figure import Line, Say, Step, bars, heatmap, lines, sliders, waiting
from lib.models.random_walk import textbook
from lib.models.random_walk.textbook import Settings, State, attend
from lib.portable.primitives import Readings, Vector, first, floor, zero_matrix, zeros
from lib.portable.vectors import argmax, dot, largest, numbered
from lib.theory.random_walk.portable import TIE, best_accuracy, best_lag, lag_signal

STEPS = 8
LAGS = 14  # of which the signal is drawn
FIRST_K = 4  # of the map
SIZES = 27  # numbers of nodes, from 4 to 30
CHANCES = 20  # of a clockwise step, from 0.5 to 0.975
MAP, SIGNAL, STRIP = "Who leads: parent or older lag", "The second step raises the highest lag", "Where the layer looks"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "The parent can lose", textbook, 2, 7, 1
MEDIAN = "lag"
SLIDERS = sliders(TABLE, K=(30, 4, 30), p=(0.75, 0.5, 1.0), n=(1200, 100, 2000), N=(151, 15, 301), lr=(1.0, 0.1, 3.0))


def settings(K: int, p: float, n: int, N: int, lr: float) -> Settings:
    """Training from zero, positions of ten times the length of a walk."""
    return Settings(K, N, p, 10 * N, n, lr, STEPS, 0.1, lr)


def laws(settings: Settings) -> Readings:
    """Lags that are drawn, the lag of each place; the signal over its largest, its best lag, how many are alike; best
    accuracy.
    """
    K, p, N, many = settings.K, settings.p, settings.N, min(LAGS, settings.N - 1)
    raised, signal, alike, ago = lag_signal(K, p, N, many), zeros(LAGS), 0, zeros(N - 1)
    for j in range(N - 1):
        ago[j] = float(N - 1 - j)
    for i in range(many):
        signal[i] = raised[i] / largest(raised)
        alike += 1 if raised[i] >= largest(raised) - TIE else 0
    return {
        "lags": numbered(LAGS), "ago": ago, "signal": signal,
        "best_per_cent": [100.0 * best_accuracy(p)], "lag": [float(best_lag(K, p, N, many))], "alike": [float(alike)],
        "K": [float(K)],
        "edge": [1.0 if p <= 0.0 or p >= 1.0 else 0.0],
    }  # fmt: skip


def map_of(settings: Settings) -> Readings:
    """The lead of the favoured lag over nodes (27 rows, most nodes on top) and chance (20 columns), above 0 for the
    parent; our place.
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
            cells[r * CHANCES + c] = leads[(SIZES - 1 - r) * CHANCES + c]
    return {
        "cells": cells, "here": here, "nodes": nodes, "chances": chances, "rows": [float(SIZES)],
        "columns": [float(CHANCES)],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Right answers on new walks, the most attended lag, attention (N - 1,) by place, oldest first."""
    attend(state)
    return {
        "fresh": [right_on_new(state)], "lag": [float(attended_lag(state.S))],
        "attention": first(state.S, len(state.S) - 1),
    }  # fmt: skip


def at_end(state: State) -> Readings:
    """The lag signal of the run's own walks over its largest, (LAGS,), 0 beyond the walk's length; told, the lag at
    which it is largest. The signal is the share of the walks whose target is k steps clockwise of the token at the lag,
    times that of all lags together, added up over k: on many walks it is `lag_signal`.
    """
    K, lags, share = state.settings.K, state.settings.N - 1, 1.0 / float(state.settings.n)
    by_lag, all_lags, signal, shown = zero_matrix(lags, K), zeros(K), zeros(lags), zeros(LAGS)
    for i in range(state.settings.n):
        for j in range(lags):
            by_lag[lags - 1 - j][state.turns[i][j]] += share
            all_lags[state.turns[i][j]] += share
    for i in range(lags):
        signal[i] = dot(by_lag[i], all_lags)
    top = argmax(signal)
    for i in range(min(LAGS, lags)):
        shown[i] = signal[i] / signal[top]
    return {"signal": shown, "told": [float(top + 1)]}


def run_metrics(fresh: Vector, lag: Vector, told: Vector) -> Readings:
    """Of one run, at its end: right answers on new walks in per cent; whether it reads the lag its walks favour."""
    last = len(lag) - 1
    return {"right": [100.0 * fresh[last]], "told": [1.0 if lag[last] == told[0] else 0.0]}


def panels() -> list[Any]:
    """The map; the signal at the chosen place, of all walks and of each run's; attention on all places."""
    own, signal = (
        Line("signal", "each run's walks", idea="attention", each=True),
        Line("laws.signal", "all walks", theory=True),
    )
    return [
        heatmap("map_of.cells", rows="map_of.rows", columns="map_of.columns", frames=False, idea="attention",
                xlabel="clockwise chance p (share)", ylabel="nodes K (nodes)", vmin=-2.5, vmax=2.5, diverging=True,
                clabel="lead of the parent (nats)", title=MAP, xticks="map_of.chances",
                yticks="map_of.nodes", pick=("p", "K"), outline="map_of.here", outline_label="here", height=260),
        lines("laws.lags", [own, signal], xlabel="lag (steps before the target)", ylabel="signal (of the largest)",
              title=SIGNAL, ylim=(None, 1.005), height=260),
        bars("laws.ago", [Line("attention", "attention", idea="attention")], frames=True, title=STRIP, height=100,
             xlabel="lag, the parent first (steps before the target)", ylabel="attention (share)", ylim=(0, 1.02),
             wide=True),
    ]  # fmt: skip


READING = [
    [
        Say("Without chance lags that differ by K = {laws.K} are one and the same.", "laws.edge >= 1"),
        Say("On infinitely many walks several lags lead, lag {laws.lag} among them.", "laws.alike >= 2"),
        Say("On infinitely many walks the parent leads.", "laws.lag == 1"),
        Say("On infinitely many walks lag {laws.lag} leads, not the parent."),
    ],
    [
        *waiting(),
        Say("The layer is right in {right:0}% of new walks.", "laws.edge >= 1"),
        Say("{sum.told} of {runs} runs read the lag that their own walks favour. Their median accuracy is {right:1}%; "
            "no predictor can beat {laws.best_per_cent:1}%.", "right <= laws.best_per_cent"),
        Say("{sum.told} of {runs} runs read the lag that their own walks favour. Their median accuracy on 500 new "
            "walks is {right:1}%."),
    ],
]  # fmt: skip
TOUR = [
    Step("On a circle of 30 nodes, with three of four moves clockwise, the second step favours an older lag than 1.",
         point=SIGNAL),
    Step(Say("Each line is a run's own walks. Where it touches the top is the lag that wins, in {sum.told} of {runs} "
             "runs."), "Each line is a run's own walks. Where it touches the top is the lag that wins.", point=SIGNAL),
    Step("From the second step on nearly all attention is there, for good.", time=8, point=STRIP),
    Step("The map says where: the stronger the colour, the larger the lead. In the pale seams runs differ.", point=MAP),
    Step("A small circle is safe: the walk comes round, and only the parent is close.", K=6, p=0.75, point=STRIP),
    Step("So is an unbiased walk: that is what was tried in print.", K=20, p=0.5, point=STRIP),
    Step("Longer walks do not help. With N = 301 the map has the same region.", K=30, p=0.75, N=301, point=MAP),
]  # fmt: skip
