"""The settings of the chapter, named alike in all its figures."""

from hal.figure import Say, Slider

NO_SIZE = tuple(Say("Applies to a push only.", f"push == {other}") for other in range(2))
NODES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd"
TABLE: dict[str, Slider] = {
    "K": Slider("Nodes K", "nodes", 6, (3, 30)),
    "N": Slider("Walk length N, the target included", "nodes", 97, (9, 301)),
    "places": Slider("Nodes seen", "nodes", 96, (8, 300)),
    "r": Slider("Whole rounds of the circle", "no unit", 3, (2, 16)),
    "p": Slider("Clockwise chance p", "no unit", 0.5, (0.0, 1.0)),
    "ratio": Slider("Encoding length / walk length", "no unit", 10.0, (1.0, 30.0)),
    "n": Slider("Walks n", "walks", 300, (10, 2000)),
    "lr": Slider("Learning rate η", "no unit", 1.0, (0.01, 3.0)),
    "lr_V": Slider("Value rate η_V", "no unit", 1.0, (0.001, 3.0)),
    "lr_W": Slider("Attention rate η_W", "no unit", 1.0, (0.001, 3.0), linked="lr_V"),
    "epsilon": Slider("Offset ε of the loss", "no unit", 0.1, (0.01, 3.0)),
    "sigma": Slider("Size of the random start σ", "no unit", 0.01, (1e-8, 0.03)),
    "push": Slider("What pushes it", names={0: "nothing", 1: "rounding", 3: "a push"}),
    "size": Slider("Size of the push", "no unit", 1e-9, (1e-15, 1e-2), idle=NO_SIZE),
}
