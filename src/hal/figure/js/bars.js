// Bar charts: measured series are bars, theory short dashes; with frames the profile at the cursor; some are dragged.

import { domainOf, drawScales, heldPaths, legendEntry, makeFrame, NOTHING } from "./axes.js";
import { reweighted } from "./controls.js";
import { heldDomain, lastAt, NONE, noteOf, thinned } from "./curves.js";
import { nearest, number, span } from "./numbers.js";
import { makeHandle, makeTooltip, pointer } from "./pointing.js";
import { makeSpots, spotsOf } from "./spots.js";
import { clamp, put, svg } from "./tools.js";

// Which bars are drawn: all, or of those that share a pixel of the scale the one farthest from 0.
function tallest(xs, ys, scale) {
  const best = new Map();
  ys.forEach((v, i) => {
    if (!Number.isFinite(v)) return;
    const pixel = scale ? Math.round(scale(xs[i])) : i;
    if (!best.has(pixel) || Math.abs(v) > Math.abs(ys[best.get(pixel)])) best.set(pixel, i);
  });
  return best.values();
}

export function makeBars(spec, view) {
  const frame = makeFrame(spec, spec.height ?? 236);
  const rows = spec.series.map((s) => {
    const style = `--c:${s.colour}`;
    const { parentNode: entry } = legendEntry(frame, s.label, s.colour, s.theory, s.theory || s.ahead ? "line" : "bar");
    // What the axis says already; alone, its legend takes no room.
    if (spec.ylabel?.startsWith(s.label)) (spec.series.length > 1 ? entry : frame.legend).classList.add("le-unseen");
    const look = s.theory ? "le-theory le-dashes" : s.ahead ? "le-series le-thin" : "le-bar"; // ahead: an outline
    return { ...s, held: heldPaths(style), curve: svg("path", { class: look, style }) };
  });
  const order = [...rows].sort((a, b) => a.theory - b.theory);
  order.forEach((r) => frame.body.append(r.curve));
  rows.forEach((r) => frame.body.append(...r.held.nodes));
  const placeSpots = makeSpots(frame, spec, view);
  const tooltip = makeTooltip(frame);
  const shown = rows.filter((r) => !r.theory && !r.ahead);
  let handles = [];
  let data = null;
  let ydomain = null;
  let x;
  let y;

  const moves = (r) => spec.frames && r.shape.length === 2;
  const places = (r) => (r.x ?? data.x).data;
  function values(r) {
    if (!moves(r)) return r.y;
    const [frames, size] = r.shape;
    const at = Math.min(frames - 1, lastAt(data.t, view.now()));
    return at < 0 ? NONE : r.y.subarray(at * size, (at + 1) * size);
  }

  function draw(arrays, key) {
    data = { x: arrays[`${key}.x`], t: arrays[`${key}.t`]?.data, spots: spotsOf(spec, (role) => arrays[`${key}.${role}`]) };
    rows.forEach((r, j) => {
      const one = arrays[`${key}.y${j}`];
      Object.assign(r, { y: one.data, shape: one.shape, note: one.note, x: arrays[`${key}.y${j}.x`] });
      r.old = [0, 1, 2].map((k) => ["", ".x", ".t"].map((part) => arrays[`${key}.y${j}.held${k}${part}`]));
    });
    frame.setNote(noteOf(rows));
    paint();
  }

  function paint() {
    if (!data?.x.data.length || !frame.width) return;
    const at = data.x.data;
    const half = at.length > 1 ? Math.abs(at[1] - at[0]) / 2 : 0.5;
    const [low, high] = span([at]);
    const held = rows.flatMap((r) => r.old.filter(([old]) => old).map(([old]) => old.data));
    const wanted = domainOf([...rows.map((r) => r.y), ...held, [0]], null, false);
    ydomain = heldDomain(ydomain, wanted, false, view.moving());
    const limits = [spec.ylim?.[0] ?? ydomain[0], spec.ylim?.[1] ?? ydomain[1]];
    ({ x, y } = drawScales(frame, [low - half, high + half], limits, false, false, true, 2 * half === 1 ? high - low + 1 : Infinity));
    frame.setEmpty(span(rows.map((r) => r.y)) ? "" : NOTHING, !view.drawn.runs);
    paintBars();
    placeHandles();
  }

  function paintBars() {
    for (const r of rows) {
      put(r.curve, "d", r.ahead ? topsPath(places(r), values(r)) : barPath(r, places(r), values(r)));
      r.old.forEach(([old, at, times], k) => r.held.set(k, old ? topsPath(at.data, framed(old, times?.data)) : ""));
    }
    placeSpots(x, y, data.spots, Infinity);
  }

  const framed = ({ shape: [frames, size], data: all }, times) => {
    if (!times) return all;
    const at = Math.min(frames - 1, lastAt(times, view.now()));
    return at < 0 ? NONE : all.subarray(at * size, (at + 1) * size);
  };

  // The tops of bars that are held, as one line of steps.
  function topsPath(xs, ys) {
    const half = (xs.length > 1 ? Math.abs(x(xs[1]) - x(xs[0])) : frame.w) / 2;
    const steps = Array.from(ys, (v, i) => (Number.isFinite(v) ? `${(x(xs[i]) - half).toFixed(1)},${y(v).toFixed(1)}L${(x(xs[i]) + half).toFixed(1)},${y(v).toFixed(1)}` : ""));
    const seen = steps.filter(Boolean);
    return seen.length ? `M${seen.join("L")}` : "";
  }

  function barPath(r, xs, ys) {
    const slot = Math.min((xs.length > 100 ? 1 : 0.8) * (xs.length > 1 ? Math.abs(x(xs[1]) - x(xs[0])) : frame.w), 60);
    const wide = Math.max(1, r.theory ? slot : slot / shown.length);
    const start = r.theory ? -slot / 2 : -slot / 2 + wide * shown.indexOf(r);
    return Array.from(tallest(xs, ys, slot < 1 ? x : null), (i) => {
      const v = ys[i];
      // A lone dash is longer than its bar.
      const more = r.theory && !Number.isFinite(ys[i - 1]) && !Number.isFinite(ys[i + 1]) ? Math.max(0, 30 - wide) : 0;
      const from = (x(xs[i]) + start - more / 2).toFixed(1);
      const top = y(v).toFixed(1);
      return r.theory ? `M${from},${top}h${(wide + more).toFixed(1)}` : `M${from},${y(0).toFixed(1)}V${top}h${wide.toFixed(1)}V${y(0).toFixed(1)}Z`;
    }).join("");
  }

  // One handle a bar, at the height of its weight.
  function placeHandles() {
    if (!spec.drag) return;
    const weights = view.settings[spec.drag];
    if (handles.length !== weights.length) {
      handles.forEach((one) => one.remove());
      handles = weights.map((_, i) => barHandle(i));
    }
    handles.forEach((one, i) => {
      const text = `${number(100 * weights[i], 3)}%`;
      one.place(x(data.x.data[i]), clamp(y(weights[i]), frame.top, frame.top + frame.h), { low: 0, high: 1, now: weights[i], text });
    });
  }

  function barHandle(i) {
    const weigh = (value) => view.drag({ [spec.drag]: reweighted(view.settings[spec.drag], i, value) });
    const label = `${spec.title}: ${number(data.x.data[i])}`;
    return makeHandle(frame, label, {
      vertical: true,
      move: (_, py) => weigh(y.invert(py)),
      step: (right, up, large) => weigh(view.settings[spec.drag][i] + (right + up) * (large ? 0.1 : 0.01)),
      done: () => view.settle(),
    });
  }

  pointer(frame, {
    hover(px, py) {
      if (!x) return;
      const i = nearest(data.x.data, x.invert(px));
      tooltip.show(x(data.x.data[i]), py, number(data.x.data[i]), rows.map((r) => [r.colour, r.label, number(values(r)[nearest(places(r), data.x.data[i])], 3)]));
    },
    out: tooltip.hide,
    drag: null,
  });

  function table() {
    const head = [spec.xlabel, ...rows.map((r) => r.label)];
    const body = thinned(data.x.data.length, 26).map((i) => [number(data.x.data[i]), ...rows.map((r) => number(values(r)[nearest(places(r), data.x.data[i])]))]);
    return { caption: `${spec.title}: ${spec.ylabel}`, head, body };
  }

  return { frame, draw, paint, cursor: () => x && spec.frames && paintBars(), table };
}
