"""Constants for the indices of forms (solo, pair, bomb, ...) in `move_table.FORMS`, and arrays of the forms' fields."""

import numpy as np

from cardgames.doudizhu.moves.move_table import FORMS, form_index

SOLO, PAIR, TRIO = form_index("solo"), form_index("pair"), form_index("trio")
TRIO_SOLO, TRIO_PAIR = form_index("trio+solo"), form_index("trio+pair")
SOLO_CHAIN, PAIR_CHAIN, TRIO_CHAIN = (
    form_index(f"{name} chain", n) for name, n in (("solo", 5), ("pair", 3), ("trio", 2))
)
PLANE_SOLOS, PLANE_PAIRS = form_index("plane+solos", 2), form_index("plane+pairs", 2)
"""Indices in `FORMS` of the shortest chains and planes: the index grows by one with each further rank of length."""
QUAD_SOLOS, QUAD_PAIRS = form_index("quad+solos"), form_index("quad+pairs")
BOMB, ROCKET = form_index("bomb"), form_index("rocket", 2)

FORM_COPIES, FORM_LENGTH, FORM_KICKER_KIND, FORM_NUM_KICKERS, FORM_SIZE, FORM_FEATURES = (
    np.array([getattr(form, field) for form in FORMS], np.int64)
    for field in ("copies", "length", "kicker_kind", "num_kickers", "size", "features")
)
"""[forms] int64 arrays, one per field of `Form`, indexed like `FORMS`."""
