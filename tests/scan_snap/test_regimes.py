"""The six regimes of the chapter: one dash each, in its table, and all its figures."""

import matplotlib.pyplot as plt

from hal.chapters.scan_snap import figures
from hal.chapters.scan_snap.figures import attention, growth, snap
from hal.chapters.scan_snap.figures.predictions import dashes
from hal.explorer import Line
from hal.explorer.charts import Lines
from hal.palette import REGIMES


def drawn(regime):
    """The dashes, in points, of a line of a regime as Matplotlib draws it."""
    (line,) = plt.figure().add_subplot().plot([0, 1], [0, 1], **dashes(regime))
    plt.close("all")
    return [length / line.get_linewidth() for length in line._dash_pattern[1] or ()]


def test_every_regime_has_a_dash_of_its_own():
    broken = [pattern for regime, pattern in REGIMES.items() if regime not in ("finite", "joint")]
    assert len(set(broken)) == 4
    assert all(len(pattern) % 2 == 0 and min(pattern) > 0 for pattern in broken)
    for regime, pattern in REGIMES.items():
        assert drawn(regime) == list(pattern)


def test_figures_of_the_reduced_system_are_dotted():
    for figure in (figures.fixed_ratio(),):
        curves = [line for ax in figure.axes for line in ax.get_lines() if len(line.get_xdata()) > 2]
        assert curves
        for line in curves:
            assert [length / line.get_linewidth() for length in line._dash_pattern[1]] == list(REGIMES["reduced"])


def test_lines_of_the_figures_that_compute_have_the_dash_of_their_regime():
    found = set()
    for module in (attention, snap, growth):
        for panel in module.panels():
            for line in panel.series if isinstance(panel, Lines) else ():
                assert isinstance(line, Line)
                regime = "infinite" if line.name.startswith("endless.") else line.idea
                if regime in ("infinite", "reduced"):
                    assert line.theory
                    assert line.dash == REGIMES[regime], line.label
                    found.add(regime)
                else:
                    assert line.dash == ()
    assert found == {"infinite", "reduced"}
