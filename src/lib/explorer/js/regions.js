// Shaded regions of a plane: numbers on a grid become smooth areas of colour.

// Places of a grid around v, and what each of them weighs there: a cubic spline, so that edges are smooth.
function splineWeights(grid, v) {
  const i = clamp(d3.bisectRight(grid, v) - 1, 0, grid.length - 2);
  const u = clamp((v - grid[i]) / (grid[i + 1] - grid[i]), 0, 1);
  const w = [(1 - u) ** 3, 3 * u ** 3 - 6 * u ** 2 + 4, 1 + 3 * u + 3 * u ** 2 - 3 * u ** 3, u ** 3];
  return w.map((one, k) => [clamp(i + k - 1, 0, grid.length - 1), one / 6]);
}

/* Region of every pixel of a picture over a grid, row by row: 0 where there is none. Between the points of the grid it
   is the one with the most weight among those around.
   fx, fy: the grid, growing; regions: on it, row by row; xs, ys: coordinates of the picture's columns and rows. */
function regionsOf(fx, fy, regions, count, xs, ys) {
  const out = new Uint8Array(xs.length * ys.length);
  const weights = new Float64Array(count + 1);
  const columns = Array.from(xs, (v) => splineWeights(fx, v));
  const known = Array.from(regions, (region) => (Number.isInteger(region) && region > 0 && region <= count ? region : 0));
  for (let row = 0; row < ys.length; row++) {
    const around = splineWeights(fy, ys[row]);
    for (let column = 0; column < xs.length; column++) {
      weights.fill(0);
      for (const [j, v] of around) for (const [i, u] of columns[column]) weights[known[j * fx.length + i]] += u * v;
      let best = 0;
      for (let k = 1; k <= count; k++) if (weights[k] > weights[best]) best = k;
      out[row * xs.length + column] = best;
    }
  }
  return out;
}

// One colour a region, faint under everything else.
const REGION_COLOURS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7"];

function makeRegions(frame, labels) {
  const canvas = html("canvas", { class: "le-regions", "aria-hidden": "true" });
  frame.plot.prepend(canvas);
  labels.forEach((label, i) => legendEntry(frame, label, REGION_COLOURS[i % 4], false, "region"));
  let last = "";
  return {
    paint({ fx, fy, basin }, x, y) {
      const [w, h] = [Math.ceil(frame.w / 3), Math.ceil(frame.h / 3)];
      // The same regions at the same place are not painted again.
      const mark = [frame.left, frame.top, frame.w, frame.h, x.domain(), y.domain(), basin.join("")].join();
      if (mark === last) return;
      last = mark;
      canvas.style.cssText = `left:${frame.left}px;top:${frame.top}px;width:${frame.w}px;height:${frame.h}px`;
      Object.assign(canvas, { width: w, height: h });
      const xs = Array.from({ length: w }, (_, i) => x.invert(frame.left + 3 * i + 1.5));
      const ys = Array.from({ length: h }, (_, i) => y.invert(frame.top + 3 * i + 1.5));
      const found = regionsOf(fx, fy, basin, labels.length, xs, ys);
      const ink = canvas.getContext("2d");
      const image = ink.createImageData(w, h);
      found.forEach((region, i) => {
        if (!region) return;
        const colour = REGION_COLOURS[(region - 1) % 4];
        image.data.set([1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)), 4 * i);
        image.data[4 * i + 3] = 255;
      });
      ink.putImageData(image, 0, 0);
    },
  };
}
