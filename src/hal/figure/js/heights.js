// The ground of a plane: bands of a function on axes that are even in asinh, made only for planes that have it.

import { asinhScale } from "./axes.js";
import { depths, heightAt, paintBands } from "./bands.js";
import { NONE, sameNumbers } from "./curves.js";
import { number } from "./numbers.js";
import { html, isDark, richSvg, svg } from "./tools.js";

// Bands of a function whose logarithm stands on an even grid.
export function makeHeights(frame, spec) {
  if (!spec.asinh) return null; // another plane of the same figure
  const canvas = html("canvas", { class: "le-regions le-heights", "aria-hidden": "true" });
  const words = svg("g", {});
  const numbers = svg("g", {});
  frame.plot.prepend(canvas);
  frame.over.prepend(numbers, words);
  const bounds = spec.bounds.map(Math.log);
  let last = "";
  let drawn = NONE; // the heights that the canvas shows
  return {
    log: (domain, range) => asinhScale(domain, range, spec.asinh),
    // of: the array of a role.
    paint(x, y, of) {
      const [hx, hy, hz] = ["hx", "hy", "hz"].map((role) => of(role).data);
      const fine = 0.85 * Math.min(2, globalThis.devicePixelRatio || 1); // bands bear it, and a drag waits for them
      const [w, h, dark] = [Math.round(frame.w * fine), Math.round(frame.h * fine), isDark(frame.root)];
      const mark = [frame.left, frame.top, frame.w, frame.h, dark].join();
      if (mark === last && sameNumbers(hz, drawn)) return;
      [last, drawn] = [mark, hz];
      canvas.style.cssText = `left:${frame.left}px;top:${frame.top}px;width:${frame.w}px;height:${frame.h}px`;
      // The band at a place, a share of the way across and of the way up.
      const bandAt = (across, up) => {
        const z = heightAt(hz, hx.length, hy.length, across * (hx.length - 1), up * (hy.length - 1));
        let band = bounds.length;
        for (let k = 0; k < bounds.length; k++) if (z <= bounds[k]) band--;
        return band;
      };
      paintBands(canvas, w, h, (i, j) => bandAt((i + 0.5) / w, 1 - (j + 0.5) / h), depths(bounds.length + 1, dark));
      // A number on every line that crosses a row near the top, where there is room for it.
      const up = 0.93;
      const parts = [];
      let free = 0;
      for (let i = 1; spec.level && i < w; i++) {
        const [before, here] = [bandAt((i - 0.5) / w, up), bandAt((i + 0.5) / w, up)];
        if (here >= before || i < free) continue;
        free = i + 34 * fine;
        const text = (parts.length ? "" : spec.level) + number(spec.bounds[bounds.length - before], 2);
        parts.push(`<text class="le-words le-haloed" x="${(frame.left + i / fine).toFixed(1)}" y="${(frame.top + (1 - up) * frame.h).toFixed(1)}" dy="0.32em" text-anchor="middle">${text}</text>`);
      }
      numbers.innerHTML = parts.join("");
    },
    // The names; where the lines have no numbers they are large, each with how many runs its path has.
    tell(x, y, counts) {
      const look = spec.level ? "le-haloed le-large" : "le-valley";
      words.innerHTML = spec.names.map(([vx, vy, text], k) => `<text class="${look}" x="${x(vx).toFixed(1)}" y="${y(vy).toFixed(1)}" text-anchor="middle">${richSvg(text)}${counts[k] && !spec.level ? `: ${counts[k]}` : ""}</text>`).join("");
    },
  };
}
