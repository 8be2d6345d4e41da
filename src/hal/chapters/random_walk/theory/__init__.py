"""What only this chapter draws and claims: the knife edge, random starts, parity, the map of lags."""
