// Stems: a thin column at every place of a sequence, up or down; where they are thinner than a pixel, their envelope.

import { sceneText } from "./marks.js";
import { number, span } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp } from "./tools.js";

const EDGE = 26; // pixels above and below the columns

export function makeStems(spec, view) {
  let at = null; // how places and heights lie on the screen
  let handles = [];

  function scaleOf(scene, values) {
    const { width, height } = scene.frame;
    const band = spec.band ? view.settings[spec.band] : 0;
    const [low, high] = span([values, scene.all("expected") ?? []]) ?? [0, 0];
    const most = Math.max(-low, high, spec.band ? Math.min(2 * band, scene.ends(spec.band).high) : 0) * 1.08 || 1;
    const held = at && view.moving() && at.most >= most && at.most < 20 * most ? at.most : most;
    const ends = [spec.ylim?.[0] ?? -held, spec.ylim?.[1] ?? held];
    const left = 46;
    const step = (width - left - 4) / values.length;
    const room = height - 2 * EDGE;
    const y = (v) => EDGE + (room * (ends[1] - clamp(v, ends[0], ends[1]))) / (ends[1] - ends[0]);
    return { most: held, ends, left, step, n: values.length, y, x: (i) => left + i * step, invert: (py) => ends[1] - ((py - EDGE) * (ends[1] - ends[0])) / room };
  }

  const isTrue = (scene, i) => Boolean(scene.all("true")?.[i]);

  function hueOf(scene, i) {
    const kind = scene.all("kinds")?.[i] ?? -1;
    return kind >= 0 ? spec.tints[kind % spec.tints.length] : isTrue(scene, i) ? spec.idea : spec.other_idea;
  }

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

  // What marked columns and ticks are: said at the first and at the tallest of them.
  function named(scene, n, expected) {
    const beside = (i) => (i < 0.8 * n ? [at.x(i + 1) + 8, "start"] : [at.x(i) - 8, "end"]);
    const first = Array.from({ length: n }, (_, i) => i).find((i) => isTrue(scene, i));
    const tallest = expected.reduce((best, v, i) => (v > (expected[best] ?? -Infinity) ? i : best), -1);
    const words = [[spec.true_is, first, at.ends[0] < 0 ? scene.frame.height - EDGE + 4 : EDGE + 4], [spec.expected_is, tallest, at.y(expected[tallest]) + 4]];
    return words.filter(([text, i]) => text && i >= 0).map(([text, i, y]) => sceneText(beside(i)[0], y, text, `text-anchor="${beside(i)[1]}"`));
  }

  function paint(scene) {
    const n = (scene.all("true") ?? scene.all("kinds") ?? scene.all("expected") ?? scene.all("values")).length;
    const values = scene.now("values", n);
    at = scaleOf(scene, values);
    const { width, height } = scene.frame;
    const parts = [];
    for (let i = 0; i < n; i++) if (isTrue(scene, i)) parts.push(`<rect class="le-glow" style="--c:${spec.idea}" x="${(at.x(i) - 1.5).toFixed(1)}" y="${EDGE - 8}" width="${(at.step + 1).toFixed(1)}" height="${height - 2 * EDGE + 16}"/>`);
    if (spec.band) {
      const [up, down] = [at.y(view.settings[spec.band]), at.y(-view.settings[spec.band])];
      parts.push(`<rect class="le-net" x="${at.left}" y="${up}" width="${width - at.left}" height="${Math.max(0.5, down - up)}"/>`);
    }
    parts.push(columns(scene, values));
    const expected = scene.all("expected") ?? [];
    const ticks = Array.from(expected, (v, i) => (Number.isFinite(v) ? `M${(at.x(i) - 3).toFixed(1)},${at.y(v).toFixed(1)}h${(at.step + 4).toFixed(1)}` : "")).join("");
    if (ticks) parts.push(`<path class="le-theory" d="${ticks}"/>`);
    parts.push(...named(scene, n, expected));
    if (spec.band_is) parts.push(sceneText(at.left + 4, at.y(view.settings[spec.band]) - 6, spec.band_is, "", "le-haloed"));
    parts.push(`<path class="le-base" d="M${at.left},${at.y(0)}H${width}"/>`);
    for (const v of [at.ends[1] / 1.08, 0]) if (v >= at.ends[0]) parts.push(sceneText(at.left - 6, at.y(v) + 4, number(v, 2), 'text-anchor="end"'));
    parts.push(sceneText(0, 12, `↑ ${spec.ylabel}`), sceneText(width, height - 6, `${spec.xlabel} 1 to ${number(n)} →`, 'text-anchor="end"'));
    scene.write(parts.join(""));
    if (spec.band) placeHandles(scene);
  }

  // Both edges of the band move it; at the right end, where a thumb is.
  function placeHandles(scene) {
    if (!handles.length) {
      const label = scene.ends(spec.band).label;
      const set = (value) => view.drag(scene.set(spec.band, Math.max(0, value)));
      const { low, high } = scene.ends(spec.band);
      handles = [1, -1].map((side) => scene.handle(`${label}, ${side > 0 ? "upper" : "lower"} edge`, {
        vertical: true,
        move: (_, py) => set(side * at.invert(py)),
        step: (right, up, large) => set(view.settings[spec.band] + ((right + up) * (large ? 10 : 1) * (high - low)) / 100),
      }));
    }
    const now = view.settings[spec.band];
    const { low, high } = scene.ends(spec.band);
    handles.forEach((one, i) => one.place(scene.frame.width - 12, at.y(i ? -now : now), { low, high, now, text: number(now, 3) }));
  }

  const what = (scene, i) => [spec.letters[scene.all("kinds")?.[i]], isTrue(scene, i) ? "true" : ""].filter(Boolean).join(", ");

  function hover(scene, px) {
    const i = Math.floor((px - at.left) / at.step);
    if (i < 0 || i >= at.n) return null;
    const rows = [[hueOf(scene, i), "value", number(scene.now("values", at.n)[i], 3)]];
    const wanted = scene.all("expected")?.[i];
    if (Number.isFinite(wanted)) rows.push([null, "expected", number(wanted, 3)]);
    return [[`${spec.xlabel} ${i + 1}`, what(scene, i)].filter(Boolean).join(": "), rows];
  }

  function table(scene) {
    const values = scene.now("values", at.n);
    const expected = scene.all("expected");
    const head = [spec.xlabel, "", spec.ylabel || "value", ...(expected ? ["expected"] : [])];
    const body = Array.from(values, (v, i) => [String(i + 1), what(scene, i), number(v, 3), ...(expected ? [number(expected[i], 3)] : [])]);
    return { caption: spec.alt, head, body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
