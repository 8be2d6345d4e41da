// Numbers: as text for a reader, their middle, span and nearest, and as colours.

import { d3 } from "../vendor/d3.min.js";
import { clamp } from "./tools.js";

// Formatters by their name, each made once: making one for every number took a third of a frame's time.
const FORMATS = new Map();
const formatted = (name, value) => {
  if (!FORMATS.has(name)) FORMATS.set(name, d3.format(name));
  return FORMATS.get(name)(value);
};
const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function power(exponent) {
  return `10${[...String(exponent)].map((c) => SUPERSCRIPT[c]).join("")}`;
}

function inPowers(value, kept) {
  const [head, exponent] = formatted(`.${kept - 1}~e`, value).split("e");
  return /^−?1$/.test(head) ? head.slice(0, -1) + power(Number(exponent)) : `${head}×${power(Number(exponent))}`;
}

// A number for a reader: four significant digits, thousands set apart, very small and large ones as powers of ten.
export function number(value, kept = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e7 || size < 1e-4) {
    return inPowers(value, Math.min(kept, 3));
  }
  return formatted(size >= 10 ** kept ? ",.0f" : `,.${kept}~r`, value);
}

const ROUNDING = 1e-15; // what is smaller is no number of a figure but what rounding has left

// A number of a sentence, with no digits that do not count: `digits` of `hal/figure/sentences.py` says which do.
export function digits(value, spread = NaN) {
  const size = Math.abs(value);
  if (size > 0 && size < ROUNDING) return "about 0";
  const exponent = (v) => Number(v.toExponential().split("e")[1]);
  const plain = size === 0 || (size >= 1e-3 && size < 1e7);
  const most = plain && size >= 1000 ? exponent(size) + 1 : 3;
  const fine = spread > 0 && size > 0 && spread < Infinity ? exponent(size) - exponent(spread / 3) + 1 : most;
  const kept = clamp(fine, 1, most);
  return plain ? formatted(`,.${kept}~r`, value) : inPowers(value, kept);
}

// Smallest and largest finite number of some arrays; positive ones only if asked. Null where there is none.
export function span(arrays, positive = false) {
  let low = Infinity;
  let high = -Infinity;
  for (const values of arrays) {
    for (let i = 0; i < values.length; i++) {
      const v = values[i];
      if (!Number.isFinite(v) || (positive && v <= 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return low <= high ? [low, high] : null;
}

// The middle of the numbers among the values; not a number where there is none.
export function median(values) {
  const sorted = values.filter((v) => !Number.isNaN(v)).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// Quantile of sorted numbers, between neighbours on a straight line.
export function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const rest = place - low;
  return rest ? sorted[low] + (sorted[low + 1] - sorted[low]) * rest : sorted[low];
}

export function nearest(sorted, value) {
  if (sorted[0] > sorted.at(-1)) return sorted.length - 1 - nearest(sorted.toReversed(), value);
  return clamp(d3.bisectCenter(sorted, value), 0, sorted.length - 1);
}

// 64 colours from small to large values, for the theme the node is in.
export function ramp(colour, diverging, dark) {
  const ground = dark ? "#1d222a" : "#f1f2f4";
  const end = d3.interpolateLab(colour, dark ? "#ffffff" : "#0b1020")(dark ? 0.55 : 0.35);
  // The far side of a blue is vermilion, of any warmer colour blue.
  const [red, , blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  const other = d3.interpolateLab(blue > red ? "#D55E00" : "#0072B2", dark ? "#ffffff" : "#0b1020")(dark ? 0.25 : 0.1);
  const rise = [d3.interpolateLab(ground, colour), d3.interpolateLab(colour, end)];
  const fall = d3.interpolateLab(ground, other);
  const up = (t) => (t < 0.65 ? rise[0](t / 0.65) : rise[1]((t - 0.65) / 0.35));
  return Array.from({ length: 64 }, (_, i) => {
    const t = i / 63;
    const text = !diverging ? up(t) : t < 0.5 ? fall(1 - 2 * t) : up(2 * t - 1);
    return text.match(/[\d.]+/g).map(Number);
  });
}
