"""The approximate vector index and what keeps it whole (近似检索)."""
