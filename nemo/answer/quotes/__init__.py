"""From ranked provisions to what is quoted, and what is said of it (引文)."""
