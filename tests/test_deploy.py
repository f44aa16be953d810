"""What is written for operators works as written: files exist, commands are commands, settings are settings (部署)."""

import json
import re
import shlex
from pathlib import Path
from typing import get_args
from urllib.parse import urlsplit

import pytest
import typer
import yaml

from nemo import settings
from nemo.cli import app, main
from nemo.settings import Settings
from tests.security.served import QUESTION, TEXT

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = [ROOT / "docs" / "operations.md", *sorted((ROOT / "deploy").iterdir())]
COMMANDS = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: p.name)
def test_commands_and_settings_are_real(path: Path) -> None:
    text = path.read_text("utf-8")
    used = set(re.findall(r"python -m nemo ([\w-]+)", text.replace('", "', " ")))
    assert used <= COMMANDS
    named = {name.lower() for name in re.findall(r"NEMO_([A-Z_]+)", text)}
    assert named <= set(Settings.model_fields)


@pytest.mark.parametrize("name", ["compose.yaml", "compose-scale.yaml"])
def test_the_services_of_a_compose_file_belong_together(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses name services, ports are those of the image, places are volumes, and the settings are taken as they are."""
    given = re.sub(
        r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda v: v[2] or "", (ROOT / "deploy" / name).read_text("utf-8")
    )
    file = yaml.safe_load(given)
    services, image = file["services"], (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    nemo = services["nemo"]
    assert (ROOT / "deploy" / nemo["build"]["context"] / nemo["build"]["dockerfile"]).is_file()
    assert (ROOT / nemo["build"]["args"].get("REQUIREMENTS", "requirements.txt")).is_file()
    assert all(f"ARG {argument}" in image for argument in nemo["build"]["args"])
    ports = {str(port).rpartition(":")[2] for port in nemo["ports"]}
    assert ports == set(re.findall(r"EXPOSE (\d+)", image)) == set(re.findall(r'"--port", "(\d+)"', image))
    assert all(str(port).startswith("127.0.0.1:") for port in nemo["ports"])
    assert int(nemo["stop_grace_period"].removesuffix("s")) >= 10
    assert set(nemo.get("depends_on", ())) <= set(services)
    volumes = [volume for service in services.values() for volume in service.get("volumes", ())]
    assert {volume.partition(":")[0] for volume in volumes} == set(file["volumes"])
    places = [volume.partition(":")[2] for volume in nemo["volumes"]]
    assert re.findall(r"NEMO_LIBRARY=(\S+)", image) == places
    for variable, value in nemo["environment"].items():
        monkeypatch.setenv(variable, value or "given")
    chosen = settings.load()
    if name == "compose-scale.yaml":
        url, server = urlsplit(chosen.database_url or ""), services["postgres"]["environment"]
        assert services[url.hostname or ""] and (url.username, url.path) == (
            server["POSTGRES_USER"],
            f"/{server['POSTGRES_DB']}",
        )
        assert url.hostname in nemo["depends_on"] and "healthcheck" in services[url.hostname]
        assert chosen.milvus and urlsplit(chosen.milvus.get_secret_value()).hostname in services
        assert chosen.vector_store in get_args(Settings.model_fields["vector_store"].annotation)
        temporary = [place.partition(":")[0] for place in nemo["tmpfs"]]
        assert any(str(chosen.indexes).startswith(place) for place in temporary), "each process has indexes of its own"


def test_the_image_holds_what_the_program_reads() -> None:
    """Every place that is copied exists, and the command starts a server that answers outside the container."""
    lines = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").splitlines()
    for line in lines:
        if line.startswith("COPY "):
            assert all((ROOT / place).exists() for place in shlex.split(line)[1:-1]), line
    copied = {place for line in lines if line.startswith("COPY ") for place in shlex.split(line)[1:-1]}
    own = {str(Settings.model_fields[name].default.relative_to(ROOT)) for name in ("rules", "models", "samples")}
    assert own <= copied
    assert json.loads(lines[-1].removeprefix("CMD "))[:4] == ["python", "-m", "nemo", "serve"]


def test_the_drill_of_a_restore(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps of docs/operations.md, one after the other: the restored library gives the same words."""
    monkeypatch.setenv("NEMO_WORKERS", "0")
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")
    library, drill, file = tmp_path / "library", tmp_path / "drill", tmp_path / "nemo.zip"

    def told(*arguments: object) -> str:
        capsys.readouterr()
        assert main([*map(str, arguments)]) == 0
        return capsys.readouterr().out

    told("ingest", tmp_path / "办法.md", "--library", library)
    before = json.loads(told("ask", QUESTION, "--json", "--library", library))
    told("backup", file, "--library", library)
    assert json.loads(told("restore", file, "--library", drill, "--json"))["ok"] is True
    told("verify", "--library", drill)
    after = json.loads(told("ask", QUESTION, "--json", "--library", drill))
    assert after["answer_zh"] == before["answer_zh"] and "十二个工作日" in after["answer_zh"]
