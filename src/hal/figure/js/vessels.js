// Vessels: two that fill each other through two pipes, and drops that fall into the first one from outside.

import { sceneText } from "./marks.js";
import { number } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

const BRIM = 52; // pixels above the vessels, where drops fall
const NAMED = 24; // and below, for their names
const BORE = 40; // of a pipe
const FALL = 7; // steps of training between drops

export function makeVessels(spec, view) {
  const box = (hue, x, y, wide, high, look = "le-ink") => `<rect class="${look}" style="--c:${hue}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, wide).toFixed(1)}" height="${Math.max(0, high).toFixed(1)}"/>`;
  const shutOf = (scene) => scene.all("shut")[0] - 1;

  function vessel(scene, j, x, wide, high) {
    const level = scene.now("levels", 2)[j];
    const filled = high * clamp(level || 0, 0, 1.06);
    const [hue, middle, surface] = [spec.colours[j], x + wide / 2, BRIM + high - filled];
    const inside = high - filled < 24;
    return [
      box(hue, x, surface, wide, filled),
      `<path class="le-vessel" d="M${x},${BRIM - 8}V${BRIM + high}H${x + wide}V${BRIM - 8}"/>`,
      sceneText(middle, inside ? surface + 18 : surface - 6, number(level || 0, 2), 'text-anchor="middle" font-weight="700"', inside ? "le-on-ink" : "le-on-paper"),
      sceneText(middle, BRIM + high + 17, escaped(spec.names[j]), 'text-anchor="middle"', "le-on-paper"),
      shutOf(scene) === j ? sceneText(middle, BRIM + high / 2 + 4, "frozen", 'text-anchor="middle" font-weight="700"', "le-haloed") : "",
    ].join("");
  }

  // An arrow from the vessel j to the other one, so thick.
  function arrow(j, from, to, y, thick, hue, look) {
    const [start, end, ahead] = j ? [to, from, -1] : [from, to, 1];
    const [half, neck] = [thick / 2, end - ahead * (8 + thick / 2)];
    return `<path class="${look}" style="--c:${hue}" d="M${start},${y - half}H${neck}v${-3 - half / 3}L${end},${y}L${neck},${y + 3 + half + half / 3}v${-3 - half / 3}H${start}Z"/>`;
  }

  // It is pale where nothing runs.
  function pipe(scene, j, from, to, y) {
    const run = BORE * clamp(scene.now("flows", 2)[j] / spec.full || 0, 0, 1);
    return [
      arrow(j, from, to, y, BORE, "var(--le-faint)", "le-far"),
      run > 0.2 ? arrow(j, from, to, y, run, spec.colours[j], "le-ink") : "",
      sceneText((from + to) / 2, y + (j ? BORE / 2 + 18 : -BORE / 2 - 8), escaped(spec.pipes_are[j]), 'text-anchor="middle"', "le-on-paper"),
    ].join("");
  }

  // The area of a drop is in proportion to what falls in.
  function drops(scene, x, high) {
    if (shutOf(scene) === 0) return "";
    const size = clamp(34 * Math.sqrt(scene.one("drip") || 0), 1.1, 9);
    const surface = BRIM + high * (1 - clamp(scene.now("levels", 2)[0] || 0, 0, 1));
    const first = (view.now() % FALL) / FALL;
    const ys = Array.from({ length: 12 }, (_, k) => 8 + 24 * (first + k)).filter((y) => y < surface - size);
    return ys.map((y) => `<circle class="le-ink" style="--c:var(--le-muted)" cx="${x}" cy="${y.toFixed(1)}" r="${size.toFixed(1)}"/>`).join("");
  }

  function paint(scene) {
    const { width, height } = scene.frame;
    const [wide, high] = [Math.min(200, 0.27 * width), height - BRIM - NAMED];
    const [left, right] = [4, width - wide - 4];
    const tap = left + wide / 4;
    const [from, to] = [left + wide + 1, right - 1];
    scene.write(
      pipe(scene, 0, from, to, BRIM + 0.27 * high) + pipe(scene, 1, from, to, BRIM + 0.73 * high),
      drops(scene, tap, high) + sceneText(tap + 16, 14, escaped(spec.drip_is)),
      [0, 1].map((j) => vessel(scene, j, j ? right : left, wide, high)).join(""),
    );
  }

  function table(scene) {
    const [levels, flows] = ["levels", "flows"].map((role) => scene.now(role, 2));
    const body = spec.names.map((name, j) => [name, number(levels[j], 3), `${spec.pipes_are[j]}: ${number(flows[j], 3)}`]);
    return { caption: spec.alt, head: ["", "level", "flow"], body };
  }

  return makeScene(spec, view, { paint, table });
}
