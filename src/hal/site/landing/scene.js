// The landing page's picture with the marks of all figures: the attention of the last token as arcs. It is drawn at a
// coordinate A of a run, here while the page is built and there while the run plays.

import { arcMark, pointMark, sceneText } from "../../figure/js/marks.js";

const WIDE = { width: 640, left: 14, right: 548, query: 618, bend: 0.26 };
const NARROW = { width: 358, left: 10, right: 290, query: 338, bend: 0.48 };
const FLOOR = 200;

const between = (ends, share) => ends[0] + share * (ends[1] - ends[0]);

// A list (K) between two of its places.
export function along(list, at) {
  const low = Math.min(Math.floor(at), list.length - 2);
  return between([list[low], list[low + 1]], at - low);
}

// The attention on token t: uniform at A = 0, and all on the two true places at A = 1.
export const weightOf = ({ T, places, weights }, A, t) => between([1 / T, weights[places.indexOf(t)] ?? 0], A);

/* The tokens that are drawn, and where. On a phone, which is narrow, they are every second one, the true ones among them. */
export function row({ T, places }, narrow) {
  const { left, right } = narrow ? NARROW : WIDE;
  const shown = Array.from({ length: T }, (_, t) => t).filter((t) => !narrow || t % 2 === places[0] % 2);
  const place = (t) => left + ((right - left) * (t - shown[0])) / (shown.at(-1) - shown[0]);
  return shown.map((t) => ({ t, x: place(t) }));
}

// `told`: whether the true tokens are marked; `picked`: tokens that a reader has clicked, `cursor`: the one under the keys.
export function fan(data, A, narrow, told, picked = [], cursor = -1) {
  const { width, left, query, bend } = narrow ? NARROW : WIDE;
  const tokens = row(data, narrow);
  const useful = (t) => data.places.includes(t);
  const arcs = tokens.toSorted((s, t) => weightOf(data, 1, s.t) - weightOf(data, 1, t.t)).map(({ t, x }) => {
    const top = (FLOOR - 40 - bend * (query - x)).toFixed(1);
    const path = `M${query},${FLOOR - 9}C${query - 8},${top} ${(x + 8).toFixed(1)},${top} ${x.toFixed(1)},${FLOOR - 7}`;
    return arcMark(data.colours.attention, 0.8 + 15 * weightOf(data, A, t), between([0.45, useful(t) ? 0.95 : 0.04], A), path);
  });
  const points = tokens.map(({ t, x }) => {
    const right = useful(t) && (told || picked.includes(t));
    const mark = pointMark(x, FLOOR, right ? 6 : 3.4, right ? data.colours.attention : data.colours.theory);
    const cross = picked.includes(t) && !useful(t) ? `<path class="le-round" d="M${x - 4} ${FLOOR - 4}l8 8m0 -8l-8 8"/>` : "";
    return mark + cross + (t === cursor ? `<circle class="le-asks" cx="${x}" cy="${FLOOR}" r="7"/>` : "");
  });
  const ring = `<circle class="le-asks" cx="${query}" cy="${FLOOR}" r="9"/>`;
  const said = narrow ? `${tokens.length} of ${data.T} tokens` : `${data.T} tokens of context`;
  const words = sceneText(left - 4, FLOOR + 26, said) + sceneText(width - 8, FLOOR + 26, "last token", 'text-anchor="end"');
  return arcs.join("") + points.join("") + ring + words;
}
