"""Joint flow beside reference dynamics: fates, timing, overlap. Known limits, and bad input."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs.compare import both
from hal.chapters.scan_snap.runs.fates import fate
from hal.chapters.scan_snap.runs.overlap import overlap_scan
from hal.chapters.scan_snap.runs.stage_times import timing
from lib.errors import InputError
from lib.models import scan_snap as ss


def test_speeds_are_slopes_of_the_paths():
    run = both(ss.base_task(L=None), 1.0, 1.0, [9.999, 10.0, 10.001])
    for z, speed in ((run.joint, run.joint_speed), (run.reference, run.reference_speed)):
        np.testing.assert_allclose((z[2] - z[0]) / 0.002, speed[1], atol=2e-5)
    np.testing.assert_allclose(run.joint_attention.sum(axis=-1), 1)
    np.testing.assert_allclose(run.reference_attention.sum(axis=-1), 1)


def test_fate_follows_the_named_tokens():
    path = fate(6.0, [1.0, 100.0])
    assert path.token[-1, 0] > 0
    assert (path.common[-1] < 0).all()
    assert (path.distinct[-1] > 0.3).all()
    np.testing.assert_allclose(path.token, path.mirror, atol=1e-6)  # one query: mirror images move alike
    own = fate(6.0, [1.0, 100.0], queries="own")
    assert own.token[-1, 0] > 0 > own.mirror[-1, 0]
    assert own.threshold == pytest.approx(1 / own.rho)


def test_time_scales_with_the_rate():
    slow, fast = timing(lr_Y=0.05), timing(lr_Y=0.5)
    assert slow.unit == pytest.approx(10 * fast.unit)
    np.testing.assert_allclose(slow.peak, fast.peak)
    np.testing.assert_allclose(slow.exponent, fast.exponent, rtol=1e-4)
    assert fast.exponent[0] == pytest.approx([2, 2], abs=0.2)  # the decoder grows like t, attention like its integral


def test_overlap_moves_the_common_token_down_more():
    found = overlap_scan([0.1, 0.3], 1.0)
    assert (np.diff(found.joint) < 0).all()
    assert (np.diff(found.reference) < 0).all()
    assert (found.reference < found.joint).all()
    assert (found.joint < 0).all()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: fate(0.5, [1.0]), "kappa: .*at least 1"),
        (lambda: fate(2.0, [1.0], common=0), "common: .*at least 1 common token"),
        (lambda: fate(2.0, [1.0, 0.5]), "times: .*increasing"),
        (lambda: timing(ratio=0.0), "ratio: .*positive"),
        (lambda: timing(span=(1.0, 0.5)), "span: "),
        (lambda: overlap_scan([1.0], 1.0), r"rho: .*\(0, 1\)"),
        (lambda: overlap_scan([0.1], 0.0), "time: .*positive"),
    ],
)
def test_bad_input_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
