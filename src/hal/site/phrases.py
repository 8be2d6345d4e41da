"""Sphinx extension: phrases of the text that set an explorer, `[try $Q = 4$](#scb-run:Q=4,c=0.5)`.

The address of the link is the one an explorer writes itself: `#NAME:SETTING=VALUE,...`, with `seed`, `run`, `t`
(time) and `tour` (a step) besides; settings left out stand at their default. On the page the chart script follows it
(`hal/figure/js/links.js`). While building, the explorer must be on the page and take the values.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from hal.figure.controls import SLACK

ADDRESS = re.compile(r"#([a-z][a-z0-9_-]*):(.+)", re.S)
SPEC = re.compile(r'class="le-spec">(.*?)</script>', re.S)
#: A number in a link, as the page reads it.
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
PHRASE = "explorer-phrase"
log = logging.getLogger(__name__)


class MarkPhrases(SphinxTransform):
    """Links that set an explorer, marked before MyST looks for headings of that name."""

    default_priority = 870  # MyST resolves `#...` at 879

    def apply(self, **_: Any) -> None:
        """Mark the links of the page."""
        for link in list(self.document.findall(nodes.reference)):
            if link.get("id_link") and ADDRESS.fullmatch(link.get("refuri", "")):
                del link["id_link"]
                link["internal"] = True
                link["classes"].append(PHRASE)


def _number(text: str) -> float:
    return float(text) if DECIMAL.fullmatch(text) else float("nan")


def fault(spec: Mapping[str, Any], name: str, text: str) -> str:
    """Why an explorer does not take a setting of a link, or its "seed", "run", "t" or "tour"; empty if it does."""
    value = _number(text)
    control = next((c for c in spec["controls"] if c["name"] == name), None)
    if control is None:
        most = {"seed": 1e9, "run": spec["computes"]["runs"], "t": 1e15, "tour": len(spec["tour"])}
        if not most.get(name):
            return f"expected one of {[c['name'] for c in spec['controls']]}, got {name!r}"
        least = 1 if name in ("run", "tour") else 0
        good = least <= value <= most[name] and (name == "t" or value.is_integer())
        return "" if good else f"{name}: expected a number from {least} to {most[name]:g}, got {text!r}"
    if "weights" in control:  # `mu=0.2/0.3/0.5`
        weights = [_number(part) for part in text.split("/")]
        good = all(weight >= 0 for weight in weights) and abs(sum(weights) - 1) <= SLACK
        return "" if good else f"{name}: expected numbers of at least 0 with sum 1, got {text!r}"
    kind = "a whole number" if control["integer"] else "a number"
    good = control["low"] <= value <= control["high"] and (not control["integer"] or value.is_integer())
    return "" if good else f"{name}: expected {kind} from {control['low']:g} to {control['high']:g}, got {text!r}"


def check(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Warn of every phrase whose explorer is not on its page, or does not take what the phrase sets."""
    phrases = [link for link in doctree.findall(nodes.reference) if PHRASE in link["classes"]]
    if not phrases:
        return
    found = [match for raw in doctree.findall(nodes.raw) for match in SPEC.findall(raw.astext())]
    specs = {spec["name"]: spec for spec in map(json.loads, found)}
    for link in phrases:
        match = ADDRESS.fullmatch(link["refuri"])
        assert match is not None
        name, pairs = match[1], [pair.partition("=") for pair in match[2].split(",")]
        if name not in specs:
            faults = [f"expected an explorer of this page ({', '.join(sorted(specs)) or 'it has none'}), got {name!r}"]
        else:
            faults = [fault(specs[name], setting, text) for setting, _, text in pairs]
        for reason in filter(None, faults):
            log.warning("link %s: %s", link["refuri"], reason, location=link)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.add_transform(MarkPhrases)
    app.connect("doctree-resolved", check)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
