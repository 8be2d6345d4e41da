"""Regression in context and the linear transformer block that does it (chapter `linear_block`, arXiv 2402.14951)."""

from lib.models.linear_block.fast import *  # noqa: F403 - its `__all__` says what
from lib.models.linear_block.fast import __all__
