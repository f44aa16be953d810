"""A small OpenID Connect provider on this machine: discovery, authorize, token, keys. It knows one person at a time."""

from __future__ import annotations

import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "nemo-test", "not a secret: a test client"


class Provider:
    """Signs in whoever is set as ``person``, without asking; a context manager."""

    def __init__(self, **person: Any) -> None:
        self.person = person
        self.key = RSAKey.generate_key(2048, {"kid": "test", "use": "sig", "alg": "RS256"})
        self.codes: dict[str, str | None] = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.get(self)

            def do_POST(self) -> None:
                provider.post(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self) -> Provider:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def secrets_toml(self, app: str) -> str:
        """Return the lines that make Streamlit at ``app`` trust this provider."""
        return (
            f'[auth]\nredirect_uri = "{app}/oauth2callback"\ncookie_secret = "{secrets.token_hex(32)}"\n'
            f'client_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
            f'server_metadata_url = "{self.url}/.well-known/openid-configuration"\n'
        )

    def get(self, request: BaseHTTPRequestHandler) -> None:
        """Discovery, keys, and the sign-in itself."""
        address = urlsplit(request.path)
        if address.path == "/.well-known/openid-configuration":
            _send(request, self._metadata())
        elif address.path == "/jwks":
            _send(request, {"keys": [self.key.as_dict(private=False)]})
        elif address.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(address.query).items()}
            code = secrets.token_hex(8)
            self.codes[code] = asked.get("nonce")
            back = urlencode({"code": code, "state": asked["state"]})
            request.send_response(302)
            request.send_header("Location", f"{asked['redirect_uri']}?{back}")
            request.end_headers()
        else:
            request.send_error(404)

    def post(self, request: BaseHTTPRequestHandler) -> None:
        """Give the token for a code, once."""
        body = request.rfile.read(int(request.headers["Content-Length"])).decode()
        code = parse_qs(body)["code"][0]
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 300} | self.person
        claims["nonce"] = self.codes.pop(code)
        token = jwt.encode({"alg": "RS256", "kid": "test"}, claims, self.key)
        _send(request, {"access_token": "a", "token_type": "Bearer", "id_token": token, "expires_in": 300})

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }


def _send(request: BaseHTTPRequestHandler, value: Any) -> None:
    body = json.dumps(value).encode()
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
