"""What is written beside quotes (引文之外): English, a summary, each held against the quotes."""
