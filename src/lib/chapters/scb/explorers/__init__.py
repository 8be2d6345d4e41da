"""The explorers of the chapter on sparse contextual bigrams, one a file: run, sliders, panels and sentence."""
