"""The figures of the chapter."""
