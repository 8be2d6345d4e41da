"""Chapter 1, sparse contextual bigrams (arXiv 2410.23438): what it runs, shows, draws and claims."""
