"""The app with the outside world on this machine: for browser tests of collecting; no setting of the app can do this.

``NEMO_TEST_SEARCH`` is the address of a search service that a test serves; official sites are those of ``NEMO_RULES``.
"""

import functools
import os
from typing import Any

import streamlit as st

from nemo.discover import fetch, searching
from nemo.services import outbound


def here(kind: Any, **given: Any) -> None:
    """Have every object of a class made with these arguments."""
    kind.__init__ = functools.partialmethod(kind.__init__, **given)


here(fetch.SiteFetcher, loopback=True)
here(searching.CustomSearch, loopback=True, endpoint=os.environ["NEMO_TEST_SEARCH"])
searching.allowed = functools.partial(outbound.allowed, loopback=True)  # type: ignore[assignment]

from nemo.web import server  # noqa: E402  # after what it is made with

app = st.App("app.py")  # what Streamlit looks for in a file, without running it
app = server.app
