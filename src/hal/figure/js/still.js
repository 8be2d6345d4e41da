// The still picture of a figure, for print, for readers without JavaScript and for saved notebooks: its panels as the page
// draws them, at a fixed width, its settings and its sentence, as one SVG.

import { makeArcs } from "./arcs.js";
import { makeArrows } from "./arrows.js";
import { brokenText } from "./axes.js";
import { makeBars } from "./bars.js";
import { makeCloud } from "./cloud.js";
import { makeColumns } from "./columns.js";
import { makeGrid } from "./grid.js";
import { makeHeatmap } from "./heatmap.js";
import { makeHeights } from "./heights.js";
import { makeInk } from "./ink.js";
import { makeLandscape } from "./landscape.js";
import { makeLines } from "./lines.js";
import { number } from "./numbers.js";
import { makePrinter, paper } from "./paper.js";
import { makePlane } from "./plane.js";
import { makePoints } from "./points.js";
import { makeRing } from "./ring.js";
import { makeStems } from "./stems.js";
import { richSvg } from "./tools.js";
import { makeVessels } from "./vessels.js";

const DRAWS = {
  lines: makeLines, bars: makeBars, heatmap: makeHeatmap, plane: makePlane, cloud: makeCloud, arcs: makeArcs,
  arrows: makeArrows, columns: makeColumns, grid: makeGrid, ink: makeInk, landscape: makeLandscape, points: makePoints,
  ring: makeRing, stems: makeStems, vessels: makeVessels,
};
const COLUMN = 412; // pixels
const SMALL = 752;
const BETWEEN = 24;
const PLOT = 240;
const WIDE = 7; // of a text of 12 pixels

const text = (x, y, words, more = "") => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${words}</text>`;

// The settings in words, as the sliders say them.
function saidSettings(controls, settings) {
  const value = (c) => c.texts?.[c.stops.indexOf(settings[c.name])] ?? (typeof settings[c.name] === "number" ? number(settings[c.name]) : String(settings[c.name]));
  return controls.filter((c) => !c.hidden).map((c) => `${c.name} = ${value(c)}`).join(", ");
}

// Entries of a legend, line after line: [markup, height].
function legendOf(legend, width, printer) {
  const parts = [];
  let [x, y] = [0, 12];
  if (legend.classList.contains("le-unseen")) return ["", 0];
  for (const entry of legend.children) {
    if (entry.classList.contains("le-unseen")) continue;
    const pieces = entry.children.map((one) => {
      if (one.tag === "svg") return [22, (at) => `<g transform="translate(${at.toFixed(1)},${y - 9})">${one.children.map(printer.write).join("")}</g>`];
      const colours = [...(one.getAttribute("style") ?? "").matchAll(/rgb\(([^)]*)\)/g)].map(([, rgb]) => `rgb(${rgb.split(" ").map(Math.round).join(",")})`);
      if (colours.length) return [6 * 16, (at) => colours.map((colour, i) => `<rect x="${at + 16 * i}" y="${y - 9}" width="16.5" height="9" fill="${colour}"/>`).join("")];
      const words = one.textContent;
      return [WIDE * words.length, (at) => (words ? text(at, y, richSvg(words), `font-size="12" fill="#353e4b"`) : "")];
    }).filter(([wide]) => wide);
    const wide = pieces.reduce((sum, [one]) => sum + one + 6, 8);
    if (x && x + wide > width) [x, y] = [0, y + 17];
    for (const [one, draw] of pieces) {
      parts.push(draw(x));
      x += one + 6;
    }
    x += 8;
  }
  return [parts.join(""), parts.length ? y + 6 : 0];
}

// One panel at a width, its plot of a height: {markup, height}.
function panelOf(spec, i, width, height, view, arrays, printer) {
  const panel = DRAWS[spec.kind]({ ...spec, height }, view, { heights: makeHeights });
  const { frame } = panel;
  Object.assign(frame, { width, height });
  panel.draw(arrays, i);
  const parts = [];
  let y = 0;
  const [title] = frame.root.children.filter((one) => one.classList.contains("le-panel-title"));
  if (title && spec.title) {
    const note = title.children.find((one) => one.classList.contains("le-note"))?.textContent ?? "";
    for (const [k, line] of brokenText(`${spec.title} ${note}`, Math.floor(width / 7)).entries()) parts.push(text(0, (y += k ? 17 : 14), richSvg(line), `font-size="13" font-weight="600" fill="#1c2430"`));
    y += 6;
  }
  if (frame.legend) {
    const [markup, high] = legendOf(frame.legend, width, printer);
    parts.push(`<g transform="translate(0,${y})">${markup}</g>`);
    y += high;
  }
  const handle = (one) => {
    const [, px, py] = (one.style.transform ?? "").match(/translate\(([-\d.]+)px, ([-\d.]+)px\)/) ?? [];
    return px === undefined || one.classList.contains("le-quiet") ? "" : `<circle cx="${px}" cy="${py}" r="10" fill="#fff" fill-opacity="0.6" stroke="#0a5a9c" stroke-width="3"/>`;
  };
  const plot = frame.plot.children.map((one) => {
    if (one.tag === "canvas") return one.image ? printer.image(one) : "";
    if (one.tag === "svg") return one.inside.map(printer.write).join("");
    return one.classList.contains("le-handle") ? handle(one) : "";
  });
  parts.push(`<g transform="translate(0,${y})">${plot.join("")}</g>`);
  return { markup: parts.join(""), height: y + height };
}

// Where panels stand: [[x, width], ...] row after row; of three pictures of a small figure the last two share a column.
function panelRows(spec, panels) {
  if (spec.small) {
    const right = Math.round((SMALL - 19) / 2.7);
    return panels.length === 1 ? [[[0, SMALL]]] : [[[0, SMALL - 19 - right], ...panels.slice(1).map(() => [SMALL - right, right])]];
  }
  const columns = Math.min(spec.columns ?? 2, panels.length);
  const wide = columns === 1 ? 1.5 * COLUMN : COLUMN;
  const rows = [];
  for (const { wide: whole } of panels) {
    const last = rows.at(-1);
    if (whole) rows.push([[0, columns * (wide + BETWEEN) - BETWEEN]]);
    else if (last && last.length < columns && last.at(-1)[1] === wide) last.push([last.length * (wide + BETWEEN), wide]);
    else rows.push([[0, wide]]);
  }
  return rows;
}

// `state`: what was computed and what of it is drawn; `css`: the style sheet; `said`: the sentence.
export function stillOf(spec, state, arrays, settings, css, said) {
  Object.assign(globalThis, { document: paper, getComputedStyle: () => ({ getPropertyValue: () => "light" }) });
  const theme = paper.createElement("div");
  theme.setAttribute("class", "lib-explorer");
  // rules for what stands in a figure hold, those for dark pages do not
  const printer = makePrinter(css.replace(/\.lib-explorer, \.le-marks/, ".lib-explorer"), [theme]);
  const frames = arrays.time.data.length;
  const cursor = frames - 1;
  const view = {
    spec, settings, cursor, frames, drawn: { arrays, settings, facts: state.facts, runs: state.runs.length, curves: () => [] },
    now: () => arrays.time.data[cursor] ?? 0, fraction: () => 1, moving: () => false,
  };
  const seen = spec.panels.slice(0, spec.panels.length - (spec.collapsed ?? 0));
  const rows = panelRows(spec, seen);
  const width = Math.max(...rows.flat().map(([x, wide]) => x + wide));
  const parts = [text(0, 17, richSvg(spec.title), `font-size="15" font-weight="650" fill="#1c2430"`)];
  let [y, i] = [32, 0];
  for (const row of rows) {
    const shared = Math.max(PLOT, ...seen.slice(i, i + row.length).map((p) => p.height ?? 0));
    const made = row.map(([x, wide]) => [x, panelOf(seen[i], i, wide, seen[i].height ?? (spec.small ? PLOT : shared), view, arrays, printer, i++)]);
    let [tall, below] = [0, 0];
    const stacked = spec.small && made.length === 3;
    const whole = stacked ? Math.max(made[0][1].height, made[1][1].height + 12 + made[2][1].height) : Math.max(...made.map(([, one]) => one.height));
    for (const [k, [x, one]] of made.entries()) {
      const down = stacked && k ? below : spec.small ? (whole - one.height) / 2 : 0;
      if (stacked && k) below += one.height + 12;
      parts.push(`<g transform="translate(${x},${(y + down).toFixed(1)})">${one.markup}</g>`);
      tall = Math.max(tall, down + one.height);
    }
    y += tall + 14;
  }
  const left = spec.panels.slice(seen.length).map(({ title }) => title).join(", ");
  const words = saidSettings(spec.controls, settings);
  const lines = [
    ...brokenText(said, Math.floor(width / 6.9)).map((line) => [line, 'font-size="13" fill="#1c2430"', 18]),
    ...brokenText([words && `${words}.`, left && `More curves, without a picture here: ${left}.`].filter(Boolean).join(" "), Math.floor(width / 6.1)).map((line) => [line, 'font-size="12" fill="#353e4b"', 16]),
  ];
  for (const [line, look, high] of lines) parts.push(text(0, (y += high), richSvg(line), look));
  const box = `viewBox="-4 0 ${width + 8} ${Math.ceil(y + 8)}" width="${width + 8}" height="${Math.ceil(y + 8)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} font-family="system-ui, sans-serif"><style>${printer.sheet()}</style>${parts.join("")}</svg>`;
}
