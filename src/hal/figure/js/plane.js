// Phase planes: still curves, trajectories as far as the cursor, and the start as a handle.

import { domainOf, drawScales, heldPaths, legendEntry, makeFrame } from "./axes.js";
import { circlePath, curvePath, heldDomain, lastAt, shownPoint, thinned } from "./curves.js";
import { number } from "./numbers.js";
import { makeHandle, makeTooltip, pointer } from "./pointing.js";
import { clamp, put, svg } from "./tools.js";

export function makePlane(spec, view, parts) {
  const frame = makeFrame(spec, spec.height ?? 300);
  const rows = spec.marks.map((m) => {
    const style = `--c:${m.colour ?? "var(--le-muted)"}`;
    const kind = m.role === "curves" && !m.theory ? "le-still-curve" : m.theory ? "le-theory" : "le-series le-path";
    const path = (name) => svg("path", { class: name, style });
    legendEntry(frame, m.label, m.colour, m.theory, "line");
    return { ...m, curve: path(kind), ends: path("le-start"), dots: path("le-dot"), chosen: path("le-bold"), ghosts: path("le-series le-ghost"), held: heldPaths(style) };
  });
  // Theory on top of what is measured, both on top of the scene.
  const layer = (r) => ["curves", "paths"].indexOf(r.role) + (r.theory ? 0.5 : 0);
  const paths = rows.filter((r) => r.role === "paths");
  frame.body.append(...paths.flatMap((r) => r.held.nodes), ...rows.map((r) => r.ghosts));
  for (const r of [...rows].sort((a, b) => layer(a) - layer(b))) frame.body.append(r.curve, r.ends);
  for (const r of paths) frame.body.append(r.chosen, r.dots);
  const heights = parts.heights?.(frame, spec);
  const words = (spec.words ?? []).map(([at, up, text]) => [at, up, frame.over.appendChild(svg("text", { class: "le-words le-haloed", "text-anchor": at < 0 ? "start" : "end", "font-weight": 600 }, text))]);
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
    data = { time: arrays.time?.data, of };
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
    let xd = domain("x", shown.map((r) => r.x));
    let yd = domain("y", shown.map((r) => r.y));
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
      if (r.role === "curves") put(r.curve, "d", joinedPath(r.x, r.y, r.length));
      if (r.role !== "paths") continue;
      // Pixels of every trajectory, of which the cursor shows a part.
      r.drawn = Array.from({ length: r.runs }, (_, k) => Array.from({ length: r.length }, (__, i) => [x(r.x[k * r.length + i]), y(r.y[k * r.length + i])]));
      put(r.ends, "d", placeStart ? "" : r.drawn.map((one) => (one.length && shownPoint(one[0]) ? circlePath(...one[0], 3.5) : "")).join(""));
      const [bx, by] = r.before;
      put(r.ghosts, "d", bx ? joinedPath(bx.data, by.data, bx.shape[1]) : "");
      r.old.forEach(([ox, oy], k) => r.held.set(k, ox ? joinedPath(ox.data, oy.data, ox.shape[1]) : ""));
    }
    for (const [at, up, node] of words) for (const [name, value] of [["x", x(at)], ["y", y(up)]]) put(node, name, value);
    heights?.paint(x, y, data.of);
    paintPast();
    placeStart?.();
  }

  function joinedPath(xs, ys, length) {
    let d = "";
    for (let k = 0; k < xs.length; k += length) d += curvePath(Array.from({ length }, (_, i) => [x(xs[k + i]), y(ys[k + i])]));
    return d;
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
    heights?.tell(x, y, view.cursor > 0 ? paths.map((r) => r.drawn.filter((one) => one.some(shownPoint)).length) : []); // no answer before the start
    for (const r of paths) {
      const chosen = r.theory ? undefined : view.drawn.chosen;
      let dots = "";
      let d = "";
      let bold = "";
      r.drawn.forEach((one, k) => {
        const behind = one.slice(Math.max(0, index(r, k) + 1 - (spec.trail ?? Infinity)), index(r, k) + 1);
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
