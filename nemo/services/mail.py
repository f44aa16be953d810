"""Plain mail through the server that the settings name (邮件)."""

import smtplib
import ssl
from collections.abc import Sequence
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from nemo.errors import ConfigError, ServiceError

PORTS = {"smtp": 587, "smtps": 465}
SECONDS = 20.0


def send(server: str, sender: str, to: Sequence[str], subject: str, text: str) -> None:
    """Send one mail.

    Args:
        server: ``smtp://name:password@host:587`` (STARTTLS) or ``smtps://…:465``; the password never leaves this function.
        sender: Address of the sender.
        to: Addresses.
        subject: One line.
        text: Plain text.

    Raises:
        ConfigError: the server's address is none.
        ServiceError: the server does not take the mail.
    """
    parts = urlsplit(server)
    if parts.scheme not in PORTS or not parts.hostname:
        raise ConfigError("NEMO_SMTP_URL 应形如 smtp://用户名:口令@主机:587 或 smtps://…:465。请改正后重新启动。")
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, ", ".join(to), " ".join(subject.split())
    message.set_content(text)
    failure = ""
    try:
        _deliver(parts.scheme, parts.hostname, parts.port or PORTS[parts.scheme], parts, message)
    except (smtplib.SMTPException, OSError) as error:  # what the library says may quote the name and the password
        failure = type(error).__name__
    if failure:
        raise ServiceError(f"邮件服务器 {parts.hostname} 没有接收邮件（{failure}）。请核对 NEMO_SMTP_URL。")


def _deliver(scheme: str, host: str, port: int, parts: object, message: EmailMessage) -> None:
    user, password = getattr(parts, "username", None), getattr(parts, "password", None)
    context = ssl.create_default_context()
    line = (
        smtplib.SMTP_SSL(host, port, timeout=SECONDS, context=context)
        if scheme == "smtps"
        else smtplib.SMTP(host, port, timeout=SECONDS)
    )
    with line:
        line.ehlo()
        if scheme == "smtp" and line.has_extn("starttls"):
            line.starttls(context=context)
            line.ehlo()
        elif scheme == "smtp" and user:
            raise smtplib.SMTPNotSupportedError("a password is only sent over TLS")
        if user:
            line.login(unquote(user), unquote(password or ""))
        line.send_message(message)
