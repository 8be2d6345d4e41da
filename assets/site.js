// A formula, table or figure wider than its column scrolls sideways; only then it takes a place in the tab order.
(() => {
  const mark = () => document.querySelectorAll(".katex-display, .pst-scrollable-table-container, div.output, .cell_output figure").forEach((box) => {
    const wide = box.scrollWidth > box.clientWidth + 1;
    if (wide) { box.tabIndex = 0; box.setAttribute("role", "group"); box.setAttribute("aria-label", "scrolls sideways"); }
    else if (box.getAttribute("aria-label") === "scrolls sideways") { ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name)); }
  });
  // The theme's arrows that unfold a part of the contents have no name.
  const name = () => document.querySelectorAll("summary:has(.toctree-toggle)").forEach((arrow) => arrow.setAttribute("aria-label", "unfold"));
  addEventListener("load", name);
  addEventListener("load", mark);
  addEventListener("resize", mark);
})();
