// A sample to poke: the reader guesses a cell, the answer is shown, the score is kept, another sample comes.

import { pokeScored, pokeScoreText } from "./poking.js";
import { html, toolButton, written } from "./tools.js";

// What is known of a sample, in words; the page's side of `Poke.said`.
function pokeFacts({ letters }, { cells, query, right, law }) {
  const largest = (values) => values.indexOf(Math.max(...values));
  const [place, next] = [largest(Array.from(right)), largest(Array.from(law))];
  return { query: letters[query[0]], place: place + 1, found: letters[cells[place]], next: letters[next], chance: Math.floor(100 * law[next] + 0.5) };
}

const pokeSaid = (template, facts) => template.replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));

// The cell that an arrow key goes to, or -1 where it is none.
function pokeStep(key, at, count) {
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? -1 : Math.min(Math.max(to, 0), count - 1);
}

export function makeSample(root, spec, program) {
  const sample = program()[spec.module][spec.sample];
  const question = html("p", { class: "le-poke-question" });
  const row = html("div", { class: "le-poke-cells", role: "group", "aria-label": "the sequence: arrow keys move, Enter guesses and then goes on" });
  const asking = html("span", { class: "le-poke-cell le-poke-query" });
  const answer = html("p", { class: "le-poke-answer", role: "status" });
  const law = html("ul", { class: "le-poke-law", "aria-label": `chances of the ${spec.follows}` });
  const learned = html("p", { class: "le-poke-learned" });
  const score = html("p", { class: "le-poke-score" });
  const another = toolButton("Another sample", () => draw(task, number + 1, true));
  const fresh = toolButton("Another task", () => draw(task + 1, 0, true));
  const top = html("div", { class: "le-top" }, written(html("div", { class: "le-title" }), spec.title));
  const line = html("div", { class: "le-poke-line" }, row, html("div", { class: "le-poke-asks" }, html("span", {}, spec.asks), asking));
  root.append(html("div", { class: "le-ui", role: "group", "aria-label": spec.title }, top, question, line, html("div", { class: "le-poke-told" }, answer, law), learned, html("div", { class: "le-acts" }, another, fresh, score)));
  let [task, number, now, guess] = [0, 0, null, -1];
  let points = { tries: 0, hits: 0, luck: 0 };
  const known = new Map(); // what asks -> where it looks, as far as the reader has seen

  const style = (kind) => `--c:${spec.tints[kind % spec.tints.length]}`;

  function draw(nextTask, nextNumber, focus) {
    if (nextTask !== task) known.clear();
    [task, number, guess] = [nextTask, nextNumber, -1];
    now = sample(task, number);
    const facts = pokeFacts(spec, now);
    question.textContent = pokeSaid(spec.question, facts);
    const cells = Array.from(now.cells, (kind, i) => {
      const cell = html("button", { type: "button", class: "le-poke-cell", style: style(kind), tabindex: i ? -1 : 0, "aria-label": `${spec.letters[kind]}, position ${i + 1}` }, html("b", {}, spec.letters[kind]), html("i", { "aria-hidden": "true", "data-place": i + 1 }));
      cell.addEventListener("click", () => choose(i));
      return cell;
    });
    row.replaceChildren(...cells);
    asking.textContent = facts.query;
    asking.setAttribute("style", style(now.query[0]));
    answer.textContent = "Click a position, or go there with the arrow keys and press Enter.";
    law.replaceChildren();
    law.style.minHeight = `${18 * now.law.length + 32}px`;
    tell();
    if (focus) row.firstChild.focus();
  }

  function tell() {
    score.textContent = pokeScoreText(points);
    const seen = [...known].sort().map(([asks, places]) => `${asks} → ${places}`);
    learned.textContent = seen.length ? `Seen so far in this task (${spec.asks} → position): ${seen.join(", ")}.` : `Nothing is known yet about this task: the first guess is luck.`;
  }

  function choose(i) {
    if (guess >= 0) return;
    guess = i;
    const facts = pokeFacts(spec, now);
    points = pokeScored(points, now.right, i);
    const places = Array.from(now.right, (weight, t) => (weight > 0 ? t + 1 : 0)).filter(Boolean);
    known.set(facts.query, places.join(" and "));
    const hit = now.right[i] > 0;
    row.childNodes.forEach((cell, t) => {
      const right = now.right[t] > 0;
      cell.classList.toggle("le-poke-right", right);
      cell.classList.toggle("le-poke-wrong", t === i && !hit);
      cell.setAttribute("aria-disabled", "true");
      if (right) cell.setAttribute("aria-label", `${cell.getAttribute("aria-label")}, the right one`);
    });
    answer.textContent = `${hit ? "Right." : `No, not position ${i + 1}.`} ${pokeSaid(spec.reveal, facts)}`;
    law.replaceChildren(...Array.from(now.law, (chance, kind) => html("li", { style: `${style(kind)};--share:${(100 * chance).toFixed(1)}%` }, html("b", {}, spec.letters[kind]), html("span", {}), html("i", {}, `${Math.floor(100 * chance + 0.5)}%`))));
    tell();
  }

  row.addEventListener("keydown", (event) => {
    const cells = [...row.childNodes];
    const at = cells.indexOf(event.target);
    if (event.key === "Enter" && guess >= 0) {
      event.preventDefault();
      return draw(task, number + 1, true);
    }
    const to = pokeStep(event.key, at, cells.length);
    if (to < 0) return;
    event.preventDefault();
    cells.forEach((cell, i) => (cell.tabIndex = i === to ? 0 : -1));
    cells[to].focus();
  });
  root.pokeState = () => ({ task, number, guess, points, sample: Object.fromEntries(Object.entries(now).map(([name, values]) => [name, Array.from(values)])) });
  draw(0, 0, false);
  root.classList.add("le-awake");
}
