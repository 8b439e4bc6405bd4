"""One row from Python: how long an answer takes.

python benchmarks/bench_one_row.py
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))
from softwood import CARTClassifier, CoalescenceClassifier, SoftTreeClassifier, VRForestClassifier
from softwood.export import compile_model, to_onnx

MODELS = {
    "VRForest, 100 trees": VRForestClassifier(100, random_state=0),
    "Coalescence, 100 trees": CoalescenceClassifier(100, random_state=0),
    "scikit-learn's forest, 100 trees": RandomForestClassifier(100, random_state=0),
    "soft Coalescence, 20 trees": CoalescenceClassifier(20, smoothing=0.3, random_state=0),
    "CART": CARTClassifier(),
    "soft tree": SoftTreeClassifier(method="perturb", smoothing=0.3, random_state=0),
}


def microseconds(ask, rows):
    """Return the CPU time of a call in microseconds: the best of several rounds."""
    from time import process_time

    for row in rows:
        ask(row)
    best, repeats = np.inf, max(1, int(2e4 // 50 // len(rows)))
    for _ in range(7):
        start = process_time()
        for _ in range(repeats):
            for row in rows:
                ask(row)
        best = min(best, (process_time() - start) / (repeats * len(rows)))
    return best * 1e6


def session_of(model):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    proto = to_onnx(model, np.zeros((1, 1)))
    return onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def main():
    X, y = load_breast_cancer(return_X_y=True)
    rows = [row for row in X[:50]]
    print("| model | predict_proba | compiled | onnxruntime |\n|---|---|---|---|")
    for name, model in MODELS.items():
        model.fit(X, y)
        slow = microseconds(lambda row: model.predict_proba(row[None]), rows[:10])
        compiled = compile_model(model)
        quick = microseconds(compiled, rows)
        try:
            session = session_of(model)
            other = f"{microseconds(lambda row: session.run(None, {'X': row[None]}), rows):.0f}"
        except ImportError:
            other = "not installed"
        print(f"| {name} | {slow:.0f} | {quick:.1f} | {other} |", flush=True)


if __name__ == "__main__":
    main()
