"""The figures' JavaScript in QuickJS, without a page: modules of `hal/explorer/js`, and values that they give."""

import json
import re

import quickjs

from hal.explorer.assets import HERE, joined_js


def engine(*modules):
    """QuickJS with these modules and all that they need, in one scope, names that they do not export included."""
    entry = ""
    for module in modules:
        text = (HERE / "js" / f"{module}.js").read_text(encoding="utf-8")
        name = re.search(r"^export (?:async )?(?:function|const) (\w+)", text, re.M)[1]
        entry += f'import {{ {name} }} from "./{module}.js";\n'
    context = quickjs.Context()
    context.eval(joined_js(entry))
    return context


def page_value(context, code):
    """What an expression gives, as far as JSON has it."""
    return json.loads(context.eval(f"JSON.stringify({code})"))
