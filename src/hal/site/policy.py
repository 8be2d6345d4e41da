"""Sphinx extension: what a page may load and run, as a Content-Security-Policy in its head.

Scripts run from files of the site, from blobs (the workers that train), and where a page brings its own, by its digest:
a script that anything else writes into a page does not run. There is no `eval`, no object, no frame, and no address of
another server. Styles may stand in a page, since formulas and figures place their parts by them. `file:` is for the
book from a disk; a page from a server may not load such an address anyway.

Where a browser denies a page its storage (all cookies blocked, a sandboxed frame), the theme's scripts would end at
their first line: there a memory of the page's own stands in, and only the reader's settings are forgotten.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape, unescape
from typing import Any

from sphinx.application import Sphinx

from hal.site.tidy import rewrite_pages
from lib.errors import require

SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.S)
HANDLER = re.compile(r"<[a-z][^<>]*?\son[a-z]+=\"([^\"]*)\"")
META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="[^"]*">')
CHARSET = re.compile(r"<meta charset=[^>]*>")
#: Types of a script that are data and never run.
DATA = re.compile(r'type="application/(?:ld\+)?json"')
HERE = "'self' file:"
STORAGE = """for(const name of["localStorage","sessionStorage"])try{window[name].length}catch{const kept=new Map();\
Object.defineProperty(window,name,{value:{get length(){return kept.size},key:(i)=>[...kept.keys()][i]??null,\
getItem:(k)=>kept.get(String(k))??null,setItem:(k,v)=>void kept.set(String(k),String(v)),\
removeItem:(k)=>void kept.delete(String(k)),clear:()=>kept.clear()}})}"""


def digests(texts: Iterable[str]) -> list[str]:
    """What a policy calls these texts, each once, in order of the digests."""
    return sorted({f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts})


def policy(page: str) -> str:
    """The policy of a page, from its markup.

    Args:
        page: HTML.
    """
    found = SCRIPT.findall(page)
    own = digests(text for given, text in found if " src=" not in given and not DATA.search(given))
    without = SCRIPT.sub("", page)
    handlers = digests(unescape(text) for text in HANDLER.findall(without))
    hashed = " ".join([*own, *handlers, *(["'unsafe-hashes'"] if handlers else [])])
    return (
        f"default-src 'none'; script-src {HERE} blob: {hashed}".rstrip()
        + f"; worker-src blob:; style-src {HERE} 'unsafe-inline'; img-src {HERE} data: blob:; font-src {HERE} data:"
        f"; connect-src {HERE}; form-action {HERE}; object-src 'none'; frame-src 'none'; base-uri 'none'"
    )


def with_policy(page: str) -> str:
    """A page whose head has its policy before anything that is loaded; the same if it is there."""
    page = META.sub("", page)
    place = CHARSET.search(page)
    require(place, "page", "a <meta charset> in its head", page[:80])
    assert place is not None
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(page), quote=False)}">'
    return f"{page[: place.end()]}{meta}{page[place.end() :]}"


def write(app: Sphinx, exception: Exception | None) -> None:
    """Give every page its policy, once nothing else changes it."""
    if exception is not None or app.builder.format != "html":
        return
    rewrite_pages(app, lambda _, page: with_policy(page))


def stand_in(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Put what stands in for a denied storage to the head of a page, before the theme's first script."""
    context["metatags"] = f"<script>{STORAGE}</script>{context.get('metatags', '')}"


def setup(app: Sphinx) -> dict[str, object]:
    """Register the extension; called by Sphinx."""
    app.connect("html-page-context", stand_in)
    app.connect("build-finished", write, priority=990)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
