"""How good the answers are: golden sets and their runs (评测)."""
