"""Citations, quotations and values in a memo, each judged against what is held (合规意见审校)."""

from nemo.audit.finding import MemoAudit, MemoFinding, MemoVerdict, plain
from nemo.audit.service import AuditService

__all__ = ["AuditService", "MemoAudit", "MemoFinding", "MemoVerdict", "plain"]
