"""Saved web pages (网页正文): what our reader, trafilatura and readability keep of a text and leave of the page around it.

    python -m benchmarks.pages [--peers DIR]

The pages are those of ``tests.paper_carriers``: seven designs of sites with the letters of ``tests.paper_samples``, so that
every sentence and cell of the text and every word around it is known. ``--peers`` names a folder with both libraries
(``pip install --target DIR trafilatura readability-lxml``); without it only our own reader is measured.

kept: share of the paragraphs and cells that stand whole in the extraction; around: share of pages on which words of the
site are left in it; title: share of pages whose title is told.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.paper_carriers import FURNITURE, SITES
from tests.paper_samples import LETTERS, Letter

Extracted = tuple[str, str]
"""Text and title."""


@dataclass(frozen=True)
class Kept:
    """What one reader made of one page."""

    kept: float
    around: bool
    titled: bool
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every reader on every page and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="folder that holds trafilatura and readability")
    options = parser.parse_args(arguments)
    readers: dict[str, Callable[[bytes], Extracted]] = {"nemo": _ours}
    if options.peers:
        sys.path.append(options.peers)
        readers |= {
            "trafilatura": _trafilatura,
            "trafilatura, recall": _trafilatura_recall,
            "readability": _readability,
        }
    print(f"{'reader':22s} {'pages':>5s} {'kept':>6s} {'around':>7s} {'title':>6s} {'ms':>6s}")
    for name, read in readers.items():
        found = list(_measured(read))
        size = len(found)
        print(
            f"{name:22s} {size:5d} {sum(f.kept for f in found) / size:6.3f} {sum(f.around for f in found) / size:7.3f} "
            f"{sum(f.titled for f in found) / size:6.3f} {1000 * sum(f.seconds for f in found) / size:6.1f}"
        )
    return 0


def _measured(read: Callable[[bytes], Extracted]) -> Iterator[Kept]:
    for letter in LETTERS:
        for site in SITES.values():
            content = site(letter)
            began = time.perf_counter()
            text, title = read(content)
            seconds = time.perf_counter() - began
            held = _bare(text)
            wanted = _pieces(letter)
            kept = sum(_bare(piece) in held for piece in wanted) / len(wanted)
            yield Kept(kept, any(words in text for words in FURNITURE), _bare(letter.title) == _bare(title), seconds)


def _pieces(letter: Letter) -> list[str]:
    cells = [word for grid in letter.grids() for row in (*grid.header, *grid.rows) for word in row if word]
    return [*letter.paragraphs(), *cells]


def _bare(words: str) -> str:
    return re.sub(r"[\s|]", "", words)


def _ours(content: bytes) -> Extracted:
    from nemo.parse import parse
    from nemo.settings import Settings
    from nemo.types import RawDocument

    parsed = parse(RawDocument.of(content, "page.html"), Settings())
    return parsed.text, parsed.title or ""


def _trafilatura(content: bytes, **options: bool) -> Extracted:
    import trafilatura  # type: ignore[import-not-found]

    text = trafilatura.extract(content, include_tables=True, include_comments=False, **options) or ""
    about = trafilatura.extract_metadata(content)
    return text, (about.title if about else "") or ""


def _trafilatura_recall(content: bytes) -> Extracted:
    return _trafilatura(content, favor_recall=True)


def _readability(content: bytes) -> Extracted:
    import lxml.html
    from readability import Document  # type: ignore[import-not-found]

    page = Document(content.decode("utf-8", errors="ignore") if b"gb2312" not in content else content.decode("gb18030"))
    return lxml.html.fromstring(page.summary()).text_content(), page.short_title()


if __name__ == "__main__":
    raise SystemExit(main())
