// The ground of a plane: bands of a function on axes that are even in asinh, made only for planes that have it.

import { asinhScale } from "./axes.js";
import { number, ramp } from "./numbers.js";
import { html, isDark, richSvg, svg } from "./tools.js";

// Bands of a function whose logarithm stands on an even grid, one hue, darker where it is small; lines where two meet.
export function makeHeights(frame, spec) {
  if (!spec.asinh) return null; // another plane of the same figure
  const canvas = html("canvas", { class: "le-regions le-heights", "aria-hidden": "true" });
  const words = svg("g", {});
  frame.plot.prepend(canvas);
  frame.over.prepend(words);
  const bounds = spec.bounds.map(Math.log);
  let last = "";
  return {
    log: (domain, range) => asinhScale(domain, range, spec.asinh),
    // of: the array of a role.
    paint(x, y, of) {
      const [hx, hy, hz] = ["hx", "hy", "hz"].map((role) => of(role).data);
      const [w, h, dark] = [Math.ceil(frame.w / 2), Math.ceil(frame.h / 2), isDark(frame.root)];
      const mark = [frame.left, frame.top, frame.w, frame.h, dark, hz.join("")].join();
      if (mark === last) return;
      last = mark;
      canvas.style.cssText = `left:${frame.left}px;top:${frame.top}px;width:${frame.w}px;height:${frame.h}px`;
      Object.assign(canvas, { width: w, height: h });
      const heightAt = (across, up) => {
        const [p, q] = [across * (hx.length - 1), up * (hy.length - 1)];
        const [i, j] = [Math.min(Math.floor(p), hx.length - 2), Math.min(Math.floor(q), hy.length - 2)];
        const row = (k) => hz[k * hx.length + i] + (hz[k * hx.length + i + 1] - hz[k * hx.length + i]) * (p - i);
        return row(j) + (row(j + 1) - row(j)) * (q - j);
      };
      const bandOf = (z) => bounds.filter((bound) => z <= bound).length;
      const colours = ramp("#0072B2", false, dark);
      const ink = canvas.getContext("2d");
      const image = ink.createImageData(w, h);
      const bands = Array.from({ length: h }, (_, j) => Array.from({ length: w }, (__, i) => bandOf(heightAt((i + 0.5) / w, 1 - (j + 0.5) / h))));
      for (let j = 0; j < h; j++) {
        for (let i = 0; i < w; i++) {
          const edge = bands[j][i] !== (bands[j][i + 1] ?? bands[j][i]) || bands[j][i] !== (bands[j + 1] ?? bands[j])[i];
          const [r, g, b] = colours[Math.round((44 * bands[j][i]) / bounds.length) + (edge ? 12 : 0)];
          image.data.set([r, g, b, 255], 4 * (j * w + i));
        }
      }
      ink.putImageData(image, 0, 0);
      // A number on every line that crosses a row near the top, where there is room for it.
      const up = 0.93;
      const parts = [];
      let free = 0;
      for (let i = 1; i < w; i++) {
        const [before, here] = [bandOf(heightAt((i - 0.5) / w, up)), bandOf(heightAt((i + 0.5) / w, up))];
        if (here <= before || 2 * i < free) continue;
        free = 2 * i + 34;
        parts.push([frame.left + 2 * i, frame.top + (1 - up) * frame.h, number(spec.bounds[here - 1], 2)]);
      }
      for (const [vx, vy, text] of spec.names) parts.push([x(vx), y(vy), text]);
      words.innerHTML = parts.map(([px, py, text]) => `<text class="le-words le-haloed" x="${px.toFixed(1)}" y="${py.toFixed(1)}" dy="0.32em" text-anchor="middle">${richSvg(text)}</text>`).join("");
    },
  };
}
