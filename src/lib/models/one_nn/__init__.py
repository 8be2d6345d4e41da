"""The one-nearest-neighbour task in context and its softmax model (chapter `one_nn`, arXiv 2411.10830)."""

from lib.models.one_nn.fast import *  # noqa: F403 - its `__all__` says what
from lib.models.one_nn.fast import __all__
