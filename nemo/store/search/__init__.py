"""The derived indexes: lexical, exact and approximate, and who may answer (检索索引)."""
