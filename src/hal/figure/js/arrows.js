// Arrows: directions from one point, on an arc, with the angle between the first two in text.

import { sceneText } from "./marks.js";
import { number } from "./numbers.js";
import { makeScene } from "./scene.js";
import { escaped } from "./tools.js";

const DEGREE = Math.PI / 180;

export function makeArrows(spec, view) {
  const n = spec.names.length;
  let at = null; // {cx, cy, r}

  const along = (angle, length = 1) => [at.cx + at.r * length * Math.cos(angle * DEGREE), at.cy - at.r * length * Math.sin(angle * DEGREE)];
  const point = (angle, length) => along(angle, length).map((v) => v.toFixed(1)).join(",");
  const curve = (from, to, length) => Array.from({ length: 49 }, (_, k) => `${k ? "L" : "M"}${point(from + ((to - from) * k) / 48, length)}`).join("");

  // The arc, its centre and a name at each side of it fill the picture.
  function layout(scene) {
    const { width, height } = scene.frame;
    const [low, high] = spec.span;
    const around = Array.from({ length: 181 }, (_, k) => (low + ((high - low) * k) / 180) * DEGREE);
    const ends = (values) => [Math.min(0, ...values), Math.max(0, ...values)];
    const [left, right] = ends(around.map(Math.cos));
    const [under, over] = ends(around.map(Math.sin));
    const name = 18 + 7 * Math.max(...[...spec.names, ...spec.expected_is, spec.ghosts_are].map((one) => one.length));
    const sides = [left < -0.2 ? name : 14, name];
    const r = Math.max(20, Math.min((width - sides[0] - sides[1]) / (right - left), (height - 44) / (over - under)));
    const slack = (width - sides[0] - sides[1] - r * (right - left)) / 2;
    return { r, cx: sides[0] + slack - r * left, cy: (height - r * (over - under)) / 2 + r * over };
  }

  const anglesOf = (scene) => scene.now("angles", n);
  const degrees = (angle) => `${angle < 9.95 ? number(angle, 2) : Math.round(angle)}°`;

  // From the first arrow to the second the shorter way: [from, to] in degrees.
  function opening(angles) {
    const turned = ((((angles[1] - angles[0]) % 360) + 540) % 360) - 180;
    return [angles[0], angles[0] + turned];
  }

  function arrow(angle, hue) {
    const [x, y] = along(angle);
    const [ux, uy] = [Math.cos(angle * DEGREE), -Math.sin(angle * DEGREE)];
    const [bx, by] = [x - 13 * ux, y - 13 * uy];
    const head = `M${x.toFixed(1)},${y.toFixed(1)}L${(bx - 6 * uy).toFixed(1)},${(by + 6 * ux).toFixed(1)}L${(bx + 6 * uy).toFixed(1)},${(by - 6 * ux).toFixed(1)}Z`;
    return `<path class="le-bold" style="--c:${hue}" d="M${at.cx.toFixed(1)},${at.cy.toFixed(1)}L${bx.toFixed(1)},${by.toFixed(1)}"/><path class="le-ink" style="--c:${hue}" d="${head}"/>`;
  }

  // Names at the heads, pushed apart where they would meet.
  function named(heads) {
    const sides = [heads.filter(([x]) => x >= at.cx), heads.filter(([x]) => x < at.cx)];
    return sides.flatMap((side, left) => {
      let free = -Infinity;
      return side.toSorted((a, b) => a[1] - b[1]).map(([x, y, name]) => {
        free = Math.max(y + (Math.abs(x - at.cx) < 30 ? -8 : 4), free + 15);
        return sceneText(x + (left ? -10 : 10), free, escaped(name), `text-anchor="${left ? "end" : "start"}" font-weight="600"`, "le-haloed");
      });
    });
  }

  function paint(scene) {
    at = layout(scene);
    const angles = anglesOf(scene);
    const parts = [`<path class="le-round" d="${curve(...spec.span, 1)}"/>`];
    const heads = [];
    Array.from(scene.all("expected") ?? []).filter(Number.isFinite).forEach((angle, k) => {
      parts.push(`<path class="le-theory" d="M${point(angle, 0)}L${point(angle, 1)}"/>`);
      if (spec.expected_is[k]) heads.push([...along(angle), spec.expected_is[k]]);
    });
    Array.from(scene.all("ghosts") ?? []).filter(Number.isFinite).forEach((angle, k) => {
      parts.push(`<g opacity="0.4">${arrow(angle, spec.colours[k])}</g>`);
      if (k === n - 1 && spec.ghosts_are) heads.push([...along(angle), spec.ghosts_are]);
    });
    for (let j = 0; j < n; j++) {
      if (!Number.isFinite(angles[j])) continue;
      parts.push(arrow(angles[j], spec.colours[j]));
      heads.push([...along(angles[j]), spec.names[j]]);
    }
    parts.push(...named(heads));
    if (n > 1 && Number.isFinite(angles[0] + angles[1])) {
      const [from, to] = opening(angles);
      const [x, y] = along((from + to) / 2, 0.32);
      const [ux, uy] = [(x - at.cx) / (0.32 * at.r), (y - at.cy) / (0.32 * at.r)];
      parts.push(`<path class="le-series" style="--c:${spec.idea}" d="${curve(from, to, 0.32)}"/>`);
      parts.push(sceneText(x + 22 * ux, y + 14 * uy + 5, degrees(Math.abs(to - from)), 'text-anchor="middle" style="font-size:16px" font-weight="700"', "le-haloed"));
    }
    scene.write(parts.join(""));
  }

  function hover(scene, px, py) {
    const angle = Math.atan2(at.cy - py, px - at.cx) / DEGREE;
    const far = Array.from(anglesOf(scene), (one) => Math.abs(((((one - angle) % 360) + 540) % 360) - 180));
    const j = far.indexOf(Math.min(...far));
    if (far[j] > 6 || Math.hypot(px - at.cx, py - at.cy) > 1.1 * at.r) return null;
    return [spec.names[j], [[spec.colours[j], "direction", degrees(anglesOf(scene)[j])]]];
  }

  function table(scene) {
    const angles = anglesOf(scene);
    const [from, to] = opening(angles);
    const said = n > 1 ? ` The angle between ${spec.names[0]} and ${spec.names[1]} is ${degrees(Math.abs(to - from))}.` : "";
    const body = Array.from(angles, (angle, j) => [spec.names[j], number(angle, 3)]);
    return { caption: `${spec.alt}${said}`, head: ["", "direction (degrees)"], body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
