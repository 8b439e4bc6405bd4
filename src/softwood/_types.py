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

FLOAT = np.float64
INDEX = np.int32
CODE = np.uint16  # class codes: two bytes keep a million labels in the L2 cache
