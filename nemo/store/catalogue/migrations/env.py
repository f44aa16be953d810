"""Runs the migrations on the connection that ``nemo.store.catalogue.database`` hands over, inside its transaction."""

from alembic import context

from nemo.store.catalogue.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
