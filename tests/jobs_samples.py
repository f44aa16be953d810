"""Invented regulations as files, for tests of ingestion."""

import io
import zipfile
from collections.abc import Mapping

from nemo.types import RawDocument

PLACES = ("青石市", "白鹭市", "落霞市", "望海市", "金沙市", "杏花市", "老君市", "三棵树市")
THINGS = ("光伏电站", "风电场", "储能电站", "燃煤机组", "输电线路", "充电桩", "热力管网")


def text(seed: int, articles: int = 6, edition: int = 0) -> str:
    """Return a regulation; another seed is another regulation, another edition other words of the same one."""
    place, thing = PLACES[seed % 8], THINGS[seed % 7]
    lines = [f"{place}{thing}运行登记办法第{seed}号（演示文本）", ""]
    for n in range(1, articles):
        days = (seed * 7 + n * 3 + edition * 11) % 90 + 1
        lines.append(f"第{n}条 {place}的{thing}应当在{days}个工作日内办理第{seed}之{n}项登记，并提交检验记录。\n")
    lines.append(f"第{articles}条 本办法自{2015 + seed % 8}年{seed % 12 + 1}月1日起施行。\n")
    return "\n".join(lines)


def raw(seed: int, articles: int = 6, edition: int = 0) -> RawDocument:
    return RawDocument.of(text(seed, articles, edition).encode(), f"办法{seed}.md")


def archive(name: str, members: Mapping[str, str]) -> RawDocument:
    """Return a zip of texts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as container:
        for member, content in members.items():
            container.writestr(member, content)
    return RawDocument.of(buffer.getvalue(), name)
