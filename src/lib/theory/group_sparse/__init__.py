"""What theory predicts for group-sparse classification (chapter `group_sparse`, arXiv 2504.08638); imports no model."""

from lib.theory.group_sparse.population import *  # noqa: F403
from lib.theory.group_sparse.population import __all__
