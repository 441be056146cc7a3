"""The daily deal: who has made what of the packs of a day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make its tables."""
    op.create_table(
        "daily_results",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("room", sa.String(32), nullable=False),
        sa.Column("lead", sa.Integer),
    )
    op.create_table(
        "daily_marks",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("lead", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_table("daily_marks")
    op.drop_table("daily_results")
