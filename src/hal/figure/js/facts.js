// What is known of a figure in single numbers, and the sentences that follow them.

import { digits, median, quantile } from "./numbers.js";

const FEW = 4; // runs from which on they have quartiles

// Theory's single numbers; the middle, the sum and from four runs on the spread (the distance of the quartiles) of each
// metric over the runs that did not diverge; how many did not and did. The summary takes them with "_" for every ".", NaN
// for what is not known. `own` are the portable functions of the figure. Where sentences follow the time, called `clock`,
// what theory has of each time is a fact at one of them, the last where none is given.
export function factsOf({ metrics, measured, summary, summed, clock }, own, theory, runs, place = theory[clock]?.length - 1) {
  const facts = {};
  const known = (values) => values.length === 1 || (clock && values.length === theory[clock].length);
  for (const [name, values] of Object.entries(theory)) if (known(values)) facts[name] = values.at(values.length === 1 ? 0 : place);
  const finished = runs.filter((one) => one.finished);
  const whole = finished.filter((one) => !one.lost);
  const ofRuns = (metrics ? whole : []).map(({ readings }) => own[metrics](...measured.map((name) => readings[name])));
  for (const name of Object.keys(ofRuns[0] ?? {})) {
    const values = ofRuns.map((one) => one[name][0]).filter((v) => !Number.isNaN(v));
    facts[name] = values.length ? median(values) : NaN;
    facts[`sum.${name}`] = values.reduce((a, b) => a + b, 0);
    if (values.length < FEW) continue;
    const sorted = values.sort((a, b) => a - b);
    facts[`spread.${name}`] = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  }
  Object.assign(facts, { runs: whole.length, lost: finished.length - whole.length });
  if (summary) {
    const plain = Object.fromEntries(Object.entries(facts).map(([name, v]) => [name.replaceAll(".", "_"), v]));
    const found = own[summary](...summed.map((name) => plain[name] ?? NaN));
    for (const [name, values] of Object.entries(found)) facts[`${summary}.${name}`] = values[0];
  }
  return facts;
}

// The place of the run that stands for all: of those that did not diverge the one with the median last number of a
// reading, of an even number the lower of the two in the middle, of equals the first; without a reading the first run.
export function middleRun(runs, reading) {
  if (!reading) return 0;
  const ends = runs.map(({ readings, finished, lost }, i) => [finished && !lost ? (readings[reading][readings[reading].length - 1] ?? NaN) : NaN, i]);
  const known = ends.filter(([end]) => Number.isFinite(end)).sort(([a, i], [b, j]) => a - b || i - j);
  return known.length ? known[(known.length - 1) >> 1][1] : 0;
}

const PLACE = /\{([A-Za-z_.][A-Za-z0-9_.]*)(?::(\d))?\}/g;
const WHOLE = /(?<![\d.,])100\.0+ %/g;
const HOLDS = { "==": (a, b) => a === b, "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };

function shownNumber(value, decimals = 0) {
  const units = Math.floor(Math.abs(value) * 10 ** decimals + 0.5);
  if (!units) return value ? "about 0" : "0";
  const figures = String(units).padStart(decimals + 1, "0");
  const whole = figures.slice(0, figures.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const text = decimals ? `${whole}.${figures.slice(-decimals)}` : whole;
  return value < 0 ? `−${text}` : text;
}

function filled(text, facts) {
  const full = text?.replace(PLACE, (place, name, decimals, at) => {
    const [value, spread] = [facts[name], facts[`spread.${name}`]];
    if (decimals) return shownNumber(value, Number(decimals));
    // Percentages from 10 on have no decimals; one near 100 keeps what it lacks.
    const whole = /^ ?%/.test(text.slice(at + place.length)) && Math.abs(value) >= 10 && Math.abs(value) < 99;
    return digits(value, whole ? Math.max(spread > 0 ? spread : 0, 3) : spread);
  });
  return full?.replace(WHOLE, "100 %").replaceAll("= about 0", "≈ 0");
}

// Of each sentence the first alternative whose numbers are known and whose conditions hold.
export function sayAll(sentences, facts) {
  const known = (name) => Number.isFinite(facts[name]);
  const value = (one) => (typeof one === "string" ? facts[one] : one);
  const holds = ([name, sign, other]) => known(name) && Number.isFinite(value(other)) && HOLDS[sign](facts[name], value(other));
  const applies = ({ text, when }) => Array.from(text.matchAll(PLACE), ([, name]) => name).every(known) && when.every(holds);
  const chosen = sentences.map((ways) => filled(ways.find(applies)?.text, facts));
  return chosen.filter(Boolean).join(" ");
}

// Before the first update no learning rate is at fault.
function remedyOf(step) {
  if (step < 1) return "No update had been made: its start is too large.";
  return `A smaller ${step < 2 ? "start or " : ""}learning rate may help.`;
}

export function saidDivergence(at, runs) {
  if (!at.length) return "";
  const first = `step ${shownNumber(Math.min(...at))}`;
  if (runs === 1) return `This run diverged at ${first}; nothing is drawn from there on. ${remedyOf(Math.min(...at))}`;
  return `${at.length} of ${runs} runs diverged, the first at ${first}; from there on they are left out.`;
}

// How many numbers of a run, of those that are drawn, are infinite.
export function infiniteIn(panels, readings) {
  const drawn = [...new Set(panels.flatMap(({ sources }) => Object.values(sources)))].map((name) => readings[name] ?? []);
  // To look for one is much faster than to count, and a row of attention over time is millions of numbers.
  const some = drawn.filter((values) => values.includes(Infinity) || values.includes(-Infinity));
  return some.reduce((sum, values) => sum + values.filter((v) => Math.abs(v) === Infinity).length, 0);
}

// A number that is none may be meant as a gap; an infinite one is not, in a run that goes on.
export function saidInfinite(runs) {
  const count = runs.reduce((sum, { infinite, lost }) => sum + (lost ? 0 : (infinite ?? 0)), 0);
  if (!count) return "";
  return `${count} number${count > 1 ? "s" : ""} of the runs ${count > 1 ? "are" : "is"} infinite: there the curves have gaps.`;
}
