"""The six tasks, each a file, and one optimiser for all: `textbook.py` trains one of them, `textbook_six.py` all."""
