"""Builds both models that ship from nothing but texts and questions: ``make models`` (模型训练). Not part of the package.

The way, each step with a fixed seed::

    data list with hashes -> library of the shared texts -> vocabulary and rarities -> table of terms -> trees -> judgement

What it borrows is what answering and ``python -m nemo train`` use: the same retriever, the same features, the same trees
and the same fit of the judgement. README.md beside this file states time, memory and what was reached.
"""
