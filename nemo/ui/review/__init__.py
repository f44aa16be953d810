"""Review of quotes and evaluation on the page (复核、评测)."""
