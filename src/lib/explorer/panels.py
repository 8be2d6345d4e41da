"""Panels of an explorer by the names that an author calls them: `lines`, `bars`, `heatmap`, `plane`, `cloud`.

Each is a dataclass that states its fields once; those after the first one or two go by keyword::

    lines("steps", [Line("loss", "loss")], xlabel="time (steps)", ylabel="loss (nats)", title="Loss", ylog=True)
"""

from __future__ import annotations

from lib.explorer.charts import Bars, Lines
from lib.explorer.clouds import Cloud
from lib.explorer.scenes import Heatmap, Plane

lines = Lines
bars = Bars
heatmap = Heatmap
plane = Plane
cloud = Cloud
