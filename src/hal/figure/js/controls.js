// Settings: which values they take, and the sliders and switches that move them.

import { number } from "./numbers.js";
import { clamp, html, onScrolled, put, setText, svg, written } from "./tools.js";

export function sameSettings(a, b) {
  return Object.keys(a).every((name) => String(a[name]) === String(b[name]));
}

// Why a slider refuses a value, or nothing: [its name, the reason]. `hal/figure/controls.py` refuses the same.
export function refusalOf(controls, settings) {
  for (const { name, low, high, integer, weights } of controls) {
    const value = settings[name];
    if (weights) continue; // kept whole by what moves them
    if (!Number.isFinite(value)) return [name, `${name}: expected a number, got ${Number.isNaN(value) ? "none" : value}`];
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

// What is said of weights that were fitted to another number of things; equal ones stay equal and need no word.
export function saidFitted(controls, asked, found) {
  const moved = controls.filter(({ name, weights }) => weights && asked[name].length !== found[name].length && new Set(asked[name]).size > 1);
  return moved.map(({ name, label }) => `${label}: fitted to ${found[name].length}; those that stay keep their proportions.`).join(" ");
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

// A message about a setting, which begins with its name, as a reader knows it: by its label.
export function labelled({ name, label }, message) {
  return message.startsWith(`${name}: `) ? label + message.slice(name.length) : message;
}

// A setting without a track, in the place of a slider: it is moved in a panel.
export function makeHidden(spec) {
  return { root: null, set() {}, refuse() {}, idle() {}, initial: spec.stops[spec.default] };
}

let controlCount = 0;
const nextId = () => `le-${++controlCount}-${Math.random().toString(36).slice(2, 8)}`;
function mark(node, name, value) {
  if (value) put(node, name, value);
  else node.removeAttribute(name);
}
const LAB = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab's own keys do not act in it

/* What every control has: its label above its track, below it why its value is refused, and, in the place of the track, why
   it does nothing at these settings. `parts` are what holds the focus, `bearer` what bears a value. */
function makeBox(id, label, track, kind, parts, bearer = parts) {
  const refused = html("p", { class: "le-refused", id: `${id}-refused`, role: "alert", hidden: true });
  const why = html("p", { class: "le-why", id: `${id}-why`, hidden: true });
  const head = html("div", { class: "le-control-head" }, label);
  const root = html("div", { class: `le-control${kind}` }, head, html("div", { class: "le-track" }, ...track, why), refused);
  const all = new Set([...parts, ...bearer]);
  function say(node, text) {
    node.hidden = !text;
    if (node.spoken !== text) written(node, (node.spoken = text));
    const ids = [refused, why].filter((one) => !one.hidden).map((one) => one.id);
    for (const part of all) mark(part, "aria-describedby", ids.join(" "));
  }
  return {
    root,
    head,
    // Why the value is refused, beside it; nothing where it is not.
    refuse(reason) {
      say(refused, reason ?? "");
      for (const part of bearer) mark(part, "aria-invalid", Boolean(reason));
    },
    idle(reason) {
      say(why, reason);
      root.classList.toggle("le-idle", Boolean(reason));
      for (const part of all) mark(part, "aria-disabled", Boolean(reason));
    },
  };
}

const MOST_CHOICES = 4;
const isChoice = ({ texts, stops }) => Boolean(texts) && stops.length > 1 && stops.length <= MOST_CHOICES;

export function makeControl(spec, changed) {
  return isChoice(spec) ? makeSwitch(spec, changed) : makeSlider(spec, changed);
}

// Two to four names side by side: one of them is pressed, the arrow keys go from one to the next.
function makeSwitch(spec, changed) {
  const id = nextId();
  const buttons = spec.texts.map((text) => written(html("button", { type: "button", role: "radio", class: "le-choice", "data-setting": spec.name, ...LAB }), text));
  const group = html("div", { class: spec.axis ? "le-choices le-axis" : "le-choices", role: "radiogroup", "aria-labelledby": id }, ...buttons);
  const chosen = html("span", { class: "le-chosen-name" });
  const box = makeBox(id, written(html("span", { class: "le-label", id }), spec.label), [group], "", buttons, [group]);
  box.head.append(chosen);
  let value = spec.stops[spec.default];

  function set(next) {
    value = next;
    const place = spec.stops.indexOf(next);
    buttons.forEach((button, i) => {
      put(button, "aria-checked", i === place);
      put(button, "tabindex", i === Math.max(0, place) ? 0 : -1);
    });
    setText(chosen, spec.texts[place] ?? "");
  }

  function choose(place) {
    const next = spec.stops[clamp(place, 0, buttons.length - 1)];
    if (next === value || box.root.classList.contains("le-idle")) return;
    set(next);
    changed(spec.name, next);
  }

  buttons.forEach((button, i) => button.addEventListener("click", () => choose(i)));
  group.addEventListener("keydown", (event) => {
    const now = spec.stops.indexOf(value);
    const to = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(to);
    buttons[spec.stops.indexOf(value)].focus();
  });
  set(value);
  return { ...box, set, initial: value };
}

// Two settings that have one value while the chain between them is closed; `closing` moves them to one.
export function makeChain(own, other, controls, { settings }, closing) {
  const icon = svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" }, svg("path", { d: "M7 4l1-1a3 3 0 0 1 5 5l-1 1M9 12l-1 1a3 3 0 0 1-5-5l1-1" }), svg("path", { class: "le-bridge", d: "M6 10l4-4" }));
  const button = html("button", { type: "button", class: "le-chain", title: `Moves with: ${other.label.replace(/_\{?(\w+)\}?/g, "$1")}`, ...LAB }, icon);
  let closed = false;
  const close = (wanted) => put(button, "aria-pressed", (closed = wanted));
  button.addEventListener("click", () => {
    close(!closed);
    if (closed) closing();
  });
  controls[own.name].head.firstChild.after(button);
  close(settings[own.name] === settings[other.name]);
  return {
    // Settings that come from elsewhere close it where they are equal.
    tell: (now, changed) => [own.name, other.name].some((name) => changed.includes(name)) && close(now[own.name] === now[other.name]),
    // What moves with a setting that the reader moves.
    follow(name, value) {
      const partner = { [own.name]: other, [other.name]: own }[name];
      if (!closed || !partner || !(value >= own.low && value <= own.high)) return {};
      controls[partner.name].set(value);
      return { [partner.name]: value };
    },
  };
}

// Places of a free slider's track. Where whole numbers lie on a logarithm, the largest two are one place apart.
function placesOf({ integer, log, low, high }) {
  return integer && log && high > low + 1 ? clamp(Math.ceil(Math.log(high / low) / Math.log(high / (high - 1))), 400, 20000) : 400;
}

// Any value in range, on a track and typed; names have a stop each.
function makeSlider(spec, changed) {
  const FINE = placesOf(spec);
  const id = nextId();
  const free = !spec.texts; // names have no values between them
  const whole = free && spec.integer && !spec.log && spec.high - spec.low <= 2000;
  const low = free ? (whole ? spec.low : 0) : 0;
  const high = free ? (whole ? spec.high : FINE) : spec.stops.length - 1;
  const input = html("input", { type: "range", id, min: low, max: high, step: 1, "data-setting": spec.name, ...LAB });
  const typed = free ? html("input", { type: "number", class: "le-number", step: "any", min: spec.low, max: spec.high, "aria-label": `${spec.label}, exact value${spec.unit ? ` (${spec.unit})` : ""}`, ...LAB }) : null;
  const stops = !free && spec.stops.length > 1 && spec.stops.length <= 16 ? html("div", { class: "le-stops", "aria-hidden": "true" }, ...spec.stops.map(() => html("i"))) : null;
  const output = html("output", { for: id });
  const box = makeBox(id, written(html("label", { for: id }), spec.label), [input, stops], free ? " le-free" : "", [input, typed].filter(Boolean));
  const idle = () => box.root.classList.contains("le-idle");
  let value = spec.stops[spec.default];
  let shown = 0;
  if (free) {
    box.head.append(html("span", { class: "le-typed" }, typed, spec.unit ? html("span", {}, spec.unit) : null));
    // What cannot be taken stays in the field until it is mended.
    const enter = () => {
      const given = typed.value === "" ? NaN : Number(typed.value);
      if (given === value) return;
      if (idle()) return set(value);
      const wanted = spec.integer ? Math.round(given) + 0 : given; // 0 for −0
      if (Number.isFinite(given)) set(wanted);
      else value = given;
      changed(spec.name, wanted, wanted === given || !Number.isFinite(given) ? "" : `${spec.label}: ${given} is rounded to ${wanted}, a whole number.`);
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
    box.head.append(output);
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
    if (idle()) return set(value);
    let place = Number(input.value);
    let next = valueAt(place);
    // On a fine track a key may fall short of the next value of three digits, or whole number.
    const way = free ? Math.sign(place - shown) : 0;
    while (next === value && way && place > low && place < high) next = valueAt((place += way));
    if (next === value) return;
    set(next);
    changed(spec.name, next);
  });
  onScrolled(input, () => value, (pressed) => {
    if (pressed === value) return;
    set(pressed);
    changed(spec.name, pressed);
  });
  if (high === low) input.disabled = true;
  set(value);
  return {
    ...box,
    set,
    idle(reason) {
      box.idle(reason);
      if (typed) typed.readOnly = Boolean(reason);
    },
    initial: spec.stops[spec.default],
  };
}
