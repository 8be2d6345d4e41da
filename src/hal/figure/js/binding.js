// From named flat numbers of theory and runs to what panels draw: a curve a run, several curves of one, frame after frame.

import { lastOf, NONE } from "./curves.js";
import { quantile } from "./numbers.js";

const flat = (values) => ({ shape: [values.length], data: values });

// A row as long as asked, NaN where nothing has come yet.
function padded(values = NONE, length) {
  const row = new Float64Array(length).fill(NaN);
  row.set(values.subarray(0, length));
  return row;
}

export const rowsOf = (runs, name, length) => runs.map(({ readings }) => padded(readings[name], length));

function joined(rows, length) {
  const data = new Float64Array(rows.length * length);
  rows.forEach((row, i) => data.set(row, i * length));
  return { shape: [rows.length, length], data };
}

// Middle and 10-90% band of rows.
export function bandOf(rows, length) {
  const out = [0.1, 0.5, 0.9].map(() => new Float64Array(length).fill(NaN));
  for (let i = 0; i < length; i++) {
    const sorted = rows.map((row) => row[i]).filter(Number.isFinite).sort((a, b) => a - b);
    if (sorted.length) [0.1, 0.5, 0.9].forEach((share, k) => (out[k][i] = quantile(sorted, share)));
  }
  return out.map((data) => ({ shape: [length], data }));
}

// A name may hold that of a number of the theory: "at{law.watch}" is "at1" where that is 1.
export const spelt = (name, theory) => name.replace(/\{(.+?)\}/, (_, key) => theory[key][0]);

// Numbers by name: the theory's, else those of the run that is shown.
const valuesOf = ({ theory, runs, shown = 0 }, name) => theory[name] ?? runs[shown]?.readings[name] ?? NONE;
const ONE = "first run"; // of an array that is one run's alone, see `bindArrays`
const sizeOf = ({ theory }, size) => (typeof size === "string" ? theory[size][0] : size);
const wholeRuns = ({ runs }) => runs.filter((run) => run.finished && !run.lost);

// The x of curves: (K,), or a row a run where runs have different ones.
function placesOfCurves(state, name) {
  if (state.theory[name]) return flat(state.theory[name]);
  const all = state.runs.map(({ readings }) => readings[name]);
  const longest = all.reduce((a, b) => (b.length > a.length ? b : a), NONE);
  const same = all.every((values) => values.every((v, i) => v === longest[i]));
  return same ? flat(longest) : joined(all.map((values) => padded(values, longest.length)), longest.length);
}

// Several curves of the run that is shown, record by record in one reading.
function rowsOfRecords(values, size, length) {
  const count = Math.min(length, Math.floor(values.length / size));
  return Array.from({ length: size }, (_, k) => Float64Array.from({ length }, (__, i) => (i < count ? values[i * size + k] : NaN)));
}

// A series of a state as it is drawn under another one: its middle where it has a band, else its rows.
function oldCurves(state, series, name, length) {
  if (series.rows) return rowsOfRecords(valuesOf(state, name), sizeOf(state, series.rows), length);
  if (state.theory[name]) return [state.theory[name]];
  const rows = rowsOf(wholeRuns(state), name, length);
  return rows.length > 2 && !series.each ? [bandOf(rows, length)[1].data] : rows;
}

function bindCurves(panel, state, { ghost, held }, put) {
  const { sources } = panel;
  const x = placesOfCurves(state, sources.x);
  put("x", x);
  panel.series.forEach((series, j) => {
    const [key, name, place] = [`y${j}`, sources[`y${j}`], sources[`y${j}.x`] ?? sources.x];
    const own = sources[`y${j}.x`] ? placesOfCurves(state, place) : x;
    if (own !== x) put(`${key}.x`, own);
    const length = lastOf(own.shape);
    const old = (before, role, rows) => {
      const at = placesOfCurves(before, place);
      const lines = rows ? rowsOf(before.runs, name, lastOf(at.shape)) : oldCurves(before, series, name, lastOf(at.shape));
      put(`${key}.${role}`, joined(lines, lastOf(at.shape)));
      put(`${key}.${role}.x`, at);
    };
    held.forEach((before, k) => old(before, `held${k}`, false));
    if (series.rows) {
      put(key, joined(rowsOfRecords(valuesOf(state, name), sizeOf(state, series.rows), length), length), state.theory[name] ? "" : ONE);
      if (ghost && !state.theory[name]) old(ghost, "ghost", false);
      return;
    }
    if (state.theory[name]) {
      // Runs that a notebook's kernel has trained bring their band.
      for (const end of ["low", "high"]) {
        const ends = state.theory[`${name}.${end}`];
        if (ends) put(`${key}.${end}`, flat(ends));
      }
      return put(key, flat(state.theory[name]));
    }
    if (ghost) old(ghost, "ghost", true);
    const chosen = state.chosen === undefined ? null : state.runs[state.chosen];
    if (chosen) put(`${key}.chosen`, { ...flat(padded(chosen.readings[name], length)), run: state.chosen + 1 });
    if (chosen && own.shape.length > 1) put(`${key}.chosen.x`, flat(padded(chosen.readings[place], length)));
    const whole = wholeRuns(state);
    if (whole.length > 2 && own.shape.length === 1 && !series.each) {
      const [low, middle, high] = bandOf(rowsOf(whole, name, length), length);
      put(`${key}.low`, low);
      put(key, middle);
      put(`${key}.high`, high);
      put(`${key}.rest`, joined(rowsOf(state.runs.filter((run) => !whole.includes(run)), name, length), length));
    } else {
      const rows = rowsOf(state.runs, name, length);
      put(key, rows.length === 1 ? flat(rows[0]) : joined(rows, length));
    }
    const lost = state.runs.filter((run) => run.lost).map(({ readings }) => {
      const i = Math.max(0, ...Array.from(readings[name], (v, k) => (Number.isFinite(v) ? k : 0)));
      return Float64Array.of((readings[place] ?? own.data)[i], readings[name][i]);
    });
    put(`${key}.lost`, joined(lost, 2));
  });
  // Single numbers: marks, and where a handle stands.
  for (const role of [...(panel.marks ?? []).map((_, j) => `m${j}`), ...(panel.spans ?? []).map((_, j) => `u${j}`), ...(panel.lift ? ["at", "unit"] : [])]) {
    put(role, flat(Float64Array.of(state.facts[panel.sources[role]] ?? NaN)));
  }
}

// Frame after frame: profiles at each training time.
function bindFrames(panel, state, { held }, time, put) {
  const { sources } = panel;
  put("x", flat(valuesOf(state, sources.x)));
  put("t", flat(state.theory[time]));
  panel.series.forEach((_, j) => {
    const name = sources[`y${j}`];
    if (sources[`y${j}.x`]) put(`y${j}.x`, flat(valuesOf(state, sources[`y${j}.x`])));
    const values = valuesOf(state, name);
    const size = valuesOf(state, sources[`y${j}.x`] ?? sources.x).length;
    const still = state.theory[name] && values.length === size;
    put(`y${j}`, { shape: still ? [size] : [size ? values.length / size : 0, size], data: values }, state.theory[name] ? "" : ONE);
    if (still) return;
    held.forEach((before, k) => {
      const at = valuesOf(before, sources[`y${j}.x`] ?? sources.x);
      const old = valuesOf(before, name);
      put(`y${j}.held${k}`, { shape: [old.length / (at.length || 1), at.length], data: old });
      put(`y${j}.held${k}.x`, flat(at));
      put(`y${j}.held${k}.t`, flat(before.theory[time]));
    });
  });
}

function bindHeatmap(panel, state, time, put) {
  const { sources } = panel;
  const [rows, columns] = [sizeOf(state, panel.rows), sizeOf(state, panel.columns)];
  const values = valuesOf(state, sources.z);
  const frames = values.length / (rows * columns);
  put("z", { shape: panel.frames || !frames ? [frames, rows, columns] : [rows, columns], data: values }, state.theory[sources.z] ? "" : ONE);
  if (panel.frames) put("t", flat(state.theory[time]));
  for (const role of ["xticks", "yticks"]) if (sources[role]) put(role, flat(valuesOf(state, sources[role])));
}

// Rows of a path: the theory's one, or one a run; as long as the training time where it has no times of its own.
function pathRows(state, name, ownTime, length) {
  if (state.theory[name]) return joined([state.theory[name]], state.theory[name].length);
  const longest = Math.max(0, ...state.runs.map(({ readings }) => readings[name].length));
  const wide = ownTime || longest > length ? longest : length;
  return joined(rowsOf(state.runs, name, wide), wide);
}

function bindPlane(panel, state, { ghost, held }, time, put) {
  const { sources } = panel;
  for (const [role, name] of Object.entries(sources)) {
    const [, , j] = role.match(/^([xyt])(\d+)$/) ?? [];
    if (j === undefined) {
      put(role, flat(valuesOf(state, name)));
      continue;
    }
    const rows = (one) => pathRows(one, name, sources[`t${j}`] !== undefined, one.theory[time].length);
    put(role, rows(state));
    if (panel.marks[j].role !== "paths" || role[0] === "t") continue;
    if (ghost && !state.theory[name]) put(`${role}.ghost`, rows(ghost));
    held.forEach((before, k) => put(`${role}.held${k}`, rows({ ...before, runs: wholeRuns(before).slice(0, 3) })));
  }
}

/* Arrays to draw, by panel and role; an array of one run alone has a note that says which, where there are several.
   state: {theory: name -> numbers, runs: [{readings, finished, lost}] in the order of their seeds, the last perhaps
   still growing, facts: name -> number, shown: place of the one that is drawn where one is, chosen: place of the one
   that the reader wants to see, if there is}. Beneath it: `ghost`, the state before the reader's last
   move, or null; and `held`, states that the reader keeps. From three finished runs on a line is a band. */
export function bindArrays(spec, state, { ghost = null, held = [] } = {}) {
  const time = spec.time.key;
  const arrays = { time: flat(state.theory[time]) };
  const named = spec.computes.middle || state.chosen !== undefined ? `run ${(state.shown ?? 0) + 1}` : ONE;
  spec.panels.forEach((given, i) => {
    const panel = { ...given, sources: Object.fromEntries(Object.entries(given.sources).map(([role, name]) => [role, spelt(name, state.theory)])) };
    const put = (role, array, note = "") => (arrays[`${i}.${role}`] = note && spec.computes.runs > 1 ? { ...array, note: named } : array);
    if (panel.kind === "heatmap") bindHeatmap(panel, state, time, put);
    else if (panel.kind === "plane") bindPlane(panel, state, { ghost, held }, time, put);
    else if (panel.scene) for (const [role, name] of Object.entries(panel.sources)) put(role, flat(valuesOf(state, name)), state.theory[name] ? "" : "first run");
    else if (panel.kind === "cloud") for (const [role, name] of Object.entries(panel.sources)) put(role, flat(role[0] === "c" ? state.theory[name] : Float64Array.of(state.facts[name] ?? NaN)));
    else if (panel.frames) bindFrames(panel, state, { held }, time, put);
    else bindCurves(panel, state, { ghost, held }, put);
    const placed = Object.entries(panel.sources).filter(([role]) => /^s\d+[xy]$/.test(role));
    for (const [role, name] of placed) put(role, flat(Float64Array.of(lastOf(valuesOf(state, name)) ?? state.facts[name] ?? NaN)));
  });
  return arrays;
}
