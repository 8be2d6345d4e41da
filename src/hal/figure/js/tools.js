// Small tools: elements of the page and their text, and its theme.

const SVG = "http://www.w3.org/2000/svg";

export function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

// A text, and an attribute, that are written only where they change: a browser works on whatever it is given anew.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

export function html(tag, attributes, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

// A small button; `action` gets it.
export function toolButton(text, action, attributes) {
  const made = html("button", { type: "button", class: "le-tool", ...attributes }, text);
  made.addEventListener("click", () => action(made));
  return made;
}

export function escaped(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
}

// Text with subscripts, α_V or x_{out}, as markup: `sub` in HTML, shifted spans in SVG.
const SUBSCRIPT = /_(?:\{([^{}]*)\}|([A-Za-z0-9])(?![A-Za-z0-9_]))/g;

function rich(text) {
  return escaped(text).replace(SUBSCRIPT, (_, long, short) => `<sub>${long ?? short}</sub>`);
}

export function richSvg(text) {
  return escaped(text).replace(SUBSCRIPT, (_, long, short) => `<tspan dy="3" font-size="82%">${long ?? short}</tspan><tspan dy="-3">\u200b</tspan>`);
}

export function written(node, text) {
  node.innerHTML = rich(text);
  return node;
}

// What a message shows of a text that came from outside; `lib/errors.py` cuts at the same place.
const MOST_SHOWN = 80;

export function shortened(text) {
  const letters = Array.from(text);
  return letters.length > MOST_SHOWN ? `${letters.slice(0, MOST_SHOWN - 1).join("")}…` : text;
}

// A finger that goes on to scroll the page has moved no slider: `back` gets what `now` was when it came down.
export function onScrolled(slider, now, back) {
  let pressed;
  slider.addEventListener("pointerdown", () => (pressed = now()));
  slider.addEventListener("pointercancel", () => back(pressed));
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

// Which theme a figure stands in is asked at every frame, and costs a browser the styles of the whole page: it is known
// until the theme changes.
let themes = new WeakMap();

export function isDark(node) {
  if (themes.has(node)) return themes.get(node);
  const dark = getComputedStyle(node).getPropertyValue("--le-mode").trim() === "dark";
  if (node.isConnected) themes.set(node, dark);
  return dark;
}

// Calls back when the page's theme changes, in Jupyter Book, JupyterLab, VS Code, or by the system; returns a stopper.
export function watchTheme(change) {
  const changed = () => {
    themes = new WeakMap();
    change();
  };
  const watcher = new MutationObserver(changed);
  for (const node of [document.documentElement, document.body]) {
    watcher.observe(node, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light", "class"] });
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  return () => {
    watcher.disconnect();
    system.removeEventListener("change", changed);
  };
}

// Numbers as JSON takes them: what is none, or is infinite, is null.
export const asJson = (values) => Array.from(values, (v) => (Number.isFinite(v) ? v : null));
