"""What Alembic runs to bring a database to the present form, on an open connection."""

from __future__ import annotations

from alembic import context

from diloti.web.matches import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
