// Links that set a figure: the page's address, #name:T=1024,lr=0.01;other-name:N=4, and phrases of the text. Whatever a link
// says, nothing here throws.

import { escaped, shortened, toolButton } from "./tools.js";

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
export function readAddress() {
  const found = new Map();
  for (const part of partsOf(location.hash)) {
    const [, name, list] = part.match(/^([a-z0-9_-]+):(.*)$/s) ?? [];
    if (!name) continue;
    found.set(name, pairsOf(list));
  }
  return found;
}

// Parts of the address that look like settings and belong to no figure of this page.
export function strayParts() {
  const ours = new Set(["change", ...Array.from(document.querySelectorAll("[data-explorer]"), (node) => node.dataset.explorer)]);
  return partsOf(location.hash).filter((part) => /[:%]/.test(part) && !ours.has(part.split(":")[0]) && !document.getElementById(part));
}

export function addressOf(name, settings) {
  const encode = (v) => encodeURIComponent(Array.isArray(v) ? v.join("/") : String(v)).replace(/%20/g, "+").replace(/%2F/g, "/");
  return `${name}:${Object.entries(settings).map(([key, v]) => `${key}=${encode(v)}`).join(",")}`;
}

// The markup that shows a figure on another site, as high as the figure is, where that is known; on a narrow page it is as
// wide as its place, and scrolls where it is taller than the frame.
// In a wide window the figure is measured as its frame has it, see `.le-framed`, and is as before when it is drawn again.
// Of the frame's page 44 pixels are above and below it: edges, and the line that says where it is from.
export function frameOf({ title, small }, address, root) {
  root.classList.toggle("le-framed");
  const own = innerWidth > 1066 && root.offsetHeight + 44;
  root.classList.toggle("le-framed");
  const [width, height] = small ? [800, own || 470] : [1090, own || 800];
  const said = escaped(title.replace(/_\{?(\w+)\}?/g, "$1"));
  return `<iframe src="${escaped(address.href)}" title="${said}" width="${width}" height="${height}" style="max-width: 100%; border: 0" loading="lazy" allow="clipboard-write"></iframe>`;
}

// Other explorers of the page keep their part; an ordinary #anchor is replaced. A step back in the browser's history
// undoes what `push` wrote. The entry left behind is marked as ours too, so that the way back does not scroll.
export function writeAddress(name, settings, push) {
  const parts = partsOf(location.hash).filter((p) => p.includes(":") && !p.startsWith(`${name}:`));
  const hash = `#${[...parts, addressOf(name, settings)].join(";")}`;
  if (hash === location.hash) return;
  const ours = { ...history.state, libExplorers: true };
  try {
    if (push) history.replaceState(ours, "");
    history[push ? "pushState" : "replaceState"](ours, "", hash);
  } catch {
    // A browser may keep its history from a frame without an origin: the address stays, "Copy link" has it.
  }
}

// The number that a link gives, not a number where it gives none; `hal/site/phrases.py` reads the same.
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const numberGiven = (raw) => (DECIMAL.test(raw ?? "") && Number.isFinite(Number(raw)) ? Number(raw) : NaN);

const MOST_SAID = 8;

export function ignored(pairs) {
  if (!pairs.length) return "";
  const said = pairs.slice(0, MOST_SAID).map((pair) => pair.filter((text) => text !== null).map(shortened).join("="));
  const more = pairs.length - said.length;
  return `Ignored in the link: ${said.join(", ")}${more ? ` and ${more} more` : ""}.`;
}

const isSwitches = (spec, raw) => (raw ?? "").split("/").every((one) => /^\d+[xy]$/.test(one) && spec.panels?.[parseInt(one, 10)]?.[`${one.at(-1)}switch`]);

// Settings in a link, any value in range; besides them v (version), seed, run (one to show), t (time), log (switches that are turned, 0y/2x:
// panel and side) and tour (a step).
export function settingsFrom(spec, given) {
  const settings = {};
  const more = {};
  const odd = [];
  const remarks = [];
  for (const [key, raw] of given) {
    const value = numberGiven(raw);
    const control = spec.controls.find((c) => c.name === key);
    const weights = control?.weights && raw?.split("/").map(numberGiven);
    if (weights?.every((v) => v >= 0) && Math.abs(weights.reduce((a, b) => a + b) - 1) <= 1e-4) settings[key] = weights;
    else if (control && value >= control.low && value <= control.high && (!control.integer || Number.isInteger(value))) settings[key] = value;
    else if (key === "seed" && Number.isInteger(value) && value >= 0 && value <= 1e9) more.seed = value;
    else if (key === "run" && Number.isInteger(value) && value >= 1 && value <= spec.computes.runs) more.run = value;
    else if (key === "t" && value >= 0 && value <= 1e15) more.t = value;
    else if (key === "log" && isSwitches(spec, raw)) more.log = raw.split("/");
    else if (key === "tour" && Number.isInteger(value) && value >= 1 && value <= (spec.tour?.length ?? 0)) more.tour = value;
    else if (key !== "v" || !Number.isInteger(value)) odd.push([key, raw]);
    else if (value > spec.computes.version) remarks.push("The link was made by a newer version of this figure.");
  }
  return { settings, ...more, remark: [...remarks, ignored(odd)].filter(Boolean).join(" ") };
}

// Prose that moves: a phrase of the text is a link that sets a figure, goes to it, and leaves a way back.

// [[setting, text], ...] of a link like #scb-run:Q=4,c=0.5, and the name of its figure.
export function readPhrase(hash) {
  const [, name, list] = unescaped(hash.slice(1)).match(/^([a-z0-9_-]+):(.*)$/s) ?? [];
  return name ? { name, given: pairsOf(list) } : null;
}

// How a figure follows a phrase and goes back; `set(pairs)` sets it, `state()` gives the pairs that set it as it is.
export function makePhrases(root, view, { set, state }) {
  let before = null; // where the reader was, and how the figure stood
  const goBack = () => {
    const { phrase, pairs } = before;
    before = null;
    button.remove();
    set(pairs);
    phrase.scrollIntoView({ block: "center" });
    phrase.focus({ preventScroll: true });
  };
  const button = toolButton("Back to the text", goBack, { "data-tool": "return" });
  return (phrase, given) => {
    // From phrase to phrase the way back leads to the last, and to the figure as it was before the first.
    before = { phrase, pairs: before?.pairs ?? state() };
    set(given);
    view.top.append(button);
    root.scrollIntoView({ block: "start" });
    button.focus({ preventScroll: true });
  };
}

// Opens the folds that an element lies in.
export function unfold(root) {
  for (let box = root; (box = box.parentElement?.closest("details")); ) box.open = true;
}

export function listenToPhrases(wake) {
  document.addEventListener("click", async (event) => {
    const phrase = event.target.closest?.("a.explorer-phrase");
    if (!phrase || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const { name, given } = readPhrase(phrase.hash) ?? {};
    const root = name && document.querySelector(`[data-explorer="${name}"]`);
    if (!root) return;
    event.preventDefault();
    unfold(root);
    await wake(root);
    root.explorerPhrase?.(phrase, given);
  });
}
