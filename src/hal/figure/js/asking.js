// Which token asks, and whether its answer is shown: buttons under a picture whose weights have a row for each token.

import { html, put, setText } from "./tools.js";

export function makeAsking(spec, repaint) {
  let chosen = 0;
  let answered = null; // whether the answer is asked for; null while the end alone shows it
  const choices = html("div", { class: "le-asking" });

  const many = (scene) => scene.all("rows")?.[0] ?? 1;
  const isAnswered = (scene) => !spec.spoils || (answered ?? scene.atEnd());

  function button(scene, text, act) {
    const made = html("button", { type: "button" }, text);
    made.addEventListener("click", () => {
      act();
      repaint(scene);
    });
    return made;
  }

  // One button for each token that may ask, and one for the answer.
  function offer(scene) {
    const count = many(scene);
    chosen = chosen < count ? chosen : 0;
    if (choices.childElementCount !== count + 1 + (spec.spoils ? 1 : 0)) {
      const tokens = Array.from({ length: count }, (_, k) => button(scene, spec.letters[k], () => (chosen = k)));
      tokens.forEach((one, k) => one.style.setProperty("--c", spec.tints[k % spec.tints.length]));
      const spoiler = spec.spoils ? [button(scene, "", () => (answered = !isAnswered(scene)))] : [];
      for (const one of spoiler) one.className = "le-spoiler";
      choices.replaceChildren(html("span", {}, "last token"), ...tokens, ...spoiler);
    }
    if (!choices.isConnected) scene.frame.root.append(choices);
    const [, ...buttons] = choices.children;
    for (let k = 0; k < count; k++) {
      put(buttons[k], "aria-pressed", String(k === chosen));
    }
    if (spec.spoils) setText(buttons[count], isAnswered(scene) ? "hide the answer" : "show the answer");
  }

  return { chosen: () => chosen, many, isAnswered, offer };
}
