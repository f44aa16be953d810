"""What was stated about days names its field apart from the words a reader sees."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

LABELS = {
    "promulgated": "公布日期",
    "effective_date": "施行日期",
    "in_force_from": "本版本施行日期",
    "valid_until": "有效期至",
    "superseded_on": "被新版本取代日期",
    "repealed_on": "废止日期",
    "version_date": "版本日期",
}
WHO = {"MANIFEST": "清单所载：", "ANALYST": "人工填写："}


def upgrade() -> None:
    """Turn words like effective_date=2024-08-01 into 清单所载：施行日期 2024-08-01."""
    regulations = sa.table("regulations", sa.column("id", sa.String), sa.column("validity", sa.Text))
    connection = op.get_bind()
    for key, text in connection.execute(sa.select(regulations.c.id, regulations.c.validity)).all():
        validity = json.loads(text)
        if sum(_mend(evidence) for evidence in validity.get("evidence", ())):
            mended = json.dumps(validity, ensure_ascii=False, separators=(",", ":"))
            connection.execute(regulations.update().where(regulations.c.id == key).values(validity=mended))


def _mend(evidence: dict[str, Any]) -> bool:
    name, equals, value = evidence["words"].partition("=")
    if not equals or name not in LABELS or evidence["origin"] == "TEXT":
        return False
    evidence["words"] = f"{WHO.get(evidence['origin'], WHO['MANIFEST'])}{LABELS[name]} {value}"
    if evidence["origin"] in WHO:
        evidence.update(field=name, value=value)
    return True
