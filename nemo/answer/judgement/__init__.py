"""Whether candidates are evidence (证据): they hold what the question says."""
