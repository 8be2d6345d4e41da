"""The explorers of the chapter on sparse contextual bigrams, one a file: run, sliders, panels and sentence."""

from lib.chapters.scb.explorers import flow, prox, sign, stages, transfer

__all__ = ["flow", "prox", "sign", "stages", "transfer"]
