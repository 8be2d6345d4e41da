"""The figures of the chapter on sparse contextual bigrams, a module each; theory is dashed on top."""
