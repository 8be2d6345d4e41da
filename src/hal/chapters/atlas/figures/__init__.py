"""The figures of the chapter, a module each."""
