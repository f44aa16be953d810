"""The lake: the catalogue (the only truth) and the indexes derived from it (资料库)."""
