"""The library of *How Attention Learns*: models, optimisers, training, sweeps and theory of one-layer transformers.

`import lib` is light: it loads neither torch nor matplotlib nor a widget library. Import what you need:
`lib.models.scb`, `lib.theory.scb`, `lib.optim`, `lib.train`, `lib.sweep`. The book that is made of it is `hal`.
"""

__version__ = "0.2.0"
