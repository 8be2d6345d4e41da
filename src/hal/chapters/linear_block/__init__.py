"""The linear transformer block: what the chapter runs, shows, draws and claims."""
