"""Plain Python that also runs in the reader's page, bit for bit: numbers, random numbers, optimisers, integrators.

Portable modules (these, `lib.models.*.textbook`, `lib.theory.*.portable`) are written in a part of Python that
`lib.portable.translation` checks and turns into JavaScript: numbers, conditions, lists of numbers and lists of such,
records (a dataclass or NamedTuple), tuples as results; arithmetic, comparisons, slices; `if`, `while`, `for` over
`range`, lists, `enumerate` and `zip`, list comprehensions; functions of the module or of other portable modules, with
defaults and arguments by name; `abs`, `sum`, `min`, `max`, `int`, `round`, `float`, `len`; numbers of a JSON
file, as constants (`recorded`); `print` of numbers. What may divide by zero goes through `divide`. The translator
refuses the rest, with the line, the reason and what to write instead.

Of a reader's Python more is taken: `**`, `math` and `numpy` on numbers, which are the functions of
`lib.portable.ordinary` (`lib.portable.python.run_bound` has Python do the same); hints that are missing come from the
calls. The library has its hints, and none of these: it is the same in any CPython.

A portable run is a *textbook* (`lib.portable.textbooks`): `start(settings, seed)`, `step(state)`, `done(state)` and
`steps_of(settings)`, so that a page can compute it in slices; `run(textbook, seed=3)` goes to its end, recorded. A
portable formula serves NumPy as well: `lift(formula)` takes arrays.
"""

from lib.portable.lifting import lift
from lib.portable.textbooks import Textbook, finish, run
from lib.portable.translation import OutsideSubset, check, javascript

__all__ = ["OutsideSubset", "Textbook", "check", "finish", "javascript", "lift", "run"]
