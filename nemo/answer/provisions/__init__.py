"""Questions that ask for provisions by their numbers: each is given whole and in order, what is asked for marked (按条款号取条文)."""

from nemo.answer.provisions.given import MODE, answered
from nemo.answer.provisions.places import find

__all__ = ["MODE", "answered", "find"]
