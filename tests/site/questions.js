// What a page of the built book is asked while it is open. A question gets the page or a figure and gives what is wrong
// with it; `ask(way)` asks all of a way and gives the findings as text: where, what should not be, what is seen.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const box = (one) => one.getBoundingClientRect();
  const visible = (one) => one.checkVisibility({ visibilityProperty: true });
  const shown = (one) => visible(one) && box(one).width > 0 && box(one).height > 0;
  const told = (one) => one.outerHTML.slice(0, 150);
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const more = (what, is, most) => (is > most ? [`${what} ${is}, at most ${most}`] : []);
  const less = (what, is, least) => (is < least ? [`${what} ${is}, at least ${least}`] : []);

  // Of a page.

  const scrollsSideways = () => more("pixels wide:", document.documentElement.scrollWidth, document.documentElement.clientWidth);

  const reachesBeyond = () => {
    const scrolls = (one) => one && (getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement));
    const beyond = (one) => box(one).width > 0 && box(one).right > document.documentElement.clientWidth + 1;
    const inside = all("article *:not(.katex-mathml *, svg *)");
    return inside.filter((one) => beyond(one) && !scrolls(one.parentElement)).map(told);
  };

  // What scrolls sideways can be reached by key, fades out where it goes on, and no longer at its end.
  const hidesThatItGoesOn = async () => {
    const wide = all(".bd-article :is(.katex-display, .pst-scrollable-table-container, .highlight pre)")
      .filter((one) => shown(one) && one.scrollWidth > one.clientWidth + 1);
    const silent = wide.filter((one) => !one.classList.contains("hal-goes-on") || one.tabIndex !== 0);
    wide.forEach((one) => (one.scrollLeft = one.scrollWidth));
    await painted();
    const stuck = wide.filter((one) => one.classList.contains("hal-goes-on"));
    wide.forEach((one) => (one.scrollLeft = 0));
    return [...silent, ...stuck].map(told);
  };

  // Words of 9 points at 110 a inch are 14 pixels, and here 8.
  const hasATinyPicture = () => all(".cell_output figure.align-default > img")
    .flatMap((one) => less(`${one.alt}: width`, box(one).width, 0.55 * one.getAttribute("width")));

  const contents = () => document.querySelector(".bd-sidebar-secondary");
  const liesUnderTheContents = () => {
    const panel = contents();
    if (!panel || !shown(panel)) return [];
    return all(".lib-explorer, .hal-hero").filter((one) => shown(one) && box(one).right > box(panel).left).map(told);
  };

  // Wherever the page is scrolled to, the contents have the section in view marked and in sight.
  const losesTheReader = async () => {
    const sectionOf = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const links = contents() && shown(contents()) ? all(".nav-link", contents()).filter(sectionOf) : [];
    const lost = [];
    for (const link of new Set([links[0], links.at(-1), links[links.length >> 1]].filter(Boolean))) {
      scrollTo({ top: box(sectionOf(link)).top + scrollY - 20, behavior: "instant" });
      await pause(250);
      const marked = all(".hal-here", contents());
      const seen = marked.length === 1 && box(marked[0]).top >= box(contents()).top && box(marked[0]).bottom <= Math.min(innerHeight, box(contents()).bottom) + 1;
      if (!seen || box(sectionOf(marked[0])).top > innerHeight / 3) lost.push(`${link.hash}: ${marked.map(told)}`);
    }
    return lost;
  };

  const hasAWrongFormula = () => all(".katex-error").map(told);

  const cutsOnPaper = () => {
    const right = box(document.querySelector("article")).right + 1;
    const end = (one) => Math.max(box(one).right, one.tagName === "PRE" ? box(one).left + one.scrollWidth : 0);
    const inside = "article :is(pre, table, .katex-display > .katex > .katex-html > .base, figure img)";
    return all(inside).filter((one) => one.checkVisibility() && end(one) > right).map(told);
  };
  const printsABarAlone = () => [
    ...all("details.hide:not([open])").filter(shown),
    ...all("details.sd-dropdown > .sd-summary-content").filter((one) => box(one).height <= 20),
  ].map(told);
  const printsWhatIsForAScreen = () =>
    all(".bd-sidebar-primary, .bd-sidebar-secondary, .prev-next-area, .hal-hero-controls, [data-explorer] input").filter(shown).map(told);
  const printsAFigureWithoutAPicture = () =>
    all("[data-explorer]").filter((root) => !all("img, svg", root).some(shown)).map((root) => root.dataset.explorer);

  // Of a figure.

  const plots = (root) => all(".le-plot", root).filter((one) => one.offsetHeight);

  // 60 of these pixels are ticks, the titles of its axes and the air between them.
  const hasALowPlot = (root) => less("height of its lowest plot:", Math.min(Infinity, ...plots(root).map((one) => one.offsetHeight)), 120);
  const hasNoPlot = (root) => (plots(root).length ? [] : [told(root)]);

  const hidesItsBar = (root) =>
    more("bottom of the play bar:", box(root.querySelector(".le-foot")).bottom, Math.min(...plots(root).map((one) => box(one).top)));

  // Words that reach beyond their plot by more than the gap between two plots, 20 pixels, can hide.
  const hasWordsOutside = (root) => all("svg.le-plot, .le-plot svg", root).flatMap((plot) => {
    const { left, right } = box(plot);
    return all("text", plot).filter(visible).map((one) => [one.textContent, box(one)])
      .filter(([, at]) => at.width && at.right > 0 && (at.left < left - 16 || at.right > right + 16)).map(([word]) => word);
  });

  // Names at the ends of curves that share more than the air between two lines.
  const hasNamesOverNames = (root) => all(".le-ends", root).filter(visible).flatMap((ends) => {
    const names = all(".le-end", ends).filter(visible).map((one) => [one.textContent, box(one)]);
    const both = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
    return names.flatMap(([one, a], i) => names.slice(i + 1)
      .filter(([, b]) => both(a, b, "top", "bottom") > 3 && both(a, b, "left", "right") > 1).map(([other]) => `${one} | ${other}`));
  });

  // What is set low or high, as in α_V, may be smaller.
  const hasSmallWords = (root) => all(".le-chart text", root).filter((one) => one.textContent.trim()).flatMap((one) => {
    const { a, b } = one.getScreenCTM() ?? { a: 1, b: 0 };
    return less(`${one.textContent}: pixels`, parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b), 12);
  });

  const isLong = (root) => more("height:", box(root.querySelector(".le-ui")).height, innerWidth === 1440 ? 860 : innerWidth > 1000 ? Infinity : 1.4 * innerHeight);

  // In sight of a figure: settings, time, groups of buttons; "⋯" and folds lead to others.
  const hasManyControls = () => all("[data-explorer]:has(.le-ui)").flatMap((root) => more(`controls of ${root.dataset.explorer}:`,
    all(".le-control, .le-time, .le-chooser, .le-states, .le-switch, .le-acts, [data-tool=tour]", root).filter(shown).length, "small" in root.dataset ? 3 : 10));

  // At the end the sentence stands where "Press Play" stood.
  const movesOnPlay = async (root) => {
    const [ui, reading, time] = [".le-secret", ".le-reading", "[data-role=time]"].map((one) => root.querySelector(one));
    if (!ui) return [];
    while (reading.ariaBusy === "true") await pause(50);
    const before = box(ui).height;
    time.value = time.max;
    time.dispatchEvent(new Event("input", { bubbles: true }));
    await painted();
    return more("pixels:", Math.abs(box(ui).height - before), 1);
  };

  // Looked at from its first plot on: the plot ends above the play bar, which alone sticks, and the sentence is whole.
  const overlapsOnAPhone = async (root) => {
    if (!root.querySelector(".le-time")) return [];
    const part = (name) => box(root.querySelector(name));
    scrollTo({ top: part(".le-plot").top + scrollY - 110, behavior: "instant" });
    await painted();
    const [plot, bar] = [".le-plot", ".le-time"].map(part);
    return [
      ...more("bottom of the plot, over the bar:", plot.bottom, bar.top + 1),
      ...more("height of what sticks:", all("*").filter((one) => ["sticky", "fixed"].includes(getComputedStyle(one).position) && shown(one)
        && !one.contains(root) && box(one).top < innerHeight && box(one).bottom > 0 && box(one).width > 200).reduce((sum, one) => sum + box(one).height, 0), 121),
      ...all(".le-spoken > p", root).filter((one) => !one.hidden && box(one).right > bar.right).map(told),
    ];
  };

  const WAYS = {
    window: {
      page: { "scrolls sideways": scrollsSideways, "has a figure under the contents": liesUnderTheContents, "loses the reader": losesTheReader, "has many controls": hasManyControls },
      figure: {
        "has no plot": hasNoPlot,
        "has a plot lower than its labels": hasALowPlot,
        "has a plot over the play bar": hidesItsBar,
        "has words outside of their plot": hasWordsOutside,
        "has names over names": hasNamesOverNames,
        "moves on Play": movesOnPlay,
        "is higher than 860 pixels": isLong,
      },
    },
    narrow: { page: { "scrolls sideways": scrollsSideways }, figure: { "has names over names": hasNamesOverNames } },
    phone: {
      page: {
        "scrolls sideways": scrollsSideways,
        "reaches beyond the screen": reachesBeyond,
        "hides that it goes on": hidesThatItGoesOn,
        "has a picture too small to read": hasATinyPicture,
        "has a formula that is not set": hasAWrongFormula,
      },
      figure: {
        "has names over names": hasNamesOverNames,
        "moves on Play": movesOnPlay,
        "is longer than 1.4 screens": isLong,
        "overlaps": overlapsOnAPhone,
        "has words of less than 12 pixels": hasSmallWords,
      },
    },
    paper: {
      page: {
        "is cut at the edge": cutsOnPaper,
        "prints a bar without what it unfolds": printsABarAlone,
        "prints what is for a screen": printsWhatIsForAScreen,
        "prints a figure without a picture": printsAFigureWithoutAPicture,
      },
      figure: {},
    },
  };

  const figures = () => all("[data-explorer]:not([data-small]):has(.le-spec)");

  // Wakes every figure and gives their names; one that is never drawn stays for the test's own limit.
  globalThis.wake = async () => {
    for (const root of figures()) {
      for (let fold = root; (fold = fold.parentElement?.closest("details")); ) fold.open = true;
      root.scrollIntoView({ behavior: "instant" });
      while (!root.querySelector(".le-ui") || root.ariaBusy === "true" || (root.explorerState && !root.explorerState().drawn)) await pause(50);
    }
    scrollTo({ top: 0, behavior: "instant" }); // elsewhere the header of the page lies over what stands there
    return figures().map((root) => root.dataset.explorer);
  };

  // At most five findings of a question.
  globalThis.ask = async (way) => {
    const found = [];
    await painted();
    for (const [words, question] of Object.entries(WAYS[way].page)) {
      for (const what of (await question()).slice(0, 5)) found.push(`the page ${words}: ${what}`);
    }
    for (const root of Object.keys(WAYS[way].figure).length ? figures() : []) {
      root.scrollIntoView({ behavior: "instant" });
      await painted();
      for (const [words, question] of Object.entries(WAYS[way].figure)) {
        for (const what of (await question(root)).slice(0, 5)) found.push(`${root.dataset.explorer} ${words}: ${what}`);
      }
    }
    return found;
  };
})();
