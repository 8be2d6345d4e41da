// On a narrow page the sliders stand below the picture, out of its sight. The button in the play bar keeps them in
// view above that bar while the picture is scrolled; the style sheet says what narrow is.

const SLIDERS = "M2 4h6m4 0h2M2 12h2m4 0h6M10 2v4M6 10v4";

function makeDock(body, side) {
  const icon = svg("svg", { viewBox: "0 0 16 16", width: 18, height: 18, "aria-hidden": "true" }, svg("path", { d: SLIDERS }));
  const button = html("button", { type: "button", class: "le-dock", "aria-label": "Keep the sliders in view", "aria-expanded": "false" }, icon);
  button.addEventListener("click", () => {
    const docked = body.classList.toggle("le-docked");
    put(button, "aria-expanded", docked);
    put(button, "aria-label", docked ? "Put the sliders away" : "Keep the sliders in view");
    if (!docked) side.scrollTop = 0;
  });
  return button;
}
