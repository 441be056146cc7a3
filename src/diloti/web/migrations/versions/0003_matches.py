"""Finished matches, and who played them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("ended", sa.Float, nullable=False, index=True),
        sa.Column("is_practice", sa.Boolean, nullable=False),
        sa.Column("uploaded_by", sa.String(32), nullable=False, index=True),
        sa.Column("review", sa.Text),
    )
    op.create_table(
        "participants",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    """Take them away."""
    for table in ("participants", "matches"):
        op.drop_table(table)
