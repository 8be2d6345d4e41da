"""The sparse contextual bigram task and its one-layer models (chapter `scb`, arXiv 2410.23438)."""

from lib.models.scb.fast import *  # noqa: F403 - its `__all__` says what
from lib.models.scb.fast import __all__
