"""The forms of moves by their numbers, as kernels know them: positions in `moves.FORMS`, and its columns."""

import numpy as np

from cardgames.doudizhu.moves.move_table import FORMS, form_number

SOLO, PAIR, TRIO = form_number("solo"), form_number("pair"), form_number("trio")
TRIO_SOLO, TRIO_PAIR = form_number("trio+solo"), form_number("trio+pair")
SOLO_CHAIN, PAIR_CHAIN, TRIO_CHAIN = (
    form_number(f"{name} chain", n) for name, n in (("solo", 5), ("pair", 3), ("trio", 2))
)
PLANE_SOLOS, PLANE_PAIRS = form_number("plane+solos", 2), form_number("plane+pairs", 2)
"""The shortest chains and planes; those that are longer by a rank follow one by one."""
QUAD_SOLOS, QUAD_PAIRS = form_number("quad+solos"), form_number("quad+pairs")
BOMB, ROCKET = form_number("bomb"), form_number("rocket", 2)

COPIES, LENGTH, KIND, KICKERS, SIZE, FORM_FEATURES = (
    np.array([getattr(form, field) for form in FORMS], np.int64)
    for field in ("copies", "length", "kind", "kickers", "size", "features")
)
"""[forms] the fields of each."""
