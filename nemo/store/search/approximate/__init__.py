"""The approximate vector index and all its nursing (近似检索)."""
