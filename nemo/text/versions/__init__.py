"""One version against another: succession, matching, edits (版本对照)."""
