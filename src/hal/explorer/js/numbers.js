// Small tools of the chart module: elements, numbers as text, colours of the page's theme.

const SVG = "http://www.w3.org/2000/svg";
// Formatters by their name, each made once: making one for every number took a third of a frame's time.
const FORMATS = new Map();
const formatted = (name, value) => {
  if (!FORMATS.has(name)) FORMATS.set(name, d3.format(name));
  return FORMATS.get(name)(value);
};
const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

// A text, and an attribute, that are written only where they change: a browser works on whatever it is given anew.
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

function html(tag, attributes, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
}

// Text with subscripts, α_V or x_{out}, as markup: `sub` in HTML, shifted spans in SVG.
const SUBSCRIPT = /_(?:\{([^{}]*)\}|([A-Za-z0-9])(?![A-Za-z0-9_]))/g;

function rich(text) {
  return escaped(text).replace(SUBSCRIPT, (_, long, short) => `<sub>${long ?? short}</sub>`);
}

function richSvg(text) {
  return escaped(text).replace(SUBSCRIPT, (_, long, short) => `<tspan dy="3" font-size="82%">${long ?? short}</tspan><tspan dy="-3">\u200b</tspan>`);
}

function written(node, text) {
  node.innerHTML = rich(text);
  return node;
}

function power(exponent) {
  return `10${[...String(exponent)].map((c) => SUPERSCRIPT[c]).join("")}`;
}

// A number for a reader: four significant digits, thousands set apart, very small and large ones as powers of ten.
function number(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e7 || size < 1e-4) {
    const [head, exponent] = formatted(`.${Math.min(digits, 3) - 1}~e`, value).split("e");
    return head === "1" ? power(Number(exponent)) : `${head}×${power(Number(exponent))}`;
  }
  return formatted(size >= 10 ** digits ? ",.0f" : `,.${digits}~r`, value);
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

// Smallest and largest finite number of some arrays; positive ones only if asked. Null where there is none.
function span(arrays, positive = false) {
  let low = Infinity;
  let high = -Infinity;
  for (const values of arrays) {
    for (let i = 0; i < values.length; i++) {
      const v = values[i];
      if (!Number.isFinite(v) || (positive && v <= 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return low <= high ? [low, high] : null;
}

// The middle of the numbers among the values; not a number where there is none.
function median(values) {
  const sorted = values.filter((v) => !Number.isNaN(v)).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function nearest(sorted, value) {
  return clamp(d3.bisectCenter(sorted, value), 0, sorted.length - 1);
}

function isDark(node) {
  return getComputedStyle(node).getPropertyValue("--le-mode").trim() === "dark";
}

// Calls back when the page's theme changes, in Jupyter Book, JupyterLab, VS Code, or by the system; returns a stopper.
function watchTheme(change) {
  const watcher = new MutationObserver(change);
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light", "class"] });
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", change);
  return () => {
    watcher.disconnect();
    system.removeEventListener("change", change);
  };
}

// 64 colours from small to large values, for the theme the node is in.
function ramp(colour, diverging, dark) {
  const ground = dark ? "#1d222a" : "#f1f2f4";
  const end = d3.interpolateLab(colour, dark ? "#ffffff" : "#0b1020")(dark ? 0.55 : 0.35);
  // The far side of a blue is vermilion, of any warmer colour blue.
  const [red, , blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  const other = d3.interpolateLab(blue > red ? "#D55E00" : "#0072B2", dark ? "#ffffff" : "#0b1020")(dark ? 0.25 : 0.1);
  const rise = [d3.interpolateLab(ground, colour), d3.interpolateLab(colour, end)];
  const fall = d3.interpolateLab(ground, other);
  const up = (t) => (t < 0.65 ? rise[0](t / 0.65) : rise[1]((t - 0.65) / 0.35));
  return Array.from({ length: 64 }, (_, i) => {
    const t = i / 63;
    const text = !diverging ? up(t) : t < 0.5 ? fall(1 - 2 * t) : up(2 * t - 1);
    return text.match(/[\d.]+/g).map(Number);
  });
}
