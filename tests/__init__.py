"""The tests, a folder for the shared core, the explorer, the site, each chapter."""
