"""Whether what figures say is true at random positions of all their sliders."""
