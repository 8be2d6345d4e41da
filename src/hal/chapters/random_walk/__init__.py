"""Random walks: what the chapter runs, shows, draws and claims."""
