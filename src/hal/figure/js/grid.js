// A grid: a matrix as ink in cells, signed, with frames around cells, and one that can be picked.

import { inkMark, sceneText } from "./marks.js";
import { number, span } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

// Halves are rounded up, as in the sentences of a figure.
const rounded = (v, decimals) => ((Math.sign(v) * Math.floor(Math.abs(v) * 10 ** decimals + 0.5)) / 10 ** decimals).toFixed(decimals);

export function makeGrid(spec, view) {
  let at = null; // {rows, columns, wide, high, left, top}

  function layout(scene) {
    const { width, height } = scene.frame;
    const [rows, columns] = [scene.sizes("rows"), scene.sizes("columns")];
    const left = (spec.row_names.length ? 8 + 8 * Math.max(...spec.row_names.map((one) => one.length)) : 28) + (spec.rows_are ? 20 : 0);
    const top = 24 + (spec.columns_are ? 16 : 0);
    let [wide, high] = [(width - left - 4) / columns, (height - top - 4) / rows];
    // Cells are squares where the shape of the matrix allows it.
    if (spec.square && Math.max(rows, columns) < 3 * Math.min(rows, columns)) wide = high = Math.min(wide, high);
    else high = Math.min(high, 3 * wide + 12);
    return { rows, columns, wide, high, left: Math.max(left, (width - columns * wide) / 2), top };
  }

  const nameOf = (names, i) => names[i] ?? String(i + 1);
  const cornerOf = (row, column) => [at.left + column * at.wide, at.top + row * at.high];

  function paint(scene) {
    at = layout(scene);
    const { rows, columns, wide, high } = at;
    const z = scene.now("cells", rows * columns);
    const [low, top] = span([z]) ?? [0, 1];
    const most = spec.largest ?? (Math.max(-low, top) || 1);
    const outline = view.secret ? null : scene.all("outline"); // the answer, until the reader has seen the run
    const gap = Math.min(2, 0.08 * wide, 0.08 * high);
    const parts = [`<rect class="le-sheet" x="${at.left}" y="${at.top}" width="${columns * wide}" height="${rows * high}"/>`];
    const frames = [];
    for (let i = 0; i < rows * columns; i++) {
      const [x, y] = cornerOf(Math.floor(i / columns), i % columns);
      const box = `x="${(x + gap / 2).toFixed(1)}" y="${(y + gap / 2).toFixed(1)}" width="${(wide - gap).toFixed(1)}" height="${(high - gap).toFixed(1)}"`;
      const share = Number.isFinite(z[i]) ? Math.min(1, Math.abs(z[i]) / most) : 0;
      const strength = spec.root ? Math.sqrt(share) : share;
      if (strength > 0.004) parts.push(inkMark(z[i] < 0 ? spec.negative : spec.idea, strength, box));
      if (spec.digits !== null && wide > 9 * (spec.digits + 2)) parts.push(sceneText(x + wide / 2, y + high / 2 + 4, Number.isFinite(z[i]) ? rounded(z[i], spec.digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−") : "–", 'text-anchor="middle"', strength < 0.7 ? "le-on-paper" : "le-on-ink"));
      if (outline?.[i]) frames.push(`<rect class="le-outline" ${box}/>`);
    }
    scene.write(parts.join("") + frames.join("") + words());
  }

  // Names of rows and columns, as many as have room; what rows and columns are.
  function words() {
    const { rows, columns, wide, high } = at;
    const every = (count, size, room) => Array.from({ length: count }, (_, i) => i).filter((i) => i % Math.max(1, Math.ceil(room / size)) === 0);
    const longest = Math.max(2, ...spec.column_names.slice(0, columns).map((one) => one.length));
    const across = every(columns, wide, 7 * longest + 3).map((j) => sceneText(cornerOf(0, j)[0] + wide / 2, at.top - 7, escaped(nameOf(spec.column_names, j)), 'text-anchor="middle"'));
    const down = every(rows, high, 14).map((i) => sceneText(at.left - 7, cornerOf(i, 0)[1] + high / 2 + 4, escaped(nameOf(spec.row_names, i)), 'text-anchor="end"'));
    const titles = [spec.columns_are ? sceneText(at.left, 13, `${spec.columns_are} →`) : ""];
    const middle = at.top + (rows * high) / 2;
    const side = at.left - (spec.row_names.length ? 8 + 8 * Math.max(...spec.row_names.map((one) => one.length)) : 28) - 8;
    if (spec.rows_are) titles.push(sceneText(side, middle, `← ${spec.rows_are}`, `text-anchor="middle" transform="rotate(-90 ${side.toFixed(1)} ${middle.toFixed(1)})"`));
    return [...across, ...down, ...titles].join("");
  }

  const cellAt = (px, py) => [clamp(Math.floor((py - at.top) / at.high), 0, at.rows - 1), clamp(Math.floor((px - at.left) / at.wide), 0, at.columns - 1)];
  const said = (z, row, column) => `${spec.rows_are || "row"} ${nameOf(spec.row_names, row)}, ${spec.columns_are || "column"} ${nameOf(spec.column_names, column)}: ${number(z[row * at.columns + column], 3)}`;

  function hover(scene, px, py) {
    if (px < at.left || py < at.top || px > at.left + at.columns * at.wide || py > at.top + at.rows * at.high) return null;
    return [said(scene.now("cells", at.rows * at.columns), ...cellAt(px, py)), []];
  }

  function table(scene) {
    const z = scene.now("cells", at.rows * at.columns);
    const head = [spec.rows_are || "row", ...Array.from({ length: at.columns }, (_, j) => nameOf(spec.column_names, j))];
    const body = Array.from({ length: at.rows }, (_, i) => [nameOf(spec.row_names, i), ...Array.from(z.subarray(i * at.columns, (i + 1) * at.columns), (v) => number(v, 3))]);
    return { caption: spec.alt, head, body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
