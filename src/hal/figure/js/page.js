// The static host: figures come alive when they near the viewport; their programs are one script file a page.

import { makeComputing } from "./computing.js";
import { addressOf, frameOf, ignored, listenToPhrases, makePhrases, readAddress, settingsFrom, strayParts, unfold, writeAddress } from "./links.js";
import { dress } from "./tools.js";
import { makeProgram } from "./trainer.js";
import { createView } from "./view.js";

const BASE = document.currentScript?.src.replace(/[^/]*$/, "") ?? "";
const scripts = new Map();
let kit = null; // what such parts are made from
const made = {};

// A script, since `fetch` does not read files next to a page opened from disk.
function loadScript(file) {
  if (scripts.has(file)) return scripts.get(file);
  const loaded = new Promise((resolve, reject) => {
    const script = dress(document.createElement("script"), { src: `${BASE}explorers/${file}.js`, async: true }, []);
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${file}.js did not load`));
    document.head.append(script);
  });
  scripts.set(file, loaded);
  return loaded;
}

// Figures of a page share one script with the modules of all.
async function fetchProgram(root, modules) {
  const lacking = modules.some(([, key]) => !globalThis.libPortable?.[key]);
  if (lacking) await loadScript(root.dataset.programs);
  return makeProgram(modules.map(([name, key]) => [name, globalThis.libPortable[key]]));
}

// What came with the programs, for some figures only; made once a page.
const apartFor = (spec) => Object.fromEntries(Object.entries(spec.parts ?? {}).map(([kind, key]) => [kind, (made[key] ??= globalThis.libPortable[key](kit))]));

// The editor of a figure's model: it and the texts of the model come on the first click.
async function openChange(root, host, module, link) {
  const { editor, model, rest } = root.dataset;
  await Promise.all([loadScript(editor), loadScript(model)]);
  const { change, translator } = globalThis.libPortable;
  root.explorerChange ??= change(kit)(root, host, { translator, fields: Object.keys(host.given()), ...globalThis.libPortable[model], rest: () => loadScript(rest).then(() => globalThis.libPortable[rest]) });
  return root.explorerChange.open(module, link);
}

async function awaken(root) {
  const spec = JSON.parse(root.querySelector("script.le-spec").textContent);
  const program = await fetchProgram(root, spec.computes.program);
  const host = { parts: apartFor(spec) };
  const computing = makeComputing(root, spec, program, host);
  host.edit = root.dataset.editor && ((module, link) => openChange(root, host, module, link));
  if (host.edit) host.tools["Change the model"] = () => host.edit();
  root.explorerEdit = host.edit;
  // Settings and seed, those of the picture where others are refused, and what of the rest is not as it was at first.
  function address() {
    const { refused, drawn, tour } = host.view;
    const { settings, seed } = refused ? drawn : { settings: host.view.settings, seed: host.seed() };
    const rest = { seed: seed || null, run: host.run() || null, log: host.view.turned().join("/") || null, t: host.view.atHome() ? null : host.view.now(), tour: tour?.place() || null };
    return { v: spec.computes.version, ...settings, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)) };
  }
  let writing = 0;
  let pushing = false;
  let written = {};
  let moved = ""; // what the last entry of the history has moved: the same control goes on in it
  let last = null; // what the address said, where the reader has moved nothing since
  // Browsers refuse a page that writes its address at every step of a drag (Safari: 100 times in 30 s).
  function write(push) {
    clearTimeout(writing);
    last = null;
    pushing ||= push;
    writing = setTimeout(() => {
      const now = address();
      const names = Object.keys({ ...written, ...now }).filter((name) => String(now[name]) !== String(written[name])).join();
      writeAddress(spec.name, now, pushing && names !== moved);
      [written, moved, pushing] = [now, pushing ? names : moved, false];
      last = JSON.stringify(fromAddress());
    }, 150);
  }
  host.touched = () => write(true);
  host.timeMoved = () => write(false);
  host.link = () => `${location.href.replace(/#.*$/, "")}#${addressOf(spec.name, address())}`;
  // Built pages have a page for each figure; a frame of another site shows it, as it stands here.
  if (root.dataset.programs) host.embed = () => frameOf(spec, new URL(`../embed/${spec.name}.html#${addressOf(spec.name, address())}`, BASE), root);
  root.classList.add("le-awake");
  const view = createView(root, spec, host);
  host.view = view;
  computing.attach(view);
  function fromAddress() {
    const asked = settingsFrom(spec, readAddress().get(spec.name) ?? []);
    // One figure speaks for what no figure is asked by.
    const stray = document.querySelector("[data-explorer]") === root ? ignored(strayParts().map((part) => [part, null])) : "";
    return { ...asked, remark: [asked.remark, stray].filter(Boolean).join(" ") };
  }
  // What a link asks for. A step of the tour sets the figure where the link has no settings of its own.
  function take(asked) {
    computing.setSeed(asked.seed ?? 0, asked.run);
    host.remark(asked.remark);
    if (!asked.tour) view.tour?.close();
    if (asked.tour || asked.t !== undefined || Object.keys(asked.settings).length) view.tell();
    view.turn(asked.log ?? []);
    view.set({ ...view.defaults(), ...asked.settings }, false, asked.t ?? "home");
    host.request(view.settings);
    // Of a first link that is refused: the default picture, which then stays as the last good one.
    if (view.refused && !view.drawn && Object.keys(asked.settings).length) return [{ settings: {} }, asked].forEach(take);
    if (asked.tour && !view.tour.root.hidden) view.tour.go(asked.tour - 1, Object.keys(asked.settings).length === 0);
  }
  function follow(jump) {
    const asked = fromAddress();
    if (last !== JSON.stringify(asked)) {
      last = JSON.stringify(asked);
      clearTimeout(writing);
      take(asked);
      [written, moved] = [address(), ""];
    }
    if (!readAddress().has(spec.name)) return;
    unfold(root);
    if (jump) root.scrollIntoView({ block: "start" });
  }
  follow(readAddress().keys().next().value === spec.name);
  let carried = "";
  function bring() {
    const [, code] = readAddress().get("change")?.find(([name]) => name === spec.name) ?? [];
    if (code && code !== carried) host.edit?.("", code);
    carried = code;
  }
  bring();
  root.explorerPhrase = makePhrases(root, view, {
    set(given) {
      take(settingsFrom(spec, given));
      host.touched();
    },
    state: () => Object.entries(address()).map(([name, value]) => [name, String(value)]),
  });
  // A link goes to its figure; a step back or forward among our own entries leaves the page where it is.
  addEventListener("popstate", ({ state }) => {
    if (state?.libExplorers || readAddress().has(spec.name) || strayParts().length) follow(!state?.libExplorers);
    bring();
  });
}

const nearing = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      nearing.unobserve(target);
      wake(target);
    }
  },
  { rootMargin: "900px" },
);

// A figure wakes once; one that cannot stays the still picture it is.
function wake(root) {
  root.explorerAwake ??= awaken(root).catch((error) => {
    root.classList.remove("le-awake");
    root.querySelector(".le-ui")?.remove();
    console.error(`explorer ${root.dataset.explorer}: ${error.message}`);
  });
  return root.explorerAwake;
}

function enqueue(root) {
  nearing.observe(root);
  const asked = readAddress();
  if (asked.has(root.dataset.explorer) || asked.get("change")?.some(([name]) => name === root.dataset.explorer)) wake(root);
}

// "Change it" beside a printed model opens the editor of the first figure that trains it.
function listenToChanges() {
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.(".le-change-open");
    const root = button && [...document.querySelectorAll("[data-trains]")].find((one) => one.dataset.trains.split(" ").includes(button.dataset.module));
    if (!root) return;
    await wake(root);
    await root.explorerEdit?.(button.dataset.module);
    root.scrollIntoView({ block: "start" });
  });
}

// Wake what is on the page and what is still to be parsed. Parts that come apart are made from these `tools`.
export function start(tools) {
  kit = tools;
  (globalThis.libExplorers ?? []).forEach(enqueue);
  globalThis.libExplorers = { push: enqueue };
  addEventListener("popstate", () => document.querySelectorAll("[data-explorer]").forEach(enqueue));
  listenToPhrases(wake);
  listenToChanges();
}
