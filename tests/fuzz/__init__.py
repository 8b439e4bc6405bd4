"""A suite that keeps looking: numbered cases of hostile tables, files, commands, faults.

``python -m tests.fuzz [KIND ...] --seconds 300`` runs them, ``--case N`` one of them again. A kind
is a module with ``case(rng, state)``, which returns a word for the count of what came of it and
raises whatever it raises where a promise is broken, and ``prepare()``, which makes the state.
Every case is a function of the seed and its number.
"""
