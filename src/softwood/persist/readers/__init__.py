"""One reader for each version of the format; old ones are never edited, only kept."""

from collections.abc import Callable, Mapping
from typing import Any

from softwood.persist.readers import v1

READERS: dict[int, Callable[[Mapping[str, bytes]], Any]] = {1: v1.read}
