"""The arrays of the search for a hyperplane.

Things of one kind are rows of one matrix: every further array that functions pass to each
other costs compilation time, and there are many such functions here.
"""

from typing import NamedTuple

import numpy as np

from softwood._kernels.randomness import StateArray
from softwood._types import AnyArray, CodeArray, FloatArray, IndexArray

MOST_BUCKETS = 1024
# Of a line so many cells are tried: OC1 needs the best, MOC1 and MOC2 look at margins, too.
CELLS_TRIED = (1, 10, 3)

# Rows of Scratch.by_row.
VALUE = 0  # of every point: negative on the left
TRIAL = 1  # values after a step that is being considered
STEP = 2  # how values change on a random line
PLACE = 3  # where on the line each point changes side
KEY = 4  # the places of the events that are sorted, in order
# Rows of Scratch.points.
CODE = 0  # twice the bucket of each event, and 1 if it leads to the left side
WHO = 1  # the events of buckets that are sorted
POINT = 2  # and their points in order
# Rows of Scratch.by_bucket; then the class weights on the left where each bucket begins.
NUMERATOR, DENOMINATOR, STATE = 0, 1, 2  # of the bound of score in a bucket
# Rows of Scratch.marks.
IS_SORTED, FIRST = 0, 1  # whether a bucket is worth sorting, and where its events begin
# Rows of Scratch.by_class.
LEFT = 0  # weights on the left
SLACK = 1  # how far one unit can push the deviation
OFF_LEFT, OFF_RIGHT = 2, 3  # weights off the band of MOC2
# Rows of Scratch.top: the best cells of a line, best first.
SCORE, CELL = 0, 1  # and the last event before each
# Rows of Scratch.planes: coefficients, the last one the constant.
PLANE, DIRECTION = 0, 1
# Entries of Scratch.now.
OBJECTIVE, N_SLIGHT = 0, 1  # and how many slight moves were made in a row

# Rows of Frame.by_row, Frame.by_class and Frame.by_feature.
ROW, LABEL = 0, 1  # number in the table, and class among those that are here
START, HERE = 0, 1  # where a class begins; of every class of the table its place, or ABSENT
MEAN, SHIFT, SCALE, SPREAD, LEVELS = 0, 1, 2, 3, 4  # LEVELS is 0 unless it is nominal
N_CLASSES, N_ACTIVE = 0, 1  # entries of Frame.size
ABSENT = -1
# Entries of Finding.test and Finding.number.
KIND, FEATURE, SIDE_OF_MISSING = 0, 1, 2
NOMINAL_MERIT, THRESHOLD = 0, 1
UNSEEN = -1  # branch of a category that no row of a node has: such rows spread


class ObliqueTable(NamedTuple):
    """The training table."""

    X: FloatArray
    label: CodeArray
    weight: FloatArray
    usable: AnyArray  # features that hyperplanes may use
    nominal: AnyArray
    n_levels: AnyArray  # of every feature; 0 if it is numeric


class ObliqueRules(NamedTuple):
    """How a node searches for its hyperplane."""

    criterion: int
    objective: int
    exact: bool  # the best cell of every line, or OC1's own sweep
    order: int  # of the coefficients
    n_restarts: int
    n_jumps: int
    margin_weight: float
    scaled: bool  # features are divided by their standard deviations in the node


class Frame(NamedTuple):
    """The rows of a node as they are gathered, those of a class together."""

    lines: FloatArray  # (n_usable + 1, n_rows): (x - shift) / scale, and ones
    weight: FloatArray
    by_row: AnyArray  # (2, n_rows): ROW, LABEL
    by_class: AnyArray  # (2, n_classes + 1): START, HERE
    total: FloatArray  # weight of each class that is here
    by_feature: FloatArray  # (5, n_usable): MEAN, SHIFT, SCALE, SPREAD, LEVELS
    active: AnyArray  # features that vary, and last the constant
    size: AnyArray  # N_CLASSES, N_ACTIVE


class Node(NamedTuple):
    """A frame as the search sees it: only what is there."""

    lines: FloatArray
    weight: FloatArray
    label: AnyArray
    start: AnyArray  # rows of class c are [start[c], start[c + 1])
    total: FloatArray
    whole: float
    active: AnyArray


class Finding(NamedTuple):
    """What has been found out about a node."""

    plane: FloatArray  # (1 + n_restarts, n_usable + 1): of the best axis, then of each climb
    objective: FloatArray  # of each plane
    stream: StateArray  # (n_restarts + 2, 4): of each climb, then of the two children
    number: FloatArray  # NOMINAL_MERIT, THRESHOLD
    test: AnyArray  # KIND, FEATURE, SIDE_OF_MISSING
    branch: AnyArray  # of every category of a nominal test
    weight: FloatArray  # of each usable feature in an oblique test
    side: FloatArray  # (2, n_classes): class weights of the children


class Scratch(NamedTuple):
    """Arrays for the search of one node at a time."""

    by_row: FloatArray  # (5, n_rows)
    points: IndexArray  # (3, n_rows + 1)
    by_bucket: FloatArray  # (2 + n_classes, n_buckets)
    marks: AnyArray  # (2, n_buckets)
    tally: FloatArray  # weight of the events of each code and class
    by_class: FloatArray  # (4, n_classes)
    top: FloatArray  # (2, n_cells)
    planes: FloatArray  # (2, n_usable + 1)
    now: FloatArray  # OBJECTIVE, N_SLIGHT


def room_of(n_rows: int, n_usable: int, n_classes: int, objective: int) -> Scratch:
    """Return room for nodes of up to ``n_rows`` rows."""
    n_buckets = MOST_BUCKETS + 1  # the last one for those that never change side
    return Scratch(
        by_row=np.empty((5, n_rows)),
        points=np.empty((3, n_rows + 1), dtype=np.int32),
        by_bucket=np.empty((2 + n_classes, n_buckets)),
        marks=np.empty((2, n_buckets), dtype=np.int64),
        tally=np.empty(2 * n_buckets * n_classes),
        by_class=np.zeros((4, n_classes)),
        top=np.empty((2, CELLS_TRIED[objective])),
        planes=np.zeros((2, n_usable + 1)),
        now=np.zeros(2),
    )


def frame_of(n_rows: int, n_usable: int, n_classes: int) -> Frame:
    """Return an empty frame for a node of ``n_rows`` rows."""
    return Frame(
        lines=np.empty((n_usable + 1, n_rows)),
        weight=np.empty(n_rows),
        by_row=np.empty((2, n_rows), dtype=np.int64),
        by_class=np.zeros((2, n_classes + 1), dtype=np.int64),
        total=np.zeros(n_classes),
        by_feature=np.zeros((5, n_usable)),
        active=np.zeros(n_usable + 1, dtype=np.int64),
        size=np.zeros(2, dtype=np.int64),
    )


def part_of_frame(frame: Frame, n_rows: int) -> Frame:
    """Return a frame of fewer rows in the same memory."""

    def fewer(matrix: AnyArray) -> AnyArray:
        return matrix.reshape(-1)[: len(matrix) * n_rows].reshape(len(matrix), n_rows)

    return frame._replace(
        lines=fewer(frame.lines), weight=frame.weight[:n_rows], by_row=fewer(frame.by_row)
    )


def finding_of(n_restarts: int, n_usable: int, n_classes: int, n_levels: int) -> Finding:
    """Return room for what is found out about a node."""
    return Finding(
        plane=np.zeros((n_restarts + 1, n_usable + 1)),
        objective=np.zeros(n_restarts + 1),
        stream=np.zeros((n_restarts + 2, 4), dtype=np.uint64),
        number=np.zeros(2),
        test=np.zeros(3, dtype=np.int64),
        branch=np.zeros(max(n_levels, 1), dtype=np.int64),
        weight=np.zeros(n_usable),
        side=np.zeros((2, n_classes)),
    )
