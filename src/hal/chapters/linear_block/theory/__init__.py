"""What only this chapter draws and claims of one step and of attention alone."""
