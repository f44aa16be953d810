"""Files on disk: originals, staging, backup, ownership (文件)."""
