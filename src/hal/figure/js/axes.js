// The frame of a panel: title, legend, plot area with axes, grid and labels, redrawn at the width it has.

import { d3 } from "../vendor/d3.min.js";
import { number, span } from "./numbers.js";
import { dress, escaped, html, put, richSvg, setText, svg, written } from "./tools.js";

let frameCount = 0;

// log: true, or a function that makes a scale of its own.
function scaleFor(domain, range, log) {
  if (log?.call) return log(domain, range);
  return (log ? d3.scaleLog() : d3.scaleLinear()).domain(domain).range(range);
}

// A scale that is even in asinh(v / near): linear near 0, logarithmic far from it.
export function asinhScale(domain, range, near) {
  const even = d3.scaleLinear().domain(domain.map((v) => Math.asinh(v / near))).range(range);
  const sizes = Array.from({ length: 12 }, (_, k) => Math.min(1, near) * (k % 2 ? 3 : 1) * 10 ** Math.floor(k / 2));
  const ticks = [...sizes.map((v) => -v), 0, ...sizes].filter((v) => v >= domain[0] && v <= domain[1]).sort((a, b) => a - b);
  return Object.assign((v) => even(Math.asinh(v / near)), {
    invert: (p) => near * Math.sinh(even.invert(p)),
    domain: () => domain,
    ticks: () => ticks,
    tickFormat: (_, text) => text,
  });
}

// Domain of the data with a little air, or the author's limits.
export function domainOf(arrays, limits, log, air = 0.04) {
  let [low, high] = span(arrays, log) ?? (log ? [1, 10] : [0, 1]);
  if (log) {
    const spare = high > low ? (high / low) ** air : 2;
    [low, high] = [low / spare, high * spare];
  } else {
    const spare = high > low ? (high - low) * air : Math.abs(high) * 0.1 || 0.5;
    // A curve that starts at nought should stand on the axis.
    [low, high] = [low >= 0 && low <= 0.25 * high ? Math.min(low, 0) : low - spare, high + spare];
  }
  return [limits?.[0] ?? low, limits?.[1] ?? high];
}

// Ticks and their texts are d3's; on a log axis those that would crowd have none and are left out.
function ticksOf(scale, log, count) {
  const most = Math.max(...scale.domain().map(Math.abs));
  const text = scale.tickFormat(count, log ? (v) => number(v, 3) : most >= 1e5 ? "~s" : undefined);
  return scale.ticks(count).map((v) => [v, text(v)]).filter(([, shown]) => shown);
}

// A text in lines of so many letters at most, broken between words.
export function brokenText(text, most) {
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

export function makeFrame(spec, height) {
  const id = `le-clip-${++frameCount}-${Math.random().toString(36).slice(2, 8)}`;
  const axes = svg("g", { class: "le-axes" });
  const body = svg("g", { "clip-path": `url(#${id})` });
  const over = svg("g");
  const catcher = svg("rect", { class: "le-catcher" });
  const clip = svg("rect", {});
  const behind = svg("rect", {});
  const past = svg("g", { "clip-path": `url(#${id}-past)` });
  body.append(past);
  const remark = svg("text", { class: "le-axis-remark" });
  const empty = svg("text", { class: "le-empty", "text-anchor": "middle" });
  over.append(remark, empty);
  const chart = svg("svg", { class: "le-chart", role: "img", "aria-label": `${spec.title}: ${spec.ylabel} against ${spec.xlabel}` });
  chart.append(svg("defs", {}, svg("clipPath", { id }, clip), svg("clipPath", { id: `${id}-past` }, behind)), axes, body, over, catcher);
  const plot = html("div", { class: "le-plot" }, chart);
  const legend = html("ul", { class: "le-legend" });
  const root = html("div", { class: `le-panel${spec.wide ? " le-wide" : ""}` });
  const note = html("span", { class: "le-note" });
  const title = html("div", { class: "le-panel-title" }, written(html("span", {}), spec.title), " ", note);
  root.append(title, legend, plot);
  plot.style.setProperty("--high", `${height}px`);
  if (spec.height) plot.style.flex = "none";
  const ytitle = richSvg(spec.ylabel);
  const frame = { root, plot, legend, chart, axes, body, past, over, catcher, width: 0, height, left: 0, right: 12, top: 22, w: 0, h: 0, xlabel: spec.xlabel };

  // What `past` holds is drawn as far as a place on the x axis; null: all of it.
  let until = null;
  frame.reveal = (at) => {
    until = at;
    put(behind, "width", at === null ? frame.w + 4 : Math.max(0, at - frame.left + 2));
  };
  // A remark beside the title of the x axis where there is room; else a shorter one there, or in the plot, above the axis.
  let remarked = null;
  frame.setRemark = (long, short = long) => {
    const room = (frame.left + frame.w - 6.6 * spec.xlabel.length - 40) / 6.4;
    const text = long.length <= room ? long : short;
    const asked = [frame.left, frame.width, frame.height, text].join();
    if (asked === remarked) return;
    remarked = asked;
    const beside = text.length <= room;
    const said = beside && text ? [text] : brokenText(text, Math.floor((frame.w - 12) / 6.4));
    const [x, y] = beside ? [0, frame.height - 5] : [frame.left + 6, frame.top + frame.h - 6 - 14 * (said.length - 1)];
    remark.innerHTML = said.map((line, i) => `<tspan x="${x}" y="${y + 14 * i}">${richSvg(line)} </tspan>`).join("");
  };
  // Why nothing is to be seen, in the middle of the plot: no run has come, or this.
  frame.setEmpty = (text, waits) => {
    const { left, top, w, h } = frame;
    const lines = brokenText(text && waits ? "No run has come yet." : text, Math.max(12, Math.floor((w - 20) / 6.2)));
    const drawn = lines.map((line, i) => `<tspan x="${left + w / 2}" y="${top + h / 2 + 15 * (i - (lines.length - 1) / 2)}">${escaped(line)} </tspan>`).join("");
    if (drawn !== frame.drawnEmpty) empty.innerHTML = frame.drawnEmpty = drawn;
  };
  frame.setNote = (text, more = "") => {
    frame.one = Boolean(text); // it shows one run
    const said = [text, more].filter(Boolean).join(", ");
    setText(note, said ? `(${said})` : "");
  };
  // A button that turns something on or off.
  frame.addSwitch = (text, pressed, change, touched) => {
    const button = html("button", { type: "button", class: "le-switch", "aria-pressed": String(pressed) }, text);
    const turn = () => {
      pressed = !pressed;
      button.setAttribute("aria-pressed", String(pressed));
      change(pressed);
    };
    button.addEventListener("click", () => {
      turn();
      touched();
    });
    title.append(button);
    return turn;
  };

  // Lay out for tick labels of the y axis, `wide` characters at most.
  frame.layout = (wide) => {
    frame.left = Math.ceil(wide * 7.2) + 12;
    frame.w = Math.max(40, frame.width - frame.left - frame.right);
    frame.h = frame.height - frame.top - 38;
    put(chart, "viewBox", `0 0 ${frame.width} ${frame.height}`);
    put(chart, "width", frame.width);
    put(chart, "height", frame.height);
    for (const box of [clip, behind, catcher]) {
      // The clips are a little larger, so that a line along an axis keeps its full width.
      const spare = box === catcher ? 0 : 2;
      put(box, "x", frame.left - spare);
      put(box, "y", frame.top - spare);
      if (box !== behind || until === null) put(box, "width", frame.w + 2 * spare);
      put(box, "height", frame.h + 2 * spare);
    }
  };

  // Axes with grid lines from ticks [[value, text], ...] and a scale each; grid: false for heat maps.
  frame.drawAxes = (x, xticks, y, yticks, grid = true) => {
    const { left, top, w, h, width, height: tall } = frame;
    const bottom = top + h;
    // A title wider than its picture is set closer.
    const close = (words) => (6.4 * words.length + 16 > width ? `textLength="${width - 4}" lengthAdjust="spacingAndGlyphs"` : "");
    const parts = [`<text class="le-axis-title" x="0" y="11" ${close(spec.ylabel)}>↑ ${ytitle}</text>`];
    parts.push(`<text class="le-axis-title" x="${Math.max(left + w, Math.min(width - 2, 6.4 * frame.xlabel.length + 16))}" y="${tall - 5}" text-anchor="end" ${close(frame.xlabel)}>${richSvg(frame.xlabel)} →</text>`);
    for (const [v, text] of yticks) {
      const at = y(v).toFixed(1);
      if (grid) parts.push(`<line class="le-grid" x1="${left}" x2="${left + w}" y1="${at}" y2="${at}"/>`);
      parts.push(`<text class="le-tick" x="${left - 7}" y="${at}" dy="0.32em" text-anchor="end">${escaped(text)}</text>`);
    }
    let free = -Infinity;
    for (const [v, text] of xticks) {
      const at = x(v).toFixed(1);
      if (grid) parts.push(`<line class="le-grid" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 4}"/>`);
      // The first and last label stay inside the picture.
      const anchor = at > width - 14 ? "end" : at < 10 ? "start" : "middle";
      const wide = 6.8 * text.length;
      const from = at - wide * { start: 0, middle: 0.5, end: 1 }[anchor];
      if (from < free) continue;
      free = from + wide + 6;
      parts.push(`<text class="le-tick" x="${at}" y="${bottom + 17}" text-anchor="${anchor}">${escaped(text)}</text>`);
    }
    if (grid) parts.push(`<line class="le-base" x1="${left}" x2="${left + w}" y1="${bottom}" y2="${bottom}"/>`);
    const drawn = parts.join("");
    if (drawn !== frame.drawnAxes) axes.innerHTML = frame.drawnAxes = drawn;
  };
  return frame;
}

// Both scales of a frame, laid out for the labels they need; each of so many bars has a tick where there is room.
export function drawScales(frame, xdomain, ydomain, xlog, ylog, grid = true, bars = Infinity) {
  const rows = Math.max(3, Math.round(frame.height / 50));
  const yticks = ticksOf(scaleFor(ydomain, [1, 0], ylog), ylog, rows);
  frame.layout(Math.max(2, ...yticks.map(([, text]) => text.length)));
  const x = scaleFor(xdomain, [frame.left, frame.left + frame.w], xlog);
  const y = scaleFor(ydomain, [frame.top + frame.h, frame.top], ylog);
  frame.drawAxes(x, ticksOf(x, xlog, bars <= frame.w / 24 ? bars : Math.max(2, Math.floor(frame.w / 75))), y, yticks, grid);
  return { x, y };
}

export const NOTHING = "At these settings there is nothing to draw.";

// The colour of a line and, where it has one of its own, its dash; lengths in widths of a line of 1.4 pixels.
export const paintOf = (colour, dash) => `--c:${colour}${dash ? `;--dash:${dash.map((n) => 1.4 * n).join(" ")}` : ""}`;

// One entry of a legend: its value span shows the number at the cursor, its node is the whole.
export function legendEntry(frame, label, colour, theory, shape = "line", dash = null) {
  const chip = svg("svg", { class: "le-chip", width: 22, height: 10, "aria-hidden": "true" });
  const style = paintOf(colour ?? "var(--le-muted)", dash);
  if (shape === "line") {
    chip.append(svg("line", { x1: 1, x2: 21, y1: 5, y2: 5, style, class: theory ? "le-theory" : "le-series" }));
  } else if (shape === "bar") {
    chip.append(svg("rect", { x: 6, y: 0, width: 10, height: 10, rx: 2, style, class: "le-bar" }));
  } else if (shape === "cloud") {
    chip.append(svg("circle", { cx: 11, cy: 5, r: 4, class: "le-cloud" }));
  } else {
    chip.append(svg("circle", { cx: 11, cy: 5, r: 4, style, class: "le-dot" }));
  }
  const value = html("span", { class: "le-value" });
  frame.legend.append(html("li", {}, chip, written(html("span", {}), label), value));
  return value;
}

// Paths of the states that a reader holds, each with its number at its end.
export function heldPaths(style) {
  const all = [1, 2, 3].map((n) => [svg("path", { class: `le-held le-held-${n}`, style }), svg("text", { class: "le-held-number", "text-anchor": "end", visibility: "hidden" }, String(n))]);
  return {
    nodes: all.flat(),
    set(k, d) {
      const [path, label] = all[k];
      if ((path.getAttribute("d") ?? "") === d) return;
      path.setAttribute("d", d);
      const [, px, py] = d.match(/([-\d.]+),([-\d.]+)$/) ?? [];
      label.setAttribute("visibility", d ? "visible" : "hidden");
      if (d) dress(label, { x: px - 3, y: py - 4 }, []);
    },
  };
}
