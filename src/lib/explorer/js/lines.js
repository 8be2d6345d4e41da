// Line charts and bar charts.

function makeLines(spec, view) {
  const bars = spec.kind === "bars";
  const frame = makeFrame(spec, spec.height ?? 236);
  const timed = !spec.frames && view.spec.time?.key === spec.x;
  const marks = svg("g", { class: "le-marks" });
  const cursorLine = svg("line", { class: "le-cursor" });
  const cross = svg("line", { class: "le-cross", visibility: "hidden" });
  frame.over.append(marks, cross, cursorLine);
  const rows = spec.series.map((s) => {
    const style = `--c:${s.colour}`;
    const row = {
      ...s,
      area: svg("path", { class: "le-band", style }),
      curve: svg("path", { class: s.error ? "le-whisker" : bars && !s.theory ? "le-bar" : `${s.theory ? "le-theory" : "le-series"}${s.each ? " le-thin" : ""}`, style }),
      dot: svg("circle", { class: "le-dot", r: 4, style, visibility: "hidden" }),
      value: legendEntry(frame, s.label, s.colour, s.theory, s.error ? "dot" : bars && !s.theory ? "bar" : "line"),
    };
    return row;
  });
  // What a page that computes draws besides: the settings before, runs beside the band, and where runs are lost.
  for (const r of rows) {
    for (const [name, kind] of [["ghosts", "le-series le-ghost"], ["beside", "le-series le-thin"], ["lost", "le-lost"]]) {
      r[name] = svg("path", { class: kind, style: `--c:${r.colour}` });
      frame.body.append(r[name]);
    }
  }
  // Measured first, theory on top of it, points with error bars above both.
  const layer = (r) => (r.error ? 2 : r.theory ? 1 : 0);
  const order = [...rows].sort((a, b) => layer(a) - layer(b));
  order.forEach((r) => frame.body.append(r.area));
  order.forEach((r) => frame.body.append(r.curve));
  if (timed) rows.forEach((r) => frame.over.append(r.dot));
  const tooltip = makeTooltip(frame);
  let data = null;
  let x;
  let y;
  let shownFrame = 0;

  const xOf = (r) => r.x ?? data.x;
  // Several runs as a line each.
  const several = (r) => !spec.frames && r.shape.length === 2;
  // The row of values a series shows now: its frame at the cursor, or all of it.
  const now = (r) => (spec.frames && r.shape.length === 2 ? r.y.subarray(shownFrame * r.shape[1], (shownFrame + 1) * r.shape[1]) : r.y);

  function draw(arrays, key) {
    data = { x: arrays[`${key}.x`].data, t: arrays[`${key}.t`]?.data, marks: spec.marks.map((_, j) => arrays[`${key}.m${j}`].data[0]) };
    rows.forEach((r, j) => {
      const one = arrays[`${key}.y${j}`];
      Object.assign(r, { y: one.data, shape: one.shape, x: arrays[`${key}.y${j}.x`]?.data });
      r.half = arrays[`${key}.y${j}.error`]?.data;
      r.more = Object.fromEntries(["ghost", "ghost.x", "rest", "lost"].map((name) => [name, arrays[`${key}.y${j}.${name}`]?.data]));
      Object.assign(r, { low: arrays[`${key}.y${j}.low`]?.data, high: arrays[`${key}.y${j}.high`]?.data });
    });
    paint();
  }

  function paint() {
    if (!data || !frame.width) return;
    const ends = (r) => [r.y.map((v, i) => v - r.half[i]), r.y.map((v, i) => v + r.half[i])];
    const ys = rows.flatMap((r) => [r.y, ...(r.low ? [r.low, r.high] : []), ...(r.half ? ends(r) : [])]);
    const xs = [data.x, ...rows.filter((r) => r.x).map((r) => r.x)];
    let xdomain = domainOf(xs, spec.xlim, spec.xlog, 0);
    if (bars) {
      const half = data.x.length > 1 ? Math.abs(data.x[1] - data.x[0]) / 2 : 0.5;
      const [low, high] = span([data.x]);
      xdomain = [low - half, high + half];
      ys.push([0]);
    }
    ({ x, y } = drawScales(frame, xdomain, domainOf(ys, spec.ylim, spec.ylog), spec.xlog, spec.ylog));
    marks.replaceChildren();
    let free = 0;
    data.marks.forEach((value, j) => {
      if (!Number.isFinite(value) || value < xdomain[0] || value > xdomain[1]) return;
      const at = x(value);
      // A name goes to the left of its line on the right of the chart, or where it would run into the next line.
      const wide = 7 * spec.marks[j].length + 5;
      const crowded = data.marks.some((other) => Number.isFinite(other) && x(other) > at && x(other) < at + wide);
      const left = at > frame.left + 0.6 * frame.w || (crowded && at - wide > frame.left);
      const level = frame.top + 12 + 14 * (free++ % 3);
      marks.append(svg("line", { class: "le-mark", x1: at, x2: at, y1: frame.top, y2: frame.top + frame.h }));
      const text = svg("text", { class: "le-mark-text", x: at + (left ? -5 : 5), y: level, "text-anchor": left ? "end" : "start" });
      text.innerHTML = richSvg(spec.marks[j]);
      marks.append(text);
    });
    paintSeries();
    paintCursor();
  }

  function paintSeries() {
    const curve = d3.line().digits(1).defined((v) => Number.isFinite(v[1])).x((v) => v[0]).y((v) => v[1]);
    const floor = frame.top + frame.h + 50;
    for (const r of rows) {
      const xs = xOf(r);
      const values = now(r);
      const place = (v) => (spec.ylog && !(v > 0) ? NaN : clamp(y(v), frame.top - 50, floor));
      if (r.half) {
        r.curve.setAttribute("d", Array.from(xs, (v, i) => whisker(x(v), place(values[i]), place(values[i] + r.half[i]), place(values[i] - r.half[i]))).join(""));
        continue;
      }
      if (bars) {
        r.curve.setAttribute("d", barPath(r, xs, values));
        continue;
      }
      const runs = values.length / xs.length;
      let d = "";
      for (let k = 0; k < runs; k++) {
        d += curve(Array.from(xs, (v, i) => [x(v), place(values[k * xs.length + i])])) ?? "";
      }
      r.curve.setAttribute("d", d);
      paintMore(r, xs, place, curve);
      r.area.setAttribute("d", "");
      if (!r.low) continue;
      const band = d3.area().digits(1).defined((v) => Number.isFinite(v[1]) && Number.isFinite(v[2])).x((v) => v[0]).y0((v) => v[1]).y1((v) => v[2]);
      r.area.setAttribute("d", band(Array.from(xs, (v, i) => [x(v), place(r.low[i]), place(r.high[i])])) ?? "");
    }
  }

  function paintMore(r, xs, place, curve) {
    const each = (values, at) => {
      const lines = [];
      for (let k = 0; values && k < values.length; k += at.length) lines.push(Array.from(at, (v, i) => [x(v), place(values[k + i])]));
      return lines;
    };
    const drawnAs = (lines) => lines.map((line) => curve(line) ?? "").join("");
    r.ghosts.setAttribute("d", drawnAs(each(r.more.ghost, r.more["ghost.x"])));
    r.beside.setAttribute("d", drawnAs(each(r.more.rest, xs)));
    const ends = each(r.more.lost, xs).map((line) => line.findLast(([, v]) => Number.isFinite(v))).filter(Boolean);
    r.lost.setAttribute("d", ends.map(([px, py]) => `M${px - 4},${py - 4}l8,8m0,-8l-8,8`).join(""));
  }

  // A point with its error bar, from `top` to `foot`; a bar that leaves a log axis is cut at the point.
  function whisker(at, middle, top, foot) {
    if (!Number.isFinite(middle)) return "";
    const [low, high] = [foot, top].map((v) => (Number.isFinite(v) ? v : middle).toFixed(1));
    const cap = (v) => `M${(at - 4).toFixed(1)},${v}h8`;
    return `${cap(low)}${cap(high)}M${at.toFixed(1)},${low}V${high}M${(at - 3.5).toFixed(1)},${middle.toFixed(1)}a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0`;
  }

  function barPath(r, xs, values) {
    const shown = rows.filter((s) => !s.theory);
    const slot = Math.min(0.8 * (xs.length > 1 ? Math.abs(x(xs[1]) - x(xs[0])) : frame.w), 60);
    const wide = r.theory ? slot : slot / shown.length;
    const start = r.theory ? -slot / 2 : -slot / 2 + wide * shown.indexOf(r);
    return Array.from(xs, (v, i) => {
      if (!Number.isFinite(values[i])) return "";
      const from = (x(v) + start).toFixed(1);
      return r.theory ? `M${from},${y(values[i]).toFixed(1)}h${wide.toFixed(1)}` : `M${from},${y(0).toFixed(1)}V${y(values[i]).toFixed(1)}h${wide.toFixed(1)}V${y(0).toFixed(1)}Z`;
    }).join("");
  }

  function paintCursor() {
    if (!x || (!timed && !spec.frames)) return;
    if (spec.frames) {
      shownFrame = nearest(data.t, view.now());
      paintSeries();
      return;
    }
    const at = x(Math.max(view.now(), x.domain()[0]));
    dressLine(cursorLine, at);
    for (const r of rows) {
      const i = nearest(xOf(r), view.now());
      const many = r.half || (r.each && several(r));
      const value = many ? NaN : several(r) ? median(Array.from({ length: r.shape[0] }, (_, k) => r.y[k * r.shape[1] + i])) : r.y[i];
      const seen = Number.isFinite(value) && !(spec.ylog && value <= 0) && y(value) >= frame.top - 1 && y(value) <= frame.top + frame.h + 1;
      r.dot.setAttribute("visibility", seen ? "visible" : "hidden");
      if (seen) {
        r.dot.setAttribute("cx", x(xOf(r)[i]));
        r.dot.setAttribute("cy", y(value));
      }
      r.value.textContent = Number.isFinite(value) ? number(value, 3) : many ? "" : "–";
    }
  }

  function dressLine(line, at) {
    for (const [name, value] of [["x1", at], ["x2", at], ["y1", frame.top], ["y2", frame.top + frame.h]]) line.setAttribute(name, value);
  }

  pointer(frame, {
    hover(px, py) {
      if (!x) return;
      const i = nearest(data.x, x.invert(px));
      dressLine(cross, x(data.x[i]));
      cross.setAttribute("visibility", "visible");
      tooltip.show(x(data.x[i]), py, `${spec.x === view.spec.time?.key ? "step " : ""}${number(data.x[i])}`, rows.map((r) => {
        const j = nearest(xOf(r), data.x[i]);
        const spread = r.half && Number.isFinite(r.half[j]) ? ` ± ${number(r.half[j], 3)}` : r.low && Number.isFinite(r.low[j]) ? ` (${number(r.low[j], 3)} to ${number(r.high[j], 3)})` : "";
        const many = several(r);
        const seeds = many ? Array.from({ length: r.shape[0] }, (_, k) => number(r.y[k * r.shape[1] + j], 3)).join(" · ") : "";
        return [r.colour, r.label, many ? seeds : number(now(r)[j], 3) + spread];
      }));
    },
    out() {
      tooltip.hide();
      cross.setAttribute("visibility", "hidden");
    },
    drag: timed ? (px) => x && view.moveTo(nearest(data.x, x.invert(px))) : null,
  });

  // Rows of the data table: every series, thinned to at most 26 places.
  function table() {
    const places = thinned(data.x.length, 26);
    const head = [spec.xlabel, ...rows.flatMap((r) => (r.low ? [r.label, "10 %", "90 %"] : r.half ? [r.label, "±"] : [r.label]))];
    const at = (r, i) => {
      const j = nearest(xOf(r), data.x[i]);
      if (several(r)) return Array.from({ length: r.shape[0] }, (_, k) => number(r.y[k * r.shape[1] + j])).join(" · ");
      return number(now(r)[j]);
    };
    const body = places.map((i) => [number(data.x[i]), ...rows.flatMap((r) => (r.low ? [at(r, i), number(r.low[i]), number(r.high[i])] : r.half ? [at(r, i), number(r.half[nearest(xOf(r), data.x[i])])] : [at(r, i)]))]);
    return { caption: `${spec.title}: ${spec.ylabel}`, head, body };
  }

  return { frame, draw, paint, cursor: () => data && paintCursor(), table };
}
