// Sentences that follow numbers: the page's side of `lib/explorer/sentences.py` and of `words.py`.

const PLACE = /\{([A-Za-z_.][A-Za-z0-9_.]*)(?::(\d))?\}/g;
const TEST = /^(<=|>=|<|>) ?(.+)$/;
const HOLDS = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };

function shownNumber(value, decimals = 0) {
  const units = Math.floor(Math.abs(value) * 10 ** decimals + 0.5);
  const digits = String(units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const text = decimals ? `${whole}.${digits.slice(-decimals)}` : whole;
  return value < 0 && units ? `−${text}` : text;
}

// Whether a number is as it must be; an unknown one never is.
function holds(facts, name, test) {
  if (typeof test !== "string") return facts[name] === test;
  const [, sign, other] = test.match(TEST);
  return HOLDS[sign](facts[name] ?? NaN, /^[-\d]/.test(other) ? Number(other) : (facts[other] ?? NaN));
}

// Of each sentence the first alternative whose numbers are known and as they must be.
function sayAll(sentences, facts) {
  const known = (name) => Number.isFinite(facts[name]);
  const applies = ({ text, when }) =>
    Array.from(text.matchAll(PLACE), ([, name]) => name).every(known) && Object.entries(when).every(([name, test]) => known(name) && holds(facts, name, test));
  const chosen = sentences.map((ways) => ways.find(applies)?.text.replace(PLACE, (_, name, decimals) => shownNumber(facts[name], Number(decimals ?? 0))));
  return chosen.filter(Boolean).join(" ");
}

function saidDivergence(at, runs) {
  if (!at.length) return "";
  const first = `step ${shownNumber(Math.min(...at))}`;
  if (runs === 1) return `This run diverged at ${first}; nothing is drawn from there on. A smaller learning rate may help.`;
  return `${at.length} of ${runs} runs diverged, the first at ${first}; from there on they are left out.`;
}
