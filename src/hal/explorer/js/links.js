// Settings in the page's address: #name:T=1024,lr=0.01;other-name:N=4. Whatever it says, nothing here throws.

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a broken escape: what can be read of it is read, the rest is said to be ignored
  }
}

const partsOf = (hash) => unescaped(hash.slice(1)).split(";").filter(Boolean);

// "T=4,lr" -> [["T", "4"], ["lr", null]]
function pairsOf(list) {
  return list.split(",").filter(Boolean).map((pair) => (pair.includes("=") ? pair.split(/=(.*)/s).slice(0, 2) : [pair, null]));
}

// Name of a figure -> [[setting, text], ...]; the text is null where there is no "=".
function readAddress() {
  const found = new Map();
  for (const part of partsOf(location.hash)) {
    const [, name, list] = part.match(/^([a-z0-9_-]+):(.*)$/s) ?? [];
    if (!name) continue;
    found.set(name, pairsOf(list));
  }
  return found;
}

// Parts of the address that look like settings and belong to no figure of this page.
function strayParts() {
  const ours = new Set(Array.from(document.querySelectorAll("[data-explorer]"), (node) => node.dataset.explorer));
  return partsOf(location.hash).filter((part) => /[:%]/.test(part) && !ours.has(part.split(":")[0]) && !document.getElementById(part));
}

function addressOf(name, settings) {
  const encode = (v) => encodeURIComponent(Array.isArray(v) ? v.join("/") : String(v)).replace(/%20/g, "+").replace(/%2F/g, "/");
  return `${name}:${Object.entries(settings).map(([key, v]) => `${key}=${encode(v)}`).join(",")}`;
}

// Other explorers of the page keep their part; an ordinary #anchor is replaced. A step back in the browser's history
// undoes what `push` wrote. The entry left behind is marked as ours too, so that the way back does not scroll.
function writeAddress(name, settings, push) {
  const parts = partsOf(location.hash).filter((p) => p.includes(":") && !p.startsWith(`${name}:`));
  const hash = `#${[...parts, addressOf(name, settings)].join(";")}`;
  if (hash === location.hash) return;
  const ours = { ...history.state, libExplorers: true };
  if (push) history.replaceState(ours, "");
  history[push ? "pushState" : "replaceState"](ours, "", hash);
}

// The number that a link gives, not a number where it gives none.
const numberGiven = (raw) => (raw === null || raw.trim() === "" || !Number.isFinite(Number(raw)) ? NaN : Number(raw));

const ignored = (pairs) => (pairs.length ? `Ignored in the link: ${pairs.map(([key, text]) => (text === null ? key : `${key}=${text}`)).join(", ")}.` : "");

// Settings of a recorded figure: the nearest stop for a number, and a remark where it is another number.
function settingsFrom(spec, given) {
  const settings = {};
  const more = {};
  const remarks = [];
  const odd = [];
  for (const [key, raw] of given) {
    const control = spec.controls.find((c) => c.name === key);
    if (!control && key === "t" && spec.time && numberGiven(raw) >= 0) {
      more.t = Number(raw);
      continue;
    }
    if (!control && key === "log" && isSwitches(spec, raw)) {
      more.log = raw.split("/");
      continue;
    }
    const text = raw?.replace(/\+/g, " ") ?? "";
    let stop = control?.stops.find((v) => String(v) === text);
    if (control && stop === undefined && control.numeric && text.trim() !== "" && Number.isFinite(Number(text))) {
      const bend = control.log && Number(text) > 0 ? Math.log : (v) => v;
      const far = control.stops.map((v) => Math.abs(bend(v) - bend(Number(text))));
      stop = control.stops[far.indexOf(Math.min(...far))];
      if (stop !== Number(text)) remarks.push(`The link asks for ${control.name} = ${number(Number(text))}; this page has ${number(stop)}, the live notebook any value.`);
    }
    if (stop === undefined) odd.push([key, raw]);
    else settings[key] = stop;
  }
  return { settings, ...more, remark: [...remarks, ignored(odd)].filter(Boolean).join(" ") };
}

const isSwitches = (spec, raw) => (raw ?? "").split("/").every((one) => /^\d+[xy]$/.test(one) && spec.panels?.[parseInt(one, 10)]?.[`${one.at(-1)}switch`]);

// Settings of a figure that computes: any value in range; besides them v (version), seed, t (time), log (switches that
// are turned, 0y/2x: panel and side) and tour (a step).
function anySettingsFrom(spec, given) {
  const settings = {};
  const more = {};
  const odd = [];
  const remarks = [];
  for (const [key, raw] of given) {
    const value = numberGiven(raw);
    const control = spec.controls.find((c) => c.name === key);
    const weights = control?.weights && raw?.split("/").map(Number);
    if (weights?.every((v) => v >= 0) && Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-4) settings[key] = weights;
    else if (control && value >= control.low && value <= control.high && (!control.integer || Number.isInteger(value))) settings[key] = value;
    else if (key === "seed" && Number.isInteger(value) && value >= 0 && value <= 1e9) more.seed = value;
    else if (key === "t" && Number.isFinite(value)) more.t = value;
    else if (key === "log" && isSwitches(spec, raw)) more.log = raw.split("/");
    else if (key === "tour" && Number.isInteger(value) && value >= 1 && value <= (spec.tour?.length ?? 0)) more.tour = value;
    else if (key !== "v" || !Number.isInteger(value)) odd.push([key, raw]);
    else if (value > spec.computes.version) remarks.push("The link was made by a newer version of this figure.");
  }
  return { settings, ...more, remark: [...remarks, ignored(odd)].filter(Boolean).join(" ") };
}
