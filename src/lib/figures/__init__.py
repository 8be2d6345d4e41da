"""Drawings of each chapter: data in, a matplotlib figure or explorer panels out. No training, no sampling."""
