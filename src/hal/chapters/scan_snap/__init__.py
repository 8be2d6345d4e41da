"""Chapter 2, scan and snap (arXiv 2305.16380): what it runs, shows, draws and claims."""
