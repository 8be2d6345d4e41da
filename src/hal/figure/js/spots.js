// Large dots of a chart with words at them, at single numbers; where one of these is none there is nothing.

import { circlePath } from "./curves.js";
import { sayAll } from "./facts.js";
import { freeHeight } from "./marks.js";
import { clamp, escaped, put, svg } from "./tools.js";

const BOLD_LETTER = 7; // pixels

// Their places as numbers, by the role of each in what is drawn.
export const spotsOf = (spec, of) => (spec.spots ?? []).map((_, j) => [of(`s${j}x`)?.data[0], of(`s${j}y`)?.data[0]]);

// Returns what draws them: scales, places [x, y] as numbers, and the time up to which they are seen.
export function makeSpots(frame, spec, view) {
  const made = (spec.spots ?? []).map((spot) => {
    const nodes = [svg("path", { class: "le-mark" }), svg("path", { class: "le-dot", style: `--c:${spot.colour}` }), svg("text", { class: spot.corner ? "le-spot le-verdict" : "le-spot" })];
    const root = svg("g", {}, ...nodes);
    frame.over.append(root);
    return { ...spot, root, nodes, counts: spot.say.some(({ text }) => text.includes("{sum.")) };
  });
  return (x, y, places, until) => {
    const taken = [];
    const at = made.map((spot, j) => (spot.corner ? [frame.left, frame.top + 20] : [x(places[j][0]), y(places[j][1])]));
    made.forEach(({ say, aside, colour, drop, corner, late, counts, root, nodes: [line, dot, text] }, j) => {
      const words = sayAll([say], view.drawn.facts ?? {});
      const [px, py] = at[j];
      // what counts runs is an answer: not before the reader plays
      const seen = Number.isFinite(px + py) && !(counts && view.secret) && (corner || !(colour || late) || places[j][0] <= until);
      put(root, "visibility", seen ? "inherit" : "hidden");
      if (!seen) return;
      put(dot, "d", colour ? circlePath(px, py, 6) : "");
      put(line, "d", drop ? `M${px.toFixed(1)},${py.toFixed(1)}V${frame.top + frame.h}` : "");
      const left = late || aside && at.some(([qx], k) => made[k].aside && (qx > px || (qx === px && k > j)));
      const wide = BOLD_LETTER * words.length;
      const from = clamp(px + (left ? -9 - wide : 9), frame.left + 3, Math.max(frame.left + 3, frame.width - wide));
      const to = from + wide;
      put(text, "text-anchor", left ? "end" : "start");
      put(text, "transform", `translate(${(left ? to : from).toFixed(1)},${freeHeight(taken, from, to, py - 9).toFixed(1)})`);
      const said = escaped(words);
      if (text.innerHTML !== said) text.innerHTML = said;
    });
  };
}
