"""Put Coalescence in the place of a random forest, and look at the spectrum behind it.

Usage: python examples/coalescence.py
"""

from sklearn.ensemble import RandomForestClassifier

from softwood import CoalescenceClassifier, VRForestClassifier
from softwood.datasets import make_waveform
from softwood.evaluate import compare, strength_correlation

METHODS = {
    "random forest": RandomForestClassifier(50),
    "Coalescence": CoalescenceClassifier(50),
    "soft Coalescence": CoalescenceClassifier(50, smoothing="oob"),
}
DATASETS = ["wine", "glass", "tic-tac-toe", "balance"]


def main() -> None:
    print(compare(METHODS, DATASETS, "kfold:5", n_jobs=2, verbose=1).summary(), "\n")
    X, y = make_waveform(300, random_state=0)
    X_test, y_test = make_waveform(1000, random_state=1)
    print("alpha  error  strength  correlation")
    for alpha in (0.0, 0.25, 0.5, 0.75, 1.0):
        model = VRForestClassifier(50, alpha=alpha, random_state=0).fit(X, y)
        found = strength_correlation(model, X_test, y_test)
        error = 1 - model.score(X_test, y_test)
        print(f"{alpha:5.2f}  {error:.3f}  {found.strength:8.3f}  {found.rho:11.3f}")


if __name__ == "__main__":
    main()
