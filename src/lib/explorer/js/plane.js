// Phase planes: a field of arrows, still curves and points, trajectories with a moving dot.

function makePlane(spec, view) {
  const frame = makeFrame(spec, spec.height ?? 300);
  const arrows = svg("path", { class: "le-arrows" });
  frame.body.append(arrows);
  const rows = spec.marks.map((m) => {
    const style = `--c:${m.colour ?? (m.role === "points" ? "var(--le-fg)" : "var(--le-muted)")}`;
    const kind = m.role === "curves" && !m.theory ? "le-still-curve" : m.theory ? "le-theory" : "le-series le-path";
    const row = { ...m, curve: svg("path", { class: m.role === "points" ? "le-point" : kind, style }), ends: svg("path", { class: "le-start", style }), dots: svg("path", { class: "le-dot", style }), ghosts: svg("path", { class: "le-series le-ghost", style }) };
    legendEntry(frame, m.label, m.colour ?? (m.role === "points" ? "var(--le-fg)" : null), m.theory, m.role === "points" ? "dot" : "line");
    return row;
  });
  // Theory on top of what is measured, both on top of the scene.
  const layer = (r) => ["curves", "points", "paths"].indexOf(r.role) + (r.theory ? 0.5 : 0);
  frame.body.append(...rows.map((r) => r.ghosts));
  for (const r of [...rows].sort((a, b) => layer(a) - layer(b))) frame.body.append(r.curve, r.ends);
  for (const r of rows.filter((one) => one.role === "paths")) frame.body.append(r.dots);
  const tooltip = makeTooltip(frame);
  let data = null;
  let x;
  let y;

  function draw(arrays, key) {
    rows.forEach((r, j) => {
      const one = arrays[`${key}.x${j}`];
      Object.assign(r, { x: one.data, y: arrays[`${key}.y${j}`].data, runs: one.shape[0], length: one.shape[1], before: [arrays[`${key}.x${j}.ghost`], arrays[`${key}.y${j}.ghost`]] });
    });
    data = { time: arrays.time?.data };
    if (spec.field) for (const role of ["fx", "fy", "fu", "fv"]) data[role] = arrays[`${key}.${role}`].data;
    paint();
  }

  const circle = (px, py, r) => `M${(px - r).toFixed(1)},${py.toFixed(1)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`;
  const seen = (r, i) => Number.isFinite(r.x[i]) && Number.isFinite(r.y[i]);

  function paint() {
    if (!data || !frame.width) return;
    // Still curves run out of the picture where there are trajectories to follow.
    const shown = rows.some((r) => r.role === "paths") ? rows.filter((r) => r.role !== "curves") : rows;
    let xd = domainOf([...shown.map((r) => r.x), ...(shown.length ? [] : [data.fx])], spec.xlim, false, 0.06);
    let yd = domainOf([...shown.map((r) => r.y), ...(shown.length ? [] : [data.fy])], spec.ylim, false, 0.06);
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
    ({ x, y } = drawScales(frame, xd, yd, false, false));
    const curve = d3.line().digits(1).defined((v) => Number.isFinite(v[0]) && Number.isFinite(v[1]));
    for (const r of rows) {
      let d = "";
      let starts = "";
      for (let k = 0; k < r.runs; k++) {
        const at = k * r.length;
        if (r.role === "points") {
          for (let i = at; i < at + r.length; i++) if (seen(r, i)) d += circle(x(r.x[i]), y(r.y[i]), 5);
          continue;
        }
        d += curve(Array.from({ length: r.length }, (_, i) => [x(r.x[at + i]), y(r.y[at + i])])) ?? "";
        if (r.role === "paths" && seen(r, at)) starts += circle(x(r.x[at]), y(r.y[at]), 3.5);
      }
      r.curve.setAttribute("d", d);
      r.ends.setAttribute("d", starts);
      const [bx, by] = r.before;
      let ghosts = "";
      for (let k = 0; bx && k < bx.data.length; k += bx.shape[1]) {
        ghosts += curve(Array.from({ length: bx.shape[1] }, (_, i) => [x(bx.data[k + i]), y(by.data[k + i])])) ?? "";
      }
      r.ghosts.setAttribute("d", ghosts);
    }
    paintArrows();
    paintDots();
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
    arrows.setAttribute("d", d);
  }

  // Index of a path's own points at the cursor: the same share of the way for paths of another length.
  const index = (r) => (r.length === data.time?.length ? view.cursor : Math.round(view.fraction() * (r.length - 1)));

  function paintDots() {
    if (!x) return;
    for (const r of rows) {
      if (r.role !== "paths") continue;
      let d = "";
      for (let k = 0; k < r.runs; k++) {
        const i = k * r.length + index(r);
        if (seen(r, i)) d += circle(x(r.x[i]), y(r.y[i]), 5);
      }
      r.dots.setAttribute("d", d);
    }
  }

  // The point of a trajectory nearest to the pointer: [row, index], within 40 pixels.
  function find(px, py) {
    let best = [null, 0, 40];
    for (const r of rows) {
      for (let i = 0; i < r.x.length; i++) {
        if (!seen(r, i)) continue;
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
    drag(px, py) {
      const [r, i] = x ? find(px, py) : [null];
      if (r?.role === "paths" && r.length === data.time?.length) view.moveTo(i % r.length);
    },
  });

  function table() {
    const paths = rows.filter((r) => r.role === "paths");
    const length = Math.max(0, ...paths.map((r) => r.length));
    const head = ["step", ...paths.flatMap((r) => Array.from({ length: r.runs }, (_, k) => [`${r.label}${r.runs > 1 ? ` ${k + 1}` : ""}: ${spec.xlabel}`, spec.ylabel]).flat())];
    const body = thinned(length, 26).map((i) => [
      data.time?.length === length ? number(data.time[i]) : String(i),
      ...paths.flatMap((r) => Array.from({ length: r.runs }, (_, k) => (i < r.length ? [number(r.x[k * r.length + i]), number(r.y[k * r.length + i])] : ["–", "–"])).flat()),
    ]);
    return { caption: spec.title, head, body };
  }

  return { frame, draw, paint, cursor: () => data && paintDots(), table };
}
