"""Cache of slow chapter functions, keyed by their source: the build of the book computes, its tests read.

Off unless the environment names a directory (`LIB_REMEMBER`), as the build and the tests of the book do; a reader's
call always computes. The key is that of a sweep's cache, see `keys`: the code, the files that it imports, the versions
of the libraries, and the arguments. A changed line that the function depends on is computed anew.
"""

import contextlib
import functools
import hashlib
import inspect
import json
import os
import pickle
import platform
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lib.keys import describe_run

__all__ = ["REMEMBER", "remembered"]

REMEMBER = "LIB_REMEMBER"  # the environment's variable: a directory, made if missing

P = ParamSpec("P")
R = TypeVar("R")


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function of a module that depends on its arguments alone, and whose result can be pickled.

    Each directory holds one result for the same arguments: that of the sources that ran last.

    Example:
        >>> @remembered
        ... def halves(n):
        ...     return [i / 2 for i in range(n)]
        >>> halves(3)
        [0.0, 0.5, 1.0]
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        folder = os.environ.get(REMEMBER)
        if not folder:
            return function(*args, **kwargs)
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        path = _path(Path(folder), function, dict(given.arguments))
        if path.is_file():
            found: R = pickle.loads(path.read_bytes())
            return found
        result = function(*args, **kwargs)
        with contextlib.suppress(OSError):  # a directory that cannot be written, a full disk: it is computed again
            _keep(path, result)
        return result

    return call


def _path(folder: Path, function: Callable[..., Any], arguments: dict[str, Any]) -> Path:
    """NAME-ARGUMENTS-KEY.pickle"""
    about = describe_run(functools.partial(function, **arguments))
    key = json.dumps([about, platform.machine(), platform.python_version()])
    name = f"{function.__module__}.{function.__qualname__}".replace("<locals>.", "")
    return folder / f"{name}-{_hash(repr(arguments))}-{_hash(key)}.pickle"


def _keep(path: Path, result: Any) -> None:
    """Write a result whole or not at all, in place of those of other sources."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        partial.write_bytes(pickle.dumps(result))
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    for other in path.parent.glob(f"{path.name.rpartition('-')[0]}-*.pickle"):
        if other != path:
            other.unlink(missing_ok=True)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
