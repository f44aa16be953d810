"""Review of quotes and what became of stored answers (复核): the queue, the decisions, the alarm for stale answers."""

from nemo.review.changes import ChangeKind, LawChange, StaleAlert, StaleAnswer, alarms, changes_since, stale
from nemo.review.decisions import ReviewEntry, ReviewFilter, decide, queue, quotes, screened
