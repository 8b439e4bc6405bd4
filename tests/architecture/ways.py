"""Which files of softwood a call passes through: the fewer, the easier it is to follow.

Usage: python -m tests.architecture.ways
"""

import sys
import threading
from pathlib import Path

import numpy as np

import softwood
from softwood import C45Classifier, CoalescenceClassifier, Gradient, SoftTreeClassifier

ROOT = Path(softwood.__file__).parent


def files_of(call):
    """Return the files of softwood in which some function runs during a call, by name.

    Running the body of a module, or of a class, when it is first imported does not count.
    """
    seen = set()

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and "__name__" not in frame.f_locals and code.co_name != "<module>":
            seen.add(code.co_filename)

    def trace(frame, event, arg):
        if event == "call" and not code_of_class(frame):
            note(frame, event, arg)

    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    inside = (Path(name) for name in seen)
    return sorted(str(f.relative_to(ROOT)) for f in inside if f.is_relative_to(ROOT))


def code_of_class(frame):
    """Whether the body of a class runs."""
    return not frame.f_code.co_flags & 0x2  # functions have fast locals


def ways():
    """Yield the name of a way, the most files it may pass, and the files that it passes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    gap = X.copy()
    gap[0, 0] = np.nan
    c45 = C45Classifier().fit(X, y)
    forest = CoalescenceClassifier(10, random_state=0)
    soft = SoftTreeClassifier(method=Gradient(teacher=5, n_epochs=2), random_state=0)
    for model in (forest, soft):  # what is imported or compiled on the way does not count
        model.fit(X, y).predict_proba(gap)
    c45.predict_proba(X)
    yield "C4.5 predict_proba", 9, files_of(lambda: c45.predict_proba(X))
    yield "Coalescence predict_proba", 12, files_of(lambda: forest.predict_proba(X))
    yield "Coalescence predict_proba, a gap", 13, files_of(lambda: forest.predict_proba(gap))
    yield "SoftTree fit", 99, files_of(lambda: soft.fit(X, y))
    yield "Coalescence fit", 45, files_of(lambda: forest.fit(X, y))


if __name__ == "__main__":
    for name, most, files in ways():
        sys.stdout.write(f"{name}: {len(files)} files (at most {most})\n    {' '.join(files)}\n")
