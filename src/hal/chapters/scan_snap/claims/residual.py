"""Claims SNAP-39, 40: what a residual connection changes, which the paper names as future work.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 7 (residue connection).
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs import local_run, local_task, own_query, rates, start_inputs
from hal.chapters.scan_snap.runs.residual import Local, OwnQuery, tracked
from hal.claims import Part, Result, claim, result
from lib import optim
from lib.theory import scan_snap as theory

_STILL = 0.05  # share of the motion without residual connection that would still count as standing still

_KINDS = ("token of one class of each query", "token common to the classes of a query", "distinct token")


@cache
def _local(weight: float, M: int | None = None) -> Local:
    return local_run(weight, M, step=0.2)


@cache
def _own(weight: float, momentum: bool) -> OwnQuery:
    """100 steps with momentum at rate 1, or 2500 plain ones at 0.2."""
    return own_query(weight) if momentum else own_query(weight, rates(0.2, 0.2, optim.sgd), 2500)


@claim(
    "SNAP-39",
    where="Section 7 (residue connection), left there to future work",
    says=(
        "With a residual connection common and distinct become local to a query: a token that occurs with two queries, "
        "but in one class of each, gains attention; without the connection it loses. (Four classes, 32 outputs.)"
    ),
    control={"weight": 0.0},
    breaks="the residual connection is cut: the decoder does not see the query",
    verdict="holds in a regime",
    regime=(
        "Once the decoder reads the query: until then the token falls, since at first the connection only halves every "
        "drift. And with outputs that never occur: without them the token gains only for a while."
    ),
)
def _check_39(weight: float = 1.0) -> Result:
    run, bare, few, heavy = _local(weight), _local(0.0), _local(weight, 4), _local(3.0)
    drift = run.drift / _closed_drift()
    return result(
        *_fates("reference dynamics, first motion", run.reference),
        *_fates("joint training, logit at step 500", (run.token[-1], run.common[-1], run.distinct[-1])),
        Part(f"the same without residual connection: {_KINDS[0]}", bare.token[-1], 0, 0, "at most"),
        *(
            Part(f"joint training, first drift over theory without the connection: {_KINDS[i]}", drift[i], 0.5, 1e-3)
            for i in (0, 2)
        ),
        Part("step at which the first token turns from falling to rising", _turn(run), 10, 0, "at most"),
        Part("no never-next outputs: its logit at step 500 less the largest, nats", _lost(few), -0.01, 0, "at most"),
        Part("its logit over that of the distinct token", run.token[-1] / run.distinct[-1], 0.9, 0, "at most"),
        Part("the same with a query of weight 3", heavy.token[-1] / heavy.distinct[-1], 0.9, 0, "at least"),
    )


def _fates(word: str, moves: Iterable[float]) -> list[Part]:
    """The first token and the distinct one should rise, the common one fall."""
    first, common, distinct = moves
    return [
        Part(f"{word}: {_KINDS[0]}", first, 0, 0, "at least"),
        Part(f"{word}: {_KINDS[1]}", common, 0, 0, "at most"),
        Part(f"{word}: {_KINDS[2]}", distinct, 0, 0, "at least"),
    ]


def _closed_drift() -> NDArray[np.float64]:
    """First drift of token, common and distinct without residual connection, by theory."""
    task = local_task()
    return theory.first_drift(start_inputs(task), task.query, task.M, 0.0)[0, tracked(task)]


def _turn(run: Local) -> float:
    """Time at which the token's logit is lowest."""
    return float(run.times[run.token.argmin()])


def _lost(run: Local) -> float:
    """How far below its largest value the token's logit ends, nats."""
    return float(run.token[-1] - run.token.max())


@claim(
    "SNAP-40",
    where="Section 7 (residue connection: no interactions across queries)",
    says=(
        "With a residual connection and a query for each class (Syn-Small), the query alone decides, classes do not "
        "interact, and attention stays where it is."
    ),
    control={"weight": 3.0},
    breaks="the query weighs three times as much as the contextual tokens: overlaps are a tenth, and attention stays",
    verdict="fails",
    regime="The connection halves the overlap and does not remove it. Attention still moves.",
)
def _check_40(weight: float = 1.0) -> Result:
    fast, bare_fast, slow, bare_slow = (_own(w, momentum) for momentum in (True, False) for w in (weight, 0.0))
    word = "logit of the top distinct token, over that without residual connection"
    return result(
        Part(f"100 momentum steps at rate 1: {word}", fast.logit / bare_fast.logit, 0, _STILL),
        Part(f"2500 plain steps at rate 0.2: {word}", slow.logit / bare_slow.logit, 0, _STILL),
        Part("reference dynamics, first motion: the same ratio", fast.reference / bare_fast.reference, 0, _STILL),
    )
