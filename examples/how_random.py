"""
How random should trees be?
===========================

Forests of one alpha each. Where classes part along a diagonal, random tests are best; along one
column, C4.5's own.
"""

import matplotlib.pyplot as plt

from softwood import VRForestClassifier
from softwood.datasets import make_concept
from softwood.evaluate import strength_correlation
from softwood.plot import plot_spectrum, plot_strength_correlation

alphas = [0.0, 0.25, 0.5, 0.75, 1.0]
errors, points = {}, {}
for name, concept in {"a diagonal": "A", "one column": "B"}.items():
    X, y = make_concept(concept, 200, random_state=0)
    X_test, y_test = make_concept(concept, 2500, lattice=True, random_state=1)
    forests = [VRForestClassifier(50, alpha=a, random_state=0).fit(X, y) for a in alphas]
    errors[name] = [1 - forest.score(X_test, y_test) for forest in forests]
    points[name] = alphas, [strength_correlation(forest, X_test, y_test) for forest in forests]

figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
for ax, (name, found) in zip(axes, errors.items(), strict=True):
    plot_spectrum({"50 trees": (alphas, found)}, ax=ax)
    ax.set_title(name)

# %%
# Random trees are weaker one by one, but err on different rows. What counts is the balance of
# both:
plot_strength_correlation(points)
