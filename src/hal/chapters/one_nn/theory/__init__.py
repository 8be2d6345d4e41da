"""Theory that this chapter alone uses; the paper's statements and the late law are in `lib.theory.one_nn`."""

from hal.chapters.one_nn.theory.beyond import slope_off_family, triple_share
from hal.chapters.one_nn.theory.shift import separated_loss, separated_slope
from hal.chapters.one_nn.theory.signs import wrong_sign
