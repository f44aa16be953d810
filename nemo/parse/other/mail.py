"""Mails (.eml) and pages saved as one (.mht): the page inside, and the files that a mail carries (邮件附件)."""

import email
import email.policy
import re
from collections.abc import Iterator

_FILE = re.compile(r"\.(?:pdf|docx?|wps|rtf|xlsx?|et|ofd|zip|txt|html?|tiff?|eml)$", re.IGNORECASE)
"""A file that may hold a text; pictures of a signature and parts of a page hold none."""

_QUOTED = re.compile(r"(?m)(?:^>.*\n?){3,}")
"""Lines that a mail passes on, each marked (RFC 3676, 4.5); one alone is what stands in the text (> 500 千瓦)."""
_MARK = re.compile(r"(?m)^(?:> ?)+")


def unquoted(text: str) -> str:
    """Return the text of a mail without the marks before the lines that it passes on."""
    return _QUOTED.sub(lambda found: _MARK.sub("", found[0]), text)


def is_mail(content: bytes) -> bool:
    """Whether the bytes are a mail, or a page saved as one."""
    return content.lstrip()[:1] != b"<" and b"content-type:" in content[:4096].lower()


def page_in(content: bytes) -> tuple[str, bytes] | None:
    """Return kind (``text/html``, ``text/plain``) and bytes of what a mail says; None when it says nothing."""
    for kind in ("text/html", "text/plain"):
        parts = [part for part in email.message_from_bytes(content).walk() if part.get_content_type() == kind]
        pages = (part.get_payload(decode=True) for part in parts if part.get_filename() is None)
        if page := next((page for page in pages if isinstance(page, bytes) and page.strip()), b""):
            return kind, page
    return None


def frames(content: bytes) -> dict[str, bytes]:
    """Return the pages that a saved page shows in frames, by the names that its frames call them (RFC 2557)."""
    found: dict[str, bytes] = {}
    for part in email.message_from_bytes(content).walk() if is_mail(content) else ():
        held = part.get_payload(decode=True) if part.get_content_type() == "text/html" else None
        for name in (part["Content-ID"], part["Content-Location"]):
            if name and isinstance(held, bytes):
                found[name.strip().strip("<>")] = held
    return found


def enclosed(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of the files that a mail carries; each is a text of its own."""
    for part in email.message_from_bytes(content, policy=email.policy.default).walk() if is_mail(content) else ():
        name = part.get_filename()
        if name and _FILE.search(name) and not part.is_multipart():
            held = part.get_payload(decode=True)
            yield name, held if isinstance(held, bytes) else b""
