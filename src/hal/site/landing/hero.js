// The landing page's figure: the build has drawn it at one step; this draws it at the step of the slider, and plays the
// run once. It computes nothing that is not in the page.

import { along, fan, plane, squares } from "./scene.js";

const SECONDS = 10;

function start(root) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const last = data.steps.length - 1;
  const find = (selector) => root.querySelector(selector);
  const [slider, button, reading, step] = ["input", "button", ".hal-hero-reading", ".hal-hero-step"].map(find);
  const [wide, narrow, matrix, path] = ["wide", "narrow", "squares", "plane"].map((name) => find(`.hal-hero-${name} > g`));

  function show(at) {
    const [V, A] = [along(data.V, at), along(data.A, at)];
    const fans = getComputedStyle(narrow.parentNode).display === "none" ? [[wide, false]] : [[narrow, true]];
    for (const [ink, isNarrow] of fans) ink.innerHTML = fan(data, A, isNarrow);
    matrix.innerHTML = squares(data, V);
    path.innerHTML = plane(data, V, A);
    const now = Math.round(along(data.steps, at));
    const useful = data.attention.map((row) => row.reduce((sum, value, t) => sum + (data.attention[1][t] > 0 ? value : 0), 0));
    const share = Math.round(100 * (useful[0] + A * (useful[1] - useful[0])));
    step.textContent = `Step ${now} of ${data.steps[last]}`;
    const phase = Math.max(V, A) < 0.12 ? "The quiet phase: nearly nothing moves." : A * V < 0.85 ? "Take-off: each half helps the other." : "Learned.";
    reading.textContent = `${phase} The two useful tokens get ${share}% of the attention.`;
    slider.value = at;
    slider.setAttribute("aria-valuetext", step.textContent);
  }

  let [frame, at] = [0, data.still];
  function stop() {
    cancelAnimationFrame(frame);
    frame = 0;
    button.textContent = at >= last ? "Play again" : "Play";
  }
  function play() {
    if (at >= last) at = 0;
    button.textContent = "Pause";
    let before = performance.now();
    const tick = (time) => {
      at = Math.min(last, at + (Math.max(0, time - before) / (1000 * SECONDS)) * last);
      before = time;
      show(at);
      if (at < last) frame = requestAnimationFrame(tick);
      else stop();
    };
    frame = requestAnimationFrame(tick);
  }

  slider.disabled = false;
  button.hidden = false;
  slider.addEventListener("input", () => {
    at = Number(slider.value);
    stop();
    show(at);
  });
  button.addEventListener("click", () => (frame ? stop() : play()));
  addEventListener("resize", () => show(at));
  addEventListener("beforeprint", () => { // on paper not its first moment
    stop();
    at = data.still;
    show(at);
  });
  show(at);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    at = 0;
    play();
  }, { threshold: 0.4 }).observe(find(".hal-hero-fan"));
}

const ready = () => document.querySelectorAll("[data-hero]").forEach(start);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
else ready();
