// The dock of a phone: one control, the way to the next one, and to all of them.

import { html, put, svg } from "./tools.js";

export function makeDock(side, controls, list) {
  let at = 0;
  const button = (kind, label, text, action) => {
    const made = html("button", { type: "button", class: kind, "aria-label": label }, text);
    made.addEventListener("click", () => action(made));
    return made;
  };
  const lines = svg("svg", { viewBox: "0 0 16 16", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: "M2 4h12M2 8h12M2 12h12" }));
  const turn = (made, kind) => put(made, "aria-expanded", side.classList.toggle(kind));
  const every = button("le-dock-all", "All controls", lines, (made) => turn(made, "le-all"));
  const back = button("le-dock-step le-dock-back", "", "‹", () => show(at - 1));
  const next = button("le-dock-step le-dock-next", "", "›", () => show(at + 1));
  const own = [every, back, next];

  function show(place) {
    const many = controls.length;
    at = (place + many) % many;
    controls.forEach(({ root }, i) => root.classList.toggle("le-current", i === at));
    for (const [step, by, word] of [[back, -1, "Previous"], [next, 1, "Next"]]) {
      put(step, "aria-label", `${word} control: ${controls[(at + by + many) % many].label}`);
      step.hidden = many < 2;
    }
  }

  // The control that was touched last stays when the list is closed.
  const touched = ({ target }) => {
    const place = controls.findIndex(({ root }) => root.contains(target));
    if (place >= 0 && place !== at) show(place);
  };
  list.addEventListener("focusin", touched);

  side.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !side.classList.contains("le-all")) return;
    event.stopPropagation();
    turn(every, "le-all");
    every.focus();
  });

  return {
    show: (place) => place >= 0 && show(place),
    enter() {
      put(every, "aria-expanded", false);
      side.classList.add("le-dock-of");
      side.replaceChildren(every, back, list, next);
      show(at);
    },
    leave() {
      side.classList.remove("le-dock-of", "le-all");
      for (const one of own) one.remove();
    },
  };
}
