"""Broken formulas that a test or a claim should notice: `python -m benchmarks.mutants` (`make mutants`).

`operators` breaks a formula, `places` finds all that can be broken and takes a seeded sample, `watchers` measures which
tests and claims run a function, `child` runs them on a broken copy of the library, `hunt` has one mutant after the
other looked for, and `record` keeps what came out for the performance page.
"""
