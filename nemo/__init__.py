"""Nemo: verbatim answers from Chinese energy regulation, or an honest refusal."""
