// Pictures of the cards that have moments: a card that is pointed at, focused or, on a touch screen, comes to the middle of
// the screen goes through its own once and stands still again. It computes nothing that is not in the page.
(() => {
  "use strict";
  const SECONDS = 4;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  function start(picture) {
    const last = Number(picture.dataset.moments) - 1;
    if (last < 1) return;
    const parts = ["fill-opacity", "font-size"].flatMap((name) => [...picture.querySelectorAll(`[data-${name}]`)].map((element) => {
      const values = element.getAttribute(`data-${name}`).split(" ").map(Number);
      return (at) => {
        const low = Math.min(Math.floor(at), last - 1);
        element.setAttribute(name, values[low] + (at - low) * (values[low + 1] - values[low]));
      };
    }));
    let frame = 0;
    function play() {
      if (frame || still.matches) return;
      const began = performance.now();
      const tick = (time) => {
        const at = Math.min(last, (Math.max(0, time - began) / (1000 * SECONDS)) * last);
        parts.forEach((set) => set(at));
        frame = at < last ? requestAnimationFrame(tick) : 0;
      };
      frame = requestAnimationFrame(tick);
    }
    const card = picture.closest(".sd-card") ?? picture;
    card.addEventListener("pointerenter", play);
    card.addEventListener("focusin", play);
    if (matchMedia("(hover: none)").matches) {
      new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && play(), { rootMargin: "-45% 0px" }).observe(picture);
    }
  }

  const ready = () => document.querySelectorAll(".hal-thumb").forEach(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready); else ready();
})();
