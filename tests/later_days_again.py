"""A second table of the forms of ``later_days``, written after the first was met; all 演示文本."""

from tests.later_days import (
    BEGUN,
    COMING,
    DEC,
    EXTENDED,
    FORCE,
    JAN,
    OVER,
    PENDING,
    POSTPONED,
    SN,
    STAYED,
    TERMED,
    THREE_YEARS,
    UNCHANGED,
    WN,
    Row,
    S,
    W,
    notice,
)

__all__ = ["ALONE", "COMING", "LATER", "LONGER", "TERMED", "notice"]

OTHER = "《甲省示例水站管理办法》（甲能规〔2021〕2号）"
LONGER: list[Row] = [
    ("in the next sentence", f"延长{W}有效期的通知", f"{WN}将于2024年2月29日到期。为保持政策连续，经省政府同意，有效期延长至2026年12月31日。", JAN, EXTENDED),
    ("rest unchanged", f"延长{W}有效期的通知", f"经省司法厅审查同意，现将{W}有效期延长至2026年12月31日，其他内容不变。", JAN, EXTENDED),
    ("自…起延长", f"延长{W}有效期的通知", f"{WN}自2024年3月1日起延长有效期至2026年12月31日。", JAN, EXTENDED),
    ("years and a day", f"延长{W}实施期限的通知", f"{WN}的实施期限延长三年，至2027年2月28日。", JAN, THREE_YEARS),
    ("施行至", f"继续施行{W}的通知", f"我局印发的{WN}继续施行至2026年12月31日。", JAN, EXTENDED),
    ("goes on for years", f"继续实施{W}的公告", f"{W}到期后继续实施，有效期3年。", JAN, THREE_YEARS),
    ("the clause is changed", f"修改{W}的通知", f"将{WN}第三条中的“有效期三年”修改为“有效期至2026年12月31日”。", JAN, EXTENDED),
    ("list in brackets", "部分文件继续施行的通知", f"以下文件继续施行，有效期延长至2026年12月31日：\n（一）{WN}；\n（二）{OTHER}。", JAN, EXTENDED),
    ("均延至", "延长两件文件有效期的通知", f"{WN}{OTHER}有效期均延至2026年12月31日。", JAN, EXTENDED),
    ("two numbers", "两件文件继续执行的通知", "甲能规〔2021〕1号、甲能规〔2021〕2号文件继续执行至2026年12月31日。", JAN, EXTENDED),
    ("published anew", f"继续实施{W}的公告", f"{WN}经评估需继续实施，自2024年3月1日起重新公布，有效期至2026年12月31日。", JAN, EXTENDED),
    ("a column of days", "延长规范性文件有效期的公告", "序号 | 规范性文件名称 | 发文字号 | 有效期延长至\n1 | 甲省示例风场管理办法 | 甲能规〔2021〕1号 | 2026-12-31\n2 | 甲省示例水站管理办法 | 甲能规〔2021〕2号 | 2025-12-31\n", JAN, EXTENDED),
    ("a project's time", f"{W}有关事项的通知", f"{WN}规定的项目建成期限延长至2026年12月31日。", JAN, UNCHANGED),
    ("says when it ends", f"{W}到期的通知", f"{WN}有效期至2024年2月29日，期满不再继续执行。", JAN, UNCHANGED),
    ("only proposed", f"{W}评估情况的报告", f"建议将{WN}的有效期延长至2026年12月31日。", JAN, UNCHANGED),
]  # fmt: skip
LATER: list[Row] = [
    ("生效日期顺延", f"调整{S}生效日期的通知", f"因系统改造尚未完成，{SN}的生效日期顺延至2026年7月1日。", DEC, POSTPONED),
    ("by months", f"推迟施行{S}的通知", f"{SN}原定2026年1月1日起实施，现推迟6个月实施。", DEC, POSTPONED),
    ("half a year", f"推迟施行{S}的通知", f"决定将{SN}的施行时间推迟半年。", DEC, POSTPONED),
    ("stopped from now on", f"暂停施行{S}的通知", f"自本通知印发之日起，暂停施行{SN}，恢复时间另行通知。", DEC, STAYED),
    ("改为自", f"调整{S}施行日期的通知", f"{SN}不再自2026年1月1日起施行，改为自2026年7月1日起施行。", DEC, POSTPONED),
    ("延期施行，自", f"延期施行{S}的通知", f"现决定{SN}延期施行，自2026年7月1日起施行。", DEC, POSTPONED),
    ("零时", f"推迟执行{S}的通知", f"{SN}推迟到2026年7月1日零时起执行。", DEC, POSTPONED),
    ("缓期", f"缓期执行{S}的通知", f"{SN}缓期执行，缓期至2026年6月30日。", DEC, POSTPONED),
    ("projects may be late", f"{S}有关事项的通知", f"{SN}施行后，原有项目可推迟至2026年7月1日前整改。", DEC, BEGUN),
]  # fmt: skip
ALONE: list[tuple[str, str, tuple[tuple[str, str], ...]]] = [
    ("dots to dots", "本办法自2026.5.1起执行，至2028.4.30止。", (("2026-04-30", PENDING), ("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("零时", "本办法从2026年5月1日零时起施行。", (("2026-04-30", PENDING), ("2026-05-01", FORCE))),
    ("counted from", "本办法有效期两年，自2026年5月1日起计算。", (("2026-04-30", PENDING), ("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("试行期至", "本办法自2026年5月1日起试行，试行期至2028年4月30日。", (("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("hyphen between days", "本办法施行期限：2026年5月1日-2028年4月30日。", (("2026-04-30", PENDING), ("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("ruled anew later", "本办法自2026-5-1起试行，试行期满后另行规定。", (("2026-04-30", PENDING), ("2026-05-01", FORCE))),
    ("执行时间", "执行时间：2026/05/01—2028/04/30。", (("2026-04-30", PENDING), ("2028-04-30", FORCE), ("2028-05-01", OVER))),
]  # fmt: skip
