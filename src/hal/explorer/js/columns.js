// Columns: bars with widths of their own, and a line or a ground across them that can be dragged.

import { number, span } from "./numbers.js";
import { makeScene, sceneText } from "./scene.js";
import { clamp, escaped } from "./tools.js";

const HEAD = 32; // pixels above the bars
const FOOT = 26; // and below

export function makeColumns(spec, view) {
  let at = null; // {n, edges, y, invert, ends}
  let handle = null;

  function layout(scene, heights) {
    const { width, height } = scene.frame;
    const [low, high] = span([heights, [0]]);
    const fitted = [low < 0 ? 1.05 * low : 0, 1.05 * high || 1];
    const before = at?.ends;
    const still = before && view.moving() ? [Math.min(before[0], fitted[0]), Math.max(before[1], fitted[1])] : fitted;
    const ends = [spec.ylim?.[0] ?? still[0], spec.ylim?.[1] ?? still[1]];
    const left = 46;
    const room = height - HEAD - FOOT;
    const widths = scene.all("widths") ?? new Float64Array(heights.length).fill(1);
    const whole = widths.reduce((a, b) => a + Math.max(b, 0), 0) || 1;
    const edges = [left];
    widths.forEach((w) => edges.push(edges.at(-1) + ((width - left - (spec.line ? 34 : 4)) * Math.max(w, 0)) / whole));
    const y = (v) => HEAD + (room * (ends[1] - clamp(v, ends[0], ends[1]))) / (ends[1] - ends[0]);
    return { n: heights.length, edges, ends, y, invert: (py) => ends[1] - ((py - HEAD) * (ends[1] - ends[0])) / room };
  }

  const heightsOf = (scene) => scene.now("heights", (scene.all("widths") ?? scene.all("kinds") ?? []).length || spec.names.length || scene.all("heights").length);
  const hueOf = (scene, i) => spec.colours[(scene.all("kinds")?.[i] ?? 0) % spec.colours.length];
  const nameOf = (i) => spec.names[i] ?? String(i + 1);

  function paint(scene) {
    const heights = heightsOf(scene);
    at = layout(scene, heights);
    const { width } = scene.frame;
    const right = at.edges.at(-1);
    const level = scene.all("level") ? scene.one("level") : NaN;
    const parts = [];
    if (spec.ground && Number.isFinite(level)) parts.push(`<rect class="le-ground" x="${at.edges[0]}" y="${at.y(level)}" width="${right - at.edges[0]}" height="${Math.max(0, at.y(at.ends[0]) - at.y(level))}"/>`);
    for (let i = 0; i < at.n; i++) {
      const [from, to] = [at.edges[i], at.edges[i + 1]];
      const gap = Math.min(4, 0.2 * (to - from));
      const [zero, top] = [at.y(0), at.y(heights[i])];
      if (Number.isFinite(heights[i])) parts.push(`<rect class="le-ink" style="--c:${hueOf(scene, i)}" x="${(from + gap / 2).toFixed(1)}" y="${Math.min(zero, top).toFixed(1)}" width="${(to - from - gap).toFixed(1)}" height="${Math.max(0.8, Math.abs(zero - top)).toFixed(1)}"/>`);
      if (to - from > 8 * nameOf(i).length) parts.push(sceneText((from + to) / 2, scene.frame.height - 8, escaped(nameOf(i)), 'text-anchor="middle"'));
      if (to - from > 44) parts.push(sceneText((from + to) / 2, Math.min(zero, top) - 5, number(heights[i], 3), 'text-anchor="middle"'));
    }
    parts.push(`<path class="le-base" d="M${at.edges[0]},${at.y(0)}H${right}"/>`);
    if (Number.isFinite(level)) parts.push(`<path class="le-theory" d="M${at.edges[0]},${at.y(level)}H${width}"/>`, sceneText(right, at.y(level) - 6, escaped(spec.line_is), 'text-anchor="end"'));
    for (const v of [at.ends[1], 0]) parts.push(sceneText(at.edges[0] - 6, at.y(v) + 4, number(v, 2), 'text-anchor="end"'));
    parts.push(sceneText(0, 12, `↑ ${spec.ylabel}`));
    scene.ink.innerHTML = parts.join("");
    if (spec.line) placeHandle(scene);
  }

  function placeHandle(scene) {
    const { low, high, label } = scene.ends(spec.line);
    if (!handle) {
      const set = (value) => view.drag(scene.set(spec.line, value));
      handle = scene.handle(label, {
        vertical: true,
        move: (_, py) => set(at.invert(py)),
        step: (right, up, large) => set(view.settings[spec.line] + ((right + up) * (large ? 10 : 1) * (high - low)) / 100),
      });
    }
    const now = view.settings[spec.line];
    handle.place(scene.frame.width - 16, at.y(now), { low, high, now, text: number(now, 3) });
  }

  function hover(scene, px) {
    const i = at.edges.findIndex((edge, k) => px >= edge && px < at.edges[k + 1]);
    return i < 0 ? null : [nameOf(i), [[hueOf(scene, i), spec.ylabel, number(heightsOf(scene)[i], 3)]]];
  }

  function table(scene) {
    const widths = scene.all("widths");
    const body = Array.from(heightsOf(scene), (v, i) => [nameOf(i), number(v, 3), ...(widths ? [number(widths[i], 3)] : [])]);
    return { caption: spec.alt, head: ["", spec.ylabel || "height", ...(widths ? ["width"] : [])], body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
