"""Benchmarks: speed, quality of answers, understanding of law. Not shipped with the product."""
