"""What was done to the library and by whom (审计记录), and what is or was ingested in the background (任务)."""

import datetime as dt
import json

import streamlit as st

from nemo.accounts import TITLES
from nemo.ingest import corrections
from nemo.store.records.corpora import Visibility
from nemo.types import CHINA
from nemo.ui.intake.sheets import STATES
from nemo.ui.intake.watching import PLANS
from nemo.ui.shared import frame, safe, tables

_NEWEST = 300
"""Entries shown; the log itself has no end."""

_ACTIONS = {
    "store": "入库", "edit": "修改信息", "remove": "移出", "dismiss": "忽略失败", "review": "复核", "feedback": "评价",
    "evaluate": "评测", "backup": "下载备份", "token_make": "新建令牌", "token_revoke": "吊销令牌", "token_refused": "令牌被拒",
    "login_failed": "登录失败", "forgotten": "删去提问记录", "corpus_created": "新建资料集", "corpus_changed": "修改资料集",
    "corpus_deleted": "删除资料集", "corpus_filled": "放入资料集", "corpus_emptied": "移出资料集", "released": "公开法规", "watch": "采集来源",
    "change_sheet": "处理采集文件", "propose": "征询候选关系", "decide_edge": "裁定候选关系", "standards": "导入标准状态",
}  # fmt: skip

_NAMES = {
    **corrections.FIELDS, "reason": "理由", "file": "文件", "regulations": "法规编号", "replaced": "替换", "state": "结论",
    "path": "条款", "quote_sha256": "引文指纹", "failure": "失败编号", "code": "原因代码", "remark": "说明", "useful": "评价", "question": "问题",
    "set": "金标集", "name": "名称", "role": "角色", "ends": "有效至", "address": "来源地址", "tries": "连续次数",
    "schedule": "计划", "paused": "暂停", "removed": "移除", "decision": "处理", "kinds": "变化", "file_sha256": "文件指纹",
    "sheet_sha256": "影响单指纹", "description": "说明", "visibility": "可见范围", "owner": "所有者", "people": "团队人员", "chunking": "切块",
    "embedder": "向量模型", "store": "向量检索", "id": "编号", "added": "放入", "withdrawn": "移出", "count": "数量", "kind": "种类",
    "run": "任务", "model": "模型", "texts": "法规编号", "proposal": "候选关系", "source": "自", "target": "至", "words": "原文", "start": "起",
    "end": "止", "was": "原为", "now": "现为",
}  # fmt: skip

_VALUES = {
    **{role.name.lower(): title for role, title in TITLES.items()}, **{one.value: one.chinese for one in Visibility}, **STATES, **PLANS,
    "session": "会话", "question": "问题", "True": "是", "False": "否",
}  # fmt: skip

_COLUMNS = {"序号": st.column_config.NumberColumn(width=60), "内容": 520}


def trail() -> None:
    """Draw the newest entries and whether the chain of hashes holds."""
    found = frame.engine().library.audit_trail(_NEWEST)
    st.html(f'<h2 class="section-head">审计记录<span>共 {found.count} 条，逐条以哈希相连，只增不改</span></h2>')
    if found.broken_at is None:
        frame.notice("good", "哈希链完整", f"{found.count} 条记录全部衔接，没有被改动或删去。")
    else:
        frame.notice(
            "bad", "哈希链断裂", f"自第 {found.broken_at} 条起与前一条不衔接：记录被改动或删去过。请从备份核对。"
        )
    if head := frame.engine().library.chain_head():
        key = "有密钥签印" if head.keyed else "没有密钥签印"
        frame.notice(
            "info", f"记录链共 {head.number} 环，{key}", f"链首 {head}。抄存它，日后可核对此前的记录是否原样。"
        )
    rows = [
        {
            "序号": entry.number, "时间": _at(entry.at), "用户": entry.user or "",
            "操作": _ACTIONS.get(entry.action, entry.action), "内容": readable(entry.detail), "哈希": entry.hash[:12],
        }
        for entry in found.entries
    ]  # fmt: skip
    if rows:
        tables.grid(rows, "audit", "审计记录", _COLUMNS)


def readable(detail: str) -> str:
    """Return the detail of an entry on one line: changes as 旧 → 新, the rest as name：value."""
    known = json.loads(detail)
    changes = known.pop("changes", {})
    parts = [f"{_NAMES.get(name, name)}：{_short(old)} → {_short(new)}" for name, (old, new) in changes.items()]
    parts += [
        f"{_NAMES.get(name, name)}：{_short(value)}" for name, value in known.items() if value not in ("", [], None)
    ]
    return safe.visible("；".join(parts)) if parts else ""


def _at(moment: str) -> str:
    return dt.datetime.fromisoformat(moment).astimezone(CHINA).strftime("%Y-%m-%d %H:%M:%S")


def _short(value: object) -> str:
    if value in (None, "", []):
        return "（无）"
    return "、".join(map(str, value)) if isinstance(value, list) else _VALUES.get(str(value), str(value))


def jobs() -> None:
    """Draw what is or was ingested in the background, if anything."""
    batches = frame.engine().intake.batches()
    if not batches:
        return
    st.html(f'<h2 class="section-head">后台任务<span>{len(batches)} 批</span></h2>')
    rows = [
        {
            "时间": batch.created.astimezone(CHINA).strftime("%Y-%m-%d %H:%M"), "任务": batch.title,
            "状态": "进行中" if batch.active else "已结束", "文件": f"{batch.done} / {batch.total}", "片段": batch.chunks,
            "用时（秒）": round(batch.seconds, 1), "说明": batch.problem or "",
        }
        for batch in batches
    ]  # fmt: skip
    tables.grid(rows, "jobs", "后台任务")
