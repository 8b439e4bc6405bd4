"""Learners: from a training set to trees, and how rows flow through them.

A learner is a frozen dataclass of options with one verb, ``fit(data, seed, jobs)``. It may use
whatever grows, refines and combines trees; estimators read the user's table, call it, and
keep what it found.
"""
