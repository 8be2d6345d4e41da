// The furniture of a small figure: title and hint, the picture or a pair, at most two controls in one line, a sentence;
// link, Python, table and file behind one button; and the worker that all of a page share.

import { html, put, written } from "./tools.js";
import { makeTrainer, scriptOf } from "./trainer.js";

function makeMenu(takes) {
  const button = html("button", { type: "button", class: "le-more", "aria-label": "Link, Python, table", "aria-expanded": "false", "data-tool": "more" }, "⋯");
  const root = html("div", { class: "le-menu" }, button, takes);
  const open = (wanted) => {
    takes.hidden = !wanted;
    put(button, "aria-expanded", wanted);
  };
  open(false);
  button.addEventListener("click", () => open(takes.hidden));
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || takes.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  // It closes when the focus goes elsewhere, by a press or by the Tab key.
  root.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !root.contains(relatedTarget) && open(false));
  return root;
}

function smallLayout(spec, { controls, panels, time, tools, spoken }) {
  const hint = written(html("p", { class: "le-hint" }), spec.small.hint);
  tools.takes.append(tools.acts.querySelector("[data-tool=reset]"));
  const top = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title), hint, makeMenu(tools.takes));
  const acts = tools.acts.childElementCount ? tools.acts : null;
  const row = controls.some(Boolean) || acts ? html("div", { class: "le-row" }, ...controls.filter(Boolean), acts) : null;
  const drawn = panels.map((p) => p.frame.root);
  const picture = drawn.length > 1 ? html("div", { class: "le-pair" }, ...drawn) : drawn[0];
  const parts = [top, picture, spec.small.timed ? time : null, row, spoken, tools.code, tools.tables.root];
  const body = html("div", { class: "le-body" }, ...parts.filter(Boolean));
  const ui = html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, body);
  // What to do need not be said to one who does it. Its room stays, so that nothing moves.
  const touched = (event) => !event.target.closest(".le-menu") && hint.classList.add("le-done");
  for (const name of ["pointerdown", "keydown", "input"]) ui.addEventListener(name, (event) => event.key !== "Tab" && touched(event), true);
  return { ui, top };
}

// One worker for all small figures of a page: a trainer each, whose slices take turns. A figure joins with the text of
// its program: a worker of a page opened from disk loads no second script.
function crowdSource() {
  return `"use strict";
    const channel = new MessageChannel();
    const queue = [];
    channel.port1.onmessage = () => queue.shift()();
    const later = (f) => { queue.push(f); channel.port2.postMessage(0); };
    const makeTrainer = ${makeTrainer};
    const trainers = {};
    onmessage = ({ data: [who, what, value] }) => (what === "join" ? (trainers[who] = (0, eval)(value)(makeTrainer, (message, given) => postMessage([who, message], given), later)) : trainers[who][what](value));
  `;
}

let crowd = null; // {worker, seats: name -> what a figure takes for a worker of its own}

function sharedWorker(name) {
  return (program, module) => {
    if (!crowd) {
      const [worker, seats] = [new Worker(scriptOf(crowdSource())), new Map()];
      worker.onmessage = ({ data: [who, message] }) => seats.get(who)?.onmessage({ data: message });
      worker.onerror = (event) => {
        crowd = null;
        for (const one of seats.values()) one.onerror(event);
      };
      crowd = { worker, seats };
    }
    const { worker, seats } = crowd;
    const post = (what, value) => worker.postMessage([name, what, value]);
    const seat = {
      postMessage: ([what, value]) => post(what, value),
      terminate() {
        if (seats.get(name) === seat) seats.delete(name);
        post("stop");
      },
    };
    seats.set(name, seat);
    post("join", `(make, send, later) => make(${program}, ${JSON.stringify(module)}, send, later)`);
    return seat;
  };
}

// The furniture, and the worker of a figure by its name.
export function makeSmall() {
  return { layout: smallLayout, worker: sharedWorker };
}
