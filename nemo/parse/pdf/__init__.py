"""PDF and scans: printed characters, lines, tables, page images (PDF)."""
