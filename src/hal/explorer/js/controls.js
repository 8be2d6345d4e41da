// Settings: which values they take, and the sliders that move them.

import { number } from "./numbers.js";
import { clamp, dress, html, put, setText, written } from "./tools.js";

export function sameSettings(a, b) {
  return Object.keys(a).every((name) => String(a[name]) === String(b[name]));
}

// Why a slider refuses a value, or nothing: [its name, the reason]. `hal/explorer/controls.py` refuses the same.
export function refusalOf(controls, settings) {
  for (const { name, low, high, integer, weights } of controls) {
    const value = settings[name];
    if (weights) continue; // kept whole by what moves them
    if (!Number.isFinite(value)) return [name, `${name}: expected a number, got ${value}`];
    if (value < low || value > high) return [name, `${name}: expected a value from ${low} to ${high}, got ${value}`];
    if (integer && !Number.isInteger(value)) return [name, `${name}: expected a whole number, got ${value}`];
  }
  return null;
}

// Weights when number i becomes `value`: the others keep their proportions, and all have the sum 1, to six digits.
export function reweighted(weights, i, value) {
  const wanted = clamp(value, 0, 1);
  const others = weights.reduce((sum, w, j) => (j === i ? sum : sum + w), 0);
  if (weights.length < 2) return [1];
  const rest = (w) => (others > 0 ? (w / others) * (1 - wanted) : (1 - wanted) / (weights.length - 1));
  return weights.map((w, j) => Number((j === i ? wanted : rest(w)).toPrecision(6)));
}

// Weights for another number of things: new ones get an equal share, 1/n, and those that stay keep their proportions.
function refitted(weights, n) {
  if (weights.length === n) return weights;
  const kept = weights.slice(0, n);
  const sum = kept.reduce((a, b) => a + b, 0);
  return Array.from({ length: n }, (_, i) => Number((sum > 0 && i < kept.length ? (kept[i] / sum) * (kept.length / n) : 1 / n).toPrecision(6)));
}

// Settings whose weights follow the setting that says how many there are: always from the weights as they were given, so
// that the way there and back, however long, ends where it began.
export function makeFitting(controls) {
  const given = {};
  const fitted = {};
  return (settings) => {
    const found = { ...settings };
    for (const { name, weights } of controls) {
      if (!weights) continue;
      if (String(settings[name]) !== String(fitted[name])) given[name] = settings[name];
      found[name] = fitted[name] = refitted(given[name], typeof weights === "string" ? settings[weights] : weights);
    }
    return found;
  };
}

// A setting without a track, in the place of a slider: it is moved in a panel.
export function makeHidden(spec) {
  return { root: null, set() {}, refuse() {}, initial: spec.stops[spec.default] };
}

// Any value in range, on a track and typed; names have a stop each.
let controlCount = 0;

// Places of a free slider's track. Where whole numbers lie on a logarithm, the largest two are one place apart.
function placesOf({ integer, log, low, high }) {
  return integer && log && high > low + 1 ? clamp(Math.ceil(Math.log(high / low) / Math.log(high / (high - 1))), 400, 20000) : 400;
}

export function makeControl(spec, changed) {
  const FINE = placesOf(spec);
  const id = `le-${++controlCount}-${Math.random().toString(36).slice(2, 8)}`;
  // Names have no values between them.
  const free = spec.numeric && !spec.texts;
  const whole = free && spec.integer && !spec.log && spec.high - spec.low <= 2000;
  const low = free ? (whole ? spec.low : 0) : 0;
  const high = free ? (whole ? spec.high : FINE) : spec.stops.length - 1;
  const input = html("input", { type: "range", id, min: low, max: high, step: 1, "data-setting": spec.name, "data-lm-suppress-shortcuts": "true" });
  const label = written(html("label", { for: id }), spec.label);
  const output = html("output", { for: id });
  const refused = html("p", { class: "le-refused", id: `${id}-refused`, role: "alert", hidden: true });
  const box = html("div", { class: `le-control${free ? " le-free" : ""}` }, html("div", { class: "le-control-head" }, label));
  const head = box.firstChild;
  let value = spec.stops[spec.default];
  let typed = null;
  let shown = 0;
  if (free) {
    typed = html("input", { type: "number", class: "le-number", step: "any", min: spec.low, max: spec.high, "aria-label": `${spec.label}, exact value${spec.unit ? ` (${spec.unit})` : ""}`, "data-lm-suppress-shortcuts": "true" });
    head.append(html("span", { class: "le-typed" }, typed, spec.unit ? html("span", {}, spec.unit) : null));
    const enter = () => {
      const given = Number(typed.value);
      if (given === value) return;
      if (typed.value === "" || !Number.isFinite(given)) return set(value);
      const wanted = spec.integer ? Math.round(given) + 0 : given; // 0 for −0
      set(wanted);
      changed(spec.name, wanted, wanted === given ? "" : `${spec.name}: ${given} is rounded to ${wanted}, a whole number.`);
    };
    typed.addEventListener("change", enter);
    // A notebook takes the key for itself before the number counts as changed.
    typed.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      enter();
    });
  } else {
    head.append(output);
  }
  box.append(input, refused);
  if (!free && spec.stops.length > 1 && spec.stops.length <= 16) {
    box.append(html("div", { class: "le-stops", "aria-hidden": "true" }, ...spec.stops.map(() => html("i"))));
  }

  const bend = spec.log ? Math.log : (v) => v;
  const position = (v) => (!free ? spec.stops.indexOf(v) : whole ? v : (FINE * (bend(v) - bend(spec.low))) / (bend(spec.high) - bend(spec.low) || 1));
  function valueAt(place) {
    if (!free) return spec.stops[place];
    if (whole) return place;
    if (place <= 0) return spec.low;
    if (place >= FINE) return spec.high;
    const t = bend(spec.low) + (place / FINE) * (bend(spec.high) - bend(spec.low));
    const exact = spec.log ? Math.exp(t) : t;
    return clamp(spec.integer ? Math.round(exact) : Number(exact.toPrecision(3)), spec.low, spec.high);
  }

  function text(v) {
    const known = spec.stops.indexOf(v);
    const words = spec.texts && known >= 0 ? spec.texts[known] : typeof v === "number" ? number(v) : String(v);
    // One position, two positions; other units (nats, Hz) are rare at exactly one.
    const unit = v === 1 ? spec.unit.replace(/s$/, "") : spec.unit;
    return unit ? `${words} ${unit}` : words;
  }

  function set(next) {
    value = next;
    const place = position(next);
    input.value = place;
    shown = Number(input.value);
    input.style.setProperty("--fill", `${high > low ? (100 * (clamp(place, low, high) - low)) / (high - low) : 100}%`);
    put(input, "aria-valuetext", text(next));
    if (!free) setText(output, text(next));
    if (typed && document.activeElement !== typed) typed.value = next;
    else if (typed && Number(typed.value) !== next) typed.value = next;
  }

  input.addEventListener("input", () => {
    let next = valueAt(Number(input.value));
    // On a fine logarithmic track a key may fall short of the next whole number.
    if (next === value && spec.integer && free) next = clamp(value + Math.sign(Number(input.value) - shown), spec.low, spec.high);
    if (next === value) return;
    set(next);
    changed(spec.name, next);
  });
  // Why the value is refused, beside it; nothing where it is not.
  function refuse(reason) {
    refused.hidden = !reason;
    refused.textContent = reason ?? "";
    for (const node of [input, typed]) {
      if (!node) continue;
      if (reason) dress(node, { "aria-invalid": "true", "aria-describedby": refused.id }, []);
      else ["aria-invalid", "aria-describedby"].forEach((name) => node.removeAttribute(name));
    }
  }
  if (high === low) input.disabled = true;
  set(value);
  return { root: box, set, refuse, initial: spec.stops[spec.default] };
}
