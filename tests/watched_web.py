"""An invented web of official sites on one local server: lists in pages, papers with attachments, and faults; all 演示文本."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any

from nemo.rules import OfficialSource
from tests.local_server import Answer, LocalServer, Request
from tests.official_site import site

PER_PAGE = 20
TITLE = "演示{place}光伏项目并网管理办法之{number}（演示文本）"


def paper(place: str, number: int, days: str = "十个", since: str = "2026年1月1日") -> str:
    """Return an invented rule of three articles."""
    return (
        f"<html><body><h1>{TITLE.format(place=place, number=number)}</h1>"
        f"<p>第一条 为了规范第{number}批演示光伏项目的并网管理，制定本办法。</p>"
        f"<p>第二条 电网企业应当自收到并网申请之日起{days}工作日内，书面答复第{number}批演示项目的申请人。</p>"
        f"<p>第三条 本办法自{since}起施行。</p></body></html>"
    )


@dataclass
class InventedSite:
    """One site: its papers by address, its lists, and what is wrong with it."""

    code: str
    place: str
    papers: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    attached: dict[str, bytes] = field(default_factory=dict)
    robots: str = ""
    encoding: str = "utf-8"
    row: str = '<ul class="list"><li><a href="{url}">{title}</a><span>{day}</span></li></ul>'
    special: dict[str, Answer | list[Answer]] = field(default_factory=dict)
    """Answers of single addresses in place of the papers: 404, 412, slow, broken, redirects."""

    @classmethod
    def of(cls, code: str, place: str, count: int, **more: Any) -> InventedSite:
        """Return a site with so many papers."""
        made = cls(code, place, **more)
        for number in range(count):
            made.add(number)
        return made

    def add(self, number: int, **how: str) -> str:
        """Publish a paper, or another text of it; return its path."""
        path = f"/{self.code}/t202601{number % 28 + 1:02}_{number}.html"
        self.papers[path] = paper(self.place, number, **how)
        self.titles[path] = TITLE.format(place=self.place, number=number)
        return path

    def attach(self, path: str, name: str, content: bytes) -> str:
        """Attach a file to a paper; return its path."""
        file = f"/{self.code}/{name}"
        self.attached[file] = content
        self.papers[path] = self.papers[path].replace("</body>", f'<p><a href="{name}">附件</a></p></body>')
        return file

    def source(self, server: LocalServer) -> OfficialSource:
        """Return the rule entry of the site."""
        return site(server, self.code, name=f"{self.place}能源局", list_pages=(f"{server.url}/{self.code}/index.html",))

    def list_page(self, number: int) -> str:
        """Return a page of the list."""
        paths = list(self.titles)
        shown = paths[number * PER_PAGE : (number + 1) * PER_PAGE]
        rows = "".join(
            self.row.format(url=path, title=self.titles[path], day=f"2026-01-{i % 28 + 1:02}")
            for i, path in enumerate(shown)
        )
        total = -(-len(paths) // PER_PAGE)
        meta = f'<meta charset="{self.encoding}">' if self.encoding != "utf-8" else ""
        return f'<html><head>{meta}</head><body>{rows}<script>createPageHTML({total}, {number}, "index", "html")</script></body></html>'

    def answer(self, request: Request) -> Answer:
        """Answer a request with validators, and 304 to who has it already."""
        path = request.path
        if path in self.special:
            known = self.special[path]
            return (known.pop(0) if len(known) > 1 else known[0]) if isinstance(known, list) else known
        listed = re.fullmatch(rf"/{self.code}/index(?:_(\d+))?\.html", path)
        if listed:
            return _sent(request, self.list_page(int(listed[1] or 0)).encode(self.encoding, "replace"), "text/html")
        if path in self.papers:
            return _sent(request, self.papers[path].encode(), "text/html; charset=utf-8")
        if path in self.attached:
            return _sent(request, self.attached[path], "application/octet-stream")
        return Answer(status=404)


def _sent(request: Request, body: bytes, kind: str) -> Answer:
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    if request.headers.get("if-none-match") == tag:
        return Answer(status=304, headers={"ETag": tag})
    return Answer(body, headers={"Content-Type": kind, "ETag": tag})


def serve(server: LocalServer, *sites: InventedSite) -> None:
    """Put sites on a server, each under the folder of its code; robots.txt is that of the first."""
    by_code = {one.code: one for one in sites}

    def route(request: Request) -> Answer:
        if request.path == "/robots.txt":
            rules = "\n".join(one.robots for one in sites if one.robots)
            return Answer(rules.encode(), headers={"Content-Type": "text/plain"}) if rules else Answer(status=404)
        found = by_code.get(request.path.split("/")[1])
        return found.answer(request) if found else Answer(status=404)

    server.routes["*"] = route
