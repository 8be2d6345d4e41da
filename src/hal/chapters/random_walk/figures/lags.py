"""Figure `random_walk-lags`: which ancestor of the target attention settles on, over circle and drift.

Chapter `random_walk`. Source: beyond arXiv 2511.23239; the second step of training from zero raises the scores of all
lags by a signal in closed form. The run, at the chosen place of the map, is the textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE, attention_by_lag
from hal.chapters.random_walk.runs.fast import fast_runs
from hal.explorer import Line, Say, Step, heatmap, lines, over_steps, sliders, waiting
from lib.models.random_walk import textbook_turns
from lib.models.random_walk.textbook_measures import LAGS
from lib.models.random_walk.textbook_task import LOG, Settings
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.vectors import filled, largest, numbered
from lib.theory.random_walk.portable import TIE, best_accuracy, best_lag, best_lags, lag_signal

STEPS = 8
FIRST_K = 4  # of the map
SIZES = 27  # numbers of nodes, from 4 to 30
CHANCES = 20  # of a clockwise step, from 0.5 to 0.975
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST, MEDIAN = "Which position wins", textbook_turns, fast_runs, 2, 6, 1, "loss"
SLIDERS = sliders(TABLE, K=(30, 4, 30), p=(0.75, 0.5, 1.0), N=(151, 15, 301), n=(1200, 100, 2000))


def settings(K: int, p: float, N: int, n: int) -> Settings:
    """Training from zero, positions of ten times the length of a walk."""
    return Settings(K, N, p, 10 * N, n, 1.0, STEPS, 0.1, LOG, 0.0, 0)


def laws(settings: Settings) -> Readings:
    """Lags, the signal of the place by lag over its largest, the lag it favours, how many are alike, best accuracy."""
    K, p, N, many = settings.K, settings.p, settings.N, min(LAGS, settings.N - 1)
    raised, signal, alike = lag_signal(K, p, N, many), zeros(LAGS), 0
    for i in range(many):
        signal[i] = raised[i] / largest(raised)
        alike += 1 if raised[i] >= largest(raised) - TIE else 0
    return {
        "lags": numbered(LAGS), "signal": signal, "best": filled(STEPS + 1, best_accuracy(p)),
        "best_per_cent": [100.0 * best_accuracy(p)],
        "lag": [float(best_lag(K, p, N, many))], "alike": [float(alike)], "K": [float(K)],
        "edge": [1.0 if p <= 0.0 or p >= 1.0 else 0.0],
    }  # fmt: skip


def map_of(settings: Settings) -> Readings:
    """The favoured lag over nodes (27 rows) and chance (20 columns) for walks of this length, and where we are."""
    here, nodes, chances = zeros(SIZES * CHANCES), zeros(SIZES), zeros(CHANCES)
    for r in range(SIZES):
        nodes[r] = float(FIRST_K + r)
    for c in range(CHANCES):
        chances[c] = 0.5 + 0.025 * float(c)
    column = min(CHANCES - 1, floor((settings.p - 0.5) / 0.025 + 0.5))
    row = max(0, min(SIZES - 1, settings.K - FIRST_K))
    here[row * CHANCES + column] = 1.0
    return {
        "cells": best_lags(FIRST_K, SIZES, chances, settings.N, min(LAGS, settings.N - 1)), "here": here,
        "nodes": nodes, "chances": chances, "rows": [float(SIZES)], "columns": [float(CHANCES)],
    }  # fmt: skip


def outcome(accuracy: Vector, lag: Vector) -> Readings:
    """Of one run, at its end: right answers in per cent, of all runs and of those that read not the parent, lag 1."""
    last = len(accuracy) - 1
    other = lag[last] != 1.0
    return {
        "right": [100.0 * accuracy[last]], "right_other": [100.0 * accuracy[last] if other else nan],
        "other": [1.0 if other else 0.0], "three": [1.0 if lag[last] == 3.0 else 0.0],
        "five": [1.0 if lag[last] == 5.0 else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """The map, the signal at the chosen place, attention by lag, right answers."""
    signal = [Line("laws.signal", "signal E over its largest", theory=True)]
    right = Line("accuracy", "training", idea="fit"), Line("laws.best", "best on new walks", theory=True)
    return [
        heatmap("map_of.cells", rows="map_of.rows", columns="map_of.columns", frames=False, idea="attention",
                xlabel="clockwise chance p (share)", ylabel="nodes K (nodes)", clabel="favoured lag (steps)",
                title="Which ancestor the second step favours", xticks="map_of.chances", yticks="map_of.nodes",
                pick=("p", "K"), outline="map_of.here", outline_label="here", vmin=1.0, height=300),
        lines("laws.lags", signal, xlabel="lag (steps before the target)", ylabel="signal (share of the largest)",
              title="What the second step raises", ylim=(None, 1.01), height=300),
        attention_by_lag(160),
        over_steps("Right answers", "accuracy on its walks (share)", *right, ylim=(0, 1.02), height=160),
    ]  # fmt: skip


READING = [
    [
        Say("Without chance lags that differ by K = {laws.K} are one and the same.", "laws.edge >= 1"),
        Say("In the mean over all walks the second step favours several lags alike, also lag {laws.lag}.",
            "laws.alike >= 2"),
        Say("In the mean over all walks the second step favours the parent, lag 1.", "laws.lag == 1"),
        Say("In the mean over all walks the second step favours lag {laws.lag}, not the parent."),
    ],
    [
        *waiting(),
        Say("The layer is right in {right:0} % of its walks.", "laws.edge >= 1"),
        Say("In {sum.other} of {runs} runs another ancestor than the parent is read most, lag 3 in {sum.three}, lag 5 "
            "in {sum.five}; they are right in {right_other:0} % of their walks.", "sum.other >= 1"),
        Say("All runs read the parent most: right in {right:0} % of their walks."),
    ],
    [Say("On new walks no guess is right more often than {laws.best_per_cent:1} %.", "runs >= 1")],
]  # fmt: skip
TOUR = [
    Step("On a circle of 30 nodes, with a drift of 0.75, the second step favours an older ancestor than the parent.",
         point="What the second step raises"),
    Step(Say("Training follows, for good: such runs are right in {right_other:0} % of cases instead of "
             "{laws.best_per_cent:0} %.", "right_other < laws.best_per_cent"),
         "Training reads an older one, for good.", time=8, point="Right answers"),
    Step("The map says where that happens: large circles with a strong drift. A coloured cell is an older ancestor.",
         point="Which ancestor the second step favours"),
    Step("A small circle is safe: the walk comes round, and only the parent is always close.", K=6, p=0.75,
         point="Which ancestor is read"),
    Step("So is a walk without drift: that is what was tried in print.", K=20, p=0.5, point="Which ancestor is read"),
    Step("Longer walks do not help. With N = 301 the map has the same region.", K=30, p=0.75, N=301,
         point="Which ancestor the second step favours"),
]  # fmt: skip
