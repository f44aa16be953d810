"""Real footnotes in a Word file (脚注); python-docx has none of its own, so the part is made here."""

import re

from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.oxml import serialize_part_xml
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import nsdecls, qn
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Pt
from docx.text.paragraph import Paragraph

from nemo.export.characters import visible

SEPARATORS = ((-1, "separator"), (0, "continuationSeparator"))
"""The two lines above footnotes, which Word expects as the first notes."""

_SEPARATOR = '<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
_BREAKS = re.compile(r"([\t\n])")


def fill(run: BaseOxmlElement, text: str) -> None:
    """Put text into a ``w:r`` element so that it reads back exactly: tabs and line breaks have elements of their own."""
    for piece in _BREAKS.split(visible(text)):
        if piece == "\t":
            run.append(OxmlElement("w:tab"))
        elif piece == "\n":
            run.append(OxmlElement("w:br"))
        elif piece:
            words = OxmlElement("w:t")
            words.set(qn("xml:space"), "preserve")
            words.text = piece
            run.append(words)


class Footnotes:
    """The footnotes of one document; :meth:`attach` puts them into it when all are written."""

    def __init__(self, document: Document) -> None:
        self._document = document
        lines = (_SEPARATOR.format(number=number, kind=kind) for number, kind in SEPARATORS)
        self._root = _element("footnotes", "".join(lines))
        self._text_style = self._style("footnote text", WD_STYLE_TYPE.PARAGRAPH)
        self._mark_style = self._style("footnote reference", WD_STYLE_TYPE.CHARACTER)
        self._count = 0

    def _style(self, name: str, kind: WD_STYLE_TYPE) -> str:
        style = self._document.styles.add_style(name, kind, builtin=True)
        if kind is WD_STYLE_TYPE.CHARACTER:
            style.font.superscript = True
        else:
            style.font.size = Pt(8)
            style.paragraph_format.space_after = Pt(0)
        return str(style.style_id)

    def add(self, paragraph: Paragraph, text: str) -> None:
        """Put a footnote mark at the end of a paragraph."""
        self._count += 1
        paragraph._p.append(self._marked(f'<w:footnoteReference w:id="{self._count}"/>'))
        style = f'<w:pPr><w:pStyle w:val="{self._text_style}"/></w:pPr>'
        note = _element("footnote", f"<w:p>{style}</w:p>", f'w:id="{self._count}"')
        run = _element("r")
        fill(run, " " + text)
        note[0].extend([self._marked("<w:footnoteRef/>"), run])
        self._root.append(note)

    def _marked(self, content: str) -> BaseOxmlElement:
        return _element("r", f'<w:rPr><w:rStyle w:val="{self._mark_style}"/></w:rPr>{content}')

    def attach(self) -> None:
        """Write the notes into the document."""
        blob = serialize_part_xml(self._root)
        package = self._document.part.package
        part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, blob, package)
        self._document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        self._name_separators()

    def _name_separators(self) -> None:
        """Tell the document's settings which notes are the separators."""
        listed = _element("footnotePr", "".join(f'<w:footnote w:id="{number}"/>' for number, _ in SEPARATORS))
        settings = self._document.settings.element
        following = settings.find(qn("w:compat"))  # the schema wants the notes' settings before it
        if following is not None:
            following.addprevious(listed)


def _element(name: str, content: str = "", attributes: str = "") -> BaseOxmlElement:
    """Return an element of WordprocessingML from what stands in it, ours."""
    return parse_xml(f"<w:{name} {nsdecls('w')} {attributes}>{content}</w:{name}>")
