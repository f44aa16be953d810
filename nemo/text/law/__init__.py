"""What the words say in law: commencement, history, references, repeals (法律含义)."""
