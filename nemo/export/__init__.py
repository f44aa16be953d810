"""The forms an answer leaves Nemo in: JSON and text, Word, Excel, PDF, and a bundle that can be checked again later.

Importing this package loads neither the Word nor the Excel library: the command line answers many questions without.
"""

from nemo.errors import BadRequestError
from nemo.export import figures
from nemo.export.answer import (
    answer_json,
    answer_zh,
    direct_link,
    error_json,
    ranked_json,
    sign,
    source_line,
    table_json,
    table_words,
    verification,
)
from nemo.export.report import ExportReport, ReportColumn, of_answer, of_many, of_matrix, of_review, shown

FORMS = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "json": "application/json",
}
"""Every form a report can be written in, with its media type."""


def write(report: ExportReport, form: str) -> bytes:
    """Return a report as a file of one of the ``FORMS``.

    Raises:
        BadRequestError: there is no such form.
    """
    if form == "docx":
        from nemo.export.word import write as word

        return word(report)
    if form == "xlsx":
        from nemo.export.excel import write as excel

        return excel(report)
    if form == "pdf":
        from nemo.export.pdf import write as pdf

        return pdf(report)
    if form == "json":
        from nemo.export.bundle import write as bundle

        return bundle(report)
    raise BadRequestError(f"没有“{form}”这种导出形式。可选：{'、'.join(FORMS)}。")
