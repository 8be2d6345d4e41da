"""What is learned: one package or module per paper, named by its slug."""
