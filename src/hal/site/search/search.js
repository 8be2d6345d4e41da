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
// An excerpt is the sentence with most of the words as they were typed, or else their stems; it leaves out the buttons of
// the page. A formula stands in a page for the eyes, for screen readers, and as TeX: an excerpt needs it once.
addEventListener("DOMContentLoaded", () => {
  const { htmlToText } = Search;
  // No page can be read from another on a disk.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  const NOT_TEXT = ".katex-html, .katex annotation, [data-explorer] script, .bd-header-article, .bd-sidebar-secondary";
  const BLOCKS = "p, li, td, th, dt, dd, pre, summary, figcaption, h1, h2, h3, h4";
  const [END, LONGEST] = ["\u2029", 320]; // of a block; letters of an excerpt
  Search.htmlToText = (html, anchor) => {
    // a handler is nothing to read, and this page's policy reports each
    const page = new DOMParser().parseFromString(html.replaceAll(/ onclick="[^"]*"/g, ""), "text/html");
    page.querySelectorAll(NOT_TEXT).forEach((part) => part.remove());
    page.querySelectorAll(BLOCKS).forEach((part) => part.append(END));
    return htmlToText(page.documentElement.outerHTML, anchor);
  };
  const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
  const sentencesOf = (text) => text.split(END).flatMap((block) => Array.from(sentences.segment(block.replaceAll(/\s+/g, " ").trim()), ({ segment }) => segment.trim()));
  // Around its first hit, whole words.
  const shortened = (text, words) => {
    if (text.length <= LONGEST) return text;
    const at = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((one) => one >= 0), text.length);
    const from = at < LONGEST - 60 ? 0 : text.indexOf(" ", at - 120) + 1;
    const to = from + LONGEST < text.length ? text.lastIndexOf(" ", from + LONGEST) : text.length;
    return `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
  };
  Search.makeSearchSummary = (html, stems, anchor) => {
    const typed = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const words = [...typed, ...stems];
    // Typed words count more than stems, a sentence more than a title.
    const worth = (text) => words.reduce((sum, word, i) => sum + (text.toLowerCase().includes(word) ? (i < typed.length ? 4 : 2) : 0), 0);
    const found = sentencesOf(Search.htmlToText(html, anchor)).map((text) => [worth(text) + (/\S+ \S+ \S+.*[.?!]$/.test(text) ? 1 : 0), text]);
    if (found.length === 0) return null;
    const [, best] = found.reduce((first, other) => (other[0] > first[0] ? other : first));
    const summary = document.createElement("p");
    summary.className = "context";
    summary.textContent = shortened(best, words);
    return summary;
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
