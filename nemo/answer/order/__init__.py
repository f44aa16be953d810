"""Which rule comes first, and which belong together (适用顺序)."""
