"""The walk on a circle and the one-layer transformer that predicts it (chapter `random_walk`, arXiv 2511.23239)."""

from lib.models.random_walk.fast import *  # noqa: F403 - its `__all__` says what
from lib.models.random_walk.fast import __all__
