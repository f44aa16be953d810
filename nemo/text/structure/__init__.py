"""From the lines of a document to its tree of provisions and its chunks (结构)."""
