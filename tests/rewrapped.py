"""Real texts broken into lines the way a PDF page breaks them, with the way back to the original (重新折行)."""

import re

_HANGING = frozenset("，。；：、）》”’？！.,;:)〉』」…")
_LEAD = re.compile(r"[\s#\u3000\u200b]*")
BLANKS = " \u3000"


def rewrap(text: str, width: int, *, blanks: bool, indent: bool) -> tuple[str, list[int]]:
    """Break ``text``, one paragraph a line, into lines of ``width`` characters.

    A paragraph opens two characters in, a heading stands in the middle, and closing marks may hang out by one or two.

    Args:
        text: the original; ``#`` marks of headings and comments are left out.
        width: characters a line.
        blanks: keep the blanks inside lines; an extractor often loses them all.
        indent: keep the indentation; an extractor often loses that as well.

    Returns:
        The broken text, and for every character of it and its end the place in the original.
    """
    page = _Page(width, blanks)
    start = 0
    for line in text.split("\n"):
        if not line.lstrip().startswith("<!--"):
            lead = _LEAD.match(line)
            assert lead is not None
            body = line[lead.end() :].rstrip()
            if body:
                heading = "#" in lead[0]
                shift = (width - len(body)) // 2 if heading else 2
                page.paragraph(body, start + lead.end(), max(0, shift) if indent else 0, 0 if heading else 2)
        start += len(line) + 1
    page.origin.append(len(text))
    return "".join(page.out), page.origin


class _Page:
    def __init__(self, width: int, blanks: bool) -> None:
        self.out: list[str] = []
        self.origin: list[int] = []
        self._width = width
        self._blanks = blanks

    def _put(self, char: str, place: int) -> None:
        self.out.append(char)
        self.origin.append(place)

    def paragraph(self, body: str, start: int, indent: int, column: int) -> None:
        for _ in range(indent):
            self._put("\u3000", start)
        for place, char in enumerate(body, start):
            if char in BLANKS and not self._blanks:
                continue
            if column >= self._width and not (char in _HANGING and column < self._width + 2):
                self._put("\n", place)
                column = 0
            if column == 0 and char in BLANKS:
                continue
            self._put(char, place)
            column += 1
        self._put("\n", start + len(body))
