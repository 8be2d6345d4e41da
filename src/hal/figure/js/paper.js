// A document of our own, for pictures without a page: as much of the DOM as panels use, and how it is written as SVG, with
// the colours that the style sheet gives it.

import { escaped } from "./tools.js";

const PLAIN = { amp: "&", lt: "<", gt: ">", quot: '"' };
const plainly = (text) => text.replace(/&(amp|lt|gt|quot);/g, (_, name) => PLAIN[name]);
const PIECE = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;

class PaperNode {
  constructor(tag) {
    Object.assign(this, { tag, kept: new Map(), inside: [], parentNode: null, hidden: false, image: null, style: { cssText: "", setProperty() {} } });
  }

  setAttribute(name, value) {
    this.kept.set(name, String(value));
  }

  getAttribute(name) {
    return this.kept.get(name) ?? null;
  }

  removeAttribute(name) {
    this.kept.delete(name);
  }

  get classes() {
    return (this.kept.get("class") ?? "").split(" ").filter(Boolean);
  }

  get classList() {
    const contains = (name) => this.classes.includes(name);
    const toggle = (name, on = !contains(name)) => this.kept.set("class", [...this.classes.filter((one) => one !== name), ...(on ? [name] : [])].join(" "));
    return { contains, toggle, add: (name) => toggle(name, true), remove: (name) => toggle(name, false) };
  }

  get dataset() {
    return Object.fromEntries(Array.from(this.kept).filter(([name]) => name.startsWith("data-")).map(([name, value]) => [name.slice(5), value]));
  }

  get children() {
    return this.inside.filter((one) => typeof one !== "string");
  }

  get firstChild() {
    return this.inside[0] ?? null;
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get isConnected() {
    return this.parentNode !== null;
  }

  get textContent() {
    return this.inside.map((one) => one.textContent ?? one).join("");
  }

  set textContent(text) {
    this.inside = text === "" ? [] : [String(text)];
  }

  set innerHTML(markup) {
    this.inside = [];
    let at = this;
    for (const [, closing, tag, attributes, alone, text] of markup.matchAll(PIECE)) {
      if (text !== undefined) at.inside.push(plainly(text));
      else if (closing) at = at.parentNode;
      else {
        const made = at.appendChild(new PaperNode(tag));
        for (const [, name, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) made.kept.set(name, plainly(value));
        if (!alone) at = made;
      }
    }
  }

  remove() {
    if (this.parentNode) this.parentNode.inside = this.parentNode.inside.filter((one) => one !== this);
    this.parentNode = null;
  }

  // Its children, and in a list the same as they stand now.
  place(nodes, first) {
    for (const node of nodes) {
      if (typeof node === "string") continue;
      node.remove();
      node.parentNode = this;
    }
    this.inside = first ? [...nodes, ...this.inside] : [...this.inside, ...nodes];
  }

  append(...nodes) {
    this.place(nodes, false);
  }

  prepend(...nodes) {
    this.place(nodes, true);
  }

  appendChild(node) {
    this.place([node], false);
    return node;
  }

  replaceChildren(...nodes) {
    this.inside = [];
    this.place(nodes, false);
  }

  addEventListener() {}

  getContext() {
    return { createImageData: (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) }), putImageData: (image) => (this.image = image) };
  }
}

export const paper = { createElement: (tag) => new PaperNode(tag), createElementNS: (_, tag) => new PaperNode(tag) };

// The style sheet, as far as it speaks of what is drawn.

const DRAWN = /^(?:fill|stroke|opacity|font-size|font-weight|font-style|paint-order|display|image-rendering)/;

// Rules outside of media queries whose selectors are tags and classes, one in another: [[{tag, classes, direct}], declarations].
function rulesOf(css) {
  const rules = [];
  const text = css.replace(/\/\*.*?\*\//gs, "").replace(/@[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  for (const [, selectors, body] of text.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const declared = body.split(";").map((one) => one.match(/^\s*([\w-]+)\s*:\s*(.*?)\s*$/s)).filter(Boolean).map(([, name, value]) => [name, value]);
    for (const selector of selectors.split(/,(?![^(]*\))/)) {
      if (/[:[]/.test(selector)) continue;
      const parts = selector.trim().replace(/\s*>\s*/g, " >").split(/\s+/);
      rules.push([parts.map((part) => ({ direct: part[0] === ">", tag: part.match(/^>?([a-z]+)/)?.[1], classes: Array.from(part.matchAll(/\.([\w-]+)/g), ([, name]) => name) })), declared]);
    }
  }
  const weight = ([parts]) => parts.reduce((sum, { classes, tag }) => sum + 100 * classes.length + (tag ? 1 : 0), 0);
  return rules.sort((a, b) => weight(a) - weight(b));
}

const fits = (part, node) => (!part.tag || part.tag === node.tag) && part.classes.every((name) => node.classes.includes(name));

function applies(parts, node, at = parts.length - 1) {
  if (!fits(parts[at], node)) return false;
  if (at === 0) return true;
  for (let above = node.parentNode; above; above = above.parentNode) {
    if (applies(parts, above, at - 1)) return true;
    if (parts[at].direct) return false;
  }
  return false;
}

// Of two colours so many per cent, mixed in the space in which steps look even.
const TO_CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]];
const TO_LAB = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]];
const FROM_LAB = [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.291485548]];
const FROM_CONES = [[4.0767416621, -3.3077115913, 0.2309699292], [-1.2684380046, 2.6097574011, -0.3413193965], [-0.0041960863, -0.7034186147, 1.707614701]];
const times = (rows, v) => rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const bent = (v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);

function mixed(one, share, other) {
  const lab = (hex) => {
    const full = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
    return times(TO_LAB, times(TO_CONES, [1, 3, 5].map((i) => linear(parseInt(full.slice(i, i + 2), 16) / 255))).map(Math.cbrt));
  };
  const [a, b] = [lab(one), lab(other)];
  const between = a.map((v, i) => share * v + (1 - share) * b[i]);
  const rgb = times(FROM_CONES, times(FROM_LAB, between).map((v) => v ** 3)).map((v) => Math.round(255 * bent(Math.min(1, Math.max(0, v)))));
  return `#${rgb.map((v) => v.toString(16).padStart(2, "0")).join("")}`;
}

// A value with its variables put in and its colours mixed.
function resolved(value, variables) {
  let text = value;
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/var\((--[\w-]+)(?:, *([^()]*(?:\([^()]*\))?[^()]*))?\)/, (_, name, fallback) => variables[name] ?? fallback ?? "none");
    text = text.replace(/color-mix\(in oklab, (#\w+) ([\d.]+)%, (#\w+)\)/, (_, one, share, other) => (share === "100" ? one : mixed(one, share / 100, other)));
  }
  return text.replace(" !important", "");
}

// A canvas as `built.py` takes it up: size and pixels.
const pixelsOf = ({ width, height, data }) => `canvas:${width},${height},${Uint8Array.from(data).toBase64()}`;

const KEPT = /^(?:d|viewBox|pathLength|x|y|x[12]|y[12]|c[xy]|r[xy]?|dx|dy|width|height|points|transform|id|clip-path|offset|stop-color|fill|stroke|href|preserveAspectRatio|text-anchor|font-\w+|fill-\w+|stroke-[\w-]+|opacity|visibility)$/;
const UNSEEN = ["le-catcher", "le-tip"];

/* {write(node), sheet()}: a node as SVG text, and the style sheet of all that was written. `themed`: nodes above it all, whose
   variables hold for it. */
export function makePrinter(css, themed) {
  const rules = rulesOf(css);
  const looks = new Map(); // declarations -> short class
  const ids = new Map();
  const short = (id) => {
    if (!ids.has(id)) ids.set(id, `c${ids.size}`);
    return ids.get(id);
  };

  function lookOf(node, variables) {
    const found = {};
    const own = (node.getAttribute("style") ?? node.style.cssText).split(";").map((one) => one.match(/^\s*([\w-]+)\s*:\s*(.*?)\s*$/)).filter(Boolean).map(([, name, value]) => [name, value]);
    const declared = [...rules.filter(([parts]) => applies(parts, node)).flatMap(([, one]) => one), ...own];
    const mine = { ...variables, ...Object.fromEntries(declared.filter(([name]) => name.startsWith("--"))) };
    const strong = declared.filter(([, value]) => value.endsWith("!important"));
    for (const [name, value] of [...declared, ...strong]) if (DRAWN.test(name)) found[name] = resolved(value, mine);
    return [found, mine];
  }

  function write(node, variables = {}) {
    if (typeof node === "string") return escaped(node);
    if (node.hidden || node.getAttribute("visibility") === "hidden" || node.classes.some((name) => UNSEEN.includes(name))) return "";
    const [look, mine] = lookOf(node, variables);
    if (look.display === "none" || (node.tag === "path" && !node.getAttribute("d"))) return "";
    const inside = node.inside.map((one) => write(one, mine)).join("");
    if (!inside && ["g", "text", "tspan", "defs"].includes(node.tag)) return "";
    const declared = Object.entries(look).filter(([name]) => name !== "display").map(([name, value]) => `${name}:${value}`).join(";");
    const drawn = inside || !["g", "svg"].includes(node.tag);
    if (declared && drawn && !looks.has(declared)) looks.set(declared, `l${looks.size}`);
    const attributes = [...node.kept].filter(([name]) => KEPT.test(name)).map(([name, value]) => ` ${name}="${escaped(name === "id" ? short(value) : value.replace(/url\(#([^)]+)\)/, (_, id) => `url(#${short(id)})`))}"`);
    if (declared && drawn) attributes.push(` class="${looks.get(declared)}"`);
    return `<${node.tag}${attributes.join("")}${inside ? `>${inside}</${node.tag}>` : "/>"}`;
  }

  return {
    write: (node) => write(node, themed.reduce((variables, one) => lookOf(one, variables)[1], {})),
    // A canvas as an image at the place that its style says.
    image(canvas) {
      const at = Object.fromEntries(Array.from((canvas.getAttribute("style") ?? canvas.style.cssText).matchAll(/(left|top|width|height):([\d.]+)px/g), ([, name, value]) => [name, value]));
      const [look] = lookOf(canvas, {});
      const kept = ["opacity", "image-rendering"].filter((name) => look[name]).map((name) => `${name}:${look[name]}`).join(";");
      return `<image x="${at.left}" y="${at.top}" width="${at.width}" height="${at.height}" preserveAspectRatio="none"${kept && ` style="${kept}"`} href="${pixelsOf(canvas.image)}"/>`;
    },
    sheet: () => Array.from(looks, ([declared, name]) => `.${name}{${declared}}`).join(""),
  };
}
