"""Plain text, OFD, archives (其他格式)."""
