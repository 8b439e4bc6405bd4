"""Operators of an ONNX graph as an algebra of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.export.algebra import MOST, Algebra

OPERATORS = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "least": "Min", "most": "Max",
    "exp": "Exp", "below": "Less", "at_most": "LessOrEqual",
}  # fmt: skip
ML = "ai.onnx.ml"


class Graph:
    """Nodes and constants of a graph under way; graphs within it share the constants."""

    def __init__(self, dtype: type, parent: Graph | None = None, prefix: str = "") -> None:
        self.dtype: type = dtype
        self.prefix: str = parent.prefix if parent else prefix
        self.nodes: list[Any] = []
        self.constants: dict[str, AnyArray] = parent.constants if parent else {}
        self._known: dict[Any, str] = parent._known if parent else {}
        self._counter: list[int] = parent._counter if parent else [0]

    def name(self) -> str:
        """Return a name that nobody has."""
        self._counter[0] += 1
        return f"{self.prefix}t{self._counter[0]}"

    def const(self, values: Any, dtype: Any = None) -> str:
        """Return the name of a constant."""
        array = np.asarray(values, dtype=dtype)
        content = tuple(array.ravel()) if array.dtype == object else array.tobytes()
        key = (array.dtype.str, array.shape, content)
        if key not in self._known:
            self._known[key] = f"{self.prefix}const{len(self.constants)}"
            self.constants[self._known[key]] = array
        return self._known[key]

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output, and return its name."""
        from onnx import helper

        output = self.name()
        node = helper.make_node(kind, list(inputs), [output], domain=domain, **attributes)
        self.nodes.append(node)
        return output

    def number(self, value: Any) -> str:
        """Return a number, or a row of them, of the type of the graph."""
        array = np.asarray(value, dtype=np.float64)
        with np.errstate(over="ignore"):
            return self.const(np.atleast_2d(array).astype(self.dtype))

    def cast(self, name: str, dtype: Any) -> str:
        """Return a tensor as another type."""
        from onnx import helper

        return self.op("Cast", name, to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


class OnnxAlgebra(Algebra):
    """Vectors are tensors of rows by entries.

    Parameters
    ----------
    graph : Graph
        Where nodes are added.
    rows : str
        Tensor of encoded rows: numbers, codes, NaN for missing.
    n_categories : ndarray
        Categories of each nominal feature.
    """

    def __init__(self, graph: Graph, rows: str, n_categories: AnyArray) -> None:
        self.graph, self.rows, self.n_categories = graph, rows, n_categories
        self._codes: dict[int, str] = {}
        self._gaps: str | None = None
        self._ones: str | None = None

    def constant(self, values: AnyArray) -> Any:  # noqa: D102
        return self.graph.op("Mul", self.ones(), self.graph.number(values))

    def row(self, features: AnyArray) -> Any:  # noqa: D102
        return self.graph.op("Gather", self.rows, self.graph.const(features, np.int64), axis=1)

    def sums(self, terms: Sequence[tuple[AnyArray, FloatArray]]) -> Any:
        """Add term by term, as kernels do: on a cut, another order falls on the other side."""
        g, total = self.graph, ""
        for place in range(max(len(features) for features, _ in terms)):
            # Sums that are complete add nothing, of a feature whose gaps are theirs already.
            has = [place < len(features) for features, _ in terms]
            features = [f[place] if more else f[0] for (f, _), more in zip(terms, has, strict=True)]
            weights = [w[place] if more else 0.0 for (_, w), more in zip(terms, has, strict=True)]
            term = g.op("Mul", self.row(np.array(features)), g.number(weights))
            total = g.op("Add", total, term) if total else term
        return total

    def difference(self, a: Any, b: Any) -> Any:
        """Return a - b; a constant that float32 rounds is taken in two parts."""
        if self.graph.dtype == np.float64:
            return self.apply("sub", a, b)
        large, small = (np.asarray(part, float) for part in _halves(b if isinstance(a, str) else a))
        if isinstance(a, str):
            return self.apply("sub", self.apply("sub", a, large), small)
        return self.apply("add", self.apply("sub", large, b), small)

    def lookup(self, feature: int, table: FloatArray) -> Any:  # noqa: D102
        g, n = self.graph, int(self.n_categories[feature])
        if feature not in self._codes:
            code = g.op("Gather", self.rows, g.const(feature, np.int64), axis=1)
            is_low = g.op("Less", code, g.const(0.0, g.dtype))
            is_high = g.op("GreaterOrEqual", code, g.const(n, g.dtype))
            unknown = g.const(n, g.dtype)
            known = g.op("Where", g.op("Or", is_low, is_high), unknown, code)
            place = g.op("Where", g.op("IsNaN", code), g.const(n + 1, g.dtype), known)
            self._codes[feature] = g.cast(place, np.int64)
        return g.op("Gather", g.const(np.asarray(table), g.dtype), self._codes[feature], axis=0)

    def is_complete(self, width: int) -> Any:  # noqa: D102
        if self._gaps is None:
            g = self.graph
            is_fine = g.op("LessOrEqual", g.op("Abs", self.rows), g.number(MOST))  # NaN is not
            count = g.op("ReduceMin", g.cast(is_fine, g.dtype), g.const([1], np.int64), keepdims=1)
            self._gaps = g.op("Greater", count, g.number(0.5))
        return self._gaps

    def pick(self, sources: Sequence[Any], picks: Sequence[tuple[int, int]]) -> Any:  # noqa: D102
        g, order = self.graph, sorted(range(len(picks)), key=lambda at: picks[at][0])
        parts = []
        for source in sorted({source for source, _ in picks}):
            places = [picks[at][1] for at in order if picks[at][0] == source]
            parts.append(g.op("Gather", sources[source], g.const(places, np.int64), axis=1))
        joined = parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=1)
        if order == list(range(len(picks))):
            return joined
        return g.op("Gather", joined, g.const(np.argsort(order), np.int64), axis=1)

    def apply(self, name: str, *operands: Any) -> Any:  # noqa: D102
        return self.graph.op(OPERATORS[name], *map(self._operand, operands))

    def compare(self, name: str, a: Any, b: Any) -> Any:  # noqa: D102
        if name == "at_most" and isinstance(b, np.ndarray):
            b = rounded_down(b, self.graph.dtype)
        return self.graph.op(OPERATORS[name], self._operand(a), self._operand(b))

    def is_missing(self, a: Any) -> Any:  # noqa: D102
        return self.graph.op("IsNaN", a)

    def where(self, condition: Any, a: Any, b: Any) -> Any:  # noqa: D102
        return self.graph.op("Where", condition, self._operand(a), self._operand(b))

    def hold(self, *vectors: Any) -> list[Any]:  # noqa: D102
        return list(vectors)

    def weighted(self, vectors: Sequence[Any], weights: Sequence[FloatArray]) -> Any:  # noqa: D102
        g = self.graph
        mass = vectors[0] if len(vectors) == 1 else g.op("Concat", *vectors, axis=1)
        return g.op("MatMul", mass, g.number(np.vstack(weights)))

    def normal(self, z: Any) -> Any:
        """Return the normal distribution function; runtimes have Erf for float32 only."""
        if self.graph.dtype is np.float64:
            return super().normal(z)
        erf = self.graph.op("Erf", self.apply("mul", z, np.sqrt(0.5)))
        return self.apply("add", self.apply("mul", erf, 0.5), 0.5)

    def ones(self) -> str:
        """Return a column of ones, as long as there are rows."""
        if self._ones is None:
            g = self.graph
            first = g.op("Gather", self.rows, g.const([0], np.int64), axis=1)
            zero = g.op("Mul", g.cast(g.op("IsNaN", first), g.dtype), g.number(0.0))
            self._ones = g.op("Add", zero, g.number(1.0))
        return self._ones

    def _operand(self, value: Any) -> str:
        return value if isinstance(value, str) else self.graph.number(value)


def _halves(values: Any) -> tuple[AnyArray, AnyArray]:
    """Return numbers as sums of two of float32."""
    large = np.asarray(values).astype(np.float32)
    return large, (np.asarray(values) - large).astype(np.float32)


def rounded_down(values: FloatArray, dtype: type) -> FloatArray:
    """Return cuts as a narrower type, so that its numbers stay on their side of them."""
    if dtype is np.float64:
        return values
    with np.errstate(over="ignore"):
        near = values.astype(np.float32)
    low = np.where(near > values, np.nextafter(near, np.float32(-np.inf)), near)
    return np.asarray(low, dtype=np.float64)
