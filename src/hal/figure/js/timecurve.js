// The time bar as a curve: what of it is past is drawn, what is ahead is pale, and the handle rides on it. The range
// input below it stays, for keys and for screen readers.

import { d3 } from "../vendor/d3.min.js";
import { curvePath, heldDomain, NONE } from "./curves.js";
import { nearest } from "./numbers.js";
import { clamp, html, svg } from "./tools.js";

const BAR_WIDTH = 1000; // of the drawing, which is stretched to the room that there is
const BAR_HEIGHT = 100;

/* `spec`: {xlog, ylog, colour, height}; `input` is the range input. {root, share(record), place(share), show()}: where a
   record stands on the bar, from 0 to 1, and which one stands there. */
export function makeTimeCurve(spec, view, input) {
  const id = `${input.id}-past`;
  const paths = ["le-ahead", "le-past"].map((name) => svg("path", { class: name, "clip-path": name === "le-past" ? `url(#${id})` : null }));
  const edge = svg("rect", { x: -20, y: -50, width: 0, height: 2 * BAR_HEIGHT });
  const chart = svg("svg", { viewBox: `0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" }, svg("clipPath", { id }, edge), ...paths);
  const rider = html("i", { class: "le-rider" });
  const stage = html("div", { class: "le-stage" }, chart, rider);
  const root = html("div", { class: "le-curve", style: `--c:${spec.colour};--bar:${spec.height}px` }, stage, input);
  let drawn = null;
  let domain = null;
  let points = [];

  const times = () => view.drawn?.arrays.time.data ?? NONE;
  const first = (values) => values.find((v) => v > 0) ?? 1;
  const shareOf = (when) => {
    const all = times();
    const [low, high] = [spec.xlog ? first(all) : all[0], all[all.length - 1]];
    if (!(high > low)) return 1;
    return spec.xlog ? Math.log(Math.max(when, low) / low) / Math.log(high / low) : (when - low) / (high - low);
  };
  const share = (record) => (view.frames > 1 ? clamp(shareOf(times()[record]), 0, 1) : 1);
  function place(wanted) {
    const all = times();
    if (wanted <= 0 || !all.length) return 0;
    const [low, high] = [spec.xlog ? first(all) : all[0], all[all.length - 1]];
    return nearest(all, spec.xlog ? low * (high / low) ** Math.min(1, wanted) : low + (high - low) * Math.min(1, wanted));
  }

  function redraw({ arrays }) {
    const [x, y] = [arrays["bar.x"].data, arrays["bar.y"].data];
    const values = Array.from(y, (v) => (Number.isFinite(v) && (!spec.ylog || v > 0) ? v : NaN));
    const known = values.filter(Number.isFinite);
    if (known.length) {
      const [low, high] = [Math.min(...known), Math.max(...known)];
      domain = heldDomain(domain, high > low ? [low, high] : spec.ylog ? [low / 2, high * 2] : [low - 1, high + 1], spec.ylog, view.moving?.() ?? false);
    }
    const scale = (spec.ylog ? d3.scaleLog() : d3.scaleLinear()).domain(domain ?? [1, 2]).range([BAR_HEIGHT, 0]);
    points = values.slice(0, x.length).map((v, i) => [BAR_WIDTH * clamp(shareOf(x[i]), 0, 1), scale(v)]);
    for (const path of paths) path.setAttribute("d", curvePath(points));
  }

  // Its height at the cursor, between two records; where it has none the handle keeps the last one.
  function heightAt(px) {
    const seen = points.filter(([, py]) => Number.isFinite(py));
    if (!seen.length) return BAR_HEIGHT / 2;
    const i = clamp(d3.bisectRight(seen.map(([x]) => x), px), 0, seen.length);
    const [[x0, y0], [x1, y1]] = [seen[Math.max(0, i - 1)], seen[Math.min(i, seen.length - 1)]];
    return x1 > x0 ? y0 + ((y1 - y0) * (px - x0)) / (x1 - x0) : y0;
  }

  function seek(event) {
    const box = stage.getBoundingClientRect();
    view.moveTo(place((event.clientX - box.left) / box.width));
  }
  root.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    root.setPointerCapture(event.pointerId);
    event.preventDefault();
    input.focus({ preventScroll: true });
    seek(event);
  });
  root.addEventListener("pointermove", (event) => root.hasPointerCapture(event.pointerId) && seek(event));

  return {
    root,
    share,
    place,
    show() {
      if (!view.drawn) return;
      if (drawn !== view.drawn) redraw((drawn = view.drawn));
      const px = BAR_WIDTH * share(view.cursor);
      edge.setAttribute("width", 20 + px + (view.cursor >= view.frames - 1 ? 20 : 0));
      Object.assign(rider.style, { left: `${(100 * px) / BAR_WIDTH}%`, top: `${(100 * heightAt(px)) / BAR_HEIGHT}%` });
    },
  };
}
