// Line charts: over training time only what lies behind the cursor is drawn.

import { brokenText, domainOf, drawScales, heldPaths, legendEntry, makeFrame, NOTHING, paintOf } from "./axes.js";
import { bandPath, circlePath, curvePath, distanceTo, heldDomain, hides, lastAt, lastOf, NONE, noteOf, overTime, thinned } from "./curves.js";
import { makeEnds, MOST_NAMES } from "./ends.js";
import { makeLift } from "./lift.js";
import { median, nearest, number, span } from "./numbers.js";
import { makeTooltip, pointer } from "./pointing.js";
import { makeSpots, spotsOf } from "./spots.js";
import { clamp, dress, put, richSvg, setText, svg } from "./tools.js";

export function makeLines(spec, view) {
  const frame = makeFrame(spec, spec.height ?? 236);
  const timed = overTime(spec.x, view.spec.time);
  const marks = svg("g", { class: "le-marks" });
  const cursorLine = svg("line", { class: "le-cursor" });
  const cross = svg("line", { class: "le-cross", visibility: "hidden" });
  const [gapLine, gapText] = [svg("path", { class: "le-bracket" }), svg("text", { class: "le-span-text", "text-anchor": "end" })];
  const gap = svg("g", {}, gapLine, gapText);
  frame.over.append(marks, cross, cursorLine, ...(spec.gap ? [gap] : []));
  const rows = spec.series.map((s) => {
    const style = paintOf(s.colour, s.dash);
    const look = s.fill ? "le-fill" : `${s.theory ? "le-theory" : "le-series"}${s.each ? " le-thin" : ""}`;
    const value = legendEntry(frame, s.label, s.colour, s.theory, "line", s.dash);
    const path = (kind) => svg("path", { class: kind, style });
    value.parentNode.classList.toggle("le-unseen", Boolean(s.fill));
    return {
      ...s, style, value, name: value.parentNode, area: path("le-band"), curve: path(look), dot: path("le-dot"),
      // Drawn besides: states before, runs beside the band, and where runs are lost.
      chosen: path("le-bold"), held: heldPaths(style), ghosts: path("le-series le-ghost"), beside: path("le-series le-thin"), lost: path("le-lost"), spot: s.named && svg("text", { class: "le-words le-haloed", "font-weight": 600 }, s.label),
    };
  });
  for (const r of rows.filter((one) => one.named)) r.name.classList.add("le-unseen");
  for (const r of rows) frame.past.append(...r.held.nodes, r.ghosts, r.beside, r.lost, ...(r.spot ? [r.spot] : []));
  // Measured first, theory on top of it.
  const order = [...rows].sort((a, b) => Boolean(a.theory) - Boolean(b.theory));
  order.forEach((r) => frame.past.append(r.area));
  order.forEach((r) => (r.ahead ? frame.body : frame.past).append(r.curve, r.chosen));
  if (timed) rows.forEach((r) => frame.over.append(r.dot));
  const read = rows.filter((r) => !r.fill || r.corner);
  const shapes = rows.filter((r) => r.fill);
  for (const r of shapes) frame.past.append((r.words = svg("text", { class: "le-haloed le-shape" })));
  // What is drawn ahead in a measured curve's colour is its theory: one name is enough.
  const ends = makeEnds(frame, spec.hues || spec.spots?.length ? [] : read.filter((r) => !r.named).filter((r) => !r.ahead || !rows.some((other) => !other.ahead && other.colour === r.colour)));
  const placeSpots = makeSpots(frame, spec, view);
  frame.legend.hidden = Boolean(spec.hues); // the marks name the curves
  if (spec.spots?.length) frame.spotted = true; // they name the curves
  const tooltip = makeTooltip(frame);
  const lift = spec.lift ? makeLift(spec, view, frame) : null;
  const axis = { x: { log: spec.xlog, domain: null }, y: { log: spec.ylog, domain: null } };
  const turns = {}; // of the sides that have a switch
  for (const side of ["x", "y"]) {
    if (!spec[`${side}switch`]) continue;
    const change = (log) => {
      Object.assign(axis[side], { log, domain: null });
      paint();
    };
    turns[side] = frame.addSwitch(`log ${side}`, axis[side].log, change, () => view.switched());
  }
  // The sides that are not as the author declared them, and how to have these sides so.
  const turned = () => Object.keys(turns).filter((side) => axis[side].log !== Boolean(spec[`${side}log`]));
  function turn(sides) {
    for (const side of Object.keys(turns)) if (sides.includes(side) !== turned().includes(side)) turns[side]();
  }
  let data = null;
  let pointed = null; // the time that the pointer is at, here or in another panel
  let same = []; // pairs [curve, the one above it] that cannot be seen apart
  let equal = []; // those of them that are called equal
  let x;
  let y;

  // The x of row k of a series, and its values: a run's or a curve's.
  const places = (r, k = 0) => {
    const one = r.x ?? data.x;
    return one.shape.length === 2 ? one.data.subarray(k * one.shape[1], (k + 1) * one.shape[1]) : one.data;
  };
  const several = (r) => r.shape.length === 2;
  const count = (r) => (several(r) ? r.shape[0] : 1);
  function values(r, k = 0) {
    const length = lastOf(r.shape);
    return r.y.subarray(k * length, (k + 1) * length);
  }

  function draw(arrays, key) {
    const of = (role) => arrays[`${key}.${role}`];
    data = { x: of("x"), lift: lift && [of("at").data[0], of("unit").data[0]], marks: spec.marks.map((_, j) => of(`m${j}`).data[0]), until: (spec.spans ?? []).map((_, j) => of(`u${j}`).data[0]), spots: spotsOf(spec, of) };
    rows.forEach((r, j) => {
      const one = of(`y${j}`);
      Object.assign(r, { y: one.data, shape: one.shape, note: one.note, x: of(`y${j}.x`) });
      for (const role of ["low", "high"]) r[role] = of(`y${j}.${role}`)?.data;
      r.more = Object.fromEntries(["ghost", "ghost.x", "rest", "lost"].map((role) => [role, of(`y${j}.${role}`)]));
      r.one = of(`y${j}.chosen`)?.data;
      r.oneAt = of(`y${j}.chosen.x`)?.data;
      for (const node of [r.curve, r.area, r.beside]) node.classList.toggle("le-faded", Boolean(r.one));
      r.old = [0, 1, 2].map((k) => [of(`y${j}.held${k}`), of(`y${j}.held${k}.x`)]);
    });
    frame.setNote(noteOf(rows), rows.some((r) => r.more.ghost) ? "pale: before" : "");
    paint();
  }

  function domain(side, arrays, limits, air) {
    const { log, domain: before } = axis[side];
    const held = heldDomain(before, domainOf(arrays, null, log, air), log, view.moving());
    axis[side].domain = held;
    // The author's limits are those of the axis as it was declared.
    const given = log === spec[`${side}log`] ? limits : null;
    return [given?.[0] ?? held[0], given?.[1] ?? held[1]];
  }

  function paint() {
    if (!data || !frame.width) return;
    const xs = [data.x.data, ...rows.filter((r) => r.x).map((r) => r.x.data)];
    const ys = rows.flatMap((r) => [r.y, ...(r.low ? [r.low, r.high] : []), ...(r.more.ghost ? [r.more.ghost.data] : [])]);
    for (const r of rows) {
      for (const [old, at] of r.old.filter(([one]) => one)) {
        xs.push(at.data);
        ys.push(old.data);
      }
    }
    const named = spec.xlabels?.[view.drawn.settings[view.spec.controls.find((c) => c.axis).name]];
    if (named && named !== frame.xlabel) [frame.xlabel, axis.x.domain] = [named, null];
    const xdomain = domain("x", xs, spec.xlim, 0);
    ends.room();
    ({ x, y } = drawScales(frame, xdomain, domain("y", ys, spec.ylim), axis.x.log, axis.y.log));
    paintMarks();
    lift?.place(x, y, ...data.lift);
    paintSeries();
    paintCursor();
  }

  let marked = "";
  function paintMarks() {
    const now = [...data.marks, ...data.until, ...x.domain(), ...x.range(), frame.top, frame.h].join();
    if (now === marked) return;
    marked = now;
    marks.replaceChildren();
    let free = 0;
    const [low, high] = x.domain();
    data.marks.forEach((value, j) => {
      if (!Number.isFinite(value) || value < low || value > high) return;
      const at = x(value);
      if (typeof spec.spans?.[j] === "boolean") return paintSpan(value, at, data.until[j], j);
      // A name goes to the left of its line on the right of the chart, or where it would run into the next line.
      const wide = 7 * spec.marks[j].length + 5;
      const crowded = data.marks.some((other) => Number.isFinite(other) && x(other) > at && x(other) < at + wide);
      const left = at > frame.left + 0.6 * frame.w || (crowded && at - wide > frame.left);
      const level = frame.top + 12 + 14 * (free++ % 3);
      const text = svg("text", { class: "le-mark-text", x: at + (left ? -5 : 5), y: level, "text-anchor": left ? "end" : "start", ...(spec.hues?.[j] ? { style: `--c:${spec.hues[j]};fill:var(--paint);font-size:15px;font-weight:600` } : {}) });
      text.innerHTML = richSvg(spec.marks[j]);
      marks.append(svg("g", { "data-at": value }, svg("line", { class: "le-mark", x1: at, x2: at, y1: frame.top, y2: frame.top + frame.h }), text));
    });
  }

  // A strip over time with its words in it or, where they are too long, at its foot; or a bracket with them below it.
  function paintSpan(value, from, until, j) {
    const to = x(Math.min(Number.isNaN(until) ? Infinity : until, x.domain()[1]));
    if (!(to > from)) return;
    const [top, right] = [frame.top, frame.left + frame.w];
    const within = !spec.spans[j] && to - from > 8 * spec.marks[j].length;
    const start = spec.spans[j] ? from + 8 : to + 6;
    const left = !within && right - start < 90;
    const x0 = within ? (from + to) / 2 : left ? from - 6 : start;
    const words = within ? [spec.marks[j]] : brokenText(spec.marks[j], Math.max(8, Math.floor((left ? x0 - frame.left : right - x0) / 6.4)));
    const y0 = within ? top + 0.6 * frame.h : spec.spans[j] ? top + 36 : top + frame.h + 7 - 15 * words.length;
    const text = svg("text", { class: "le-span-text", y: y0, "text-anchor": within ? "middle" : left ? "end" : "start" });
    text.innerHTML = words.map((line, k) => `<tspan x="${x0}" dy="${k ? 15 : 0}">${richSvg(line)}</tspan>`).join("");
    const d = spec.spans[j] ? `M${from},${top + 16}v-6H${to}v6` : `M${from},${top}H${to}v${frame.h}H${from}Z`;
    marks.append(svg("g", { "data-at": value }, svg("path", { class: spec.spans[j] ? "le-bracket" : "le-strip", d }), text));
  }

  const place = (v) => (axis.y.log && !(v > 0) ? NaN : clamp(y(v), frame.top - 50, frame.top + frame.h + 50));
  const points = (xs, ys) => Array.from(ys, (v, i) => [axis.x.log && !(xs[i] > 0) ? NaN : x(xs[i]), place(v)]);
  // Paths of several rows of values, `at` being the x of all or of each.
  function rowsPath(array, at) {
    if (!array) return "";
    const length = lastOf(array.shape);
    let d = "";
    for (let k = 0; k * length < array.data.length; k++) {
      const own = at.shape.length === 2 ? at.data.subarray(k * length, (k + 1) * length) : at.data;
      d += curvePath(points(own, array.data.subarray(k * length, (k + 1) * length)));
    }
    return d;
  }

  function paintSeries() {
    for (const r of rows) {
      r.drawn = Array.from({ length: count(r) }, (_, k) => points(places(r, k), values(r, k)));
      put(r.curve, "d", r.drawn.map(curvePath).join(""));
      const spot = r.spot && r.drawn[0][nearest(places(r), r.named)].map((v, k) => (Number.isFinite(v) ? v + (k ? -4 : 6) : -99));
      if (spot) put(r.spot, "transform", `translate(${spot})`);
      if (r.corner) continue;
      put(r.ghosts, "d", rowsPath(r.more.ghost, r.more["ghost.x"]));
      put(r.beside, "d", rowsPath(r.more.rest, r.x ?? data.x));
      put(r.chosen, "d", r.one ? curvePath(points(r.oneAt ?? places(r), r.one)) : "");
      r.old.forEach(([old, at], k) => r.held.set(k, rowsPath(old, at)));
      const losses = r.more.lost?.data ?? NONE;
      const lostAt = ([px, py]) => (Number.isFinite(px + py) ? `M${px - 4},${py - 4}l8,8m0,-8l-8,8` : "");
      put(r.lost, "d", Array.from({ length: losses.length / 2 }, (_, k) => lostAt(points([losses[2 * k]], [losses[2 * k + 1]])[0])).join(""));
      put(r.area, "d", r.low ? bandPath(Array.from(places(r), (v, i) => [axis.x.log && !(v > 0) ? NaN : x(v), place(r.low[i]), place(r.high[i])])) : "");
    }
    frame.setEmpty(whyEmpty(), !view.drawn.runs && rows.some((r) => !r.theory));
    shapes.forEach(nameShape);
    const single = order.filter((r) => r.drawn?.length === 1 && !r.fill);
    same = single.map((r, i) => [r, single.slice(i + 1).find((s) => hides(s.drawn[0], r.drawn[0], frame))]).filter(([, above]) => above);
    // A line's width is some hundredth of the axis: only what differs by less than a thousandth of it is called equal.
    equal = same.filter(([r, above]) => hides(above.drawn[0], r.drawn[0], frame, frame.h / 1000));
    if (!timed) placeNames();
  }

  // The label of a filled shape: at its foot where it is tall, else above it; inside the plot.
  function nameShape(r) {
    const [w, h] = [places(r)[view.cursor], values(r)[view.cursor]];
    if (r.corner) put(r.curve, "d", curvePath((r.drawn = [points([0, 0, w, w], [0, h, h, 0])])[0]));
    const words = r.corner ? `area ${number(w * h, 2)}` : frame.w < 400 ? r.label.split(":")[0] : r.label;
    const [seen, wide] = [(r.drawn[0] ?? []).filter(([px, py]) => Number.isFinite(px + py)), 6.8 * words.length];
    put(r.words, "visibility", seen.length ? "inherit" : "hidden");
    if (!seen.length) return;
    const middle = (Math.min(...seen.map(([px]) => px)) + Math.max(...seen.map(([px]) => px))) / 2;
    put(r.words, "x", clamp(middle, frame.left + 4 + wide / 2, frame.left + frame.w - wide / 2));
    const [top, foot] = span([seen.map(([, py]) => py)]);
    put(r.words, "y", foot - top > 40 ? foot - 9 : Math.max(frame.top + 12, top - 22));
    setText(r.words, words);
  }

  // Nothing where a curve or a point is to be seen.
  function whyEmpty() {
    const all = rows.flatMap((r) => r.drawn);
    const inside = ([px, py]) => px >= frame.left - 1 && px <= frame.left + frame.w + 1 && py >= frame.top - 1 && py <= frame.top + frame.h + 1;
    if (all.some((one) => one.some(inside)) || rows.some((r) => r.ghosts.getAttribute("d"))) return "";
    const some = rows.some((r) => r.y.some(Number.isFinite));
    if (some && axis.y.log && !rows.some((r) => r.y.some((v) => v > 0))) return "Nothing here is above 0, and a logarithmic axis has no place for the rest.";
    return some ? "All of it lies outside these axes." : NOTHING;
  }

  // Names stand where the curves are at the cursor, else where they end. A curve that lies under another one is named with
  // it, so that the reader does not look for it; where they end apart, or where no names stand, a remark says so.
  function placeNames() {
    const heightOf = (r) => {
      if (timed) return r.at;
      const last = r.drawn.map((one) => one.findLast(([px, py]) => Number.isFinite(px + py))?.[1] ?? NaN);
      return median(last);
    };
    const together = ends.shown() ? equal.filter(([r, above]) => Math.abs(heightOf(r) - heightOf(above)) <= 3) : [];
    ends.place(heightOf, (r) => (timed ? r.value.textContent.replace("–", "") : ""), together);
    const said = (words, found, sign) => (found.length ? [`${words}: ${found.map(([r, above]) => `${r.label} ${sign} ${above.label}`).join("; ")}`] : []);
    const apart = equal.filter((pair) => !together.includes(pair));
    const close = same.filter((pair) => !equal.includes(pair));
    frame.setRemark([...said("equal here", apart, "="), ...said("too close to see apart", close, "and")].join("; "));
  }

  function paintCursor() {
    if (!x) return;
    placeSpots(x, y, data.spots, timed && view.fraction() < 1 ? view.now() : Infinity);
    shapes.filter((r) => r.corner).forEach(nameShape);
    if (!timed) return;
    const now = view.now();
    const when = pointed ?? now;
    const shown = (at) => (axis.x.log ? Math.max(at, x.domain()[0]) : at); // what is before a logarithmic axis stands at its edge
    const edge = x(Math.max(now, x.domain()[0]));
    dressLine(cursorLine, edge);
    frame.reveal(view.fraction() < 1 ? edge : null);
    for (const group of marks.children) put(group, "visibility", Number(group.dataset.at) <= now || view.fraction() === 1 || rows.some((r) => r.ahead) ? "visible" : "hidden");
    for (const r of rows) {
      const many = r.each && several(r) && !r.one;
      const value = many ? NaN : middleAt(r, when);
      const last = (at, ys) => points([shown(at[lastAt(at, when)])], [ys[lastAt(at, when)] ?? NaN])[0];
      const spots = many ? Array.from({ length: count(r) }, (_, k) => last(places(r, k), values(r, k))) : points([shown(placeAt(r, when))], [value]);
      const seen = spots.filter(([px, py]) => Number.isFinite(px + py) && py >= frame.top - 1 && py <= frame.top + frame.h + 1);
      put(r.dot, "d", r.ahead || r.fill ? "" : seen.map(([px, py]) => circlePath(px, py, many ? 3 : 4)).join(""));
      r.at = median(spots.map(([, py]) => py));
      setText(r.value, Number.isFinite(value) ? number(value, 3) : r.each ? "" : "–");
    }
    if (spec.gap) paintGap(rows[0].at, rows[1].at, edge - 10, number(Math.abs(Number(rows[0].value.textContent) - Number(rows[1].value.textContent)), 2));
    placeNames();
  }

  // In the end a bracket between the first two curves, with how far they are apart; none where they are too near.
  function paintGap(a, b, at, far) {
    const seen = view.fraction() === 1 && Math.abs(a - b) > 14;
    put(gap, "visibility", seen ? "visible" : "hidden");
    if (!seen) return;
    put(gapLine, "d", `M${at + 5},${a}h-5V${b}h5`);
    dress(gapText, { x: at - 6, y: (a + b) / 2 + 5 }, []);
    setText(gapText, `${spec.gap} ${far}`);
  }

  const placeAt = (r, when) => (r.oneAt ?? places(r))[lastAt(r.oneAt ?? places(r), when)];

  // The value of a series at a time: that of the run the reader chose, else the middle of its rows.
  function middleAt(r, when) {
    if (r.one) return r.one[lastAt(r.oneAt ?? places(r), when)] ?? NaN;
    return median(Array.from({ length: count(r) }, (_, k) => values(r, k)[lastAt(places(r, k), when)] ?? NaN));
  }

  function dressLine(line, at) {
    for (const [name, value] of [["x1", at], ["x2", at], ["y1", frame.top], ["y2", frame.top + frame.h]]) put(line, name, value);
  }

  const valuesAt = (r, when) => Array.from({ length: count(r) }, (_, k) => values(r, k)[nearest(places(r, k), when)]);
  // The places that stand for all series: the longest x.
  const grid = () => [data.x, ...read.map((r) => r.x).filter(Boolean)].map((one) => (one.shape.length === 2 ? one.data.subarray(0, one.shape[1]) : one.data)).reduce((a, b) => (b.length > a.length ? b : a));
  const ahead = (when) => timed && view.fraction() < 1 && when > view.now();

  // The series that the read-out names: all, or, where they are many, those near the pointer, at least one.
  const REACH = 30; // pixels
  function nearby(when, py) {
    if (read.length <= MOST_NAMES) return read;
    const far = read.map((r) => Math.min(...valuesAt(r, when).map((v) => Math.abs(place(v) - py)).filter(Number.isFinite)));
    const limit = Math.max(REACH, Math.min(...far));
    return read.filter((_, i) => far[i] <= limit);
  }

  pointer(frame, {
    hover(px, py) {
      if (!x || !grid().length) return;
      const all = grid();
      const when = all[nearest(all, x.invert(px))];
      if (ahead(when) || !Number.isFinite(x(when))) return tooltip.hide();
      if (timed) view.point(when);
      else crossAt(when);
      tooltip.show(x(when), py, `${timed && view.spec.time.label.endsWith("(steps)") ? "step " : ""}${number(when)}`, nearby(when, py).map((r) => {
        const j = nearest(places(r), when);
        const spread = r.low && Number.isFinite(r.low[j]) ? ` (${number(r.low[j], 3)} to ${number(r.high[j], 3)})` : "";
        return [r.colour, r.label, valuesAt(r, when).map((v) => number(v, 3)).join(" · ") + spread];
      }));
    },
    out() {
      tooltip.hide();
      if (timed) view.point(null);
      else crossAt(null);
    },
    pick(px, py) {
      const run = x ? runAt(px, py) : -1;
      return run >= 0 && (() => view.choose(run));
    },
    drag: timed ? (px) => x && view.moveTo(nearest(view.drawn.arrays.time.data, x.invert(px))) : null,
  });

  function crossAt(when) {
    put(cross, "visibility", when === null || !x ? "hidden" : "visible");
    if (when !== null && x) dressLine(cross, x(when));
  }

  // The pointer is at a time in one of the panels: all have a line there, and dots and values.
  function point(when) {
    if (!timed || when === pointed) return;
    pointed = when;
    crossAt(when);
    if (data) paintCursor();
  }

  // The run whose curve passes nearest to a place, behind the cursor; -1 where none does.
  const NEAR = 12; // pixels
  function runAt(px, py) {
    let best = [-1, NEAR];
    if (ahead(x.invert(px))) return -1;
    rows.forEach((r, j) => {
      if (r.rows || r.fill) return;
      view.drawn.curves(spec.sources[`y${j}.x`] ?? spec.sources.x, spec.sources[`y${j}`]).forEach(([at, ys], run) => {
        const i = nearest(at, x.invert(px));
        const [from, to] = [Math.max(0, i - 2), i + 3];
        const far = distanceTo(points(at.slice(from, to), ys.slice(from, to)), px, py);
        if (far < best[1]) best = [run, far];
      });
    });
    return best[0];
  }

  // Rows of the data table: every series, thinned to at most 26 places.
  function table() {
    const all = grid();
    const head = [spec.xlabel, ...read.flatMap((r) => (r.low ? [r.label, "10%", "90%"] : [r.label]))];
    const body = thinned(all.length, 26).map((i) => [number(all[i]), ...read.flatMap((r) => {
      const shown = valuesAt(r, all[i]).map((v) => number(v)).join(" · ");
      const j = nearest(places(r), all[i]);
      return r.low ? [shown, number(r.low[j]), number(r.high[j])] : [shown];
    })]);
    return { caption: `${spec.title}: ${spec.ylabel}`, head, body };
  }

  return { frame, draw, paint, cursor: () => data && paintCursor(), point, table, turned, turn };
}
