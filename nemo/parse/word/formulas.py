"""Formulas of Word (OMML, ECMA-376 part 1 §22.1) → one line with their structure: fractions, roots, scripts, sums.

``η = E_放 / E_充`` reads as it is computed: what stands together in the formula stands in brackets here. A part that has
no such form makes the whole formula unreadable; it is never written down in part.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lxml import etree

from nemo.parse.other.markup import local
from nemo.types import Fault, Span

UNREAD = "\ufffd"
"""Stands for a formula that has no form in one line: seen as damaged wherever it is shown."""
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_ATOM = re.compile(r"\w|\d+(?:\.\d+)?|[\u4e00-\u9fff]+")
_SMOOTH = "=+-−<>≤≥≈≠,，；;：:（([{ "
"""Signs beside which a fraction needs no brackets."""
_OPERATOR = re.compile(r"[=+\-−±×÷·*/<>≤≥≈≠\s]")
_FORM = frozenset(
    ("ctrlPr", "rPr", "sSubPr", "sSupPr", "sSubSupPr", "fPr", "radPr", "dPr", "naryPr", "funcPr", "oMathParaPr")
)
_DEPTH = 30
_NO_FORM = "no form in one line"


class FormulaPart(NamedTuple):
    """A piece of a formula; ``fraction`` when it is one fraction that its neighbours may need in brackets."""

    text: str
    fraction: bool = False


def linear(element: etree._Element) -> str | None:
    """Return a formula (``m:oMath``) in one line, None when a part of it cannot be written so."""
    try:
        return _row(element, 0).strip() or None
    except ValueError:
        return None


def _row(parent: etree._Element | None, depth: int) -> str:
    """Return the pieces of one row, fractions in brackets where a neighbour would be taken into them."""
    if parent is None or depth > _DEPTH:
        raise ValueError(_NO_FORM)
    parts = [_part(child, depth + 1) for child in parent if isinstance(child.tag, str) and local(child) not in _FORM]
    parts = [part for part in parts if part.text]
    texts: list[str] = []
    for index, part in enumerate(parts):
        before = parts[index - 1].text[-1] if index else " "
        after = parts[index + 1].text[0] if index + 1 < len(parts) else " "
        smooth = before in _SMOOTH + "×·" and after in _SMOOTH + "×·÷)）]}"
        texts.append(f"({part.text})" if part.fraction and not smooth else part.text)
    return "".join(texts)


def _part(element: etree._Element, depth: int) -> FormulaPart:
    name = local(element)
    if name == "r":
        return FormulaPart("".join(t.text or "" for t in element.iter(_M + "t")))
    if name == "f":
        return _fraction(element, depth)
    if name not in _WRITERS:
        raise ValueError(_NO_FORM)
    return FormulaPart(_WRITERS[name](element, depth))


def _grouped(text: str) -> str:
    """Put what is more than one sign in brackets, unless it stands in a pair already."""
    text = text.strip()
    if not text:
        raise ValueError(_NO_FORM)
    return text if _ATOM.fullmatch(text) or _bracketed(text) else f"({text})"


def _bracketed(text: str) -> bool:
    if text[0] != "(" or text[-1] != ")":
        return False
    level = 0
    for index, char in enumerate(text):
        level += (char == "(") - (char == ")")
        if level == 0 and index + 1 < len(text):
            return False
    return True


def _child(element: etree._Element, name: str, depth: int) -> str:
    return _row(element.find(_M + name), depth)


def _attribute(element: etree._Element, form: str, name: str, default: str) -> str:
    """Return a property of an element (the sign of a sum, a bracket)."""
    found = element.find(f"{_M}{form}/{_M}{name}")
    return default if found is None else found.get(_M + "val", default)


def _fraction(element: etree._Element, depth: int) -> FormulaPart:
    if _attribute(element, "fPr", "type", "bar") == "noBar":
        raise ValueError(_NO_FORM)  # a binomial coefficient
    above, below = (_child(element, part, depth).strip() for part in ("num", "den"))
    if not above or not below:
        raise ValueError(_NO_FORM)
    return FormulaPart(f"{_term(above)} / {_term(below)}", fraction=True)


def _term(text: str) -> str:
    """Put a term in brackets when it holds an operator, or signs that a fraction would not take together."""
    plain = not _OPERATOR.search(text) and (_ATOM.fullmatch(text) or re.fullmatch(r"\w+(?:[_^](?:\w|\(\S+\)))*", text))
    return text if plain or _bracketed(text) else f"({text})"


def _script(*scripts: tuple[str, str]) -> Callable[[etree._Element, int], str]:
    def write(element: etree._Element, depth: int) -> str:
        marks = (f"{sign}{_grouped(_child(element, name, depth))}" for name, sign in scripts)
        return _grouped(_child(element, "e", depth)) + "".join(marks)

    return write


def _root(element: etree._Element, depth: int) -> str:
    degree = element.find(_M + "deg")
    hidden = _attribute(element, "radPr", "degHide", "0") not in ("0", "off", "false")
    said = "" if degree is None or hidden else _row(degree, depth).strip()
    under = _child(element, "e", depth).strip()
    if not under:
        raise ValueError(_NO_FORM)
    return f"{f'[{said}]' if said else ''}√({under})"


def _nary(element: etree._Element, depth: int) -> str:
    """Return a sum, product or integral with its limits; what it runs over stands in brackets."""
    limits = "".join(
        f"{sign}({words})" for name, sign in (("sub", "_"), ("sup", "^"))
        if element.find(_M + name) is not None and (words := _child(element, name, depth).strip())
    )  # fmt: skip
    return f"{_attribute(element, 'naryPr', 'chr', '∫')}{limits} {_grouped(_child(element, 'e', depth))}"


def _delimited(element: etree._Element, depth: int) -> str:
    first, last = _attribute(element, "dPr", "begChr", "("), _attribute(element, "dPr", "endChr", ")")
    between = _attribute(element, "dPr", "sepChr", "|")
    return first + between.join(_row(part, depth).strip() for part in element.findall(_M + "e")) + last


def _function(element: etree._Element, depth: int) -> str:
    return f"{_child(element, 'fName', depth).strip()}({_unbracketed(_child(element, 'e', depth).strip())})"


def _unbracketed(text: str) -> str:
    return text[1:-1] if text and _bracketed(text) else text


def _limit(element: etree._Element, depth: int) -> str:
    return f"{_child(element, 'e', depth).strip()}_({_child(element, 'lim', depth).strip()})"


def _over(element: etree._Element, depth: int) -> str:
    """Return a letter with a bar or a mark above it; over more than a letter it has no form."""
    base = _child(element, "e", depth).strip()
    form = "accPr" if local(element) == "acc" else "barPr"
    mark = _attribute(element, form, "chr", "\u0302") if form == "accPr" else "\u0305"
    below = form == "barPr" and _attribute(element, form, "pos", "bot") == "bot"
    if len(base) != 1 or below or len(mark) != 1:
        raise ValueError(_NO_FORM)
    return base + mark


def _same(element: etree._Element, depth: int) -> str:
    return _child(element, "e", depth)


def _lines(element: etree._Element, depth: int) -> str:
    """Return an array of equations: one after the other."""
    return "；".join(_row(part, depth).strip() for part in element.findall(_M + "e"))


_WRITERS: dict[str, Callable[[etree._Element, int], str]] = {
    "sSub": _script(("sub", "_")), "sSup": _script(("sup", "^")), "sSubSup": _script(("sub", "_"), ("sup", "^")),
    "rad": _root, "nary": _nary, "d": _delimited, "func": _function, "limLow": _limit, "acc": _over, "bar": _over,
    "box": _same, "borderBox": _same, "eqArr": _lines, "oMath": _row,
}  # fmt: skip


def unreadable(text: str) -> Iterator[Fault]:
    """Yield a fault for every row that holds a formula which could not be read."""
    at = text.find(UNREAD)
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        span = Span(start, end if end >= 0 else len(text))
        yield Fault("formula_unreadable", "此处有公式未能读出，不可引用，请以原件为准。", span)
        at = text.find(UNREAD, span.end)
