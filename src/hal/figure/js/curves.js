// Curves as paths: from numbers and pixels to what is drawn, without a page.

import { d3 } from "../vendor/d3.min.js";
import { clamp } from "./tools.js";

export const NONE = new Float64Array(0);
export const lastOf = (values) => values[values.length - 1];
// Whether two arrays have the same numbers: what they stand for need not be drawn again.
export const sameNumbers = (a, b) => a === b || (a.length === b.length && a.every((v, i) => Object.is(v, b[i])));

// Place of the last of sorted numbers that is at most `value`; the first one where none is.
export function lastAt(sorted, value) {
  return Math.max(0, d3.bisectRight(sorted, value) - 1);
}

// Whether an array runs over the training time: it is called as the time of the figure is, "flow.steps" as "steps".
export function overTime(name, time) {
  const last = (text) => lastOf(text.split("."));
  return Boolean(time) && last(name) === last(time.key);
}

// Which of the series show the first run alone, for the title of their panel: all that are measured, or these by name.
export function noteOf(series) {
  const noted = series.filter((r) => r.note);
  const all = series.every((r) => r.note || r.theory);
  return noted.length ? (all ? noted[0].note : `${noted.map((r) => r.label).join(", ")}: ${noted[0].note}`) : "";
}

// Places of a table: all, or so many evenly spread.
export function thinned(count, most) {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}

// No more points than pixels: of those in one column the first, the lowest, the highest and the last; gaps stay.
function thinnedPoints(points, most = 400) {
  if (points.length <= most) return points;
  const kept = [];
  const flush = (from, to) => {
    let [low, high] = [from, from];
    for (let i = from; i < to; i++) {
      if (points[i][1] < points[low][1]) low = i;
      if (points[i][1] > points[high][1]) high = i;
    }
    for (const i of [...new Set([from, low, high, to - 1])].sort((a, b) => a - b)) kept.push(points[i]);
  };
  let from = 0;
  const kind = ([px, py]) => (Number.isFinite(py) ? Math.round(px) : NaN);
  for (let i = 1; i <= points.length; i++) {
    if (i < points.length && Object.is(kind(points[i]), kind(points[from]))) continue;
    flush(from, i);
    from = i;
  }
  return kept;
}

export const shownPoint = (v) => Number.isFinite(v[0]) && Number.isFinite(v[1]);

// A run that diverges leaves the picture by many powers of ten; a browser draws with single precision.
const FAR = 1e4;
const within = (pixel) => clamp(pixel, -FAR, FAR);

export function curvePath(points) {
  return d3.line().digits(1).defined(shownPoint).x((v) => within(v[0])).y((v) => within(v[1]))(thinnedPoints(points)) ?? "";
}

export function bandPath(points) {
  return d3.area().digits(1).defined((v) => v.every(Number.isFinite)).x((v) => within(v[0])).y0((v) => within(v[1])).y1((v) => within(v[2]))(points) ?? "";
}

// Whether `over` hides `under` over its whole visible length: never more than a line's width away, inside the frame.
export function hides(over, under, { top, h }, width = 2) {
  const above = over.filter(shownPoint);
  const xs = above.map((p) => p[0]);
  // Its height at some place, on a straight line between neighbours; not a number beside its ends.
  const heightAt = (px) => {
    const i = d3.bisectRight(xs, px);
    if (i > 0 && (xs[i - 1] === px || i < xs.length)) {
      const [[x0, y0], [x1, y1]] = [above[i - 1], above[i] ?? above[i - 1]];
      return x0 === px ? y0 : y0 + ((y1 - y0) * (px - x0)) / (x1 - x0);
    }
    return NaN;
  };
  const seen = under.filter((p) => shownPoint(p) && p[1] >= top && p[1] <= top + h);
  if (seen.length < 2 || lastOf(seen)[0] - seen[0][0] < 20) return false;
  return seen.every(([px, py]) => Math.abs(heightAt(px) - py) <= width);
}

/* The domain of an axis that holds still: round, grown in steps, never smaller while something moves, and after that
   only where more than half of it is empty. */
export function heldDomain(before, wanted, log, moving) {
  const round = (log ? d3.scaleLog() : d3.scaleLinear()).domain(wanted).nice().domain();
  if (!before) return round;
  if (moving) return [Math.min(before[0], round[0]), Math.max(before[1], round[1])];
  const size = ([low, high]) => (log ? Math.log(high / low) : high - low);
  const inside = round[0] >= before[0] && round[1] <= before[1];
  return inside && size(round) > 0.5 * size(before) ? before : round;
}

// A point with its error bar, from `top` to `foot`; a bar that leaves a log axis is cut at the point.
export function whisker(at, middle, top, foot) {
  if (!Number.isFinite(middle)) return "";
  const [low, high] = [foot, top].map((v) => (Number.isFinite(v) ? v : middle).toFixed(1));
  const cap = (v) => `M${(at - 4).toFixed(1)},${v}h8`;
  return `${cap(low)}${cap(high)}M${at.toFixed(1)},${low}V${high}M${(at - 3.5).toFixed(1)},${middle.toFixed(1)}a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0`;
}

export const circlePath = (px, py, r) => `M${(px - r).toFixed(1)},${py.toFixed(1)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`;

// How far a place is from the nearest piece of a curve, whose points go from left to right; infinite where it has none.
export function distanceTo(points, px, py) {
  const seen = points.filter(shownPoint);
  const at = d3.bisectRight(seen.map((p) => p[0]), px);
  let best = Infinity;
  for (let i = Math.max(0, at - 2); i < Math.min(seen.length, at + 2); i++) {
    const [[x0, y0], [x1, y1]] = [seen[i], seen[i + 1] ?? seen[i]];
    const long = (x1 - x0) ** 2 + (y1 - y0) ** 2;
    const t = long ? clamp(((px - x0) * (x1 - x0) + (py - y0) * (y1 - y0)) / long, 0, 1) : 0;
    best = Math.min(best, Math.hypot(x0 + t * (x1 - x0) - px, y0 + t * (y1 - y0) - py));
  }
  return best;
}

/* Tops of labels in a column, as near as can be to where their middles are wanted, none over another, all between two
   ends; in the order of what is wanted. */
export function apart(wanted, sizes, low, high) {
  const stacks = [];
  for (const i of wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b] || a - b)) {
    let stack = { sum: wanted[i] - sizes[i] / 2, size: sizes[i], members: [i] };
    const top = (s) => clamp(s.sum / s.members.length, low, Math.max(low, high - s.size));
    while (stacks.length && top(lastOf(stacks)) + lastOf(stacks).size > top(stack)) {
      const above = stacks.pop();
      // What stands further down in a stack wants its top to be higher by what is above it.
      stack = { sum: above.sum + stack.sum - stack.members.length * above.size, size: above.size + stack.size, members: [...above.members, ...stack.members] };
    }
    stack.top = top(stack);
    stacks.push(stack);
  }
  const tops = [];
  for (const { top, members } of stacks) members.reduce((at, i) => (tops[i] = at) + sizes[i], top);
  return tops;
}
