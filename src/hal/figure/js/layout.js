// Where the parts of a figure stand. Their order and size on a wide, a middle and a narrow page are the style sheet's.

import { makeFolds } from "./folds.js";
import { nearest, number } from "./numbers.js";
import { html, onScrolled, put, setText, svg, written } from "./tools.js";

// Training time: a scrubber and a play button that move one cursor through all panels.
const PLAY = "M4 2.5v11l9.5-5.5z";
const PAUSE = "M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z";
const FILM = 6000; // milliseconds for a whole run; in a tour, where a sentence is read beside it, twice as long
const FILM_FRAMES = 360; // that a film of this length can show

// A time for a reader: whole steps; other units as they are.
function shownTime(value, unit) {
  const text = number(unit === "steps" ? Math.round(value) : value, unit === "steps" || Number.isInteger(value) ? 7 : 3);
  return unit ? `${text} ${text === "1" ? unit.replace(/s$/, "") : unit}` : text;
}

export function makeTimeBar(spec, view) {
  const id = `le-time-${Math.random().toString(36).slice(2, 8)}`;
  const shape = svg("path", { d: PLAY });
  const button = html("button", { type: "button", class: "le-play", "aria-label": "Play the training" }, svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, shape));
  const input = html("input", { type: "range", id, min: 0, max: 1, step: 1, "data-role": "time", "data-lm-suppress-shortcuts": "true" });
  const output = html("output", { for: id });
  const count = html("span", { class: "le-count", hidden: true, title: view.spec.caption ?? "" });
  const root = html("div", { class: "le-time" }, button, html("div", { class: "le-time-track" }, html("div", { class: "le-control-head" }, html("label", { for: id }, spec.label.replace(/\s*\([^()]*\)\s*$/, "")), count, output), input));
  const unit = (spec.label.match(/\(([^()]+)\)\s*$/)?.[1] ?? "").replace("no unit", "");
  let running = 0;
  let begun = 0;
  let first = 0; // record at which the film began
  const [seconds, until, less = 0] = spec.pace ?? [0, 0]; // of a record, as far as this time; of the first less

  const moment = () => (spec.moments ?? []).find(([at]) => at === view.now())?.[1]; // what happens at this time, in a word
  function stop() {
    cancelAnimationFrame(running);
    running = 0;
    shape.setAttribute("d", PLAY);
    button.setAttribute("aria-label", "Play the training");
  }

  function frame(now) {
    // Less motion means a still picture now and then instead of a film.
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const one = first + (now - begun) / (1000 * seconds);
    const slow = seconds && view.drawn ? Math.max(first, nearest(view.drawn.arrays.time.data, until)) : first; // from here on it is the film's pace
    const passed = now - begun - 1000 * seconds * (slow - first);
    const seen = Math.min(1, slow / Math.max(1, view.frames - 1) + passed / (FILM * (view.tour?.place() ? 2 : 1)));
    const shown = calm ? Math.floor(seen * 8) / 8 : seen;
    const due = Math.round(shown * (view.frames - 1));
    // Where drawing is slow the film takes longer: no more positions are left out than six seconds cannot show.
    const place = one < slow ? Math.floor(one) : calm ? due : Math.min(due, view.cursor + Math.ceil(view.frames / FILM_FRAMES));
    if (place >= view.frames - 1) return view.moveTo(place);
    if (place !== view.cursor) view.moveTo(place, true);
    running = requestAnimationFrame(frame);
  }

  // From the end it starts over.
  function toggle() {
    if (running) return view.moveTo(view.cursor);
    if (view.cursor >= view.frames - 1) view.moveTo(0, true);
    first = view.cursor;
    begun = performance.now() - 1000 * less;
    shape.setAttribute("d", PAUSE);
    button.setAttribute("aria-label", "Pause the training");
    running = requestAnimationFrame(frame);
  }

  button.addEventListener("click", toggle);
  input.addEventListener("input", () => view.moveTo(Number(input.value)));
  onScrolled(input, () => view.cursor, (pressed) => view.moveTo(pressed));

  return {
    root,
    stop,
    toggle,
    plays: () => (running ? `${moment() ?? "Watch"}.` : ""),
    // The count of finished runs stands beside the time, until all are there.
    show(runs) {
      const text = shownTime(view.now(), unit);
      put(input, "max", Math.max(1, view.frames - 1));
      input.value = view.cursor;
      input.style.setProperty("--fill", `${100 * view.fraction()}%`);
      put(input, "aria-valuetext", text);
      setText(output, moment() ?? text);
      if (runs) count.hidden = false;
      setText(count, runs);
    },
  };
}

// On a narrow page the picture has the room: a button in the play bar brings the sliders, above that bar, and puts them
// away; the style sheet says what narrow is.
const SLIDERS = "M2 4h6m4 0h2M2 12h2m4 0h6M10 2v4M6 10v4";

function makeKeeper(body) {
  const icon = svg("svg", { viewBox: "0 0 16 16", width: 18, height: 18, "aria-hidden": "true" }, svg("path", { d: SLIDERS }));
  const button = html("button", { type: "button", class: "le-keeper", "aria-label": "Show the sliders", "aria-expanded": "false" }, icon);
  button.addEventListener("click", () => {
    const docked = body.classList.toggle("le-docked");
    put(button, "aria-expanded", docked);
    put(button, "aria-label", docked ? "Put the sliders away" : "Show the sliders");
  });
  return button;
}

/* Rows of panels, as CSS: a row has the share of the room that its tallest panel asks for. `columns` panels a row, a wide
   one takes a row of its own. */
function rowShares(panels, columns) {
  const TITLE = 60; // pixels of a panel around its plot
  const rows = [];
  let free = 0;
  for (const { wide, height } of panels) {
    if (!free || wide) {
      rows.push(0);
      free = wide ? 0 : columns;
    }
    free = Math.max(0, free - 1);
    rows.push(Math.max(rows.pop(), height + TITLE));
  }
  return rows.map((share) => `minmax(min-content, ${share}fr)`).join(" ");
}

// The panels in sight share what room the screen has; each needs a height to share it by.
export const SHARE = 240;

export function makeLayout(spec, { controls, panels, time, tools, tour, chooser, spoken, narrow }) {
  const inSight = spec.panels.slice(0, panels.length - (spec.collapsed ?? 0));
  const columns = Math.min(spec.columns ?? 2, inSight.length);
  const style = `--columns:${columns};--rows:${rowShares(inSight.map((p) => ({ wide: p.wide, height: p.height ?? SHARE })), columns)}`;
  const grid = html("div", { class: "le-panels", style, "data-columns": spec.columns });
  const title = written(html("div", { class: "le-title" }), spec.title);
  const top = html("div", { class: "le-top" }, title, tools.states, chooser, tour, tools.menu);
  const list = html("div", { class: "le-controls" });
  const side = narrow ? null : html("div", { class: "le-side" });
  const foot = html("div", { class: "le-foot" }, spec.time.shown ? time : null);
  const body = html("div", { class: `le-body le-screen${side ? "" : " le-apart"}${spec.collapsed ? " le-collapsed" : ""}` }, top, foot, spoken, grid, side, narrow ? tools.acts : null, tools.code, tools.tables.root);
  if (side && spec.time.shown) time.append(makeKeeper(body));
  const ui = html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, body);
  const folds = makeFolds(spec, { controls, panels, list, grid, side, acts: tools.acts, ui });
  folds.arrange();
  return { ui, top, body, folds };
}
