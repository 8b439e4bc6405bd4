"""The mass of rows, level by level through all trees, in whatever algebra a place offers.

Two rules divide mass at soft tests, and both are followed: that of the kernel for any row, and
that of the quick kernel for complete rows (``_kernels/flow/spread_blocks.py``). They differ in
what becomes of branches with next to no mass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.export._leaves import only_answers
from softwood.export.algebra import Algebra
from softwood.export.shares import category_parts, missing_shares, redrawn_parts
from softwood.tree import LEAF, NOMINAL, NUMERIC, Tree

if TYPE_CHECKING:
    from softwood._kernels.flow.gates import Gates

NOISE, LINEAR, LOGISTIC, NORMAL = 0, 1, 2, 3
CRISP, SETS, REDRAWS = 4, 5, 6  # kinds of tests besides the four shapes
NEGLIGIBLE = 1e-13  # branches with less mass than this are followed: nobody can tell
STEEP = 1e-30  # what stands for a width of 0
MOST_EXPONENT = 700.0
Node = tuple[int, int]  # a tree, and a node of it
Divided = tuple[Any, list[Node]]  # masses, and whose they are


class Grove(NamedTuple):
    """Trees through which rows flow side by side."""

    trees: Sequence[Tree]
    gates: Sequence[Gates]
    goes_by_blocks: Sequence[bool]  # whether complete rows take the quick kernel
    responses: Sequence[FloatArray]  # of each tree, (n_nodes, n_outputs of the forest)
    n_categories: AnyArray


def answers_of(algebra: Algebra, grove: Grove) -> Any:
    """Return the sum over all leaves of mass times response."""
    levels = _Levels(algebra, grove)
    nodes: list[Node] = [(k, 0) for k in range(len(grove.trees))]
    mass, masses, weights = algebra.constant(np.ones(len(nodes))), [], []
    while nodes:
        leaves = [n for n in nodes if levels.of("kind", n) == LEAF]
        if leaves:
            masses.append(_at(algebra, mass, nodes, leaves))
            weights.append(np.array([grove.responses[k][node] for k, node in leaves]))
        divided = list(levels.divide(mass, nodes))
        nodes = [node for _, some in divided for node in some]
        if nodes:
            held = algebra.hold(*(vector for vector, _ in divided))
            picks = [(s, at) for s, (_, some) in enumerate(divided) for at in range(len(some))]
            mass = algebra.pick(held, picks)
    return algebra.weighted(masses, weights)


def _at(algebra: Algebra, vector: Any, nodes: list[Node], wanted: Sequence[Node]) -> Any:
    place = {node: at for at, node in enumerate(nodes)}
    return algebra.pick([vector], [(0, place[node]) for node in wanted])


class _Levels:
    def __init__(self, algebra: Algebra, grove: Grove) -> None:
        self.algebra, self.grove = algebra, grove
        self.missing = [missing_shares(tree) for tree in grove.trees]
        self.only = [only_answers(tree) for tree in grove.trees]
        # Below its home, the noise of a direction lies between two bounds, both kept as masses.
        self.bounds: list[Any] = [algebra.constant(np.array([0.0, 1.0]))]
        self.bounds_of: dict[Node, tuple[tuple[int, int], tuple[int, int]]] = {}
        pairs = enumerate(grove.gates)
        self.homes = {(k, int(home)) for k, g in pairs for home in np.unique(g.home) if home}

    # -- who is who ------------------------------------------------------------------

    def of(self, name: str, node: Node) -> Any:
        return getattr(self.grove.trees[node[0]], name)[node[1]]

    def gate(self, name: str, node: Node) -> Any:
        return getattr(self.grove.gates[node[0]], name)[node[1]]

    def constants(self, name: str, tests: Sequence[Node]) -> FloatArray:
        owner = self.gate if name == "sd" else self.of
        return np.array([owner(name, test) for test in tests], dtype=float)

    def drops(self, tests: Sequence[Node]) -> FloatArray:
        return np.array([self.grove.gates[k].drop for k, _ in tests])

    def children(self, test: Node) -> list[Node]:
        first = int(self.of("first_child", test))
        return [(test[0], first + b) for b in range(self.of("n_children", test))]

    def kind(self, test: Node) -> int:
        if self.of("kind", test) == NOMINAL:
            return REDRAWS if self.gate("redraw", test) > 0.0 else SETS
        shape = int(self.grove.gates[test[0]].shape)
        return CRISP if shape == NOISE and self.gate("sd", test) == 0.0 else shape

    # -- one level -------------------------------------------------------------------

    def divide(self, mass: Any, nodes: list[Node]) -> Iterator[Divided]:
        """Yield the masses of the children of these nodes."""
        groups: dict[tuple[int, int], list[Node]] = {}
        for node in nodes:
            if self.of("kind", node) != LEAF:
                kind = self.kind(node)
                feature = int(self.of("feature", node)) if kind in (SETS, REDRAWS) else 0
                groups.setdefault((kind, feature), []).append(node)
        for (kind, feature), tests in groups.items():
            m = _at(self.algebra, mass, nodes, tests)
            if kind == SETS:
                yield self._sets(feature, m, tests)
            elif kind == REDRAWS:
                yield from self._redraws(feature, m, tests)
            elif kind == NOISE:
                yield from self._noise(m, tests)
            else:
                yield from self._curves(kind, m, tests)

    def _values(self, tests: Sequence[Node]) -> Any:
        """Return what tests compare with their thresholds."""
        straight = [t for t in tests if self.of("kind", t) == NUMERIC]
        oblique = [t for t in tests if self.of("kind", t) != NUMERIC]
        sources: list[Any] = []
        place: dict[Node, tuple[int, int]] = {}
        if straight:
            features = np.array([self.of("feature", t) for t in straight])
            place |= {t: (0, at) for at, t in enumerate(straight)}
            sources.append(self.algebra.row(features))
        if oblique:
            place |= {t: (len(sources), at) for at, t in enumerate(oblique)}
            sources.append(self.algebra.sums([self._terms(t) for t in oblique]))
        (values,) = self.algebra.hold(self.algebra.pick(sources, [place[t] for t in tests]))
        return values

    def _terms(self, test: Node) -> tuple[AnyArray, FloatArray]:
        tree, node = self.grove.trees[test[0]], test[1]
        terms = slice(tree.term_start[node], tree.term_start[node + 1])
        return tree.term_feature[terms], tree.term_weight[terms]

    # -- sets of categories ----------------------------------------------------------

    def _sets(self, feature: int, m: Any, tests: list[Node]) -> Divided:
        n_categories = int(self.grove.n_categories[feature])
        parts = [category_parts(self.grove.trees[k], node, n_categories) for k, node in tests]
        owner = [at for at, part in enumerate(parts) for _ in range(part.shape[1])]
        share = self.algebra.lookup(feature, np.hstack(parts))
        whole = self.algebra.pick([m], [(0, at) for at in owner])
        return self.algebra.apply("mul", whole, share), [c for t in tests for c in self.children(t)]

    def _redraws(self, feature: int, m: Any, tests: list[Node]) -> Iterator[Divided]:
        """Yield first children, second children and so on; those without one get a dummy."""
        a, n_categories = self.algebra, int(self.grove.n_categories[feature])
        pairs = [
            redrawn_parts(self.grove.trees[k], self.grove.gates[k], node, n_categories)
            for k, node in tests
        ]
        arity = max(parts.shape[1] for parts, _ in pairs)
        padded = np.stack([np.pad(p, ((0, 0), (0, arity - p.shape[1]))) for p, _ in pairs], axis=1)
        whole = np.stack([total for _, total in pairs], axis=1)
        least = whole * self.drops(tests)
        least[-1] = 0.0  # a missing category is not drawn anew, so nothing is dropped
        kept = [a.lookup(feature, padded[:, :, branch]) for branch in range(arity)]
        if least.max() > NEGLIGIBLE * whole.max():
            bound, largest = a.lookup(feature, least), a.lookup(feature, padded.max(axis=2))
            bound, largest, *kept = a.hold(bound, largest, *kept)
            kept = [self._unless_small(part, m, bound, largest) for part in kept]
            kept = a.hold(*kept)
            total = kept[0]
            for part in kept[1:]:
                total = a.apply("add", total, part)
            (total,) = a.hold(total)
        else:
            total = a.lookup(feature, whole)
        for branch, part in enumerate(kept):
            vector = a.apply("mul", m, a.apply("div", part, total))
            real = [at for at, t in enumerate(tests) if branch < self.of("n_children", t)]
            picked = a.pick([vector], [(0, at) for at in real])
            yield picked, [self.children(tests[at])[branch] for at in real]

    def _unless_small(self, part: Any, m: Any, bound: Any, largest: Any) -> Any:
        a = self.algebra
        is_small = a.compare("below", a.apply("mul", part, m), bound)
        return a.where(is_small, a.where(a.compare("below", part, largest), 0.0, part), part)

    # -- cuts ------------------------------------------------------------------------

    def _curves(self, shape: int, m: Any, tests: list[Node]) -> Iterator[Divided]:
        a, value = self.algebra, self._values(tests)
        if shape == CRISP:
            is_left = a.compare("at_most", value, self.constants("threshold", tests))
            share = a.where(is_left, 1.0, 0.0)
        else:
            (over,) = a.hold(a.difference(value, self.constants("threshold", tests)))
            share = self._curve(shape, over, tests)
        (share,) = a.hold(share)
        low, high = a.apply("mul", m, share), a.apply("mul", m, a.apply("sub", 1.0, share))
        firsts = [self.children(t)[0] for t in tests]
        yield from self._settled(m, value, (low, high), tests, firsts)

    def _curve(self, shape: int, over: Any, tests: list[Node]) -> Any:
        a = self.algebra
        below, above = self.constants("below", tests), self.constants("above", tests)
        is_low, is_high = a.compare("below", over, 0.0), a.compare("below", 0.0, over)
        width = a.where(is_low, np.maximum(below, STEEP), np.maximum(above, STEEP))
        (over_width,) = a.hold(a.apply("div", over, width))
        if shape == LINEAR:
            middle = a.apply("sub", 0.5, a.apply("mul", over_width, 0.5))
            low = a.where(a.compare("at_most", over, -below), 1.0, middle)
            high = a.where(a.compare("at_most", above, over), 0.0, middle)
            return a.where(is_low, low, a.where(is_high, high, 0.5))
        if shape == LOGISTIC:
            twice = a.apply("mul", over_width, 2.0)
            clipped = a.apply("most", a.apply("least", twice, MOST_EXPONENT), -MOST_EXPONENT)
            return a.apply("div", 1.0, a.apply("add", a.apply("exp", clipped), 1.0))
        return a.normal(a.apply("mul", over_width, -np.sqrt(np.pi / 2.0)))

    def _noise(self, m: Any, tests: list[Node]) -> Iterator[Divided]:
        a, value, sd = self.algebra, self._values(tests), self.constants("sd", tests)
        over = a.difference(self.constants("threshold", tests), value)
        share = a.normal(a.apply("div", over, sd))
        homes = [
            self.bounds_of.get((t[0], int(self.gate("home", t))), ((0, 0), (0, 1))) for t in tests
        ]
        start, end = (a.pick(self.bounds, [home[side] for home in homes]) for side in (0, 1))
        (share,) = a.hold(share)
        (share,) = a.hold(a.apply("least", a.apply("most", share, start), end))
        low, high = a.apply("sub", share, start), a.apply("sub", end, share)
        whole = a.apply("sub", end, start)
        has_mass = a.compare("below", 0.0, whole)
        (scale,) = a.hold(a.where(has_mass, a.apply("div", m, a.where(has_mass, whole, 1.0)), 0.0))
        sides = a.apply("mul", low, scale), a.apply("mul", high, scale)
        lower = [self.children(t)[int(s < 0.0)] for t, s in zip(tests, sd, strict=True)]
        yield from self._settled(m, value, sides, tests, lower, (start, share, end))

    def _settled(
        self,
        m: Any,
        value: Any,
        sides: tuple[Any, Any],
        tests: list[Node],
        lower: list[Node],
        noise: tuple[Any, Any, Any] | None = None,
    ) -> Iterator[Divided]:
        """Yield both children's masses, after small ones were dropped and gaps seen to."""
        a = self.algebra
        pairs = [self.children(t) for t in tests]
        upper = [
            second if low == first else first
            for low, (first, second) in zip(lower, pairs, strict=True)
        ]
        low, high = a.hold(*sides)
        dropped: Any = None
        if self.drops(tests).max() > NEGLIGIBLE and self.kind(tests[0]) != CRISP:
            dropped, low, high = self._dropped(m, low, high, tests, lower, upper)
        is_missing = a.is_missing(value)
        for vector, children in ((low, lower), (high, upper)):
            share = np.array([self.missing[k][child] for k, child in children])
            yield a.where(is_missing, a.apply("mul", m, share), vector), children
        if noise is not None:
            self._note_bounds(noise, value, dropped, lower, upper)

    def _dropped(
        self, m: Any, low: Any, high: Any, tests: list[Node], lower: list[Node], upper: list[Node]
    ) -> tuple[Any, Any, Any]:
        """Return 1 where all goes to one child, and the masses after that."""
        a, drop = self.algebra, self.drops(tests)
        least_low, least_high, low_wins = (
            drop,
            drop,
            a.where(a.compare("below", low, high), 0.0, 1.0),
        )
        quick = np.array([self.grove.goes_by_blocks[k] for k, _ in tests])
        if quick.any():
            only_low, only_high = (
                quick & np.array([self.only[k][child] >= 0 for k, child in side])
                for side in (lower, upper)
            )
            is_complete = a.is_complete(len(tests))
            least_low = a.where(is_complete, np.where(only_low, -1.0, drop), drop)
            least_high = a.where(is_complete, np.where(only_high, -1.0, drop), drop)
            given = np.where(only_low, 2.0, np.where(only_high, -1.0, 0.5))
            # A leaf of one answer takes what its sibling is too small for, however small itself.
            chosen = a.where(is_complete, given, 0.5)
            (low_wins,) = a.hold(low_wins)
            low_wins = a.apply(
                "least",
                a.apply("most", low_wins, a.apply("sub", chosen, 1.0)),
                a.apply("add", chosen, 1.0),
            )
        small_high = a.where(a.compare("below", high, least_high), 1.0, 0.0)
        dropped = a.where(a.compare("below", low, least_low), 1.0, small_high)
        dropped, low_wins = a.hold(dropped, low_wins)
        is_dropped = a.compare("below", 0.5, dropped)
        all_low = a.apply("mul", m, low_wins)
        all_high = a.apply("mul", m, a.apply("sub", 1.0, low_wins))
        low, high = a.hold(a.where(is_dropped, all_low, low), a.where(is_dropped, all_high, high))
        return dropped, low, high

    def _note_bounds(
        self,
        noise: tuple[Any, Any, Any],
        value: Any,
        dropped: Any,
        lower: list[Node],
        upper: list[Node],
    ) -> None:
        """Note where the noise lies below these tests, for tests of the same direction."""
        a, (start, share, end) = self.algebra, noise
        is_missing = a.is_missing(value)
        for children, old, is_lower in ((lower, end, True), (upper, start, False)):
            noted = [at for at, child in enumerate(children) if child in self.homes]
            if not noted:
                continue
            new = a.where(is_missing, old, share)
            if dropped is not None:
                new = a.where(a.compare("below", 0.5, dropped), old, new)
            picks = [(0, at) for at in noted]
            kept = start if is_lower else end
            moved, same = a.hold(a.pick([new], picks), a.pick([kept], picks))
            self.bounds += [moved, same]
            at_moved, at_same = len(self.bounds) - 2, len(self.bounds) - 1
            for place, at in enumerate(noted):
                bounds = ((at_same, place), (at_moved, place))
                self.bounds_of[children[at]] = bounds if is_lower else bounds[::-1]
