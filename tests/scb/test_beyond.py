"""The theory of the chapter beyond the paper, found another way: Stage 1 from scratch."""

import numpy as np
import pytest

from hal.chapters.scb.theory import portable_transfer
from lib.theory import scb


def test_stage_1_takes_what_the_sign_law_asks_for_and_more_where_noise_would_feed_itself():
    for N, T, c in ((4, 1024, 0.75), (2, 300, 0.5), (8, 400, 0.3), (4, 8, 0.75)):
        task = scb.ring_constants(N, T, c, (0.6, 0.4))
        if 0.2 * task.K_Q * T <= 1:
            assert np.isnan(portable_transfer.stage1_samples(task))
            continue
        quiet = float(scb.escape_time(0.1, 1, task.K_Q, T))
        by_sign = float(scb.batch_for_sign(1, task.s2, T, 0.9)) * quiet
        by_loop = 2 * float(scb.noise_loop(1.0, T, N, task.K_P, task.K_Q, task.tr_S2)) * T * quiet
        assert portable_transfer.stage1_samples(task) == pytest.approx(max(by_sign, by_loop), rel=1e-9)
