// A lens above the finger that drags a handle: it shows what the finger covers, twice as large.

import { clamp, html, put, svg } from "./tools.js";

const ACROSS = 88; // pixels
const TWICE = 2;
const ABOVE = 24; // between the finger's place and the lens
let lensCount = 0;

export function makeLens({ plot, chart }) {
  chart.id ||= `le-chart-${++lensCount}`;
  const view = svg("svg", { width: ACROSS, height: ACROSS }, svg("use", { href: `#${chart.id}` }));
  const ground = html("canvas", { width: ACROSS, height: ACROSS });
  const root = html("div", { class: "le-lens", "aria-hidden": "true" }, ground, view, html("i"));
  plot.append(root);

  // What lies under the chart: regions, bands and cells are pictures of their own.
  function paintGround(left, top) {
    const ink = ground.getContext("2d");
    ink.imageSmoothingEnabled = false;
    ink.clearRect(0, 0, ACROSS, ACROSS);
    for (const one of plot.querySelectorAll(":scope > canvas")) {
      ink.globalAlpha = Number(getComputedStyle(one).opacity);
      ink.drawImage(one, TWICE * (one.offsetLeft - left), TWICE * (one.offsetTop - top), TWICE * one.clientWidth, TWICE * one.clientHeight);
    }
  }

  return {
    // Over this place of the plot.
    show(px, py) {
      const [left, top] = [px - ACROSS / TWICE / 2, py - ACROSS / TWICE / 2];
      put(view, "viewBox", `${left} ${top} ${ACROSS / TWICE} ${ACROSS / TWICE}`);
      paintGround(left, top);
      root.style.transform = `translate(${clamp(px - ACROSS / 2, 0, Math.max(0, plot.clientWidth - ACROSS)).toFixed(1)}px, ${(py - ACROSS - ABOVE).toFixed(1)}px)`;
    },
    remove: () => root.remove(),
  };
}
