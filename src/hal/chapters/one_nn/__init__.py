"""The nearest neighbour in context: what the chapter runs, shows, draws and claims."""
