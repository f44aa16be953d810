"""What a question says (问题): names, numbers, days, places, parts, and what it leans on."""
