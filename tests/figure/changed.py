"""A figure's module with some names changed, as `Computed` reads it."""

from types import ModuleType, SimpleNamespace
from typing import Any


def changed(module: ModuleType, **names: Any) -> Any:
    """The module's names, these in place of its own; None takes one away."""
    kept = {name: value for name, value in {**vars(module), **names}.items() if value is not None}
    return SimpleNamespace(**kept)
