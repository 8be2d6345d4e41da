// Heat maps: a canvas under the axes, one pixel of it a cell, scaled up by the browser.

import { d3 } from "../vendor/d3.min.js";
import { makeFrame, NOTHING } from "./axes.js";
import { heldDomain, lastAt, NONE, thinned } from "./curves.js";
import { nearest, number, ramp, span } from "./numbers.js";
import { makeHandle, makeTooltip, pointer } from "./pointing.js";
import { clamp, html, isDark, put, setText, svg, written } from "./tools.js";

// Cells as wide as pixels at least: of the cells that share a pixel the largest.
function pooled(z, start, rows, columns, outRows, outColumns) {
  if (outRows === rows && outColumns === columns) return z.subarray(start, start + rows * columns);
  const out = new Float64Array(outRows * outColumns).fill(NaN);
  for (let i = 0; i < rows; i++) {
    const row = Math.floor((i * outRows) / rows) * outColumns;
    for (let j = 0; j < columns; j++) {
      const at = row + Math.floor((j * outColumns) / columns);
      const v = z[start + i * columns + j];
      if (Number.isFinite(v) && !(v <= out[at])) out[at] = v;
    }
  }
  return out;
}

export function makeHeatmap(spec, view) {
  const frame = makeFrame(spec, spec.height ?? 236);
  const canvas = html("canvas", { class: "le-cells", "aria-hidden": "true" });
  frame.plot.prepend(canvas);
  const named = (spec.classes ?? []).map(([value, text]) => [value, svg("text", { class: "le-words le-haloed", "text-anchor": "middle", "font-weight": 600 }, text)]);
  frame.over.append(...named.map(([, node]) => node));
  const bar = html("span", { class: "le-ramp" });
  const ends = [html("span", {}), html("span", {})];
  if (!spec.classes) frame.legend.append(html("li", { class: "le-scale" }, written(html("span", {}), spec.clabel), ends[0], bar, ends[1]));
  const tooltip = makeTooltip(frame);
  const handle = spec.pick ? pickHandle() : null;
  if (handle) frame.plot.lastElementChild.style.setProperty("--le-hole", "transparent"); // its cell is seen
  let data = null;
  let colours = null;
  let domain = null;
  let cell = null;

  function draw(arrays, key) {
    const z = arrays[`${key}.z`];
    const [rows, columns] = z.shape.slice(-2);
    const frames = z.shape.length === 3 ? z.shape[0] : 1;
    data = { z: z.data, rows, columns, frames, moves: z.shape.length === 3, t: arrays[`${key}.t`]?.data };
    data.places = ["x", "y"].map((side) => arrays[`${key}.${side}ticks`]?.data);
    data.names = data.places.map((all) => all && Array.from(all, (v) => number(v)));
    let [low, high] = span([z.data]) ?? domain ?? [0, 1];
    [low, high] = heldDomain(domain, [low, high > low ? high : low + 1], false, view.moving());
    domain = [low, high];
    low = spec.vmin ?? low;
    high = spec.vmax ?? high;
    data.domain = [low, high > low ? high : low + 1];
    frame.setNote(z.note);
    paint();
  }

  const name = (side, i) => data.names[side]?.[i] ?? String(i);
  // Labels that fit, at round numbers of cells.
  function ticks(side, count, room) {
    const widest = side ? 1.6 : Math.max(...Array.from({ length: count }, (_, i) => name(0, i).length)) * 0.62 + 1.2;
    const most = Math.max(1, Math.floor(room / (widest * 12)));
    const round = d3.scaleLinear().domain([0, count - 1]);
    let asked = most; // d3 takes the number of ticks as a hint
    while (asked > 1 && round.ticks(asked).length > most) asked--;
    const all = count <= most ? Array.from({ length: count }, (_, i) => i) : round.ticks(asked);
    return all.filter(Number.isInteger).map((i) => [i, name(side, i)]);
  }

  function paint() {
    if (!data || !frame.width) return;
    colours ??= ramp(spec.colour, false, isDark(frame.root));
    const { rows, columns } = data;
    const yticks = ticks(1, rows, frame.height - 60);
    frame.layout(Math.max(2, ...yticks.map(([, text]) => text.length)));
    cell = [frame.w / columns, frame.h / rows];
    const x = (i) => frame.left + (i + 0.5) * cell[0];
    const y = (i) => frame.top + (i + 0.5) * cell[1];
    frame.drawAxes(x, ticks(0, columns, frame.w), y, yticks, false);
    put(canvas, "style", `left:${frame.left}px;top:${frame.top}px;width:${frame.w}px;height:${frame.h}px`);
    data.seen = [Math.min(rows, Math.floor(frame.h)), Math.min(columns, Math.floor(frame.w))];
    const [down, across] = [Math.ceil(rows / data.seen[0]), Math.ceil(columns / data.seen[1])];
    const pool = across * down > 1 && [`each pixel: largest of ${down > 1 ? `${down} × ${across} cells` : `${across} columns`}`, `largest of ${down * across}`];
    frame.setRemark(...(pool || [""]));
    put(bar, "style", `background:linear-gradient(90deg, ${[0, 12, 25, 38, 50, 63].map((i) => `rgb(${colours[i].join(" ")})`)})`);
    ends.forEach((end, i) => setText(end, number(data.domain[i], 2)));
    frame.setEmpty(span([data.z]) ? "" : NOTHING, !view.drawn.runs);
    paintCells();
    placeNames();
    placeHandle();
  }

  // The name of each class where most of the cells around are of it.
  function placeNames() {
    for (const [value, node] of named) {
      const alike = (i, j) => (data.z[offset() + i * data.columns + j] === value ? 1 : 0);
      const around = (i, j) => Array.from({ length: 35 }, (_, k) => alike(i - 2 + Math.floor(k / 7), j - 3 + (k % 7))).reduce((a, b) => a + b);
      const places = Array.from({ length: data.rows * data.columns }, (_, k) => [Math.floor(k / data.columns), k % data.columns]).filter(([i, j]) => i > 1 && j > 2 && i < data.rows - 2 && j < data.columns - 3).map(([i, j]) => [around(i, j), i, j]);
      const most = Math.max(...places.map(([count]) => count));
      const [best] = [places.filter(([count]) => count === most)].map((all) => all[Math.floor(all.length / 2)]);
      for (const [role, at] of [["x", frame.left + (best[2] + 0.5) * cell[0]], ["y", frame.top + (best[1] + 0.5) * cell[1] - 12], ["visibility", most > 4 ? "inherit" : "hidden"]]) put(node, role, at);
    }
  }

  // The last frame at the cursor or before it.
  const shownFrame = () => (data.moves ? Math.min(data.frames - 1, lastAt(data.t, view.now())) : 0);
  const offset = () => shownFrame() * data.rows * data.columns;

  function paintCells() {
    const [rows, columns] = data.seen;
    if (canvas.width !== columns || canvas.height !== rows) [canvas.width, canvas.height] = [columns, rows];
    const ink = canvas.getContext("2d");
    const image = ink.createImageData(columns, rows);
    const [low, high] = data.domain;
    const scale = 63 / (high - low);
    const values = data.frames ? pooled(data.z, offset(), data.rows, data.columns, rows, columns) : NONE;
    for (let i = 0; i < values.length; i++) {
      if (!Number.isFinite(values[i])) continue;
      const c = colours[Math.round(clamp((values[i] - low) * scale, 0, 63))];
      image.data.set([c[0], c[1], c[2], 255], 4 * i);
    }
    ink.putImageData(image, 0, 0);
  }

  const cellAt = (px, py) => [clamp(Math.floor((px - frame.left) / cell[0]), 0, data.columns - 1), clamp(Math.floor((py - frame.top) / cell[1]), 0, data.rows - 1)];

  // Two settings picked in the map: by a click, by dragging the handle, by the arrow keys from cell to cell.
  function pickHandle() {
    const go = (column, row) => view.drag(Object.fromEntries([column, row].map((i, side) => [spec.pick[side], Number(data.places[side][i].toPrecision(6))])));
    frame.catcher.style.cursor = "pointer";
    frame.catcher.addEventListener("click", (event) => {
      if (!cell) return;
      const box = frame.chart.getBoundingClientRect();
      go(...cellAt(event.clientX - box.left, event.clientY - box.top));
      view.settle();
    });
    return makeHandle(frame, `Cell of “${spec.title}”`, {
      move: (px, py) => cell && go(...cellAt(px, py)),
      step(right, up) {
        const [column, row] = pickedCell();
        go(clamp(column + right, 0, data.columns - 1), clamp(row - up, 0, data.rows - 1));
      },
      done: () => view.settle(),
    });
  }

  // The cell nearest to the settings.
  const pickedCell = () => spec.pick.map((setting, side) => nearest(data.places[side], view.settings[setting]));

  function placeHandle() {
    if (!handle || !data.columns) return;
    const [column, row] = pickedCell();
    const control = view.spec.controls.find((c) => c.name === spec.pick[0]);
    const text = `${bare(spec.xlabel)} ${name(0, column)}, ${bare(spec.ylabel)} ${name(1, row)}: ${bare(spec.clabel)} ${number(data.z[offset() + row * data.columns + column], 3)}`;
    handle.place(frame.left + (column + 0.5) * cell[0], frame.top + (row + 0.5) * cell[1], { low: control.low, high: control.high, now: view.settings[spec.pick[0]], text });
  }

  const bare = (label) => label.replace(/\s*\([^()]*\)\s*$/, "");
  pointer(frame, {
    hover(px, py) {
      if (!cell) return;
      const [column, row] = cellAt(px, py);
      const value = data.z[offset() + row * data.columns + column];
      const rows = [[null, bare(spec.xlabel), name(0, column)], [null, bare(spec.ylabel), name(1, row)]];
      tooltip.show(px, py, `${bare(spec.clabel)} ${number(value, 3)}`, rows);
    },
    out: tooltip.hide,
    drag: null,
  });

  function table() {
    const columns = thinned(data.columns, 24);
    const start = offset();
    const body = thinned(data.rows, 26).map((r) => [name(1, r), ...columns.map((c) => number(data.z[start + r * data.columns + c], 3))]);
    const when = data.moves && data.t.length ? `, step ${number(data.t[Math.max(0, shownFrame())])}` : "";
    return { caption: `${spec.title}: ${spec.clabel}${when}; columns: ${spec.xlabel}`, head: [spec.ylabel, ...columns.map((c) => name(0, c))], body };
  }

  function theme() {
    colours = null;
    paint();
  }

  return { frame, draw, paint, cursor: () => data?.moves && cell && paintCells(), table, theme };
}
