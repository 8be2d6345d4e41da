"""Every explorer's numbers at 50 random settings, to the last bit: kept before a change, compared after it.

    python .ci/same_numbers.py keep FILE [SLUG or NAME ...]      # in the tree before
    python .ci/same_numbers.py compare FILE [SLUG or NAME ...]   # in the tree after; exit 1 where a bit differs

What runs is what the page runs: theory, training and outcome, translated, in JavaScriptCore (`jsc`). The file holds the
settings and a digest of every array, so that both trees are asked the same.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

COUNT = 50
sys.path.insert(0, str(Path(__file__).parents[1]))


def explorers(chosen: list[str]) -> dict[str, Any]:
    """The figures that compute, by name, all or the chosen ones; in a tree of before or after the two packages."""
    try:
        top, folder, chapters = "hal", "figures", import_module("hal.chapters")
    except ModuleNotFoundError:
        top, folder, chapters = "lib", "explorers", import_module("lib.chapters")
    computed = import_module(f"{top}.explorer").Computed
    found = {}
    for row in chapters.written():
        if chosen and row.slug not in {name.partition("-")[0] for name in chosen}:
            continue
        package = import_module(f"{top}.chapters.{row.slug}.{folder}")
        for module in sorted(one.name for one in iter_modules(package.__path__) if one.name[0] != "_"):
            loaded = import_module(f"{package.__name__}.{module}")
            figure = (
                getattr(loaded, "explorer", lambda: None)() if not hasattr(loaded, "settings") else figure_of(loaded)
            )
            if isinstance(figure, computed):
                found[figure.name] = figure
    return {name: one for name, one in found.items() if not chosen or {name, name.partition("-")[0]} & set(chosen)}


def figure_of(module: Any) -> Any:
    """The figure of a module: it has a function `explorer`, or the explorer reads the module by name."""
    make = getattr(module, "explorer", None)
    return make() if make else import_module("hal.explorer").figure_of(module)


def drawn_settings(figure: Any, rng: random.Random) -> dict[str, Any]:
    """Random values of all sliders, over their ranges; a weight for each of as many things as another slider says."""
    point: dict[str, Any] = {}
    for name, control in figure.controls_by_name.items():
        if hasattr(control, "weights"):
            continue
        if not control.numeric or control.slider.names:
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


def literal(value: Any) -> str:
    """A setting as JavaScript."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"Float64Array.of({', '.join(map(repr, value))})"
    return repr(value)


BITS = """
const $bits = (values) => Array.from(values, (v) => {
  const n = Array.from(new Uint32Array(Float64Array.of(v).buffer));
  return v !== v ? "nan" : n[1].toString(16) + "." + n[0].toString(16);
}).join();
const $whole = (M, settings, seed) => {
  const state = M.start(settings, seed);
  if (M.advance) M.advance(state, M.steps_of(settings));
  else while (!M.done(state)) M.step(state);
  return M.read(state);
};
const $found = (own, run, theory, outcome, measured, settings, seed) => {
  const out = {};
  try {
    const chosen = settings(own);
    if (run.done) out["(time)"] = $bits(run.steps_of(chosen));
    for (const name of theory) {
      for (const [key, v] of Object.entries(own[name](chosen))) out[`${name}.${key}`] = $bits(v);
    }
    const readings = $whole(run, chosen, seed);
    for (const [key, v] of Object.entries(readings)) out[key] = $bits(v);
    if (!(readings.diverged_at[0] >= 0)) {
      const single = own[outcome](...measured.map((name) => readings[name]));
      for (const [key, v] of Object.entries(single)) out[`outcome.${key}`] = $bits(v);
    }
  } catch (error) {
    out.error = error.message;
  }
  return out;
};
"""


def script_of(figure: Any, points: list[dict[str, Any]]) -> str:
    """The program of a figure, and lines that print what it finds at each point."""
    spec = figure.spec()["computes"]
    modules = "\n".join(f'portable["{name}"] = ({text})(portable);' for name, text in figure.program.items())
    lines = []
    for seed, point in enumerate(points):
        given = ", ".join(literal(point[name]) for name in figure.controls_by_name)
        lines.append(
            f'print(JSON.stringify($found(portable["{spec["own"]}"], portable["{spec["run"]}"], '
            f'{json.dumps(spec["theory"])}, "{spec["outcome"]}", {json.dumps(spec["measured"])}, '
            f"(own) => own.{spec['settings']}({given}), {seed})));"
        )
    return f"const portable = {{}};\n{modules}\n{BITS}\n" + "\n".join(lines)


def short(text: str) -> str:
    """A digest."""
    return hashlib.sha256(text.encode()).hexdigest()[:20]


#: Four textbooks wrote -1 where a run did not diverge; as in all others it is NaN now.
NOT_DIVERGED = {short("bff00000.0"): short("nan")}


def numbers(figure: Any, points: list[dict[str, Any]]) -> list[dict[str, str]]:
    """A digest of every array at every point, or the error's words."""
    with tempfile.NamedTemporaryFile("w", suffix=".js", delete=False) as file:
        file.write(script_of(figure, points))
    done = subprocess.run(["jsc", file.name], capture_output=True, text=True, check=True)
    Path(file.name).unlink()
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [{name: text if name == "error" else short(text) for name, text in one.items()} for one in found]


def main() -> None:
    """Keep or compare."""
    what, path, *names = sys.argv[1:]
    figures = explorers(names)
    kept = json.loads(Path(path).read_text()) if Path(path).exists() else {}
    if what == "keep":
        points = {
            name: [drawn_settings(f, random.Random(f"{name} {i}")) for i in range(COUNT)] for name, f in figures.items()
        }
    else:
        figures = {name: one for name, one in figures.items() if name in kept}
        points = {name: kept[name]["points"] for name in figures}
    with ThreadPoolExecutor(2) as pool:
        all_found = dict(
            zip(figures, pool.map(lambda name: numbers(figures[name], points[name]), figures), strict=True)
        )
    if what == "keep":
        kept |= {name: {"points": points[name], "found": all_found[name]} for name in figures}
        Path(path).write_text(json.dumps(kept))
        return
    bad = 0
    for name, found in all_found.items():
        before = kept[name]["found"]
        off = sorted(
            {
                key
                for a, b in zip(before, found, strict=True)
                for key, value in a.items()
                if b.get(key, b.get("(time)")) not in (value, key == "diverged_at" and NOT_DIVERGED.get(value))
            }
        )
        bad += bool(off)
        print(f"{name}: {len(found)} settings, " + (f"DIFFERENT: {', '.join(off)}" if off else "the same bits"))
    missing = [] if names else sorted(set(kept) - set(figures))
    print(f"{len(all_found)} figures, {bad} with another bit{f', gone: {missing}' if missing else ''}")
    sys.exit(bool(bad or missing))


if __name__ == "__main__":
    main()
