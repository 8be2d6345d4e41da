// What a figure tells: its reading, or the step of a tour in its place, and below them what went wrong.

import { sameSettings } from "./controls.js";
import { sayAll } from "./facts.js";
import { dress, html, put, setText, toolButton, written } from "./tools.js";

// The reading describes the pictures of these panels: to a screen reader they say what they show.
export function makeSpoken(panels, title) {
  const id = `le-reading-${Math.random().toString(36).slice(2, 8)}`;
  const reading = html("p", { class: "le-reading", role: "status", id });
  for (const { frame } of panels) put(frame.chart, "aria-describedby", id);
  const step = html("p", { class: "le-step", "aria-live": "polite", hidden: true });
  const notice = html("p", { class: "le-notice", role: "alert", hidden: true });
  const root = html("div", { class: "le-spoken" }, reading, step, notice);

  // More text than room scrolls, from the keyboard too. Asked when the page is laid out anyway.
  let wide = 0;
  const sizes = new ResizeObserver(() => {
    // As high as its longest text so far, at this width.
    if (wide !== root.clientWidth) root.style.minHeight = "";
    wide = root.clientWidth;
    root.style.minHeight = `${root.getBoundingClientRect().height}px`;
    if (root.scrollHeight > root.clientHeight + 1) dress(root, { tabindex: 0, role: "region", "aria-label": `${title}: reading` }, []);
    else ["tabindex", "role", "aria-label"].forEach((name) => root.removeAttribute(name));
  });
  for (const node of [root, reading, step, notice]) sizes.observe(node);

  function say(node, text, write = written) {
    if (node.spoken === text) return;
    node.spoken = text;
    node.hidden = !text;
    write(node, text);
    reading.hidden = !step.hidden;
  }

  return {
    root,
    notice: () => (notice.hidden ? "" : notice.textContent),
    // A text that is to come keeps its room, so that nothing moves when it does.
    read(text, computing, later = "") {
      say(reading, text);
      put(reading, "data-later", later);
      put(reading, "aria-busy", Boolean(computing));
    },
    // The sentence of a step stands in for the reading; none gives it back.
    step: (text) => say(step, text),
    warn: (text) => say(notice, text, (node, plain) => (node.textContent = plain)),
  };
}

// A tour: steps that each set the figure, say one sentence and point at one thing at most. The reader stays in control:
// what she moves stays moved, and the step waits until she goes on, back, or to it again.
export function makeTour(steps, view, spoken, { controls, panels }, host) {
  let at = -1; // the step shown; none while the tour is closed
  const show = (step) => {
    go(step);
    next.focus({ preventScroll: true });
  };
  const open = toolButton("Tour", () => show(0), { "data-tool": "tour" });
  const back = toolButton("‹", () => go(at - 1), { "aria-label": "Previous step", "data-tour": "back" });
  const next = toolButton("›", () => go(at + 1), { "aria-label": "Next step", "data-tour": "next" });
  const place = html("span", { class: "le-place" });
  const again = toolButton("Back to this step", () => show(at), { "data-tour": "again" });
  const close = toolButton("✕", end, { "aria-label": "End the tour", "data-tour": "end" });
  const bar = html("div", { class: "le-tour-bar", role: "group", "aria-label": "Tour", hidden: true }, again, back, place, next, close);
  const root = html("div", { class: "le-tour" }, open, bar);
  bar.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    go(at + way);
  });

  const settingsOf = (step) => ({ ...view.defaults(), ...step.settings });
  const left = () => !sameSettings(settingsOf(steps[at]), view.settings) || steps[at].seed !== host.seed();
  const pointed = ({ point }) => (point === null ? null : typeof point === "number" ? panels[point].frame.root : controls[point].root);

  // What the step says of what is drawn: the first of its ways whose numbers are known.
  function sentence(step) {
    const known = view.drawn && sameSettings(view.settings, view.drawn.settings) ? view.drawn.facts : null;
    return sayAll([step.say], known ?? {});
  }

  // Show step `to`; what it sets is set unless the reader came with settings of her own.
  function go(to, apply = true) {
    if (to < 0 || to >= steps.length) return;
    view.tell();
    at = to;
    const step = steps[at];
    if (apply) {
      if (host.seed() !== step.seed) host.reseed(step.seed);
      view.set(settingsOf(step), true, step.time ?? "home");
    }
    if (step.point !== null) view.reveal(step.point);
    refresh();
  }

  function end() {
    if (at < 0) return;
    at = -1;
    refresh();
    open.focus({ preventScroll: true });
    host.touched?.(view.settings);
  }

  function refresh() {
    const step = steps[at];
    const away = Boolean(step) && left();
    open.hidden = Boolean(step);
    bar.hidden = !step;
    root.classList.toggle("le-left", away);
    again.hidden = !away;
    for (const part of [...Object.values(controls), ...panels.map((p) => p.frame)]) part.root?.classList.toggle("le-pointed", Boolean(step) && !away && pointed(step) === part.root);
    spoken.step(step && !away ? sentence(step) : "");
    if (!step) return;
    setText(place, `${at + 1} of ${steps.length}`);
    // Disabled by name only: a button that loses its focus at the last step would take the keys with it.
    put(back, "aria-disabled", at === 0);
    put(next, "aria-disabled", at === steps.length - 1);
  }

  return {
    root,
    refresh,
    go,
    end,
    place: () => at + 1,
    close() {
      at = -1;
      refresh();
    },
    state: () => ({ tour: at + 1 }),
  };
}
