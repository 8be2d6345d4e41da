"""The words of the book are the field's: where we once had a word of our own, the standard term stands.

Each row is a pattern of the word that is gone and what to say. Searched are the text of a chapter, its captions, what
its figures say and what its claims state, without code, formulas and addresses. A hit is a question, not a verdict:
what may stay is listed with its reason, and a reason whose words are gone is struck off.
"""

import ast
import json
import re

import pytest

from hal import claims
from tests.packages import HAL
from tests.prose import Prose

#: Chapters whose words are done; the list grows. With each, the modules of figures that are still to be told anew.
DONE: dict[str, set[str]] = {
    "scb": set(),
    "scan_snap": set(),
    "one_nn": {"_shared.py", "labels.py", "rates.py", "shift.py", "training.py"},
    "group_sparse": set(),
}

EVERYWHERE = {
    r"\blaws?\b": "distribution; law only of a named formula, else prediction",
    r"\bchances?\b": "probability",
    r"\bright in\b|\balways right\b|\bright answers?\b": "accuracy, correct",
    r"as often as (?:one|it) can": "the best possible accuracy",
    r"\bshares?\b": "fraction, proportion, weight of attention",
    r"\bsome \d": "about",
    r"\bfor good\b": "permanently",
    r"\bfor ever\b|\bforever\b": "without bound",
    r"\bit pays\b|\bpays for\b": "is worth it, costs",
    r"\balike\b|\bevenly\b": "uniformly for attention, equally elsewhere",
    r"\bthe (?:paper's |random )?start\b|\brandom starts?\b": "initialisation",
    r"\b(?:larger|smaller|higher|lower|base|both|two|same|different|constant|fixed|given) rates?\b": "learning rate",
    r"\bsquared lengths?\b|\bof length one\b|\bunit length\b": "squared norm, unit vector",
    r"(?<!standard )\bdeviations?\b": "standard deviation",
    r"\bthe middle (?:of|one|run)\b|\bin the middle\b": "the median",
    r"\bfresh examples?\b": "test examples, held-out",
    r"\bby heart\b|\bknows its examples\b": "memorises, fits its training examples",
    r"\brules?\b": "predictor, classifier",
    r"\bscores?\b": "attention logit before the softmax, attention weight after it",
    r"\b(?:two|three|four|six|seven) numbers\b": "scalars, parameters",
    r"\bbeside\b": "outside, next to",
    r"\b(?:samples|tokens|steps|nats|one|prompts|runs|times) an? (?:step|class|row|sequence|point|seed)\b": "per",
    r"\bfrom (?:step|batch|lag) \S+ on\b|\bfrom \w+ (?:tokens|samples|examples|steps) on\b": "onwards, after",
    r"\bAt the edges\b": "More to try, folded",
    r"\bWhat to look for\b": "How to read it",
    r"\bmeasurement and statements part\b": "Where theory and experiment disagree",
    r"\*\*Limits\.\*\*": "Limitations.",
    r"[;,] (?:the \w+ )?ours\b": "(new here)",
    r"\breads? no\b|\breading nothing\b": "ignores the examples",
    r"\bwho (?:knows|forgets)\b": "a predictor that knows, without",
    r"\bcan be told\b|\btells (?:that|which|how|whether)\b": "shows, reveals, predicts",
    r"[\d}] %": "the percent sign closed up",
}
CHAPTER = {
    "scb": {
        r"\b(?:the|a|first) push\b": "initial drift",
        r"\b(?:the|a|same) pull\b|\bpulled towards\b": "the gradient drives",
        r"\bspeckle\b": "noise",
    },
    "scan_snap": {r"\btelling\b": "informative tokens", r"\btexts\b": "sequences"},
    "one_nn": {
        r"\bpull\b": "inverse temperature",
        r"(?<!self-attention )\bmask\b": "self-attention mask",
        r"\bsee each other\b": "kernel predictor without normalisation",
    },
    "group_sparse": {
        r"\bgroup that decides\b": "the relevant group",
        r"\blinear rule\b": "linear classifier",
        r"\bduller\b": "less concentrated",
    },
    "random_walk": {
        r"\bplaces?\b": "position",
        r"\bby turns\b": "shift, circulant",
        r"\bturns? to(?:wards)?\b": "aligns with",
        r"\bdrift\b": "bias, biased walk",
        r"\bfair coin\b": "unbiased walk",
        r"\bridge\b": "unstable fixed point",
        r"\bancestors?\b|\bgrandparents?\b": "lag",
    },
    "linear_block": {
        r"(?<!the )\bBayes (?!predictor|risk)": "the Bayes predictor, Bayes risk",
        r"\bstairs?\b": "staircase",
        r"\bdies\b|\bis dead\b|\balive\b": "is zero, vanishes, nonzero",
        r"\bmakeshift\b|\bstands in for\b": "imitates",
        r"\bhides the signal\b": "low signal-to-noise ratio",
    },
}
#: Of chapters that are done: a pattern of what may stay, and why.
MAY_STAY: dict[str, dict[str, str]] = {
    "scb": {
        r"\bsign law\b": "the name of one formula, the probability of the true sign",
        r"\bpower law\b": "the field's word for a power of the time",
        r"### Two numbers are enough": "a heading, plainer than scalars; the text below has both words",
    },
    "one_nn": {
        r"\blate laws?\b": "the name of one formula, of loss and inverse temperature late in training",
        r"\bchain rule\b": "the name of a theorem of analysis",
        r"\(one_nn-late-law\)": "the label of an equation, no text",
        r"### Two numbers are enough": "a heading, plainer than scalars; the text below has both words",
        r"Two numbers of a matrix": "the title of a figure, plainer than scalars",
    },
    "group_sparse": {
        r"\blate laws?\b": "the name of one proposition's formulas",
        r"\bRight answers, wrong mechanism\b": "the title of a figure",
        r"\bchain rule\b": "the theorem of calculus",
        r"\bthrough the middle of one picture\b": "a point of a picture, no median",
    },
}

#: Of a sentence, when it is said: no words of it.
CONDITION = re.compile(r"[\w.]+ (?:[=!<>]=|[<>]) [\w.+-]+")


def bare(text):
    """Text without code, formulas, labels and addresses."""
    text = re.sub(r"^:label: \S+$|^\([\w-]+\)=$", "", text, flags=re.M)
    text = re.sub(r"```.*?```|~~~.*?~~~|`[^`]*`|\]\([^)]*\)|\$\$.*?\$\$|\$[^$]*\$", " · ", text, flags=re.S)
    return re.sub(r"\s+", " ", text)


def strings(source):
    """What a module says to a reader: its strings of more than one word, less docstrings."""
    tree, found = ast.parse(source), []
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    skipped = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and docstring(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            skipped |= {id(part) for one in node.values for part in ast.walk(one)}
            found += [said for said in ["".join(parts)] if " " in said.strip()]
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in skipped]
    found += [node.value for node in constants if isinstance(node.value, str) and " " in node.value.strip()]
    return [re.sub(r"\{[^}]*\}", "{}", text) for text in found if not CONDITION.fullmatch(text)]


def docstring(node):
    return ast.get_docstring(node) is not None


def texts(slug):
    """What a reader of the chapter reads, by where it stands."""
    notation = HAL / "chapters" / slug / "notation.md"
    found = {"text": Prose(slug).text, "notation.md": notation.read_text(encoding="utf-8")}
    for path in sorted((HAL / "chapters" / slug / "figures").glob("*.py")):
        found[path.name] = "\n".join(strings(path.read_text(encoding="utf-8")))
    for claim in claims.all():
        if claim.paper == slug:
            found[claim.id] = "\n".join((claim.says, claim.where, claim.breaks, claim.regime))
    row = HAL / "chapters" / slug / "row.json"
    if row.is_file():
        found["row.json"] = "\n".join(cell["text"] for cell in json.loads(row.read_text(encoding="utf-8")).values())
    return {where: bare(text) for where, text in found.items()}


def hits(text, slug, stays=()):
    """Words of the left column in a text, with what to say in their place."""
    for pattern in stays:
        text = re.sub(pattern, " · ", text, flags=re.I)
    return [
        f"…{text[max(0, hit.start() - 40) : hit.end() + 30]}… → {say}"
        for pattern, say in (EVERYWHERE | CHAPTER.get(slug, {})).items()
        for hit in re.finditer(pattern, text, re.I)
    ]


@pytest.mark.parametrize("slug", DONE)
def test_a_chapter_says_the_field_s_terms(slug):
    stays = MAY_STAY.get(slug, {})
    found = {where: hits(text, slug, stays) for where, text in texts(slug).items()}
    assert {where: lines for where, lines in found.items() if lines and where not in DONE[slug]} == {}
    assert {where for where in DONE[slug] if not found.get(where)} == set(), "told anew: strike it off"


@pytest.mark.parametrize("slug", DONE)
def test_what_may_stay_is_there_and_has_a_reason(slug):
    everything = "\n".join(texts(slug).values())
    for pattern, why in MAY_STAY.get(slug, {}).items():
        assert re.search(pattern, everything, re.I), f"{pattern} is gone"
        assert hits(re.search(pattern, everything, re.I)[0], slug), f"{pattern} holds no word that was asked about"
        assert len(why) > 16, pattern


def test_the_search_finds_what_it_is_made_for():
    before = {
        "scb": "the law of the tokens; the push of size 1; looks everywhere alike; noise beside the signal; 70 % of",
        "one_nn": "the pull",
        "random_walk": "the drift of a walk from a fair coin to its ancestor, samples a step, from step 3 on",
    }
    assert [len(hits(bare(text), slug)) for slug, text in before.items()] == [5, 1, 5]
    after = "the token distribution; an initial drift; uniform attention; outside the signal; 70% of; per step"
    assert hits(bare(after), "scb") == []
    assert hits(bare("code `law`, a formula $law$ and [words](#law:beside=1)"), "scb") == []
    assert hits("the sign law holds", "scb", [r"\bsign law\b"]) == []


def test_only_what_a_reader_reads_is_searched():
    source = '"""A law."""\nNAME = "law"\nSAY = f"The law says {NAME:0} of it."\nx = Say("An even law", "law == 1")\n'
    assert sorted(strings(source)) == ["An even law", "The law says {} of it."]
