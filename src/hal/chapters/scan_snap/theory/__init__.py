"""Theory of chapter `scan_snap` beside that of the library: dynamics to integrate, what figures draw of them."""
