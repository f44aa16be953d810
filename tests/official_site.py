"""An invented official site on loopback, and the rule entry that describes it; all texts are made up."""

from typing import Any

from nemo.rules import OfficialSource
from nemo.settings import Settings, load
from tests.local_server import LocalServer


def site(server: LocalServer, code: str = "demo", **more: Any) -> OfficialSource:
    """Return a source whose domain is the local server."""
    given = {
        "code": code,
        "name": "演示市能源局",
        "source": "written for this test",
        "province": "gd",
        "url": server.url + "/",
        "allow": "127.0.0.1",
        "mode": "list",
        "list_pages": (server.url + "/tzgg/",),
    }
    return OfficialSource(**{**given, **more})


def switched_on(**more: object) -> Settings:
    """Return settings with collecting switched on."""
    return load(**{"discovery": True, "crawl_delay": 2.0, "fetch_seconds": 2.0, **more})
