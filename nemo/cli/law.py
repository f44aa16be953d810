"""Commands about the law over time."""
