"""Settings by name, which in the page its host makes."""

from collections.abc import Mapping
from typing import Any, TypeVar, get_type_hints

from lib.errors import InputError, is_whole, require

__all__ = ["settings_from"]

Settings = TypeVar("Settings", bound=tuple[Any, ...])


def settings_from(kind: type[Settings], values: Mapping[str, Any]) -> Settings:
    """A NamedTuple of settings (int, float, Vector) from some values, name -> number; the others keep their defaults.

    A whole number for a float becomes one, as it is in the page; an unknown name, or what is no number of its kind, is
    refused.

    Example:
        >>> from typing import NamedTuple
        >>> class Sizes(NamedTuple):
        ...     T: int = 64
        ...     lr: float = 0.1
        >>> settings_from(Sizes, {"lr": 1})
        Sizes(T=64, lr=1.0)
    """
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for name, value in values.items():
        require(name in hints, "settings", f"some of {', '.join(hints)}", name)
        if hints[name] is int:
            require(is_whole(value), name, "a whole number", value)
            given[name] = int(value)
        elif hints[name] == list[float]:
            given[name] = [float(v) for v in value]
        else:
            try:
                given[name] = float(value)
            except (TypeError, ValueError):
                raise InputError(f"{name}: expected a number, got {value!r}") from None
    return kind(**given)
