"""Questions about a regulation itself: versions, amendments, days, issuer, basis, who cites it, what repealed it (关于法规本身)."""

from nemo.answer.about.answered import MODE, answered
from nemo.answer.about.shape import matters

__all__ = ["MODE", "answered", "matters"]
