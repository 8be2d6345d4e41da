"""What only chapter `scb` trains and measures (arXiv 2410.23438); the model itself is in `lib.models.scb`."""

from hal.chapters.scb.models.surrogate import GaussianSurrogate

__all__ = ["GaussianSurrogate"]
