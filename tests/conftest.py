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

from hypothesis import settings  # noqa: E402

WITHOUT_JIT = os.environ.get("NUMBA_DISABLE_JIT") == "1"
# The first example of a test may pay for compilation, so there is no deadline.
settings.register_profile("softwood", deadline=None, max_examples=10 if WITHOUT_JIT else 40)
settings.load_profile("softwood")


def pytest_configure(config):
    """Let kernels in plain Python overflow without a word, as they do when they are compiled."""
    if WITHOUT_JIT:
        config.addinivalue_line("filterwarnings", "ignore:.*encountered in.*:RuntimeWarning")
