"""Upkeep on the page: health, audit log, backup, maintenance (管理)."""
