// "Copy Python": the numbers that a figure draws, runs and theory, to the last bit. Its panels show nothing else.

const pythonNumber = (v) => (typeof v === "object" ? `[${Array.from(v, pythonNumber).join(", ")}]` : typeof v === "boolean" ? (v ? "True" : "False") : Number.isFinite(v) ? String(v) : `float("${v}")`);
export const given = (pairs) => pairs.map(([name, v]) => `${name}=${pythonNumber(v)}`).join(", ");

// ["lib.models.scb", "textbook"] of a module's full name.
function homeOf(module) {
  const parts = module.split(".");
  const name = parts.pop();
  return [parts.join("."), name];
}

// How the text calls a module: `run` is what trains.
const calledAs = (module) => homeOf(module)[1].replace(/^run$/, "figure");
const importOf = (module) => `from ${homeOf(module).join(" import ")}${calledAs(module) === homeOf(module)[1] ? "" : ` as ${calledAs(module)}`}`;

// Theory by the names that the panels have for it, the numbers that the sentences have.
function theoryPython({ computes, time }, { settings, seed }) {
  const { textbook, own, functions, metrics } = computes;
  const name = calledAs(own);
  const lines = [`chosen = ${name}.${computes.settings}(${given(Object.entries(settings))})`];
  lines.push(`theory = {"${time.key}": ${textbook ? `list(${calledAs(textbook)}.steps_of(chosen))` : "[0.0]"}}`);
  // What draws anew takes the seed too.
  for (const seeded of [false, true]) {
    const laws = Object.keys(functions).filter((law) => functions[law] > 1 === seeded);
    if (!laws.length) continue;
    lines.push(`for law in (${laws.map((law) => `${name}.${law},`).join(" ")}):`);
    lines.push(`    theory |= {f"{law.__name__}.{key}": values for key, values in law(chosen${seeded ? `, ${seed}` : ""}).items()}`);
  }
  if (metrics) lines.push(`facts = figure_of(${name}).facts(theory, runs)`);
  return lines;
}

// The text, for so many runs; `given` are the settings of a run.
export function pythonOf(spec, now, many) {
  const { computes, python } = spec;
  const { run, textbook, own, metrics } = computes;
  // A run of the notebook's own: the figure of its cell computes it.
  if (run && !python.module.includes(".")) {
    return `# after: figure = show(..., run=...)\n\nfigure.set(${given(Object.entries(now.settings))})\nfound = figure.compute(figure.settings, seed=${now.seed}, runs=${many})\nruns, theory, facts = found.runs, found.theory, found.facts\n`;
  }
  const modules = [...new Set([run, own, textbook].filter(Boolean))].map(importOf);
  const imports = run ? [modules[0], "from lib.portable import run", ...modules.slice(1)] : modules;
  if (metrics) imports.push("from hal.figure import figure_of");
  const body = [];
  if (run) {
    const moved = Object.entries(now.given).filter(([name, v]) => v !== python.defaults[name] || name in now.settings);
    const { probe } = computes;
    const looks = `measure=${calledAs(probe[0])}.${probe[1]}, ${probe[2] ? `at_end=${calledAs(probe[0])}.${probe[2]}, ` : ""}`;
    body.push(`runs = [run(${calledAs(run)}, seed=seed, ${looks}${given(moved)}) for seed in range(${now.seed}, ${now.seed + many})]`);
  }
  return `${[...imports, "", ...body, ...theoryPython(spec, now)].join("\n")}\n`;
}
