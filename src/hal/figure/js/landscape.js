// A landscape: bands of a function of two numbers in one ordered ramp, dark where it is low; paths in it,
// names in place, and a marble where the run starts.

import { drawScales, makeFrame } from "./axes.js";
import { depths, heightAt, paintBands } from "./bands.js";
import { NONE, sameNumbers } from "./curves.js";
import { freeHeight } from "./marks.js";
import { number, span } from "./numbers.js";
import { makeHandle, makeTooltip, pointer } from "./pointing.js";
import { clamp, html, isDark, put, richSvg } from "./tools.js";

export function makeLandscape(spec, view) {
  const frame = makeFrame({ ...spec, title: view.spec.small ? "" : spec.title }, spec.height);
  put(frame.chart, "aria-label", spec.alt);
  const canvas = html("canvas", { class: "le-bands", "aria-hidden": "true" });
  frame.plot.prepend(canvas);
  const tooltip = makeTooltip(frame);
  const at = { x: null, y: null };
  let data = null;
  let painted = "";
  let drawn = NONE; // the heights that the canvas shows
  let handle = null;

  function draw(arrays, key) {
    const find = (role) => arrays[`${key}.${role}`].data;
    data = { x: find("x"), y: find("y"), z: find("z"), marks: spec.marks.map((_, j) => [find(`x${j}`), find(`y${j}`)]) };
    paint();
  }

  const heightOf = (column, row) => heightAt(data.z, data.x.length, data.y.length, column, row);

  function paintGround() {
    const fine = Math.min(2, globalThis.devicePixelRatio || 1);
    const [wide, high] = [Math.round(frame.w * fine), Math.round(frame.h * fine)];
    const dark = isDark(frame.root);
    const asked = [wide, high, dark].join();
    put(canvas, "style", `left:${frame.left}px;top:${frame.top}px;width:${frame.w}px;height:${frame.h}px`);
    if (painted === asked && sameNumbers(data.z, drawn)) return;
    [painted, drawn] = [asked, data.z];
    const [low, top] = span([data.z]) ?? [0, 1];
    paintBands(canvas, wide, high, (i, j) => {
      const z = heightOf(((i + 0.5) / wide) * (data.x.length - 1), ((high - 0.5 - j) / high) * (data.y.length - 1));
      return Number.isFinite(z) ? clamp(Math.floor(((z - low) / (top - low || 1)) * spec.levels), 0, spec.levels - 1) : -1;
    }, depths(spec.levels, dark));
  }

  const pathOf = ([xs, ys]) => {
    let d = "";
    let pen = "M";
    for (let i = 0; i < xs.length; i++) {
      const whole = Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
      if (whole) d += `${pen}${at.x(xs[i]).toFixed(1)},${at.y(ys[i]).toFixed(1)}`;
      pen = whole ? "L" : "M";
    }
    return d;
  };

  function paint() {
    if (!data || frame.width < 160) return;
    Object.assign(at, drawScales(frame, ...[data.x, data.y].map((values) => [values[0], values.at(-1)]), false, false, false));
    paintGround();
    const parts = [];
    const names = [];
    const taken = [];
    spec.marks.forEach(({ role, label, colour, theory }, j) => {
      const [xs, ys] = data.marks[j];
      if (role !== "place") parts.push(`<path class="${theory ? "le-theory" : "le-series"} le-path" style="--c:${colour}" d="${pathOf(data.marks[j])}"/>`);
      const last = xs.length - 1;
      if (!Number.isFinite(xs[last]) || !Number.isFinite(ys[last])) return;
      const [px, py] = [at.x(xs[last]), at.y(ys[last])];
      const right = px < frame.left + 0.62 * frame.w;
      if (!theory) parts.push(`<circle class="le-dot" style="--c:${role === "place" ? "var(--le-fg)" : colour}" cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="${role === "place" ? 3 : 4.5}"/>`);
      const [nx, ny] = [px + (right ? 9 : -9), py - 7];
      if (!label) return;
      const [low, high] = [nx, nx + (right ? 7 : -7) * label.length].sort((a, b) => a - b);
      const y = freeHeight(taken, low, high, ny, [frame.top + 12, frame.top + frame.h - 4]);
      names.push(`<text class="le-words le-haloed" x="${nx.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${right ? "start" : "end"}">${richSvg(label)}</text>`);
    });
    frame.body.innerHTML = parts.join("");
    frame.over.innerHTML = names.join("");
    placeHandle();
  }

  const controlOf = (side) => view.spec.controls.find((c) => c.name === spec.start[side]);

  function placeHandle() {
    if (!spec.start) return;
    const set = (values) => view.drag(Object.fromEntries(spec.start.map((name, side) => {
      const { low, high } = controlOf(side);
      return [name, clamp(Number(values[side].toPrecision(3)), low, high)];
    })));
    const now = spec.start.map((name) => view.settings[name]);
    handle ??= makeHandle(frame, `Start: ${[0, 1].map((side) => controlOf(side).label).join(", ")}`, {
      move: (px, py) => set([at.x.invert(px), at.y.invert(py)]),
      step: (right, up, large) => set([0, 1].map((side) => {
        const { low, high, log } = controlOf(side);
        const share = ([right, up][side] * (large ? 10 : 1)) / 100;
        const value = view.settings[spec.start[side]];
        return log ? value * (high / low) ** share : value + (high - low) * share;
      })),
      done: () => view.settle(),
    });
    const { low, high } = controlOf(0); // of the two it says one; the text has both
    handle.place(at.x(now[0]), at.y(now[1]), { low, high, now: now[0], text: `${spec.xlabel} ${number(now[0], 3)}, ${spec.ylabel} ${number(now[1], 3)}` });
  }

  pointer(frame, {
    hover(px, py) {
      if (!at.x) return;
      const [vx, vy] = [at.x.invert(px), at.y.invert(py)];
      const share = (from, wide, p) => clamp((p - from) / wide, 0, 1);
      const z = heightOf(share(frame.left, frame.w, px) * (data.x.length - 1), (1 - share(frame.top, frame.h, py)) * (data.y.length - 1));
      tooltip.show(px, py, `height ${number(z, 3)}`, [[null, spec.xlabel, number(vx, 3)], [null, spec.ylabel, number(vy, 3)]]);
    },
    out: tooltip.hide,
    drag: null,
  });

  function table() {
    const body = spec.marks.flatMap(({ label, role }, j) => {
      const [xs, ys] = data.marks[j];
      const some = role === "place" ? [xs.length - 1] : [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (xs.length - 1))))];
      return some.map((i) => [`${label || "path"}, point ${i + 1}`, number(xs[i], 3), number(ys[i], 3)]);
    });
    return { caption: spec.alt, head: ["", spec.xlabel, spec.ylabel], body };
  }

  return { frame, draw, paint, cursor() {}, table, theme: paint };
}
