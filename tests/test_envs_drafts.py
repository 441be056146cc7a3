"""Drafts: exactly the steps that legal plays begin with, and one way only to each play."""

from __future__ import annotations

import numpy as np
import pytest

from diloti.core.dice import new_dice, roll
from diloti.core.effects import apply_play
from diloti.core.jit import Ints, kernel
from diloti.core.legality import refuse
from diloti.core.playouts import deal_random
from diloti.core.plays import count_plays, find_play
from diloti.core.position import DRAFT  # placeholder
