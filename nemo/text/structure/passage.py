"""What a search engine sees of a chunk beside its own words: the title and the headings it stands under.

They are never stored in the chunk, whose text stays a slice of the regulation.
"""

from nemo.text.structure import tables
from nemo.types import HEADINGS, Chunk, Level, Regulation, Span


def headings(regulation: Regulation, span: Span) -> str:
    """Return the headings above ``span``, outermost first: ``第二章 并网管理 第一节 申请``; empty when there are none.

    A row of a table stands under the table's caption, its columns, and its group too.
    """
    words = []
    for provision in regulation.chain(span):
        if provision.level in HEADINGS:
            words.append(f"{provision.number} {provision.heading}".strip())
        elif provision.level is Level.OUTLINE and provision.heading and provision.span != span:
            words.append(provision.heading)
    if (found := tables.row_at(regulation.text, span)) is not None:
        words.append(tables.context(*found, regulation.text))
    return " ".join(words)


def passage(regulation: Regulation, chunk: Chunk) -> str:
    """Return the text an embedder is given for a chunk: short title, headings and words, one a line."""
    return "\n".join((regulation.short_title or regulation.title, headings(regulation, chunk.span), chunk.text))
