"""Pure functions on text: no files, no network (文本处理)."""
