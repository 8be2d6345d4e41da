// The landing page's picture with the marks of all figures: attention as arcs, predictions as ink, the two coordinates as a
// path. It is drawn at coordinates (V, A) of a run, here while the page is built and there while the run plays.

import { arcMark, inkMark, pointMark, sceneText } from "../../explorer/js/marks.js";

const WIDE = { width: 640, left: 14, right: 548, query: 618, bend: 0.36 };
const NARROW = { width: 358, left: 10, right: 290, query: 338, bend: 0.62 };
const FLOOR = 262;
const middle = 'text-anchor="middle"';

const between = (ends, share) => ends[0] + share * (ends[1] - ends[0]);

// A list (K) between two of its places.
export function along(list, at) {
  const low = Math.min(Math.floor(at), list.length - 2);
  return between([list[low], list[low + 1]], at - low);
}

/* The context as a row of tokens, and the attention of the last one. On a phone, which is narrow, every second token is
   drawn, the useful ones among them. */
export function fan(data, A, narrow) {
  const { width, left, right, query, bend } = narrow ? NARROW : WIDE;
  const useful = (t) => data.attention[1][t] > 0;
  const all = data.attention[1].map((_, t) => t);
  const shown = narrow ? all.filter((t) => useful(t) || t % 2 === all.find(useful) % 2) : all;
  const place = (t) => left + ((right - left) * (t - shown[0])) / (shown.at(-1) - shown[0]);
  const weight = (t) => between(data.attention.map((row) => row[t]), A);
  const arcs = shown.toSorted((s, t) => data.attention[1][s] - data.attention[1][t]).map((t) => {
    const x = place(t);
    const top = (FLOOR - 40 - bend * (query - x)).toFixed(1);
    const path = `M${query},${FLOOR - 9}C${query - 8},${top} ${(x + 8).toFixed(1)},${top} ${x.toFixed(1)},${FLOOR - 7}`;
    return arcMark(data.colours.attention, 0.8 + 15 * weight(t), between([0.45, useful(t) ? 0.95 : 0.04], A), path);
  });
  const grey = data.colours.theory;
  const tokens = shown.map((t) => pointMark(place(t), FLOOR, useful(t) ? 3.4 + 3 * Math.max(0, A) : 3.4, useful(t) && A > 0.5 ? data.colours.attention : grey));
  const ring = `<circle class="le-asks" cx="${query}" cy="${FLOOR}" r="9"/>`;
  const said = narrow ? `${shown.length} of ${all.length} tokens` : `${all.length} tokens of context`;
  const words = sceneText(left - 4, 292, said) + sceneText(width - 8, 292, "last token", 'text-anchor="end"');
  return arcs.join("") + tokens.join("") + ring + words;
}

// What is predicted for each token that is attended to: a column each, ink is probability.
export function squares(data, V) {
  const [low, high] = data.output;
  const cells = low.flatMap((row, i) => row.map((value, j) => {
    const box = `x="${22 + 27 * j}" y="${20 + 27 * i}" width="25" height="25" rx="3"`;
    return inkMark(data.colours.output, between([value, high[i][j]], V), box);
  }));
  return cells.join("") + sceneText(22, 13, "what to predict") + sceneText(75, 144, "token looked at", middle);
}

// The two coordinates against each other: the run, the valley where their product is one, where the run is now.
export function plane(data, V, A) {
  const [x, y] = [(v) => 24 + 92 * v, (a) => 130 - 92 * a];
  const line = (points) => points.map(([v, a]) => `${x(v).toFixed(1)},${y(a).toFixed(1)}`).join(" ");
  const valley = Array.from({ length: 21 }, (_, i) => 0.82 + 0.02 * i).map((v) => [v, 1 / v]);
  const run = data.V.map((v, i) => [v, data.A[i]]);
  return `<path class="le-round" d="M24 18V130H138"/><polyline class="le-theory" style="--c:${data.colours.theory};--dash:3 3" points="${line(valley)}"/>`
    + `<polyline class="le-series" style="--c:${data.colours.attention}" points="${line(run)}"/>${pointMark(x(V), y(A), 5, data.colours.output)}`
    + sceneText(30, 13, "attention learned") + sceneText(138, 144, "prediction learned", 'text-anchor="end"');
}
