"""Runs of the chapter that take too long for a page, each with the module that records it."""
