"""The match of a daily deal beside its result: it is kept for longer than its table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Have room for its id; nothing is known of earlier ones."""
    op.add_column("daily_results", sa.Column("match", sa.String(32)))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("daily_results", "match")
