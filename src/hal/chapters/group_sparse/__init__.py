"""Group-sparse classification: what the chapter runs, shows, draws and claims."""
