// Phase planes: a field of arrows, shaded regions, still curves and points; trajectories as far as the cursor, and the
// start as a handle.

import { d3 } from "../vendor/d3.min.js";
import { domainOf, drawScales, heldPaths, legendEntry, makeFrame } from "./axes.js";
import { circlePath, curvePath, heldDomain, lastAt, NONE, sameNumbers, shownPoint, thinned } from "./curves.js";
import { nearest, number } from "./numbers.js";
import { makeHandle, makeTooltip, pointer } from "./pointing.js";
import { clamp, html, put, richSvg, svg } from "./tools.js";

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
  let drawn = NONE; // the regions that the canvas shows
  return {
    paint({ fx, fy, basin }, x, y) {
      const [w, h] = [Math.ceil(frame.w / 3), Math.ceil(frame.h / 3)];
      // The same regions at the same place are not painted again.
      const mark = [frame.left, frame.top, frame.w, frame.h, x.domain(), y.domain()].join();
      if (mark === last && sameNumbers(basin, drawn)) return;
      [last, drawn] = [mark, basin];
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

const STAYED = 9; // pixels: no farther from its start than its mark is wide

export function makePlane(spec, view, parts) {
  const frame = makeFrame(spec, spec.height ?? 300);
  const arrows = svg("path", { class: "le-arrows" });
  frame.body.append(arrows);
  const rows = spec.marks.map((m) => {
    const colour = m.colour ?? (m.role === "points" ? "var(--le-fg)" : "var(--le-muted)");
    const style = `--c:${colour}`;
    const kind = m.role === "curves" && !m.theory ? "le-still-curve" : m.theory ? "le-theory" : "le-series le-path";
    const path = (name) => svg("path", { class: name, style });
    legendEntry(frame, m.label, m.role === "points" ? colour : m.colour, m.theory, m.role === "points" ? "dot" : "line");
    return { ...m, curve: path(m.role === "points" ? "le-point" : kind), ends: path("le-start"), dots: path("le-dot"), chosen: path("le-bold"), ghosts: path("le-series le-ghost"), held: heldPaths(style) };
  });
  // Theory on top of what is measured, both on top of the scene.
  const layer = (r) => ["curves", "points", "paths"].indexOf(r.role) + (r.theory ? 0.5 : 0);
  const paths = rows.filter((r) => r.role === "paths");
  frame.body.append(...paths.flatMap((r) => r.held.nodes), ...rows.map((r) => r.ghosts));
  for (const r of [...rows].sort((a, b) => layer(a) - layer(b))) frame.body.append(r.curve, r.ends);
  for (const r of paths) frame.body.append(r.chosen, r.dots);
  const regions = spec.basin_labels.length ? makeRegions(frame, spec.basin_labels) : null;
  const heights = parts.heights?.(frame, spec);
  const names = svg("g", {});
  if (spec.placed) {
    frame.over.append(names);
    frame.legend.classList.add("le-unseen"); // it stays for those who do not see
  }
  const tooltip = makeTooltip(frame);
  const placeStart = spec.start && startHandle();
  const domains = { x: null, y: null };
  let data = null;
  let x;
  let y;

  function draw(arrays, key) {
    const of = (role) => arrays[`${key}.${role}`];
    rows.forEach((r, j) => {
      const one = of(`x${j}`);
      Object.assign(r, { x: one.data, y: of(`y${j}`).data, t: of(`t${j}`), runs: one.shape[0], length: one.shape[1] });
      r.before = [of(`x${j}.ghost`), of(`y${j}.ghost`)];
      r.old = [0, 1, 2].map((k) => [of(`x${j}.held${k}`), of(`y${j}.held${k}`)]);
    });
    data = { time: arrays.time?.data, basin: of("basin")?.data, of };
    if (spec.field) for (const role of ["fx", "fy", "fu", "fv"]) data[role] = of(role).data;
    paint();
  }

  const seen = (r, i) => Number.isFinite(r.x[i]) && Number.isFinite(r.y[i]);

  function domain(side, arrays) {
    const wanted = domainOf(arrays, null, false, 0.06);
    domains[side] = heldDomain(domains[side], wanted, false, view.moving());
    const limits = spec[`${side}lim`];
    return [limits?.[0] ?? domains[side][0], limits?.[1] ?? domains[side][1]];
  }

  function paint() {
    if (!data || !frame.width) return;
    // Still curves run out of the picture where there are trajectories to follow.
    const shown = paths.length ? rows.filter((r) => r.role !== "curves") : rows;
    let xd = domain("x", [...shown.map((r) => r.x), ...(shown.length ? [] : [data.fx])]);
    let yd = domain("y", [...shown.map((r) => r.y), ...(shown.length ? [] : [data.fy])]);
    // With equal units the height follows the width; without, a plane is a little wider than high.
    if (!spec.height) {
      const share = spec.equal ? (yd[1] - yd[0]) / (xd[1] - xd[0]) : 0.75;
      const wanted = clamp(Math.round((frame.width - 56) * share) + 60, 220, 420);
      // A taller neighbour in the row may give it more.
      frame.plot.style.minHeight = `${wanted}px`;
      frame.height = Math.max(wanted, frame.height);
    }
    if (spec.equal) {
      // One unit as long on both axes: the shorter side shows more.
      const wide = Math.max(40, frame.width - 50) / (xd[1] - xd[0]);
      const tall = (frame.height - 60) / (yd[1] - yd[0]);
      const grow = (d, by) => [(d[0] + d[1]) / 2 - ((d[1] - d[0]) / 2) * by, (d[0] + d[1]) / 2 + ((d[1] - d[0]) / 2) * by];
      if (wide > tall) xd = grow(xd, wide / tall);
      else yd = grow(yd, tall / wide);
    }
    ({ x, y } = drawScales(frame, xd, yd, heights?.log, heights?.log));
    for (const r of rows) {
      if (r.role === "points") put(r.curve, "d", Array.from(r.x, (_, i) => (seen(r, i) ? circlePath(x(r.x[i]), y(r.y[i]), 5) : "")).join(""));
      if (r.role === "curves") put(r.curve, "d", joinedPath(r.x, r.y, r.length));
      if (r.role !== "paths") continue;
      // Pixels of every trajectory, of which the cursor shows a part.
      r.drawn = Array.from({ length: r.runs }, (_, k) => Array.from({ length: r.length }, (__, i) => [x(r.x[k * r.length + i]), y(r.y[k * r.length + i])]));
      put(r.ends, "d", placeStart ? "" : r.drawn.map((one) => (one.length && shownPoint(one[0]) ? circlePath(...one[0], 3.5) : "")).join(""));
      const [bx, by] = r.before;
      put(r.ghosts, "d", bx ? joinedPath(bx.data, by.data, bx.shape[1]) : "");
      r.old.forEach(([ox, oy], k) => r.held.set(k, ox ? joinedPath(ox.data, oy.data, ox.shape[1]) : ""));
    }
    if (data.basin?.length) regions?.paint(data, x, y);
    heights?.paint(x, y, data.of);
    paintArrows();
    paintPast();
    placeStart?.();
  }

  function joinedPath(xs, ys, length) {
    let d = "";
    for (let k = 0; k < xs.length; k += length) d += curvePath(Array.from({ length }, (_, i) => [x(xs[k + i]), y(ys[k + i])]));
    return d;
  }

  function paintArrows() {
    if (!spec.field) return;
    const { fx, fy, fu, fv } = data;
    // Pixels between arrows; lengths by the fourth root, so that slow regions stay readable.
    const room = Math.min(26, 0.8 * Math.min(Math.abs(x(fx[1] ?? 1) - x(fx[0])), Math.abs(y(fy[1] ?? 1) - y(fy[0]))));
    let most = 0;
    for (let i = 0; i < fu.length; i++) most = Math.max(most, Math.hypot(fu[i], fv[i]) || 0);
    let d = "";
    for (let j = 0; j < fy.length; j++) {
      for (let i = 0; i < fx.length; i++) {
        const n = j * fx.length + i;
        const size = Math.hypot(fu[n], fv[n]);
        if (!(size > 0)) continue;
        const length = room * Math.max(0.25, (size / most) ** 0.25);
        const [ux, uy] = [fu[n] / size, -fv[n] / size];
        const [px, py] = [x(fx[i]) - (ux * length) / 2, y(fy[j]) - (uy * length) / 2];
        const [qx, qy] = [px + ux * length, py + uy * length];
        const head = Math.min(4, length * 0.4);
        const wing = (s) => `${(qx - head * (ux - s * 0.6 * uy)).toFixed(1)},${(qy - head * (uy + s * 0.6 * ux)).toFixed(1)}`;
        d += `M${px.toFixed(1)},${py.toFixed(1)}L${qx.toFixed(1)},${qy.toFixed(1)}M${wing(1)}L${qx.toFixed(1)},${qy.toFixed(1)}L${wing(-1)}`;
      }
    }
    put(arrows, "d", d);
  }

  // Index of a path's own points at the cursor: by its own times, by the time of the figure where it has as many
  // points, else at the same share of the way.
  function index(r, k) {
    if (r.t) return lastAt(r.t.data.subarray((k % r.t.shape[0]) * r.length, ((k % r.t.shape[0]) + 1) * r.length), view.now());
    return r.length === data.time?.length ? view.cursor : Math.round(view.fraction() * (r.length - 1));
  }

  // Trajectories as far as the cursor, each with a dot where it is then, or was last.
  function paintPast() {
    if (!x) return;
    for (const r of paths) {
      const chosen = r.theory ? undefined : view.drawn.chosen;
      let dots = "";
      let d = "";
      let bold = "";
      r.drawn.forEach((one, k) => {
        const behind = one.slice(0, index(r, k) + 1);
        d += curvePath(behind);
        if (k === chosen) bold = curvePath(behind);
        const at = behind.findLast(shownPoint);
        if (at && (chosen === undefined || k === chosen)) dots += circlePath(...at, 5);
      });
      put(r.curve, "d", d);
      put(r.dots, "d", dots);
      put(r.chosen, "d", bold);
      r.curve.classList.toggle("le-faded", chosen !== undefined);
    }
    if (spec.placed) paintNames();
  }

  // Names of the regions where they are, of each kind of path beside the one that goes farthest, half on its way; and how many
  // runs ended where they began.
  function paintNames() {
    const word = (px, py, anchor, text) => `<text class="le-words le-haloed" x="${px.toFixed(1)}" y="${py.toFixed(1)}" dy="0.32em" text-anchor="${anchor}">${richSvg(text)}</text>`;
    const there = (vx, vy) => data.basin[nearest(data.fy, vy) * data.fx.length + nearest(data.fx, vx)];
    const said = spec.names.filter(([vx, vy, text]) => !spec.basin_labels.includes(text) || spec.basin_labels[there(vx, vy) - 1] === text);
    const words = said.map(([vx, vy, text]) => word(x(vx), y(vy), "middle", text));
    for (const r of paths) {
      const ways = r.drawn.map((one, k) => one.slice(0, index(r, k) + 1).filter(shownPoint)).filter((one) => one.length);
      const far = (one) => Math.max(...one.map(([px, py]) => Math.hypot(px - one[0][0], py - one[0][1])));
      const lengths = ways.map(far);
      const still = lengths.filter((length) => length < STAYED).length;
      const most = lengths.indexOf(Math.max(...lengths));
      if (still < ways.length) {
        const [px, py] = ways[most].find(([qx, qy]) => Math.hypot(qx - ways[most][0][0], qy - ways[most][0][1]) >= lengths[most] / 2);
        const right = Math.min(px + 10, frame.left + frame.w + 8 - 6.4 * r.label.length);
        words.push(r.theory ? word(right, py + 16, "start", r.label) : word(px - 8, py - 6, "end", r.label));
      }
      if (still && !r.theory && view.fraction() === 1) {
        const count = still < ways.length ? `${still} of ${ways.length} runs` : still > 1 ? `${still} runs` : "the run";
        const [px, py] = ways[lengths.findIndex((length) => length < STAYED)][0];
        words.push(word(px + 10, py + 18, "start", `${count} stayed here`));
      }
    }
    const drawn = words.join("");
    if (names.drawn !== drawn) names.innerHTML = names.drawn = drawn;
  }

  // The handle of the start: two settings, kept inside the plane and the ranges of the settings.
  function startHandle() {
    const [across, up] = spec.start.map((name) => view.spec.controls.find((c) => c.name === name));
    const within = (v, { low, high }, [from, to]) => Number(clamp(v, Math.max(low, from), Math.min(high, to)).toPrecision(4));
    const set = (vx, vy) => view.drag({ [across.name]: within(vx, across, x.domain()), [up.name]: within(vy, up, y.domain()) });
    const now = () => spec.start.map((name) => view.settings[name]);
    const move = (px, py) => x && set(x.invert(px), y.invert(py));
    const made = makeHandle(frame, `Start of the trajectories in “${spec.title}”`, {
      move,
      step(right, upward, large) {
        const part = large ? 0.1 : 0.01;
        const [vx, vy] = now();
        if (x) move(x(vx) + right * part * frame.w, y(vy) - upward * part * frame.h);
      },
      done: () => view.settle(),
    });
    return () => {
      const [vx, vy] = now();
      const [px, py] = [clamp(x(vx), frame.left, frame.left + frame.w), clamp(y(vy), frame.top, frame.top + frame.h)];
      made.place(px, py, { low: across.low, high: across.high, now: vx, text: `${spec.xlabel} ${number(vx, 3)}, ${spec.ylabel} ${number(vy, 3)}` });
    };
  }

  // The point of a trajectory nearest to the pointer: [row, index], within 40 pixels.
  function find(px, py) {
    let best = [null, 0, 40];
    for (const r of rows) {
      for (let i = 0; i < r.x.length; i++) {
        if (!seen(r, i) || (r.role === "paths" && i % r.length > index(r, Math.floor(i / r.length)))) continue;
        const far = Math.hypot(x(r.x[i]) - px, y(r.y[i]) - py);
        if (far < best[2]) best = [r, i, far];
      }
    }
    return best;
  }

  pointer(frame, {
    hover(px, py) {
      if (!x) return;
      const [r, i] = find(px, py);
      if (!r) return tooltip.hide();
      const when = r.role === "paths" && r.length === data.time?.length ? [[null, "step", number(data.time[i % r.length])]] : [];
      const place = [[null, spec.xlabel, number(r.x[i], 3)], [null, spec.ylabel, number(r.y[i], 3)]];
      tooltip.show(px, py, r.label, [...when, ...place]);
    },
    out: tooltip.hide,
    pick(px, py) {
      const [r, i, far] = x ? find(px, py) : [null];
      return r?.role === "paths" && !r.theory && r.runs > 1 && far < 12 && (() => view.choose(Math.floor(i / r.length)));
    },
    drag(px, py) {
      const [r, i] = x ? find(px, py) : [null];
      if (r?.role === "paths" && r.length === data.time?.length && !placeStart) view.moveTo(i % r.length);
    },
  });

  function table() {
    const length = Math.max(0, ...paths.map((r) => r.length));
    const head = ["step", ...paths.flatMap((r) => Array.from({ length: r.runs }, (_, k) => [`${r.label}${r.runs > 1 ? ` ${k + 1}` : ""}: ${spec.xlabel}`, spec.ylabel]).flat())];
    const body = thinned(length, 26).map((i) => [
      data.time?.length === length ? number(data.time[i]) : String(i),
      ...paths.flatMap((r) => Array.from({ length: r.runs }, (_, k) => (i < r.length ? [number(r.x[k * r.length + i]), number(r.y[k * r.length + i])] : ["–", "–"])).flat()),
    ]);
    return { caption: spec.title, head, body };
  }

  return { frame, draw, paint, cursor: () => data && paintPast(), table, theme: paint };
}
