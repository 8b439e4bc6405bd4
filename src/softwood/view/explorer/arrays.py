"""Arrays in a page: one block of bytes, deflated, as text."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from softwood._types import AnyArray

ALIGNMENT = 8  # bytes: browsers read numbers only where they are aligned
TYPES = {"f8": np.float64, "i4": np.int32, "u1": np.uint8}


@dataclass
class Block:
    """Collects arrays; what :meth:`add` returns tells the page where each is."""

    _parts: list[bytes] = field(default_factory=list)
    n_bytes: int = 0

    def add(self, array: Any, kind: str) -> list[Any]:
        """Put an array at the end.

        Parameters
        ----------
        array : array-like
            Of any shape; the page gets it flat.
        kind : {"f8", "i4", "u1"}
            How its numbers are kept.

        Returns
        -------
        list
            The kind, the first byte and the number of entries.
        """
        values: AnyArray = np.ascontiguousarray(array, dtype=TYPES[kind]).ravel()
        data = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
        place = self.n_bytes
        padded = data + bytes(-len(data) % ALIGNMENT)
        self._parts.append(padded)
        self.n_bytes += len(padded)
        return [kind, place, int(values.size)]

    def text(self) -> str:
        """Return all arrays as text."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 9)).decode("ascii")
