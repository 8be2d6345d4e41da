"""The claims SCB-1 ... SCB-34 of the chapter on sparse contextual bigrams (arXiv 2410.23438)."""

from importlib import import_module

CLAIMS = [claim for part in () for claim in import_module(f"lib.claims.scb.{part}").CLAIMS]
