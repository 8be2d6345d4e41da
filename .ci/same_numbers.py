"""Every number that figures compute and chapters record, to the last bit: kept before a change, compared after it.

    python .ci/same_numbers.py keep FILE [SLUG or NAME ...]      # in the tree before
    python .ci/same_numbers.py compare FILE [SLUG or NAME ...]   # in the tree after; exit 1 where a bit differs

Of each figure at `COUNT` random settings theory, training and run metrics as the page computes them, translated, in V8;
of each record all it holds, of each claim the verdict and what it measured. The file holds settings and digests. What
only one of the two trees has is named and compared with nothing.
"""

from __future__ import annotations

import hashlib
import json
import random
import struct
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

COUNT = 12
ROOT = Path(__file__).parents[1]
#: Records of speed and of what tests found: they are no numbers of the book.
MEASURED = ("benchmarks", "budgets", "editor", "sentences", "schema")


def figures_of(chosen: list[str]) -> dict[str, str]:
    """Modules of the figures that compute, by the names of the figures, all or the chosen ones."""
    from hal import chapters
    from hal.figure import Computed, Small

    found = {}
    for row in chapters.written():
        package = import_module(f"hal.chapters.{row.slug}.figures")
        for name in sorted(one.name for one in iter_modules(package.__path__) if one.name[0] != "_"):
            module = import_module(f"{package.__name__}.{name}")
            if hasattr(module, "settings") and (hasattr(module, "panels") or hasattr(module, "picture")):
                figure = Computed(module) if hasattr(module, "panels") else Small(module)
                found[figure.name] = module.__name__
    return {name: one for name, one in found.items() if not chosen or {name, name.partition("-")[0]} & set(chosen)}


def figure_of(name: str) -> Any:
    """The figure of a module."""
    from hal.figure import Computed, Small

    module = import_module(name)
    return Computed(module) if hasattr(module, "panels") else Small(module)


def drawn_settings(figure: Any, rng: random.Random) -> dict[str, Any]:
    """Random values of all sliders, over their ranges; a weight for each of as many things as another slider says."""
    point: dict[str, Any] = {}
    for name, control in figure.controls_by_name.items():
        if hasattr(control, "weights"):
            continue
        if control.slider.names:
            point[name] = rng.choice(list(control.stops))
            continue
        low, high, share = float(control.low), float(control.high), rng.random()
        value = low * (high / low) ** share if control.log else low + (high - low) * share
        point[name] = min(max(round(value), int(low)), int(high)) if control.integer else value
    for name, control in figure.controls_by_name.items():
        if hasattr(control, "weights"):
            n = control.weights.n
            raw = [0.05 + rng.random() for _ in range(point[n] if isinstance(n, str) else n)]
            point[name] = [one / sum(raw) for one in raw]
    return point


def short(text: str) -> str:
    """A digest."""
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def numbers(module: str, points: list[dict[str, Any]] | None) -> dict[str, Any]:
    """Points, and at each a digest of every array, or the error's words; without points they are drawn."""
    from lib.errors import InputError

    figure = figure_of(module)
    points = points or [drawn_settings(figure, random.Random(f"{figure.name} {i}")) for i in range(COUNT)]
    points = [  # a new slider stands where it opens, one that has gone is left out
        {name: point.get(name, value) for name, value in figure.default.items()} for point in points
    ]
    found = []
    for seed, point in enumerate(points):
        out = {}
        try:
            theory = figure.built.choose(point, seed)
            out |= {"(time)": bits(theory[figure.time])} if figure.run and "." not in figure.time else {}
            out |= {name: bits(values) for name, values in theory.items()}
            if figure.run:
                out |= {name: bits(values) for name, values in figure.built.train(seed).items()}
                facts = figure.built.facts()
                measured = [name.removeprefix("sum.") for name in facts if name.startswith("sum.")]
                out |= {f"outcome.{name}": bits([facts[name]]) for name in measured}
        except InputError as error:
            out["error"] = str(error)
        found.append({name: text if name == "error" else short(text) for name, text in out.items()})
    return {"points": points, "found": found}


def bits(values: list[float]) -> str:
    """Numbers as text, to the last bit; one NaN for all."""
    pairs = (struct.unpack("<II", struct.pack("<d", one)) for one in values)
    return ",".join(
        "nan" if one != one else f"{high:x}.{low:x}" for one, (low, high) in zip(values, pairs, strict=True)
    )


def records(chosen: list[str]) -> dict[str, Any]:
    """Digests of what stands in the records: each entry of a file, of a claim its verdict and its measured numbers."""
    found: dict[str, Any] = {}
    for path in sorted((ROOT / "src" / "hal").glob("*/*/*.json")):
        slug = path.parent.name
        if path.parents[1].name != "results" or path.stem in MEASURED or (chosen and slug not in chosen):
            continue
        data = json.loads(path.read_text(encoding="utf-8"))
        if path.stem == "claims":
            for id, claim in data["claims"].items():
                kinds = {kind: claim[kind] for kind in ("check", "control") if kind in claim}
                found[id] = {
                    f"{kind}.{part['name']}": repr(part["measured"])
                    for kind, one in kinds.items()
                    for part in one["parts"]
                } | {"verdict": str(claim.get("verdict", claim["check"].get("verdict")))}
        elif isinstance(data, dict):
            entries = {name: short(json.dumps(one, sort_keys=True)) for name, one in data.items()}
            found[f"{slug}/{path.name}"] = entries
    return found


def main() -> None:
    """Keep or compare."""
    what, path, *names = sys.argv[1:]
    kept = json.loads(Path(path).read_text()) if Path(path).exists() else {"figures": {}, "records": {}}
    modules, now = figures_of(names), records(names)
    if what == "compare":
        modules = {name: one for name, one in modules.items() if name in kept["figures"]}
    with ProcessPoolExecutor(2) as pool:
        points = [kept["figures"][name]["points"] if what == "compare" else None for name in modules]
        figures = dict(zip(modules, pool.map(numbers, modules.values(), points), strict=True))
    if what == "keep":
        Path(path).write_text(json.dumps({"figures": kept["figures"] | figures, "records": kept["records"] | now}))
        print(f"{len(figures)} figures at {COUNT} settings, {len(now)} records and claims kept")
        return
    bad = 0
    for name, one in figures.items():
        before = kept["figures"][name]["found"]
        pairs = [(a, b) for a, b in zip(before, one["found"], strict=True)]
        off = sorted({key for a, b in pairs for key in a.keys() & b.keys() if a[key] != b[key]})
        gone = sorted({key for a, b in pairs for key in a.keys() - b.keys()})
        bad += bool(off)
        if off or gone:
            print(f"{name}: " + "; ".join(filter(None, [off and f"DIFFERENT {off}", gone and f"without {gone}"])))
    for name in sorted(now.keys() & kept["records"].keys()):
        before = kept["records"][name]
        if off := sorted(key for key in before.keys() & now[name].keys() if before[key] != now[name][key]):
            bad += 1
            print(f"{name}: DIFFERENT {off}")
    asked = {one for one in kept["figures"] if not names or {one, one.partition("-")[0]} & set(names)}
    print(f"gone: {sorted(asked - figures.keys())} {sorted(kept['records'].keys() - now.keys()) if not names else ''}")
    same = len(now.keys() & kept["records"].keys())
    print(f"{len(figures)} figures, {same} records and claims compared: {bad} with another bit")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
