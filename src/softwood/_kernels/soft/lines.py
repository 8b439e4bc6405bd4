"""Lines of numbers in single precision, worked on in lanes.

A sum in one variable makes every addition wait for the last. Sixteen lanes, added up at the end
in a fixed order, do not, and become vector instructions whose digits are the same on every
processor. So is the curve below: no library's exponential is.
"""

import math

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from softwood._kernels._jit import borrowing, pasted
from softwood._kernels._linking import HELPER

LANES = 16
PER_LOG_TWO = np.float32(1.0 / math.log(2.0))
LOG_TWO_HIGH = np.float32(0.693359375)  # few bits, so that multiples are exact
LOG_TWO_LOW = np.float32(math.log(2.0) - 0.693359375)
C2, C3, C4, C5, C6 = (np.float32(1.0 / math.factorial(k)) for k in range(2, 7))
MOST = np.float32(20.0)  # beyond it the curve is as good as flat, and products stay ordinary
ONE, HALF, NOTHING = np.float32(1.0), np.float32(0.5), np.float32(0.0)
BIAS, EXPONENT_AT = np.int32(127), np.int32(23)


@pasted
def decline(x):
    """Return ``1 / (1 + exp(x))`` to single precision; NaN gives any number."""
    x = min(max(x, -MOST), MOST)
    n = np.floor(x * PER_LOG_TWO + HALF)
    r = x - n * LOG_TWO_HIGH - n * LOG_TWO_LOW
    power = ONE + r * (ONE + r * (C2 + r * (C3 + r * (C4 + r * (C5 + r * C6)))))
    two_to_n = np.int32((np.int32(n) + BIAS) << EXPONENT_AT).view(np.float32)
    return ONE / (ONE + power * two_to_n)


@borrowing
def fill_zero(line, size):
    """Set the first numbers of a line to 0."""
    for i in range(size):
        line[i] = NOTHING


@pasted
def sum_of_lanes(lanes):
    """Return the sum of the lanes: of halves, of quarters, and so on."""
    for lane in range(8):
        lanes[lane] += lanes[lane + 8]
    for lane in range(4):
        lanes[lane] += lanes[lane + 4]
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])


def add_blocks(a, b, n_blocks, lanes):
    """Fill ``lanes`` with the sums of products of two lines, or of one if the other is None.

    This is what kernels do in vectors: LLVM would not make them of these loops, for all it
    knows ``lanes`` may be part of a line.
    """
    lanes[:] = NOTHING
    for block in range(n_blocks):
        for lane in range(LANES):
            at = LANES * block + lane
            lanes[lane] += a[at] if b is None else a[at] * b[at]


@intrinsic
def _add_blocks_in_vectors(typing_context, a, b, n_blocks, lanes):
    def build(context, builder, signature, arguments):
        vector = ir.VectorType(ir.FloatType(), LANES)

        def blocks(k):
            array = context.make_array(signature.args[k])(context, builder, arguments[k])
            return builder.bitcast(array.data, vector.as_pointer())

        factors = [blocks(k) for k in (0, 1) if signature.args[k] is not types.none]
        total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))
        with cgutils.for_range(builder, arguments[2]) as loop:
            parts = [builder.load(builder.gep(x, [loop.index]), align=4) for x in factors]
            part = builder.fmul(*parts) if len(parts) == 2 else parts[0]
            builder.store(builder.fadd(builder.load(total), part), total)
        builder.store(builder.load(total), blocks(3), align=4)
        return context.get_dummy_value()

    return types.void(a, b, types.intp, lanes), build


@overload(add_blocks, jit_options=HELPER, strict=False)
def _add_blocks_of_kernels(a, b, n_blocks, lanes):
    def build(a, b, n_blocks, lanes):
        _add_blocks_in_vectors(a, b, n_blocks, lanes)

    return build


@borrowing
def product_of_lines(a, b, size, lanes):
    """Return the sum of the products of two lines."""
    n_blocks = size // LANES
    add_blocks(a, b, n_blocks, lanes)
    whole = n_blocks * LANES
    for i in range(whole, size):
        lanes[i - whole] += a[i] * b[i]
    return sum_of_lanes(lanes)


@borrowing
def total_of_line(a, size, lanes):
    """Return the sum of a line."""
    n_blocks = size // LANES
    add_blocks(a, None, n_blocks, lanes)
    whole = n_blocks * LANES
    for i in range(whole, size):
        lanes[i - whole] += a[i]
    return sum_of_lanes(lanes)
