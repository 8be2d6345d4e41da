// A computing figure in a notebook: ipywidgets sliders set the settings, the browser computes and draws. A reader's run
// that the browser cannot have runs in the kernel; what the fast library found is drawn over the figure's own runs.

function render({ model, el }) {
  const root = html("div", { class: "lib-explorer le-live le-computes" });
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
    made?.dispose();
    root.replaceChildren(word);
    const spec = model.get("spec");
    root.dataset.explorer = spec.name;
    const why = model.get("in_kernel");
    let overdue = false;
    const host = { hidden: true };
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

    const computing = makeComputing(root, spec, PROGRAM, host);
    host.touched = (settings) => {
      if (sameSettings(settings, model.get("settings"))) return;
      model.set("settings", { ...settings });
      model.save_changes();
    };
    host.seeded = (seed) => {
      model.set("seed", seed);
      model.save_changes();
    };
    const view = createView(root, spec, host);
    computing.attach(view);
    made = {
      move() {
        computing.setSeed(model.get("seed"));
        view.set(model.get("settings"), false);
        host.request(view.settings);
      },
      dispose() {
        computing.dispose();
        view.dispose();
      },
    };
    moved();
  }

  const moved = () => made.move();
  const heard = { "change:settings": moved, "change:seed": moved, "change:compared": moved, "change:spec": build };
  for (const [event, action] of Object.entries(heard)) model.on(event, action);
  build();
  return () => {
    for (const [event, action] of Object.entries(heard)) model.off(event, action);
    made.dispose();
  };
}

export default { render };
