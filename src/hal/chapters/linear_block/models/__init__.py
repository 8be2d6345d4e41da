"""What only this chapter trains: drawn prompts, the flow of one step, stacks of layers, a GPT-style model."""
