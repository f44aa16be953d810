"""The nouns of Nemo: the values that travel between its rooms.

Conventions, once for all modules:

- Offsets are code points of ``Regulation.text``; spans are half-open ``[start, end)``.
- Days are calendar days in China (``datetime.date``); intervals of days are half-open.
- Scores rise with relevance; confidences lie in 0..1.
- Every class is frozen: a value says what was true when it was made.

The type of a value tells where in the river it is: ``Lead`` → ``RawDocument`` → ``ParsedDocument`` →
``Regulation`` → ``Chunk`` on the way in, ``Query`` → ``Hit`` → ``Quote`` → ``Answer`` on the way out.
"""

from nemo.types.answer import (
    CORPORA,
    Answer,
    AnswerPart,
    Citation,
    Confidence,
    Directness,
    EnglishLine,
    Expansion,
    Hit,
    LevelNote,
    Mention,
    PlaceGroup,
    Query,
    Quote,
    Ranked,
    Reason,
    Refusal,
    RenderedSentence,
    Review,
    StageTime,
    Summary,
    SummarySentence,
    TermPair,
    Verdict,
    cite,
)
from nemo.types.documents import Lead, Page, ParsedDocument, Progress, RawDocument, RecognisedLine
from nemo.types.figures import Figure, FigureKind, Picture, ShownFigure
from nemo.types.places import CHINA, Day, DayRange, Fault, Span, new_trace_id, today
from nemo.types.provisions import HEADINGS, Address, AddressRange, AddressStep, Level, Provision, article_in
from nemo.types.quality import PageQuality, TextQuality
from nemo.types.regulation import (
    CITABLE,
    Chunk,
    Filters,
    Regulation,
    Relation,
    RelationKind,
    as_law,
    status_of,
)
from nemo.types.tables import QuotedRow, Table, TablePiece, TableRow
from nemo.types.validity import STATED, Evidence, Origin, Scope, Status, Validity
