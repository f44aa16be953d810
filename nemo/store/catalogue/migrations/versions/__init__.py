"""One module per step, named by its number. A published step is never edited."""
