"""The figures' JavaScript without a page: modules of `hal/figure/js`."""

import re

from hal.figure.assets import HERE, joined_js
from lib.portable.engine import Engine


def engine(*modules):
    """An engine with these modules and all that they need, in one scope, names that they do not export included."""
    entry = ""
    for module in modules:
        text = (HERE / "js" / f"{module}.js").read_text(encoding="utf-8")
        name = re.search(r"^export (?:async )?(?:function|const) (\w+)", text, re.M)[1]
        entry += f'import {{ {name} }} from "./{module}.js";\n'
    return Engine(joined_js(entry))
