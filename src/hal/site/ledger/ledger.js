// The ledger's form: it hides the rows that do not match, at first what holds, says how many are left, copies addresses.
(() => {
  const form = document.querySelector(".lib-ledger-form");
  const rows = [...document.querySelectorAll("tr[data-verdict]")];
  const status = form.querySelector("[role=status]");
  const fields = form.elements;
  // What a row says, without the copy of each formula that is for the eyes only.
  const wordsOf = (row) => {
    const copy = row.cloneNode(true);
    copy.querySelectorAll(".katex-html").forEach((formula) => formula.remove());
    return copy.textContent.toLowerCase();
  };
  let [words, saying] = [];
  const say = (text) => {  // once the reader pauses: not a sentence for every letter
    clearTimeout(saying);
    saying = setTimeout(() => { status.textContent = text; }, 200);
  };
  const filter = () => {
    words ??= rows.map(wordsOf);
    const wanted = fields.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    rows.forEach((row, i) => {
      const { paper, verdict } = row.dataset;
      const fits = ["", paper].includes(fields.paper.value)
        && ["", verdict, verdict !== "holds" && "-holds"].includes(fields.verdict.value)
        && wanted.every((word) => words[i].includes(word));
      row.hidden = !fits;
      left += fits;
    });
    document.querySelectorAll("section:has(> .lib-claims)").forEach((section) => {
      section.hidden = !section.querySelector("tr[data-verdict]:not([hidden])");
    });
    say(left === rows.length ? `All ${left} claims.` : `${left} of ${rows.length} claims.`);
  };
  const show = () => {  // a link to a row or a chapter that is filtered out
    const place = document.querySelector(":is(tr[data-verdict], section)[hidden]:target");
    if (!place) { return; }
    ["words", "paper", "verdict"].forEach((name) => { fields[name].value = ""; });
    filter();
    place.scrollIntoView();
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  ["load", "hashchange"].forEach((when) => addEventListener(when, show));
  document.querySelectorAll(".lib-row-link").forEach((link) => link.addEventListener("click", () => {
    navigator.clipboard?.writeText(link.href).then(() => say(`Link to ${link.textContent} copied.`), () => {});
  }));
  form.hidden = false;
  filter();
})();
