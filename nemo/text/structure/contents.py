"""Lines that are no text: tables of contents and page numbers (目录、页码)."""

import re
from collections.abc import Sequence
from dataclasses import replace

from nemo.text.structure.lines import TextLine
from nemo.text.words.normalise import squash
from nemo.text.words.openings import read_head
from nemo.types import Level

_TITLE = re.compile(r"目[\s\u3000]*[录次]")
_LEADERS = re.compile(
    r"(?:[.．·…⋯─]{4,}|[.．·…⋯─]{3,}(?=\s*[（(—–-]?\s*\d)|(?:[.．·…]\s){4,})\s*[（(—–-]?\s*\d{0,4}\s*[)）—–-]?$"
)
_TAIL = re.compile(r"[\s.．·…⋯\d（）()—–-]+$")
_PAGE_NUMBER = re.compile(
    r"[—–\-－]\s*\d{1,4}\s*[—–\-－]|[\[［]?第\s*\d{1,4}\s*页[\]］]?(?:\s*[,，/]?\s*共\s*\d{1,4}\s*页)?|\d{1,4}\s*/\s*\d{1,4}"
)
_TAIL_LENGTH = 80
"""Characters at the end of a line among which leaders and a page number are looked for."""
_LONGEST = 500


def without_contents(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines of the text proper, without a table of contents, its leaders, and printed page numbers."""
    kept: list[TextLine] = []
    turned = False
    leaders = [_LEADERS.search(line.text[-_TAIL_LENGTH:]) is not None for line in lines]
    for line, listed, above, below in zip(lines, leaders, [False, *leaders], [*leaders[1:], False], strict=False):
        if _PAGE_NUMBER.fullmatch(line.text):
            turned = True
        elif not listed and not (above and below):  # between two entries stands the first line of a long one
            kept.append(replace(line, after_page=True, after_blank=False) if turned else line)
            turned = False
    for index, line in enumerate(kept):
        if _TITLE.fullmatch(line.text):
            return kept[:index] + kept[_end_of_contents(kept, index) :]
    return kept


def _end_of_contents(lines: Sequence[TextLine], title: int) -> int:
    """Return the index of the first line after the table of contents that begins at ``title``.

    Its first entry stands again where the text proper begins; a note or preamble between the two is text as well.
    """
    start = title + 1
    if start >= len(lines):
        return start
    listed = _repeated_entries(lines, start)
    if listed > 1:
        return start + listed
    first = _key(lines[start].text)
    for index in range(start + 1, min(len(lines), start + _LONGEST)):
        if _key(lines[index].text) == first:
            return index
        if _is_text(lines[index]):
            break
    end = start
    while end < len(lines) and _is_entry(lines[end]) and lines[end].text[-1:].isdigit():
        end += 1
    return end


def _repeated_entries(lines: Sequence[TextLine], start: int) -> int:
    """Return how many headings from ``start`` on follow one another and all stand again, in this order, further on."""
    end = start
    while end < len(lines) and _is_entry(lines[end]):
        end += 1
    keys = [_key(line.text) for line in lines[start:end]]
    rest = (_key(line.text) for line in lines[end : end + _LONGEST * 10])
    return len(keys) if all(key in rest for key in keys) else 0


def _key(words: str) -> str:
    return squash(words[:-_TAIL_LENGTH] + _TAIL.sub("", words[-_TAIL_LENGTH:]))


def _is_entry(line: TextLine) -> bool:
    head = read_head(line.text)
    return (head is not None and head.level is not Level.ARTICLE) or line.text[0] == "附"


def _is_text(line: TextLine) -> bool:
    head = read_head(line.text)
    return (line.ended and line.measure > 40) or (
        head is not None and head.level is Level.ARTICLE and line.measure > 40
    )
