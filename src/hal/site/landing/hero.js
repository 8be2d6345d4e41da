// The landing page's figure. Python has drawn it at one step; this blends every marked attribute between its two ends,
// moves the dot, and plays the run once. It computes nothing that is not in the page.
(() => {
  "use strict";
  const SECONDS = 10;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  function start(root) {
    const data = JSON.parse(root.querySelector("script").textContent);
    const last = data.steps.length - 1;
    const find = (selector) => root.querySelector(selector);
    const [slider, button, reading, step] = ["input", "button", ".hal-hero-reading", ".hal-hero-step"].map(find);
    const marked = (scope, name) => [...find(scope).querySelectorAll(`[data-${name}]`)].map((element) => {
      const [low, high] = element.getAttribute(`data-${name}`).split(" ").map(Number);
      return (share) => element.setAttribute(name, low + share * (high - low));
    });
    const attention = [...marked(".hal-hero-fan", "stroke-width"), ...marked(".hal-hero-fan", "opacity")];
    const output = marked(".cells", "opacity");
    const dot = find(".now");
    const points = [...find(".track").points].map((p) => [p.x, p.y]);
    const between = (list, at) => {
      const low = Math.min(Math.floor(at), last - 1);
      return list[low] + (at - low) * (list[low + 1] - list[low]);
    };

    function show(at) {
      const V = between(data.V, at), A = between(data.A, at);
      attention.forEach((set) => set(A));
      output.forEach((set) => set(V));
      dot.setAttribute("cx", between(points.map((p) => p[0]), at));
      dot.setAttribute("cy", between(points.map((p) => p[1]), at));
      const now = Math.round(between(data.steps, at));
      const share = Math.round(100 * (data.useful[0] + A * (data.useful[1] - data.useful[0])));
      step.textContent = `Step ${now} of ${data.steps[last]}`;
      reading.textContent = Math.max(V, A) < 0.12
        ? `The quiet phase: nearly nothing moves. The two useful tokens get ${share} % of the attention.`
        : A * V < 0.85 ? `Take-off: each half helps the other. The two useful tokens get ${share} % of the attention.`
        : `Learned. The two useful tokens get ${share} % of the attention.`;
      slider.value = at;
      slider.setAttribute("aria-valuetext", step.textContent);
    }

    let frame = 0, at = data.still;
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
        if (at < last) frame = requestAnimationFrame(tick); else stop();
      };
      frame = requestAnimationFrame(tick);
    }

    slider.disabled = false;
    button.hidden = false;
    slider.addEventListener("input", () => { at = Number(slider.value); stop(); show(at); });
    button.addEventListener("click", () => (frame ? stop() : play()));
    addEventListener("beforeprint", () => { stop(); at = data.still; show(at); });  // on paper not its first moment
    show(at);
    if (still.matches) return;
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      at = 0;
      play();
    }, { threshold: 0.4 }).observe(find(".hal-hero-fan"));
  }

  const ready = () => document.querySelectorAll("[data-hero]").forEach(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready); else ready();
})();
