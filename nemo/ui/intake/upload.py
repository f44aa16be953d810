"""Files, folders, archives and addresses handed over for ingestion, with facts for all of them (上传、下载)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import streamlit as st

from nemo.ingest.files import wanted
from nemo.parse.other.archive import LEFTOVER
from nemo.types import RawDocument
from nemo.ui.intake import leads
from nemo.ui.shared import choices, frame, login, safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nemo.ui.shared.frame import Upload

_ROUND = "_intake_round"
"""Rises after each hand-over: new widget keys make Streamlit let go of the uploaded bytes and of the batch's facts."""

_GO = "intake_start"
_PROBLEMS = "_intake_problems"
"""What could not be taken in; shown until the next hand-over."""

_MODES = {"files": "文件", "folder": "整个文件夹", "url": "网址"}

_NAMED = 4
"""Names of files that are left out."""

MOST_ADDRESSES = 20
"""Addresses taken in at once: each visit waits for its turn at the site, and the page waits with it."""


def upload_form() -> None:
    """Draw the uploader, or the field for addresses, with the facts that hold for the whole batch."""
    turn = st.session_state.setdefault(_ROUND, 0)
    with st.container(border=True, key="uploader", gap="small"):
        mode = st.segmented_control(
            "选择方式", list(_MODES), format_func=_MODES.__getitem__, default="files",
            required=True, label_visibility="collapsed", key="intake_mode",
        )  # fmt: skip
        addresses, uploads = (_addresses(turn), ()) if mode == "url" else ((), _uploader(mode == "folder", turn))
        facts, wrong = _facts(turn, own_address=mode != "url")
        for words in wrong:
            st.html(f'<p class="quiet bad">{safe.text(words)}</p>')
        st.button(
            _start(len(addresses), len(uploads)), type="primary", key=_GO,
            icon=":material/play_arrow:", disabled=mode != "url" and not uploads, on_click=frame.order, args=(_GO,),
        )  # fmt: skip
        doing = f"正在下载 {len(addresses)} 个网址…" if addresses else f"正在交付 {len(uploads)} 个文件…"
        frame.fulfil(_GO, doing, lambda: None if wrong else _take_in(addresses, uploads, facts))
    for problem in st.session_state.get(_PROBLEMS, ()):
        frame.notice("bad", problem.title, problem.words, problem.tips)


def _start(addresses: int, uploads: int) -> str:
    if addresses:
        return f"下载并入库（{addresses} 个网址）"
    return f"开始入库（{uploads} 个文件）" if uploads else "开始入库"


def _uploader(folder: bool, turn: int) -> Sequence[Upload]:
    limit = frame.engine().settings.max_file_mb
    uploads = st.file_uploader(
        "文件", accept_multiple_files="directory" if folder else True, max_upload_size=limit,
        label_visibility="collapsed", key=f"intake_files_{folder}_{turn}",
    )  # fmt: skip
    st.html(
        f'<p class="quiet">PDF、扫描件和图片、Word、Excel、OFD、网页（含存成一个文件的 .mhtml）、邮件（.eml）、Markdown、纯文本及其 zip 包，单个不超过 {limit} MB。'
        "格式按内容识别，与扩展名无关；读不了的文件连同原因保留在下方，其余照常入库。文件很多时，打成一个 zip 包上传更快。</p>"
    )
    left = [
        one
        for one in uploads or ()
        if (not wanted(PurePosixPath(one.name.partition("/")[2])) if folder else LEFTOVER.search(one.name))
    ]
    if left:
        names = "、".join(base_name(one.name) for one in left[:_NAMED]) + (" 等" if len(left) > _NAMED else "")
        st.html(f'<p class="quiet">略过系统或程序留下的 {len(left)} 个文件：{safe.name(names)}。</p>')
    return [one for one in uploads or () if one not in left]


def _addresses(turn: int) -> Sequence[str]:
    """Draw the field for addresses; where downloading is switched off, say who can switch it on."""
    engine = frame.engine()
    if not engine.settings.discovery:
        frame.notice(
            "info", "联网采集未开启",
            "需要时请管理员在设置中开启“联网采集”；现在可先在浏览器中下载文件，再用“文件”上传。",
        )  # fmt: skip
        return ()
    leads.browse(f"intake_urls_{turn}", MOST_ADDRESSES)
    given = st.text_area(
        "网址", key=f"intake_urls_{turn}", placeholder="https://…（每行一个网址）", label_visibility="collapsed", height=110,
    )  # fmt: skip
    sites = sum(source.mode == "list" for source in engine.rules.sources)
    st.html(
        f'<p class="quiet">网页或文件的地址，每行一个，一次最多 {MOST_ADDRESSES} 个。只访问官方来源名单内的 {sites} 个网站，'
        "遵守其 robots.txt 与访问间隔；名单外的请在浏览器中下载后上传。</p>"
    )
    return list(dict.fromkeys(filter(None, map(str.strip, (given or "").splitlines()))))[:MOST_ADDRESSES]


def _facts(turn: int, *, own_address: bool) -> tuple[dict[str, object], list[str]]:
    """Draw the optional facts; return those that were given and what is wrong with them.

    ``turn`` numbers the hand-over: facts of one batch must not slip into the next. What is downloaded knows its own
    address.
    """
    engine = frame.engine()
    rules = engine.rules
    facts: dict[str, object] = {}
    url = ""
    mine = [corpus.name for corpus in engine.corpora.seen(engine.person) if corpus.filled_by(engine.person)]
    with st.container(horizontal=True, gap="small", key="batch_facts"):
        for kind, title in choices.KINDS.items():
            known = choices.names(rules, kind)
            given = st.selectbox(
                title, list(known), index=None, format_func=known.__getitem__, placeholder="自动识别",
                key=f"fact_{kind}_{turn}", width=150,
            )  # fmt: skip
            if given:
                facts["assets" if kind == "asset" else kind] = [given] if kind == "asset" else given
        corpora = mine and st.multiselect(
            "放入资料集", mine, format_func=safe.label, placeholder="公共资料（所有人可见）", key=f"fact_corpora_{turn}", width=260,
            help="放入资料集的文件，只有能看到该资料集的人能看到；不选则所有人可见。",
        )  # fmt: skip
        if corpora:
            facts["corpora"] = corpora
        if own_address:
            url = (st.text_input("来源网址", placeholder="https://", key=f"fact_url_{turn}", width=320) or "").strip()
    st.html('<p class="quiet">以上各项可不填，留空时从文本中读取；填写后对本批全部文件生效，并优先于文本。</p>')
    if not url:
        return facts, []
    fine = safe.link(url, url).startswith("<a")
    return facts | {"url": url}, [] if fine else ["来源网址须以 http:// 或 https:// 开头。"]


def _read(uploads: Iterable[Upload]) -> Iterator[RawDocument]:
    """Return the files one by one; a name that carries a folder of any system loses it."""
    return (RawDocument.of(upload.getvalue(), base_name(upload.name)) for upload in uploads)


def base_name(name: str) -> str:
    """Return the last part of a name that may carry a folder of any system; never empty."""
    return name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or "未命名"


def _take_in(addresses: Sequence[str], uploads: Sequence[Upload], facts: dict[str, object]) -> None:
    st.session_state[_PROBLEMS] = []
    if addresses:
        _download(addresses, facts)
    elif uploads:
        _hand_over(_read(uploads), facts)
    else:
        frame.say("info", "还没有网址", "请写下网址，每行一个。")


def _download(addresses: Sequence[str], facts: dict[str, object]) -> None:
    """Fetch every address and take in what came; what did not come is named."""
    engine = frame.engine()
    fetched: list[RawDocument] = []
    problems: list[frame.PageProblem] = []
    for address in addresses:
        problem = frame.attempt(lambda address=address: fetched.append(engine.intake.finder().fetch(address)))  # type: ignore[misc]
        if problem:
            problems.append(frame.PageProblem(f"未能下载 {address}", problem.words, problem.tips))
    st.session_state[_PROBLEMS] = problems
    if fetched:
        _hand_over(fetched, facts)


def _hand_over(raws: Iterable[RawDocument], facts: dict[str, object]) -> None:
    """Queue the files: from here on they are safe, whoever leaves the page or pulls the plug."""
    problem = frame.attempt(lambda: frame.engine().intake.enqueue(raws, facts, user=login.user()))
    if problem:  # the uploads stay in the form, so that they can be handed over again
        st.session_state[_PROBLEMS] = [*st.session_state[_PROBLEMS], problem]
    else:
        st.session_state[_ROUND] += 1
