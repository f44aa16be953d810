"""From text to its tree of provisions (条文结构).

Lines become paragraphs, paragraphs fall into regions (the text and its annexes, or several texts glued together), and
every region becomes a tree of articles or an outline. Nothing is mended: gaps and lost numbers are reported.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from nemo.text.structure.annexes import AnnexHead, is_enclosure_start, is_furniture, read_annex
from nemo.text.structure.articles import headed
from nemo.text.structure.contents import without_contents
from nemo.text.structure.faults import annex_faults, outline_faults, sequence_faults
from nemo.text.structure.lines import footnotes, in_blocks, read_lines
from nemo.text.structure.nodes import Node, freeze
from nemo.text.structure.outline import loose, outline
from nemo.text.structure.paragraphs import Paragraph, paragraphs
from nemo.text.structure.tables import with_tables
from nemo.text.words.normalise import squash
from nemo.types import Fault, Level, Page, Provision, Span

_TITLE_WIDTH = 90


@dataclass(frozen=True, slots=True)
class Structure:
    """The provisions of a text, what is wrong with them, and where the rule itself stands."""

    provisions: tuple[Provision, ...]
    """Top-level nodes in text order; preambles and annexes among them."""
    faults: tuple[Fault, ...]
    body: Span
    """From the first to the last provision that is neither preamble nor annex; the whole text when there is none."""


@dataclass(slots=True)
class _Region:
    """A text of its own inside the file: the main text, an annex, or a second articled text."""

    units: list[Paragraph]
    annex: AnnexHead | None = None
    opening: Paragraph | None = None
    """The paragraph with the annex number."""

    @property
    def articled(self) -> bool:
        return any(u.article for u in self.units)

    @property
    def headed(self) -> bool:
        return any(u.head is not None for u in self.units)

    @property
    def numbered(self) -> bool:
        return self.headed or sum(u.mark is not None for u in self.units) > 1


def structure(text: str, pages: Sequence[Page] = (), pictures: Sequence[Span] = ()) -> Structure:
    """Return the tree of provisions of ``text``, exactly as stored; never raises.

    ``pages`` are needed where page breaks are not form feeds in the text. Words recognised in ``pictures`` and notes at
    the foot of pages are units of their own inside an article, never a 款 or an item of it.
    """
    lines = with_tables(without_contents(read_lines(text, [page.span.start for page in pages])), text)
    units = paragraphs(lines)
    if apart := sorted((*_apart(units, pictures), *footnotes(lines))):
        units = paragraphs(in_blocks(lines, text, apart, picture=True))
    regions = _regions(units, text)
    promoted = _promoted(regions)
    nodes: list[Node] = []
    faults: list[Fault] = []
    annexes = 0
    for index, region in enumerate(regions):
        faults += sequence_faults(region.units)
        if not region.headed:
            faults += outline_faults((u.mark, u.span) for u in region.units if u.mark is not None)
        below = _signed_off(region, text)
        built, lost = headed(region.units, text) if region.headed else (outline(region.units, text), [])
        faults += lost
        annexes += region.annex is not None and index != promoted
        nodes += _placed(region, built, 0 if index == promoted else annexes, text)
        nodes += [loose(unit) for unit in below]
    faults += annex_faults(units, text) if len(regions) == 1 else []
    provisions = freeze(nodes)
    return Structure(provisions, tuple(faults), _body(provisions, text))


def _apart(units: Sequence[Paragraph], pictures: Sequence[Span]) -> list[Span]:
    """Return the pictures inside a text of articles; one with an article or a chapter in it shows a page of the text."""
    heads = [unit for unit in units if unit.head is not None]
    own = [each for each in sorted(pictures) if not any(each.overlaps(unit.span) for unit in heads)]
    return own if any(unit.article for unit in heads) else []


def _regions(units: Sequence[Paragraph], text: str) -> list[_Region]:
    """Split the paragraphs at annexes and at the 第一条 of another text."""
    regions = [_Region([])]
    for index, unit in enumerate(units):
        annex = read_annex(units, index, text)
        if annex is not None:
            regions.append(_Region([], annex, unit))
            continue
        if unit.plain and unit.line.hashes:
            continue
        if is_enclosure_start(unit) and regions[-1].articled:
            carried = _take_title(regions[-1].units, text)
            regions.append(_Region(carried))
        if _continues(regions, unit):
            false_annex = regions.pop()
            assert false_annex.opening is not None
            regions[-1].units += [false_annex.opening, *false_annex.units]
        regions[-1].units.append(unit)
    return regions


def _continues(regions: Sequence[_Region], unit: Paragraph) -> bool:
    """Whether the article after a supposed annex heading carries on the numbers before it, so that it was none."""
    if len(regions) < 2 or regions[-1].annex is None or unit.article is None or regions[-1].articled:
        return False
    before = [u.article for u in regions[-2].units if u.article]
    return bool(before) and unit.article.number > 1 and unit.article.number == before[-1].number + 1


def _signed_off(region: _Region, text: str) -> list[Paragraph]:
    """Remove and return the 抄送 and 印发 lines below an annex: they belong to the document, not to the annex."""
    if region.annex is None:
        return []
    start = next((i for i, unit in enumerate(region.units) if i and is_furniture(unit.span.of(text))), None)
    below = [] if start is None else region.units[start:]
    if start is None or any(not unit.plain for unit in below):
        return []
    del region.units[start:]
    return below


def _take_title(units: list[Paragraph], text: str) -> list[Paragraph]:
    """Remove and return the headings and title lines that stand before another text's 第一条."""
    start = len(units)
    while start > 1 and _is_title(units[start - 1], text):
        start -= 1
    carried = units[start:]
    del units[start:]
    return carried


def _is_title(unit: Paragraph, text: str) -> bool:
    if unit.head is not None:
        return unit.article is None
    return unit.mark is None and not unit.ended and unit.measure(text) <= _TITLE_WIDTH


def _promoted(regions: Sequence[_Region]) -> int | None:
    """Return the index of the annex that is the rule itself, because the text before only sends it (印发).

    That is the only annex with articles when the text before has none, or the only one with numbers when the text
    before has neither articles nor outline.
    """
    annexed = [i for i, region in enumerate(regions) if region.annex is not None]
    main = [region for region in regions if region.annex is None]
    if not annexed or any(region.articled for region in main):
        return None
    with_articles = [i for i in annexed if regions[i].articled]
    if with_articles:
        return with_articles[0] if len(with_articles) == 1 else None
    if any(region.numbered for region in main):
        return None
    with_numbers = [i for i in annexed if regions[i].numbered]
    return with_numbers[0] if len(with_numbers) == 1 else None


def _placed(region: _Region, built: list[Node], number: int, text: str) -> list[Node]:
    """Return the nodes of a region as they stand in the tree: annexes under their own node, the promoted one not.

    ``number`` says which annex of the file it is, from 1; 0 for the annex that is the rule itself.
    """
    if region.annex is None or region.opening is None:
        return built
    if not number:
        return [loose(region.opening), *built]
    opening = region.opening.span
    printed = region.annex.printed
    node = Node(Level.ANNEX, opening.start, opening.end, printed, str(number), printed, region.annex.title)
    node.heading = node.heading or _title_below(region.units, text)
    node.children = built
    return [node]


def _title_below(units: Sequence[Paragraph], text: str) -> str:
    """Return the title of an annex that stands on the line below its number, past a bracketed （规范性附录）."""
    for unit in units[:2]:
        words = squash(unit.span.of(text))
        if not _is_title(unit, text):
            break
        if not (words.startswith("（") and words.endswith("）")):
            return words
    return ""


def _body(provisions: Sequence[Provision], text: str) -> Span:
    own = [p for p in provisions if p.level not in (Level.PREAMBLE, Level.ANNEX)]
    return Span(own[0].span.start, own[-1].span.end) if own else Span(0, len(text))
