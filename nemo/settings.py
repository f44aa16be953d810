"""Every setting: default, unit and environment name. Read once by the faces (app, command line, API), passed down from there.

Environment names are ``NEMO_`` + the field name in capitals, e.g. ``NEMO_LIBRARY``; one that is empty counts as not set.
A value that does not fit stops the start and names the variable; nothing falls back to a default silently.
"""

from __future__ import annotations

import ipaddress
import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from nemo.errors import ConfigError, nearest

_CHECKOUT = Path(__file__).resolve().parent.parent
_IN_CHECKOUT = (_CHECKOUT / "pages").is_dir() and (_CHECKOUT / "data" / "rules").is_dir()

PROJECT = _CHECKOUT if _IN_CHECKOUT else Path(__file__).resolve().parent / "installed"
"""Where ``app.py``, ``pages/`` and ``data/`` lie: the root of a checkout, or the folder that a wheel carries."""

_DATA = PROJECT / "data" if _IN_CHECKOUT else Path.cwd() / "data"
"""Where a library is kept unless a setting says otherwise: never inside an installed package."""

MEBI = 1024 * 1024


def _starts(*schemes: str) -> AfterValidator:
    """Return the check that an address, secret or not, names a host behind one of these schemes."""

    def checked(value: Any) -> Any:
        told = value.get_secret_value() if isinstance(value, SecretStr) else value or ""
        if told and (urlsplit(told).scheme not in schemes or not urlsplit(told).hostname):
            raise ValueError("应以 " + " 或 ".join(f"{s}://" for s in schemes) + " 开头，并写明主机")
        return value

    return AfterValidator(checked)


def _networks(text: str) -> str:
    try:
        for part in filter(str.strip, text.replace("，", ",").split(",")):
            ipaddress.ip_network(part.strip())
    except ValueError as error:
        raise ValueError(f"应为逗号分隔的网段，如 198.18.0.0/15（{error}）") from error
    return text


UNPACKED = 4
"""A document that is a zip inside may be so many times as large unpacked as any file may be: pictures do not shrink, and
of text 30 MB packed are a library of their own."""


class Settings(BaseSettings):
    """All settings of one process."""

    model_config = SettingsConfigDict(env_prefix="NEMO_", env_ignore_empty=True, extra="ignore", frozen=True)

    # --- places
    library: Path = Field(_DATA / "var", description="资料库文件夹")
    database: SecretStr | None = Field(
        None,
        description="目录库地址，如 postgresql://用户:口令@主机/库；多个进程共用一个资料库时用，空为文件夹里的 SQLite",
    )
    indexes: Path | None = Field(
        None, description="共用目录库时各进程的检索索引所在的文件夹，宜放在各机自己的磁盘上；空为资料库的 nodes"
    )
    milvus: SecretStr | None = Field(
        None, description="Milvus 地址，如 http://主机:19530；NEMO_VECTOR_STORE=milvus 时用"
    )
    rules: Path = Field(PROJECT / "data" / "rules", description="规则数据文件夹")
    models: Path = Field(PROJECT / "data" / "models", description="内置模型文件夹")
    samples: Path = Field(PROJECT / "data" / "samples", description="演示资料文件夹")
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(lambda given: str(given).upper())
    ] = Field("WARNING", description="日志级别")
    log_format: Literal["text", "json"] = Field(
        "text", description="日志形式：text，或 json（每行一个对象，含 trace_id）"
    )

    otlp_endpoint: Annotated[str, _starts("http", "https")] = Field(
        "", description="OpenTelemetry 收集器地址（OTLP/HTTP），如 http://127.0.0.1:4318；空表示不发送"
    )

    # --- parts
    embedder: Literal["builtin", "transformer", "gemini"] = Field(
        "builtin", description="向量模型：builtin、transformer 或 gemini"
    )
    vector_store: Literal["chroma", "exact", "pgvector", "milvus"] = Field(
        "chroma", description="向量索引：chroma、pgvector、milvus（近似，可重建）或 exact（只用精确检索）"
    )
    reranker: str = Field(
        "domain",
        description="重排：domain、cross_encoder、gemini 或 none；cross_encoder,gemini 为先后两级，由后一级定夺",
    )

    renderer: Literal["none", "gemini"] = Field("none", description="英文提问时引文的机器翻译：none 或 gemini")
    summary: Literal["none", "gemini"] = Field(
        "none", description="引文下方的机器小结，逐句与引文核对，须在提问时另行要求：none 或 gemini"
    )

    proposer: Literal["none", "gemini"] = Field(
        "none", description="向模型征询图谱的候选关系，须逐条核准才进入图谱：none 或 gemini"
    )

    # --- ingestion
    workers: int = Field(2, ge=0, le=64, description="解析进程数；0 表示在主进程内解析")
    ray: str = Field(
        "",
        description="Ray 集群地址，如 ray://主机:10001 或 auto；入库的解析、识别、结构与向量在集群上做，local 为本机试用，空为本机进程",
    )
    worker_memory_mb: int = Field(1536, ge=512, description="每个解析进程的内存上限，MiB（Linux）")
    max_file_mb: int = Field(100, ge=1, description="单个文件上限，MiB")
    max_pages: int = Field(3000, ge=1, description="单个文件页数上限")
    max_archive_files: int = Field(2000, ge=1, description="压缩包内文件数上限")
    max_archive_mb: int = Field(1024, ge=1, description="压缩包解压后总大小上限，MiB")
    max_in_flight_mb: int = Field(2048, ge=1, description="接口同时接收的上传总量上限，MiB；超过后的请求被拒绝")
    max_failed_mb: int = Field(2048, ge=0, description="失败文件留存原件的总量上限，MiB；超过后只留名称与原因")
    max_library_mb: int = Field(0, ge=0, description="资料库原件的总量上限，MiB；0 表示不限")
    parse_seconds: float = Field(900, gt=0, description="单个文件解析时间上限，秒")

    # --- retrieval
    candidates: int = Field(100, ge=5, le=1000, description="进入重排的候选条文数")
    dense_weight: float = Field(0.85, ge=0, le=1, description="向量得分在融合中的权重")
    exact_rows: int = Field(60_000, ge=0, description="允许的片段不超过此数时用精确检索，否则用近似索引")
    max_question_chars: int = Field(2_000, ge=10, description="问题长度上限，字符")
    max_quotes: int = Field(4, ge=1, le=20, description="一次答复的引文条数上限")

    # --- answers and their review
    keep_answers: bool = Field(True, description="留存每次答复，供再次打开、复核与失效提醒")
    review_two_persons: bool = Field(False, description="双人复核：两人先后通过才算已复核")
    users_file: Path | None = Field(None, description="用户文件（TOML，口令只存散列）；空表示不登录")
    sso: bool = Field(False, description="统一身份登录（OIDC），登记在 .streamlit/secrets.toml 的 [auth]")
    sso_role: str = Field("reader", description="统一身份登录后，用户文件未列出者的角色；none 表示不准进入")

    # --- the process that serves
    temporary: bool = Field(False, description="磁盘只是临时的：每页提示下载备份；Streamlit Community Cloud 上自动如此")
    api_token: SecretStr | None = Field(
        None, description="接口令牌（管理员）；设置后 /api 与 /mcp 的每次调用都须携带令牌"
    )
    audit_key: SecretStr | None = Field(
        None, description="记录链密钥；设置后每一环附 HMAC 签印，密钥不要与资料库放在一起"
    )
    hosts: str = Field("", description="允许的访问域名或地址，逗号分隔；本机与监听地址无需列出")

    commit: str | None = Field(None, description="构建所用的提交号，由镜像写入，供 /api/v1/health 显示")
    address_per_minute: int | None = Field(
        None, ge=0, description="每个来源地址每分钟的请求数，0 不限；不设时不限，演示环境（NEMO_TEMPORARY=1）为 10"
    )
    caller_per_minute: int | None = Field(
        None, ge=0, description="每个令牌或账号每分钟的请求数，0 不限；不设时不限，演示环境（NEMO_TEMPORARY=1）为 20"
    )
    waiting: int = Field(200, ge=1, description="同时处理与等候的请求数上限，超出即答 503")
    readers: int | None = Field(
        None,
        ge=0,
        le=64,
        description="回答进程数（Linux），0 表示由主进程回答；不设时每核一个、问题重叠时才启动，单核与演示环境不启动",
    )
    question_seconds: float = Field(30.0, gt=0, description="一个问题的时限，秒；超过后略去其余步骤，并在答复中说明")

    # --- optional services (off unless configured)
    gemini_api_key: SecretStr | None = Field(None, description="Gemini 密钥")
    gemini_model: str = Field("gemini-2.5-flash", description="Gemini 重排模型名")
    gemini_embedding_model: str = Field("gemini-embedding-001", description="Gemini 向量模型名")
    gemini_thinking_budget: int = Field(0, ge=-2, description="Gemini 重排思考额度，0 关闭，-1 自动，-2 不发送此参数")
    gemini_base_url: str | None = Field(None, description="Gemini 服务地址；空为官方地址")
    service_seconds: float = Field(8.0, gt=0, description="外部服务单次调用时限，秒")
    transformer_model: str = Field("BAAI/bge-small-zh-v1.5", description="SentenceTransformer 名称或本地文件夹")
    cross_encoder_model: str = Field(
        "BAAI/bge-reranker-base", description="CrossEncoder：gte、qwen3、bge、模型名称或本地文件夹"
    )
    rerank_candidates: int = Field(
        20, ge=2, le=100, description="交给 CrossEncoder 或 Gemini 重排的前若干条，其余保持原序"
    )
    model_seconds: float = Field(120.0, gt=0, description="本地向量模型一批推理的时限，秒")
    model_start_seconds: float = Field(600.0, gt=0, description="本地模型加载（含下载）的时限，秒")

    # --- collecting from official sites (off unless switched on)
    discovery: bool = Field(False, description="允许联网采集官方来源")
    fetch_seconds: float = Field(30.0, gt=0, description="下载一个文件的时限，秒")
    fetch_networks: Annotated[str, AfterValidator(_networks)] = Field(
        "", description="采集时额外允许连接的非公网网段，逗号分隔，如代理软件的 198.18.0.0/15"
    )
    crawl_delay: float = Field(2.0, ge=0, description="对同一网站两次访问的最短间隔，秒")
    crawl_pages: int = Field(1, ge=1, le=50, description="每个栏目读取的列表页数")
    google_search_api_key: SecretStr | None = Field(None, description="Google Custom Search 密钥")
    google_search_engine_id: str | None = Field(None, description="Google Custom Search 搜索引擎 ID（cx）")
    perplexity_api_key: SecretStr | None = Field(None, description="Perplexity 密钥")

    # --- notices of changes (off unless configured)
    smtp_url: Annotated[SecretStr | None, _starts("smtp", "smtps")] = Field(
        None, description="邮件服务器，如 smtp://用户名:口令@主机:587（STARTTLS）或 smtps://…:465；空表示不发邮件"
    )
    mail_from: str = Field("", description="发件地址；空则用第一个收件地址")
    mail_to: str = Field("", description="动态摘要的收件地址，逗号分隔")
    webhook_url: Annotated[SecretStr | None, _starts("http", "https")] = Field(
        None, description="动态摘要的 Webhook 地址（POST JSON）；空表示不发送"
    )
    digest: Literal["daily", "weekly"] = Field("daily", description="动态摘要的间隔：daily 或 weekly；每件事只说一次")

    @field_validator("*")
    @classmethod
    def _text(cls, value: object) -> object:
        """Refuse bytes that are no text: they would end in an internal error wherever they are written down; and a web
        address in place of a folder, which would be made here under its name.
        """
        if isinstance(value, Path) and re.match("[A-Za-z][A-Za-z0-9+.-]+:/", str(value)):
            raise ValueError("是地址，应为本机的文件夹")
        try:
            str(value).encode()
        except UnicodeEncodeError:
            raise ValueError("不是 UTF-8 文本") from None
        return value

    @property
    def max_file_bytes(self) -> int:
        """Size limit of one file in bytes."""
        return self.max_file_mb * MEBI

    @property
    def max_document_bytes(self) -> int:
        """What a document that is a zip inside (Word, Excel, OFD) may grow to when it is unpacked, in bytes."""
        return min(UNPACKED * self.max_file_bytes, self.max_archive_mb * MEBI)

    @property
    def notifies(self) -> bool:
        """Whether news go out by mail or webhook."""
        return self.webhook_url is not None or (self.smtp_url is not None and bool(self.mail_to))

    def model(self, name: str) -> Path:
        """Folder of a model: the library's own, made by ``python -m nemo train``, else the one that ships.

        Raises:
            ConfigError: nobody can tell whether the library has one: its folder cannot be read.
        """
        own = self.own_models / name
        try:
            return own if own.is_dir() else self.models / name
        except PermissionError as error:
            raise ConfigError(
                f"资料库 {self.library} 无法读写：没有读写权限。请让运行本程序的用户能读写这个文件夹，"
                "或用 NEMO_LIBRARY 改用其他文件夹后重试。"
            ) from error

    @property
    def chain_key(self) -> bytes | None:
        """What links of the chain of records are stamped with, None without a key."""
        return self.audit_key.get_secret_value().encode() if self.audit_key else None

    def without_secrets(self) -> Settings:
        """Return what another machine needs to prepare files: everything but keys, passwords and addresses with them."""
        return self.model_copy(update={name: None for name, value in self if isinstance(value, SecretStr)})

    @property
    def own_models(self) -> Path:
        """Folder of the models trained on this library."""
        return self.library / "models"

    @property
    def catalogue_path(self) -> Path:
        """The SQLite file of the catalogue."""
        return self.library / "catalogue.sqlite"

    @property
    def raw_path(self) -> Path:
        """Folder of the raw files, named by their hash."""
        return self.library / "raw"

    @property
    def database_url(self) -> str | None:
        """Address of the shared catalogue; None where it is the SQLite file."""
        given = self.database.get_secret_value().strip() if self.database else ""
        return given or None

    @property
    def home(self) -> Path:
        """Folder of the indexes, which one process owns: of several that share a library each has its own."""
        return self.indexes if self.database_url and self.indexes else self.library

    @property
    def chroma_path(self) -> Path:
        """Folder of the vector index."""
        return self.home / "chroma"

    @property
    def lexical_path(self) -> Path:
        """Folder of the lexical index."""
        return self.home / "lexical"


def load(**overrides: object) -> Settings:
    """Read the settings from the environment; keyword arguments that are not None win.

    Raises:
        ConfigError: a value does not fit; the message names the variable.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        said = "；".join(_fault(str(e["loc"][0]), e["type"], e["input"], e.get("ctx", {})) for e in error.errors())
        raise ConfigError(f"{said}。请改正环境变量后重新启动。") from None  # its own words would show a password


_LIMITS = {"greater_than": "gt", "greater_than_equal": "ge", "less_than": "lt", "less_than_equal": "le"}
_SAID = {"gt": "应大于 ", "ge": "应不小于 ", "lt": "应小于 ", "le": "应不大于 "}
_KINDS = {"int": "应为整数", "float": "应为数字", "bool": "应为 1 或 0", "path": "应为路径"}


def _fault(field: str, kind: str, given: object, about: dict[str, Any]) -> str:
    """Say what is wrong with one setting; a secret is not repeated."""
    secret = "SecretStr" in str(Settings.model_fields[field].annotation)
    shown = "" if secret else f"“{given}”"
    if limit := _LIMITS.get(kind):
        words = f"{_SAID[limit]}{about[limit]}"
    elif kind == "literal_error":
        words = "应为 " + about["expected"].replace("'", "").replace(", ", "、").replace(" or ", " 或 ")
    else:
        words = str(about["error"]) if "error" in about else _KINDS.get(kind.partition("_")[0], "形式不对")
    return f"NEMO_{field.upper()} 的值{shown}无效，{words}"


def misspelt() -> dict[str, str]:
    """Return the environment's names that are no setting but nearly one, each with the one that may be meant."""
    known = ["NEMO_" + name.upper() for name in Settings.model_fields]
    strange = [name for name in os.environ if name.startswith("NEMO_") and name not in known]
    return {name: near for name in strange if (near := nearest(name, known))}
