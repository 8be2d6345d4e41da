"""How Attention Learns: models, optimisers, theory, claims and the explorer behind the book.

`import lib` is light: it loads neither torch nor matplotlib nor a widget library. Import what you need:
`lib.models.scb`, `lib.theory.scb`, `lib.optim`, `lib.train`, `lib.sweep`, `lib.claims`, `lib.explorer`.
"""

__version__ = "0.1.0"
