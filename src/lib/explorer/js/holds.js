// States that a reader keeps under the next ones: up to three, each named by the settings in which they differ.

const MOST_HELD = 3;

// Names of states: the settings that are not the same in all of them.
function namesOfStates(controls, states) {
  const differ = controls.filter(({ name }) => new Set(states.map((one) => String(one[name]))).size > 1);
  const named = ({ texts, stops }, v) => texts?.[stops.indexOf(v)];
  const text = (v) => (Array.isArray(v) ? v.map((w) => number(w, 2)).join("/") : typeof v === "number" ? number(v) : String(v));
  return states.map((one) => differ.map((c) => `${c.name} = ${named(c, one[c.name]) ?? text(one[c.name])}`).join(", ") || "the same settings");
}

function makeHolds(root, spec, changed) {
  const list = html("span", { class: "le-holds" });
  let held = [];
  let said = "";

  // One button a state, with its number and its name among the held ones and the present one; it lets go of it.
  function say(present) {
    const names = namesOfStates(spec.controls, [...held.map((one) => one.settings), present]);
    const texts = held.map((_, k) => `${k + 1}: ${names[k]} ×`);
    if (texts.join() === said) return;
    said = texts.join();
    list.replaceChildren(...held.map((one, k) => {
      const button = html("button", { type: "button", class: "le-tool le-held-name", title: "Let go of these curves" }, texts[k]);
      button.addEventListener("click", () => {
        held = held.filter((other) => other !== one);
        changed();
      });
      return button;
    }));
  }

  return {
    // The oldest makes room for a fourth.
    add({ settings, theory, runs, facts }) {
      held = [...held, { settings, theory, facts, runs: runs.filter((one) => one.finished) }].slice(-MOST_HELD);
      if (!list.isConnected) root.querySelector("[data-tool=hold]").parentNode.append(list);
      changed();
    },
    states: () => held,
    say,
  };
}
