"""The kinds of cases, and what each may take of the time."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A module of cases.

    Attributes
    ----------
    module : str
        Has ``case(rng, state)`` and ``prepare()``.
    share : float
        Of the time, beside the others.
    patience : float
        Seconds after which a case hangs.
    """

    module: str
    share: float = 1.0
    patience: float = 60.0


KINDS = {
    "tables": Kind("tests.fuzz.tables", share=3.0),
    "functions": Kind("tests.fuzz.functions", share=2.0, patience=120.0),
    "files": Kind("tests.fuzz.files", share=2.0),
    "texts": Kind("tests.fuzz.texts", share=1.5),
    "commands": Kind("tests.fuzz.commands", share=1.5, patience=120.0),
    "workers": Kind("tests.fuzz.workers", patience=120.0),
    "partitions": Kind("tests.fuzz.partitions", patience=120.0),
    "kills": Kind("tests.fuzz.kills", share=1.0, patience=120.0),
    "interrupts": Kind("tests.fuzz.interrupts", share=1.0, patience=120.0),
}
if "SOFTWOOD_FUZZ_KIND" in os.environ:  # a test of the suite itself
    KINDS["trial"] = Kind(os.environ["SOFTWOOD_FUZZ_KIND"], patience=5.0)
