// Training time: a scrubber and a play button that move one cursor through all panels.

const PLAY = "M4 2.5v11l9.5-5.5z";
const PAUSE = "M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z";
const FILM = 6000; // milliseconds for a whole run

// A time for a reader: whole steps; other units as they are.
function shownTime(value, unit) {
  const text = number(unit === "steps" ? Math.round(value) : value, 7);
  return unit ? `${text} ${unit}` : text;
}

function makeTimeBar(spec, view) {
  const id = `le-time-${Math.random().toString(36).slice(2, 8)}`;
  const shape = svg("path", { d: PLAY });
  const button = html("button", { type: "button", class: "le-play", "aria-label": "Play the training" }, svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, shape));
  const input = html("input", { type: "range", id, min: 0, max: 1, step: 1, "data-role": "time", "data-lm-suppress-shortcuts": "true" });
  const output = html("output", { for: id });
  const count = html("span", { class: "le-count", hidden: true });
  const root = html("div", { class: "le-time" }, button, html("div", { class: "le-time-track" }, html("div", { class: "le-control-head" }, html("label", { for: id }, spec.label), output), input), count);
  const unit = (spec.label.match(/\(([^()]+)\)\s*$/)?.[1] ?? "").replace("no unit", "");
  let running = 0;
  let begun = 0;
  let from = 0;

  function stop() {
    cancelAnimationFrame(running);
    running = 0;
    shape.setAttribute("d", PLAY);
    button.setAttribute("aria-label", "Play the training");
  }

  function frame(now) {
    // Less motion means a still picture now and then instead of a film.
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const share = Math.min(1, from + (now - begun) / FILM);
    const due = Math.round((calm ? Math.floor(share * 8) / 8 : share) * (view.frames - 1));
    // Where drawing is slow the film takes longer: no position is left out.
    const place = calm ? due : Math.min(due, view.cursor + 1);
    if (place >= view.frames - 1) return view.moveTo(place);
    if (place !== view.cursor) view.moveTo(place, true);
    running = requestAnimationFrame(frame);
  }

  // From the end it starts over.
  function toggle() {
    if (running) return view.moveTo(view.cursor);
    if (view.cursor >= view.frames - 1) view.moveTo(0, true);
    from = view.fraction();
    begun = performance.now();
    shape.setAttribute("d", PAUSE);
    button.setAttribute("aria-label", "Pause the training");
    running = requestAnimationFrame(frame);
  }

  button.addEventListener("click", toggle);
  input.addEventListener("input", () => view.moveTo(Number(input.value)));

  return {
    root,
    stop,
    toggle,
    // The count of finished runs stands beside the time; without a new one the last stays.
    show(runs) {
      const text = shownTime(view.now(), unit);
      put(input, "max", Math.max(1, view.frames - 1));
      input.value = view.cursor;
      input.style.setProperty("--fill", `${100 * view.fraction()}%`);
      put(input, "aria-valuetext", text);
      setText(output, text);
      if (!runs) return;
      count.hidden = false;
      setText(count, runs);
    },
  };
}
