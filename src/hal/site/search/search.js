// What a result of the search is worth: Sphinx's own numbers, and chapters before the reference, in their order.
globalThis.Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, , , , score]) => {
    const chapters = CHAPTERS;
    const place = chapters.indexOf(page);
    return place < 0 ? score : score + 30 - place / chapters.length;
  },
};
// A claim by its id, and a symbol, are no words of an index: above the results stands the way to where they are told.
// An excerpt begins at the words as they were typed, not at their stems, and leaves out the buttons of the page. A
// formula stands in a page for the eyes, for screen readers, and as TeX: an excerpt needs it once.
addEventListener("DOMContentLoaded", () => {
  const { htmlToText, makeSearchSummary } = Search;
  // No page can be read from another on a disk.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  const NOT_TEXT = ".katex-html, .katex annotation, [data-explorer] script, .bd-header-article, .bd-sidebar-secondary";
  Search.htmlToText = (html, anchor) => {
    // a handler is nothing to read, and this page's policy reports each
    const page = new DOMParser().parseFromString(html.replaceAll(/ onclick="[^"]*"/g, ""), "text/html");
    page.querySelectorAll(NOT_TEXT).forEach((part) => part.remove());
    return htmlToText(page.documentElement.outerHTML, anchor);
  };
  Search.makeSearchSummary = (html, stems, anchor) => {
    const typed = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    return makeSearchSummary(html, new Set([...stems, ...typed]), anchor);
  };
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim();
  const way = /^[a-z]+-\d+$/i.test(asked) ? [`ledger.html#${asked.toUpperCase()}`, `Claim ${asked.toUpperCase()} in the ledger`]
    : /^\p{Letter}{1,2}$/u.test(asked) ? ["notation.html", `${asked} among the symbols`] : null;
  if (way) {
    const link = document.createElement("a");
    [link.href, link.textContent, link.className] = [`book/${way[0]}`, way[1], "hal-way"];
    document.getElementById("search-results").before(link);
  }
});
