// A figure in a notebook: ipywidgets sliders set the settings, the browser computes and draws. A reader's run
// that the browser cannot have runs in the kernel; what the fast library found is drawn over the figure's own runs.

import { bandOf, rowsOf } from "./binding.js";
import { makeComputing } from "./computing.js";
import { sameSettings } from "./controls.js";
import { readPhrase, settingsFrom } from "./links.js";
import { number } from "./numbers.js";
import { html, written } from "./tools.js";
import { unpacked } from "./trainer.js";
import { createView } from "./view.js";

export function renderFigure({ model, el }, program, apart) {
  const root = html("div", { class: "lib-explorer" });
  const word = html("p", { class: "le-caption le-aside", "aria-live": "polite", hidden: true });
  el.append(root);
  let made = null;

  let said = "";
  function say(text) {
    if (text === said) return;
    said = text;
    word.hidden = !text;
    written(word, text);
  }

  // The figure, anew where its panels change.
  function build() {
    root.style.minHeight = `${root.offsetHeight}px`; // it keeps its height while it is made anew
    made?.dispose();
    root.replaceChildren(word);
    const spec = model.get("spec");
    root.dataset.explorer = spec.name;
    if (spec.small) root.dataset.small = "";
    const why = model.get("in_kernel");
    let overdue = false;
    const host = { hidden: true, parts: apart };
    if (why) {
      host.engine = (arrived) => makeKernelEngine(model, arrived, (late) => {
        overdue = late;
        if (late) host.shown(null);
      });
    }

    const compared = () => (model.get("compared").bands ? model.get("compared") : null);
    const bands = () => Object.fromEntries(Object.entries(compared().bands).map(([name, band]) => [name, unpacked(band)]));
    // Curves of the fast library stand for the settings that it ran at; elsewhere they are empty.
    host.over = (theory, settings) => {
      if (!compared()) return;
      const here = sameSettings(settings, compared().settings);
      const length = theory[spec.time.key].length;
      for (const [name, band] of Object.entries(bands())) {
        for (const [part, values] of [["", band.middle], [".low", band.low], [".high", band.high]]) {
          const curve = new Float64Array(length).fill(NaN);
          if (here) curve.set(values.subarray(0, length));
          theory[`fast.${name}${part}`] = curve;
        }
      }
    };
    const labelOf = (name) => {
      for (const { sources, series = [] } of spec.panels) {
        const role = Object.entries(sources).find(([key, source]) => source === name && /^y\d+$/.test(key))?.[0];
        const label = role && series[role.slice(1)]?.label;
        if (label) return label;
      }
      return name;
    };
    function comparison(now) {
      if (!compared() || !now || !sameSettings(now.settings, compared().settings)) return "";
      const runs = now.runs.filter((one) => one.finished && !one.lost);
      if (runs.length < 3) return "";
      const { runs: many, seconds } = compared();
      const parts = mediansApart(bands(), runs).map(([name, most, width]) => `${labelOf(name)} at most ${number(most, 2)} (there the runs spread over ${number(width, 2)})`);
      return `Fast library: ${many} runs in ${number(seconds, 2)} s. The medians lie apart: ${parts.join("; ")}.`;
    }
    host.shown = (now) => {
      const busy = now && now.runs.filter((one) => one.finished).length < spec.computes.runs;
      const kernel = why && `This run stays in the kernel: ${why}. ${overdue ? "The kernel is still computing, or is gone." : busy ? "It is busy." : ""}`.trim();
      say([kernel, comparison(now)].filter(Boolean).join(" "));
    };

    const computing = makeComputing(root, spec, program, host);
    host.touched = (settings) => {
      if (sameSettings(settings, model.get("settings"))) return;
      model.set("settings", { ...settings });
      model.save_changes();
    };
    host.fitted = host.touched;
    host.seeded = (seed) => {
      model.set("seed", seed);
      model.save_changes();
    };
    const view = createView(root, spec, host);
    computing.attach(view);
    made = {
      spec,
      take({ settings, seed = 0, run, t, tour, remark }) {
        computing.setSeed(seed, run);
        host.seeded(seed);
        host.remark(remark);
        if (!tour) view.tour?.close();
        view.set({ ...view.defaults(), ...settings }, true, t ?? "home");
        if (tour) view.tour?.go(tour - 1, Object.keys(settings).length === 0);
      },
      move() {
        if (!sameSettings(view.settings, model.get("settings"))) view.tell();
        computing.setSeed(model.get("seed"), host.run());
        view.set(model.get("settings"), false);
        host.request(view.settings);
      },
      dispose() {
        computing.dispose();
        view.dispose();
      },
    };
    moved();
    requestAnimationFrame(() => requestAnimationFrame(() => (root.style.minHeight = "")));
  }

  // A phrase of the notebook's text sets the figure, as in the book: what it leaves out stands at its default.
  function follow(event) {
    const link = event.composedPath().find((node) => node.localName === "a");
    const { name, given } = readPhrase(link?.hash ?? "") ?? {};
    const { spec } = made ?? {};
    if (!spec || name !== spec.name || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    made.take(settingsFrom(spec, given));
    root.scrollIntoView({ block: "nearest" });
  }
  document.addEventListener("click", follow, true);

  const moved = () => made.move();
  const heard = { "change:settings": moved, "change:seed": moved, "change:compared": moved, "change:spec": build };
  for (const [event, action] of Object.entries(heard)) model.on(event, action);
  build();
  return () => {
    for (const [event, action] of Object.entries(heard)) model.off(event, action);
    document.removeEventListener("click", follow, true);
    made.dispose();
  };
}

// Settings as a message carries them.
const settingsAsSent = (settings) => Object.fromEntries(Object.entries(settings).map(([name, v]) => [name, ArrayBuffer.isView(v) ? Array.from(v) : v]));

// The trainer of a figure whose run is in the kernel: it asks for one slice after the other, and for no other before
// the answer is there. `slow` hears whether an answer is overdue.
function makeKernelEngine(model, arrived, slow) {
  let current = null;
  let flying = false;
  let resting = false;
  let timer = 0;
  function go() {
    if (flying || resting || !current) return;
    flying = true;
    timer = setTimeout(() => slow(true), 8000);
    model.send({ job: { ...current, settings: settingsAsSent(current.settings) } });
  }
  function answered(message) {
    flying = false;
    clearTimeout(timer);
    slow(false);
    if (current && message.job === current.id) {
      if (message.error || (message.finished && message.run + 1 >= current.runs)) current = null;
      else if (message.finished) current = { ...current, run: message.run + 1 };
      arrived(message.error ? message : { ...message, readings: unpacked(message.readings) });
    }
    go();
  }
  model.on("msg:custom", answered);
  return {
    start(job) {
      current = job;
      go();
    },
    stop() {
      current = null;
    },
    rest(wanted) {
      resting = wanted;
      go();
    },
    place: () => "kernel",
    dispose() {
      current = null;
      clearTimeout(timer);
      model.off("msg:custom", answered);
    },
  };
}

// How far the medians of the figure's finished runs lie from those of the fast library: [name, distance, width of the
// figure's own band at that place].
function mediansApart(bands, runs) {
  return Object.entries(bands).map(([name, { middle }]) => {
    const [low, own, high] = bandOf(rowsOf(runs, name, middle.length), middle.length);
    let [most, width] = [-1, NaN];
    for (let i = 0; i < middle.length; i++) {
      const distance = Math.abs(own.data[i] - middle[i]);
      if (distance > most) [most, width] = [distance, high.data[i] - low.data[i]];
    }
    return [name, most, width];
  });
}
