"""Question and answer on the page (问答)."""
