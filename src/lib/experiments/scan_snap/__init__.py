"""The standard runs of Scan and Snap (arXiv 2305.16380): what claims, explorers and figures of the chapter share."""
