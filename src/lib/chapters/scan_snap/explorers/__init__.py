"""The explorers of the chapter on scan and snap, one a file: run, sliders, panels and sentence."""
