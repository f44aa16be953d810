"""The held regulations on the page: list, one regulation, versions, relations (资料库)."""
