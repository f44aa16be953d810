"""The words that Streamlit's own parts say to a reader, in Chinese: labels, hints and menus it offers no option for."""

from __future__ import annotations

import streamlit as st

_CHINESE = {
    "App pages": "页面", "Sidebar": "侧栏", "Collapse sidebar": "收起侧栏", "Expand sidebar": "展开侧栏",
    "Open sidebar": "展开侧栏", "Navigate to home page": "回到首页", "Skip to main content": "跳到正文",
    "Choose date": "选择日期", "Choose a date": "选择日期", "Choose an option": "请选择", "Clear entry": "清空",
    "Clear value": "清空", "Clear all": "全部清空", "Open": "展开", "Upload": "上传", "Close": "关闭",
    "Download as CSV": "下载为 CSV", "Search": "查找", "Show/hide columns": "显示或隐藏列", "Fullscreen": "全屏",
    "Close fullscreen": "退出全屏", "Exit fullscreen": "退出全屏", "Copy to clipboard": "复制", "Copied": "已复制",
    "Show data": "显示数据", "Show chart": "显示图表", "Download as PNG": "下载为 PNG", "Download as SVG": "下载为 SVG",
    "Copy Vega-Lite spec": "复制图表定义", "No results": "没有结果", "Remove file": "移除文件", "Delete": "删除",
    "Sort ascending": "升序", "Sort descending": "降序", "Autosize": "自动列宽", "Pin column": "固定列",
    "Unpin column": "取消固定", "Hide column": "隐藏列", "Format": "格式", "Show password text": "显示密码",
    "Hide password text": "隐藏密码", "Select all": "全选",
}  # fmt: skip
"""Streamlit 1.67's words and ours; a word that is not here stays as it is."""

_LABELS = st.components.v2.component(
    "nemo_native_words",
    html="<i></i>",
    js="""export default function({data}) {
  const names = ['aria-label', 'title', 'placeholder'], picked = '[aria-label],[title],[placeholder]';
  const spoken = '[data-testid="stTooltipContent"] p, [data-testid="stSkipToContent"], [role="menuitem"], [data-testid="stColumnMenu"] *, [role="option"] *';
  const said = (word) => {
    if (!word || data[word]) return word && data[word];
    const [, what, of] = /^([^:]+): (.+)$/.exec(word) || [];
    const [, matches] = /^Select (\\d+) match(?:es)?$/.exec(word) || [];
    if (matches) return `选中 ${matches} 项`;
    const [, kind, rest] = /^(Shortcut|Help for) (.+)$/.exec(word) || [];
    if (what && data[what]) return `${data[what]}：${of}`;
    return kind && (kind === 'Shortcut' ? `快捷键 ${rest}` : `${rest}的说明`);
  };
  const mend = (part) => {
    for (const each of [part, ...part.querySelectorAll(picked)])
      for (const name of names) {
        const word = said(each.getAttribute(name));
        if (word) each.setAttribute(name, word);
      }
    for (const each of part.querySelectorAll(spoken)) {
      const last = each.lastChild;
      const word = last && last.nodeType === 3 && said(last.nodeValue);
      if (word) last.nodeValue = word;
    }
  };
  mend(document.body);
  const seen = new MutationObserver((changes) => {
    for (const change of changes) {
      const said = change.type === 'characterData' ? [change.target.parentElement?.parentElement] : change.addedNodes;
      for (const node of said) if (node?.nodeType === 1) mend(node);
    }
  });
  seen.observe(document.body, {childList: true, characterData: true, subtree: true});
  return () => seen.disconnect();
}""",
)
"""Writes our words over Streamlit's, in parts as they appear; nothing of the page goes in, no markup comes out."""


def draw() -> None:
    """Put the words in place for as long as the page is open."""
    with st.sidebar:
        _LABELS(data=_CHINESE, key="native_words")
