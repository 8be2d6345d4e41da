"""The bill of materials: what is carried stands in it, and no place on the machine that made it."""

import json

from tests.packages import ROOT, script

materials = script("materials")

TEXTS = [path.read_text(encoding="utf-8") for path in ROOT.glob("[as]*/**/VENDOR.md")]


def test_what_is_carried_has_name_version_and_licence():
    found = {one["name"]: one for text in TEXTS for one in materials.carried(text)}
    assert {"d3-scale", "internmap", "katex", "@fortawesome/fontawesome-free"} <= set(found)
    assert found["d3-time-format"]["version"] == "4.1.1"  # of a row with several
    assert found["katex"]["purl"] == f"pkg:npm/katex@{found['katex']['version']}"
    assert all(list(materials.carried(text)) for text in TEXTS), "a VENDOR.md without rows is a hole in the bill"
    assert found["katex"]["licenses"][0]["license"]["id"] == "MIT"


def test_no_place_on_a_machine_is_told():
    own = {"name": "book", "externalReferences": [{"url": "file:///home/one", "type": "distribution"}]}
    other = {"name": "b", "externalReferences": [{"url": "https://b.org", "type": "website"}]}
    bill = materials.whole({"metadata": {"component": own}, "components": [other]}, TEXTS)
    assert "file:" not in json.dumps(bill)
    assert bill["components"][0]["externalReferences"] == [{"url": "https://b.org", "type": "website"}]
    assert len(bill["components"]) == 1 + sum(len(list(materials.carried(text))) for text in TEXTS)
