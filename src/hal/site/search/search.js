// What a result of the search is worth: Sphinx's own numbers, chapters before the reference, in their order, and before all what has this name.
globalThis.Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, title, , , score]) => {
    const chapters = CHAPTERS;
    const asked = (new URLSearchParams(location.search).get("q") ?? "").trim().toLowerCase();
    const place = chapters.indexOf(page);
    const named = asked && title.toLowerCase().replace(/^[\d. ]+/, "") === asked ? 100 : 0; // what goes by this name
    return score + named + (place < 0 ? 0 : 30 - place / chapters.length);
  },
};
// A claim by its id, and a symbol, are no words of an index: above the results stands the way to where they are told.
// Below a result stands the sentence of its section with most of the words as they were typed, or else their beginnings.
addEventListener("DOMContentLoaded", () => {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // Sphinx would fetch every page
  const LONGEST = 320; // letters of an excerpt
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim();
  const typed = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const words = [...typed, ...typed.map((word) => word.slice(0, Math.max(4, word.length - 3)))];
  const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
  const sentencesOf = (text) => Array.from(sentences.segment(text), ({ segment }) => segment.trim());
  // Around its first hit, whole words.
  const shortened = (text) => {
    if (text.length <= LONGEST) return text;
    const at = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((one) => one >= 0), text.length);
    const from = at < LONGEST - 60 ? 0 : text.indexOf(" ", at - 120) + 1;
    const to = from + LONGEST < text.length ? text.lastIndexOf(" ", from + LONGEST) : text.length;
    return `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
  };
  // Typed words count more than their beginnings, a sentence more than a title.
  const worth = (text) => words.reduce((sum, word, i) => sum + (text.toLowerCase().includes(word) ? (i < typed.length ? 4 : 2) : 0), 0) + (/\S+ \S+ \S+.*[.?!]$/.test(text) ? 1 : 0);
  function excerpt(link) {
    const [page, anchor] = link.getAttribute("href").split("#");
    const sections = globalThis.halParagraphs[page.replace(/\.html(\?.*)?$/, "")] ?? [];
    const own = sections.filter(([id]) => id === anchor);
    const found = (own.length ? own : sections).flatMap(([, blocks]) => blocks.flatMap(sentencesOf));
    if (!found.length) return;
    const best = found.reduce((first, other) => (worth(other) > worth(first) ? other : first));
    const summary = document.createElement("p");
    [summary.className, summary.textContent] = ["context", shortened(best)];
    link.parentNode.append(summary);
  }
  const results = document.getElementById("search-results");
  new MutationObserver((records) => {
    for (const item of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (item.matches?.("ul.search > li") && item.children.length === 1) excerpt(item.firstChild);
    }
  }).observe(results, { childList: true, subtree: true });
  const way = /^[a-z]+-\d+$/i.test(asked) ? [`ledger.html#${asked.toUpperCase()}`, `Claim ${asked.toUpperCase()} in the ledger`]
    : /^\p{Letter}{1,2}$/u.test(asked) ? ["notation.html", `${asked} among the symbols`] : null;
  if (way) {
    const link = document.createElement("a");
    [link.href, link.textContent, link.className] = [`book/${way[0]}`, way[1], "hal-way"];
    results.before(link);
  }
}, true); // before Sphinx begins
