"""What surrounds the text of a government web page (网页外壳): navigation, tools, footer; and pages without a body.

Used for HTML and for text that somebody copied out of a page. The rules are lists of lines seen on real sites; a line
is furniture only where furniture stands, so 来源 or 政策 inside a paragraph is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from nemo.errors import UnreadableDocumentError
from nemo.parse.lines import ended, opens
from nemo.types import Fault, Lead, ParsedDocument, RawDocument

_FOOT = re.compile(
    r"^(?:扫一扫|网站地图|联系我们|关于我们|网站声明|主办单位|承办单位|技术支持|版权所有|网站标识码|政府网站标识码|.{0,4}公网安备|"
    r".{0,3}ICP备|相关内容|相关链接|相关政策与解读|相关解读|相关新闻|相关文章|排行榜|上一篇|下一篇|分享到|分享：|打印本页|关闭窗口|【?关闭】?|返回顶部|"
    r"【打印|【大 中 小】|责任编辑|编辑：)"
)
_STRONG_FOOT = re.compile(r"公网安备|ICP备|网站标识码|网站地图|扫一扫在手机|^主办单位\s*[:：]|版权所有")
_TOOL = re.compile(
    r"^(?:首页|>+|›|»|/|\||设为首页|加入收藏|工作邮箱|搜索|登录|注册|无障碍.*|长者.*|退出长者模式|返回首页|页面放大|页面缩小|语音播报|指读|大鼠标|"
    r"机构概览|机构概况|动态要闻|新闻动态|新闻发布|信息公开|政府信息公开|政务公开|在线办事|政务服务|互动回应|互动交流|专题专栏|通知公告|政策法规|"
    r"政策|政策文件|通知|公告|规范性文件|当前位置.*|您的位置.*|您现在的位置.*|Aa|字体：?.*|字号：?.*|大|中|小|朗读|打印|\[ ?打印 ?\]|【?打印】?|收藏|分享.*|"
    r"(?:发布|更新|成文)?(?:时间|日期)\s*[:：].*|信息来源\s*[:：].*|来源\s*[:：].*|文章来源.*|作者\s*[:：].*|浏览次数.*|点击数.*|访问次数.*|"
    r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?:\s+\d{1,2}:\d{2}(?::\d{2})?)?)$"
)
_META = re.compile(
    r"^(?:(?:发布|更新)?(?:时间|日期)\s*[:：]|来源\s*[:：]|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:\s|$)|\[ ?打印)"
)
_FILE = re.compile(r"\.(?:pdf|docx?|wps|ofd|xlsx?|zip|rar|et|tiff?|jpe?g|png)\s*$", re.IGNORECASE)
_ATTACHMENT_LINE = re.compile(
    r"^(?:(?:附件|点击)?下载(?:附件)?|查看附件|(?:相关)?(?:附\s*件|附\s*表|附)(?:列表|清单)?\s*\d*)\s*[:：.、]?"
)
_FILE_HREF = re.compile(r"\.(?:pdf|docx?|wps|ofd|xlsx?|zip|rar|et)(?:[?#].*)?$", re.IGNORECASE)
_SITE = re.compile(r"(?<!\s)\s*[-_—|]{1,2}\s*[^-_—|]{2,30}(?:网|局|委员会|委|厅|部|办公室|政府|门户网站|平台)\s*$")
_QUOTED_TITLE = re.compile(r"^【(.+)】$")
_BODY_ROW = re.compile(r".{29,}。$|(?!.*(?:时间|日期|来源|文号|字号|作者|分享|位置)[:：]$).{5,}[:：]$")
"""A whole sentence, or whom a letter is written to (各市能源主管部门：): above them stand no dates of the signature."""
_SIGNATURE = re.compile(r"^.{0,24}(?:局|委|委员会|厅|办|办公室|部|会|府|院|司|处)$")

BODY_MINIMUM = 40
"""Fewer characters than this besides title, date and attachment names is no body (正文缺失)."""
_HEAD_LINES = 60
_LONG = 45


def is_dump(text: str) -> bool:
    """Whether plain text was copied from a whole web page: two or more footer lines that only sites carry."""
    rows = [row.strip() for row in text.splitlines()]
    return sum(1 for row in rows if len(row) < 60 and _STRONG_FOOT.search(row)) >= 2 or (
        sum(1 for row in rows[:_HEAD_LINES] if _META.match(row)) >= 2 and any(row in ("首页", ">") for row in rows[:20])
    )


def parse_dump(text: str, raw: RawDocument) -> ParsedDocument:
    """Read the text of a copied web page: shell removed, fragments of one line joined.

    Raises:
        UnreadableDocumentError: the page holds no body (正文缺失).
    """
    rows = [row for row in (row.strip(" \t\r\f　") for row in text.splitlines()) if row]
    start, end = bounds(rows)
    title = _dump_title(rows, start)
    leads = tuple(Lead("", row, "网页附件") for row in rows[start:end] if _FILE.search(row) and len(row) < 120)
    own = without_attachments(rows[start:end], leads)
    require_body(own, title, leads)
    body = "\n".join(with_title(join_fragments(own), title))
    note = Fault("web_dump", "这是从网页复制出的文本：已去除导航、页脚等网页外壳，请以原网页为准。")
    return ParsedDocument(body, (), "plain-web", faults=(note, *absent(leads)), title=title, leads=leads, url=raw.url)


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


def _dump_title(rows: Sequence[str], start: int) -> str | None:
    """The last long line among the tools; the page's first line may name only its column (通知公告)."""
    heads = [row for row in rows[:start] if len(row) >= 12 and not _TOOL.match(row)]
    return clean_title(heads[-1] if heads else rows[0]) if rows else None


def clean_title(title: str) -> str:
    """Return a page title without the site's name and outer brackets."""
    title = _SITE.sub("", title.strip())
    found = _QUOTED_TITLE.match(title)
    return found.group(1).strip() if found else title


def bounds(rows: Sequence[str]) -> tuple[int, int]:
    """Return where the text begins after the tools and where the footer begins."""
    start = 0
    for index, row in enumerate(rows[:_HEAD_LINES]):
        if _TOOL.match(row):
            start = index + 1
        elif len(row) > _LONG * 2 or opens(row) or _BODY_ROW.match(row):
            break
    end = next((i for i in range(start, len(rows)) if _FOOT.match(rows[i]) and len(rows[i]) < 60), len(rows))
    return start, end


def without_attachments(rows: Sequence[str], leads: Sequence[Lead]) -> list[str]:
    """Return the rows without the list of files to download that stands below the text."""
    own, names = list(rows), {_squash(lead.title) for lead in leads}
    while own and _names_file(own[-1], names):
        own.pop()
    return own


def _names_file(row: str, names: set[str]) -> bool:
    label = _ATTACHMENT_LINE.match(row)
    bare = _squash(row[label.end() :] if label else row)
    file = _FILE.search(row) is not None and len(row) < 120 and "。" not in row
    return not bare or file or bare in names or _squash(row) in names


def body_length(rows: Sequence[str], title: str | None) -> int:
    """Characters that are neither the title, a tool, nor the name of an attachment."""
    key = _squash(title or "")
    own = [r for r in rows if not (_TOOL.match(r) or _FILE.search(r) or (_ATTACHMENT_LINE.match(r) and len(r) < 40))]
    return sum(len(_squash(row)) for row in own if _squash(row) not in key and not (key and key in _squash(row)))


def require_body(rows: Sequence[str], title: str | None, leads: Sequence[Lead]) -> None:
    """Refuse a page that only announces its text.

    Raises:
        UnreadableDocumentError: fewer than ``BODY_MINIMUM`` characters of body; the tips name the attachments.
    """
    if body_length(rows, title) >= BODY_MINIMUM:
        return
    files = tuple(f"附件：{lead.title}" + (f"（{lead.url}）" if lead.url else "") for lead in leads)
    advice = "请下载附件原文后上传。" if files else "请打开原网页，下载附件或复制正文后上传。"
    raise UnreadableDocumentError("正文缺失：网页只有标题和附件，没有法规正文。", (*files, advice))


def with_title(rows: Sequence[str], title: str | None) -> list[str]:
    """Put the page's title first unless the text opens with it."""
    if not title:
        return list(rows)
    opening = _squash("".join(rows[:6]))
    return list(rows) if _loose(title) in _loose(opening) else [title, *rows]


def join_fragments(rows: Sequence[str]) -> list[str]:
    """Join lines that inline markup broke (202⏎6⏎年): a fragment runs on until a line ends like a paragraph."""
    joined: list[str] = []
    for row in rows:
        if joined and _runs_on(joined[-1], row):
            joined[-1] += row
        else:
            joined.append(row)
    return joined


def _runs_on(above: str, row: str) -> bool:
    if (
        re.match(r"^[，。；：、！？）》〉”’〕\]]", row)
        or re.search(r"[（《〈“‘〔\[，、]$", above)
        or _open_bracket(above)
    ):
        return True
    if ended(above) or opens(row):
        return False
    if re.search(r"(?:\d|年|月)$", above) and re.match(r"^(?:\d{1,4}$|\d{0,3}[年月日号])", row):
        return True
    latin = bool(re.match(r"^[0-9A-Za-z@._/-]{1,40}", row)) and not above[-1].isdigit()
    return len(above) >= _LONG or (latin and not _SIGNATURE.search(above))


def _open_bracket(text: str) -> bool:
    return any(text.count(a) > text.count(b) for a, b in ("《》", "（）", "“”", "〔〕"))


def is_file_link(href: str) -> bool:
    """Whether a link points at a document to download."""
    return bool(_FILE_HREF.search(urlsplit(href).path or href))


def _squash(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _loose(text: str) -> str:
    return re.sub(r"[\s（）()《》〈〉“”\"【】_-]+", "", text)
