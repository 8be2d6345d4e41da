// Sliders: stops of a recorded grid, or any value in range in a live kernel and in a page that computes.

let controlCount = 0;

// Places of a free slider's track. Where whole numbers lie on a logarithm, the largest two are one place apart.
function placesOf({ integer, log, low, high }) {
  return integer && log && high > low + 1 ? clamp(Math.ceil(Math.log(high / low) / Math.log(high / (high - 1))), 400, 20000) : 400;
}

function makeControl(spec, live, changed) {
  const FINE = live === "exact" ? placesOf(spec) : 400;
  const id = `le-${++controlCount}-${Math.random().toString(36).slice(2, 8)}`;
  // Names have no values between the stops, so live sliders of names move over stops too.
  const free = live && spec.numeric && !spec.texts;
  const whole = free && spec.integer && !spec.log && spec.high - spec.low <= 2000;
  const low = free ? (whole ? spec.low : 0) : 0;
  const high = free ? (whole ? spec.high : FINE) : spec.stops.length - 1;
  const input = html("input", { type: "range", id, min: low, max: high, step: 1, "data-setting": spec.name, "data-lm-suppress-shortcuts": "true" });
  const label = written(html("label", { for: id }), spec.label);
  const output = html("output", { for: id });
  const refused = live === "exact" ? html("p", { class: "le-refused", id: `${id}-refused`, role: "alert", hidden: true }) : null;
  const box = html("div", { class: `le-control${free ? " le-free" : ""}` }, html("div", { class: "le-control-head" }, label));
  const head = box.firstChild;
  let value = spec.stops[spec.default];
  let typed = null;
  let shown = 0;
  if (free) {
    typed = html("input", { type: "number", class: "le-number", step: "any", min: spec.low, max: spec.high, "aria-label": `${spec.label}, exact value${spec.unit ? ` (${spec.unit})` : ""}`, "data-lm-suppress-shortcuts": "true" });
    head.append(html("span", { class: "le-typed" }, typed, spec.unit ? html("span", {}, spec.unit) : null));
    const enter = () => {
      const wanted = Number(typed.value);
      if (wanted === value) return;
      if (typed.value === "" || !Number.isFinite(wanted)) return set(value);
      set(wanted);
      changed(spec.name, wanted);
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
  box.append(input, ...(refused ? [refused] : []));
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
    if (!refused) return;
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
  return { root: box, input, set, text, refuse, initial: spec.stops[spec.default] };
}
