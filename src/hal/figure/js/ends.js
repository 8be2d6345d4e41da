// Names at the right ends of curves, with their values at the cursor, in place of a legend where there is room for them;
// the legend stays for those who do not see.

import { brokenText } from "./axes.js";
import { apart } from "./curves.js";
import { clamp, put, richSvg, setText, svg } from "./tools.js";

export const MOST_NAMES = 5; // beside a plot
const LINE = 13.5; // pixels
const LETTER = 6.6;
const VALUE = 9; // letters
const STROKE = 16; // pixels between the plot and a name: a piece of its curve

// `named` are series with a label, `name` (their entry of the legend) and a style.
export function makeEnds(frame, named) {
  const group = svg("g", { class: "le-ends" });
  frame.over.append(group);
  for (const r of named) {
    r.end = { lines: [], stroke: svg("path", { class: r.theory ? "le-lead le-dashed" : "le-lead", style: r.style }), text: svg("text", { class: "le-end" }) };
    group.append(r.end.stroke, r.end.text);
  }
  let known = "";
  let fits = false;

  const sizeOf = ({ end }) => (end.lines.length + end.below) * LINE;

  // Room that the names take at the right, 0 where they stay in the legend: asked before the axes are laid out.
  function room() {
    const asked = `${frame.width},${frame.height}`;
    if (asked === known) return frame.right;
    known = asked;
    const most = Math.floor((clamp(0.32 * frame.width, 90, 165) - STROKE) / LETTER);
    // The value takes what is left of the last line, or one of its own.
    for (const r of named) {
      r.end.lines = brokenText(r.label, most);
      r.end.below = r.end.lines.at(-1).length > most - VALUE;
    }
    const longest = Math.max(0, ...named.flatMap(({ end }) => end.lines.map((line, i) => line.length + (!end.below && i === end.lines.length - 1 ? VALUE : 0))));
    const tall = named.reduce((sum, r) => sum + sizeOf(r), 0);
    fits = named.length > 0 && named.length <= MOST_NAMES && frame.width >= 300 && longest <= most + 1 && tall <= frame.height - 60;
    frame.right = fits ? Math.ceil(STROKE + LETTER * longest) : 12;
    for (const r of named) {
      r.name.classList.toggle("le-unseen", fits);
      r.end.value = svg("tspan", { class: "le-end-value", ...(r.end.below ? { x: 0, dy: LINE } : {}) });
      r.end.text.innerHTML = r.end.lines.map((line, i) => `<tspan x="0" dy="${i ? LINE : 0}">${richSvg(line)} </tspan>`).join("");
      r.end.equal = svg("tspan");
      r.end.text.firstChild.prepend(r.end.equal);
      r.end.text.append(r.end.value);
    }
    frame.legend.classList.toggle("le-unseen", fits || Boolean(frame.spotted));
    put(group, "visibility", fits ? "visible" : "hidden");
    return frame.right;
  }

  /* Names beside the heights of their curves' ends, pushed apart; `same` are pairs [curve, the one above it] that
     coincide: they stand together, with one piece of curve before both. */
  function place(heightOf, valueOf, same) {
    if (!fits) return;
    const seen = named.filter((r) => Number.isFinite(heightOf(r)));
    const hostOf = (r) => {
      const above = same.find(([under]) => under === r)?.[1];
      return above && seen.includes(above) ? hostOf(above) : r;
    };
    const blocks = seen.filter((r) => hostOf(r) === r).map((r) => [r, ...seen.filter((one) => one !== r && hostOf(one) === r)]);
    const [low, high] = [frame.top, frame.top + frame.h];
    const heights = blocks.map(([r]) => clamp(heightOf(r), low, high));
    const tops = apart(heights, blocks.map((block) => block.reduce((sum, r) => sum + sizeOf(r), 0)), low - 8, high + 8);
    const x = frame.left + frame.w;
    for (const r of named) {
      put(r.end.text, "visibility", seen.includes(r) ? "inherit" : "hidden");
      put(r.end.stroke, "d", "");
    }
    blocks.forEach((block, b) => {
      let top = tops[b];
      const first = top + LINE / 2;
      put(block[0].end.stroke, "d", `M${x + 3},${heights[b].toFixed(1)}L${x + STROKE - 3},${first.toFixed(1)}`);
      for (const [k, r] of block.entries()) {
        put(r.end.text, "transform", `translate(${(x + STROKE).toFixed(1)},${(top + LINE - 3).toFixed(1)})`);
        setText(r.end.equal, k ? "= " : "");
        setText(r.end.value, valueOf(r));
        top += sizeOf(r);
      }
    });
  }

  return { room, place, shown: () => fits };
}
