// The figure: sliders, what it says, panels, time bar and tools; the same in all hosts.
// A host has `request(settings)`, which ends in a call of `show` or `refuse`, `code()`, `tools` {text: action}, `state()`,
// `seed()`, `reseed(seed)`, and optionally `link()`, `touched()`, `timeMoved()`, and `hidden` where something else has the
// sliders, and `parts`: what makes the pictures that are not charts, by their kind, and small figures.

import { makeBars } from "./bars.js";
import { makeChooser } from "./chooser.js";
import { makeCloud } from "./cloud.js";
import { labelled, makeChain, makeControl, makeHidden, sameSettings } from "./controls.js";
import { sayAll } from "./facts.js";
import { makeHeatmap } from "./heatmap.js";
import { makeLayout, makeTimeBar, SHARE } from "./layout.js";
import { makeLines } from "./lines.js";
import { nearest } from "./numbers.js";
import { makePlane } from "./plane.js";
import { makeSpoken, makeTour } from "./telling.js";
import { makeTools } from "./toolrow.js";
import { asJson, clamp, watchTheme } from "./tools.js";

const MAKERS = { lines: makeLines, bars: makeBars, heatmap: makeHeatmap, plane: makePlane, cloud: makeCloud };

export function createView(root, spec, host) {
  const view = { spec, settings: {}, drawn: null, cursor: 0, frames: 1 };
  let asked = 0;
  let wanted = null; // a time to stand at, or "home", once the settings asked for are drawn
  view.now = () => view.drawn?.arrays.time.data[view.cursor] ?? 0;
  view.fraction = () => (view.frames > 1 ? view.cursor / (view.frames - 1) : 1);
  view.secret = spec.time.opens < 1; // the reader has not played yet, nor moved anything
  const home = () => Math.round((view.secret ? spec.time.opens : 1) * (view.frames - 1));
  view.atHome = () => view.cursor === home();

  const controls = Object.fromEntries(spec.controls.map((c) => [c.name, c.hidden ? makeHidden(c) : makeControl(c, moved)]));
  for (const [name, control] of Object.entries(controls)) view.settings[name] = control.initial;
  const chains = spec.controls.filter(({ linked }) => linked).map((own) => {
    const other = spec.controls.find(({ name }) => name === own.linked);
    return makeChain(own, other, controls, view, () => moved(other.name, view.settings[other.name]));
  });
  const panels = spec.panels.map((p) => (MAKERS[p.kind] ?? host.parts[p.kind])({ ...p, height: p.height ?? SHARE }, view, host.parts));
  const spoken = makeSpoken(panels, spec.title);
  const time = makeTimeBar(spec.time, view);
  const tools = makeTools(view, host, panels);
  const chooser = makeChooser(spec, view);
  const tour = spec.tour?.length ? makeTour(spec.tour, view, spoken, { controls, panels }, host) : null;
  const parts = { controls: Object.values(controls).map((c) => c.root), panels, time: time.root, tools, tour: tour?.root, chooser: chooser?.root, spoken: spoken.root };
  const { ui, top, body = ui, folds = null } = spec.small ? host.parts.small().layout(spec, parts) : makeLayout(spec, { ...parts, narrow: host.hidden });
  Object.assign(view, { tour, top });
  ui.classList.toggle("le-secret", view.secret);
  root.append(ui);
  root.setAttribute("aria-busy", "true");
  ui.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return tour?.end();
    if (event.key !== " " || !spec.time.shown || event.target.closest("button, a, summary, input[type=number], pre, .le-scroll")) return;
    event.preventDefault();
    time.toggle();
  });

  view.defaults = () => Object.fromEntries(Object.entries(controls).map(([name, c]) => [name, c.initial]));

  // Which controls do nothing at these settings, and why; and which are off their default.
  function tellIdle() {
    folds?.tell(Object.keys(controls).filter((name) => String(view.settings[name]) !== String(controls[name].initial)));
    for (const { name, idle } of spec.controls) if (idle?.length) controls[name].idle(sayAll([idle], view.settings));
  }

  // What is kept until the reader plays is shown from now on; a cursor that stands where the figure opens goes home.
  view.tell = () => {
    if (!view.secret) return;
    const waits = view.atHome();
    view.secret = false;
    ui.classList.remove("le-secret");
    if (view.drawn && waits) view.moveTo(home(), true);
    else if (view.drawn) read();
  };

  // A slider moved: ask the host at once, then at most once a frame, always for the newest settings.
  function moved(name, value, remark = "") {
    if (!spec.controls.find((c) => c.name === name).axis) view.tell();
    view.settings = { ...view.settings, [name]: value };
    for (const chain of chains) Object.assign(view.settings, chain.follow(name, value));
    tellIdle();
    host.remark(remark);
    host.touched?.(view.settings);
    ask();
    tour?.refresh();
  }

  function ask() {
    root.setAttribute("aria-busy", "true");
    if (asked) return;
    host.request(view.settings);
    const { settings } = view; // the host may have fitted them
    asked = requestAnimationFrame(() => {
      asked = 0;
      if (view.settings !== settings) ask();
    });
  }

  // Settings from code, the address or another view of the same widget; with a time, or "home", the cursor goes there.
  view.set = (settings, request = true, when = null) => {
    wanted = when;
    const changed = Object.keys(settings).filter((name) => String(settings[name]) !== String(view.settings[name]));
    for (const [name, value] of Object.entries(settings)) controls[name]?.set(value);
    view.settings = { ...view.settings, ...settings };
    for (const chain of chains) chain.tell(view.settings, changed);
    tellIdle();
    changed.filter((name) => String(settings[name]) !== String(controls[name]?.initial)).reduceRight((_, name) => view.reveal(name), null);
    if (request) {
      host.touched?.(view.settings);
      ask();
    }
    tour?.refresh();
  };

  // A state of the figure that a button names: it is set, and played from its beginning.
  view.begin = (settings) => {
    view.set(settings, true, 0);
    time.stop();
    view.moveTo(0, true);
    time.toggle();
  };

  // A setting by its name or a panel by its number comes into sight.
  view.reveal = (what, focus) => folds?.reveal(what, focus);

  // The time that the pointer is at, in all panels; null where it is at none.
  view.point = (when) => panels.forEach((panel) => panel.point?.(when));
  // The run of this place is shown in all panels; null: none in particular.
  view.choose = (place) => host.choose(place);

  // Log switches that are not as they were at first, as ["0y", "2x"]: panel and side.
  view.switched = () => host.touched?.(view.settings);
  view.turned = () => panels.flatMap((panel, i) => (panel.turned?.() ?? []).map((side) => `${i}${side}`));
  view.turn = (sides) => panels.forEach((panel, i) => panel.turn?.(sides.filter((one) => parseInt(one, 10) === i).map((one) => one.at(-1))));

  let aside = null; // a remark on settings that are refused, in the place of the picture's
  const warn = (drawn) => spoken.warn([aside ?? drawn?.remark, drawn?.notice].filter(Boolean).join(" "));
  // While the cursor stands before the end, the sentence says what it speaks of.
  function read() {
    if (view.refused) return spoken.read(`Not drawn: ${view.refused}.`, false);
    const { reading, computing, readingAt } = view.drawn;
    if (readingAt && (!view.secret || time.plays())) return spoken.read(readingAt(view.cursor), computing);
    const whole = reading && `Of the whole run: ${reading}`;
    if (view.secret) return spoken.read(time.plays() || "Press Play and watch.", computing, whole);
    spoken.read(view.fraction() < 1 ? whole : reading, computing);
  }

  // Settings that the run refuses are said below their control, if it is here, and in the place of the sentence; the last
  // good picture stays, dimmed.
  view.refuse = (name, reason, remark) => {
    const own = spec.controls.find((c) => c.name === name);
    view.refused = own ? labelled(own, reason) : reason;
    if (own) view.reveal(name);
    for (const [key, control] of Object.entries(controls)) control.refuse(key === name ? view.refused : null);
    body.classList.add("le-off");
    aside = remark;
    warn(view.drawn);
    read();
    root.setAttribute("aria-busy", "false");
  };

  // Where the cursor stands in what is to be drawn: where it was asked to, else the same share of the way.
  function placeIn({ arrays }, current) {
    const times = arrays.time.data;
    if (!(view.drawn || typeof wanted === "number")) return null;
    const when = current ? wanted : null;
    if (current) wanted = null;
    if (when === "home") return null;
    return when === null ? Math.round(view.fraction() * (times.length - 1)) : nearest(times, when);
  }

  view.show = (drawn) => {
    const current = sameSettings(view.settings, drawn.settings);
    if (view.refused && current) {
      view.refused = "";
      aside = null;
      body.classList.remove("le-off");
      for (const control of Object.values(controls)) control.refuse(null);
    }
    body.classList.toggle("le-waits", Boolean(drawn.waits));
    warn(drawn);
    const place = placeIn(drawn, current);
    view.drawn = drawn;
    view.frames = drawn.arrays.time.data.length;
    view.cursor = place ?? home();
    panels.forEach((panel, i) => panel.draw(drawn.arrays, i));
    read();
    chooser?.show(drawn, panels.some(({ frame }) => frame.one));
    time.show(drawn.count);
    tools.drawn();
    tour?.refresh();
    if (current && !drawn.pending) root.setAttribute("aria-busy", "false");
    folds?.fit();
  };

  // A reader's own move goes into the address, a film's do when it rests.
  view.moveTo = (place, playing = false) => {
    if (!playing) time.stop();
    view.cursor = clamp(place, 0, view.frames - 1);
    if (view.secret && view.cursor >= view.frames - 1) view.tell();
    panels.forEach((panel) => panel.cursor());
    if (view.drawn) read();
    time.show();
    tools.tables.refresh();
    if (!playing) host.timeMoved?.();
  };

  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const panel = panels.find((p) => p.frame.plot === target);
      const [width, height] = [Math.floor(contentRect.width), Math.floor(contentRect.height)];
      // What is folded is not drawn.
      if (!width) panel.frame.width = 0;
      if (!width || (panel.frame.width === width && panel.frame.height === height)) continue;
      Object.assign(panel.frame, { width, height });
      panel.paint();
    }
  });
  panels.forEach(({ frame }) => {
    // Measured at once, so that the first frame is drawn with the first data.
    const { width, height } = frame.plot.getBoundingClientRect();
    frame.width = Math.floor(width);
    if (height) frame.height = Math.floor(height);
    sizes.observe(frame.plot);
  });
  const unwatch = watchTheme(() => panels.forEach((p) => p.theme?.()));

  // What tests compare with the library: settings and the numbers that are drawn, which are copied only where asked for.
  root.explorerState = () => ({
    settings: { ...view.settings },
    busy: root.getAttribute("aria-busy") === "true",
    drawn: view.drawn && { ...view.drawn.settings },
    reading: view.drawn?.reading,
    error: view.refused || "",
    notice: spoken.notice(),
    cursor: view.cursor,
    time: view.now(),
    ...tour?.state(),
    ...host.state(),
    get arrays() {
      return Object.fromEntries(Object.entries(view.drawn?.arrays ?? {}).map(([k, a]) => [k, { shape: [...a.shape], data: asJson(a.data) }]));
    },
  });
  view.dispose = () => {
    time.stop();
    sizes.disconnect();
    folds?.dispose();
    unwatch();
  };
  return view;
}
