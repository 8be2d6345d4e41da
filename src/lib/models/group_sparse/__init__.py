"""The group-sparse classification task and its one-layer transformer (chapter `group_sparse`, arXiv 2504.08638)."""

from lib.models.group_sparse.fast import *  # noqa: F403 - its `__all__` says what
from lib.models.group_sparse.fast import __all__
