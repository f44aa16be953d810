"""The words that Streamlit's own parts say to a reader, in Chinese: labels, hints and menus it offers no option for; and what links of ours do."""

from pathlib import Path

import streamlit as st

_LOST = "服务器没有应答，正在重新连接。若一直连不上，请联系管理员。"

_CHINESE = {
    "App pages": "页面", "Sidebar": "侧栏", "Collapse sidebar": "收起侧栏", "Expand sidebar": "展开侧栏",
    "Open sidebar": "展开侧栏", "Navigate to home page": "回到首页", "Skip to main content": "跳到正文", "Logo": "标志",
    "Choose date": "选择日期", "Choose a date": "选择日期", "Choose an option": "请选择", "Clear entry": "清空",
    "Clear value": "清空", "Clear date": "清空日期", "Clear all": "全部清空", "Open": "展开", "Close": "关闭", "Dismiss": "关闭",
    "Previous month": "上个月", "Next month": "下个月", "year": "年", "month": "月", "day": "日", "Empty": "空",
    "Use arrow keys to navigate dates. Enter to select. Escape to close.": "用方向键选择日期，回车确定，Esc 关闭。",
    "Upload": "选择文件", "file upload": "上传文件", "Upload directories": "选择文件夹", "Add files": "添加文件", "Add file": "添加文件", "add icon": "添加",
    "Drag and drop a file here": "拖放到此处", "Drag and drop files here": "拖放到此处", "Remove file": "移除文件",
    "Drag and drop directories here": "拖放到此处", "Delete": "删除", "Selected values": "已选", "Select all": "全选",
    "No results": "没有结果", "No options": "没有选项", "No data": "没有数据", "Increment": "增加", "Decrement": "减少",
    "Pagination": "分页", "Previous page": "上一页", "Next page": "下一页", "Clear selection": "取消选择",
    "Download as CSV": "下载为 CSV", "Search": "查找", "Type to search": "查找", "Previous Result": "上一处",
    "Next Result": "下一处", "Close Search": "关闭查找", "Show/hide columns": "显示或隐藏列", "(index)": "行号", "Fullscreen": "全屏",
    "Close fullscreen": "退出全屏", "Exit fullscreen": "退出全屏", "Copy to clipboard": "复制", "Copied": "已复制",
    "Show data": "显示数据", "Show chart": "显示图表", "Download as PNG": "下载为 PNG", "Download as SVG": "下载为 SVG",
    "Copy Vega-Lite spec": "复制图表定义", "Sort ascending": "升序", "Sort descending": "降序", "Autosize": "自动列宽",
    "Pin column": "固定列", "Unpin column": "取消固定", "Hide column": "隐藏列", "Copy column name": "复制列名", "Format": "格式",
    "Statistics": "统计", "Count": "计数", "Distinct": "不同值", "Values": "值", "Minimum": "最小值", "Maximum": "最大值",
    "Average": "平均值", "Median": "中位数", "Sum": "合计", "Standard deviation": "标准差", "Range": "范围", "None": "无",
    "Minimum length": "最短字数", "Maximum length": "最长字数", "Average length": "平均字数", "Based on sample": "按抽样",
    "Top values frequency chart": "常见值", "Distribution histogram": "分布", "Automatic": "自动", "Localized": "本地格式",
    "Plain": "原样", "Compact": "简写", "Percent": "百分比", "Scientific": "科学计数", "Accounting": "会计", "Dollar": "美元",
    "Euro": "欧元", "Yen": "日元", "Distance": "距今", "Calendar": "日历", "Duration": "时长",
    "Dataframe column menu": "列菜单", "Show password text": "显示密码", "Hide password text": "隐藏密码",
    "Show password": "显示密码", "Hide password": "隐藏密码", "Download failed": "下载失败", "visualization": "图", "axis": "坐标轴",
    "legend": "图例", "symbol legend": "图例", "bar": "柱", "circle": "点", "point": "点", "rule": "线", "line mark": "线",
    "rect mark container": "柱组", "symbol mark container": "点组", "line mark container": "线组",
    "rule mark container": "线组", "graphics-symbol": "图形", "Error:": "出错：", "Error": "出错", "Connection error": "连接中断",
    "Is Streamlit still running? If you accidentally stopped Streamlit, just restart it in your terminal:": _LOST,
    "Streamlit server is not responding. Are you connected to the internet?": _LOST, "Connection timed out.": _LOST,
    "Connecting": "正在连接", "Connecting to Streamlit server": "正在连接服务器", "Unable to connect to Streamlit server": "连不上服务器",
    "Connection lost. Please wait for the app to reconnect, then try again.": "连接中断。请等重新连接后再试。",
    "Network Error": "网络出错", "Unknown Error": "原因不明的错误",
}  # fmt: skip
"""Streamlit 1.67's words and ours; a word that is not here stays as it is."""

_PHRASES = [
    (r"^([\d.]+ ?[KMGT]?B) per file$", "单个不超过 $1"), (r"^• ([A-Z0-9, ]+)$", "· $1"),
    (r"^(\d+) options? available\.$", "共 $1 项"), (r"^Select (\d+) matches$", "选中匹配的 $1 项"), (r"^Page (\d+)$", "第 $1 页"), (r"^(\d+) – [A-Z][a-z]+$", "$1 月"),
    (r"^Cannot connect to Streamlit [\s\S]*$", _LOST), (r"^Connection failed with status [\s\S]*$", _LOST),
    (r"^File must be (.+) or smaller\.$", "文件不能超过 $1。"), (r"^(.+) files are not allowed\.$", "不接受 $1 文件。"),
    (r"^Choose date, (.+)$", "选择日期，$1"), (r"^Shortcut (.+)$", "快捷键 $1"),
    (r"^Help for (.+)$", "$1的说明"), (r"^You can only select up to (\d+) .+$", "最多选 $1 项，请先移除一项。"),
    (r"^([XY])-axis.*? with values from (.+) to (.+)$", "$1 轴，自 $2 至 $3"),
    (r"^([XY])-axis.*? with \d+ values?: (.+)$", "$1 轴：$2"), (r"^Symbol legend .*? with \d+ values?: (.+)$", "图例：$1"),
]  # fmt: skip
"""Its sentences with something in them, as regular expressions of the browser, and ours."""

_LABELS = st.components.v2.component(
    "nemo_native_words",
    html="<i></i>",
    js=Path(__file__).with_name("native.js").read_text("utf-8"),
)
"""Writes our words over Streamlit's, in parts as they appear, and closes the menu of a phone behind a choice, and
follows links of ours inside the session, makes one step back of what a person did once, and leads the keyboard into
what opens over the page and out of a grid.

Nothing of the page goes in, no markup comes out.
"""


def draw() -> None:
    """Put the words in place for as long as the page is open."""
    with st.sidebar:
        _LABELS(data={"words": _CHINESE, "phrases": _PHRASES}, key="native_words")
