"""One mechanism in six tasks: what the chapter runs, shows, draws and claims."""
