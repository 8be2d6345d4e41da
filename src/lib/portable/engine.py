"""JavaScript without a browser: V8 in Python. It starts with the first engine; a forked process needs its own."""

import atexit
import json
import weakref
from typing import Any

_ALIVE: weakref.WeakSet[Any] = weakref.WeakSet()


class ScriptError(Exception):
    """A script threw; the text is what it said."""


class Engine:
    """One V8, with the names that scripts leave behind, `script` first; what throws raises `ScriptError`.

    Example:
        >>> engine = Engine("const half = (x) => x / 2;")
        >>> engine.eval("half(3)"), engine.value("[half(3), 'a', NaN]")
        (1.5, [1.5, 'a', None])
    """

    def __init__(self, script: str = "") -> None:
        self._v8 = _v8()
        self.eval(script)

    def eval(self, code: str) -> str | float | bool | None:
        """Run code; of its last expression the number, text or truth value, None if it is something else."""
        from py_mini_racer import JSEvalException

        try:
            found = self._v8.eval(code)
        except JSEvalException as error:
            # "PLACE: Error: T: expected more", then lines with the place.
            raise ScriptError(str(error).splitlines()[0].split(": ", 1)[-1]) from None
        return found if isinstance(found, (str, int, float)) else None

    def value(self, code: str) -> Any:
        """What an expression gives, as far as JSON has it: infinities and NaN are None."""
        return json.loads(str(self.eval(f"JSON.stringify({code}) ?? null") or "null"))


def _v8() -> Any:
    """A V8; the first one says how all of the process run."""
    from py_mini_racer import MiniRacer, init_mini_racer  # here: `import lib` has no need of it

    # with V8's helper threads, as in a browser: without them it makes machine code that is several times slower
    init_mini_racer(flags=(), ignore_duplicate_init=True)
    made = MiniRacer()
    _ALIVE.add(made)
    return made


@atexit.register
def _close() -> None:
    """Close every V8 before the process ends: one that Python finds at its very end may hang there."""
    for one in list(_ALIVE):
        one.close()
