"""The chapter's runs are those of the six tasks: `textbook.py` trains one of them at five learning rates."""
