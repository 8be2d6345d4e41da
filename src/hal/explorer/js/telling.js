// A tour: steps that each set the figure, say one sentence and point at one thing at most. The reader stays in control:
// what she moves stays moved, and the step waits until she goes on, back, or to it again.

function makeTour(steps, view, spoken, { controls, panels }, host) {
  let at = -1; // the step shown; none while the tour is closed
  const button = (text, label, action, more) => {
    const made = html("button", { type: "button", class: "le-tool", "aria-label": label, ...more }, text);
    made.addEventListener("click", action);
    return made;
  };
  const open = html("button", { type: "button", class: "le-tool", "data-tool": "tour" }, "Tour");
  const back = button("‹", "Previous step", () => go(at - 1), { "data-tour": "back" });
  const next = button("›", "Next step", () => go(at + 1), { "data-tour": "next" });
  const place = html("span", { class: "le-place" });
  const again = html("button", { type: "button", class: "le-tool", "data-tour": "again" }, "Back to this step");
  const close = button("✕", "End the tour", () => end(), { "data-tour": "end" });
  const bar = html("div", { class: "le-tour-bar", role: "group", "aria-label": "Tour", hidden: true }, again, back, place, next, close);
  const root = html("div", { class: "le-tour" }, open, bar);
  open.addEventListener("click", () => {
    go(0);
    next.focus({ preventScroll: true });
  });
  again.addEventListener("click", () => {
    go(at);
    next.focus({ preventScroll: true });
  });
  bar.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    go(at + way);
  });

  const settingsOf = (step) => ({ ...view.defaults(), ...step.settings });
  const left = () => !sameSettings(settingsOf(steps[at]), view.settings) || steps[at].seed !== (host.seed?.() ?? 0);
  const pointed = ({ point }) => (point === null ? null : typeof point === "number" ? panels[point].frame.root : controls[point].root);

  // What the step says of what is drawn: the first of its ways whose numbers are known.
  function sentence(step) {
    const known = view.drawn && sameSettings(view.settings, view.drawn.settings) ? view.drawn.facts : null;
    return sayAll([step.say], known ?? {});
  }

  // Show step `to`; what it sets is set unless the reader came with settings of her own.
  function go(to, apply = true) {
    if (to < 0 || to >= steps.length) return;
    at = to;
    const step = steps[at];
    if (apply) {
      if (host.seed && host.seed() !== step.seed) host.reseed(step.seed);
      view.set(settingsOf(step), true, step.time ?? "home");
    }
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
