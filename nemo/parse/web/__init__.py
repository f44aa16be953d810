"""Web pages (网页)."""
