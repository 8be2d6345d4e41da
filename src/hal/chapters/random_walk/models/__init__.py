"""What only this chapter trains: the layer without its symmetry, the knife edge, questions, a player; other graphs."""
