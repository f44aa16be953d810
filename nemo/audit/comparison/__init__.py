"""Whether words of a memo say what a provision says (比对)."""
