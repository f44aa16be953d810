"""Collecting on a schedule, what it changes, and who is notified (采集与变更)."""
