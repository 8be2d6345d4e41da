// Stems: a thin column at every place of a sequence, up or down; where they are thinner than a pixel, their envelope.

import { sceneText } from "./marks.js";
import { number, span } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp } from "./tools.js";

const EDGE = 26; // pixels above and below the columns

export function makeStems(spec, view) {
  let at = null; // how places and heights lie on the screen

  function scaleOf(scene, values) {
    const { width, height } = scene.frame;
    const [low, high] = span([values]) ?? [0, 0];
    const most = Math.max(-low, high) * 1.08 || 1;
    const held = at && view.moving() && at.most >= most && at.most < 20 * most ? at.most : most;
    const ends = [spec.ylim?.[0] ?? -held, spec.ylim?.[1] ?? held];
    const left = 46;
    const step = (width - left - 4) / values.length;
    const room = height - 2 * EDGE;
    const y = (v) => EDGE + (room * (ends[1] - clamp(v, ends[0], ends[1]))) / (ends[1] - ends[0]);
    return { most: held, ends, left, step, n: values.length, y, x: (i) => left + i * step };
  }

  const isTrue = (scene, i) => Boolean(scene.all("true")?.[i]);

  const hueOf = (scene, i) => (isTrue(scene, i) ? spec.idea : spec.others);

  // Columns of one colour are one path. Several on a pixel: from the lowest to the highest of them.
  function columns(scene, values) {
    const paths = new Map();
    const wide = Math.max(1, at.step - Math.min(2.5, 0.3 * at.step));
    const add = (hue, x, from, to) => paths.set(hue, `${paths.get(hue) ?? ""}M${x.toFixed(1)},${from.toFixed(1)}h${wide.toFixed(1)}V${to.toFixed(1)}h${(-wide).toFixed(1)}Z`);
    const zero = at.y(0);
    const reach = new Map(); // pixel and colour -> [highest, lowest] on the screen
    for (let i = 0; i < values.length; i++) {
      if (!Number.isFinite(values[i])) continue;
      const y = at.y(values[i]);
      const hue = hueOf(scene, i);
      if (at.step >= 1) {
        add(hue, at.x(i), zero, Math.abs(y - zero) < 0.6 ? zero - 0.6 : y);
        continue;
      }
      const pixel = `${Math.floor(at.x(i))} ${hue}`;
      const [up, down] = reach.get(pixel) ?? [zero, zero];
      reach.set(pixel, [Math.min(up, y), Math.max(down, y)]);
    }
    for (const [pixel, [up, down]] of reach) add(pixel.split(" ")[1], parseInt(pixel, 10), up, down);
    return [...paths].map(([hue, d]) => `<path class="le-ink" style="--c:${hue}" d="${d}"/>`).join("");
  }

  // What marked columns are: said at the first of them.
  function named(scene, n) {
    const first = spec.true_is ? Array.from({ length: n }, (_, i) => i).find((i) => isTrue(scene, i)) : undefined;
    if (first === undefined) return "";
    const [x, anchor] = first < 0.8 * n ? [at.x(first + 1) + 8, "start"] : [at.x(first) - 8, "end"];
    return sceneText(x, at.ends[0] < 0 ? scene.frame.height - EDGE + 4 : EDGE + 4, spec.true_is, `text-anchor="${anchor}"`);
  }

  function paint(scene) {
    const n = (scene.all("true") ?? scene.all("values")).length;
    const values = scene.now("values", n);
    at = scaleOf(scene, values);
    const { width, height } = scene.frame;
    const parts = [];
    for (let i = 0; i < n; i++) if (isTrue(scene, i)) parts.push(`<rect class="le-glow" style="--c:${spec.idea}" x="${(at.x(i) - 1.5).toFixed(1)}" y="${EDGE - 8}" width="${(at.step + 1).toFixed(1)}" height="${height - 2 * EDGE + 16}"/>`);
    parts.push(columns(scene, values));
    parts.push(named(scene, n));
    parts.push(`<path class="le-base" d="M${at.left},${at.y(0)}H${width}"/>`);
    for (const v of [at.ends[1] / 1.08, 0]) if (v >= at.ends[0]) parts.push(sceneText(at.left - 6, at.y(v) + 4, number(v, 2), 'text-anchor="end"'));
    parts.push(sceneText(0, 12, `↑ ${spec.ylabel}`), sceneText(width, height - 6, `position 1 to ${number(n)} →`, 'text-anchor="end"'));
    scene.write(parts.join(""));
  }

  const nameOf = (scene, i) => [`position ${i + 1}`, isTrue(scene, i) ? "true" : ""].filter(Boolean);

  function hover(scene, px) {
    const i = Math.floor((px - at.left) / at.step);
    if (i < 0 || i >= at.n) return null;
    return [nameOf(scene, i).join(": "), [[hueOf(scene, i), "value", number(scene.now("values", at.n)[i], 3)]]];
  }

  function table(scene) {
    const body = Array.from(scene.now("values", at.n), (v, i) => [String(i + 1), isTrue(scene, i) ? "true" : "", number(v, 3)]);
    return { caption: spec.alt, head: ["position", "", spec.ylabel || "value"], body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
