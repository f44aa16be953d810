"""What a later notice says of the days of a rule, in the forms such notices write (推迟施行、延长有效期、继续有效); all 演示文本.

Written before what decides was looked at. Of each form: the words of the notice, and the status of the rule on days.
"""

TERMED = """甲省示例风场管理办法
甲能规〔2021〕1号
（2021年2月1日甲省能源局印发）

第一条　为规范风场管理（演示文本），制定本办法。
第二条　风场应当每年检修一次。
第三条　本办法自2021年3月1日起施行，有效期三年。
"""
"""A rule that ends with 2024-02-29."""
COMING = """甲省示例光伏管理办法
甲能规〔2025〕8号
（2025年10月1日甲省能源局印发）

第一条　为规范光伏管理（演示文本），制定本办法。
第二条　光伏电站应当每半年检修一次。
第三条　本办法自2026年1月1日起施行。
"""
"""A rule that begins on 2026-01-01."""
OLDER = """甲省示例光伏管理暂行办法
（甲能规〔2019〕8号　2019年10月1日甲省能源局印发）

第一条　为规范光伏管理（演示文本），制定本办法。
第二条　光伏电站应当每年检修一次。
第三条　本办法自2020年1月1日起施行。
"""


def notice(title: str, body: str, signed: str, number: str = "甲能规〔2024〕9号") -> str:
    """Return a letter."""
    return f"甲省能源局关于{title}\n{number}\n\n各市能源局：\n\n{body}\n\n甲省能源局\n{signed}\n"


FORCE, PENDING, OVER, OPEN = "现行有效", "尚未施行", "有效期届满", "效力待核"

Row = tuple[str, str, str, str, tuple[tuple[str, str], ...]]
EXTENDED = (("2024-02-28", FORCE), ("2024-06-01", FORCE), ("2026-12-31", FORCE), ("2027-01-01", OVER))
THREE_YEARS = (("2024-06-01", FORCE), ("2027-02-28", FORCE), ("2027-03-01", OVER))
STILL = (("2023-06-01", FORCE), ("2024-06-01", FORCE))
UNCHANGED = (("2024-02-29", FORCE), ("2024-03-01", OVER), ("2026-06-01", OVER))
W, WN = "《甲省示例风场管理办法》", "《甲省示例风场管理办法》（甲能规〔2021〕1号）"
S, SN = "《甲省示例光伏管理办法》", "《甲省示例光伏管理办法》（甲能规〔2025〕8号）"
JAN = "2024年1月20日"

LONGER: list[Row] = [
    ("term to a day", f"延长{W}有效期的通知", f"经研究，决定将{WN}的有效期延长至2026年12月31日。", JAN, EXTENDED),
    ("no 将", f"延长{W}有效期的通知", f"{WN}有效期延长至2026年12月31日，请遵照执行。", JAN, EXTENDED),
    ("valid on expiry", f"{W}继续有效的通知", f"{WN}有效期届满后继续有效，有效期至2026年12月31日止。", JAN, EXTENDED),
    ("goes on", f"继续执行{W}的通知", f"{W}自2024年3月1日起继续执行，有效期至2026年12月31日。", JAN, EXTENDED),
    ("延期至", f"{W}延期的通知", f"经评估，{WN}延期至2026年12月31日。", JAN, EXTENDED),
    ("延期执行", f"延期执行{W}的通知", f"{WN}将于2024年2月29日到期，现延期执行至2026年12月31日。", JAN, EXTENDED),
    ("by years", f"延长{W}有效期的通知", f"将{WN}的有效期延长三年。", JAN, THREE_YEARS),
    ("延续", f"延续{W}有效期的公告", f"{WN}有效期延续3年。", JAN, THREE_YEARS),
    ("years with range", f"延长{W}有效期的通知", f"{WN}的有效期延长三年，自2024年3月1日至2027年2月28日。", JAN, THREE_YEARS),
    ("end of year", f"延长{W}执行期限的通知", f"{WN}执行期限延长至2026年底。", JAN, EXTENDED),
    ("verb first", f"延长{W}有效期的通知", f"决定延长{WN}的有效期至2026年12月31日。", JAN, EXTENDED),
    ("two at once", "延长两件规范性文件有效期的通知", f"对{WN}、《甲省示例水站管理办法》（甲能规〔2021〕2号）两件规范性文件的有效期统一延长至2026年12月31日。", JAN, EXTENDED),
    ("a list", "延长部分规范性文件有效期的通知", f"经评估，下列规范性文件有效期延长至2026年12月31日：\n一、{WN}\n二、《甲省示例水站管理办法》（甲能规〔2021〕2号）", JAN, EXTENDED),
    ("items after a reason", "延长部分规范性文件有效期的通知", f"部分文件需要继续实施，现通知如下：\n一、{WN}有效期延长至2026年12月31日。\n二、《甲省示例水站管理办法》（甲能规〔2021〕2号）有效期延长两年。", JAN, EXTENDED),
    ("a table", "延长部分规范性文件有效期的公告", "现将延长有效期的规范性文件目录予以公布。\n\n延长有效期的规范性文件目录\n序号 | 文件名称 | 文号 | 延长后的有效期截止日期\n1 | 甲省示例风场管理办法 | 甲能规〔2021〕1号 | 2026年12月31日\n2 | 甲省示例水站管理办法 | 甲能规〔2021〕2号 | 2025年12月31日\n", JAN, EXTENDED),
    ("by number", "延长甲能规〔2021〕1号文件有效期的通知", "甲能规〔2021〕1号文件有效期延长至2026年12月31日。", JAN, EXTENDED),
    ("date in figures", f"延长{W}有效期的通知", f"{WN}的有效期延长至2026-12-31。", JAN, EXTENDED),
    ("from to", f"调整{W}有效期的通知", f"将{WN}的有效期由2024年2月29日调整为2026年12月31日。", JAN, EXTENDED),
    ("trial", f"延长{W}试行期的通知", f"{WN}试行期延长至2026年12月31日。", JAN, EXTENDED),
    ("after the term ended", f"{W}继续有效的通知", f"经评估，{WN}继续有效，有效期延长至2026年12月31日。", "2024年4月10日", EXTENDED),
    ("listed as valid", "公布继续有效的规范性文件目录的通知", f"下列规范性文件继续有效：\n1.{WN}\n2.《甲省示例水站管理办法》（甲能规〔2021〕2号）", "2024年4月10日", STILL),
    ("table of results", "公布规范性文件清理结果的公告", "序号 | 文件名称 | 文号 | 清理结果\n1 | 甲省示例风场管理办法 | 甲能规〔2021〕1号 | 继续有效\n2 | 甲省示例水站管理办法 | 甲能规〔2021〕2号 | 废止\n", "2024年4月10日", STILL),
    ("only asked for comments", f"征求延长{W}有效期意见的函", f"拟将{WN}的有效期延长至2026年12月31日，现征求意见。", JAN, UNCHANGED),
    ("not prolonged", f"{W}有效期有关事项的通知", f"{WN}有效期届满后不再延长。", JAN, UNCHANGED),
    ("a permit is prolonged", "延长许可证有效期的通知", f"按照{WN}取得的《风场运行许可证》有效期延长至2026年12月31日。", JAN, UNCHANGED),
    ("one provision", f"{W}过渡期的通知", f"{WN}第二条规定的过渡期延长至2026年12月31日。", JAN, UNCHANGED),
]  # fmt: skip

POSTPONED = (("2025-12-31", PENDING), ("2026-03-01", PENDING), ("2026-06-30", PENDING), ("2026-07-01", FORCE))
STAYED = (("2025-12-31", PENDING), ("2026-03-01", PENDING), ("2027-03-01", PENDING))
BEGUN = (("2025-12-31", PENDING), ("2026-01-01", FORCE), ("2026-08-01", FORCE))
DEC = "2025年12月10日"
LATER: list[Row] = [
    ("the day is moved", f"推迟施行{S}的通知", f"经研究，决定将{SN}的施行日期推迟至2026年7月1日。", DEC, POSTPONED),
    ("推迟至…起施行", f"推迟施行{S}的通知", f"{SN}推迟至2026年7月1日起施行。", DEC, POSTPONED),
    ("planned for", f"延期施行{S}的通知", f"原定自2026年1月1日起施行的{S}，延期至2026年7月1日施行。", DEC, POSTPONED),
    ("the time is changed", f"调整{S}施行时间的通知", f"将{SN}的实施时间由2026年1月1日调整为2026年7月1日。", DEC, POSTPONED),
    ("day in figures", f"推迟施行{S}的通知", f"{SN}的施行日期推迟至2026/7/1。", DEC, POSTPONED),
    ("new start", f"调整{S}施行日期的通知", f"{SN}自2026年7月1日起施行。", DEC, POSTPONED),
    ("延后", f"延后执行{S}的通知", f"考虑到系统尚未完成改造，{SN}延后至2026年7月1日执行。", DEC, POSTPONED),
    ("verb first", f"推迟施行{S}的决定", f"推迟{SN}的施行，施行日期改为2026年7月1日。", DEC, POSTPONED),
    ("stayed", f"暂缓施行{S}的通知", f"{SN}暂缓施行，具体施行日期另行通知。", DEC, STAYED),
    ("stayed, verb first", f"暂缓施行{S}的通知", f"经研究，决定暂缓施行{SN}。", DEC, STAYED),
    ("暂不执行", f"暂不执行{S}的通知", f"{SN}暂不执行，恢复执行时间另行通知。", DEC, STAYED),
    ("stayed to a day", f"暂缓实施{S}的通知", f"{SN}暂缓实施至2026年6月30日。", DEC, POSTPONED),
    ("one provision only", f"{S}有关事项的通知", f"{SN}第二条暂缓施行。", DEC, BEGUN),
    ("a project is late", "项目延期的通知", f"按照{SN}备案的项目，投产时间推迟至2026年7月1日。", DEC, BEGUN),
    ("only considered", f"推迟施行{S}征求意见的函", f"拟将{SN}的施行日期推迟至2026年7月1日，现征求意见。", DEC, BEGUN),
]  # fmt: skip

ALONE: list[tuple[str, str, tuple[tuple[str, str], ...]]] = [
    ("figures with hyphens", "本办法自2026-05-01起施行。", (("2026-04-30", PENDING), ("2026-05-01", FORCE))),
    ("figures with slashes", "本办法自2026/5/1起施行。", (("2026-04-30", PENDING), ("2026-05-01", FORCE))),
    ("figures with dots", "本办法自2026.05.01起施行。", (("2026-04-30", PENDING), ("2026-05-01", FORCE))),
    ("blanks", "本办法自 2026 年 5 月 1 日起施行。", (("2026-04-30", PENDING), ("2026-05-01", FORCE))),
    ("号 for 日", "本办法自2026年5月1号起施行。", (("2026-04-30", PENDING), ("2026-05-01", FORCE))),
    ("until a day", "本办法自2026年5月1日起施行，有效期至2028年4月30日。", (("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("until, in figures", "本办法自2026-05-01起施行，有效期至2028-04-30。", (("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("both in figures", "本办法有效期为2026/5/1至2028/4/30。", (("2026-04-30", PENDING), ("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("trial ends", "本办法自2026年5月1日起试行，试行期两年，试行期满自行失效。", (("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("trial of a year", "本办法自2026年5月1日起试行一年，期满后自动废止。", (("2027-04-30", FORCE), ("2027-05-01", OVER))),
    ("range of trial", "本办法试行期自2026年5月1日至2028年4月30日。", (("2026-04-30", PENDING), ("2028-04-30", FORCE), ("2028-05-01", OVER))),
    ("term with end in brackets", "本办法自2026年5月1日起施行，有效期2年（至2028年4月30日）。", (("2028-04-30", FORCE), ("2028-05-01", OVER))),
]  # fmt: skip
