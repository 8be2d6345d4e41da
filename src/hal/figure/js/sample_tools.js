// What interactive samples have in common: the score of guesses, and a slider.

import { html, onScrolled, written } from "./tools.js";

// The score after a guess: how many were right, how many would be by chance.
export function scoredGuess(score, right, guess) {
  const lucky = Array.from(right).filter((weight) => weight > 0).length / right.length;
  return { tries: score.tries + 1, hits: score.hits + (right[guess] > 0 ? 1 : 0), luck: score.luck + lucky };
}

// A slider with its name and its value above it.
export function sampleSlider(figure, label, attributes, changed) {
  const id = `${figure}-${label.replace(/\W+/g, "-")}`;
  const input = html("input", { type: "range", id, "data-lm-suppress-shortcuts": "true", ...attributes });
  const output = html("output", { for: id });
  input.addEventListener("input", () => changed(Number(input.value)));
  onScrolled(input, () => input.value, (pressed) => changed(Number((input.value = pressed))));
  return { input, output, root: html("div", { class: "le-sphere-slider" }, html("div", { class: "le-control-head" }, written(html("label", { for: id }), label), output), input) };
}
