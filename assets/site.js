// A formula, table, figure or listing wider than its column scrolls sideways, and fades out where it goes on; only then
// it takes a place in the tab order.
(() => {
  const SAYS = "scrolls sideways";
  const boxes = () => document.querySelectorAll(
    ".bd-article :is(.katex-display, .pst-scrollable-table-container, div.output, .cell_output figure, .highlight pre)",
  );
  const fade = ({ currentTarget: box }) => {
    box.classList.toggle("hal-goes-on", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  };
  const mark = () => boxes().forEach((box) => {
    const wide = box.scrollWidth > box.clientWidth + 1;
    if (wide && !box.hasAttribute("aria-label")) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", SAYS);
    } else if (!wide && box.getAttribute("aria-label") === SAYS) {
      ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
    }
    box.addEventListener("scroll", fade, { passive: true });
    fade({ currentTarget: box });
  });
  // The theme's arrows that unfold a part of the contents have no name, and its sidebar is no landmark.
  const name = () => {
    document.querySelectorAll("summary:has(.toctree-toggle)").forEach((arrow) => arrow.setAttribute("aria-label", "unfold"));
    Object.assign(document.querySelector(".bd-sidebar-primary") ?? {}, { role: "complementary", ariaLabel: "Book" });
  };
  // The theme's field that opens the search goes by what stands in it, "Search Ctrl+K", and not by less.
  const unname = () => document.querySelectorAll(".search-button-field").forEach((field) => field.removeAttribute("aria-label"));
  // In the contents the section in view is marked, and in sight; what the theme marks may be another.
  let due = 0;
  const links = () => [...document.querySelectorAll(".bd-sidebar-secondary .nav-link")].map((link) => [link, document.getElementById(decodeURIComponent(link.hash.slice(1)))]);
  const follow = () => {
    due = 0;
    const all = links().filter(([, section]) => section?.getClientRects().length);
    const here = all.findLast(([, section]) => section.getBoundingClientRect().top < innerHeight / 3)?.[0];
    const panel = here?.closest(".bd-sidebar-secondary");
    for (const [link] of all) {
      link.classList.toggle("hal-here", link === here);
      if (link === here) link.setAttribute("aria-current", "true"); // as the theme does
      else link.removeAttribute("aria-current");
    }
    if (panel) panel.scrollTop = here.getBoundingClientRect().top + panel.scrollTop - panel.getBoundingClientRect().top - panel.clientHeight / 2;
  };
  // A link to something that is folded away unfolds it, in browsers that do not do so themselves.
  const unfold = () => {
    let box = document.querySelector(":target");
    while ((box = box?.parentElement.closest("details"))) { box.open = true; }
  };
  // A link to what this page no longer has says so, in one line; figures set by a link are found by their names.
  const tell = () => {
    let link = location.hash.slice(1);
    try { link = decodeURIComponent(link); } catch { /* it is shown as it came */ }
    const here = (part) => part.startsWith("change:") || document.getElementById(part) || document.getElementsByName(part).length
      || document.querySelector(`[data-explorer="${CSS.escape(part.split(":")[0])}"]`);
    const lost = here(link) ? undefined : link.split(";").find((part) => part && !here(part));
    let line = document.querySelector(".hal-gone");
    if (lost === undefined) return line?.remove();
    if (!line) {
      line = document.createElement("p");
      Object.assign(line, { className: "hal-gone" });
      line.setAttribute("role", "status");
      document.querySelector(".bd-article")?.prepend(line);
    }
    const [what] = lost.split(":");
    const short = what.length > 60 ? `${what.slice(0, 59)}…` : what;
    line.textContent = `The link leads to “${short}”, which has left this page.`;
  };
  // Copied formulas are their TeX, whole; else every letter would come twice.
  const copy = (event) => {
    const selection = getSelection();
    if (selection.isCollapsed) return;
    const range = selection.getRangeAt(0).cloneRange();
    const formula = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest(".katex");
    const [first, last] = [formula(range.startContainer), formula(range.endContainer)];
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const part = range.cloneContents();
    if (!part.querySelector("annotation")) return;
    for (const one of part.querySelectorAll(".katex")) {
      const sign = one.closest(".katex-display") ? "$$" : "$";
      one.replaceChildren(`${sign}${one.querySelector("annotation").textContent.trim()}${sign}`);
    }
    event.clipboardData.setData("text/plain", part.textContent);
    event.preventDefault();
  };
  document.addEventListener("copy", copy);
  // Paper is white: what is printed has the colours of the light theme.
  const theme = document.documentElement.dataset;
  let shown = theme.theme;
  addEventListener("beforeprint", () => { [shown, theme.theme] = [theme.theme, "light"]; });
  addEventListener("afterprint", () => { theme.theme = shown; });
  addEventListener("load", tell);
  addEventListener("hashchange", tell);
  addEventListener("load", unfold);
  addEventListener("hashchange", unfold);
  addEventListener("load", name);
  addEventListener("load", unname);
  addEventListener("load", mark);
  addEventListener("load", follow);
  addEventListener("scroll", () => (due ||= setTimeout(follow, 100)), { passive: true });
  addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);  // what was folded away has a size now
})();
