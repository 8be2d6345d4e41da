"""A small transformer for real text: one attention layer without positions, with embeddings.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 (real-world dataset) and Appendix G: the ordinary
parameterisation with embeddings, trained by SGD; width, normalisations and the starts are ours.

Normalisation is the point here, so torch differentiates; it is imported inside the functions. Parameters are NumPy
arrays (R, ...) as everywhere, so that `lib.train` and `lib.optim` do the training; a step is computed in float32, run
by run and on one thread, so that a run among many equals the run alone, bit for bit. Losses and entropies are in nats.
Ids and sizes that do not fit are refused with an `InputError`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.sampling import Rngs

Array = NDArray[np.float64]
Tokens = NDArray[np.int64]

EMBEDDING = 0.1  # half-width of the uniform start of the embedding, as in the usual word language models
_EPS = 1e-8  # keeps the norm of an empty context (the first position) at 0


class TextParams(NamedTuple):
    """Parameters of R runs: V tokens, width d."""

    E: Array  #: (R, V, d) embedding of the input tokens
    W_Q: Array  #: (R, d, d)
    W_K: Array  #: (R, d, d)
    W_V: Array  #: (R, d, d)
    U: Array  #: (R, d, V) output layer


class TextModel:
    """A text, ids (N,) from 0, with the model, in the form that `lib.train.train` asks for.

    A window is T + 1 tokens, T >= 2. Each of its tokens but the first and the last is a query: it attends to the tokens
    before it, never to itself, without positions, and predicts the token after it, with embeddings x:

        s = softmax(x_q W_Q (x_k W_K)^T / sqrt(d)) over the tokens k before q,
        logits = RMS(x_q + RMS(s x W_V)) U,    RMS(v) = v / sqrt(mean(v^2)).
    """

    def __init__(self, tokens: Tokens, window: int = 35, width: int = 64) -> None:
        kind = tokens.ndim == 1 and tokens.dtype.kind == "i"
        require(kind, "tokens", "integer ids (N,)", (tokens.shape, tokens.dtype))
        require(window >= 2, "window", "at least 2 tokens", window)
        require(len(tokens) > window, "tokens", f"more than {window} tokens", len(tokens))
        self.tokens, self.window, self.width = tokens, window, width

    def init(self, runs: int, rngs: Rngs) -> TextParams:
        """A random start for all ids of the text; see `random_start`."""
        return random_start(int(self.tokens.max()) + 1, self.width, rngs)

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Tokens:
        """Windows (R, batch, T + 1) that start anywhere in the text, run r from rngs[r] alone."""
        starts = np.stack([rng.integers(0, len(self.tokens) - self.window, size=batch) for rng in rngs])
        return self.tokens[starts[..., None] + np.arange(self.window + 1)]

    def loss_and_gradient(self, params: TextParams, batch: Tokens) -> tuple[Array, TextParams]:
        """Mean cross-entropy (R,) over the queries of each run's windows (R, B, T + 1), and its gradient."""
        import torch

        require(batch.ndim == 3 and len(batch) == len(params.E), "batch", f"({len(params.E)}, B, T + 1)", batch.shape)
        _check_ids("batch", params, batch)
        loss, gradient = np.empty(len(batch)), TextParams(*(np.empty_like(x) for x in params))
        with _one_thread():
            for r, tokens in enumerate(batch):
                leaves = [leaf.requires_grad_() for leaf in _leaves(params, r)]
                value = _forward(leaves, tokens)[0]
                for field, slope in zip(gradient, torch.autograd.grad(value, leaves), strict=True):
                    field[r] = slope.numpy()
                loss[r] = float(value.detach())
        return loss, gradient


def random_start(vocabulary: int, width: int, rngs: Rngs) -> TextParams:
    """Embedding uniform in +-0.1, the matrices uniform in +-1/sqrt(width), as in word language models and linear
    layers; `vocabulary` is V, at least 2; run r depends on rngs[r] alone."""
    require(vocabulary >= 2, "vocabulary", "at least 2 token ids", vocabulary)
    require(width >= 1, "width", "at least 1", width)
    square, bound = (width, width), width**-0.5
    bounds = [((vocabulary, width), EMBEDDING), *[(square, bound)] * 3, ((width, vocabulary), bound)]
    return TextParams(*(np.stack([rng.uniform(-b, b, size=s) for rng in rngs]) for s, b in bounds))


def evaluate(params: TextParams, windows: Tokens) -> Array:
    """(R, 2) cross-entropy and entropy of attention on windows (W, T + 1), means over windows and queries."""
    import torch

    _check_windows(params, windows)
    out = np.empty((len(params.E), 2))
    with _one_thread(), torch.no_grad():
        for r in range(len(out)):
            loss, maps = _forward(_leaves(params, r), windows)
            out[r] = float(loss), attention_entropy(maps.double().numpy())
    return out


def attention(params: TextParams, windows: Tokens) -> Array:
    """Attention maps (R, W, T, T) on windows (W, T + 1): row q holds the weights of the tokens before q, row 0 none."""
    import torch

    _check_windows(params, windows)
    with _one_thread(), torch.no_grad():
        maps = [_forward(_leaves(params, r), windows)[1] for r in range(len(params.E))]
    return torch.stack(maps).double().numpy()


def attention_entropy(maps: Array) -> float:
    """Entropy of maps (W, T, T), mean over windows and over the queries 1 .. T - 1."""
    terms = maps * np.log(np.where(maps > 0, maps, 1.0))
    return float(-terms.sum(axis=-1)[..., 1:].mean(axis=(-2, -1)))


def uniform_entropy(window: int) -> float:
    """Entropy of uniform attention, mean over the queries of a window of T >= 2 tokens: ln((T - 1)!) / (T - 1)."""
    require(window >= 2, "window", "at least 2 tokens", window)
    return float(np.log(np.arange(1, window)).mean())


def _check_windows(params: TextParams, windows: Tokens) -> None:
    require(windows.ndim == 2 and windows.shape[1] >= 3, "windows", "(W, T + 1) ids, T >= 2", windows.shape)
    _check_ids("windows", params, windows)


def _check_ids(name: str, params: TextParams, ids: Tokens) -> None:
    vocabulary = params.E.shape[1]
    good = ids.dtype.kind == "i" and ids.size > 0 and ids.min() >= 0 and ids.max() < vocabulary
    require(good, name, f"integer ids from 0 to {vocabulary - 1}", f"{ids.dtype}, shape {ids.shape}, or ids outside")


def _leaves(params: TextParams, r: int) -> list[Any]:
    """Run r as float32 tensors, copies."""
    import torch

    return [torch.from_numpy(x[r].astype(np.float32)) for x in params]


def _forward(leaves: list[Any], windows: Tokens) -> tuple[Any, Any]:
    """Mean cross-entropy of one run on windows (B, T + 1), and its attention (B, T, T)."""
    import torch

    E, Q, K, V, U = leaves
    tokens = torch.from_numpy(windows)
    x = E[tokens[:, :-1]]
    T, width = x.shape[1:]
    before = torch.ones(T, T, dtype=torch.bool).tril(-1)
    scores = (x @ Q) @ (x @ K).transpose(1, 2) / width**0.5
    # the first row is masked throughout: its softmax is meaningless but finite, and set to 0
    maps = torch.softmax(scores.masked_fill(~before, -1e30), -1) * before
    logits = _rms(x + _rms(maps @ (x @ V)))[:, 1:] @ U
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 2:].flatten()), maps


def _rms(x: Any) -> Any:
    """Vectors (..., d) divided by their root mean square; a zero vector stays zero."""
    return x * (x.square().mean(-1, keepdim=True) + _EPS).rsqrt()


@contextmanager
def _one_thread() -> Iterator[None]:
    """One thread while it lasts: with several a sum may be cut differently, and a run would not repeat bit for bit."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
