// The figure: sliders, reading, panels, time bar and tools; the same in both hosts.
// A host has `live` (false: stops; true: any value; "exact": any value, whole numbers one by one), `request(settings)`,
// which ends in a call of `show` or `refuse`, and optionally `link()`, `code()`, `tools` {text: action}, `state()`,
// `touched()`, `timeMoved()`, and `hidden` where something else has the sliders.

const MAKERS = { lines: makeLines, bars: makeBars, heatmap: makeHeatmap, plane: makePlane, cloud: makeCloud };

function sameSettings(a, b) {
  return Object.keys(a).every((name) => String(a[name]) === String(b[name]));
}

// The Python that gives the numbers on the screen.
function pythonCode(spec, settings) {
  const literal = (control, v) => {
    if (typeof v === "boolean") return v ? "True" : "False";
    if (v === null) return "None";
    if (typeof v === "string") return JSON.stringify(v);
    return !control.integer && Number.isInteger(v) ? `${v}.0` : String(v);
  };
  const { module, name, fixed } = spec.python;
  const given = [...spec.controls.map((c) => `${c.name}=${literal(c, settings[c.name])}`), ...Object.entries(fixed).map(([k, v]) => `${k}=${v}`)];
  const first = module === "__main__" ? "# after the cells of this notebook that define it\n" : `from ${module} import ${name.split(".")[0]}\n\n`;
  return `${first}data = ${name}(${given.join(", ")})\n`;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No clipboard on this page (an insecure address, an old browser): the older way.
    const area = html("textarea", { class: "le-hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function createView(root, spec, host) {
  const view = { spec, settings: {}, drawn: null, cursor: 0, frames: 1 };
  let asked = 0;
  view.now = () => view.drawn?.arrays.time?.data[view.cursor] ?? 0;
  view.fraction = () => (view.frames > 1 ? view.cursor / (view.frames - 1) : 1);

  const reading = html("p", { class: "le-reading", role: "status" });
  const notice = html("p", { class: "le-notice", role: "alert", hidden: true });
  const code = html("pre", { class: "le-code", hidden: true, tabindex: 0 });
  const controls = Object.fromEntries(spec.controls.map((c) => [c.name, c.hidden ? makeHidden(c) : makeControl(c, host.live, moved)]));
  for (const [name, control] of Object.entries(controls)) view.settings[name] = control.initial;
  const panels = spec.panels.map((p) => MAKERS[p.kind](p, view));
  const tables = makeTables(panels);
  const time = spec.time ? makeTimeBar(spec.time, view) : null;
  const tool = (text, action, more) => {
    const button = html("button", { type: "button", class: "le-tool", ...more }, text);
    button.addEventListener("click", () => action(button));
    return button;
  };
  const say = (button, text) => {
    const before = (button.dataset.text ??= button.textContent);
    button.textContent = text;
    clearTimeout(button.timer);
    button.timer = setTimeout(() => (button.textContent = before), 1600);
  };
  const showTable = (button) => button.setAttribute("aria-expanded", tables.toggle());
  const showCode = (button) => {
    code.hidden = false;
    copyText(code.textContent).then(() => say(button, "Copied"));
  };
  const reset = () => {
    host.reseed?.(0);
    view.set(view.defaults());
  };
  const tools = html("div", { class: "le-tools" }, tool("Reset", reset, { "data-tool": "reset" }));
  for (const [text, action] of Object.entries(host.tools ?? {})) tools.append(tool(text, action, { "data-tool": text.toLowerCase().replaceAll(" ", "-") }));
  if (host.link) tools.append(tool("Copy link", (b) => copyText(host.link()).then(() => say(b, "Copied")), { "data-tool": "link" }));
  tools.append(tool("Copy Python", showCode, { "data-tool": "python" }), tool("Data table", showTable, { "data-tool": "table", "aria-expanded": "false" }));
  const title = written(html("div", { class: "le-title" }), spec.title);
  const grid = html("div", { class: "le-panels", style: spec.columns ? `--columns:${spec.columns}` : null, "data-columns": spec.columns }, ...panels.map((p) => p.frame.root));
  const sliders = html("div", { class: "le-controls" }, ...Object.values(controls).map((c) => c.root));
  const count = html("span", { class: "le-count", hidden: true });
  time?.root.append(count);
  const body = html("div", { class: "le-body" }, host.hidden ? null : sliders, reading, notice, grid, time?.root, tools, code, tables.root);
  const ui = html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, title, body);
  if (spec.caption) ui.append(written(html("p", { class: "le-caption" }), spec.caption));
  root.append(ui);
  root.setAttribute("aria-busy", "true");

  view.defaults = () => Object.fromEntries(Object.entries(controls).map(([name, c]) => [name, c.initial]));

  // A slider moved: ask the host at once, then at most once a frame, always for the newest settings.
  function moved(name, value) {
    view.settings = { ...view.settings, [name]: value };
    host.touched?.(view.settings);
    ask();
  }

  function ask() {
    root.setAttribute("aria-busy", "true");
    if (asked) return;
    const settings = view.settings;
    asked = requestAnimationFrame(() => {
      asked = 0;
      if (view.settings !== settings) ask();
    });
    host.request(settings);
  }

  // Settings from code, the address or another view of the same widget.
  view.set = (settings, request = true) => {
    for (const [name, value] of Object.entries(settings)) controls[name]?.set(value);
    view.settings = { ...view.settings, ...settings };
    if (request) {
      host.touched?.(view.settings);
      ask();
    }
  };

  const writeCode = () => (code.textContent = host.code ? host.code() : pythonCode(spec, view.settings));

  // Settings that the run refuses are said beside their slider; the last good picture stays.
  view.refuse = (name, reason) => {
    for (const [key, control] of Object.entries(controls)) control.refuse(key === name ? reason : null);
    view.refused = reason;
    if (!(name in controls)) {
      notice.hidden = false;
      notice.textContent = reason;
    }
    root.setAttribute("aria-busy", "false");
  };

  view.show = (drawn) => {
    const failed = Boolean(drawn.error);
    if (view.refused && sameSettings(view.settings, drawn.settings)) {
      view.refused = "";
      for (const control of Object.values(controls)) control.refuse(null);
    }
    notice.hidden = !(drawn.error || drawn.notice || drawn.remark);
    notice.textContent = drawn.error || [drawn.remark, drawn.notice].filter(Boolean).join(" ");
    notice.classList.toggle("le-error", failed);
    grid.classList.toggle("le-stale", failed);
    reading.hidden = failed;
    if (failed) {
      view.failed = drawn;
    } else {
      view.failed = null;
      const share = view.drawn ? view.fraction() : (spec.time?.start ?? 1);
      view.drawn = drawn;
      view.frames = drawn.arrays.time?.data.length ?? 1;
      view.cursor = Math.round(share * (view.frames - 1));
      panels.forEach((panel, i) => panel.draw(drawn.arrays, i));
      if (view.said !== drawn.reading) written(reading, (view.said = drawn.reading));
      count.hidden = !drawn.count;
      count.textContent = drawn.count ?? "";
      reading.setAttribute("aria-busy", Boolean(drawn.computing));
      time?.show();
      tables.refresh();
    }
    writeCode();
    if (sameSettings(view.settings, drawn.settings)) root.setAttribute("aria-busy", "false");
  };

  view.moveTo = (place, playing = false) => {
    if (!playing) time?.stop();
    view.cursor = clamp(place, 0, view.frames - 1);
    panels.forEach((panel) => panel.cursor());
    time?.show();
    tables.refresh();
    if (!playing) host.timeMoved?.();
  };

  // The record nearest to a time; after the last one it is the last.
  view.moveToTime = (when) => {
    const times = view.drawn?.arrays.time?.data;
    if (times) view.moveTo(nearest(times, when), true);
  };

  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const panel = panels.find((p) => p.frame.plot === target);
      const [width, height] = [Math.floor(contentRect.width), Math.floor(contentRect.height)];
      if (!width || (panel.frame.width === width && panel.frame.height === height)) continue;
      Object.assign(panel.frame, { width, height });
      panel.paint();
    }
  });
  panels.forEach((p) => {
    // Measured at once, so that the first frame is drawn with the first data.
    p.frame.width = Math.floor(p.frame.plot.getBoundingClientRect().width);
    sizes.observe(p.frame.plot);
  });
  const unwatch = watchTheme(() => panels.forEach((p) => p.theme?.()));

  // What tests compare with the library: settings and the numbers that are drawn.
  root.explorerState = () => ({
    settings: { ...view.settings },
    busy: root.getAttribute("aria-busy") === "true",
    drawn: view.drawn && { ...view.drawn.settings },
    reading: view.drawn?.reading,
    error: view.failed?.error || view.refused || "",
    notice: notice.hidden ? "" : notice.textContent,
    cursor: view.cursor,
    ...host.state?.(),
    arrays: Object.fromEntries(Object.entries(view.drawn?.arrays ?? {}).map(([k, a]) => [k, { shape: [...a.shape], data: Array.from(a.data, (v) => (Number.isFinite(v) ? v : null)) }])),
  });
  view.dispose = () => {
    time?.stop();
    sizes.disconnect();
    unwatch();
  };
  return view;
}
