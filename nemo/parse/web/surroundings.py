"""What surrounds the text of a government web page (网页外壳): navigation, tools, footer; and pages without a body.

Used for HTML and for text that somebody copied out of a page. Which rows go is decided in ``nemo.parse.boilerplate``.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml import etree

from nemo.errors import UnreadableDocumentError
from nemo.parse import lines
from nemo.parse.boilerplate import FILE, NUMBER_BEHIND, PageRow, loose, sort_rows
from nemo.parse.furniture import cut_sentences, removal_faults
from nemo.parse.lines import ended
from nemo.rules import page_words
from nemo.text.letter.card import card_of
from nemo.text.letter.docnumber import NUMBER_LINE
from nemo.text.letter.form import is_organ, led_to, letter_start
from nemo.text.letter.signature import REMARK
from nemo.text.letter.titles import looks_like_title
from nemo.text.words.days import DATE
from nemo.text.words.flat import flatten
from nemo.text.words.normalise import squash
from nemo.text.words.openings import opens_unit, read_clause
from nemo.types import Fault, Lead, ParsedDocument, RawDocument

_ATTACHMENT_LINE = re.compile(
    r"^(?:(?:附件|点击)?下载(?:附件)?|查看附件|(?:相关)?(?:附\s*件|附\s*表|附)(?:列表|清单)?\s*\d*)\s*[:：.、]?"
)
_FILE_HREF = re.compile(r"\.(?:pdf|docx?|wps|ofd|xlsx?|zip|rar|et)(?:[?#].*)?$", re.IGNORECASE)
_SITE = re.compile(r"(?<!\s)\s*[-_—|]{1,2}\s*[^-_—|]{2,30}(?:网|局|委员会|委|厅|部|办公室|政府|门户网站|平台)\s*$")
_SITE_NAME = re.compile(r"^[\u4e00-\u9fa5]{4,24}(?:网|网站|门户)$")
_GLUED_SITE = re.compile(
    r"的(?:通知|公告|通告|意见|函|批复|复函)(?=[\u4e00-\u9fa5]{2,16}(?:网|局|委|厅|部|办|政府|门户|平台)$)"
)
"""The end of a letter's title, with the name of the site right behind it."""
_COLUMN_LABEL = re.compile(r"[\u4e00-\u9fa5]{2,8}\s{0,9}[|｜丨]\s{0,9}")
"""What a site or an account sets before its headlines (权威发布 | …)."""
_ALONE = re.compile(rf"{DATE}|{NUMBER_LINE}|（(?:\d{{4}}年)?第[\d一二三四五六七八九十]{{1,4}}期）")
_FIRST_WORDS = re.compile(r"^\S{3,40}(?=[\s\u3000])|^[^\s号]{3,30}号(?=[\u4e00-\u9fa5]{2,6}[:：])")
_OF_ORDER = ("公告", "令")
_QUOTED_TITLE = re.compile(r"^【(.+)】$")
_SIGNATURE = re.compile(r"^.{0,24}(?:局|委|委员会|厅|办|办公室|部|会|府|院|司|处)$")

BODY_MINIMUM = 40
"""Fewer characters than this besides title, date and attachment names is no body (正文缺失)."""
_SENTENCE_END = ("。", "。）", "；")
_LEAST_SENTENCE = 12
"""Characters; shorter are the calls of a page (请稍候。)."""
_LOGIN = 400
"""A page that asks for a password and holds fewer characters shows nothing else."""
_NAME_CHARS = 120
_LEAST_PIECE = 4
"""So many characters of a headline show that a row is its last line."""
_TITLE_START = 12
"""So much of a title that is cut off tells it from others."""
_HEAD_ROWS = 80
_HEAD_LINES = 60
_BYLINE_ROWS = 6
_LONG = 45


def is_dump(text: str) -> bool:
    """Whether plain text was copied from a whole web page: lines of a site above and below it; the byline of an account above
    it and its tools below; or a letter behind what somebody says who passes it on.
    """
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    head = list(takewhile(lambda row: "。" not in row, rows[:_HEAD_LINES]))
    above, below = (sum(map(page_words().is_of_site, edge)) for edge in (head, rows[-_BELOW:]))
    return letter_start(text) > 0 or (is_post(rows) and below > 0) or min(above, below) > 1


def is_post(rows: Sequence[str]) -> bool:
    """Whether rows are an article that an account posted: its byline stands above it."""
    return any(map(page_words().is_byline, rows[:_BYLINE_ROWS]))


def parse_dump(text: str, raw: RawDocument) -> ParsedDocument:
    """Read the text of a copied web page: boilerplate removed, fragments of one line joined.

    Raises:
        UnreadableDocumentError: the page holds no body (正文缺失).
    """
    rows = [row for row in (row.strip(" \t\r\f　\xa0") for row in text.splitlines()) if row]
    rows = _joined_text(rows)
    title = _dump_title(rows)
    own, title, evidence, removed, cut = own_rows([PageRow(row) for row in rows], title, alone=True)
    leads = named_files(own)
    own = without_attachments(own, leads)
    require_body(own, title, leads)
    body = "\n".join(with_title(paragraphs(own), title))
    note = Fault("web_dump", "这是从网页复制出的文本：已去除导航、页脚等网页外壳，请以原网页为准。")
    faults = (note, *absent(leads), *cut, *removal_faults(removed, len(body)))
    return ParsedDocument(
        body, (), "plain-web", faults=faults, title=title, url=raw.url, margin=evidence, removed=removed
    )


def _joined_text(rows: Sequence[str]) -> list[str]:
    """Join what inline markup broke; several rows of navigation one below the other are no part of a broken line."""
    menu = [page_words().is_tool(row) and len(row) > 1 for row in rows]
    run = [m and any(menu[max(0, i - 1) : i] + menu[i + 1 : i + 2]) for i, m in enumerate(menu)]
    joined: list[str] = []
    for is_run, part in groupby(zip(run, rows, strict=True), key=lambda pair: pair[0]):
        words = [row for _, row in part]
        joined += words if is_run else lines.run_on(words, is_fragment, apart=False)
    return joined


class OwnRows(NamedTuple):
    """The rows of a page, each part in reading order."""

    own: list[str]
    title: str | None
    """The title that the page states, None where it is but the headline over a letter that somebody passes on."""
    cards: tuple[str, ...]
    """Entries of the index card."""
    removed: tuple[str, ...]
    """Everything taken out."""
    faults: tuple[Fault, ...]
    """Sentences that something was taken out of."""


def own_rows(rows: Sequence[PageRow], title: str | None, *, alone: bool) -> OwnRows:
    """Tell the text's rows from the rest, and a letter from what somebody says who passes it on.

    ``alone``: no site stands around the text, it was mailed or copied; on a page only a line that leads over tells the letter.
    """
    told = page_words().with_colons([row.text for row in rows])
    rows = [replace(row, text=words) for row, words in zip(rows, told, strict=True)]
    found = sort_rows(rows, title)
    words = "\n".join(rows[i].text for i in found.kept)
    passed_on = words[: (letter_start if alone else led_to)(words) + 1].count("\n")
    kept = found.kept[passed_on : len(found.kept) - (passed_on and _said_below(words.split("\n")))]
    own, cards = ([rows[i].text for i in part] for part in (kept, found.cards))
    removed = [row.text for i, row in enumerate(rows) if i not in kept]
    cuts = [at for at, (a, b) in enumerate(pairwise(kept)) if b - a > 1]
    headline = passed_on and title is not None and not ("关于" in title and looks_like_title(title))
    return OwnRows(own, None if headline else title, tuple(cards), tuple(removed), cut_sentences(own, cuts))


_BELOW = 8
"""Rows that somebody who passes a letter on sets below it, at most."""


def _said_below(rows: Sequence[str]) -> int:
    """Return how many rows stand below the day of signing of a letter that somebody passes on: his own, unless an annex
    or a unit is among them.
    """
    days = (at for at, row in enumerate(reversed(rows)) if re.fullmatch(DATE, flatten(row).text))
    size = next(days, 0)
    below = rows[len(rows) - size :]
    own = size > _BELOW or any(opens_unit(row) or _ATTACHMENT_LINE.match(row) or REMARK.fullmatch(row) for row in below)
    return 0 if own else size


_LISTED = 8
"""Attachments named in a fault."""


def absent(leads: Sequence[Lead]) -> tuple[Fault, ...]:
    """Return the fault that names the attachments of a page, whose contents are not in the file."""
    if not leads:
        return ()
    named = "；".join(f"{lead.title}（{lead.url}）" if lead.url else lead.title for lead in leads[:_LISTED])
    more = f"；等 {len(leads)} 个" if len(leads) > _LISTED else ""
    message = f"网页另有 {len(leads)} 个附件，内容不在本文件中，需要时请单独入库：{named}{more}。"
    return (Fault("attachments_elsewhere", message),)


LINK = 0.6
"""A row is a link to elsewhere when this share of it is: no text, and not shown among what was taken out."""


def beside(rows: Sequence[PageRow], body: str) -> tuple[str, ...]:
    """Return the rows of a page that its text does not hold, links to elsewhere left out."""
    held = squash(body)
    seen = (row.text for row in rows if row.linked < LINK)
    return tuple(row for row in seen if squash(NUMBER_BEHIND.sub("", row)) not in held)


def card_lines(rows: Sequence[PageRow], known: Sequence[str]) -> tuple[str, ...]:
    """Return the entries of the page's index card: those told apart in its text, and those anywhere around it."""
    held = squash("".join(known))
    entries = card_of("\n".join(row.text for row in rows))
    lines = (f"{entry.label}：{entry.value}" for entry in entries)
    return (*known, *(line for line in dict.fromkeys(lines) if squash(line) not in held))


def repeated(named: str, rows: Sequence[str]) -> str | None:
    """Return the row of a page that its ``<title>`` repeats, be it between names of columns and site, or cut off (…)."""
    start, cut, _ = named.partition("…") if "…" in named else named.partition("...")
    whole, opening = squash(named), squash(start) if cut else ""
    bare = [NUMBER_BEHIND.sub("", row) for row in rows]
    over_lines = ["".join(bare[at : at + size]) for size in (1, 2, 3) for at in range(min(len(bare), _HEAD_ROWS))]
    titles = [words for words in over_lines if len(words) <= _NAME_CHARS and looks_like_title(words)]
    titles = [words for words in titles if not page_words().is_menu(words)]
    found = [words for words in titles if squash(words) in whole]
    found += [words for words in titles if len(opening) >= _TITLE_START and squash(words).startswith(opening)]
    return max(found, key=len, default=None)


def posted(rows: Sequence[str]) -> str | None:
    """Return the headline that stands above the tools of a page (发布时间：…), None without one."""
    words = page_words()
    head = rows[:_HEAD_ROWS]
    for index in (i for i, row in enumerate(head) if i and words.is_tool(row)):
        above = [NUMBER_BEHIND.sub("", row) for row in head[max(0, index - 4) : index]]
        above = above[:-1] if above and _ALONE.fullmatch(flatten(above[-1]).text) else above
        for size in range(1, min(3, len(above)) + 1):
            if any(page_words().is_of_site(row) for row in above[-size:]):
                break
            title = "".join(above[-size:])
            whole = len(title) <= _NAME_CHARS and looks_like_title(title) and not _IN_PARTS.match(title)
            if whole and not (_LETTER_END.search(title) and _opens_letter(above[-size - 1 : -size])):
                return title
    return None


_LETTER_END = re.compile(r"^(?!.*关于).*的(?:通知|公告|通告|函|批复|意见)$")
"""The last line of a letter's title that says 关于 further above."""


def _opens_letter(above: Sequence[str]) -> bool:
    return any("关于" in row and not looks_like_title(row) and not page_words().is_of_site(row) for row in above)


def headed(rows: Sequence[PageRow]) -> str | None:
    """Return the last row above the first sentence of a page that reads like the title of a letter, None without one."""
    first = next((i for i, row in enumerate(rows) if "。" in row.text or opens_unit(row.text)), 0)
    above = [row.text for row in rows[max(0, first - _HEAD_ROWS) : first] if row.linked < LINK]
    over_lines = ["".join(above[at : at + size]) for at in reversed(range(len(above))) for size in (1, 2, 3)]
    titles = [row for row in over_lines if "关于" in row and looks_like_title(row) and len(row) <= _NAME_CHARS]
    return next((row for row in titles if not page_words().is_of_site(row) and not _ATTACHMENT_LINE.match(row)), None)


_IN_PARTS = re.compile(
    r"[，、）》]|(?:政策|管理|实施|工作|有关|若干)?(?:的|有关|办法|细则|规则|规定|方案|意见|问题|事项)"
)
"""How the last line of a headline over several opens: what is above it belongs to it."""


def number_beside(rows: Sequence[str], title: str | None, body: str) -> tuple[str, ...]:
    """Return the document number that a page sets on a line or in a cell under or right above its title, outside the text."""
    key = squash(title or "")
    named = [
        at for at, row in enumerate(rows[:_HEAD_ROWS]) if key and key.endswith(squash(row)) and len(row) >= _LEAST_PIECE
    ]
    if not named:
        return ()
    near = (*rows[named[-1] + 1 : named[-1] + 4], *rows[max(0, named[0] - 2) : named[0]])
    cells = [cell.strip() for row in near for cell in row.split(" | ")]
    pieces = (piece for cell in cells for piece in (cell, *_FIRST_WORDS.findall(cell)))  # tools may stand behind it
    alone = [piece for piece in pieces if _ALONE.fullmatch(flatten(piece).text)]
    return tuple(cell for cell in alone[:1] if squash(cell) not in squash(body))


def _dump_title(rows: Sequence[str]) -> str | None:
    """The line above or among the tools that the page says twice, else the last long one before any list of others."""
    words = page_words()
    first = next((i for i, row in enumerate(rows) if opens_unit(row) or "。" in row), len(rows))
    tools = [i for i, row in enumerate(rows[: min(first, _HEAD_LINES)]) if words.is_tool(row)]
    head = rows[: tools[-1] if tools else 0]
    listed = next((i for i, row in enumerate(head) if words.opens_list(row)), len(head))
    heads = [i for i, row in enumerate(head[:listed]) if len(row) >= 12 and not page_words().is_of_site(row)]
    said = [clean_title(_whole_title(head[i : i + 3])) for i in heads]
    twice = [t for i, t in enumerate(said) if any(loose(t) in loose(o) for j, o in enumerate(said) if i != j)]
    return next(iter(twice[-1:] or said[-1:]), posted(rows))


def _whole_title(rows: Sequence[str]) -> str:
    """Return the headline that opens rows, with the one or two below that end it; the first row alone when none does."""
    joined = [
        "".join(rows[:size]) for size in range(1, len(rows) + 1) if not any(map(page_words().is_of_site, rows[:size]))
    ]
    titles = [words for words in joined if len(words) <= _NAME_CHARS and looks_like_title(words)]
    return next(iter(titles), rows[0])


def clean_title(title: str) -> str:
    """Return a page title without the site's name, the label of a column before it and outer brackets."""
    title = _SITE.sub("", title.strip())
    label = _COLUMN_LABEL.match(title)
    title = title[label.end() :] if label and looks_like_title(title[label.end() :]) else title
    glued = None if looks_like_title(title) else _GLUED_SITE.search(title)
    title = title[: glued.end()] if glued and "关于" in title[: glued.start()] else title
    found = _QUOTED_TITLE.match(title)
    return found.group(1).strip() if found else title


def names_site(title: str) -> bool:
    """Tell whether a page is called by the name of its site or of the body that runs it, whatever paper it shows."""
    return is_organ(title) or _SITE_NAME.search(title) is not None


def named_files(rows: Sequence[str]) -> tuple[Lead, ...]:
    """Return the files that rows name (实施细则.pdf), once each."""
    names = (row.strip() for row in rows if FILE.search(row) and len(row) < _NAME_CHARS and "/" not in row)
    return tuple(Lead("", name, "网页附件") for name in dict.fromkeys(names))


def without_attachments(rows: Sequence[str], leads: Sequence[Lead]) -> list[str]:
    """Return the rows without the list of files to download that stands below the text."""
    own, names = list(rows), {squash(lead.title) for lead in leads}
    while own and _names_file(own[-1], names):
        own.pop()
    return own


def _names_file(row: str, names: set[str]) -> bool:
    label = _ATTACHMENT_LINE.match(row)
    bare = squash(row[label.end() :] if label else row)
    file = FILE.search(row) is not None and len(row) < 120 and "。" not in row
    return not bare or file or bare in names or squash(row) in names


def _bare_name(row: str) -> str:
    """The name of an attachment without 附件1：, its number and its format."""
    label = _ATTACHMENT_LINE.match(row)
    bare = FILE.sub("", squash(row[label.end() :] if label else row))
    return re.sub(r"^\d{1,2}[.．、]", "", bare)


def body_length(rows: Sequence[str], title: str | None, leads: Sequence[Lead] = ()) -> int:
    """Characters that are neither the title, however often said, nor a tool, nor the name of an attachment."""
    key = squash(title or "")
    names = {_bare_name(lead.title) for lead in leads}
    own = [
        r
        for r in rows
        if not (page_words().is_of_site(r) or FILE.search(r) or (_ATTACHMENT_LINE.match(r) and len(r) < 40))
    ]
    own = [row for row in own if _bare_name(row) not in names]
    return sum(len(squash(row).replace(key, "") if key else squash(row)) for row in own if squash(row) not in key)


def require_body(rows: Sequence[str], title: str | None, leads: Sequence[Lead]) -> None:
    """Refuse a page that only announces its text.

    Raises:
        UnreadableDocumentError: fewer than ``BODY_MINIMUM`` characters of body, and attachments or no whole sentence;
            the tips name the attachments.
    """
    size = body_length(rows, title, leads)
    if size >= BODY_MINIMUM or (size and not leads and any(map(_is_sentence, rows))):
        return
    files = tuple(f"附件：{lead.title}" + (f"（{lead.url}）" if lead.url else "") + "。" for lead in leads)
    advice = "请下载附件原文后上传。" if files else "请打开原网页，下载附件或复制正文后上传。"
    shown = "标题和附件" if files else "标题或栏目名称"
    raise UnreadableDocumentError(f"正文缺失：网页只有{shown}，没有法规正文。", (*files, advice))


def require_open(root: etree._Element) -> None:
    """Refuse a page that asks who is there before it shows anything.

    Raises:
        UnreadableDocumentError: a field for a password and hardly more words than around one.
    """
    asks = root.xpath("//input[translate(@type,'PASWORD','pasword')='password']")
    if asks and len(squash("".join(root.xpath("//body//text()[not(ancestor::script or ancestor::style)]")))) < _LOGIN:
        raise UnreadableDocumentError("这是登录页面，没有法规正文。", ("请登录后打开该文件的页面，保存后上传。",))


def _is_sentence(row: str) -> bool:
    """Whether a row says something by itself: a notice of two lines has a body."""
    return row.endswith(_SENTENCE_END) and len(row) >= _LEAST_SENTENCE and not page_words().is_of_site(row)


def with_title(rows: Sequence[str], title: str | None, numbers: Sequence[str] = ()) -> list[str]:
    """Put the page's title first unless the text opens with it; the number of an order or announcement stays below it."""
    if not title:
        return list(rows)
    opening = loose("".join(rows[:6]))
    said = loose(title) in opening or loose(NUMBER_BEHIND.sub("", title)) in opening
    titled = list(rows) if said else [title, *rows]
    last = next((at for at, row in enumerate(titled[:6]) if loose(title).endswith(loose(row))), None)
    if last is not None and title.endswith(_OF_ORDER):
        titled[last + 1 : last + 1] = numbers
    return titled


def paragraphs(rows: Sequence[str]) -> list[str]:
    """Return the rows of copied text as paragraphs: broken at a fixed width, or by inline markup."""
    return lines.unwrapped(rows) if lines.wrapped(rows) else lines.run_on(rows, _runs_on, apart=False)


def _runs_on(above: str, row: str) -> bool:
    if is_fragment(above, row):
        return True
    if ended(above) or opens_unit(row) or stands_alone(above, row):
        return False
    latin = bool(re.match(r"^[0-9A-Za-z@._/-]{1,40}", row)) and not above[-1].isdigit()
    return len(above) >= _LONG or (latin and not _SIGNATURE.search(above))


def stands_alone(above: str, row: str) -> bool:
    """Whether a row is a line of its own: of a table, a clause, a number, a day, or below a title."""
    if " | " in above or " | " in row or looks_like_title(above) or read_clause(row) is not None:
        return True
    return any(_ALONE.fullmatch(flatten(words).text) for words in (above, row))


def is_fragment(above: str, row: str) -> bool:
    """Whether inline markup broke a word or a number here: 〔⏎2024, 202⏎4⏎年."""
    if (
        re.match(r"^[，。；：、！？）》〉”’〕\]]", row)
        or re.search(r"[（《〈“‘〔\[，、]$", above)
        or (_open_bracket(above) and len(row) < _LONG)
    ):
        return True
    broken = re.search(r"(?:^|[^\d\-/:.])\d{1,4}$|[年月]$", above)
    return bool(broken and not ended(above) and re.match(r"^(?:\d{1,4}$|\d{0,3}[年月日号])", row))


_BRACKET_REACH = 60
"""Characters that a pair of brackets broken by markup may hold; a bracket cut off by a print is never closed."""


def _open_bracket(text: str) -> bool:
    near = text[-_BRACKET_REACH:]
    return len(text) < 2 * _BRACKET_REACH and any(
        near.count(a) > near.count(b) for a, b in ("《》", "（）", "“”", "〔〕")
    )


def is_file_link(href: str) -> bool:
    """Whether a link points at a document to download."""
    return bool(_FILE_HREF.search(urlsplit(href).path or href))
