"""Word documents, new and old (Word)."""
