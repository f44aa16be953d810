"""Letters, words, sentences, numerals and days, before any reading of law (词句)."""
