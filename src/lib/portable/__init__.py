"""Plain Python that also runs in the reader's page, bit for bit: numbers, random numbers, optimisers, integrators.

Portable modules (these, `lib.models.*.textbook`, `lib.theory.*.portable`) are written in a small part of Python that
`lib.portable.translation` checks and turns into JavaScript. The part, in short: every parameter and result has its
kind; numbers, whole numbers, conditions, arrays, records (a dataclass or NamedTuple of such), tuples as results; the
signs + - * / and, for whole numbers, //; comparisons; `if`, `while`, `for` over `range`; functions of the module or of
other portable modules, called with arguments in their order or by name, as records are, whose fields may have a number
as their default; numbers of a JSON file, as constants (`recorded`). Whole numbers become fractions by `float(n)`,
fractions whole numbers by `floor(x)`, and nothing happens by itself. What may divide by zero goes through `divide`. The
translator refuses the rest, with the line, the reason and what to write instead.

A portable run is a *textbook* (`lib.portable.textbooks`): `start(settings, seed)`, `step(state)`, `done(state)` and
`steps_of(settings)`, so that a page can compute it in slices; `run(textbook, seed=3)` goes to its end, recorded. A
portable formula serves NumPy as well: `lift(formula)` takes arrays.
"""

from lib.portable.lifting import lift
from lib.portable.textbooks import Textbook, finish, run
from lib.portable.translation import OutsideSubset, check, javascript

__all__ = ["OutsideSubset", "Textbook", "check", "finish", "javascript", "lift", "run"]
