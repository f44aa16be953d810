"""When a watch is due: daily, weekly, or a crontab line, by the clock of China (采集计划)."""

import datetime as dt
import re

from apscheduler.triggers.cron import CronTrigger

from nemo.errors import BadRequestError
from nemo.types import CHINA

NAMED = {"daily": "30 5 * * *", "weekly": "30 5 * * mon"}
"""Half past five: what was published yesterday is there, and nobody is at work yet."""
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
SOONEST = dt.timedelta(hours=1)
"""No site is looked at more often."""


def following(schedule: str, moment: dt.datetime) -> dt.datetime:
    """Return when a schedule is due next after a moment (aware).

    Raises:
        BadRequestError: it is no schedule, is never due, or due more often than once an hour.
    """
    trigger = _trigger(schedule)
    first = trigger.get_next_fire_time(None, moment.astimezone(CHINA) + dt.timedelta(seconds=1))
    second = trigger.get_next_fire_time(first, first + dt.timedelta(seconds=1)) if first else None
    if first is None:
        raise BadRequestError(f"计划“{schedule}”永远不会到期。请改正。")
    if second is not None and second - first < SOONEST:
        raise BadRequestError("采集不得比每小时一次更密。请改用 daily、weekly 或更疏的 cron 表达式。")
    return dt.datetime.fromtimestamp(first.timestamp(), dt.UTC)


def _trigger(schedule: str) -> CronTrigger:
    try:
        fields = NAMED.get(schedule, schedule).split()
        # cron counts the days of the week from Sunday, the library from Monday: names mean the same to both.
        fields[4:] = [re.sub(r"(?<![/\d])\d", lambda m: DAYS[int(m[0]) % 7], field) for field in fields[4:]]
        return CronTrigger.from_crontab(" ".join(fields), timezone=CHINA)
    except (ValueError, KeyError) as error:
        raise BadRequestError(
            f"计划“{schedule}”无效。可用每日（daily）、每周（weekly）或五段 cron 表达式，如 30 5 * * 1-5。"
        ) from error
