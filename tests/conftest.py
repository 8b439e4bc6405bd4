"""Shared fixtures, and a kernel cache that cannot go stale.

numba's cache does not notice an edit in *another* file, so tests keep one cache per
state of the kernels' sources.
"""

import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
KERNELS = sorted((ROOT / "src/softwood/_kernels").rglob("*.py"))
STATE = hashlib.sha256(b"".join(path.read_bytes() for path in KERNELS)).hexdigest()[:16]
if not os.environ.get("NUMBA_CACHE_DIR"):
    os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".numba_cache" / STATE)
