// A cloud: recorded settings as faint points, the present one with its interval; a point that is chosen sets the sliders.

import { d3 } from "../vendor/d3.min.js";
import { domainOf, drawScales, legendEntry, makeFrame } from "./axes.js";
import { circlePath, heldDomain, whisker } from "./curves.js";
import { number } from "./numbers.js";
import { makeTooltip, pointer } from "./pointing.js";
import { clamp, html, put, setText, svg } from "./tools.js";

export function makeCloud(spec, view) {
  const frame = makeFrame(spec, spec.height ?? 236);
  const style = `--c:${spec.colour}`;
  const faint = svg("path", { class: "le-cloud" });
  const chosen = svg("path", { class: "le-chosen" });
  const here = svg("path", { class: "le-whisker", style });
  const law = svg("path", { class: "le-theory" });
  frame.body.append(faint, chosen, here, law);
  const value = legendEntry(frame, spec.label, spec.colour, false, "dot");
  value.style.minWidth = "11.5em"; // of a number and its interval, so that nothing moves when they come
  legendEntry(frame, spec.recorded_label, null, false, "cloud");
  if (spec.curve) legendEntry(frame, spec.curve, null, true, "line");
  const tooltip = makeTooltip(frame);
  let curve = [];
  const points = spec.recorded;
  // The arrow keys go through the points from left to right.
  const keys = html("div", { class: "le-cloud-keys", role: "slider", tabindex: 0, "aria-label": spec.recorded_label, "aria-valuemin": 1, "aria-valuemax": points.length, "data-lm-suppress-shortcuts": "true" });
  frame.plot.append(keys);
  const domains = { x: null, y: null };
  let present = null;
  let secret = false; // whether the present one waits for the reader to play
  let place = -1;
  let x;
  let y;

  const said = ([px, py, settings]) => `${spec.xlabel} ${number(px, 3)}, ${spec.ylabel} ${number(py, 3)}: ${Object.entries(settings).map(([name, v]) => `${name} = ${typeof v === "number" ? number(v) : v}`).join(", ")}`;
  const at = (i) => [x(points[i][0]), y(points[i][1])];

  function sayPlace() {
    put(keys, "aria-valuenow", place + 1);
    put(keys, "aria-valuetext", place < 0 ? "none chosen" : said(points[place]));
  }

  function choose(i) {
    place = i;
    sayPlace();
    view.set(points[i][2]);
  }

  function draw(arrays, key) {
    present = Object.fromEntries(["x", "y", "low", "high"].map((role) => [role, arrays[`${key}.${role}`]?.data[0] ?? NaN]));
    curve = Array.from(arrays[`${key}.cx`]?.data ?? [], (cx, i) => [cx, arrays[`${key}.cy`].data[i]]);
    // A chosen point is left when the sliders move on.
    if (place >= 0 && !Object.entries(points[place][2]).every(([name, v]) => String(view.settings[name]) === String(v))) place = -1;
    sayPlace();
    paint();
  }

  function domain(side, log) {
    const values = [points.map((p) => p[side === "x" ? 0 : 1]), [present[side]], side === "y" ? [present.low, present.high] : []];
    domains[side] = heldDomain(domains[side], domainOf(values, null, log), log, view.moving());
    const limits = spec[`${side}lim`];
    return [limits?.[0] ?? domains[side][0], limits?.[1] ?? domains[side][1]];
  }

  function paint() {
    if (!present || !frame.width) return;
    ({ x, y } = drawScales(frame, domain("x", spec.xlog), domain("y", spec.ylog), spec.xlog, spec.ylog));
    put(faint, "d", points.map((_, i) => circlePath(...at(i), 4)).join(""));
    put(chosen, "d", place < 0 ? "" : circlePath(...at(place), 6.5));
    put(law, "d", d3.line().digits(1)(curve.map(([cx, cy]) => [x(cx), y(cy)])) ?? "");
    secret = view.secret;
    const known = !secret && Number.isFinite(present.x + present.y);
    put(here, "d", known ? whisker(x(present.x), y(present.y), y(present.high), y(present.low)) : "");
    const interval = known && Number.isFinite(present.low) ? ` (${number(present.low, 3)} to ${number(present.high, 3)})` : "";
    const shown = known ? number(present.y, 3) + interval : "–";
    setText(value, shown);
  }

  function find(px, py) {
    const far = points.map((_, i) => Math.hypot(at(i)[0] - px, at(i)[1] - py));
    const best = far.indexOf(Math.min(...far));
    return far[best] < 22 ? best : -1;
  }

  pointer(frame, {
    hover(px, py) {
      if (!x) return;
      const i = find(px, py);
      if (i < 0) return tooltip.hide();
      tooltip.show(...at(i), `${number(points[i][1], 3)}`, Object.entries(points[i][2]).map(([name, v]) => [null, name, typeof v === "number" ? number(v) : String(v)]));
    },
    out: tooltip.hide,
    drag: null,
  });
  frame.catcher.addEventListener("click", (event) => {
    const box = frame.chart.getBoundingClientRect();
    const i = x ? find(event.clientX - box.left, event.clientY - box.top) : -1;
    if (i >= 0) choose(i);
  });
  keys.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    choose(clamp(place + step, 0, points.length - 1));
  });

  function table() {
    const names = Object.keys(points[0][2]);
    const now = [present.x, present.y, view.settings];
    const text = (v) => (typeof v === "number" ? number(v) : String(v ?? "–"));
    const body = [now, ...points].map(([px, py, settings]) => [number(px), number(py), ...names.map((name) => text(settings[name]))]);
    return { caption: `${spec.title}: ${spec.label}, then ${spec.recorded_label}`, head: [spec.xlabel, spec.ylabel, ...names], body };
  }

  return { frame, draw, paint, cursor: () => secret !== view.secret && paint(), table };
}
