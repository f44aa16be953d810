"""Files from object storage and other file systems by address: ``s3://``, ``gs://``, ``memory://`` (对象存储).

They are brought to this machine by whoever types the command, with the keys of their own environment (``AWS_…``,
``GOOGLE_…``), and go in like any other folder. The process that serves fetches them only where an administrator has them
watched and collecting is switched on, so nobody who may only upload can make it reach out.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from nemo.errors import BadRequestError, ConfigError, MissingDependencyError, NemoError, NotFoundError, ServiceError
from nemo.settings import Settings

SCHEMES = ("s3", "gs", "memory")

NEEDED = "读取对象存储需要 obstore。请运行 pip install -r requirements-objects.txt 后重试。"


def is_object(address: str) -> bool:
    """Tell whether an address names objects and no path of this machine."""
    return address.partition("://")[0] in SCHEMES and "://" in address


def fetch(address: str, into: Path, settings: Settings) -> list[Path]:
    """Bring the objects under an address, one object or all below a prefix, into a folder; return their files in order.

    Of one that is larger than a file may be only so much comes as shows that it is; it is then refused like any file.

    Raises:
        BadRequestError: the address has no bucket, or there are more objects than an archive may hold.
        NotFoundError: there is nothing.
        MissingDependencyError: the library that speaks with the storage is not installed.
        ConfigError: the storage does not accept the keys.
        ServiceError: it does not answer.
    """
    scheme, _, rest = address.partition("://")
    place = rest.strip("/")
    if not place or (scheme != "memory" and not place.partition("/")[0]):
        raise BadRequestError(f"对象存储的地址应写明桶，如 s3://桶/文件夹：{address}。请改正。")
    system = _system(scheme)
    try:
        found = sorted(_files(system, place))
        if len(found) > settings.max_archive_files:
            raise BadRequestError(
                f"{address} 下有 {len(found)} 个文件，一次至多 {settings.max_archive_files} 个。请分次入库。"
            )
        if not found:
            raise NotFoundError(f"{address} 下没有文件。请核对桶与路径。")
        return [_brought(system, each, place, into, settings.max_file_bytes + 1) for each in found]
    except _failures() as error:
        failure = _translated(address, error)
    raise failure  # outside the handler: the library's error holds the whole exchange


def stamps(address: str) -> dict[str, str]:
    """Return what the storage says of the state of every object under an address: its tag, or time and size.

    Raises:
        MissingDependencyError, ConfigError, NotFoundError, ServiceError: as in :func:`fetch`.
    """
    scheme, _, rest = address.partition("://")
    system = _system(scheme)
    try:
        found = system.find(rest.strip("/"), detail=True)
        return {f"{scheme}://{str(path).strip('/')}": _stamp(about) for path, about in sorted(found.items())}
    except _failures() as error:
        failure = _translated(address, error)
    raise failure


def _stamp(about: Mapping[str, Any]) -> str:
    when = about.get("last_modified") or about.get("created") or ""
    return f"{about.get('e_tag') or ''}:{when}:{about.get('size')}"


def _failures() -> tuple[type[Exception], ...]:
    """Return what the storage's library raises, where it is installed."""
    try:
        from obstore.exceptions import BaseError
    except ImportError:
        return (OSError,)
    return (OSError, BaseError)


def _translated(address: str, error: Exception) -> NemoError:
    kind = type(error).__name__
    if isinstance(error, FileNotFoundError) or kind == "NotFoundError":
        return NotFoundError(f"{address} 下没有文件。请核对桶与路径。")
    denied = any(sign in str(error) for sign in ("403 Forbidden", "401 Unauthorized", "AccessDenied"))
    if denied or isinstance(error, PermissionError) or kind in ("PermissionDeniedError", "UnauthenticatedError"):
        return ConfigError(f"{address} 拒绝访问。请核对环境变量中的密钥与桶的权限。")
    return ServiceError(f"{address} 没有应答（{kind}）。请核对地址与网络后重试。")


def _system(scheme: str) -> Any:
    import fsspec  # only who names an object pays for it

    if scheme == "memory":
        return fsspec.filesystem("memory")
    try:
        from obstore.fsspec import register
    except ImportError as error:
        raise MissingDependencyError(NEEDED) from error
    # A new one each time: one that is kept would go on with the keys of an earlier command.
    register(scheme)
    return fsspec.filesystem(scheme, retry_config={"max_retries": 2}, skip_instance_cache=True)


def _files(system: Any, place: str) -> Iterator[str]:
    """Yield the objects below a prefix, or the one of this very name; places that only stand for folders are none."""
    below = system.find(place)
    yield from (str(each).strip("/") for each in (below or [place] if system.exists(place) else below))


def _brought(system: Any, path: str, place: str, into: Path, most: int) -> Path:
    """Write an object to where its name puts it below the folder; a name never leads out of it."""
    inside = PurePosixPath(path.removeprefix(place).strip("/") or path.rpartition("/")[2])
    parts = [part for part in inside.parts if part not in ("", ".", "..", "/")]
    file = into.joinpath(*(part.replace("\\", "_") for part in parts))
    file.parent.mkdir(parents=True, exist_ok=True)
    with system.open(path, "rb") as source:
        file.write_bytes(source.read(most))
    return file
