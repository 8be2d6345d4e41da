"""Figure `linear_block-sees`: what the output can see, as residual, MLP and mask are cut from the block.

Chapter `linear_block`. Source: arXiv 2402.14951, equation D.1 and Theorem 4.1; parts, switches and what is best without
the mask are ours.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.runs.cut_block import parts_and_risks, risks_by_mean
from hal.explorer import Line, Mark, Say, Slider, Step, bars, heatmap, lines, over_steps, sliders
from lib.models.linear_block import textbook_parts
from lib.models.linear_block.textbook_parts import PARTS, SHOWN, Settings
from lib.portable.primitives import Readings, Vector
from lib.theory.linear_block.portable_cut import best_numbers

PROMPTS = 480  # a run
NAMES = ("the start, α", "labels × features", "features twice", "labels twice", "query as example")
PARTED, SIZES, EMPTY = "Five parts of 12 answers", "Size of each part", "Answer without examples"
FINISHED = 1  # the kind that is cut afterwards
TITLE, RUN, COLUMNS, RUNS, FIRST = "Cut the MLP: the start vanishes", textbook_parts, 3, 4, 2
TIME, TIME_LABEL, FOLDED, SIGHT = "prompts", "prompts drawn (prompts)", 2, ("mlp", "kind", "M")
SLIDERS = {
    **sliders(TABLE, residual=1, mlp=0, mask=1),
    "kind": Slider("Block", default=1, names={0: "learned so", 1: "finished, cut", 2: "random", 3: "random again"}),
    **sliders(TABLE, M=20, d=4, norm=2.0, sigma=0.5),
}


def settings(residual: int, mlp: int, mask: int, kind: int, M: int, d: int, norm: float, sigma: float) -> Settings:
    """The best block of those with these switches, or of all (finished), or random matrices; and the task."""
    alive = 1 if kind == FINISHED else residual * mlp
    masked = 1 if kind == FINISHED else mask
    block = best_numbers(d, float(M), 1.0, sigma, norm, alive, masked)
    return Settings(kind, block, residual, mlp, mask, d, M, sigma, norm, PROMPTS)


def laws(settings: Settings) -> Readings:
    """The sizes of the parts, the risk of this block, of the best that is left and of the best block; the output on an
    empty prompt along the mean.
    """
    return parts_and_risks(settings)


def by_mean(settings: Settings) -> Readings:
    """Risks over the length of the prior mean: the best block, the best of what is left, the finished one, cut."""
    return risks_by_mean(settings)


def outcome(risk: Vector) -> Readings:
    """The mean squared error of a run on all its prompts."""
    return {"end": [risk[len(risk) - 1]]}


def panels() -> list[Any]:
    """Parts on some prompts, their sizes, the output on an empty prompt, risk over prompts and over the prior mean."""

    def known(name: str, label: str, idea: str | None = None) -> Line:
        return Line(name, label, idea=idea, theory=True)

    left, best = ("best of what is left", "attention"), ("best block", "first")
    told, bent = Line("sizes", "told apart", idea="step"), Line("empty", "this block", idea="step")
    risks = [Line("risk", "this block on prompts", idea="step", each=True), known("laws.risk", "this block")]
    risks += [known("laws.left", *left), known("laws.best", *best)]
    means = [known("by_mean.cut", "finished, cut", "step"), known("by_mean.left", *left), known("by_mean.best", *best)]
    return [
        heatmap("shown", rows=PARTS, columns=SHOWN, frames=False, xlabel="prompt (number)", diverging=True,
                ylabel="part of the output (no unit)", clabel="part (labels)", title=PARTED,
                xticks="laws.prompt", yticks="laws.rows", ynames=NAMES, height=200),
        bars("laws.numbers", [told, known("laws.sizes", "theory")], frames=True, ylim=(0, None), height=200,
             xlabel="row of the first picture (number)", ylabel="root mean square (labels)", title=SIZES),
        lines("laws.query", [bent, known("laws.whole_empty", *best)], xlabel="query along the prior mean (no unit)",
              ylabel="output (labels)", title=EMPTY, height=200),
        over_steps("Risk", "risk (squared labels)", *risks, x=TIME, xlabel=TIME_LABEL, ylog=True, yswitch=True,
                   height=200),
        lines("by_mean.norm", means, xlabel="norm of the prior mean ‖β*‖ (no unit)", title="Price of the cut",
              ylabel="risk (squared labels)", yswitch=True, height=200, marks=[Mark("by_mean.now", "this ‖β*‖")]),
    ]  # fmt: skip


DEAD, CALM = "the query's own copy never reaches the output: α is zero.", ("laws.kind < 2", "laws.norm <= 0")
TOLD = f"on {PROMPTS} drawn prompts {{end}}"  # in the middle of the runs
DRAWN = f"has the risk {{laws.own:3}}, {TOLD};"
MEDIAN = "risk"
READING = [
    [
        Say(f"Without residual and MLP {DEAD}", "laws.residual == 0", "laws.mlp == 0"),
        Say(f"Without the residual {DEAD}", "laws.residual == 0"),
        Say(f"Without the MLP {DEAD}", "laws.mlp == 0"),
        Say("α could be there, but with the mean at zero the best α is zero.", *CALM),
        Say("With residual and MLP α is nonzero: its part has the size {laws.alpha}."),
    ],
    [
        Say("Without the mask the query counts as an example, which is harmless with the mean at zero.",
            "laws.mask < 1", *CALM),
        Say("Without the mask the query counts as an example with the label 0, which adds a part of size "
            "{laws.cube}.", "laws.mask == 0"),
    ],
    [
        Say(f"Nothing is cut: the risk is {{laws.own:3}}, {TOLD}.", "laws.kind < 2", "laws.whole >= 1"),
        Say(f"The finished block, cut, {DRAWN} learned anew {{laws.left_now:3}}, uncut {{laws.best_now:3}}.",
            "laws.kind == 1"),
        Say(f"Learned with what is left, it {DRAWN} the best block has {{laws.best_now:3}}.", "laws.kind == 0"),
        Say(f"These random matrices have the risk {{laws.own:3}}, {TOLD}.", "laws.kind == 2"),
    ],
]  # fmt: skip
TOUR = [
    Step("The best block takes one gradient step: the query alone says where it starts, labels times features move "
         "it, features twice take back what the start says of the examples.", mlp=1, point=PARTED),
    Step(Say("Cut the MLP out. The first row vanishes: the risk is {laws.own:2}, not {laws.best_now:2}."),
         "Cut the MLP out. The first row vanishes.", point=PARTED),
    Step("Cut the residual instead: that row vanishes. α needs both.", mlp=1, residual=0, point=SIZES),
    Step(Say("Learned anew without the MLP: labels twice imitate a start, and the risk is {laws.own:2}."),
         "Learned anew without the MLP: labels twice imitate a start.", kind=0, point="Risk"),
    Step("Random matrices: α is zero here as well. What vanishes, vanishes for all weights.", kind=2, point=PARTED),
    Step("Cut the mask from the finished block: on an empty prompt the output bends, because the query counts as "
         "an example.", mlp=1, mask=0, M=6, point=EMPTY),
    Step("With the mean at zero there is no start to hold, and the MLP is worth nothing.", norm=0,
         point="Price of the cut"),
]  # fmt: skip
