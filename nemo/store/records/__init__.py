"""What is kept beside the law: answers, reviews, jobs, failures, audit (记录)."""
