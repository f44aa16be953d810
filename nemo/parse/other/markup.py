"""Safe XML for office formats: no entities, no document types, no network, bounded depth; macros are never run."""

from lxml import etree

from nemo.errors import UnreadableDocumentError
from nemo.types import Fault

MACROS = Fault("macros_ignored", "文档带有宏，已忽略，没有运行；用 Word 打开原件时请勿启用宏。")


def parse_xml(content: bytes) -> etree._Element:
    """Parse one XML part.

    Raises:
        UnreadableDocumentError: not well-formed, nested too deep, or with a document type (entity bombs need one).
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableDocumentError(
            "文件内部结构已损坏，无法读取。", ("请重新下载，或用 Word、WPS 打开后另存再上传。",)
        ) from error
    if root is not None and root.getroottree().docinfo.doctype:
        raise UnreadableDocumentError(
            "文件内含可疑的 XML 文档类型定义，为安全起见未读取。", ("请用 Word 或 WPS 打开后另存为新文件再上传。",)
        )
    if root is None:
        raise UnreadableDocumentError("文件内部结构已损坏，无法读取。", ("请重新下载后再上传。",))
    return root


def local(element: etree._Element) -> str:
    """Return a tag without its namespace; empty for comments and instructions."""
    tag = element.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""
