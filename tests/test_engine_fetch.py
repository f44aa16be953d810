"""Addresses into the library, through the one client, from an invented official site on this machine."""

import json
from pathlib import Path

import pytest

from nemo.cli import main
from nemo.discover.fetch import SiteFetcher
from nemo.discover.finder import Finder
from nemo.engine import Engine
from nemo.errors import BadRequestError, ConfigError, ServiceError
from nemo.settings import load
from tests.jobs_samples import text
from tests.local_server import Answer, serving
from tests.official_site import site, switched_on


def opened(folder: Path, server: object, **more: object) -> Engine:
    given = switched_on(library=folder / "lib", workers=0, crawl_delay=0.0, **more)
    engine = Engine.open(given)
    sources = [site(server)]  # type: ignore[arg-type]
    engine.intake._finders["one"] = Finder(
        given, sources, SiteFetcher(given, sources, loopback=True, sleep=lambda _: None)
    )
    return engine


def test_a_page_is_fetched_queued_and_knows_where_it_came_from(tmp_path: Path) -> None:
    with serving() as server:
        server.routes["/robots.txt"] = Answer(b"", 404)
        rows = "".join(f"<p>{line}</p>" for line in text(1).splitlines() if line)
        server.routes["/zc/1.html"] = Answer.html(f"<html><title>演示</title><body><div>{rows}</div></body></html>")
        with opened(tmp_path, server) as engine:
            engine.intake.enqueue([engine.intake.finder().fetch(server.url + "/zc/1.html")], {"province": "gd"})
            assert engine.intake.jobs.wait(60)
            (row,) = engine.regulations()
            assert (row.url, row.province) == (server.url + "/zc/1.html", "gd")
            report = engine.intake.ingest([], addresses=[server.url + "/zc/1.html"])
            assert [o.state for o in report.outcomes] == ["replaced"]  # other facts were stated this time
            assert engine.library.verify() == []


def test_what_must_not_be_fetched_is_refused_in_words(tmp_path: Path) -> None:
    with serving() as server:
        server.routes["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /intern/")
        server.routes["/gone"] = Answer(b"", 404)
        server.routes["/big"] = Answer(b"x" * (1 << 20) * 2)
        with opened(tmp_path, server, max_file_mb=1) as engine:
            for address, kind, words in (
                ("https://elsewhere.example.com/a.pdf", BadRequestError, "名单"),
                ("file:///etc/passwd", BadRequestError, "名单"),
                (server.url + "/intern/a", BadRequestError, "robots.txt"),
                (server.url + "/gone", ServiceError, "没有这个页面"),
                (server.url + "/big", ServiceError, "上限"),
            ):
                with pytest.raises(kind, match=words):
                    engine.intake.finder().fetch(address)
            assert engine.intake.batches() == []


def test_lists_of_official_sites_are_read_for_leads(tmp_path: Path) -> None:
    with serving() as server:
        server.routes["/robots.txt"] = Answer(b"", 404)
        server.routes["/tzgg/"] = Answer.html('<li><a href="./t20240102_1.html">关于演示并网管理的通知</a></li>')
        with opened(tmp_path, server) as engine:
            told: list[str] = []
            found = engine.intake.finder().leads(["demo"], lambda source: told.append(source.code))
            assert [(lead.title, lead.url) for lead in found.leads] == [
                ("关于演示并网管理的通知", server.url + "/tzgg/t20240102_1.html")
            ]
            assert (found.problems, told) == ((), ["demo"])
            assert engine.intake.finder().leads().leads == found.leads
            with pytest.raises(BadRequestError, match="演示市能源局"):
                engine.intake.finder().leads(["nowhere"])
            with pytest.raises(ConfigError, match="NEMO_PERPLEXITY_API_KEY"):
                engine.intake.finder().search("分布式光伏")


def test_downloading_is_off_unless_switched_on(tmp_path: Path) -> None:
    with Engine.open(load(library=tmp_path, workers=0)) as engine, pytest.raises(ConfigError, match="NEMO_DISCOVERY=1"):
        engine.intake.finder().fetch("https://www.nea.gov.cn/a.html")


def test_the_command_says_what_switches_it_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["discover", "--library", str(tmp_path / "lib"), "--json"])
    assert code == ConfigError.exit_code
    assert "NEMO_DISCOVERY=1" in json.loads(capsys.readouterr().out)["message"]
