"""What readers can change in chapter `scan_snap` at a click; see `hal.figure.editor.Start`.

Source: arXiv 2305.16380; the changes are ours.
"""

from hal.figure.editor import Start

ATTENTION, TEXTBOOK = "scan_snap-attention", "lib.models.scan_snap.textbook"
Y = "    move(state.Y, state.grad_Y, state.memory_Y, settings.lr_Y, settings.optimiser)\n"
Z = "    move(state.Z, state.grad_Z, state.memory_Z, settings.lr_Z, settings.optimiser)\n"

STARTS = [
    Start(
        ATTENTION,
        "Freeze the decoder",
        TEXTBOOK,
        ((Y, ""),),
        "Attention does not move: a decoder that knows nothing gives attention no reason to prefer any word.",
        lambda mine, book: abs(mine["common_mass"] - 0.645) < 0.01 and mine["loss"] > 3.0 > book["loss"],
    ),
    Start(
        ATTENTION,
        "Let the decoder forget",
        TEXTBOOK,
        ((Y, "    scale(state.Y, 0.9)\n" + Y),),
        "The decoder keeps making errors, so it keeps teaching: common words fall further than without weight decay.",
        lambda mine, book: mine["loss"] > book["loss"] and mine["common_mass"] < book["common_mass"] - 0.04,
    ),
    Start(
        ATTENTION,
        "Freeze attention",
        TEXTBOOK,
        ((Z, ""),),
        "The decoder learns all the same, but it ends wrong about twice as often. In this task attention helps; it is "
        "not needed.",
        lambda mine, book: 1.7 < mine["wrong"] / book["wrong"] < 2.4 and mine["common_mass"] > 0.6,
    ),
    Start(
        ATTENTION,
        "Let attention climb",
        TEXTBOOK,
        ((Z, Z.replace("settings.lr_Z", "-settings.lr_Z")),),
        "Common words end with more than 99% of the attention.",
        lambda mine, book: mine["common_mass"] > 0.99,
    ),
]
