"""Draw the picture of the landing page and the README: one tree, hard and soft.

Usage: python docs/images/draw.py [FOLDER]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from softwood import CARTClassifier, soften
from softwood.plot import plot_flow, plot_surface


def main(folder: Path) -> None:
    iris = load_iris(as_frame=True)
    columns = ["petal length (cm)", "petal width (cm)"]
    X, y = iris.data[columns], iris.target_names[iris.target]
    hard = CARTClassifier(max_leaf_nodes=4).fit(X, y)
    soft = soften(hard, X, y, "perturb", smoothing=0.12)
    row = X.iloc[[106]].assign(**{"petal length (cm)": 4.85, "petal width (cm)": 1.7}).iloc[0]
    figure, axes = plt.subplots(
        2, 2, figsize=(12, 10.5), layout="constrained", height_ratios=(1.5, 1)
    )
    for (above, below), name, model in zip(axes.T, ("hard", "soft"), (hard, soft), strict=True):
        plot_flow(model, row, ax=above)
        title = above.get_title()
        above.set_title(f"A {name} tree\nthis flower is {title.replace(':', ',')}", fontsize=13)
        plot_surface(model, X, y, ax=below)
        below.plot(*row, marker="X", markersize=12, color="black", markeredgecolor="white")
    figure.savefig(folder / "hard-and-soft.png", dpi=80)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
