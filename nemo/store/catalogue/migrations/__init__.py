"""Alembic's scripts: how an older catalogue becomes a newer one. Applied at open by ``nemo.store.catalogue.database``."""
