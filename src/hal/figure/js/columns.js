// Columns: bars with widths of their own, and a line across them.

import { freeHeight, sceneText } from "./marks.js";
import { number, span } from "./numbers.js";
import { makeScene } from "./scene.js";
import { clamp, escaped } from "./tools.js";

const HEAD = 32; // pixels above the bars
const FOOT = 26; // and below

export function makeColumns(spec, view) {
  let at = null; // {n, edges, y, ends}
  let handle = null;

  function layout(scene, heights) {
    const { width, height } = scene.frame;
    const [low, high] = span([heights, [0]]);
    const fitted = [low < 0 ? 1.05 * low : 0, 1.05 * high || (low < 0 ? 0 : 1)];
    const before = at?.ends;
    const still = before && view.moving() ? [Math.min(before[0], fitted[0]), Math.max(before[1], fitted[1])] : fitted;
    const ends = [spec.ylim?.[0] ?? still[0], spec.ylim?.[1] ?? still[1]];
    const [left, head] = [46, HEAD];
    const room = height - head - FOOT;
    const widths = scene.all("widths") ? scene.now("widths", heights.length) : new Float64Array(heights.length).fill(1);
    const right = spec.answers.length ? 86 : spec.thick ? 84 : 4;
    const whole = widths.reduce((a, b) => a + Math.max(b, 0), 0) || 1;
    const edges = [left];
    widths.forEach((w) => edges.push(edges.at(-1) + ((width - left - right) * Math.max(w, 0)) / whole));
    const y = (v) => head + (room * (ends[1] - clamp(v, ends[0], ends[1]))) / (ends[1] - ends[0]);
    return { n: heights.length, edges, ends, head, y };
  }

  const heightsOf = (scene) => scene.now("heights", ((spec.frames ? null : scene.all("widths")) ?? scene.all("kinds") ?? []).length || spec.names.length || scene.all("heights").length);
  const hueOf = (scene, i) => spec.colours[(scene.all("kinds")?.[i] ?? 0) % spec.colours.length];
  const nameOf = (i) => spec.names[i] ?? String(i + 1);

  const rect = (look, hue, x, from, to, wide) => `<rect class="${look}" ${hue ? `style="--c:${hue}"` : ""} x="${x.toFixed(1)}" y="${Math.min(from, to).toFixed(1)}" width="${Math.max(0.5, wide).toFixed(1)}" height="${Math.max(0.8, Math.abs(from - to)).toFixed(1)}"/>`;

  function bar(scene, i, height) {
    const [from, to] = [at.edges[i], at.edges[i + 1]];
    const gap = Math.min(4, 0.2 * (to - from));
    return rect(spec.thick ? "le-fill" : "le-ink", hueOf(scene, i), from + gap / 2, at.y(0), at.y(height), to - from - gap);
  }

  // What the areas add up to: a line over all of the bars, and in words.
  function answer(right, level) {
    const y = at.y(level);
    return [`<path class="le-bold" style="--c:var(--le-fg)" d="M${at.edges[0]},${y}H${right + 8}"/>`, sceneText(right + 12, y + 1, escaped(spec.answers[level > 0 ? 1 : 0]), 'font-weight="700"'), sceneText(right + 12, y + 16, escaped(spec.line_is))];
  }

  function paint(scene) {
    const heights = heightsOf(scene);
    at = layout(scene, heights);
    const right = at.edges.at(-1);
    const level = scene.all("level") ? scene.one("level") : NaN;
    const parts = [];
    const taken = [];
    for (let i = 0; i < at.n; i++) {
      const [from, to, zero, top] = [at.edges[i], at.edges[i + 1], at.y(0), at.y(heights[i])];
      if (Number.isFinite(heights[i])) parts.push(bar(scene, i, heights[i]));
      const told = i === spec.told - 1;
      if (told || to - from > 6.3 * nameOf(i).length) parts.push(sceneText((from + to) / 2, scene.frame.height - 8, escaped(nameOf(i)), 'text-anchor="middle"'));
      if (spec.told ? told : to - from > 44 || i === view.settings[spec.pick] - 1) parts.push(sceneText((from + to) / 2, told && top > zero ? top + 14 : freeHeight(taken, from, to, spec.thick ? zero - 7 : Math.min(zero, top) - 5), number(heights[i], told ? 2 : 3), 'text-anchor="middle"', told ? "le-haloed" : ""));
    }
    parts.push(`<path class="le-base" d="M${at.edges[0]},${at.y(0)}H${right}"/>`);
    if (spec.pick) {
      const now = clamp(view.settings[spec.pick] - 1, 0, at.n - 1);
      parts.push(`<rect class="le-outline" x="${at.edges[now].toFixed(1)}" y="${at.head - 16}" width="${(at.edges[now + 1] - at.edges[now]).toFixed(1)}" height="${scene.frame.height - at.head + 14}" rx="4"/>`);
    }
    if (spec.answers.length) parts.push(...answer(right, level));
    else if (spec.thick && Number.isFinite(level)) {
      const words = sceneText(right + 7, at.y(level) + 5, `${escaped(spec.line_is)} ${level.toFixed(2)}`, "", "le-haloed le-large");
      parts.push(`<path class="le-bold le-thick" style="--c:${spec.colours[0]}" d="M${at.edges[0]},${at.y(level)}H${right}"/>`, words);
    } else if (Number.isFinite(level)) parts.push(`<path class="le-theory" d="M${at.edges[0]},${at.y(level)}H${scene.frame.width}"/>`, sceneText(right, freeHeight(taken, right - 7 * spec.line_is.length, right, at.y(level) - 6), escaped(spec.line_is), 'text-anchor="end"'));
    for (const v of new Set(at.ends[1] > 0 ? [at.ends[1], Math.max(0, at.ends[0])] : at.ends)) parts.push(sceneText(at.edges[0] - 6, at.y(v) + 4, number(v, 2), 'text-anchor="end"'));
    parts.push(sceneText(0, 12, `↑ ${spec.ylabel}`));
    scene.write(parts.join(""));
    if (spec.pick) placePick(scene, heights);
  }

  // The picked bar: a frame from the top of the picture to its name, and a handle on the name.
  function placePick(scene, heights) {
    const now = clamp(view.settings[spec.pick] - 1, 0, at.n - 1);
    const go = (i) => view.drag(scene.set(spec.pick, clamp(i, 0, at.n - 1) + 1));
    const nearest = (px) => Math.max(0, at.edges.findLastIndex((edge) => px >= edge));
    if (!handle) {
      handle = scene.handle(scene.ends(spec.pick).label, { move: (px) => go(nearest(px)), step: (right, up) => go(view.settings[spec.pick] - 1 + right + up) }, true);
      scene.clicked((px) => go(nearest(px)));
    }
    handle.place((at.edges[now] + at.edges[now + 1]) / 2, scene.frame.height - 12, { low: 1, high: at.n, now: now + 1, text: `${nameOf(now)}: ${number(heights[now], 3)}` });
  }

  function hover(scene, px) {
    const i = at.edges.findIndex((edge, k) => px >= edge && px < at.edges[k + 1]);
    return i < 0 || spec.pick ? null : [nameOf(i), [[hueOf(scene, i), spec.ylabel, number(heightsOf(scene)[i], 3)]]];
  }

  function table(scene) {
    const widths = scene.all("widths");
    const body = Array.from(heightsOf(scene), (v, i) => [nameOf(i), number(v, 3), ...(widths ? [number(widths[i], 3)] : [])]);
    return { caption: spec.alt, head: ["", spec.ylabel || "height", ...(widths ? ["width"] : [])], body };
  }

  return makeScene(spec, view, { paint, table, hover });
}
