"""What the papers predict. Nothing here imports a model, an optimiser or the training loop."""
