"""The explorers of the chapter, one a file: run, sliders, panels and sentence."""
