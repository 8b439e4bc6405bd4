"""Array types and the constants that give small integers a name."""

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int32]
CodeArray = npt.NDArray[np.uint16]
ByteArray = npt.NDArray[np.int8]
BoolArray = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]

CODE = np.uint16  # class codes

# Nominal columns of more are distrusted: some of many categories fit any target by chance.
FEW_CATEGORIES = 8

# Growth packs rank, class and number of a case in one word of 63 bits.
MAX_CASES, MAX_CLASSES = 1 << 26, 1 << 11
