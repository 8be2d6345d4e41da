"""Labels separated around the query, and prompts as inner products with it.

Chapter `one_nn`. Shapes and refusals are those of `lib.models.one_nn`.
"""

import numpy as np

from lib.errors import require
from lib.models.one_nn.fast import Prompts, Rows, products, targets


def separate(prompts: Prompts, delta: float) -> Prompts:
    """The same points, with labels separated around the query by the squared distance delta: 0 changes nothing.

    Every example with z_j > z_* - delta / 2 takes the label of the nearest one. Then every example labelled otherwise
    has |x_j - x_q|^2 >= |x_* - x_q|^2 + delta, as the theorem on distribution shift asks; with 4 all labels agree.
    """
    require(bool(0 <= delta <= 4), "delta", "a squared distance between 0 and 4", delta)
    z = products(prompts)
    near = z > z.max(axis=-1, keepdims=True) - delta / 2
    return prompts._replace(y=np.where(near, targets(prompts)[..., None], prompts.y))


def rows_of(prompts: Prompts) -> Rows:
    """Prompts as inner products; their labels are left out."""
    z = np.ascontiguousarray(products(prompts).swapaxes(-1, -2))
    return Rows(z, z.max(axis=1))
