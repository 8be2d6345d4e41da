"""How still pictures are written: their document, colours and images. What holds of each is in test_figures."""

import base64
import io

import pytest
from PIL import Image

from hal.figure.built import _CANVAS, _png
from tests.figure.engine import engine, page_value
from tests.figure.toy_smalls import small

PAGE = engine("paper")
CSS = "/* a */ .x, .z { --c: #0072b2 } .x > g * { fill: var(--c) } .y { fill: none } @media print { .x { fill: red } }"
TEXT = '<text x="1">a &lt; b <tspan dy="3">1</tspan></text>'


def written(markup, css=CSS):
    """The markup as a printer writes it, in a node of class x, and its style sheet."""
    code = f"""(() => {{
      const [root, printer] = [new PaperNode("svg"), makePrinter({css!r}, [])];
      root.setAttribute("class", "x");
      root.innerHTML = {markup!r};
      return [printer.write(root), printer.sheet()];
    }})()"""
    return page_value(PAGE, code)


@pytest.mark.parametrize(
    ("markup", "inside", "sheet"),
    [
        ('<g><path d="M0,0"/></g>', '<g><path d="M0,0" class="l0"/></g>', ".l0{fill:#0072b2}"),
        ('<g><path style="--c:#111" d="M1,1"/></g>', '<g><path d="M1,1" class="l0"/></g>', ".l0{fill:#111}"),
        ('<path class="y" d="M1,1"/>', '<path d="M1,1" class="l0"/>', ".l0{fill:none}"),
        (TEXT, TEXT, ""),
        ('<g id="a"/><rect clip-path="url(#long)" x="2" role="img"/>', '<rect clip-path="url(#c0)" x="2"/>', ""),
        ('<path/><g></g><text></text><rect visibility="hidden"/><rect class="le-catcher"/>', "", ""),
    ],
)  # fmt: skip
def test_what_is_seen_is_written_with_the_look_that_the_style_sheet_gives(markup, inside, sheet):
    assert written(markup) == [f"<svg>{inside}</svg>" if inside else "<svg/>", sheet]


def test_later_and_narrower_rules_win():
    css = ".a { fill: red } .b { fill: blue } .a.b { fill: green } .c { fill: pink !important } rect { fill: grey }"
    for names, fill in (("a", "red"), ("b a", "green"), ("b", "blue"), ("a b c", "pink"), ("", "grey")):
        assert written(f'<rect class="{names}"/>', css)[1] == f".l0{{fill:{fill}}}"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('resolved("var(--a, #123456)", {})', "#123456"),
        ('resolved("var(--a)", {"--a": "var(--b)", "--b": "#fff"})', "#fff"),
        ('resolved("color-mix(in oklab, var(--a) 100%, #000)", { "--a": "#D55E00" })', "#D55E00"),
        ('mixed("#ffffff", 0.5, "#000000")', "#636363"), ('mixed("#0072b2", 0.24, "#ffffff")', "#c9ddee"),
        ('mixed("#fff", 1, "#000")', "#ffffff"),
    ],
)  # fmt: skip
def test_colours_are_resolved_as_a_browser_does(code, expected):
    assert page_value(PAGE, code) == expected


def test_canvas_becomes_an_image_of_the_same_pixels():
    colours = [(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (1, 2, 3, 60), (9, 9, 9, 0), (255, 0, 0, 255)]
    data = [one for colour in colours for one in colour]
    address = page_value(PAGE, f"pixelsOf({{ width: 3, height: 2, data: {data} }})")
    kind, text = _CANVAS.sub(_png, address).split(",")
    assert kind == "data:image/png;base64"
    image = Image.open(io.BytesIO(base64.b64decode(text)))
    assert (image.size, image.mode) == ((3, 2), "RGBA")
    assert [image.getpixel((i % 3, i // 3)) for i in range(6)] == colours


def test_still_picture_is_drawn_where_the_sliders_stand():
    figure, stills = small("columns"), []
    for level in (0.3, 0.8):
        figure.built.compute(figure.check({"level": level}), 0, figure.precomputed_runs)
        stills.append(figure.built.still(figure.check({"level": level})))
    assert stills[0] != stills[1]
