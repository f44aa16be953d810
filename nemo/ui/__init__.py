"""What pages share: the frame, safe text, the question form, answers, the library, intake and background jobs."""
