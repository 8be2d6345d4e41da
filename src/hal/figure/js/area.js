// Area: a rectangle whose corner is dragged along a curve, and its area over the setting that moves it, as a hill.

import { sceneText } from "./marks.js";
import { number } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

const BESIDE = 560; // pixels of width from which on the hill stands beside the rectangle, not below
const ROOM = 30; // pixels above and below each of the two

export function makeArea(spec, view) {
  let at = null; // {plane, hill}: boxes {left, top, w, h} with their scales
  let handles = [];

  function layout(scene) {
    const { width, height } = scene.frame;
    const [x, y, track] = ["x", "y", "track"].map(scene.all);
    const beside = width >= BESIDE;
    const areas = Float64Array.from(x, (v, i) => v * y[i]);
    const most = [Math.max(...x) || 1, spec.highest ?? (Math.max(...y) || 1), Math.max(...areas) || 1];
    const deep = beside ? height - 2 * ROOM : 0.56 * height - 2 * ROOM;
    const plane = { left: 40, top: ROOM, w: (beside ? 0.55 * width : width) - 54, h: deep };
    const top = beside ? ROOM : 0.56 * height + ROOM;
    const left = beside ? 0.62 * width : 40;
    const hill = { left, top, w: width - left - 14, h: height - ROOM - top };
    const logs = [track[0], track.at(-1)].map(Math.log);
    const px = (v) => plane.left + (v / most[0]) * plane.w;
    const py = (v) => plane.top + plane.h * (1 - v / most[1]);
    const tx = (t) => hill.left + (clamp((Math.log(t) - logs[0]) / (logs[1] - logs[0]), 0, 1)) * hill.w;
    const ay = (a) => hill.top + hill.h * (1 - a / most[2]);
    return { plane, hill, most, areas, x, y, track, px, py, tx, ay, when: (place) => Math.exp(logs[0] + ((logs[1] - logs[0]) * (place - hill.left)) / hill.w) };
  }

  // The setting's value where the corner is as far right as this.
  function whereRight(place) {
    const value = ((place - at.plane.left) / at.plane.w) * at.most[0];
    const k = at.x.findIndex((v) => v >= value);
    if (k < 1) return at.track[k < 0 ? at.track.length - 1 : 0];
    const share = (value - at.x[k - 1]) / (at.x[k] - at.x[k - 1] || 1);
    return at.track[k - 1] * (at.track[k] / at.track[k - 1]) ** share;
  }

  const lineOf = (xs, ys, last = at.x.length) => Array.from({ length: last }, (_, i) => `${i ? "L" : "M"}${xs(i).toFixed(1)},${ys(i).toFixed(1)}`).join("");

  function paint(scene) {
    at = layout(scene);
    const { plane, hill, px, py, tx, ay } = at;
    const [wide, high] = scene.all("here");
    const now = view.drawn?.settings?.[spec.corner] ?? view.settings[spec.corner];
    const n = at.x.length;
    const floor = plane.top + plane.h;
    const foot = hill.top + hill.h;
    const parts = [`<path class="le-base" fill="none" d="M${plane.left},${plane.top}V${floor}H${plane.left + plane.w}M${hill.left},${foot}H${hill.left + hill.w}"/>`];
    parts.push(`<path class="le-theory" d="${lineOf((i) => px(at.x[i]), (i) => py(at.y[i]))}"/>`);
    const box = `x="${plane.left}" y="${py(high).toFixed(1)}" width="${Math.max(0.5, px(wide) - plane.left).toFixed(1)}" height="${Math.max(0.5, floor - py(high)).toFixed(1)}"`;
    parts.push(`<rect class="le-boxed" style="--c:${spec.colour}" ${box}/>`);
    // What the area is stands right of the corner, and within the picture.
    const told = [escaped(spec.area_is), `= ${number(wide, 3)} × ${number(high, 3)} = ${number(wide * high, 3)}`];
    const sx = Math.min(px(wide) + 12, plane.left + plane.w - 7 * Math.max(...told.map((one) => one.length)));
    const sy = clamp(py(high) - 8, plane.top + 22, floor - 22);
    told.forEach((one, k) => parts.push(sceneText(Math.max(sx, plane.left + 6), sy - 15 * (1 - k), one, 'font-weight="600"', "le-haloed")));
    parts.push(sceneText(0, 12, `↑ ${escaped(spec.ylabel)}`), sceneText(plane.left + plane.w / 2, floor + 15, `${escaped(spec.xlabel)} →`, 'text-anchor="middle"'));
    for (const v of [0, 0.5, 1]) parts.push(sceneText(plane.left - 6, py(v * at.most[1]) + 4, number(v * at.most[1], 2), 'text-anchor="end"'));
    parts.push(sceneText(plane.left, floor + 15, "0", 'text-anchor="middle"'), sceneText(plane.left + plane.w, floor + 15, number(at.most[0], 3), 'text-anchor="end"'));
    const whole = lineOf((i) => tx(at.track[i]), (i) => ay(at.areas[i]));
    const past = Array.from(at.track).filter((t) => t <= now).length;
    parts.push(`<path class="le-far" d="${whole}V${foot}H${hill.left}Z"/>`);
    if (past) parts.push(`<path class="le-boxed" style="--c:${spec.colour}" d="${lineOf((i) => tx(at.track[i]), (i) => ay(at.areas[i]), past)}L${tx(now).toFixed(1)},${ay(wide * high).toFixed(1)}V${foot}H${hill.left}Z"/>`);
    const ticks = [];
    spec.marks.forEach((label, j) => {
      const t = scene.all(`m${j}`)[0];
      if (!(t >= at.track[0] && t <= at.track[n - 1])) return;
      ticks.push(tx(t));
      parts.push(`<path class="le-mark" d="M${tx(t).toFixed(1)},${hill.top}V${foot}"/>`, sceneText(tx(t), foot + 14, escaped(label), `text-anchor="${j ? "start" : "end"}"`));
    });
    for (const v of [0, at.most[2]]) parts.push(sceneText(hill.left - 6, ay(v) + 4, number(v, 2), 'text-anchor="end"'));
    parts.push(sceneText(hill.left, hill.top - 18, `↑ ${escaped(spec.area_is)}`), sceneText(hill.left + hill.w, hill.top - 18, `${escaped(spec.now_is)} ${number(now, 3)}`, 'text-anchor="end"', "le-on-paper"), sceneText(hill.left + hill.w, foot + 26, `${escaped(spec.track_is)} →`, 'text-anchor="end"'));
    for (const v of [1, 100, 10_000]) if (v >= at.track[0] && v <= at.track[n - 1] && ticks.every((x) => Math.abs(x - tx(v)) > 34)) parts.push(sceneText(tx(v), foot + 14, number(v), 'text-anchor="middle"'));
    scene.write(parts.join(""));
    placeHandles(scene, wide, high, now);
  }

  function placeHandles(scene, wide, high, now) {
    const { low, high: top, label } = scene.ends(spec.corner);
    if (!handles.length) {
      const set = (value) => view.drag(scene.set(spec.corner, value));
      const step = (right, up, large) => set(view.settings[spec.corner] * (top / low) ** (((right + up) * (large ? 10 : 1)) / 100));
      handles = [
        scene.handle(`${label}, at the corner`, { move: (x) => set(whereRight(x)), step }),
        scene.handle(`${label}, on the hill`, { move: (x) => set(at.when(x)), step }),
      ];
    }
    const told = { low, high: top, now: view.settings[spec.corner], text: number(view.settings[spec.corner], 3) };
    handles[0].place(at.px(wide), at.py(high), told);
    handles[1].place(at.tx(now), at.ay(wide * high), told);
  }

  function table(scene) {
    const [wide, high] = scene.all("here");
    const some = [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (at.x.length - 1))))];
    const row = (name, x, y) => [name, number(x, 3), number(y, 3), number(x * y, 3)];
    const body = [row("now", wide, high), ...some.map((i) => row(number(at.track[i], 3), at.x[i], at.y[i]))];
    return { caption: spec.alt, head: [spec.track_is, spec.xlabel, spec.ylabel, spec.area_is], body };
  }

  return makeScene(spec, view, { paint, table });
}
