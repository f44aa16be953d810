"""The facts a regulation is filed under: issuer, level, topic, description (著录)."""
