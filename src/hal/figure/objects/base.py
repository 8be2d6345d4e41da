"""What all scenes have in common: arrays by role, and a text in place of axes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from hal.figure.charts import Arrays
from hal.figure.facts import Numbers
from hal.figure.marks import colour
from hal.palette import IDEAS, PALETTE
from lib.errors import require

#: One tint a kind of token, the same in all scenes; vermilion is attention and none of them.
TINTS = tuple(PALETTE[name] for name in ("sky", "amber", "green", "purple", "blue", "grey"))


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A picture of an object.

    Args:
        alt: what it shows at the default, for those who do not see it.
        title: above it, where it stands among other panels; a small figure has its own title.
        height: pixels.
        wide: take the whole row.
        frames: whether the arrays that move hold one part for each training time.
    """

    kind: ClassVar[str]
    roles: ClassVar[tuple[str, ...]]  #: fields that are keys of arrays; "rows" and "columns" may be numbers too
    moved: ClassVar[tuple[str, ...]] = ()  #: fields that name settings moved in the picture

    alt: str
    title: str = ""
    height: int = 240
    wide: bool = False
    frames: bool = False

    def __post_init__(self) -> None:
        require(self.alt.strip(), f"alt of {self.kind}", "what the picture shows at the default", repr(self.alt))

    @property
    def settings(self) -> list[str]:
        """The settings that are moved in it."""
        given = [getattr(self, name) for name in self.moved]
        return [key for one in given if one for key in ((one,) if isinstance(one, str) else one)]

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads: every field that is no key of an array, ideas as colours."""
        told = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in self.roles}
        told |= {name: colour(told[name], 0) for name in told if name.endswith("idea")}
        look = {"tints": TINTS, "negative": IDEAS["mirror"]}
        return {"kind": self.kind, "scene": True, **told, **look}

    def sources(self) -> dict[str, str]:
        """The name behind every role."""
        return {role: name for role in self.roles if isinstance(name := getattr(self, role), str)}

    def check(self, numbers: Numbers) -> None:
        """Raise `InputError` where an array is missing or their sizes disagree."""
        arrays = {role: numbers.of(name) for role, name in self.sources().items()}
        for role, values in arrays.items():
            require(values.size, "run", f"a non-empty {self.sources()[role]!r}", values.size)
        self.check_sizes(arrays)

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""

    def agree(self, arrays: Arrays, role: str, size: int, other: str) -> None:
        """Raise unless the array of a role, if there is one, has so many numbers."""
        if role in arrays:
            expected = f"{getattr(self, role)!r} of {size} numbers, as {other}"
            require(
                arrays[role].size == size, f"{self.kind} of {self.title or 'the figure'}", expected, arrays[role].size
            )

    def whole(self, arrays: Arrays, role: str, size: int) -> None:
        """Raise unless the array of a role, if there is one, is one part of so many numbers, or several that move."""
        if role in arrays:
            found = arrays[role].size
            fits = found % size == 0 and (self.frames or found == size)
            require(fits, self.kind, f"{getattr(self, role)!r} of whole parts of {size} numbers", found)
