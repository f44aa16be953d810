"""What the process writes to its log (日志): lines for people, or one JSON object a line for machines.

Neither holds a question, a quote, a token or a key; a line about one question carries its trace id.
"""

import datetime as dt
import json
import logging
import sys
import traceback

from nemo.settings import Settings, misspelt

log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON: ``timestamp``, ``level``, ``logger``, ``message``, ``trace_id``, ``error``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        record_fields = {
            "timestamp": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "trace_id": getattr(record, "trace_id", None),
        }
        if record.exc_info:
            record_fields["error"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(record_fields, ensure_ascii=False)


def configure(settings: Settings) -> None:
    """Write the program's own records to stderr as the settings say; called once by whatever starts a process.

    A name in the environment that is nearly one of a setting is told: what it should switch on (a login) is not on.
    """
    out = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(levelname)s:%(name)s:%(message)s")
    out.setFormatter(JsonLines() if settings.log_format == "json" else plain)
    logging.basicConfig(level=settings.log_level, handlers=[out])
    for name, meant in misspelt().items():
        log.warning("环境变量 %s 不是 Nemo 的设置，没有起作用。是否要写 %s？", name, meant)
