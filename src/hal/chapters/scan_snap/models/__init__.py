"""Models of chapter `scan_snap` beside the one that it prints: its limit of small steps, a player, one for text."""
