"""Collecting on a schedule, what it changes, and who is told of it (采集与变更)."""
