"""Drafts: exactly the steps that legal plays begin with, and one way only to each play."""

from __future__ import annotations
