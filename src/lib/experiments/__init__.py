"""Standard runs of each chapter, shared by its explorers, its claims and its figures."""
