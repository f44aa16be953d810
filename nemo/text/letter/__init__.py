"""The form of an official letter: title, number, signature, nature, what it encloses (公文要素)."""
