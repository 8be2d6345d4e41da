"""What of an instrument is in sight at once, and what waits, folded: settings and panels.

`js/layout.js` is the page's side, `hal.figure.notebook` the kernel's.
"""

from collections.abc import Sequence

from lib.errors import require, whole

SETTINGS = 3  # in sight; the others stand under "More settings"
HERO = 7  # the same of a chapter's one hero: with Play, the tour and what is dragged ten at most
PANELS = 4  # in sight, the large one among them; the others stand under "More curves"
SMALL = 6  # in sight at most, where three stand in a row


def settings_behind(primary: Sequence[str] | None, hero: bool, shown: Sequence[str]) -> tuple[str, ...]:
    """Names of the settings that stand under "More settings".

    Args:
        primary: those in sight, at most three, of a hero seven; None: the first three, of a hero all.
        hero: whether it is the chapter's one.
        shown: the settings that are not hidden, in their order.

    Example:
        >>> settings_behind(["T", "lam"], False, ["T", "N", "Q", "lam"])
        ('N', 'Q')
    """
    if primary is None:
        return () if hero else tuple(shown[SETTINGS:])
    unknown = [name for name in primary if name not in shown]
    require(not unknown, "PRIMARY_SLIDERS", f"settings that are not hidden ({', '.join(shown)})", unknown)
    most = HERO if hero else SETTINGS
    require(0 < len(set(primary)) <= most, "PRIMARY_SLIDERS", f"from 1 to {most} settings", list(primary))
    return tuple(name for name in shown if name not in primary)


def panels_behind(collapsed: int | None, panels: int, columns: int | None = None) -> int:
    """How many of the last panels stand under "More curves".

    Args:
        collapsed: how many; None: those after the fourth.
        panels: how many there are.
        columns: panels a row.

    Example:
        >>> panels_behind(None, 6), panels_behind(3, 6), panels_behind(0, 6, 3)
        (2, 3, 0)
    """
    if collapsed is None:
        return max(0, panels - PANELS)
    least = max(0, panels - (SMALL if columns == 3 else PANELS))
    good = least <= whole("COLLAPSED_PANELS", collapsed) < panels
    require(good, "COLLAPSED_PANELS", f"from {least} to {panels - 1} of {panels} panels", collapsed)
    return collapsed
