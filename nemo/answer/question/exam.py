"""A question in the form of an examination (试题): its stem is what is asked, its options are others' guesses at it."""

import re

FORM = r"(?:单项?选择?|多项?选择?|不定项选?择?|判断|填空|简答|问答|名词解释|论述)题?"
OPENS = re.compile(
    rf"^\s*(?:\d{{1,3}}\s?[.、．)）]\s?)?(?:[（(【\[]\s?{FORM}\s?[）)】\]][：:、,，.]?|{FORM}[：:、]|(?<=[.、．)）])(?=\D))\s*"
)
"""The number and the kind of a question before its stem (12. 【单选】)."""
BLANK = re.compile(r"[（(]\s*[）)]|_{2,}|＿{2,}|﹍{2,}")
"""What is to be filled in."""
LETTERS = "ABCDEFGH"
LETTERED = re.compile(
    rf"(?:(?<=[\s（）()_?？。：:；;，,])|(?<=[\u4e00-\u9fa5])(?=[A-H][.．、：:)）]))[（(]?(?P<letter>[{LETTERS}])(?:\s?[.．、：:)）]\s?|\s|(?=[\u4e00-\u9fa5]))"
)
"""The letter of an option, set off from the words before it or from its own."""
LEAST_OPTIONS, LEAST_STEM = 2, 8
LEADS = re.compile(r"[?？。：:_]$|[是为有括]$")
"""Ends a stem before its options."""


def readings(text: str) -> tuple[str, ...]:
    """Return what an examination asks: its stem, and its stem with the options behind it; any other question as it is.

    Days, places and amounts of the options are guesses, no conditions of the question; yet the right one is worded as the
    provision is, and where the stem asks which of them is true it stands in them alone.
    """
    letters = _options(text)
    opened = OPENS.match(text)
    numbered = opened is not None and opened[0].strip(" .、．)）").isdigit()
    if not letters and BLANK.search(text) is None and (opened is None or numbered):
        return (text,)
    start = opened.end() if opened else 0
    if not letters or letters[0].start() - start < LEAST_STEM:
        return (text[start:],)
    before = text[start : letters[0].start()].rstrip(" （(")
    if not (BLANK.search(before) or LEADS.search(before)):
        return (text,)  # A级、B级 are words of the question
    ends = [*(each.start() for each in letters[1:]), len(text)]
    options = [text[each.end() : end].strip(" ;；。") for each, end in zip(letters, ends, strict=True)]
    return before, "，".join([before.rstrip("。"), *options])


def _options(text: str) -> list[re.Match[str]]:
    """Return the letters of the options, from A on in their order; empty where no two follow one another."""
    found: list[re.Match[str]] = []
    for each in LETTERED.finditer(text):
        if each["letter"] == LETTERS[0]:
            found = [each]
        elif found and each["letter"] == LETTERS[len(found) % len(LETTERS)]:
            found.append(each)
    return found if len(found) >= LEAST_OPTIONS else []
