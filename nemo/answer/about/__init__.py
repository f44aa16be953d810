"""Questions about a regulation itself: versions, amendments, days, issuer, basis, who cites it, what repealed it (关于法规本身)."""

from nemo.answer.about.answered import MODE, answered
from nemo.answer.about.shape import Matter, Subject, matters, subject_of

__all__ = ["MODE", "Matter", "Subject", "answered", "matters", "subject_of"]
