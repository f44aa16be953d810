"""Everything between a question and an answer (答复): query titles retrieve refuse compose revisions pipeline."""
