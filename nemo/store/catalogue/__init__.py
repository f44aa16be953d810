"""The SQL catalogue: schema, migrations, reading and writing (目录库)."""
