"""A run to be watched: all of its attention, what it answers on one new walk, and how often on many.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 5. The run is that of `textbook_turns`.
"""

from dataclasses import dataclass

from lib.models.random_walk.textbook_measures import BY_LAG, LAGS, right_turns
from lib.models.random_walk.textbook_task import Settings, draw_walk
from lib.models.random_walk.textbook_turns import State, attend_walk, follow, gradient, steps_of, turned_output
from lib.models.random_walk.textbook_turns import done as run_done
from lib.models.random_walk.textbook_turns import start as start_run
from lib.portable.primitives import Readings, Table, Vector, Wholes, first, remainder, whole_table, whole_zeros, zeros
from lib.portable.random_numbers import generator
from lib.portable.records import Records, column, columns, ended, new_row, room_for
from lib.portable.vectors import argmax

__all__ = ["done", "read", "start", "step", "steps_of"]

NEW = 500  # walks that nobody trained on; all walks without chance are turns of one


@dataclass
class Watch:
    """A run, one new walk that is drawn, and others that measure."""

    run: State
    walk: Wholes  # (N,) nodes, the target last
    turns: Wholes  # (N - 1,) steps clockwise from its tokens to its target
    others: Table  # (NEW or 1, N - 1) the same of walks that measure; empty before one is needed
    kept: Records  # share of right answers on new walks; attention by place; the output on the walk by node


def turns_of(walk: Wholes, K: int) -> Wholes:
    """(N - 1,) steps clockwise from each token of a walk (N,) to its target, the last one."""
    last = len(walk) - 1
    turns = whole_zeros(last)
    for j in range(last):
        turns[j] = remainder(walk[last] + K - walk[j], K)
    return turns


def start(settings: Settings, seed: int) -> Watch:
    """A run before its walks are drawn, and one walk to look at."""
    run, walk = start_run(settings, seed), whole_zeros(settings.N)
    draw_walk(settings, walk, generator(seed, 2))
    width = settings.N + settings.K
    return Watch(run, walk, turns_of(walk, settings.K), whole_table(0, 0), room_for(run.kept.due, width))


def chances_after(settings: Settings, moves: int) -> Vector:
    """(K,) the chance of each turn after so many moves, a move at a time."""
    chances, after = zeros(settings.K), zeros(settings.K)
    chances[0] = 1.0
    for _ in range(moves):
        for k in range(settings.K):
            after[k] = 0.0
        for k in range(settings.K):
            right, left = remainder(k + 1, settings.K), remainder(k + settings.K - 1, settings.K)
            after[right] += settings.p * chances[k]
            after[left] += (1.0 - settings.p) * chances[k]
        chances, after = after, chances
    return chances


def decides(run: State, place: int) -> bool:
    """Whether the token at this place has the last word on every walk: its vote leads by more than all others hold."""
    leader = argmax(run.nu)
    top, second, least = run.nu[leader], run.nu[0 if leader > 0 else 1], run.nu[0]
    for k in range(len(run.nu)):
        least = min(least, run.nu[k])
        if k != leader:
            second = max(second, run.nu[k])
    return run.S[place] * (top - second) > (1.0 - run.S[place]) * (top - least)


def right_on_new(state: Watch) -> float:
    """The share of right answers on new walks: the accuracy of the one place that decides, or that of NEW walks."""
    run, settings, last = state.run, state.run.settings, state.run.settings.N - 1
    place = argmax(first(run.S, last))
    if decides(run, place):
        chances = chances_after(settings, last - place)
        return chances[argmax(run.nu)]
    if len(state.others) == 0:
        many = NEW if settings.p > 0.0 and settings.p < 1.0 else 1
        random, walk = generator(run.seed, 3), whole_zeros(settings.N)
        state.others = whole_table(many, last)
        for i in range(many):
            draw_walk(settings, walk, random)
            state.others[i] = turns_of(walk, settings.K)
    right = 0.0
    for i in range(len(state.others)):
        attend_walk(run, state.others[i])
        turned_output(run)
        right += right_turns(run.output)
    return right / float(len(state.others))


def look(state: Watch) -> None:
    """Measure what the pass that was made last has left, where a record is due."""
    if state.kept.count == state.run.kept.count:
        return
    run, row, settings = state.run, new_row(state.kept), state.run.settings
    last = settings.N - 1
    row[0] = right_on_new(state)
    for j in range(last):
        row[1 + j] = run.S[j]
    attend_walk(run, state.turns)
    turned_output(run)
    for k in range(settings.K):
        row[settings.N + remainder(state.walk[last] + k, settings.K)] = run.output[k]


def step(state: Watch) -> None:
    """One step, and what is seen before it where a record is due."""
    gradient(state.run)
    look(state)
    follow(state.run)


def done(state: Watch) -> bool:
    """Whether the run has ended."""
    return run_done(state.run)


def read(state: Watch) -> Readings:
    """What `textbook_turns` has, but attention by lag; of each record fresh (count,), the share of right answers on new
    walks; attention (count (N - 1),) by place, oldest first; outputs (count K,) by node, on a new walk of nodes walk
    (N - 1,) whose target has the mark in target (K,).
    """
    run, settings, kept = state.run.kept, state.run.settings, state.kept
    last = settings.N - 1
    walk, target = zeros(last), zeros(settings.K)
    for j in range(last):
        walk[j] = float(state.walk[j])
    target[state.walk[last]] = 1.0
    return {
        "steps": column(run, 0), "loss": column(run, 1), "accuracy": column(run, 2), "divergence": column(run, 3),
        "parent": column(run, 4), "lag": column(run, 5), "to_step": column(run, 6), "to_root": column(run, 7),
        "by_turn": columns(run, BY_LAG + LAGS, settings.K), "fresh": column(kept, 0),
        "attention": columns(kept, 1, last), "outputs": columns(kept, settings.N, settings.K), "walk": walk,
        "target": target, "diverged_at": ended(state.run.diverged_at),
    }  # fmt: skip
