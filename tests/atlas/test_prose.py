"""What the chapter says in words: quoted as it stands, and computed."""

from lib.models import scan_snap as ss
from lib.theory import atlas as theory
from tests.prose import Prose

SAID = Prose("atlas")


def test_the_reading_at_half_way():
    SAID.says("comes at $\\tau={}$, with no number fitted", theory.half_clock(0.3, 0.02))
    SAID.says("At $0.45/0.03={}$.", theory.half_clock(0.45, 0.03))


def test_momentum_is_nine_steps_late():
    SAID.says("answers late, by $0.9/(1-0.9)={}$ steps", 0.9 / (1 - 0.9))


def test_what_is_heard_on_walks_is_about_a_thousandth():
    SAID.says("this part is about a thousandth")
    assert 0.0005 < SAID.measured("ATL-7", "share that is heard of the gradient") < 0.002


def test_frozen_attention_has_its_first_weight_on_distinct_tokens():
    task = ss.base_task()
    SAID.says("with {}% of the attention on distinct tokens, as", 100 * (task.P * task.distinct)[0].sum())
