"""`make sentences`: whether what figures say is true at random positions of all their sliders, and who would notice."""
