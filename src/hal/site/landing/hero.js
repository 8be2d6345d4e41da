// The landing page's race: a run of chapter 1 plays, and the reader looks for the two tokens that matter before half of the
// network's attention lies on them. Where they stand is drawn anew for each race. It computes nothing that is not in the page.

import { along, fan, row, weightOf } from "./scene.js";

const SECONDS = 12;
const MOST_WRONG = 5;

function start(root) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const last = data.steps.length - 1;
  const find = (selector) => root.querySelector(selector);
  const [slider, button, reading, step] = ["input", "button", ".hal-hero-reading", ".hal-hero-step"].map(find);
  const pictures = [["wide", false], ["narrow", true]].map(([name, narrow]) => ({ svg: find(`.hal-hero-${name}`), narrow }));
  let [frame, at, over, cursor] = [0, 0, false, -1];
  let picked = [];

  const share = (now) => data.places.reduce((sum, t) => sum + weightOf(data, along(data.A, now), t), 0);
  const found = () => picked.filter((t) => data.places.includes(t));
  const wrong = () => picked.length - found().length;
  const stepAt = (now) => Math.round(along(data.steps, now));
  const won = Array.from({ length: 10 * last + 1 }, (_, i) => i / 10).find((now) => share(now) >= 0.5) ?? last; // by the network
  const percent = (now) => `${Math.round(100 * share(now))}%`;

  const hint = `Two of these ${data.T} tokens decide the answer. Start the race, and click them before the network has found them.`;
  let said = hint;
  function show() {
    const shown = pictures.find(({ svg }) => getComputedStyle(svg).display !== "none");
    shown.svg.firstElementChild.innerHTML = fan(data, along(data.A, at), shown.narrow, over, picked, cursor);
    step.textContent = `Step ${stepAt(at)} of ${data.steps[last]}`;
    if (reading.textContent !== said) reading.textContent = said;
    slider.value = at;
    slider.setAttribute("aria-valuetext", step.textContent);
    slider.parentNode.hidden = !over;
  }

  function end(text) {
    [over, said] = [true, text];
    button.textContent = "Another race";
  }
  function pick(t) {
    if (!frame || over || picked.includes(t)) return;
    picked.push(t);
    said = `${found().length} of 2 found${wrong() ? `, ${wrong()} wrong` : ""}.`;
    if (found().length === 2) end(`You found both at step ${stepAt(at)}, with ${percent(at)} of the attention on them. Half of it lies there from step ${stepAt(won)} on.`);
    else if (wrong() === MOST_WRONG) end(`${MOST_WRONG} wrong tokens: the network wins. Half of its attention lies on the two from step ${stepAt(won)} on.`);
    show();
  }
  function play() {
    const places = Array.from({ length: (data.T - 4) / 2 }, (_, i) => 2 * i + 1);
    const [first] = places.splice(Math.floor(Math.random() * places.length), 1);
    const apart = places.filter((t) => Math.abs(t - first) > 5);
    data.places = [first, apart[Math.floor(Math.random() * apart.length)]];
    [at, over, picked, cursor, said] = [0, false, [], -1, "Step by step nothing seems to happen. Look for two arcs that grow."];
    button.textContent = "Start again";
    cancelAnimationFrame(frame);
    let before = performance.now();
    const tick = (time) => {
      at = Math.min(last, at + (Math.max(0, time - before) / (1000 * SECONDS)) * last);
      before = time;
      if (!over && at >= won) end(`The network has found them, at step ${stepAt(won)}: half of its attention lies there. You had found ${found().length} of 2.`);
      show();
      frame = at < last ? requestAnimationFrame(tick) : 0;
    };
    frame = requestAnimationFrame(tick);
  }

  for (const { svg, narrow } of pictures) {
    const label = `${data.T} tokens. The arrow keys choose one, Enter clicks it.`;
    for (const [name, value] of Object.entries({ role: "application", tabindex: 0, "aria-label": label })) svg.setAttribute(name, value);
    svg.addEventListener("pointerdown", (event) => {
      const { left, width } = svg.getBoundingClientRect();
      const x = ((event.clientX - left) / width) * svg.viewBox.baseVal.width;
      const nearest = row(data, narrow).reduce((best, one) => (Math.abs(one.x - x) < Math.abs(best.x - x) ? one : best));
      if (Math.abs(nearest.x - x) < 14) pick(nearest.t);
    });
    svg.addEventListener("keydown", (event) => {
      const tokens = row(data, narrow);
      const place = tokens.findIndex(({ t }) => t === cursor);
      const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (move) cursor = tokens[Math.min(tokens.length - 1, Math.max(0, place + move))].t;
      else if (["Enter", " "].includes(event.key) && place >= 0) pick(cursor);
      else return;
      event.preventDefault();
      show();
    });
  }
  button.hidden = false;
  slider.disabled = false;
  slider.addEventListener("input", () => {
    cancelAnimationFrame(frame);
    [frame, at] = [0, Number(slider.value)];
    show();
  });
  button.addEventListener("click", play);
  addEventListener("resize", show);
  addEventListener("beforeprint", () => { // on paper not its first moment
    cancelAnimationFrame(frame);
    [frame, at, over] = [0, data.still, true];
    show();
  });
  show();
}

const ready = () => document.querySelectorAll("[data-hero]").forEach(start);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
else ready();
