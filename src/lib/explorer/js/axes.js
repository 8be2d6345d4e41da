// The frame of a panel: title, legend, plot area with axes, grid and labels, redrawn at the width it has.

let frameCount = 0;

function scaleFor(domain, range, log) {
  return (log ? d3.scaleLog() : d3.scaleLinear()).domain(domain).range(range);
}

// Domain of the data with a little air, or the author's limits.
function domainOf(arrays, limits, log, air = 0.04) {
  let [low, high] = span(arrays, log) ?? (log ? [1, 10] : [0, 1]);
  if (log) {
    const spare = high > low ? (high / low) ** air : 2;
    [low, high] = [low / spare, high * spare];
  } else {
    const spare = high > low ? (high - low) * air : Math.abs(high) * 0.1 || 0.5;
    // A curve that starts at nought should stand on the axis.
    [low, high] = [low >= 0 && low < 0.25 * high ? Math.min(low, 0) : low - spare, high + spare];
  }
  return [limits?.[0] ?? low, limits?.[1] ?? high];
}

function ticksOf(scale, log, count) {
  const [low, high] = scale.domain();
  if (!log) {
    const text = scale.tickFormat(count, Math.max(Math.abs(low), Math.abs(high)) >= 1e5 ? "~s" : undefined);
    return scale.ticks(count).map((v) => [v, text(v)]);
  }
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const label = (v) => {
    const e = Math.round(Math.log10(v));
    const whole = Math.abs(v / 10 ** e - 1) < 1e-9;
    return whole && (e > 4 || e < -2) ? power(e) : number(v);
  };
  if (last - first < 2) {
    // Fewer than three powers of ten in sight: also their simple multiples.
    const multiples = scale.ticks().filter((v) => [1, 2, 5].includes(Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9))));
    const many = multiples.length > 1 ? multiples.filter((_, i) => multiples.length <= 8 || i % 2 === 0) : d3.scaleLinear().domain([low, high]).ticks(3);
    return many.map((v) => [v, label(v)]);
  }
  const every = Math.ceil((last - first + 1) / Math.max(2, count));
  const powers = [];
  for (let e = first; e <= last; e += every) powers.push(10 ** e);
  return powers.map((v) => [v, label(v)]);
}

function makeFrame(spec, height) {
  const id = `le-clip-${++frameCount}-${Math.random().toString(36).slice(2, 8)}`;
  const axes = svg("g", { class: "le-axes" });
  const body = svg("g", { "clip-path": `url(#${id})` });
  const over = svg("g");
  const catcher = svg("rect", { class: "le-catcher" });
  const clip = svg("rect", {});
  const chart = svg("svg", { class: "le-chart", role: "img", "aria-label": `${spec.title}: ${spec.ylabel} against ${spec.xlabel}` });
  chart.append(svg("defs", {}, svg("clipPath", { id }, clip)), axes, body, over, catcher);
  const plot = html("div", { class: "le-plot" }, chart);
  const legend = html("ul", { class: "le-legend" });
  const root = html("section", { class: `le-panel${spec.wide ? " le-wide" : ""}` });
  root.append(html("div", { class: "le-panel-title" }, written(html("span", {}), spec.title)), legend, plot);
  plot.style.minHeight = `${height}px`;
  if (spec.height) plot.style.flex = "none";
  const frame = { root, plot, legend, chart, axes, body, over, catcher, width: 0, height, left: 0, top: 22, w: 0, h: 0 };

  // Lay out for tick labels of the y axis, `wide` characters at most.
  frame.layout = (wide) => {
    frame.left = Math.ceil(wide * 6.7) + 12;
    frame.w = Math.max(40, frame.width - frame.left - 12);
    frame.h = frame.height - frame.top - 38;
    chart.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    chart.setAttribute("width", frame.width);
    chart.setAttribute("height", frame.height);
    for (const box of [clip, catcher]) {
      // The clip is a little larger, so that a line along an axis keeps its full width.
      const spare = box === clip ? 2 : 0;
      box.setAttribute("x", frame.left - spare);
      box.setAttribute("y", frame.top - spare);
      box.setAttribute("width", frame.w + 2 * spare);
      box.setAttribute("height", frame.h + 2 * spare);
    }
  };

  // Axes with grid lines from ticks [[value, text], ...] and a scale each; grid: false for heat maps.
  frame.drawAxes = (x, xticks, y, yticks, grid = true) => {
    const { left, top, w, h, width, height: tall } = frame;
    const bottom = top + h;
    const parts = [`<text class="le-axis-title" x="0" y="11">↑ ${richSvg(spec.ylabel)}</text>`];
    parts.push(`<text class="le-axis-title" x="${width - 2}" y="${tall - 5}" text-anchor="end">${richSvg(spec.xlabel)} →</text>`);
    for (const [v, text] of yticks) {
      const at = y(v).toFixed(1);
      if (grid) parts.push(`<line class="le-grid" x1="${left}" x2="${left + w}" y1="${at}" y2="${at}"/>`);
      parts.push(`<text class="le-tick" x="${left - 7}" y="${at}" dy="0.32em" text-anchor="end">${escaped(text)}</text>`);
    }
    for (const [v, text] of xticks) {
      const at = x(v).toFixed(1);
      if (grid) parts.push(`<line class="le-grid" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 4}"/>`);
      // The first and last label stay inside the picture.
      const anchor = at > width - 14 ? "end" : at < 10 ? "start" : "middle";
      parts.push(`<text class="le-tick" x="${at}" y="${bottom + 17}" text-anchor="${anchor}">${escaped(text)}</text>`);
    }
    if (grid) parts.push(`<line class="le-base" x1="${left}" x2="${left + w}" y1="${bottom}" y2="${bottom}"/>`);
    axes.innerHTML = parts.join("");
  };
  return frame;
}

// Both scales of a frame, laid out for the labels they need; used by line charts and planes.
function drawScales(frame, xdomain, ydomain, xlog, ylog) {
  const rows = Math.max(3, Math.round(frame.height / 50));
  const yticks = ticksOf(scaleFor(ydomain, [1, 0], ylog), ylog, rows);
  frame.layout(Math.max(2, ...yticks.map(([, text]) => text.length)));
  const x = scaleFor(xdomain, [frame.left, frame.left + frame.w], xlog);
  const y = scaleFor(ydomain, [frame.top + frame.h, frame.top], ylog);
  frame.drawAxes(x, ticksOf(x, xlog, Math.max(2, Math.floor(frame.w / 75))), y, yticks);
  return { x, y };
}

// One entry of a legend; its value span shows the number at the cursor.
function legendEntry(frame, label, colour, theory, shape = "line") {
  const chip = svg("svg", { class: "le-chip", width: 22, height: 10, "aria-hidden": "true" });
  const style = `--c:${colour ?? "var(--le-muted)"}`;
  if (shape === "line") {
    chip.append(svg("line", { x1: 1, x2: 21, y1: 5, y2: 5, style, class: theory ? "le-theory" : "le-series" }));
  } else if (shape === "bar") {
    chip.append(svg("rect", { x: 6, y: 0, width: 10, height: 10, rx: 2, style, class: "le-bar" }));
  } else if (shape === "cell") {
    chip.append(svg("rect", { x: 6, y: 0.75, width: 8.5, height: 8.5, class: "le-outline" }));
  } else {
    chip.append(svg("circle", { cx: 11, cy: 5, r: 4, style, class: "le-dot" }));
  }
  const value = html("span", { class: "le-value" });
  frame.legend.append(html("li", {}, chip, written(html("span", {}), label), value));
  return value;
}
